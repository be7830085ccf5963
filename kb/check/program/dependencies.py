"""Dependencies: the relations and moments in the head of a rule, and those in its body.

A node is a relation with a moment, or without one if it never changes. A timeless rule is read at both
moments, as in the engine. Rules with the same dependencies form one group, so that large rule bases stay
cheap.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache

from hornbook.kb.ast import terms as t
from hornbook.kb.check.check_unit import CheckUnit, named
from hornbook.matcher.program.dataclass import dataclass

Node = tuple[str, t.Tense | None]
Sides = tuple[list[t.Statement], list[t.Statement], list[t.Statement]]
"""The statements that a rule needs, those that it also reads, and those that must be complete."""
Form = tuple[str, str, t.Tense | None]
"""The key of a statement, which is equal for all statements of the same node."""
Link = tuple[Form, Form, bool, Sequence[t.Tense | None]]
"""One dependency of a rule: the head, a statement that it reads, whether this must be complete, and the
moments.
"""
BOTH: tuple[t.Tense, ...] = ("before", "after")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A rule at one of its moments. `head` follows if all of `needs` hold.

    - `reads`: All nodes that the rule reads positively, including members of closed sets.
    - `finished`: The nodes of absences and aggregates, which must be complete before.
    """

    head: Node
    needs: frozenset[Node]
    reads: frozenset[Node]
    finished: frozenset[Node]


@dataclass(frozen=True, slots=True)
class DependencyGroup:
    """Rules with the same dependencies: one, or two for timeless rules. `rule` is the first rule.

    `own` tells whether the rules belong to the checked file and not to an import.
    """

    dependencies: tuple[Dependency, ...]
    rule: t.Rule
    own: bool

    @property
    def timeless(self) -> bool:
        return len(self.dependencies) > 1


Grouped = dict[Hashable, DependencyGroup]
"""Groups by the form of their rules."""


Formed = tuple[Hashable, DependencyGroup | None]
"""The form of a rule, and its group if it is the first rule of it."""


def read_groups(unit: CheckUnit) -> list[DependencyGroup]:
    """Return all rules of the unit and its imports, grouped."""
    return depending(grouped(unit, imported_groups(unit), {}))


def depending(groups: Grouped) -> list[DependencyGroup]:
    """Return the groups with known dependencies."""
    return [group for group in groups.values() if group.dependencies]


def grouped(unit: CheckUnit, imported: Grouped, forms: dict[int, Formed]) -> Grouped:
    """Return the rules of the unit, grouped, after the groups of its imports.

    `forms` caches the forms of the unit's own rules by identity.
    """
    found = dict(imported)
    _group(unit.persisting.rules, unit, found, {}, own=False)
    own = (prepared.rule for prepared in unit.rules if prepared.rule is not None)
    _group(own, unit, found, forms, own=True)
    return found


def imported_groups(unit: CheckUnit) -> Grouped:
    """Return the rules of the imports, grouped. They do not depend on the unit's own clauses."""
    found: Grouped = {}
    rules = (clause for clause in unit.imported if isinstance(clause, t.Rule) and not clause.is_fact)
    _group(rules, unit, found, {}, own=False)
    return found


def _group(
    rules: Iterable[t.Rule], unit: CheckUnit, found: Grouped, forms: dict[int, Formed], *, own: bool
) -> None:
    for rule in rules:
        form, group = forms.get(id(rule)) or (_form_of(rule, unit), None)
        if form not in found:
            group = found[form] = group or _group_of(rule, unit, own=own)
        if own:
            forms[id(rule)] = form, group


def _form_of(rule: t.Rule, unit: CheckUnit) -> Hashable:
    needs, reads, finished = (frozenset(map(_form, side)) for side in _sides(rule, unit))
    return _form(rule.head), needs, reads, finished, rule.of_given


def _group_of(rule: t.Rule, unit: CheckUnit, *, own: bool) -> DependencyGroup:
    needs, reads, finished = ([*{_form(s): s for s in side}.values()] for side in _sides(rule, unit))
    return DependencyGroup(tuple(_dependencies(rule, (needs, reads, finished), unit)), rule, own)


def dependencies_of(rule: t.Rule, unit: CheckUnit) -> list[Dependency]:
    """Return the dependencies of a rule, one for each moment at which it is read."""
    return list(_dependencies(rule, _sides(rule, unit), unit))


def read_by(
    rule: t.Rule, conditions: Iterable[t.Condition], unit: CheckUnit
) -> Iterator[tuple[t.Statement, set[Node]]]:
    """Yield the statements among some of a rule's conditions, each with its nodes at the moments
    of the rule.
    """
    moments = _moments(rule, _sides(rule, unit), unit)
    sides: Sides = ([], [], [])
    _gather(conditions, sides, unit, finished=False)
    for statement in (*sides[0], *sides[1], *sides[2]):
        found = [nodes(statement, moment, unit) for moment in moments]
        yield statement, {each[0] for each in found if len(each) == 1}


def finished_by(
    conditions: Iterable[t.Condition], moment: t.Tense | None, unit: CheckUnit
) -> Iterator[tuple[t.Statement, Node]]:
    """Yield the statements that conditions must know completely, each with its node for a rule at
    a moment.
    """
    sides: Sides = ([], [], [])
    _gather(conditions, sides, unit, finished=False)
    for statement in sides[2]:
        found = nodes(statement, moment, unit)
        if len(found) == 1:
            yield statement, found[0]


def links(rule: t.Rule, unit: CheckUnit) -> Iterator[tuple[Link, DependencyGroup]]:
    """Yield the links of an existing rule, each with the dependency that consists of this link alone."""
    needs, reads, finished = sides = _sides(rule, unit)
    moments = _moments(rule, sides, unit)
    head = _form(rule.head)
    seen: set[Link] = set()
    for is_finished, side in ((False, (*needs, *reads)), (True, finished)):
        for statement in side:
            link = head, _form(statement), is_finished, moments
            if link not in seen:
                seen.add(link)
                single: Sides = ([], [], [statement]) if is_finished else ([], [statement], [])
                found = (d for moment in moments for d in _at(rule.head, single, moment, unit))
                yield link, DependencyGroup(tuple(found), rule, own=False)


def _form(statement: t.Statement) -> Form:
    if isinstance(statement, t.Atom):
        return statement.predicate, "", statement.tense
    return statement.game.predicate, f"by {statement.by and statement.by.predicate}", statement.game.tense


def _sides(rule: t.Rule, unit: CheckUnit) -> Sides:
    sides: Sides = ([], [], [])
    _gather(rule.body, sides, unit, finished=False)
    return sides


def _moments(rule: t.Rule, sides: Sides, unit: CheckUnit) -> Sequence[t.Tense | None]:
    """Return the moments at which a rule is read: (None,) if the rule states them or contains nothing that
    changes.
    """
    statements = [rule.head, *sides[0], *sides[1], *sides[2]]
    if any(statement.tense for statement in statements) or not any(_changes(s, unit) for s in statements):
        return (None,)
    return BOTH[:1] if rule.of_given else BOTH


def _dependencies(rule: t.Rule, sides: Sides, unit: CheckUnit) -> Iterator[Dependency]:
    """Yield the dependency of a rule, or two for a timeless rule."""
    for moment in _moments(rule, sides, unit):
        yield from _at(rule.head, sides, moment, unit)


def _at(head: t.Statement, sides: Sides, moment: t.Tense | None, unit: CheckUnit) -> Iterator[Dependency]:
    needs, reads, finished = (
        frozenset(found[0] for s in side if len(found := nodes(s, moment, unit)) == 1) for side in sides
    )
    for node in nodes(head, moment, unit):
        yield Dependency(node, needs, reads | needs, finished)


def _gather(
    conditions: Iterable[t.Condition],
    sides: Sides,
    unit: CheckUnit,
    *,
    finished: bool,
) -> None:
    """Distribute the statements of conditions: needed, read, and to be known completely."""
    needs, reads, complete = sides
    for condition in conditions:
        match condition:
            case t.Atom() | t.GameStatement():
                (complete if finished else needs).append(condition)
            case t.All() | t.CountIn():
                for member in t.member_atoms(condition):
                    (complete if finished else reads).append(member)
                    for counter in unit.counters.get(member.predicate, ())[:1]:
                        count = t.Atom(counter.name, (), member.tense, member.span)
                        (complete if finished else needs).append(count)
                if isinstance(condition, t.All):
                    # An empty set needs none of the conditions on its members.
                    inside: Sides = ([], [], complete)
                    _gather(condition.conditions, inside, unit, finished=finished)
                    reads += [*inside[0], *inside[1]]
            case t.Aggregate() | t.Absent():
                _gather(condition.conditions, sides, unit, finished=True)


def _changes(statement: t.Statement, unit: CheckUnit) -> bool:
    atom = named(statement)
    predicate = unit.predicate(atom.predicate)
    return predicate is not None and predicate.has_tense


def nodes(statement: t.Statement, moment: t.Tense | None, unit: CheckUnit) -> tuple[Node, ...]:
    """Return the nodes of a statement in a rule at a moment.

    There is no node if its predicate is unknown. There are two if a tense word is missing. Then a head counts
    for both moments and a condition for neither, so that refused code is not also reported as unreachable.
    """
    atom = named(statement)
    predicate = unit.predicate(atom.predicate)
    if predicate is None or (predicate.kind == "game") != isinstance(statement, t.GameStatement):
        return ()
    relation = atom.predicate
    if isinstance(statement, t.GameStatement):
        relation = _game_relation(relation, None if statement.by is None else statement.by.predicate)
    if not predicate.has_tense:
        return ((relation, None),)
    tense = statement.tense or moment
    return ((relation, tense),) if tense is not None else ((relation, "before"), (relation, "after"))


_game_relation = cache(t.game_relation)


def shown(node: Node, *, timeless: bool) -> str:
    """Return a node in words, such as `after colour`. The moment is left out for a timeless rule."""
    relation, tense = node
    name = relation.removesuffix(" is")
    return f"`{name}`" if tense is None or timeless else f"`{tense} {name}`"


def pattern(node: Node) -> str:
    """Return a head of this kind, such as `after take(…) by move(…) is …`."""
    relation, tense = node
    words = relation.removesuffix(" is").split(" by ")
    text = " by ".join(f"{word}(…)" for word in words) + (" is …" if relation.endswith(" is") else "")
    return text if tense is None else f"{tense} {text}"


def span_of(rule: t.Rule, node: Node, unit: CheckUnit, *, finished: bool = False) -> t.Span:
    """Return the position at which a rule reads a node: the first such condition with a position, or the
    rule.
    """
    sides: Sides = ([], [], [])
    _gather(rule.body, sides, unit, finished=False)
    places = sides[2] if finished else [*sides[0], *sides[1]]
    for statement in places:
        for moment in (None, *BOTH):
            if node in nodes(statement, moment, unit):
                return rule.span if statement.span == t.NOWHERE else statement.span
    return rule.span
