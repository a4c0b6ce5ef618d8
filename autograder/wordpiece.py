"""The tokenizer of the embedded reviews: `python -m autograder.wordpiece` writes chapters/data/tokenizer.json again.

Its pieces are the frequent beginnings and insides of words in chapters/data/ratings_train.txt. Not learnt by the trainer
of Hugging Face: that breaks ties by chance, and a test rebuilds the file and compares it.
"""
from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

LONGEST, LEAST = 4, 8  # syllables of a piece; how often it must occur: a rarer one would hardly be trained
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]  # the ids 0 to 4 that klue/bert-base gives them


def syllables() -> list[str]:
    """The 2,350 syllables of KS X 1001, in its order (rows 0xB0 to 0xC8 of the EUC-KR table)."""
    return [bytes([row, cell]).decode("euc-kr") for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF)]


def tokenizer(texts: list[str]) -> Tokenizer:
    """A BERT-style WordPiece tokenizer that adds no [CLS] and [SEP]. Every character of TEXTS and every syllable of KS X
    1001 is a piece, at the start of a word and inside one, so that no common Korean word is unknown."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(strip_accents=False, lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    words = [w for text in texts for w, _ in made.pre_tokenizer.pre_tokenize_str(made.normalizer.normalize_str(text))]
    spans = ((w, i, j) for w in words for i in range(len(w)) for j in range(i + 1, min(len(w), i + LONGEST) + 1))
    counts = Counter(w[i:j] if i == 0 else f"##{w[i:j]}" for w, i, j in spans)
    single = sorted({*syllables(), *"".join(words)})
    frequent = sorted(piece for piece, count in counts.items() if count >= LEAST)
    pieces = dict.fromkeys([*SPECIAL, *frequent, *single, *(f"##{character}" for character in single)])
    made.model = models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]")
    return made


def build(data: Path) -> str:
    """tokenizer.json for the reviews in the folder DATA."""
    lines = (data / "ratings_train.txt").read_text(encoding="utf-8").strip().split("\n")[1:]
    made = tokenizer([line.split("\t")[1] for line in lines])
    return json.dumps(json.loads(made.to_str()), ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    DATA = Path(__file__).resolve().parents[1] / "chapters" / "data"
    (DATA / "tokenizer.json").write_text(build(DATA), encoding="utf-8")
