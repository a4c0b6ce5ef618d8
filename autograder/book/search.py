"""Korean for Sphinx's search: particles are cut off words, in the index and in the query by the same rule.

Sphinx has no Korean; it would split at spaces and stem as English, so '마스크' would miss '마스크를'. assets/ko-search.js
adds the second half: a Hangul query also matches inside longer words.
"""
from __future__ import annotations

import re

from sphinx.search import SearchLanguage
from sphinx.search.en import SearchEnglish

PARTICLES = (
    "으로부터|로부터|에서는|에게서|이라는|으로서|으로써|으로는|까지는|에서도|이라고|입니다|에서|에게|까지|부터|처럼|보다|마다|으로|이란|이나|라는|라고|"
    "에는|에도|로서|로써|로는|와는|과는|이고|이며|이다|을|를|이|가|은|는|의|에|와|과|로|도|만|란"
)
WORD = re.compile(r"[가-힣]+|[^\W가-힣]+")  # PyTorch로 -> PyTorch, 로
PARTICLE = re.compile(f"^([가-힣]{{2,}}?)(?:{PARTICLES})$")


class SearchKorean(SearchLanguage):
    lang = "ko"
    language_name = "Korean"
    stopwords = SearchEnglish.stopwords
    js_splitter_code = r"""
function splitQuery(query) { return query.match(/[\uac00-\ud7a3]+|(?:(?![\uac00-\ud7a3])[\p{L}\p{N}_])+/gu) || []; }
"""
    js_stemmer_code = SearchEnglish.js_stemmer_code.replace("var Stemmer = function", "var EnglishStemmer = function") + (
        r"""
var Stemmer = function () {
  const english = new EnglishStemmer(), particle = /^([\uac00-\ud7a3]{2,}?)(?:%s)$/;
  this.stemWord = (word) => /[\uac00-\ud7a3]/.test(word) ? word.replace(particle, "$1") : english.stemWord(word);
};
"""
        % PARTICLES
    )

    def init(self, options: dict) -> None:
        self.english = SearchEnglish(options)

    def split(self, text: str) -> list[str]:
        return WORD.findall(text)

    def stem(self, word: str) -> str:
        word = word.lower()
        return PARTICLE.sub(r"\1", word) if re.search("[가-힣]", word) else self.english.stem(word)
