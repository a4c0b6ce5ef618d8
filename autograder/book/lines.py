"""Where a line may end: never before a particle. 'softmax(소프트맥스)를' is one word to a reader, but a browser may break it
after the bracket, since `word-break: keep-all` holds only letters together.

Spans, not word joiners: what a reader copies or looks for in the page stays what it was. Only code that is too long for
one line of a phone is followed by a joiner, so that it may break inside.
"""
from __future__ import annotations

import re

VERBATIM = re.compile(r"(<(pre|script|style|nav|svg)\b.*?</\2>)", flags=re.S)
# A formula, or code that ends in a mark, with the Hangul that follows it.
PIECE = '<span class="pre">[^<]{0,30}'
OBJECT = re.compile(rf'(<span class="math[^"]*">[^<]*</span>|<code[^>]*>(?:{PIECE}</span> )*{PIECE}[^\w\s<]</span></code>)([가-힣]+)')
ONE_LINE = 24  # letters of code that fit beside a particle in every box of a phone
TAG = re.compile(r"(<[^>]*>)")
# A mark that closes something, with the Hangul that follows it. After an opening bracket nothing breaks.
MARK = re.compile(r"((?:&(?!lt;)#?\w+;|(?<!&)#|[^\w\s&;#(\[{<‘“「『/·\u2060])[가-힣]+)")


def keep_particles(body: str) -> str:
    """The HTML of a page's body with Hangul tied to the mark, code or formula before it."""
    parts = VERBATIM.split(body)  # text, verbatim, its tag, text, ...
    return "".join(_tie(part) if k % 3 == 0 else part if k % 3 == 1 else "" for k, part in enumerate(parts))


def _tie(text: str) -> str:
    parts = TAG.split(OBJECT.sub(_tie_object, text))
    return "".join(part if k % 2 else MARK.sub(r'<span class="tied">\1</span>', part) for k, part in enumerate(parts))


def _tie_object(match: re.Match) -> str:
    if match[1].startswith("<code") and len(TAG.sub("", match[1])) > ONE_LINE:
        return f"{match[1]}\u2060{match[2]}"
    return f'<span class="tied">{match[0]}</span>'
