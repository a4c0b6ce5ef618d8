/* Sphinx looks for a word inside longer words only when no index word equals it, and never for words under three
   letters; two-syllable Korean words are the rule. So a Hangul word takes every index word that contains it
   (that begins with it, if it is one syllable). */
(() => {
  if (typeof Search === "undefined") return;
  const search = Search.performTermsSearch;
  Search.performTermsSearch = (terms, excluded) => {
    for (const word of [...terms].filter((term) => /[\uac00-\ud7a3]/.test(term)))
      for (const index of [Search._index.terms, Search._index.titleterms]) {
        const fits = ([term]) => (word.length > 1 ? term.includes(word) : term.startsWith(word));
        const pages = new Set(Object.entries(index).filter(fits).flatMap(([, found]) => found));
        if (pages.size) index[word] = [...pages];
      }
    return search(terms, excluded);
  };
})();
