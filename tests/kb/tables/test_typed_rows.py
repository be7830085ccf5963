"""Tests that rows of Python values keep the words that look like integers."""

from __future__ import annotations

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.answers import Answers
from hornbook.kb.tables.tables import read_rows

THEORY = load_text(
    "theory codes. sort code = word | int. static value(code). value(5). value('5'). value('007'). value(word)."
)


def _answers() -> Answers:
    return KnowledgeBase(THEORY).query("value(?code)")


@pytest.mark.parametrize("shape", ["to_tuples", "to_dict", "to_arrow"])
def test_answers_are_read_back_with_words_like_integers(shape: str) -> None:
    base = KnowledgeBase(THEORY)
    read = read_rows(getattr(_answers(), shape)(), "value", base.theory.vocabulary)
    assert {fact.values for fact in read.facts} == set(_answers().to_tuples())
