"""Tests of the university benchmark: its queries must give the answers of SQLite on the same facts."""

from __future__ import annotations

from contextlib import closing

import pytest

from benchmarks.language.university import DERIVED, GIVEN, QUESTIONS, in_sqlite, loaded, write


@pytest.mark.parametrize("engine", ["compiled", "demand"])
def test_relations_and_questions_have_the_answers_of_sqlite(tmp_path, engine):
    size = write(tmp_path, 3, departments=2)
    base = loaded(tmp_path, engine)
    assert len(base.given()) <= size
    assert all(base.facts(name) for name in GIVEN)
    with closing(in_sqlite(tmp_path)) as connection:
        for name in DERIVED:
            rows = connection.execute(f"select * from {name}")
            assert {fact.values for fact in base.facts(name)} == set(rows) != set()
        answered = 0
        for question, query in QUESTIONS:
            answers = set(base.query(question))
            assert answers == set(connection.execute(query))
            answered += bool(answers)
    assert answered >= len(QUESTIONS) - 2
