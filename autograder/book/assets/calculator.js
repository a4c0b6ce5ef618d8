// The attention calculator on its page; attention.js computes and words it. What a reader or an address says
// becomes text nodes and attributes only.
(() => {
  "use strict";
  const { LIMITS, TABLES, address, alike, code, complete, compute, explain, fixed, growth,
    isName, isTemperature, isValue, judge, number, parse, place, plain, shape, title, valueAt } = attention;
  const EDGE = { S: "행의 합", scaled: "행의 합", masked: "보이는 칸", W: "행의 합" };
  const MATRICES = ["Q", "K", "V"];

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const button = (text, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, text);
  const hasPadding = (mask) => ["padding", "both"].includes(mask);
  const line = (text) => el("p", {}, text);
  const heading = (text) => el("p", { class: "calc-title" }, text);
  const scroller = (label, wide, table) =>
    el("div", { class: "calc-scroll", tabindex: wide && "0", role: "group", "aria-label": label }, table);
  const atOf = (key) => key.split(".").map((part) => (/^\d$/.test(part) ? Number(part) : part));

  const root = document.querySelector(".attention-calculator"); // one on a page
  const raw = JSON.parse(root.dataset.scene);
  const mistakes = JSON.parse(root.dataset.mistakes); // id: {label, text}
  let scene = complete(raw);
  let opened = new Set(); // cells that the reader has predicted or opened
  let current = ""; // the cell whose sentence is shown
  let run, right; // the tables as chosen, and by the right way

  // Frame: autograder/book/calculator.html

  root.replaceChildren(root.querySelector("template").content);
  const field = (name) => root.querySelector(`[name="${name}"]`);
  const on = (name, type, act) => field(name).addEventListener(type, act);
  const [tokens, inputs, note, tables, figure, sentence, status, panel] =
    ["tokens", "inputs", "note", "tables", "figure", "sentence", "status", "code"].map((name) => root.querySelector(`.calc-${name}`));
  const [program, temperature] = [panel.querySelector("pre"), field("temperature")];

  on("scale", "change", ({ target }) => change(() => (scene.scale = target.checked)));
  on("mask", "change", ({ target }) => change(() => wear(target.value), true));
  for (const key of ["mistake", "predict"]) on(key, "change", ({ target }) => change(() => (scene[key] = target.value)));
  for (const matrices of [["Q", "K"], ["V"]]) {
    on(matrices[0], "change", ({ target }) => change(() => {
      for (const X of matrices) scene[X] = scene[X].map((row) => Array.from({ length: target.value }, (_, n) => row[n] ?? 0));
    }, true));
  }
  on("temperature", "input", () => {
    const advice = `온도에는 ${LIMITS.temperature.join("부터 ")}까지의 수를 넣으세요.`;
    take(temperature, number(temperature.value), isTemperature, advice, (value) => (scene.temperature = value));
  });
  on("temperature", "blur", () => restore(temperature, scene.temperature));
  on("address", "click", () => copy(location.href.split("#")[0] + address({ ...scene, at: "" }), "이 장면의 주소를 복사했습니다."));
  on("code", "click", ({ target }) => {
    target.setAttribute("aria-expanded", String(!(panel.hidden = !panel.hidden)));
    program.tabIndex = 0; // the theme thinks that what was hidden need not scroll
  });
  on("copy", "click", () => copy(program.textContent, "코드를 복사했습니다."));
  on("home", "click", () => change(() => (scene = complete(raw)), true));
  for (const link of root.querySelectorAll("a[data-set]")) link.href = address(complete({ ...raw, ...JSON.parse(link.dataset.set) }));

  const say = (text) => (status.textContent = text);

  async function copy(text, done) {
    remember(); // the address bar holds the scene, too
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      say("복사하지 못했습니다. 브라우저의 주소 칸이나 ‘코드로’ 아래에서 골라 복사하세요.");
    }
  }

  // Changes

  /** Change the scene and show what follows; RESHAPED when the fields must be made anew. */
  function change(make, reshaped = false) {
    make();
    set(complete(scene), reshaped);
    const told = run.O.map((row, i) => `${scene.tokens[i]} (${row.map((x, j) => (shut(["O", i, j]) ? "?" : fixed(x))).join(", ")})`);
    say(`새 표현: ${told.join(", ")}`);
    remember();
  }

  function set(next, reshaped = true) {
    scene = next;
    opened = new Set();
    show();
    if (reshaped) {
      const list = el("ol", { start: 0 }, ...scene.tokens.map(name));
      tokens.replaceChildren(heading("토큰"), list, scene.tokens.length < LIMITS.tokens ? button("토큰 더하기", add) : "");
      inputs.replaceChildren(...MATRICES.map(numbers));
    }
  }

  function remember() {
    try {
      history.replaceState(null, "", address({ ...scene, at: "" }));
    } catch { /* an address may not change too often */ }
  }

  /** Use what is typed as soon as it is good, else say what to do; the last good value stays. */
  function take(field, value, good, advice, use) {
    field.setAttribute("aria-invalid", String(!good(value)));
    if (good(value)) change(() => use(value));
    else say(`${advice} 그때까지는 마지막으로 맞았던 값을 씁니다.`);
    return good(value);
  }

  function restore(field, value) {
    field.value = value;
    field.removeAttribute("aria-invalid");
  }

  function wear(name) {
    if (name === "own") scene.own = run.mask.map((row) => row.map(Number));
    if (hasPadding(name) && !scene.pad.length) scene.pad = [scene.tokens.length - 1];
    scene.mask = name;
  }

  function toggle(i, j) {
    change(() => {
      if (scene.mask !== "own") wear("own");
      scene.own[i][j] = 1 - scene.own[i][j];
    }, true);
  }

  function add() {
    change(() => {
      scene.tokens = [...scene.tokens, `토큰 ${scene.tokens.length}`];
      for (const X of MATRICES) scene[X].push(scene[X][0].map(() => 0));
    }, true);
    inputs.querySelector("tr:last-child input").focus();
  }

  function remove(n) {
    const others = (list) => list.filter((_, i) => i !== n);
    change(() => {
      for (const X of ["tokens", ...MATRICES]) scene[X] = others(scene[X]);
      scene.own = others(scene.own).map(others);
      scene.pad = scene.pad.filter((j) => j !== n).map((j) => j - (j > n));
    }, true);
    tokens.querySelector("input").focus();
  }

  // Fields

  function name(text, n) {
    const onblur = () => restore(field, scene.tokens[n]);
    const field = el("input", { value: text, size: 8, "aria-label": `토큰 ${n}의 이름`, oninput: rename, onblur });
    const onchange = () => change(() => (scene.pad = pad.checked ? [...scene.pad, n] : scene.pad.filter((j) => j !== n)));
    const pad = el("input", { type: "checkbox", onchange });
    pad.checked = scene.pad.includes(n);
    function rename() {
      const good = take(field, field.value.trim(), isName, `토큰의 이름은 1자부터 ${LIMITS.name}자까지입니다.`, (value) => (scene.tokens[n] = value));
      if (good) inputs.replaceChildren(...MATRICES.map(numbers));
    }
    return el("li", {}, field, hasPadding(scene.mask) ? el("label", {}, "패딩", pad) : null,
      scene.tokens.length > 1 ? button("빼기", () => remove(n), { "aria-label": `토큰 ${n} 빼기` }) : null);
  }

  function numbers(X) {
    const advice = `−${LIMITS.value}부터 ${LIMITS.value}까지의 수를 넣으세요. 예: 2, 0.5, -1.`;
    const field = (i, n) => {
      const input = el("input", {
        size: 4, value: scene[X][i][n], "data-at": `${X}.${i}.${n}`, "aria-label": place(scene, [X, i, n]),
        oninput: () => take(input, number(input.value), isValue, advice, (value) => (scene[X][i][n] = value)),
        onblur: () => restore(input, scene[X][i][n]),
        onfocus: () => use(X, i, n), onmouseover: () => use(X, i, n),
      });
      return el("td", {}, input);
    };
    const rows = scene[X].map((row, i) => el("tr", {}, el("th", { scope: "row" }, scene.tokens[i]), ...row.map((_, n) => field(i, n))));
    return el("div", {}, heading(`${X} ${shape(scene[X])}`), el("table", {}, ...rows));
  }

  function use(...at) {
    const { text, uses } = explain(run, at);
    current = "";
    tell(text, uses);
  }

  // Tables

  function show() {
    right = compute(scene);
    run = compute(scene, scene.mistake);
    field("scale").checked = scene.scale;
    if (document.activeElement !== temperature) restore(temperature, scene.temperature);
    for (const key of ["mask", "mistake", "predict"]) field(key).value = scene[key];
    for (const X of ["Q", "V"]) field(X).value = scene[X][0].length;
    const held = tables.contains(document.activeElement) && document.activeElement.dataset.at;
    const lefts = [...tables.querySelectorAll(".calc-scroll")].map((box) => box.scrollLeft);
    tables.replaceChildren(...TABLES.map(grid));
    tables.querySelectorAll(".calc-scroll").forEach((box, n) => (box.scrollLeft = lefts[n]));
    note.replaceChildren(...remarks().map(line));
    figure.replaceChildren(...picture());
    program.textContent = code(scene, mistakes[scene.mistake]?.label);
    if (held) find(held)?.focus({ preventScroll: true });
    if (find(current)) point(current);
    else tell("칸 하나를 고르면 그 수가 나온 계산을 여기에 적습니다. 표 안에서는 화살표 키로 옮겨 다닙니다.", []);
  }

  function remarks() {
    const lines = [];
    if (scene.mistake) {
      const count = tables.querySelectorAll(".differs").length;
      const seen = count ? `다른 칸 ${count}개에 ≠와 굵은 테두리를 붙였습니다.` : "지금 보이는 칸은 모두 맞는 계산과 같습니다. 이 칸들로는 이 실수를 찾을 수 없습니다.";
      lines.push(`틀린 계산: ${mistakes[scene.mistake].text} ${seen}`);
    }
    const empty = scene.tokens.filter((_, i) => run.W[i].every(Number.isNaN));
    if (empty.length) lines.push(`볼 칸이 하나도 없는 행: ${empty.join(", ")}. 나눌 몫은 있는데 받을 칸이 없어(0 ÷ 0) NaN이 됩니다.
      맞는 답이 없으므로 이런 행이 생기지 않게 해야 합니다. (5.5절)`);
    return lines;
  }

  const find = (key) => (key ? tables.querySelector(`[data-at="${key}"]`) : null);
  const differs = (at) => scene.mistake !== "" && !shut(at) && !alike(valueAt(run, at), valueAt(right, at));

  /** Whether a cell is still to be predicted. A sum opens with the last of its cells, a mask is always shown. */
  function shut([table, i, j]) {
    if (table === "masked") return j !== "sum" && !run.hidden[i][j] && shut(["scaled", i, j]);
    if (i === "sum" || j === "sum") return scene.tokens.some((_, n) => shut([table, i === "sum" ? n : i, j === "sum" ? n : j]));
    return scene.predict !== "" && TABLES.indexOf(table) >= TABLES.indexOf(scene.predict) && !opened.has([table, i, j].join("."));
  }

  /** One table. Tab reaches one of its cells, arrows the others. */
  function grid(name) {
    const columns = name === "O" ? run.O[0].map((_, n) => `성분 ${n}`) : scene.tokens;
    const head = (text, scope, more = {}) => el("th", { scope, ...more }, text);
    const across = (i) => [...columns.map((_, j) => cell([name, i, j])), ...(EDGE[name] && i !== "sum" ? [cell([name, i, "sum"])] : [])];
    const rows = scene.tokens.map((text, i) => el("tr", {}, head(text, "row"), ...across(i)));
    if (name === "W") rows.push(el("tr", {}, head("열의 합", "row", { class: "edge" }), ...across("sum"), el("td")));
    const top = el("tr", {}, el("td"), ...columns.map((text) => head(text, "col")),
      ...(EDGE[name] ? [head(EDGE[name], "col", { class: "edge" })] : []));
    const table = el("table", { role: "grid", "aria-label": title(run, name) }, top, ...rows);
    const cells = [...table.querySelectorAll("[data-at]")];
    (cells.find((node) => node.dataset.at === current) ?? cells[0]).tabIndex = 0;
    return el("div", {}, heading(title(run, name)), scroller(`${title(run, name)} 표`, columns.length > 3, table));
  }

  function cell(at) {
    const [name, i, j] = at;
    const value = valueAt(run, at);
    const inner = i !== "sum" && j !== "sum";
    const [closed, other, hidden] = [shut(at), differs(at), inner && name !== "O" && run.hidden[i][j]];
    const struck = hidden && !run.plan.late && name === "scaled";
    const looks = { struck, hidden: hidden && ["masked", "W"].includes(name), differs: other, edge: !inner };
    const shown = name === "masked" && !inner ? String(value) : fixed(value);
    const content = [el("span", {}, closed ? "?" : shown), other ? el("b", { "aria-hidden": "true" }, "≠") : null];
    const grown = name === "W" && inner && !closed ? growth(run, i) : 1;
    if (Number.isFinite(grown) && !alike(grown, 1))
      content.push(el("small", {}, `${fixed(run.open[i][j])} ${hidden ? "→" : `×\u00a0${fixed(grown)}`}`));
    const box = { class: Object.keys(looks).filter((key) => looks[key]).join(" ") };
    const more = { "data-at": at.join("."), "data-value": !closed && String(value), tabindex: "-1", "aria-label": spoken(at) };
    if (name !== "masked" || !inner) return el("td", { ...box, ...more }, ...content);
    const press = { type: "button", onclick: () => toggle(i, j), "aria-pressed": String(run.mask[i][j]) };
    return el("td", box, el("button", { ...press, ...more }, ...content));
  }

  function spoken(at) {
    if (shut(at)) return `${place(scene, at)}: ${at[0] === "masked" ? "보이는" : "아직 열지 않은"} 칸입니다.`;
    const { text } = explain(run, at);
    const other = valueAt(right, at);
    return differs(at) ? text.replace(/\.?$/, `. 맞는 계산${other === undefined ? "에는 이 칸이 없습니다." : `의 값은 ${plain(other)}입니다.`}`) : text;
  }

  /** Show the sentence of a cell, mark what it is made of. */
  function point(key, byFocus = false) {
    const at = atOf(key);
    current = key;
    tell(spoken(at), shut(at) ? [] : explain(run, at).uses, byFocus);
    if (shut(at) && at[0] !== "masked" && !at.includes("sum")) ask(at);
  }

  /** Show a sentence, spoken by the live region unless focus, which speaks too, brought it; mark the cells of USES:
      [table, row or null, column or nothing]. */
  function tell(text, uses, byFocus = false) {
    sentence.setAttribute("aria-live", byFocus ? "off" : "polite");
    if (sentence.textContent !== text) sentence.replaceChildren(line(text));
    for (const node of root.querySelectorAll("[data-at]")) {
      const [table, ...at] = atOf(node.dataset.at);
      const used = uses.some(([from, ...wanted]) => from === table && wanted.every((n, k) => n === null || n === at[k]));
      node.classList.toggle("used", used && !at.includes("sum"));
    }
  }

  // Prediction

  function ask(at) {
    const field = el("input", { size: 8, "aria-label": `${place(scene, at)}의 값` });
    const onsubmit = (event) => event.preventDefault() ?? answer(at, field);
    sentence.setAttribute("aria-live", "off"); // the cell says so itself
    sentence.replaceChildren(el("form", { onsubmit }, line(`${place(scene, at)}: 얼마입니까?`), field,
      el("button", { type: "submit" }, "맞혀 보기"), button("이 칸 열기", () => open(at))));
  }

  function answer(at, field) {
    if (Number.isNaN(number(field.value))) return say("수를 넣으세요. 예: 0.503, -1.");
    const { right: good, like } = judge(scene, at, field.value);
    const names = like.map((id) => `‘${mistakes[id].label}’. ${mistakes[id].text}`).join(" ");
    const advice = names ? `이 실수의 값과 같습니다. ${names}` : `맞지 않고, 흔한 실수의 값과도 다릅니다. 이렇게 계산해 보세요. ${explain(right, at).how}`;
    if (good) open(at);
    say(good ? "맞습니다." : `${field.value}: ${advice}`);
    field.select();
  }

  function open(at) {
    opened.add(at.join("."));
    show();
    find(at.join(".")).focus({ preventScroll: true });
  }

  // The points among the Values

  function picture() {
    if (scene.V[0].length !== 2 || run.O[0].length !== 2) return [line(`성분이 ${run.O[0].length}개여서 새 표현을 평면에 그리지 않습니다. V의 성분이 2개일 때 그립니다.`)];
    const known = run.O.map((o, i) => o.every(Number.isFinite) && !shut(["O", i, 0]) && !shut(["O", i, 1]));
    const all = [...scene.V, ...run.O.filter((_, i) => known[i])];
    const [left, low] = [0, 1].map((n) => Math.min(...all.map((p) => p[n])));
    const span = Math.max(1e-9, ...all.map((p) => Math.max(p[0] - left, p[1] - low)));
    const spot = ([x, y]) => [60 + ((x - left) / span) * 190, 225 - ((y - low) / span) * 190];
    const write = (x, y, text) => draw("text", { x, y }, text);
    // What a blend can reach: all triangles of three Values.
    const triangle = (...corners) => draw("polygon", { points: corners.map(spot).join(" ") });
    const reach = scene.V.flatMap((a, i) => scene.V.slice(i).flatMap((b, j) => scene.V.slice(i + j).map((c) => triangle(a, b, c))));
    const corners = scene.V.map((v, j) => {
      const [x, y] = spot(v);
      const square = draw("rect", { x: x - 5, y: y - 5, width: 10, height: 10 });
      return draw("g", {}, square, write(x, y + (y > 130 ? 24 : -12), scene.tokens[j]));
    });
    const points = run.O.map((o, i) => {
      if (!known[i]) return null;
      const [x1, y1] = spot(o);
      const shares = scene.tokens.map((name, j) => `${name}의 Value로 ${fixed(run.W[i][j])}`).join(", ");
      const text = `${scene.tokens[i]}의 새 표현 (${o.map(fixed).join(", ")}): ${shares}만큼 끌립니다.`;
      const pulls = scene.V.map(spot).map(([x2, y2], j) => draw("line", { x1, y1, x2, y2, "stroke-width": Math.min(10, 8 * run.W[i][j]) }));
      const pick = () => {
        current = "";
        tell(text, [["W", i], ["O", i]], true);
      };
      const hands = { tabindex: "0", role: "button", "aria-label": text, onfocus: pick, onmouseover: pick, onclick: pick };
      const circle = draw("circle", { cx: x1, cy: y1, r: 8 });
      return draw("g", { class: "point", ...hands }, ...pulls, circle, write(x1, y1 + 4, String(i)));
    });
    return [
      heading("새 표현은 Value들 사이의 점"),
      draw("svg", { viewBox: "0 0 310 265", role: "group", "aria-label": "Value와 새 표현의 그림" }, ...reach, ...corners, ...points),
      line(`네모는 Value, 번호가 있는 동그라미는 새 표현입니다(${scene.tokens.map((name, i) => `${i} ${name}`).join(", ")}).
        몫의 합이 1이면 동그라미는 네모들을 이은 도형을 벗어나지 않습니다.`),
    ];
  }

  // Events

  const cellOf = (event) => event.target.closest("[data-at]");
  tables.addEventListener("mousemove", (event) => { // mouseover: on scrolling, too
    const key = cellOf(event)?.dataset.at ?? current;
    if (key !== current && !sentence.contains(document.activeElement)) point(key);
  });
  tables.addEventListener("focusin", (event) => {
    const node = cellOf(event);
    if (!node) return;
    node.closest("table").querySelectorAll('[tabindex="0"]').forEach((other) => (other.tabIndex = -1));
    node.tabIndex = 0;
    point(node.dataset.at, true);
  });
  tables.addEventListener("keydown", (event) => {
    const node = cellOf(event);
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -9], End: [0, 9] }[event.key];
    if (node && event.key === "Enter" && sentence.querySelector("input")) {
      event.preventDefault();
      sentence.querySelector("input").focus();
    }
    if (!node || !step) return;
    event.preventDefault();
    const rows = [...node.closest("table").rows].map((row) => [...row.querySelectorAll("[data-at]")]).filter((row) => row.length);
    const r = rows.findIndex((row) => row.includes(node));
    const within = (n, length) => Math.max(0, Math.min(length - 1, n));
    const row = rows[within(r + step[0], rows.length)];
    row[within(rows[r].indexOf(node) + step[1], row.length)].focus();
  });

  function follow() {
    const found = parse(location.hash);
    if (found === undefined) return;
    if (found) set(found);
    else say("주소에 적힌 장면을 읽을 수 없어 이 쪽의 장면을 보여 줍니다. 주소가 잘리지 않았는지 확인하세요.");
    const cell = find(found?.at);
    cell?.focus({ preventScroll: true });
    (cell ?? root).scrollIntoView({ block: cell ? "center" : "start" });
  }

  set(scene);
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();
