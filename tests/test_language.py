"""Rules of the language, by sentence: what is refused, and what only looks like it."""
from __future__ import annotations

import pytest

from autograder.language import banned, first_mentions, glossary, particles, remarks, stars
from tests.conftest import ROOT

WRONG = [
    "값를 더합니다", "토큰와 헤드", "행렬으로 곱합니다", "차으로 갑니다", "몫로 나눕니다", "마스크을 씁니다", "모델과 학습와 평가", "헤드은 둘입니다",
    "softmax을 겁니다", "Query은 하나입니다", "Key이 셋입니다", "token를 셉니다", "`softmax`을 겁니다", "Q이 없습니다", "N가 큽니다", "L으로 나눕니다",
    "3를 더합니다", "0.5을 곱합니다", "2이 남습니다", "1로 나눈 것과 6로 나눈 것", "점수(score)을 봅니다", "어텐션(attention)를 봅니다", "**가중합**를 봅니다",
    "1/3으로 나눕니다", "`dim=-1`으로 씁니다",
]  # fmt: skip
RIGHT = [
    "값을 더합니다", "행렬로 곱합니다", "마을과 가을을 봅니다", "읽는 차이와 평가", "결과와 효과, 통과한 사과", "서로 바로 새로 경로로", "모은 것, 지은 것",
    "softmax를 겁니다", "Query는 하나이고 Key가 셋입니다", "N이 큽니다", "L로 나눕니다", "3을 더하고 0.5를 곱합니다", "1/3로 나눕니다", "`d ** 1/2`는 틀렸습니다",
    "점수(score)를 봅니다", "P(긍정)은 0.9입니다", "`K.T`의 `unknown_name`을 씁니다", "`check(x)`는 통과합니다", "그대로 씁니다", "10으로 끝나는 7로",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_a_particle_that_does_not_fit_is_found(text):
    assert list(particles(text))


@pytest.mark.parametrize("text", RIGHT)
def test_a_particle_that_fits_is_left_alone(text):
    assert list(particles(text)) == []


@pytest.mark.parametrize(
    ("page", "found"),
    {
        "어텐션(attention)을 봅니다. 어텐션은": [],
        "어텐션을 봅니다. 어텐션(attention)은": ["어텐션"],
        "셀프 어텐션(self-attention)과 어텐션(attention)": [],  # the longer term is not a mention of the shorter
        "교차 어텐션(cross-attention)": [],
        "어텐션 가중치(attention weight)와 가중치": [],
        "가중치와 어텐션 가중치(attention weight)": ["가중치"],
        "인과 마스크(causal mask)를": [],
        "multi-head와 head": ["head"],
        "시험점수를 봅니다": [],  # nor is another word that holds it
        "학습한 모델": [],  # terms without a form of their own at first mention
    }.items(),
)
def test_first_mentions(page, found):
    texts = list(first_mentions(page, glossary(ROOT)))
    assert len(texts) == len(found) and all(f"'{word}'" in text for word, text in zip(found, texts))


def test_terms_and_stars():
    terms = glossary(ROOT)
    assert list(banned("코잘 마스크", terms)) and not list(banned("인과 마스크", terms))
    assert list(stars("**굵게(bold)**를")) and not list(stars("**굵게**(bold)를"))
    assert list(remarks("`코잘`과 $훈련$, [값](값를.html)", terms)) == []
    assert list(remarks("`코잘`", terms, plain=True)), "a message shows what stands in it"
