"""Tests of large explanations of absences: each goal is explained once, in bounded depth and time."""

from __future__ import annotations

from typing import Any

import pytest

from hornbook.cli import main
from hornbook.compiler.learn.gaps import gaps
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.why_not import MAX_DEPTH, WhyNot
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import Limits

pytestmark = pytest.mark.deep

THINGS = "abc"


@pytest.fixture
def ladder(tmp_path):
    """Write a theory with 9 to the power of 40 failing derivations, and return its path.

    It has forty predicates. Each has three rules over the previous predicate, for each of three constants.
    """
    lines = ["theory ladder.", "sort thing.", "static near(thing, thing).", "static rung0(thing)."]
    for i in range(1, 41):
        lines.append(f"static rung{i}(thing).")
        lines += [f"r{i}_{z}: rung{i}(?x) :- near(?x, ?y), rung{i - 1}(?y), ?y != z{z}." for z in range(3)]
    lines += [f"near({a}, {b})." for a in THINGS for b in THINGS]
    path = tmp_path / "ladder.horn"
    path.write_text("\n".join(lines))
    return path


def explained(found: WhyNot) -> list[str]:
    """Return the explained goals, once for each time that they are explained."""
    inner = [goal for a in found.attempts if a.deeper is not None for goal in explained(a.deeper)]
    return [str(found.goal.relation) + repr(found.goal.terms), *inner] if found.attempts else inner


def test_what_fails_in_several_places_is_explained_once(ladder):
    base = KnowledgeBase(ladder)
    found = base.why_not("rung40(a)", depth=MAX_DEPTH)
    goals = explained(found)
    assert len(goals) == len(set(goals)) == 1 + 39 * len(THINGS)
    lines = found.to_text().splitlines()
    assert sum(line.endswith("  [above]") for line in lines) == sum(
        attempt["above"] for attempt in attempts(found.to_dict())
    )
    # Facts that no rule could conclude are not explained anywhere.
    assert not any("rung0" in line for line in lines if line.endswith("[above]"))


def attempts(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        each
        for attempt in found["attempts"]
        for each in (attempt, *(attempts(attempt["deeper"]) if attempt["deeper"] else ()))
    ]


def test_every_condition_that_fails_and_has_rules_is_explained_here_or_above(ladder):
    found = KnowledgeBase(ladder).why_not("rung40(a)", depth=MAX_DEPTH).to_dict()
    for attempt in attempts(found):
        if not attempt["failing"].startswith("rung0("):
            assert attempt["above"] or attempt["deeper"] is not None, attempt


def test_a_goal_is_explained_again_where_it_may_be_explained_deeper(ladder):
    base = KnowledgeBase(ladder)
    base.add_text("late: rung40(?x) :- near(?x, ?x), rung38(?x).")
    found = base.why_not("rung40(a)", depth=3)
    last = found.attempts[-1]
    assert last.rule.name == "late"
    # The explanation was cut off below `rung39`. Here it has room for one more level.
    assert last.deeper is not None
    assert any(a.deeper is not None for a in last.deeper.attempts)


def test_variables_that_must_be_equal_are_no_explanation_of_those_that_need_not(tmp_path):
    path = tmp_path / "pairs.horn"
    path.write_text(
        "theory pairs. sort thing. static fact(thing, thing). static pair(thing, thing). static goal. static other.\n"
        "p: pair(?x, ?y) :- fact(?x, ?y). one: goal :- pair(?x, ?x). two: goal :- pair(?x, ?y), other, ?x != ?y."
    )
    found = KnowledgeBase(path).why_not("goal")
    assert [attempt.above for attempt in found.attempts] == [False, False]


def test_no_chain_is_too_long_to_begin_to_explain(tmp_path, capsys):
    path = tmp_path / "chain.horn"
    rules = "".join(f"static p{i}(t). r{i}: p{i}(?x) :- p{i - 1}(?x).\n" for i in range(1, 600))
    path.write_text(f"theory chain. sort t. static p0(t).\n{rules}")
    assert main(["why-not", str(path), "p599(a)", "--depth", str(MAX_DEPTH), "--json"]) == 0
    assert capsys.readouterr().out.count('"goal"') == MAX_DEPTH
    assert main(["why-not", str(path), "p599(a)", "--depth", str(MAX_DEPTH + 1)]) == 2
    assert KnowledgeBase(path).why_not("p599(a)", depth=10**6).to_text().count("rule r") == MAX_DEPTH


def test_an_explanation_takes_no_more_than_its_seconds(ladder):
    base = KnowledgeBase(ladder, limits=Limits(seconds=0.0))
    with pytest.raises(KnowledgeBaseError, match="more than 0 seconds; raise the limit"):
        base.why_not("rung40(a)", depth=MAX_DEPTH)


def test_a_gap_is_what_is_to_blame_wherever_it_is_explained(tmp_path):
    path = tmp_path / "moved.horn"
    path.write_text(
        "theory moved. sort t. fluent there(t). fluent free(t). action go(t). derived safe(t). derived good(t).\n"
        "s: safe(?x) :- there(?x).\n"
        "one: good(?x) :- safe(?x), free(?x).\n"
        "two: good(?x) :- safe(?x)."
    )
    base = KnowledgeBase(path)
    base.add_text("go(a).")
    found = base.why_not("after good(a)")
    assert [attempt.above for attempt in found.attempts] == [False, True]
    assert [str(gap.missing.relation) for gap in gaps(base, found.goal)] == ["there"]
