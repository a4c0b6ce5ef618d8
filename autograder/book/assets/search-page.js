/* What the reader sees of a search: how many pages, each with the places where the words stand. */
(() => {
  const { search, fold, near, occurs } = bookSearch;
  const PLACES = 3; // shown of a page
  const BEFORE = 40, LENGTH = 150; // letters of an excerpt: before the first word, and in all

  const element = (name, children = [], attributes = {}) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...children);
    return made;
  };

  /* The text with the words of the query in <mark>. */
  const marked = (text, parts) => {
    const folded = fold(text), pieces = [];
    let done = 0;
    for (const [from, to] of parts.flatMap(({ find }) => find(folded)).sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
      if (from < done) continue;
      pieces.push(text.slice(done, from), element("mark", [text.slice(from, to)]));
      done = to;
    }
    return [...pieces, text.slice(done)];
  };

  /* The line that has most of the words, or the first one, cut between words. */
  const excerpt = ({ text, code }, parts) => {
    const lines = `${text}\n${code}`.split("\n").filter(Boolean).map((line) => {
      const firsts = parts.map(({ find }) => find(fold(line))[0]?.[0]).filter((from) => from !== undefined);
      return { line, words: firsts.length, first: Math.min(...firsts, line.length) };
    });
    const { line, words, first } = lines.reduce((best, each) => (each.words > best.words ? each : best), lines[0] ?? { line: "" });
    const start = words && first > BEFORE ? line.lastIndexOf(" ", first - BEFORE) + 1 : 0;
    const space = line.lastIndexOf(" ", start + LENGTH);
    const end = line.length <= start + LENGTH ? line.length : space > first ? space : start + LENGTH;
    return `${start ? "… " : ""}${line.slice(start, end)}${end < line.length ? " …" : ""}`;
  };

  const result = ({ page, places }, parts) => {
    const shown = places.slice(0, PLACES).map(({ section }) => {
      const names = section.path.slice(1).map(({ title }) => title).filter(Boolean).join(" › ") || "첫머리";
      const link = element("a", marked(names, parts), { href: `${page.address}#${section.anchor}` });
      const line = excerpt(section, parts);
      return element("li", [element("p", [link]), ...(line ? [element("p", marked(line, parts))] : [])]);
    });
    const title = element("h2", [element("a", marked(page.sections[0].title, parts), { href: page.address })]);
    const rest = places.length - PLACES;
    const more = element("p", [`이 쪽의 다른 ${rest}곳에도 있습니다.`], { className: "search-more" });
    return element("li", [title, element("ul", shown), ...(rest > 0 ? [more] : [])]);
  };

  const searches = (words) =>
    words.flatMap((word, k) => [k ? ", " : "", element("a", [word], { href: `?q=${encodeURIComponent(word)}` })]);
  const advice = (parts) => {
    const required = parts.filter(({ optional }) => !optional), labels = required.map(({ label }) => label);
    const missing = required.filter((part) => !occurs(part)).map(({ label }) => label);
    const present = labels.filter((label) => !missing.includes(label));
    const close = [...new Set(missing.flatMap(near))].filter((word) => !labels.includes(word)).slice(0, 3);
    const lines = [];
    if (present.length && missing.length) lines.push([`책에 없는 말: ${missing.join(", ")}`]);
    if (present.length) lines.push(["하나씩 찾기: ", ...searches(present)]);
    if (close.length) lines.push(["비슷한 말: ", ...searches(close)]);
    if (!lines.length) lines.push(["조사를 떼거나 더 짧은 낱말로 찾아보세요. 예: ", ...searches(["마스크", "가중치", "softmax"])]);
    return element("ul", lines.map((line) => element("li", line)));
  };

  const form = document.querySelector(".bd-search-container form");
  const count = element("p", [], { className: "search-count", role: "status" }), list = element("div");
  const heading = document.title;
  document.getElementById("search-results").append(count, list);

  const show = () => {
    const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
    form.q.value = query;
    document.title = query ? `${query} - ${heading}` : heading;
    const { parts, found } = search(query);
    count.textContent = !query ? "" : found.length ? `${found.length}쪽에서 찾았습니다.` : `‘${query}’: 이 책에서 찾지 못했습니다.`;
    list.replaceChildren(...(found.length ? [element("ol", found.map((each) => result(each, parts)))] : query ? [advice(parts)] : []));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.pushState(null, "", `?q=${encodeURIComponent(form.q.value)}`);
    show();
  });
  addEventListener("popstate", show);
  show();
  // The theme means to do this, but looks for the first field of the page, which is in a closed dialog. A phone would open its
  // keyboard over the results.
  if (matchMedia("(hover: hover)").matches) form.q.select();
})();
