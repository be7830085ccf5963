"""Tests of answers as Arrow tables: tables built by column equal tables built by row."""

from __future__ import annotations

import io

import pyarrow
import pyarrow.parquet
import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.sources.diagnostics import TheoryError

THEORY = """
theory shops.
sort shop. sort cents = int.
static sale(shop, cents).
static next(shop, shop).
derived dear(shop, cents).
dear_one: dear(?s, ?c) :- sale(?s, ?c), ?c > 5.
"""
FACTS = "sale(b, 7). sale(a, 12). sale('Ä', -3). sale(a, 9223372036854775807). sale('é b', 6). next(b, a). next(a, 'Ä')."


@pytest.fixture(params=[None, "plain", "duckdb"])
def base(request):
    made = KnowledgeBase(load_text(THEORY), engine=request.param)
    made.add_text(FACTS)
    return made


@pytest.mark.parametrize(
    "question",
    [
        "sale(?s, ?c)",
        "dear(?s, ?c)",
        "next(?t, ?s), sale(?s, ?c)",
        "sale(?s, _)",
        "?n = count ?s where dear(?s, _)",
        "sale(z, ?c)",
        "next(?s, ?t), sale(?s, ?c), ?d = ?c - 1",
    ],
)
def test_the_table_is_that_of_the_answers(base, question):
    answers, table = base.query(question), base.query_table(question)
    assert table.column_names == list(answers.variables)
    assert table.to_pydict() == answers.to_dict()
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file)
    assert pyarrow.parquet.read_table(file).to_pydict() == answers.to_dict()
    assert table.to_pandas().to_dict("list") == answers.to_dict()


def test_words_are_a_dictionary():
    base = KnowledgeBase(load_text(THEORY))
    base.add_text(FACTS)
    table = base.query_table("sale(?s, ?c)")
    assert table.schema.field("s").type == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert table.schema.field("c").type == pyarrow.int64()


def test_what_is_no_table_is_refused(base):
    with pytest.raises(ValueError, match="without variables"):
        base.query_table("sale(b, 7)")
    with pytest.raises(TooManyAnswersError):
        base.query_table("sale(?s, ?c)", max_answers=2)
    with pytest.raises(TheoryError):
        base.query_table("sold(?s)")
    with pytest.raises(KnowledgeBaseError, match="leaves 64 bits"):
        base.query_table("sale(a, ?c), ?d = ?c + ?c")
