"""Whatever a student's process says its outputs are, what is kept is a valid notebook."""
from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.grade.trial import as_output, new_output, stopped, too_late

DEEP = json.loads("[" * 200 + "]" * 200)
CLAIMS = [
    {"output_type": "stream", "name": 3, "text": [1, None, "가\0"]},
    {"output_type": "stream"},
    {"output_type": "error", "ename": None, "evalue": {"a": 1}, "traceback": "no list"},
    {"output_type": "display_data", "data": {"application/x-json-like": {"a": 1}, "text/json": [1], "json": {}, "text/plain": 5}},
    {"output_type": "display_data", "data": {"application/json": {"a": [1]}, "application/vnd.x+json": DEEP}},
    {"output_type": "execute_result", "data": {"text/plain": ["a", 1], "image/png": None}},
    {"output_type": "execute_result", "data": {"text/plain": "\ud800"}, "execution_count": "x"},
]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_claim_becomes_a_valid_output(claim):
    cell = new_code_cell("1", outputs=[as_output(claim)])
    nbformat.validate(new_notebook(cells=[cell]))
    nbformat.writes(new_notebook(cells=[cell])).encode()


@pytest.mark.parametrize("claim", [None, [], {"output_type": "update_display_data"}, {"output_type": "display_data", "data": [1]}])
def test_no_output_is_made_of_what_is_none(claim):
    assert as_output(claim) is None


def test_what_the_grader_says_itself_is_valid():
    said = [stopped("까닭"), too_late(60), new_output("stream", name="stdout", text="1")]
    nbformat.validate(new_notebook(cells=[new_code_cell("1", outputs=said)]))
