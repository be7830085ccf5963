"""Tests of nested quotients and averages in DuckDB: they are calculated once, as in the compiled engine."""

from __future__ import annotations

from decimal import Decimal

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError

pytest.importorskip("duckdb")

HEAD = """theory t. sort p. sort e = decimal(2).
static a(p -> e) complete. static g(p, p) complete. derived r(p, e).
"""
FACTS = [GroundFact("a", (f"x{place}", Decimal(place) + 1)) for place in range(12)]
FACTS += [GroundFact("g", (f"x{place}", f"y{place % 3}")) for place in range(12)]


def quotient(depth: int) -> str:
    return "?x" if depth == 0 else f"divide_half_even({quotient(depth - 1)}, 3.00, 2)"


RULES = {
    "nested": f"r(?p, ?y) :- a(?p, ?x), ?y = {quotient(4)}.",
    "chained": """r(?p, ?u) :-
        a(?p, ?x), ?y = divide_half_up(?x, ?x + 1.00, 2), ?z = divide_half_up(?y, ?y + 1.00, 2),
        ?u = divide_half_up(?z, ?z + 1.00, 2).""",
    "of an average": """r(?q, ?z) :-
        ?y = average_half_up(?x, 2, 2) by ?q where (a(?p, ?x), g(?p, ?q)),
        ?z = divide_half_even(?y, ?y + 3.00, 2).""",
    "of averages": """r(?q, ?z) :-
        g(_, ?q), ?z = average_half_up(?y, 2, 2) where (
          g(_, ?w), ?y = average_half_even(?x, 2, 2) where (a(?p, ?x), g(?p, ?w))).""",
    "within a sum and an absence": """r(?q, ?z) :-
        g(_, ?q),
        ?z = sum ?u where (
          g(?p, ?q), a(?p, ?x), ?u = divide_half_up(divide_half_even(?x, 7.00, 2), 3.00, 2)),
        absent (a(?o, ?v), divide_up(divide_up(?v, 2.00, 2), 1.50, 2) > ?z + 3.00).""",
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_nested_quotients_and_averages_are_those_of_the_compiled_engine(rule: str) -> None:
    theory = load_text(f"{HEAD}k: {rule}")
    found = []
    for engine in ("compiled", "duckdb"):
        base = KnowledgeBase(theory, engine=engine)
        base.add(FACTS)
        found.append(sorted(map(str, base.query("r(?p, ?y)"))))
    assert found[0] == found[1]
    assert found[0] or "absent" in rule


def test_a_quotient_without_a_value_is_an_error() -> None:
    base = KnowledgeBase(
        load_text(f"{HEAD}k: {RULES['chained'].replace('?x + 1.00', '?x - 3.00')}"), engine="duckdb"
    )
    base.add(FACTS)
    with pytest.raises(KnowledgeBaseError, match="arithmetic of `k`"):
        base.query("r(?p, ?y)")


def test_what_would_take_too_long_is_left_to_the_compiled_engine() -> None:
    columns = ", ".join(f"?y{n} = divide_half_up(?y{n - 1}, ?y{n - 1} + {n}.00, 2)" for n in range(1, 12))
    base = KnowledgeBase(load_text(f"{HEAD}k: r(?p, ?y11) :- a(?p, ?y0), {columns}."), engine="duckdb")
    base.add(FACTS)
    with pytest.raises(KnowledgeBaseError, match="too long as SQL"):
        base.query("r(?p, ?y)")
