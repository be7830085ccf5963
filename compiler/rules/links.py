"""Links between plans: which plan can disturb a fact on which another depends, and which can make it true.

Links are computed from the rules and the theory's frames, not learned. (In Tadepalli 1989, section 2,
counter-plans and sub-plans are links between o-plans.)

Invariants, if the frames are true, for an action of a plan Q and a plan P in the same state:
- If the action makes P inapplicable, `counters` links Q and P.
- If the action makes P applicable, `helps` links Q and P.

The converse does not hold: a link states a possibility.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, marked_rule, match_statement
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    Atom,
    Condition,
    PlanStatement,
    Rule,
    Term,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, counts_of
from hornbook.matcher.program.dataclass import dataclass

_OTHER = "~q"
_OF_FRAME = "~f"


@dataclass(frozen=True, slots=True)
class Link:
    """The reason why one plan may disturb or help another.

    Attributes:
        condition: The condition of the affected plan.
        fluent: The fluent on which the condition depends.
        action: The action of the other plan.
        same: The variables of the two plans that must be equal; those of the acting plan end with `~q`.
        frame: The frame that permits the change. It is None if no frame of the theory describes changes of
            the fluent, or if an absence is required.
    """

    condition: Condition
    fluent: Condition
    action: Atom
    same: tuple[tuple[str, Term], ...]
    frame: Frame | None


def counters(theory: Theory, plan: Rule, others: Iterable[Rule]) -> tuple[Link, ...]:
    """Return the reasons why actions of other plans can make a plan inapplicable; empty if they cannot.

    `plan` includes the plans for the remaining moves.
    """
    return tuple(link for other in others for link in _links(theory, plan, other))


def helps(theory: Theory, plan: Rule, others: Iterable[Rule]) -> tuple[Link, ...]:
    """Return the reasons why actions of other plans can make a condition of a plan true.

    The result is empty if they cannot.
    """
    made = _concluded_after(theory)
    return tuple(
        link
        for link in counters(theory, plan, others)
        if link.frame is None or not isinstance(link.fluent, Atom) or link.fluent.predicate in made
    )


def dependencies(theory: Theory, rule: Rule) -> dict[Condition, tuple[Condition, ...]]:
    """Return the fluents on which each condition of a rule depends through the theory's rules.

    Local variables of these rules become wildcards. Absences and aggregates are returned unchanged.
    """
    grounds = _FluentDependencies(theory)
    return {condition: grounds.of(condition) for condition in rule.body}


def _plain(fluent: Atom) -> Atom:
    """Return the fluent of a frame with each wildcard replaced by a named variable."""
    terms = (
        Variable(f"{term.name}{place}") if isinstance(term, Variable) and term.is_wildcard else term
        for place, term in enumerate(fluent.terms)
    )
    return fluent.with_terms(tuple(terms))


def _links(theory: Theory, plan: Rule, other: Rule) -> Iterator[Link]:
    """Yield the reasons why the first action of another plan can change a fact on which a plan depends."""
    own = marked_rule(other, _OTHER)
    assert isinstance(own.head, PlanStatement)
    action = own.head.by
    for condition, fluents in dependencies(theory, plan).items():
        for fluent in fluents:
            yield from _changes(theory, plan, condition, fluent, own, action)


def _changes(
    theory: Theory, plan: Rule, condition: Condition, fluent: Condition, other: Rule, action: Atom
) -> Iterator[Link]:
    if not isinstance(fluent, Atom):
        yield Link(condition, fluent, action, (), None)
        return
    about = [frame for frame in theory.frames if match_statement(_plain(frame.fluent), fluent) is not None]
    if not about:
        yield Link(condition, fluent, action, (), None)
        return
    # Every frame for such a fact must permit the change. The links of the first frame give the reason.
    found = [
        [
            link
            for case in frame.cases
            if (link := _link_for_case(theory, plan, condition, fluent, other, action, frame, case))
        ]
        for frame in about
    ]
    if all(found):
        yield from found[0]


def _link_for_case(
    theory: Theory,
    plan: Rule,
    condition: Condition,
    fluent: Atom,
    other: Rule,
    action: Atom,
    frame: Frame,
    case: Sequence[Condition],
) -> Link | None:
    """Return the link for one case of a frame.

    Return None if the action does not match the case, or if the two plans never apply together.
    """
    unifier = Unifier()
    marked = {
        v.name: Variable(f"{v.name}{_OF_FRAME}")
        for c in (frame.fluent, *case)
        for v in condition_variables(c)
    }
    pattern = case[0]
    assert isinstance(pattern, Atom)
    if not unifier.unify_statements(apply_to_statement(frame.fluent, marked), fluent):
        return None
    if not unifier.unify_statements(apply_to_statement(pattern, marked), action):
        return None
    if not _are_compatible(theory, (*plan.body, *other.body), unifier):
        return None
    names = {v.name for c in (plan.head, *plan.body) for v in condition_variables(c)}
    same = tuple((name, unifier.named(name)) for name in sorted(names) if name in unifier.bindings)
    return Link(condition, fluent, action, same, frame)


def _are_compatible(theory: Theory, conditions: Sequence[Condition], unifier: Unifier) -> bool:
    """Return whether no two conditions for the same state require different constants for the same key."""
    keyed = [c for c in conditions if isinstance(c, Atom) and _has_given_key(theory, c)]
    merged = True
    while merged:
        merged = False
        values: dict[tuple[object, ...], tuple[Term, ...]] = {}
        for condition in keyed:
            key = theory.vocabulary.predicates[condition.predicate].key
            terms = tuple(map(unifier.walk, condition.terms))
            known = values.setdefault((condition.predicate, terms[:key]), terms[key:])
            for one, two in zip(known, terms[key:], strict=True):
                if unifier.walk(one) != unifier.walk(two):
                    merged = True
                    if not unifier.unify(one, two):
                        return False
    return True


def _has_given_key(theory: Theory, atom: Atom) -> bool:
    """Return whether a predicate's facts are only given, so that each key has one value."""
    declared = theory.vocabulary.predicates[atom.predicate]
    return declared.key is not None and not any(
        rule.head.relation == atom.predicate and rule.head.tense != "after" for rule in theory.rules
    )


def _concluded_after(theory: Theory) -> frozenset[str]:
    """Return the fluents that an action may make true.

    These have a rule that is not a frame axiom, or no rule for their effects.
    """
    found = {name for name, declared in theory.vocabulary.predicates.items() if declared.kind == "fluent"}
    concluding: dict[str, list[Rule]] = {}
    for rule in theory.rules:
        if rule.head.tense == "after":
            concluding.setdefault(rule.head.relation, []).append(rule)
    return frozenset(
        name for name in found if not concluding.get(name) or not all(map(_is_inertia, concluding[name]))
    )


def _is_inertia(rule: Rule) -> bool:
    """Return whether a rule is a frame axiom, which only states that a fact persists."""
    return any(
        isinstance(c, Atom)
        and c.relation == rule.head.relation
        and c.tense == "before"
        and c.terms == rule.head.terms
        for c in rule.body
    )


class _FluentDependencies:
    """The fluents on which conditions depend, by the theory's rules for one state."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.counters = counts_of(theory.vocabulary)
        self.concluding: dict[str, list[Rule]] = {}
        for rule in theory.rules:
            if rule.head.tense != "after" and isinstance(rule.head, Atom):
                self.concluding.setdefault(rule.head.predicate, []).append(rule)

    def of(self, condition: Condition) -> tuple[Condition, ...]:
        found: dict[Condition, None] = {}
        seen: set[Condition] = set()
        todo: list[Condition] = [condition]
        while todo:
            for atom in self._relevant_statements(todo.pop()):
                if atom in seen:
                    continue
                seen.add(atom)
                if not isinstance(atom, Atom):
                    found[atom] = None
                    continue
                if self.theory.vocabulary.predicates[atom.predicate].kind == "fluent":
                    found[atom] = None
                for rule in self.concluding.get(atom.predicate, ()):
                    todo += _body(rule, atom)
        return tuple(found)

    def _relevant_statements(self, condition: Condition) -> Iterator[Condition]:
        """Yield the statements of a condition with the counts of its sets.

        Absences and aggregates are yielded unchanged.
        """
        if isinstance(condition, Absent | Aggregate):
            yield condition
            return
        for statement in statements((condition,)):
            assert isinstance(statement, Atom)
            anything = tuple(
                _any_term(place) if _is_unconstrained(term) else term
                for place, term in enumerate(statement.terms)
            )
            yield Atom(statement.predicate, anything)
            counter = self.counters.get(statement.predicate)
            if counter is not None and counter.kind != "static" and not isinstance(condition, Atom):
                yield Atom(counter.name, tuple(map(_any_term, range(counter.arity))))


def _any_term(place: int) -> Variable:
    """Return a variable for a column that may have any value; no variable of a rule has its name."""
    return Variable(f"_{place}~g")


def _is_unconstrained(term: Term) -> bool:
    return isinstance(term, Variable) and (term.is_wildcard or term.name.endswith("~r"))


def _body(rule: Rule, goal: Atom) -> tuple[Condition, ...]:
    """Return the body of a rule that concludes a statement; its local variables are marked as wildcards."""
    own = marked_rule(rule, "~r")
    unifier = Unifier()
    goal_with_fresh_terms = goal.with_terms(
        tuple(
            Variable(f"_{place}~r") if _is_unconstrained(term) else term
            for place, term in enumerate(goal.terms)
        )
    )
    if not unifier.unify_statements(own.head, goal_with_fresh_terms):
        return ()
    bound = {v.name: unifier.walk(v) for c in (own.head, *own.body) for v in condition_variables(c)}
    return tuple(apply_to_condition(c, bound) for c in own.body)
