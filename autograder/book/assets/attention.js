// The attention calculator without its page: scenes and their addresses, the five tables, named mistakes, the sentence of
// every cell, the torch code. Matrices are arrays of rows; names follow the formulas of the book.
const attention = (() => {
  "use strict";
  const LIMITS = { tokens: 6, parts: 4, name: 12, value: 1000, address: 2000, temperature: [0.05, 20] };
  const TABLES = ["S", "scaled", "masked", "W", "O"];
  const HIDES = {
    none: () => false,
    causal: (scene, i, j) => j > i,
    padding: (scene, i, j) => scene.pad.includes(j),
    both: (scene, i, j) => j > i || scene.pad.includes(j),
    own: (scene, i, j) => scene.own[i][j] === 1,
  };
  // What a mistake does differently, by its id in chapters/mistakes.yml; a test runs the graders' wrong answers against it.
  const RIGHT = { first: "Q", divide: "root", fill: -Infinity, inverted: false, late: false, axis: "row", divideAfter: false, values: "V" };
  const MISTAKES = {
    swapped: { first: "K" },
    "no-scale": { divide: "none" },
    "divide-by-d": { divide: "d" },
    "scale-after": { divide: "none", divideAfter: true },
    inverted: { inverted: true },
    "fill-zero": { fill: 0 },
    "tiny-fill": { fill: -1e-9 },
    "zero-after": { late: true },
    column: { axis: "column" },
    "key-as-value": { values: "K" },
  };

  // Scenes

  /** A typed number with at most four decimals, NaN when it is none. */
  function number(text) {
    const clean = text.normalize("NFKC").trim().replace("−", "-");
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(clean) ? Number(Number(clean).toFixed(4)) : NaN;
  }

  const isName = (name) => typeof name === "string" && name.trim() === name && name !== ""
    && [...name].length <= LIMITS.name && !/\p{C}/u.test(name);
  const isValue = (x) => typeof x === "number" && Math.abs(x) <= LIMITS.value;
  const isTemperature = (x) => x >= LIMITS.temperature[0] && x <= LIMITS.temperature[1];

  const USUAL = { mask: "none", scale: true, temperature: 1, mistake: "", predict: "", at: "" };
  const forQKV = (make) => Object.fromEntries(["Q", "K", "V"].map((X) => [X, make(X)]));

  /** A complete scene from what a page, an address or an edit gives; throws RangeError when it is out of bounds. */
  function complete(raw) {
    const require = (good) => {
      if (!good) throw new RangeError("scene");
    };
    const tokens = raw.tokens;
    require(Array.isArray(tokens) && tokens.length >= 1 && tokens.length <= LIMITS.tokens && tokens.every(isName));
    for (const X of ["Q", "K", "V"]) {
      const width = raw[X === "K" ? "Q" : X]?.[0]?.length;
      require(raw[X].length === tokens.length && width >= 1 && width <= LIMITS.parts);
      require(raw[X].every((row) => row.length === width && row.every(isValue)));
    }
    const scene = { ...USUAL, ...raw, ...forQKV((X) => raw[X].map((row) => [...row])), tokens: [...tokens] };
    scene.pad = (raw.pad ?? []).filter((j) => j < tokens.length);
    scene.own = tokens.map((_, i) => tokens.map((_, j) => Number(raw.own?.[i]?.[j] === 1)));
    require(Object.hasOwn(HIDES, scene.mask) && isTemperature(scene.temperature));
    require(scene.mistake === "" || Object.hasOwn(MISTAKES, scene.mistake));
    require(["", "S", "W", "O"].includes(scene.predict) && /^([A-Za-z]+(\.(\d|sum)){2})?$/.test(scene.at));
    return scene;
  }

  const matrix = (text) => text.split("/").map((row) => row.split(",").map(number));
  const word = (text) => text;
  const READ = new Map(Object.entries({
    tokens: (text) => text.split(",").map(decodeURIComponent),
    Q: matrix, K: matrix, V: matrix,
    pad: (text) => text.split(",").map(number),
    own: (text) => text.split("/").map((row) => [...row].map(Number)),
    scale: (text) => text !== "0",
    temperature: number,
    mask: word, mistake: word, predict: word, at: word,
  }));

  /** The scene of an address (#calc=1;tokens=...;Q=2,1/1,2;...); undefined: not ours, null: ours but not to be read. */
  function parse(fragment) {
    if (!fragment.startsWith("#calc")) return undefined;
    try {
      const text = fragment.includes(";") ? fragment : decodeURIComponent(fragment); // some messengers encode all of it
      if (!text.startsWith("#calc=1;") || text.length > LIMITS.address) return null;
      const pairs = text.slice("#calc=1;".length).split(";").map((part) => part.split("=", 2));
      return complete(Object.fromEntries(pairs.map(([key, value]) => [key, READ.get(key)(value)])));
    } catch {
      return null; // an unknown key, a broken escape, a scene out of bounds
    }
  }

  /** The address of a scene: everything that a reader can set, without what is as usual. */
  function address(scene) {
    const rows = (X, between) => X.map((row) => row.join(between)).join("/");
    const texts = { tokens: scene.tokens.map(encodeURIComponent), ...forQKV((X) => rows(scene[X], ",")) };
    texts.own = scene.mask === "own" ? rows(scene.own, "") : "";
    const kept = Object.entries({ ...texts, ...scene, ...texts, scale: scene.scale || 0 })
      .filter(([key, value]) => String(value) !== "" && value !== USUAL[key]);
    return `#calc=1;${kept.map((pair) => pair.join("=")).join(";")}`;
  }

  // Calculation

  const dot = (a, b) => a.reduce((total, x, n) => total + x * b[n], 0);
  const sum = (row) => row.reduce((total, x) => total + x, 0);
  const transpose = (X) => X[0].map((_, j) => X.map((row) => row[j]));
  const scores = (Q, K) => Q.map((q) => K.map((k) => dot(q, k)));
  const scale = (S, divisor) => S.map((row) => row.map((x) => x / divisor));
  const hide = (S, mask, fill) => S.map((row, i) => row.map((x, j) => (mask[i][j] ? fill : x)));
  const exps = (row) => row.map((x) => Math.exp(x - Math.max(...row))); // all -inf: NaN, as in torch
  const softmax = (S) => S.map(exps).map((row) => row.map((e) => e / sum(row)));
  const blend = (W, V) => W.map((w) => transpose(V).map((column) => dot(w, column)));

  const planOf = (scene, mistake) => ({ ...RIGHT, ...(scene.scale ? {} : { divide: "none" }), ...MISTAKES[mistake] });

  /** The five tables of a scene, by the right way or by that of a mistake. */
  function compute(scene, mistake = "") {
    const plan = planOf(scene, mistake);
    const d = scene.K[0].length;
    const S = plan.first === "Q" ? scores(scene.Q, scene.K) : scores(scene.K, scene.Q);
    const mask = S.map((row, i) => row.map((_, j) => HIDES[scene.mask](scene, i, j)));
    const hidden = mask.map((row) => row.map((cell) => cell !== plan.inverted));
    const divisor = { root: Math.sqrt(d), d, none: 1 }[plan.divide];
    const scaled = scale(S, divisor * scene.temperature);
    const masked = plan.late ? scaled : hide(scaled, hidden, plan.fill);
    const shares = plan.axis === "row" ? softmax(masked) : transpose(softmax(transpose(masked)));
    const W = scale(plan.late ? hide(shares, hidden, 0) : shares, plan.divideAfter ? Math.sqrt(d) : 1);
    const O = blend(W, scene[plan.values]);
    return { scene, plan, d, divisor, mask, hidden, open: softmax(scaled), shares, S, scaled, masked, W, O };
  }

  /** The number of a cell; "sum" as row or column stands for the sums at the edge (of the mask: how many are visible). */
  function valueAt(run, [table, i, j]) {
    const X = run[table];
    if (i === "sum") return sum(X.map((row) => row[j]));
    if (j !== "sum") return X[i]?.[j];
    return table === "masked" ? run.hidden[i].filter((cell) => !cell).length : sum(X[i]);
  }

  const alike = (a, b, within = 1e-9) => Object.is(a, b) || a === b || Math.abs(a - b) <= within;

  /** How many times larger the visible weights of a row became because others are hidden; 1 when none is. */
  function growth({ plan, hidden, open }, i) {
    const moves = !plan.late && !plan.divideAfter && plan.axis === "row" && plan.fill === -Infinity;
    return moves ? 1 / sum(open[i].filter((_, j) => !hidden[i][j])) : 1;
  }

  // Numbers as text

  const minus = (text) => String(text).replaceAll("-", "−");

  /** Three decimals, halves to even as in Python (only sixteenths are exact halves), no -0.000. */
  function fixed(x) {
    if (Number.isNaN(x)) return "NaN";
    if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
    const half = Number.isInteger(x * 16) && (x * 1000) % 1;
    const text = (half ? (2 * Math.round(x * 500)) / 1000 : x).toFixed(3);
    return minus(Number(text) === 0 ? "0.000" : text);
  }

  /** A number inside a sentence: short ones as they are, others with four decimals. */
  function plain(x) {
    const short = Number(x.toFixed(4)) + 0;
    if (!Number.isFinite(x)) return fixed(x);
    return minus(alike(x, short, 1e-12) ? short : Math.abs(x) < 5e-5 ? x.toExponential(1) : x.toFixed(4));
  }

  const inside = (x) => (x < 0 ? `(${plain(x)})` : plain(x));
  const vector = (row) => `(${row.map(plain).join(", ")})`;
  const shown = (x) => Number(plain(x).replaceAll("−", "-"));
  // "=" only where the numbers shown really give the result shown.
  const sign = (fromShown, result) => (plain(fromShown) === plain(result) ? "=" : "≈");
  const gives = (fromShown, result) => `${sign(fromShown, result)} ${plain(result)}`;
  const products = (a, b, result) =>
    [a.map((x, n) => `${inside(x)}×${inside(b[n])}`).join(" + "), gives(dot(a.map(shown), b.map(shown)), result)];

  // Sentences

  const divisors = ({ plan, d, divisor, scene: { temperature } }) =>
    [[plan.divide === "root" ? `√${d}` : d, divisor], [`온도 ${temperature}`, temperature]].filter(([, n]) => n !== 1);
  const shape = (X) => `(${X.length}, ${X[0].length})`;
  const NAMES = { Q: "Query", K: "Key", V: "Value", S: "점수", scaled: "나눈 점수", masked: "가린 점수", W: "가중치", O: "새 표현" };

  /** The name of a table, with what is done there. */
  function title(run, name) {
    const { plan, d, scene, S, W, O } = run;
    const by = divisors(run).map(([text]) => ` ÷ ${text}`).join("");
    return {
      S: `1. 점수 S = ${plan.first === "Q" ? "QKᵀ" : "KQᵀ"}: ${shape(scene.Q)} × (${d}, ${S.length}) → ${shape(S)}`,
      scaled: `2. 스케일링: ${by ? `S${by}` : "나누지 않음"}`,
      masked: "3. 마스크: 칸을 누르면 가리고 다시 누르면 보입니다",
      W: `4. 가중치 W: ${plan.axis === "row" ? "행마다" : "열마다"} softmax`,
      O: `5. 새 표현 W${plan.values}: ${shape(W)} × ${shape(scene[plan.values])} → ${shape(O)}`,
    }[name];
  }

  /** The name of a cell. */
  function place({ tokens }, [table, i, j]) {
    if ("QKVO".includes(table)) return `${tokens[i]}의 ${NAMES[table]}, 성분 ${j}`;
    return `${NAMES[table]}, ${tokens[i] ?? "합"}의 행, ${tokens[j] ?? "합"}의 열`;
  }

  /** {text, how, uses} of a cell: its sentence, that without the result, and the cells that it is made of. */
  function explain(run, [table, i, j]) {
    const [row, column] = [run.scene.tokens[i], run.scene.tokens[j]];
    const inner = table === "S" ? "" : "QKVO".includes(table) ? `${place(run.scene, [table, i, j])}: ` : `${row}의 행, ${column}의 열: `;
    const head = i === "sum" ? `${column}의 열의 합: ` : j === "sum" ? `${row}의 행: ` : inner;
    const word = [i, j].includes("sum") ? edge : { S: score, scaled: division, masked: cover, W: weight, O: mixture }[table] ?? given;
    const [how, result, uses] = word(run, i, j, table);
    return { text: `${head}${how} ${result}`, how: head + how, uses };
  }

  /** A number of Q, K or V, and what it is for. */
  function given({ scene }, i, j, table) {
    const [where, uses] = {
      Q: [`점수표에서 ${scene.tokens[i]}의 행에 쓰입니다.`, ["S", i]],
      K: [`점수표에서 ${scene.tokens[i]}의 열에 쓰입니다.`, ["S", null, i]],
      V: [`모든 새 표현의 성분 ${j}에 섞입니다.`, ["O", null, j]],
    }[table];
    return [`${plain(scene[table][i][j])}.`, where, [uses]];
  }

  function score({ plan, scene, S }, i, j) {
    const [a, b] = plan.first === "Q" ? ["Q", "K"] : ["K", "Q"];
    const [x, y] = [scene[a][i], scene[b][j]];
    const name = (n, X) => `${scene.tokens[n]}의 ${NAMES[X]} ${vector(scene[X][n])}`;
    const [text, result] = products(x, y, S[i][j]);
    return [`${name(i, a)} · ${name(j, b)} = ${text}`, result, [[a, i], [b, j]]];
  }

  function division(run, i, j) {
    const { divisor, S, scaled } = run;
    const by = divisors(run);
    const uses = [["S", i, j]];
    const x = plain(S[i][j]);
    if (!by.length) return ["나누지 않은 점수", x, uses];
    const spelled = `${x} ÷ ${by.map(([, n]) => plain(n)).join(" ÷ ")}`;
    const value = by.reduce((left, [, n]) => left / shown(n), shown(S[i][j]));
    const same = alike(shown(divisor), divisor, 1e-12) ? "=" : "≈";
    return [`점수 ${x} ÷ ${by.map(([text]) => text).join(" ÷ ")} ${same} ${spelled}`, gives(value, scaled[i][j]), uses];
  }

  function cover({ scene, plan, hidden, scaled }, i, j) {
    const x = plain(scaled[i][j]);
    const uses = [["scaled", i, j]];
    if (!hidden[i][j]) return ["보이는 칸이어서 점수", `${x} 그대로입니다.`, uses];
    const future = j > i && ["causal", "both"].includes(scene.mask);
    const why = plan.inverted ? "거꾸로 쓴 마스크" : scene.mask === "own" ? "직접 가림" : future ? `Key의 자리 ${j} > Query의 자리 ${i}` : "패딩";
    if (plan.late) return [`가릴 칸(${why})이지만`, `아직 가리지 않아 점수 ${x} 그대로입니다.`, uses];
    const fill = plan.fill === -Infinity ? "−∞를 넣습니다. e^(−∞) = 0이므로 몫이 없습니다." : `${minus(plan.fill)}: 몫이 남습니다.`;
    return [`가린 칸(${why})이어서 점수 ${x} 대신`, fill, uses];
  }

  function weight(run, i, j) {
    const { plan, d, hidden, masked, shares, open, W } = run;
    const byRow = plan.axis === "row";
    const line = byRow ? masked[i] : transpose(masked)[j];
    const uses = [["masked", ...(byRow ? [i] : [null, j])]];
    if (Number.isNaN(W[i][j]))
      return [`이 ${byRow ? "행" : "열"}에는 볼 칸이 하나도 없어 0 ÷ 0이 되고`, "값은 NaN입니다. torch.softmax도 NaN을 냅니다(5.5절).", uses];
    const parts = exps(line);
    const [own, total] = [parts[byRow ? j : i], sum(parts)];
    const quotient = shown(own) / shown(total);
    const grown = growth(run, i);
    if (masked[i][j] === -Infinity) {
      const moved = alike(grown, 1) ? "" : ` 가리기 전의 몫(${plain(open[i][j])})은 보이는 칸으로 옮겨 갔습니다(모두 × ${plain(grown)}).`;
      return [`e^(−∞) ÷ ${plain(total)} = 0 ÷ ${plain(total)}`, `= 0.${moved}`, uses];
    }
    const ratio = `${plain(own)} ÷ ${plain(total)}`;
    const power = `e^(${plain(masked[i][j])}−${inside(Math.max(...line))})`;
    const how = `${power} ÷ (${parts.map(plain).join(" + ")}) ${sign(sum(parts.map(shown)), total)} ${ratio}`;
    if (plan.late && hidden[i][j]) return [`${how} ${gives(quotient, shares[i][j])}. softmax 뒤에 지워`, "0입니다. 이 몫은 아무에게도 가지 않습니다.", uses];
    if (plan.divideAfter) return [`${how}, 그 뒤에 ÷ √${d}`, gives(quotient / shown(Math.sqrt(d)), W[i][j]), uses];
    const before = alike(grown, 1) ? "" : ` (가리기 전 ${plain(open[i][j])}의 ${plain(grown)}배)`;
    return [how, `${gives(quotient, W[i][j])}${before}${byRow ? "" : " (같은 열의 칸으로 나누었습니다)"}`, uses];
  }

  function mixture({ plan, scene, W, O }, i, j) {
    const [text, result] = products(W[i], scene[plan.values].map((row) => row[j]), O[i][j]);
    return [`가중치 × ${NAMES[plan.values]} = ${text}`, result, [["W", i], [plan.values, null, j]]];
  }

  /** Sums: of a row, of a column of W, and of the visible cells of a mask. */
  function edge(run, i, j, table) {
    const byRow = j === "sum";
    const uses = [[table, ...(byRow ? [i] : [null, j])]];
    const result = valueAt(run, [table, i, j]);
    if (table === "masked") return [`Key ${run.hidden[i].length}개 가운데 보이는 칸`, `${result}개`, uses];
    const line = byRow ? run[table][i] : transpose(run.W)[j];
    const note = !byRow ? "이 Key가 받은 몫의 합이며 1일 까닭이 없습니다" : table !== "W" ? "점수의 합은 1일 까닭이 없습니다" : alike(result, 1) ? "" : "1이 아닙니다";
    return [line.map(inside).join(" + "), gives(sum(line.map(shown)), result) + (note && ` (${note})`), uses];
  }

  /** A typed answer: {right, like}, LIKE the mistakes with this number. Within half of the last digit, and within 0.005. */
  function judge(scene, at, text) {
    const within = Math.min(0.005, 0.5 * 10 ** -(text.split(".")[1] ?? "").trim().length) + 1e-9;
    const value = valueAt(compute(scene), at);
    const same = (x) => alike(number(text), x, within);
    return { right: same(value), like: same(value) ? [] : Object.keys(MISTAKES).filter((name) => same(valueAt(compute(scene, name), at))) };
  }

  // Code

  /** The calculation of a scene, its mistake included, as a program that prints the same decimals. */
  function code(scene, remark = "") {
    const plan = planOf(scene, scene.mistake);
    const [T, d, parts] = [scene.tokens.length, scene.Q[0].length, scene[plan.values][0].length];
    const list = (X) => JSON.stringify(X).replaceAll(",", ", ");
    const given = ["Q", "K", "V"].map((X) =>
      `${X} = torch.tensor(${list(scene[X])}, dtype=torch.float64)   # (${T}, ${scene[X][0].length})`);
    const [hide, root] = [plan.inverted ? "~mask" : "mask", " / Q.shape[-1] ** 0.5"];
    const fill = plan.fill === -Infinity ? 'float("-inf")' : plan.fill === 0 ? "0.0" : "-1e-9";
    return [
      "import torch", "",
      ...(remark && [`# 틀린 계산: ${remark}`]),
      `tokens = [${scene.tokens.map((name) => JSON.stringify(name)).join(", ")}]`,
      ...given,
      `mask = torch.tensor(${list(compute(scene).mask.map((row) => row.map(Number)))}, dtype=torch.bool)   # (${T}, ${T}), 1이 가림`, "",
      `S = ${plan.first === "Q" ? "Q @ K.T" : "K @ Q.T"}   # (${T}, ${d}) @ (${d}, ${T}) -> (${T}, ${T})`,
      `scaled = S${{ root, d: " / Q.shape[-1]", none: "" }[plan.divide]}${scene.temperature === 1 ? "" : ` / ${scene.temperature}`}`,
      plan.late ? "masked = scaled" : `masked = scaled.masked_fill(${hide}, ${fill})`,
      `W = torch.softmax(masked, dim=${plan.axis === "row" ? -1 : -2})${plan.divideAfter ? root : ""}`,
      ...(plan.late ? ["W = W.masked_fill(mask, 0.0)"] : []),
      `O = W @ ${plan.values}   # (${T}, ${T}) @ (${T}, ${parts}) -> (${T}, ${parts})`, "",
      'for name, table in {"S": S, "scaled": scaled, "masked": masked, "W": W, "O": O}.items():',
      "    print(name)",
      "    for token, row in zip(tokens, table.tolist()):",
      '        print("  ", token, *[f"{x:z.3f}" for x in row])',
    ].join("\n");
  }

  return { LIMITS, TABLES, MISTAKES, number, isName, isValue, isTemperature, complete, parse, address,
    compute, valueAt, alike, growth, explain, judge, code, fixed, plain, place, shape, title };
})();
