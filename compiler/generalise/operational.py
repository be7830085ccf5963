"""The operational vocabulary: the conditions that a learned rule may contain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hornbook.compiler.witness.queries import depends_on_action
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.terms import Atom, Statement, statements
from hornbook.kb.ast.theory import Theory, Vocabulary


def operational_vocabulary(theory: Theory, goal: Statement | None = None) -> Vocabulary:
    """Return the theory's vocabulary with the predicates marked operational that a learned rule may contain.

    A predicate that may depend on an action is not operational. A rule that names its action cannot evaluate
    it, so its definition is unfolded instead. Recursive predicates over static facts are operational even if
    not declared so, because an unfolded rule would cover one number of recursion steps only. They are
    unfolded only if the goal belongs to the recursion.
    """
    words = theory.vocabulary
    recursive = _recursive_apart_from(goal, theory)
    changed = {
        name: replace(predicate, operational=name in recursive)
        for name, predicate in words.predicates.items()
        if (predicate.operational and depends_on_action(Atom(name, ()), theory))
        or (name in recursive and not predicate.operational)
    }
    return replace(words, predicates={**words.predicates, **changed})


def _recursive_apart_from(goal: Statement | None, theory: Theory) -> frozenset[str]:
    """Return the recursive predicates over static facts, except those that are mutually recursive with the
    goal.
    """
    recursive = _recursive(theory)
    under_the_goal = frozenset[str]() if goal is None else recursive.get(goal.relation, frozenset())
    return frozenset(
        name
        for name, below in recursive.items()
        if goal is None or name not in under_the_goal or goal.relation not in below
    )


@once_per_theory
def _recursive(theory: Theory) -> Mapping[str, frozenset[str]]:
    """Return the recursive predicates that depend on static facts only, each with everything on which it
    depends.
    """
    rests: dict[str, set[str]] = {}
    for rule in theory.rules:
        rests.setdefault(rule.head.relation, set()).update(s.relation for s in statements(rule.body))
    static = {name for name, p in theory.vocabulary.predicates.items() if p.kind in ("static", "derived")}
    below = {name: _reached(name, rests, static) for name in rests if name in static}
    return {name: reached for name, reached in below.items() if name in reached}


def _reached(name: str, rests: Mapping[str, set[str]], static: set[str]) -> frozenset[str]:
    """Return everything on which a predicate depends, through any rules; empty if some of it changes."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        new = rests.get(todo.pop(), set()) - seen
        if not new <= static:
            return frozenset()
        seen |= new
        todo += new
    return frozenset(seen)


def condition_vocabulary(theory: Theory, goal: Statement | None = None) -> Vocabulary:
    """Return the operational vocabulary for rules about the effects of actions.

    Each predicate of `state_predicates` is operational, except that of the goal.
    """
    words = operational_vocabulary(theory, goal)
    changed = {
        name: replace(words.predicates[name], operational=True)
        for name in state_predicates(theory)
        if not words.predicates[name].operational
    }
    return replace(words, predicates={**words.predicates, **changed})


@once_per_theory
def state_predicates(theory: Theory) -> frozenset[str]:
    """Return the derived predicates about a single state that may be conditions of rules about effects.

    If the theory declares predicates `operational`, these are the only ones. Otherwise, they are all derived
    predicates whose clauses mention no moment, directly or through other predicates.
    """
    words = theory.vocabulary.predicates
    if any(predicate.operational for predicate in words.values()):
        known = operational_vocabulary(theory).predicates
        return frozenset(name for name, predicate in known.items() if predicate.operational)
    rests: dict[str, set[str]] = {}
    others: set[str] = set()
    """The derived predicates that mention a moment or the value of a game, directly or through others."""
    for rule in theory.rules:
        head = rule.head.relation
        if head in words and words[head].kind == "derived":
            mentioned = (rule.head, *statements(rule.body))
            rests.setdefault(head, set()).update(each.relation for each in mentioned)
            if any(each.tense or not isinstance(each, Atom) for each in mentioned):
                others.add(head)
    size = -1
    while size < len(others):
        size = len(others)
        others |= {name for name, below in rests.items() if below & others}
    return frozenset(rests.keys() - others)


@once_per_theory
def changing_predicates(theory: Theory) -> frozenset[str]:
    """Return the derived predicates whose facts an action may change: those that depend on a fluent, directly
    or through other predicates.
    """
    words = theory.vocabulary.predicates
    changing = {name for name, predicate in words.items() if predicate.kind not in ("static", "derived")}
    fluents = frozenset(changing)
    size = -1
    while size < len(changing):
        size = len(changing)
        changing |= {
            rule.head.relation
            for rule in theory.rules
            if any(each.tense or each.relation in changing for each in (rule.head, *statements(rule.body)))
        }
    return frozenset(changing - fluents)
