"""How well the site's search finds: recall, precision and rank over the labelled queries, and what it costs to load.

    .venv/bin/python benchmarks/search.py

Builds the site and types every query of tests/book/queries.yml into the real search page, opened from the file. Queries of
the rounds 1 to 3 were labelled before the method had met them; the first line of figures is of those it was made with.

    recall     of the wanted pages, how many are found
    precision  of the found pages, how many are wanted or at least use the word in the sense that was asked
    wanted     of the found pages, how many are wanted
    rank       of the page where the reader should land; MRR is the mean of 1/rank
"""
from __future__ import annotations

import gzip
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from autograder.book.site import build  # noqa: E402
from autograder.browser import find_browser  # noqa: E402
from autograder.course import load  # noqa: E402


@dataclass(frozen=True)
class Query:
    """A query with its labels; queries.yml says what they mean. No wanted page: nothing must be found."""

    query: str
    best: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    held: int = 0


@dataclass(frozen=True)
class Answer:
    """What the search page shows for a query: names of pages, best first."""

    asked: Query
    found: list[str]

    @property
    def missed(self) -> list[str]:
        return [page for page in self.asked.wanted if page not in self.found]

    @property
    def wrong(self) -> list[str]:
        return [page for page in self.found if page not in self.asked.wanted + self.asked.mentions]

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / len(self.asked.wanted)

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / len(self.found) if self.found else 0.0

    @property
    def share_wanted(self) -> float:
        return sum(page in self.asked.wanted for page in self.found) / len(self.found) if self.found else 0.0

    @property
    def rank(self) -> int:
        """Of the first of the best pages; 0 when none is found."""
        return next((k for k, page in enumerate(self.found, 1) if page in self.asked.best), 0)


def labelled() -> list[Query]:
    """The queries of tests/book/queries.yml."""
    entries = yaml.safe_load((ROOT / "tests" / "book" / "queries.yml").read_text(encoding="utf-8"))
    return [Query(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}) for entry in entries]


def ask(page: Page, texts: list[str]) -> list[list[str]]:
    """Put each text into the field of an open search page and submit; the names of the pages that it shows, best first."""
    links = page.evaluate(
        """texts => texts.map((text) => {
          const form = document.querySelector(".bd-search-container form");
          form.q.value = text;
          form.requestSubmit();
          return [...document.querySelectorAll("#search-results h2 a")].map((link) => link.pathname);
        })""",
        texts,
    )
    return [[Path(link).stem for link in found] for found in links]


def answers(page: Page) -> list[Answer]:
    """What an open search page shows for the labelled queries."""
    queries = labelled()
    answered = zip(queries, ask(page, [query.query for query in queries]), strict=True)
    # Where there is something to learn from a chapter, the glossary stands behind the chapters and is not judged.
    return [Answer(query, [page for page in found if page != "glossary" or not query.wanted]) for query, found in answered]


def mean(some: list[Answer], figure: str) -> float:
    """The mean of one figure of Answer over the queries that have wanted pages."""
    return statistics.mean(getattr(answer, figure) for answer in some if answer.asked.wanted)


def report(some: list[Answer], name: str) -> str:
    real = [answer for answer in some if answer.asked.wanted]
    empty = [answer for answer in some if not answer.asked.wanted]
    reciprocal = statistics.mean(1 / answer.rank if answer.rank else 0 for answer in real)
    return (
        f"{name:10} {len(real):3} queries  recall {mean(real, 'recall'):.3f}  precision {mean(real, 'precision'):.3f}  "
        f"wanted {mean(real, 'share_wanted'):.3f}  MRR {reciprocal:.3f}  best page first {sum(a.rank == 1 for a in real)}  "
        f"nothing to find: {sum(not a.found for a in empty)} of {len(empty)} empty"
    )


def main() -> None:
    html = build(load(ROOT), progress=lambda line: None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(print), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto((html / "search.html").as_uri())
        found = answers(page)
        browser.close()
    for answer in found:
        if answer.asked.wanted:
            figures = f"recall {answer.recall:.2f}  precision {answer.precision:.2f}  wanted {answer.share_wanted:.2f}  rank {answer.rank}"
            faults = " ".join([*(f"-{page}" for page in answer.missed), *(f"+{page}" for page in answer.wrong)])
            print(f"{figures}  {answer.asked.query}  {faults}")
        else:
            print(f"{'found ' + ' '.join(answer.found) if answer.found else 'nothing, as it should be':48}  {answer.asked.query}")
    print()
    for held in range(4):
        print(report([answer for answer in found if answer.asked.held == held], f"round {held}" if held else "made with"))
    print(report(found, "all"))
    for path in sorted((html / "_static").glob("search*")):
        data = path.read_bytes()
        print(f"{path.name:20} {len(data) / 1000:6.1f} kB, {len(gzip.compress(data)) / 1000:6.1f} kB with gzip")


if __name__ == "__main__":
    main()
