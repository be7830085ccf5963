"""Dependencies: which relations at which moment a rule concludes, and from which.

A node is a relation and the moment at which it is read; what never changes has no moment. A timeless rule is
read twice, at either moment, as the engine reads it. Rules that depend alike are one group, so that a large
rule base costs little.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from hornbook.kb.ast import terms as t
from hornbook.kb.check.subject import Subject, named

Node = tuple[str, t.Tense | None]
Sides = tuple[list[t.Statement], list[t.Statement], list[t.Statement]]
"""What a rule needs, what else it reads, and what it must know completely."""
Form = tuple[str, str, t.Tense | None]
"""What a statement has in common with all those that stand for the same node."""
Link = tuple[Form, Form, bool, Sequence[t.Tense | None]]
"""What a rule concludes and one thing that it reads; whether that must be known completely, and when the rule is read."""
BOTH: tuple[t.Tense, ...] = ("before", "after")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A rule read at its moments: `head` is concluded where all of `needs` hold.

    `reads`: everything that the rule looks at positively, members of closed sets too. `finished`: what must be
    known completely before, with its absences and aggregates.
    """

    head: Node
    needs: frozenset[Node]
    reads: frozenset[Node]
    finished: frozenset[Node]


@dataclass(frozen=True, slots=True)
class Group:
    """Rules that depend alike: their dependency, or both where they are timeless, and the first of the rules.

    `own`: whether only rules under check are in it, none that is imported.
    """

    dependencies: tuple[Dependency, ...]
    rule: t.Rule
    own: bool

    @property
    def timeless(self) -> bool:
        return len(self.dependencies) > 1


Grouped = dict[Hashable, Group]
"""Groups by what their rules have in common."""


Formed = tuple[Hashable, Group | None]
"""What a rule has in common with others, and the group of which it is the first rule, if it is."""


def read_groups(subject: Subject) -> list[Group]:
    """All rules of the subject and its imports, grouped."""
    return depending(grouped(subject, imported_groups(subject), {}))


def depending(groups: Grouped) -> list[Group]:
    """The groups whose rules depend on something that is known."""
    return [group for group in groups.values() if group.dependencies]


def grouped(subject: Subject, imported: Grouped, forms: dict[int, Formed]) -> Grouped:
    """The rules of the subject, grouped behind those of its imports; `forms` is what is known of its own, by their objects."""
    found = dict(imported)
    _group(subject.persisting.rules, subject, found, {}, own=False)
    own = (reading.rule for reading in subject.rules if reading.rule is not None)
    _group(own, subject, found, forms, own=True)
    return found


def imported_groups(subject: Subject) -> Grouped:
    """The rules of the imports, grouped; what a subject says itself makes no difference to them."""
    found: Grouped = {}
    rules = (clause for clause in subject.imported if isinstance(clause, t.Rule) and not clause.is_fact)
    _group(rules, subject, found, {}, own=False)
    return found


def _group(
    rules: Iterable[t.Rule], subject: Subject, found: Grouped, forms: dict[int, Formed], *, own: bool
) -> None:
    for rule in rules:
        form, group = forms.get(id(rule)) or (_form_of(rule, subject), None)
        if form not in found:
            group = found[form] = group or _group_of(rule, subject, own=own)
        if own:
            forms[id(rule)] = form, group


def _form_of(rule: t.Rule, subject: Subject) -> Hashable:
    needs, reads, finished = (frozenset(map(_form, side)) for side in _sides(rule, subject))
    return _form(rule.head), needs, reads, finished, rule.of_given


def _group_of(rule: t.Rule, subject: Subject, *, own: bool) -> Group:
    needs, reads, finished = ([*{_form(s): s for s in side}.values()] for side in _sides(rule, subject))
    return Group(tuple(_dependencies(rule, (needs, reads, finished), subject)), rule, own)


def dependencies_of(rule: t.Rule, subject: Subject) -> list[Dependency]:
    """What a rule rests on, at each moment at which it is read."""
    return list(_dependencies(rule, _sides(rule, subject), subject))


def read_by(
    rule: t.Rule, conditions: Iterable[t.Condition], subject: Subject
) -> Iterator[tuple[t.Statement, set[Node]]]:
    """The statements among some of a rule's conditions, each with its nodes at the moments at which the rule is read."""
    moments = _moments(rule, _sides(rule, subject), subject)
    sides: Sides = ([], [], [])
    _gather(conditions, sides, subject, finished=False)
    for statement in (*sides[0], *sides[1], *sides[2]):
        found = [nodes(statement, moment, subject) for moment in moments]
        yield statement, {each[0] for each in found if len(each) == 1}


def finished_by(
    conditions: Iterable[t.Condition], moment: t.Tense | None, subject: Subject
) -> Iterator[tuple[t.Statement, Node]]:
    """The statements that conditions must know completely, each with its node in a rule that is read at a moment."""
    sides: Sides = ([], [], [])
    _gather(conditions, sides, subject, finished=False)
    for statement in sides[2]:
        found = nodes(statement, moment, subject)
        if len(found) == 1:
            yield statement, found[0]


def links(rule: t.Rule, subject: Subject) -> Iterator[tuple[Link, Group]]:
    """The links of a rule that stands, each with the dependency that is this link alone."""
    needs, reads, finished = sides = _sides(rule, subject)
    moments = _moments(rule, sides, subject)
    head = _form(rule.head)
    seen: set[Link] = set()
    for is_finished, side in ((False, (*needs, *reads)), (True, finished)):
        for statement in side:
            link = head, _form(statement), is_finished, moments
            if link not in seen:
                seen.add(link)
                alone: Sides = ([], [], [statement]) if is_finished else ([], [statement], [])
                found = (d for moment in moments for d in _at(rule.head, alone, moment, subject))
                yield link, Group(tuple(found), rule, own=False)


def _form(statement: t.Statement) -> Form:
    if isinstance(statement, t.Atom):
        return statement.predicate, "", statement.tense
    return statement.game.predicate, f"by {statement.by and statement.by.predicate}", statement.game.tense


def _sides(rule: t.Rule, subject: Subject) -> Sides:
    sides: Sides = ([], [], [])
    _gather(rule.body, sides, subject, finished=False)
    return sides


def _moments(rule: t.Rule, sides: Sides, subject: Subject) -> Sequence[t.Tense | None]:
    """The moments at which a rule is read: none where it says them itself, or nothing in it changes."""
    said = [rule.head, *sides[0], *sides[1], *sides[2]]
    if any(statement.tense for statement in said) or not any(_changes(s, subject) for s in said):
        return (None,)
    return BOTH[:1] if rule.of_given else BOTH


def _dependencies(rule: t.Rule, sides: Sides, subject: Subject) -> Iterator[Dependency]:
    """A rule's dependency, or both where it is read at either moment."""
    for moment in _moments(rule, sides, subject):
        yield from _at(rule.head, sides, moment, subject)


def _at(head: t.Statement, sides: Sides, moment: t.Tense | None, subject: Subject) -> Iterator[Dependency]:
    needs, reads, finished = (
        frozenset(found[0] for s in side if len(found := nodes(s, moment, subject)) == 1) for side in sides
    )
    for node in nodes(head, moment, subject):
        yield Dependency(node, needs, reads | needs, finished)


def _gather(
    conditions: Iterable[t.Condition],
    sides: Sides,
    subject: Subject,
    *,
    finished: bool,
) -> None:
    """Sorts the statements of conditions into what a rule needs, reads and must know completely."""
    needs, reads, complete = sides
    for condition in conditions:
        match condition:
            case t.Atom() | t.GameStatement():
                (complete if finished else needs).append(condition)
            case t.All() | t.CountIn():
                for member in t.member_atoms(condition):
                    (complete if finished else reads).append(member)
                    for counter in subject.counters.get(member.predicate, ())[:1]:
                        count = t.Atom(counter.name, (), member.tense, member.span)
                        (complete if finished else needs).append(count)
                if isinstance(condition, t.All):
                    # A set without members needs nothing of what is said of each.
                    inside: Sides = ([], [], complete)
                    _gather(condition.conditions, inside, subject, finished=finished)
                    reads += [*inside[0], *inside[1]]
            case t.Aggregate() | t.Absent():
                _gather(condition.conditions, sides, subject, finished=True)


def _changes(statement: t.Statement, subject: Subject) -> bool:
    atom = named(statement)
    predicate = subject.predicate(atom.predicate)
    return predicate is not None and predicate.has_tense


def nodes(statement: t.Statement, moment: t.Tense | None, subject: Subject) -> tuple[Node, ...]:
    """The node of a statement in a rule read at a moment.

    No node where its predicate is unknown; two where a tense word is missing (then a conclusion counts for both
    moments and a condition for neither: what is refused elsewhere should not seem unreachable as well).
    """
    atom = named(statement)
    predicate = subject.predicate(atom.predicate)
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
    """A node in words, `after colour`; the moment says nothing where a timeless rule is spoken of."""
    relation, tense = node
    name = relation.removesuffix(" is")
    return f"`{name}`" if tense is None or timeless else f"`{tense} {name}`"


def pattern(node: Node) -> str:
    """A conclusion of the kind: `after take(…) by move(…) is …`."""
    relation, tense = node
    words = relation.removesuffix(" is").split(" by ")
    text = " by ".join(f"{word}(…)" for word in words) + (" is …" if relation.endswith(" is") else "")
    return text if tense is None else f"{tense} {text}"


def span_of(rule: t.Rule, node: Node, subject: Subject, *, finished: bool = False) -> t.Span:
    """Where a rule reads a node: its first such condition if that has a place of its own, or the rule itself."""
    sides: Sides = ([], [], [])
    _gather(rule.body, sides, subject, finished=False)
    places = sides[2] if finished else [*sides[0], *sides[1]]
    for statement in places:
        for moment in (None, *BOTH):
            if node in nodes(statement, moment, subject):
                return rule.span if statement.span == t.NOWHERE else statement.span
    return rule.span
