"""Effect of one decision with its amount on each goal, by learned rules or by the theory.

The decision is added to the state as if it were executed. A value that the theory derives has a proof. If the
theory derives no value, neither reaching nor missing the goal is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hornbook.advice.advice_text import STANDS, limit_text
from hornbook.advice.advising import Advised, AdvisedGoal, StateAdviser
from hornbook.compiler.advise.advice import AmountAdvice
from hornbook.kb.ast.terms import Atom, Constant, Span
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.diagnostics import TheoryError, did_you_mean, error
from hornbook.matcher.program.dataclass import dataclass

DOES = {
    "GI": "reached then", "PI": "missed then", "GIII": "within reach of the next decision then",
    None: "neither reached nor missed for certain then",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GoalEffect:
    """A goal with its current value, and its value after the decision."""

    goal: AdvisedGoal
    value: str | None
    by_rule: AmountAdvice | None
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class WhatIf:
    decision: Atom
    amount: int
    refused: str | None
    """The reason why the decision is not possible; then nothing is judged."""
    judged: tuple[GoalEffect, ...]


def read_decision(text: str, adviser: StateAdviser, facts: Sequence[GroundFact]) -> GroundFact:
    """Return the decision in a text. Raises TheoryError if there is no such decision or no such thing."""
    name = text.partition("(")[0].strip()
    if name not in adviser.wording.ALLOWED:
        place = Span("<decision>", 1, 1, 1, 1 + len(name))
        hint = (
            did_you_mean(name, adviser.wording.ALLOWED)
            or f"decisions are {', '.join(adviser.wording.ALLOWED)}"
        )
        raise TheoryError([error("HB005", f"`{name}` is no decision", place, hint)], {"<decision>": text})
    query = adviser.base.engine.parse_query(text)
    (atom,) = query.conditions if len(query.conditions) == 1 else (None,)
    problem, hint = None, ""
    if not isinstance(atom, Atom):
        problem, hint = f"`{text}` is not one decision", "write it as in `buy(flour, 400)`"
    elif not all(isinstance(term, Constant) for term in atom.arguments):
        problem, hint = f"`{text}` leaves something open", "name what is decided, and the amount"
    else:
        words = {value for fact in facts for value in fact.values if isinstance(value, str)}
        strange = next((v for v in ground_fact(atom).values if isinstance(v, str) and v not in words), None)
        if strange is not None:
            problem, hint = f"there is no `{strange}` in this state", did_you_mean(strange, sorted(words))
    if problem is not None:
        raise TheoryError([error("HB005", problem, query.span, hint)], {"<query>": text})
    assert isinstance(atom, Atom)
    return ground_fact(atom)


def what_if(adviser: StateAdviser, facts: Sequence[GroundFact], decision: GroundFact) -> WhatIf:
    """Return the effect of a decision in the state with these facts."""
    base, amount = adviser.base, decision.values[-1]
    assert isinstance(amount, int)
    atom = Atom(decision.relation, tuple(map(Constant, decision.values)))
    base.push()
    try:
        base.add(facts)
        advised = adviser.present()
        base.add([GroundFact(adviser.wording.MENU, (amount,)), decision])
        allowed = Atom(adviser.wording.ALLOWED[decision.relation], atom.arguments)
        refused = _refused(base, allowed)
        goals = [goal for level in advised.levels.values() for goal in level]
        judged = () if refused else tuple(_judged(base, goal, atom, amount, advised) for goal in goals)
        return WhatIf(atom, amount, refused, judged)
    finally:
        base.pop()


def _refused(base: KnowledgeBase, allowed: Atom) -> str | None:
    absence = base.why_not(print_condition(allowed), depth=0, sets=0)
    if absence.holds:
        return None
    explanation = (line.strip() for line in absence.lines(0))
    return "\n".join(line for line in explanation if line.startswith(("holds:", "fails:")))


def _judged(
    base: KnowledgeBase, goal: AdvisedGoal, decision: Atom, amount: int, advised: Advised
) -> GoalEffect:
    rules = [
        each
        for each in advised.pieces
        if each.goal == goal.atom and amount in each.amounts and each.of(amount).by == decision
    ]
    proofs = []
    for value in ("GI", "GIII", "PI"):
        try:
            text = f"{print_condition(goal.atom)} by {print_condition(decision)} is {value}"
            proofs.append((value, base.why(text)))
        except NotDerivedError:
            continue
    if rules:
        return GoalEffect(
            goal, rules[0].value, rules[0], next((p for v, p in proofs if v == rules[0].value), None)
        )
    if proofs:
        return GoalEffect(goal, proofs[0][0], None, proofs[0][1])
    # A goal that the decision does not mention may still have a value in the state after it.
    for value, achieves in (("IG", "GI"), ("IP", "PI")):
        try:
            return GoalEffect(
                goal, achieves, None, base.why(f"after {print_condition(goal.atom)} is {value}")
            )
        except NotDerivedError:
            continue
    return GoalEffect(goal, None, None, None)


def lines(found: WhatIf) -> Iterator[str]:
    name = print_condition(found.decision)
    if found.refused is not None:
        yield f"{name} cannot be decided:"
        yield from (f"  {line}" for line in found.refused.split("\n"))
        return
    yield name
    for each in found.judged:
        goal = print_condition(each.goal.atom)
        yield f"  {goal}: {_course(each)}{_source(each)}"
        if each.by_rule is not None:
            grounds = [g for g in each.by_rule.grounds if found.amount in g.amounts]
            for limit in (limit for ground in grounds[:1] for limit in ground.limits if limit.facts):
                yield f"    {limit_text(limit, found.amount)}"


def _course(judged: GoalEffect) -> str:
    stays = {("IG", "GI"): "stays reached", ("IP", "PI"): "stays missed", (None, None): "stays open"}
    course = f"{STANDS[judged.goal.value]}, {DOES[judged.value]}"
    return (
        course
        if judged.value is None and judged.goal.value
        else stays.get((judged.goal.value, judged.value), course)
    )


def _source(judged: GoalEffect) -> str:
    return "" if judged.by_rule is None else f"  [{judged.by_rule.rule}]"


def as_json(found: WhatIf) -> dict[str, Any]:
    return {
        "decision": print_condition(found.decision),
        "refused": found.refused,
        "goals": [
            {
                "goal": print_condition(each.goal.atom),
                "as_things_stand": each.goal.value,
                "value": each.value,
                "rule": None if each.by_rule is None else each.by_rule.rule,
                "proof": None if each.proof is None else each.proof.to_dict(),
            }
            for each in found.judged
        ],
    }
