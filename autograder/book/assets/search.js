/* Finds and ranks pages. searchindex.js holds the text of the book, search-query.js reads a query, search-page.js shows.
   Nothing is fetched: it works from a plain file. */
const bookSearch = (() => {
  const NEAR = 400; // letters: words that are further apart are not about one thing, unless one of them is in a title
  const pages = searchIndex.pages.map(([address, sections]) => ({
    address,
    sections: sections.map(([anchor, title, above, text, code]) => ({ anchor, title, above, text, code })),
  }));
  const sections = pages.flatMap((page) => page.sections);
  const prose = sections.map(({ title, text }) => `${title}\n${text}`).join("\n");
  const everything = `${prose}\n${sections.map(({ code }) => code).join("\n")}`;
  const { fold, parse, near, isInName } = searchQuery(everything, searchIndex.words);
  const foldedProse = fold(prose), foldedBook = fold(everything);
  for (const page of pages)
    for (const section of page.sections) {
      section.folded = { title: fold(section.title), text: fold(section.text), code: fold(section.code) };
      section.isFolded = section.anchor === page.sections[section.above]?.anchor; // a question, a hint
      section.path = section.above < 0 ? [section] : [...page.sections[section.above].path, section];
    }

  /* Where the words are: in each section, for each part of the query. */
  const look = (section, parts) =>
    parts.map(({ find, optional, needsProse }) => {
      const titles = find(section.folded.title), inText = find(section.folded.text).length;
      const inCode = needsProse ? 0 : find(section.folded.code).length;
      const inTitle = titles.filter(([, , isPart]) => !isPart).length;
      const above = section.path.some(({ folded }) => find(folded.title).length);
      return { optional, inTitle, inText, inCode, above, here: titles.length + inText + inCode > 0 };
    });
  const needed = (looks) => looks.filter(({ optional }) => !optional);
  const isPlace = (looks) => needed(looks).some(({ here }) => here) && needed(looks).every(({ here, above }) => here || above);
  const isTitled = (looks) => needed(looks).every(({ inTitle }) => inTitle);

  /* The shortest stretch of a page, in letters, that has all of the words. */
  const stretch = (page, parts) => {
    const hits = [], last = new Map();
    let before = 0, shortest = Infinity;
    for (const { folded } of page.sections)
      for (const [kind, text] of Object.entries(folded)) {
        const searched = parts.filter(({ needsProse }) => kind !== "code" || !needsProse);
        for (const part of searched) hits.push(...part.find(text).map(([from]) => [before + from, part]));
        before += text.length;
      }
    for (const [at, part] of hits.sort((a, b) => a[0] - b[0])) {
      last.set(part, at);
      if (last.size === parts.length) shortest = Math.min(shortest, at - Math.min(...last.values()));
    }
    return shortest;
  };

  const weigh = ({ section, looks }, parts) => {
    const required = parts.filter(({ optional }) => !optional);
    const together = section.folded.text.split("\n").filter((line) => required.every(({ find }) => find(line).length));
    const weights = looks.map(({ inTitle, inText, inCode, optional }) =>
      (3 * Math.min(inTitle, 1) + Math.log2(1 + inText) + 0.3 * Math.log2(1 + inCode)) * (optional ? 0.5 : 1));
    const sum = weights.reduce((a, b) => a + b, parts.length > 1 ? 2 * Math.log2(1 + together.length) : 0);
    return section.isFolded ? 0.7 * sum : sum;
  };
  /* How much of a title the words are. */
  const share = ({ folded: { title } }, parts) => {
    const lengths = parts.flatMap(({ find }) => find(title)).map(([from, to]) => (to - from) * (isInName(title, [from, to]) ? 0.3 : 1));
    return lengths.reduce((a, b) => a + b, 0) / title.length;
  };
  /* A title of a page weighs more than any heading, a heading more than any number of words in the text. */
  const rate = (page, places, parts) => {
    const titled = places.filter(({ section, looks }) => !section.isFolded && isTitled(looks)).map(({ section }) => section);
    const inTitle = titled.filter((section) => section === page.sections[0]).map((section) => 1000 + 200 * share(section, parts));
    const inHeading = titled.filter((section) => section !== page.sections[0]).map((section) => 100 + 10 * share(section, parts));
    return Math.max(0, ...inTitle) + Math.max(0, ...inHeading) + places.reduce((sum, { weight }, k) => sum + weight / (k + 1), 0);
  };

  /* { parts of the query, found: [{ page, places in it }] }, best first: pages that have every required word, in sections of one
     title or not far apart; if none has, pages that have them anywhere. */
  const search = (query) => {
    const parts = parse(query), required = parts.filter(({ optional }) => !optional), found = [];
    // A Korean word in a comment is no reason to open a page, unless it is nowhere else or the query is a whole sentence.
    for (const part of parts) part.needsProse = part.isHangul && parts.length < 4 && part.find(foldedProse).length > 0;
    for (const page of required.length ? pages : []) {
      const all = page.sections.map((section) => ({ section, looks: look(section, parts) }));
      const together = all.filter(({ looks }) => isPlace(looks));
      if (!together.length && !parts.every(({ optional }, k) => optional || all.some(({ looks }) => looks[k].here))) continue;
      const isClose = together.some(({ looks }) => looks.some(({ above }) => above)) || stretch(page, required) < NEAR;
      const places = (together.length ? together : all.filter(({ looks }) => needed(looks).some(({ here }) => here)))
        .map((place) => ({ ...place, weight: weigh(place, parts) }))
        .sort((a, b) => b.weight - a.weight);
      found.push({ page, places, isClose, score: rate(page, places, parts) });
    }
    const close = found.filter(({ isClose }) => isClose);
    // Chapters teach; the glossary, which has a heading for every term, comes after them.
    const isChapter = ({ page }) => Number(page.address.startsWith("chapters/"));
    return { parts, found: (close.length ? close : found).sort((a, b) => isChapter(b) - isChapter(a) || b.score - a.score) };
  };
  return { search, fold, near, occurs: ({ find }) => find(foldedBook).length > 0 };
})();
