/* Korean words in a text: which places are the word, and which only have its letters.

   마스크에서는 -> 마스크           particles are cut off where the syllable before allows them (차이 is not 차 + 이)
   행 -> 행을, 행마다, not 실행     a word of one syllable stands alone; a longer one may be part of a compound (멀티헤드)
   가린 -> 가립니다, not 가리킵니다 a form of a verb finds the other forms

   korean.dictionary(book, isOther): the BOOK, all in one string, is the dictionary: what it uses as a noun is a noun. isOther(word,
   phrase) says that a longer word is the name of something else (룩어헤드 is no 헤드). noun and verb give find(text) -> [[from, to]]. */
const korean = (() => {
  const HANGUL = /[가-힣]/;
  const words = (list) => list.trim().split(/\s+/);
  const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  /* find(text) for a pattern; place(text, from, to) says how much there is the word, null when the letters are part of another. */
  const finder = (pattern, place) => (text) =>
    [...text.matchAll(pattern)].map((match) => place(text, match.index, match.index + match[0].length)).filter(Boolean);

  /* A syllable is 0xAC00 + (first * 21 + vowel) * 28 + last. */
  const LAST = { ㄴ: 4, ㄹ: 8, ㅁ: 16, ㅂ: 17, ㅆ: 20 };
  const last = (syllable) => (syllable.charCodeAt(0) - 0xac00) % 28;
  const vowel = (syllable) => Math.floor((syllable.charCodeAt(0) - 0xac00) / 28) % 21;
  const withLast = (syllable, n) => String.fromCharCode(syllable.charCodeAt(0) - last(syllable) + n);
  const withVowel = (syllable, n) => String.fromCharCode(syllable.charCodeAt(0) + (n - vowel(syllable)) * 28);

  const AFTER_CONSONANT = new Set(words("을 은 이 과 으로 이나 이란 이랑 으로서 으로써 으로는 으로도 으로부터 아"));
  const AFTER_VOWEL = new Set(words("를 는 가 와 나 란 랑 여서 였다 였습니다 야"));
  const AFTER_BOTH = new Set(words(`의 에 도 만 로 에서 에게 에는 에도 에서는 에서도 에서의 까지 부터 마다 처럼 보다 대로 끼리 조차 마저 밖에 뿐 하고
    라 라는 라고 며 면 로서 로써 들 별 씩 쯤 째 짜리 인 일 임 이다 이고 이며 이면 이라 이라는 이라고 이라면 이어서 이었다 이지만 이므로
    인지 인가 인데 입니다 입니까 이에요 예요 이요 요`));
  const mayFollow = (base, particle) => {
    const closed = HANGUL.test(base.at(-1)) ? last(base.at(-1)) > 0 : null; // null, after a letter or a sign: who knows
    return AFTER_BOTH.has(particle) || (closed !== false && AFTER_CONSONANT.has(particle)) || (!closed && AFTER_VOWEL.has(particle));
  };
  /* What is left of a word when one particle or more are cut off, longest first. */
  const bases = (word) => {
    const found = new Set();
    for (let k = word.length - 1; k > 0; k--) {
      const base = word.slice(0, k);
      if (mayFollow(base, word.slice(k))) [base, ...bases(base)].forEach((each) => found.add(each));
    }
    return [...found].sort((a, b) => b.length - a.length);
  };
  const isParticle = (run) => [AFTER_CONSONANT, AFTER_VOWEL, AFTER_BOTH].some((list) => list.has(run)) || bases(run).some(isParticle);

  const wordAround = (text, from, to) => {
    while (from > 0 && HANGUL.test(text[from - 1])) from--;
    while (to < text.length && HANGUL.test(text[to])) to++;
    return [from, to];
  };
  /* Endings that follow a stem as it is, that share its last syllable (가린, 가릴, 가림, 가립니다), or that may follow one whose
     vowel has melted (가려, 나눠, 더해). */
  const ENDINGS = words(`다 는 고 며 면 지 기 게 자 던 나 니 냐 도록 려 으려 거나 는다 는데 는지 는가 지만 므로 으므로 은 을 음 으면 으니 으며
    은데 은지 을까 을수록 습니다 습니까 세요 으세요 어 아 었 았`);
  const SHARED = { ㄴ: words("다 데 지 가"), ㄹ: words("까 지 수록 게 때"), ㅁ: words("은 을 이 과 도 의 에 으로"), ㅂ: words("니 시") };
  const MELTED = words("서 도 야 요 라 지 진 집 질 짐 져 보 봅 본 주 준 줍 놓 둔 두 간 갑 다 습 고 던 는");
  const MELTING = [[20, 6], [13, 14], [8, 9], [18, 4], [18, 0], [0, 1]]; // ㅣ ㅕ, ㅜ ㅝ, ㅗ ㅘ, ㅡ ㅓ, ㅡ ㅏ, ㅏ ㅐ (the last: 하, 해)
  const starts = (tail, list) => list.some((ending) => tail.startsWith(ending));
  const melts = (syllable, plain) => vowel(syllable) === plain && last(syllable) === 0 && (plain !== 0 || syllable === "하");

  /* The stems of which a word may be a form, longest first. */
  const stems = (word) => {
    const found = new Set();
    for (let k = word.length; k > 0; k--) {
      const head = word.slice(0, k - 1), end = word[k - 1], tail = word.slice(k);
      if (starts(tail, ENDINGS)) found.add(head + end);
      for (const [sound, tails] of Object.entries(SHARED))
        if (last(end) === LAST[sound] && (starts(tail, tails) || (!tail && sound !== "ㅂ"))) found.add(head + withLast(end, 0));
      for (const [plain, melted] of MELTING) {
        const syllable = withVowel(withLast(end, 0), plain);
        const isMelted = vowel(end) === melted && [0, LAST.ㅆ].includes(last(end)) && melts(syllable, plain);
        if (isMelted && (!tail || starts(tail, MELTED))) found.add(head + syllable);
      }
    }
    return [...found].sort((a, b) => b.length - a.length);
  };

  const dictionary = (book, isOther) => {
    const written = new Set(book.match(/[가-힣]+/g));
    /* The book uses it as a noun: with 을 or 이, 를 or 가 behind it. */
    const isNoun = (word) => (last(word.at(-1)) ? ["을", "이"] : ["를", "가"]).some((particle) => written.has(word + particle));
    /* The book uses it as a verb: its plainest forms occur. */
    const isVerb = (stem) => {
      const forms = last(stem.at(-1)) ? words("습니다 습니까 는 고 으면 지") : words("고 면 지");
      const polite = stem.slice(0, -1) + withLast(stem.at(-1), LAST.ㅂ);
      return [...forms.map((ending) => stem + ending), `${polite}니다`, `${polite}니까`].some((form) => written.has(form));
    };

    /* A noun or a phrase. Spaces do not matter from four syllables on, or three that the book never writes so. */
    const noun = (phrase) => {
      const letters = phrase.replaceAll(" ", "");
      const isLoose = letters.length > 3 || (letters.length === 3 && !book.includes(phrase));
      const pattern = [...(isLoose ? letters : phrase)].map(escapePattern).join(isLoose ? " ?" : "");
      return finder(new RegExp(pattern, "g"), (text, from, to) => {
        const [start, end] = wordAround(text, from, to);
        const word = text.slice(start, end);
        if (letters.length === 1) return start === from && (word === letters || bases(word).includes(letters)) ? [from, to] : null;
        if (start === from) return [from, to];
        const stem = bases(word).filter((base) => base.length > 1).at(-1) ?? word;
        return text.slice(from, to).includes(" ") || to > start + stem.length || isOther(stem, phrase) ? null : [from, to];
      });
    };
    const verb = (stem) => {
      const head = stem.slice(0, -1), end = stem.at(-1), ends = [end];
      if (last(end) === 0) {
        ends.push(...["ㄴ", "ㄹ", "ㅁ", "ㅂ"].map((sound) => withLast(end, LAST[sound])));
        for (const [plain, melted] of MELTING)
          if (melts(end, plain)) ends.push(withVowel(end, melted), withLast(withVowel(end, melted), LAST.ㅆ));
      }
      return finder(new RegExp(`${head}(?:${ends.join("|")})`, "g"), (text, from, to) => {
        const [start, until] = wordAround(text, from, to);
        return start === from && stems(text.slice(from, until)).includes(stem) ? [from, until] : null;
      });
    };
    return { isNoun, noun, isVerb, verb };
  };
  return { HANGUL, words, escapePattern, finder, bases, isParticle, stems, dictionary };
})();
