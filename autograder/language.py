"""Rules of the Korean that people read: terms, particles that fit the final sound, Markdown that shows its marks.

Each rule takes plain text and yields what is wrong with it. lint.py asks them about chapters, README, messages and templates.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course import glossary_entries

VERBATIM = re.compile(r"```.*?```|\$\$.*?\$\$|\$[^$\n]*\$|!\[[^\]]*\]\([^)\n]*\)|\]\([^)\n]*\)|<[^>\n]*>", flags=re.S)
CODE = re.compile(r"`([^`\n]*)`")
# CommonMark closes ** only where no letter follows a closing punctuation mark: **굵게(bold)**를 shows its stars.
BOLD_TRAP = re.compile(r"\*\*[^*\n]*[^\w\s*]\*\*(?=[가-힣A-Za-z0-9])")

# The last sound of what a reader says aloud: "" after a vowel, "ㄹ", or "c" for another consonant.
DIGITS = dict(zip("0123456789", ("c", "ㄹ", "", "c", "", "", "c", "ㄹ", "ㄹ", "")))
LETTERS = dict.fromkeys("ABCDEFGHIJKOPQSTUVWXYZ", "") | dict.fromkeys("LR", "ㄹ") | dict.fromkeys("MN", "c")
WORDS = {
    **dict.fromkeys("softmax query key value mask head batch score vector matrix tensor linear transformer image true false".split(), ""),
    **dict.fromkeys("pytorch canvas github csv gpu cpu lms".split(), ""),
    **dict.fromkeys("model label google moodle url html".split(), "ㄹ"),
    **dict.fromkeys("attention token embedding padding pooling scaling dim nan json colab markdown".split(), "c"),
}
# Words that end like a noun with a particle.
NOT_A_PARTICLE = re.compile(
    "(?:마|가|노|고|거)을|(?:모|지|이|부|나|그)은|(?:효|초|사|부|여|투|학|내|외|치|타|교|이|제|수|지|주|의|위)과"
    "|(?:경|진|통|항|선|활|별|혈|식|연|절)로|억지로|그대로|따로"
)
# Particle -> the last sounds after which it is wrong.
PARTICLES = {
    **{"을": ("",), "은": ("",), "이": ("",), "과": ("",), "으로": ("", "ㄹ")},
    **{"를": ("c", "ㄹ"), "는": ("c", "ㄹ"), "가": ("c", "ㄹ"), "와": ("c", "ㄹ"), "로": ("c",)},
}
# The other three also end verbs (읽는) and nouns (차이, 평가), so that they are certain only after a word that is not Hangul.
CERTAIN = ("을", "를", "은", "과", "와", "으로", "로")
AFTER_HANGUL = re.compile(rf"(?<![가-힣])([가-힣]+?)({'|'.join(sorted(CERTAIN, key=len, reverse=True))})(?![가-힣\w])")
AFTER_WORD = re.compile(rf"([A-Za-z]+|\d)({'|'.join(sorted(PARTICLES, key=len, reverse=True))})(?![가-힣\w])")


@dataclass(frozen=True)
class Term:
    """One concept of glossary.yml: how we write it, at first mention on a page, and the forms that we do not write."""

    term: str
    first: str
    never: tuple[re.Pattern[str], ...]


def glossary(root: Path) -> list[Term]:
    """All of ROOT/glossary.yml, the rules of language that are no terms included."""
    entries = glossary_entries(root / "glossary.yml")
    return [Term(e["term"], e.get("first", ""), tuple(re.compile(form) for form in e.get("never", []))) for e in entries]


def remarks(text: str, terms: list[Term], plain: bool = False) -> Iterator[str]:
    """All that is wrong with a piece of Markdown, or of PLAIN text, in which every mark stands for itself."""
    yield from banned(text if plain else prose(text), terms)
    yield from () if plain else stars(prose(text))
    yield from particles(text)


def prose(markdown: str) -> str:
    """Markdown without what is not read as words: code, formulas, pictures, addresses, tags."""
    return CODE.sub(" ", VERBATIM.sub(" ", markdown))


def banned(text: str, terms: list[Term]) -> Iterator[str]:
    """Forms that glossary.yml says we never write."""
    for term in terms:
        for form in term.never:
            if match := form.search(text):
                yield f"'{match.group(0)}' 대신 glossary.yml의 '{term.term}' 쪽을 따르세요."


def stars(text: str) -> Iterator[str]:
    """Bold whose stars a reader would see."""
    for match in BOLD_TRAP.finditer(text):
        yield f"{match.group(0)!r}: 부호로 끝나는 굵은 글씨에 글자가 붙으면 별표가 그대로 보입니다."


def particles(markdown: str) -> Iterator[str]:
    """Particles that do not fit the sound before them. What stands in brackets before a particle is not spoken, 1/3 ends in
    its 1, and code in its last word."""
    spoken = CODE.sub(lambda code: (re.search(r"[A-Za-z0-9]*$", code[1])[0] or "…"), VERBATIM.sub(" ", markdown))
    spoken = re.sub(r"(?<!\*\* )(\d)/\d+", r"\1", spoken)
    spoken = re.sub(r"(?<=[\w%]{2})\([^()\n]*\)", "", spoken).replace("**", "")
    for match in AFTER_HANGUL.finditer(spoken):
        word, particle = match.groups()
        if _hangul_sound(word[-1]) in PARTICLES[particle] and not NOT_A_PARTICLE.search(match.group(0)):
            yield _wrong(match)
    for match in AFTER_WORD.finditer(spoken):
        word, particle = match.groups()
        sound = DIGITS.get(word, LETTERS.get(word.upper()) if len(word) == 1 else WORDS.get(word.lower()))
        if sound is not None and sound in PARTICLES[particle]:
            yield _wrong(match)


def first_mentions(page: str, terms: list[Term]) -> Iterator[str]:
    """Terms whose first mention in the text of a page is not in the form that explains them."""
    heads = {term.first.split("(")[0] or term.term: term for term in terms} | {term.term: term for term in terms}
    longest_first = sorted(filter(None, heads), key=len, reverse=True)
    met: set[str] = set()
    # Not inside another word: 실행 does not mention a term 행.
    for match in re.finditer("|".join(rf"(?<![A-Za-z가-힣-]){re.escape(head)}(?![A-Za-z])" for head in longest_first), page):
        term = heads[match.group(0)]
        if term.term in met:
            continue
        met.add(term.term)
        # What stands before a semicolon is enough; a compound such as 교차 어텐션(cross-attention) brings its own brackets.
        if term.first and not page.startswith((term.first.split(";")[0], f"{match.group(0)}("), match.start()):
            around = page[max(0, match.start() - 15) : match.end() + 10].replace("\n", " ")
            yield f"이 쪽에서 처음 나오는 '{match.group(0)}'을(를) '{term.first}'로 쓰세요: …{around}…"


def _hangul_sound(syllable: str) -> str:
    final = (ord(syllable) - 0xAC00) % 28
    return "" if final == 0 else "ㄹ" if final == 8 else "c"


def _wrong(match: re.Match) -> str:
    return f"'{match.group(0)}': 앞말의 끝소리와 조사 '{match.group(2)}'이(가) 맞지 않습니다."
