"""The vocabulary for learning: which conditions a learned rule may have as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hornbook.compiler.witness.questions import rests_on_action
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.terms import Atom, Statement, statements
from hornbook.kb.ast.theory import Theory, Vocabulary


def askable(theory: Theory, goal: Statement | None = None) -> Vocabulary:
    """The theory's vocabulary, in which those predicates are operational that a rule may ask for as they are.

    What may rest on an action is not: a rule that names its action cannot ask for it, so what it rests on is asked
    instead. What recursion through statics concludes is, declared so or not: asked for step by step, it would be a rule
    about one number of steps. Only a goal of that recursion itself is followed down.
    """
    words = theory.vocabulary
    recursive = _recursive_apart_from(goal, theory)
    changed = {
        name: replace(predicate, operational=name in recursive)
        for name, predicate in words.predicates.items()
        if (predicate.operational and rests_on_action(Atom(name, ()), theory))
        or (name in recursive and not predicate.operational)
    }
    return replace(words, predicates={**words.predicates, **changed})


def _recursive_apart_from(goal: Statement | None, theory: Theory) -> frozenset[str]:
    """The predicates of recursion through statics, but for those that rest on the goal as it does on them."""
    recursive = _recursive(theory)
    under_the_goal = frozenset[str]() if goal is None else recursive.get(goal.relation, frozenset())
    return frozenset(
        name
        for name, below in recursive.items()
        if goal is None or name not in under_the_goal or goal.relation not in below
    )


@once_per_theory
def _recursive(theory: Theory) -> Mapping[str, frozenset[str]]:
    """The predicates that rest on themselves and on nothing that changes, each with all that it rests on."""
    rests: dict[str, set[str]] = {}
    for rule in theory.rules:
        rests.setdefault(rule.head.relation, set()).update(s.relation for s in statements(rule.body))
    lasting = {name for name, p in theory.vocabulary.predicates.items() if p.kind in ("static", "derived")}
    below = {name: _reached(name, rests, lasting) for name in rests if name in lasting}
    return {name: reached for name, reached in below.items() if name in reached}


def _reached(name: str, rests: Mapping[str, set[str]], lasting: set[str]) -> frozenset[str]:
    """What a predicate rests on, through any rules; nothing where something of it changes."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        new = rests.get(todo.pop(), set()) - seen
        if not new <= lasting:
            return frozenset()
        seen |= new
        todo += new
    return frozenset(seen)
