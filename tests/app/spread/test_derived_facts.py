"""Tests of `evaluate_states`: the derived facts of each state are those of a knowledge base with its facts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from hornbook import KnowledgeBase, evaluate_states, learn, read_state, read_theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.tables.tables import TableError
from hornbook.matcher.program.hornbook_error import HornbookError

SHOP = """
theory shop.
sort part.
sort code = word | int.
fluent stock(part -> int).
fluent code(part, code).
fluent broken(part).
action sell(part).
derived some(part).
derived same(part, part).
derived open.
derived tagged(code).
stocked: some(?p) :- stock(?p, ?n), ?n > 0.
alike: same(?p, ?q) :- stock(?p, ?n), stock(?q, ?n).
any: open :- some(_).
tag: tagged(?c) :- code(_, ?c).
sold: after stock(?p, ?m) :- sell(?p), before stock(?p, ?n), ?m = ?n - 1.
too_much: after broken(?p) :- sell(?p), before stock(?p, ?n), ?n * 4611686018427387904 < 0.
"""
DERIVED = ["some", "same", "open", "tagged"]
NAMES = ["stock.after", "broken.after", *DERIVED, *(f"{name}.after" for name in DERIVED)]


def random_state(random: Random) -> str:
    parts = ["a", "b", "c"]
    facts = [
        f"stock({part}, {random.choice([0, 0, 1, 2])})."
        for part in random.sample(parts, random.randint(0, 3))
    ]
    facts += [f"code({random.choice(parts)}, {random.choice(['5', '7', 'x'])})." for _ in range(2)]
    facts += [f"sell({random.choice(parts)})."] * random.randint(0, 1)
    odd = [
        "% a comment\n",
        "stock(a, 9).",
        "stock(a",
        "sell(a). sell(b).",
        "code(a, 'it''s').",
        "same(a, b).",
        "?",
    ]
    return " ".join([*facts, *([random.choice(odd)] if random.random() < 0.3 else [])])


def expected(base: KnowledgeBase, texts: list[str]) -> tuple[dict[str, set[tuple]], dict[int, str]]:
    """Return the rows of each table and the errors, by a knowledge base that has one state after the other."""
    rows: dict[str, set[tuple]] = {name: set() for name in NAMES}
    errors = {}
    for state, text in enumerate(texts):
        base.push()
        try:
            base.add(base.read_clauses(text).facts)
            for name in NAMES:
                relation, _, after = name.partition(".")
                for _, values, _ in base.facts(relation, "after" if after else "before"):
                    rows[name].add((state, *(str(v) if relation == "tagged" else v for v in values)))
        except HornbookError as problem:
            errors[state] = problem
        finally:
            base.pop()
    return rows, errors


def test_the_derived_facts_are_those_of_single_states(times, monkeypatch):
    theory = load_text(SHOP)
    random = Random(5)
    texts = [random_state(random) for _ in range(150 * times)]
    rows, errors = expected(KnowledgeBase(theory), texts)
    assert 10 < len(errors) < 70 * times
    monkeypatch.setattr("hornbook.spread.derived_facts._PART", 40)
    found = evaluate_states(theory, texts)
    assert set(found.tables) == set(NAMES)
    for name, table in found.tables.items():
        columns = [column.to_pylist() for column in table.columns]
        listed = list(zip(*columns, strict=True))
        assert listed == sorted(listed), name
        assert len(set(listed)) == len(listed)
        assert set(listed) == rows[name], name
        assert table.column_names[0] == "state_number"
    assert found.errors.keys() == errors.keys()
    assert found.errors[next(s for s, text in enumerate(texts) if "?" in text)].startswith(
        "column `state`: line 1"
    )


@pytest.mark.parametrize("make", [list, pandas.DataFrame, polars.DataFrame, pyarrow.table, Path])
def test_states_come_from_any_table(make, tmp_path):
    texts = ["parent(dan, gus).", "parent(dan", ""]
    states = texts
    if make is Path:
        states = tmp_path / "states.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2, 3], "state": texts}), states)
    elif make is not list:
        states = make({"state": texts})
    found = evaluate_states("family", states)
    assert found.errors == {1: "column `state`: line 1, column 7: the parenthesis is not closed"}
    siblings = found.tables["sibling"].to_pylist()
    assert {row["state_number"] for row in siblings} == {0, 2}
    ancestors = [row for row in found.tables["ancestor"].to_pylist() if row["person_2"] == "gus"]
    assert [(row["state_number"], row["person_1"]) for row in ancestors] == [
        (0, "ada"),
        (0, "ben"),
        (0, "dan"),
    ]


def test_no_states_have_no_facts():
    found = evaluate_states("family", [])
    assert found.errors == {}
    assert found.tables["sibling"].column_names == ["state_number", "person_1", "person_2"]
    assert not any(table.num_rows for table in found.tables.values())


def test_a_table_without_states_is_refused():
    with pytest.raises(TableError, match="one column `state`"):
        evaluate_states("family", pyarrow.table({"text": ["a."]}))
    with pytest.raises(TableError, match="not text"):
        evaluate_states("family", pyarrow.table({"state": [1]}))


CUP = (
    "looks(a, light). part(a, c). is_a(c, concavity). looks(c, upward_pointing). part(a, b). is_a(b, bottom)."
    " looks(b, flat). part(a, h). is_a(h, handle)."
)


def test_learned_rules_without_the_theory_conclude_what_they_prove():
    theory = read_theory("cup")
    rules = learn(theory).rules.certified
    states = [CUP, CUP.replace("handle", "lid")]
    alone = evaluate_states(theory, states, rules=rules, only_rules=True)
    assert alone.tables["cup"].column("state_number").to_pylist() == [0]
    both = evaluate_states(theory, states, rules=rules)
    assert both.tables["cup"].equals(alone.tables["cup"])
    assert both.tables["open_vessel"].column("state_number").to_pylist() == [0, 1]
    (head,) = {rule.head.relation for rule in rules}
    assert set(alone.tables) == {head}
    with pytest.raises(KnowledgeBaseError, match="is proved of another theory"):
        evaluate_states("family", [""], rules=rules, only_rules=True)


def test_states_are_read_by_the_adapter_of_the_theory():
    boards = ["X X .\nO O X\n. . .\n", "no board"]
    found = evaluate_states("go", boards)
    assert set(found.errors) == {1}
    base = KnowledgeBase("go")
    base.add(read_state("go", boards[0]).facts)
    legal = found.tables["legal"].drop_columns(["state_number"]).to_pylist()
    assert legal == base.table("legal").to_pylist()
    assert legal
