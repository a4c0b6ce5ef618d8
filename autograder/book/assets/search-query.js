/* From what a reader types to the words to look for.

   코잘        -> 인과 마스크   by the glossary, spaces and hyphens aside
   QK^T, -inf  -> QKᵀ, −∞       one spelling for signs; letters and digits end where a word or a number ends
   밸류벡터    -> 밸류, 벡터    when the book never writes them as one

   searchQuery(everything, glossary): the text of the book and { what may be typed: the terms for it }. It gives parse(query) ->
   parts { label, optional, isHangul, find(text) -> [[from, to]] }, fold(text) for the texts to find in, near(word) -> terms. */
const searchQuery = (everything, glossary) => {
  const { HANGUL, words, escapePattern, finder, bases, isParticle, stems } = korean;

  /* Words of questions: they move a result up and are not required. */
  const WHY = words("왜 이유 까닭");
  const OPTIONAL = new Set(words(`왜 이유 까닭 뜻 의미 방법 법 무엇 뭐 뭔가 뭔가요 무슨 어떻게 어떤 어디 언제 것 때 수 개수 몇 대해 대한 관한 설명
    정의 개념 하는 되는 하는가 하나 하나요 되나요 하기 하면 되면 있는 있나요 있습니까 합니까 됩니까 무엇인가 무엇인가요 무엇입니까
    나오는 나오면 나오나 나오나요 나올 생기는 생기면 생기나 생기나요 the of a to`));
  const COMPARING = new Set(words("차이 차이점 비교 종류")); // optional behind two other words
  const BOUND = new Set(words("다음 이전 앞 뒤 한 두 세 네 첫 첫째 둘째 셋째 번째 모든 같은 다른 새 각 빈 큰 작은 여러")); // to the next word

  const LONGEST = 100; // letters of a query that are read: time grows with the words, and with the square of an unspaced run

  /* One spelling. Every sign stays one letter long, so that places in the folded text are places in the text. */
  const SIGNS = { "ᵀ": "t", "−": "-", "–": "-", "²": "2", "³": "3", "‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " " };
  const fold = (text) => text.toLowerCase().replace(/[ᵀ−–²³‘’“”\u00a0]/g, (sign) => SIGNS[sign]);
  const book = fold(everything);

  const keyOf = (text) => fold(text).replace(/[\s^-]/g, "") || text;
  const terms = new Map();
  for (const [word, list] of Object.entries(glossary)) terms.set(keyOf(word), [...new Set([...(terms.get(keyOf(word)) ?? []), ...list])]);
  const names = [...new Set([...terms.values()].flat())];
  const isOther = (word, phrase) => terms.has(word) && !terms.get(word).some((term) => term.includes(phrase));
  const { isNoun, noun, isVerb, verb } = korean.dictionary(book, isOther);

  /* Letters, digits and signs as they are. A place that is part of a longer name (d in d_head) has a third entry, true. */
  const literal = (given, isWhole = true) => {
    const text = fold(given).replaceAll("^", "");
    const pattern = escapePattern(text).replace(/(?<=[a-z])[-_ ](?=[a-z])/g, "[-_ ]?").replace(/ ?= ?/g, " ?= ?");
    return finder(new RegExp(pattern, "g"), (all, from, to) => {
      const before = all.slice(Math.max(0, from - 2), from), after = all.slice(to, to + 5);
      if ((/[a-z]/.test(text[0]) && /[a-z]$/.test(before)) || (/\d/.test(text[0]) && /\d\.?$/.test(before))) return null;
      if (/\d$/.test(text) && (text.includes(".") ? /^0*[1-9]/ : /^\.?\d/).test(after)) return null; // 0.786 is 0.7860, not 0.7863
      if (isWhole && /[a-z]$/.test(text) && /^[a-z]/.test(after) && !/^(?:s|es|ed|ing)(?![a-z])/.test(after)) return null;
      return [from, to, before.endsWith("_") || after.startsWith("_")];
    });
  };

  /* As often as a run is cut, its pieces come again: each is looked up in the book once. */
  const once = (make) => {
    const known = new Map();
    return (key) => known.get(key) ?? known.set(key, make(key)).get(key);
  };
  const occurs = once((find) => find(book).length > 0);
  const part = (label, finders, optional = false) => {
    const find = (text) => finders.flatMap((each) => each(text)).sort((a, b) => a[0] - b[0]);
    return { label, optional, isHangul: HANGUL.test(label), find };
  };
  const plain = (text) => (HANGUL.test(text) ? noun(text) : literal(text));
  const term = (text) => (/^[가-힣]+다$/.test(text) && isVerb(text.slice(0, -1)) ? verb(text.slice(0, -1)) : plain(text));
  const byGlossary = (label, key) => part(label, [plain(label), ...terms.get(key).map(term)]);

  /* The parts of a run of Hangul without spaces. */
  const hangul = once((run) => {
    const candidates = [run, ...bases(run)];
    const asked = candidates.find((base) => OPTIONAL.has(base));
    if (asked) return [part(run, (WHY.includes(asked) ? WHY : [asked]).map(noun), true)];
    const base = candidates.find((each) => terms.has(each) || isNoun(each));
    if (base) return [terms.has(base) ? byGlossary(base, base) : part(base, [noun(base)])];
    const made = /^([가-힣]{2,}?)(?:[하한할함합해했되된될됨됩돼됐]|시[키킨킬킵켜])[가-힣]*$/.exec(run)?.[1]; // 학습하는, 학습된, 학습시킨
    if (made && (terms.has(made) || isNoun(made))) return hangul(made);
    const stem = stems(run).find(isVerb);
    if (stem) return [part(run, [verb(stem), noun(run)])];
    const found = part(run, [run, ...bases(run).filter((each) => each.length > 1)].map(noun));
    return (!occurs(found.find) && compound(run)) || [found];
  });
  const compound = (run) => {
    for (let k = run.length - 1; k > 0; k--) {
      const pieces = [run.slice(0, k), run.slice(k)];
      if (pieces.some((piece) => piece.length < 2 && !terms.has(piece))) continue;
      const parts = [];
      for (const piece of pieces) {
        const found = terms.has(piece) ? [byGlossary(piece, piece)] : hangul(piece);
        if (!found.every(({ find }) => occurs(find))) break;
        parts.push(found);
      }
      if (parts.length === pieces.length) return parts.flat();
    }
    return null;
  };
  /* The parts of a run of letters, digits and signs. */
  const signs = (run) => {
    if (terms.has(keyOf(run))) return [byGlossary(run, keyOf(run))];
    const single = /^[a-z]{3,}s$/i.test(run) ? run.slice(0, -1) : run; // masks -> mask
    const found = [literal(run), literal(run, run.length < 4), literal(run.replaceAll("_", "")), literal(single)].find(occurs);
    const pieces = run.split(/[^\p{L}\p{N}√∞]+/u).filter(Boolean);
    return found || pieces.length < 2 ? [part(run, [found ?? literal(run)])] : pieces.flatMap(signs);
  };
  const unspaced = (token) => {
    const counted = /^([\d.]+)([가-힣]+)$/.exec(token); // 10주차에, 1.3절
    if (counted) {
      const [, number, run] = counted, unit = [run, ...bases(run)].at(-1);
      return [part(token, [literal(number + unit), ...(unit === "절" ? [literal(number)] : [])])];
    }
    const runs = token.match(/[가-힣]+|[^가-힣]+/g); // softmax를 -> softmax, 를
    return runs.flatMap((run, k) => (!HANGUL.test(run) ? signs(run) : k > 0 && isParticle(run) ? [] : hangul(run)));
  };

  /* Words that belong together: [part or null, how many words it took]. */
  const bound = (tokens) => {
    const n = tokens.findIndex((token) => !BOUND.has(token));
    if (n < 1 || !/^[가-힣]+$/.test(tokens[n])) return [null, 1];
    const phrases = [tokens[n], ...bases(tokens[n])].map((base) => [...tokens.slice(0, n), base].join(" "));
    const phrase = phrases.filter((each) => occurs(noun(each))).at(-1);
    return phrase ? [part(phrase, [noun(phrase)]), n + 1] : [null, 1];
  };
  const named = (tokens) => {
    for (let n = Math.min(4, tokens.length); n > 0; n--) {
      const typed = tokens.slice(0, n), joined = keyOf(typed.join("")), before = keyOf(typed.slice(0, -1).join("")).length;
      const key = [joined, ...bases(joined)].find((base) => base.length > before && terms.has(base));
      if (key && (n > 1 || !/^[가-힣]+$/.test(typed[0]))) return [byGlossary(typed.join(" "), key), n];
    }
    return [null, 1];
  };

  const EDGES = /^["'“”‘’「」『』(){}<>?!,;:…~·.]+(?=.)|["'“”‘’「」『』(){}<>?!,;:…~·.]+$/g;
  const parse = (query) => {
    const text = query.normalize("NFKC").replace(/\p{Cf}/gu, "").trim().slice(0, LONGEST); // Cf: invisible, pasted along
    if (terms.has(keyOf(text))) return [byGlossary(text, keyOf(text))];
    if (!HANGUL.test(text) && /[\s(,]/.test(text) && occurs(literal(text))) return [part(text, [literal(text)])];
    const tokens = text.split(/\s+/).map((token) => (/^\.\w/.test(token) ? token : token.replace(EDGES, "")));
    const useful = tokens.filter((token) => /[\p{L}\p{N}√∞#]/u.test(token));
    const parts = [];
    while (useful.length) {
      const [found, taken] = [bound, named].map((take) => take(useful)).find(([each]) => each) ?? [null, 1];
      parts.push(...(found ? [found] : unspaced(useful[0])));
      useful.splice(0, taken);
    }
    const required = parts.filter(({ optional }) => !optional), compared = required.filter(({ label }) => COMPARING.has(label));
    if (required.length - compared.length > 1) compared.forEach((each) => (each.optional = true));
    if (!required.length) parts.forEach((each) => (each.optional = false));
    return parts;
  };

  /* Up to three terms that look like a word: most of their sounds, two by two, are in it. */
  const near = (word) => {
    const pairs = (text) => new Set([...keyOf(text).normalize("NFD")].map((sound, k, sounds) => sound + (sounds[k + 1] ?? "")));
    const wanted = pairs(word);
    const likeness = (own) => (2 * [...own].filter((pair) => wanted.has(pair)).length) / (own.size + wanted.size);
    const rated = Object.entries(glossary).flatMap(([typed, list]) => list.map((each) => [each, likeness(pairs(typed))]));
    return [...new Set(rated.filter(([, value]) => value > 0.5).sort((a, b) => b[1] - a[1]).map(([each]) => each))].slice(0, 3);
  };
  /* Whether a place is part of the name of something else: 어텐션 in 셀프 어텐션. */
  const isInName = (text, [from, to]) =>
    names.map(fold).some((name) => {
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
        if (at <= from && to <= at + name.length && name.length > to - from) return true;
      return false;
    });
  return { fold, parse, near, isInName };
};
