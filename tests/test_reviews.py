"""The embedded reviews: original, varied, balanced; the tokenizer comes from them; what notebooks pin is what lies here."""
from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from autograder import notebooks, wordpiece
from tests.conftest import ROOT

DATA = ROOT / "chapters" / "data"
NAMES = ("ratings_train.txt", "ratings_test.txt")
# Not in reviews of ours: portals, brands, film houses; coarse words. A look at a new batch finds more than any list.
UNWANTED = "네이버|넷플|디즈니|마블|픽사|지브리|유튜브|카카오|시발|씨발|병신|지랄|존나|좆|섹스|대통령"


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")[1:]]


@pytest.fixture(scope="module")
def reviews() -> list[tuple[str, str]]:
    """(text, label) of both files."""
    return [(text, label) for name in NAMES for _, text, label in rows(DATA / name)]


def core(text: str) -> str:
    """What is left of a review without spaces and signs; all of it when nothing is."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", text)).lower() or text


@pytest.mark.parametrize("name", NAMES)
def test_the_files_have_nsmc_s_form(name):
    text = (DATA / name).read_bytes().decode("utf-8")
    assert text.startswith("id\tdocument\tlabel\n") and text.endswith("\n") and "\r" not in text
    for number, document, label in rows(DATA / name):
        assert number.isdigit() and label in ("0", "1")
        assert document == unicodedata.normalize("NFC", document).strip() and 1 <= len(document) <= 140


def test_there_are_enough_and_as_many_good_as_bad(reviews):
    assert len(reviews) >= 2000
    for name in NAMES:
        labels = Counter(label for _, _, label in rows(DATA / name))
        assert labels["0"] == labels["1"]
    assert len(rows(DATA / "ratings_test.txt")) >= 400


def test_numbers_of_reviews_are_unique():
    numbers = [number for name in NAMES for number, _, _ in rows(DATA / name)]
    assert len(set(numbers)) == len(numbers)


def test_no_two_are_alike(reviews):
    assert [text for text, n in Counter(core(text) for text, _ in reviews).items() if n > 1] == []


def test_no_run_of_five_words_is_shared_by_more_than_five(reviews):
    words = [text.split() for text, _ in reviews]
    runs = Counter(run for w in words for run in {tuple(w[i : i + 5]) for i in range(len(w) - 4)})
    assert [run for run, n in runs.items() if n > 5] == []


def test_no_opening_or_ending_is_a_habit(reviews):
    texts = [text.split() for text, _ in reviews]
    for pieces in ([" ".join(w[:2]) for w in texts if len(w) > 2], [" ".join(w[-2:]) for w in texts if len(w) > 2]):
        assert Counter(pieces).most_common(1)[0][1] <= 12


def test_lengths_are_those_of_people(reviews):
    lengths = sorted(len(text) for text, _ in reviews)
    at = {share: lengths[int(share * len(lengths))] for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
    assert at[0.05] <= 8 and 12 <= at[0.25] <= 20 and 22 <= at[0.5] <= 32 and 34 <= at[0.75] <= 52 and at[0.95] >= 80


def test_they_are_written_as_people_write(reviews):
    text = "\n".join(text for text, _ in reviews)
    for sign, least in {"ㅋㅋ": 50, "ㅠㅠ": 20, "ㅡㅡ": 10, "..": 80, "!!": 20, "지 않": 10, "노잼": 5}.items():
        assert text.count(sign) >= least, sign
    assert re.findall(UNWANTED, text) == []


@pytest.mark.skipif("NSMC_DIR" not in os.environ, reason="NSMC_DIR names the folder of the real reviews")
def test_none_is_a_copy_of_a_real_review(reviews):
    real = {core(row[1]) for name in NAMES for row in rows(Path(os.environ["NSMC_DIR"]) / name)}
    assert len(real) > 150_000
    assert [text for text, _ in reviews if len(core(text)) >= 8 and core(text) in real] == []


def test_the_tokenizer_is_what_the_reviews_give():
    assert wordpiece.build(DATA) == (DATA / "tokenizer.json").read_text(encoding="utf-8")


def test_the_tokenizer_knows_every_common_syllable_at_the_start_and_inside_a_word():
    tokenizer = Tokenizer.from_file(str(DATA / "tokenizer.json"))
    assert len(wordpiece.syllables()) == 2350 and wordpiece.syllables()[::2349] == ["가", "힝"]
    for syllable in wordpiece.syllables():
        assert "[UNK]" not in tokenizer.encode(f"{syllable} 뷔{syllable}").tokens, syllable


def test_the_tokenizer_is_like_klue_s_but_adds_no_token():
    tokenizer = Tokenizer.from_file(str(DATA / "tokenizer.json"))
    assert [tokenizer.token_to_id(token) for token in wordpiece.SPECIAL] == [0, 1, 2, 3, 4]
    assert tokenizer.encode("재미있는 영화").tokens[0] != "[CLS]" and tokenizer.encode(" \t").tokens == []
    unknown = [text for name in NAMES for _, text, _ in rows(DATA / name) if "[UNK]" in tokenizer.encode(text).tokens]
    assert len(unknown) <= 5  # a sign that only a test review has


def test_notebooks_pin_the_files_that_lie_here(course):
    """A checksum in the set-up cell is filled in by ./course tidy; an old one would refuse the new file on Colab."""
    source = next(c.source for c in notebooks.chapter(course, "nsmc").cells if c.id == "nsmc-reviews")
    assert "SHA256(" not in source and "OWNER/" not in source
    for name in (*NAMES, "tokenizer.json"):
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() in source


def test_the_data_card_says_what_it_must():
    card = (DATA / "README.md").read_text(encoding="utf-8")
    counts = [f"`{name}` {len(rows(DATA / name)):,}건" for name in NAMES]
    pieces = Tokenizer.from_file(str(DATA / "tokenizer.json")).get_vocab_size()
    for words in (*counts, f"{pieces:,}조각", "CC0", "한계", "만든 방법", "정확도"):
        assert words in card, words
