"""Flat rules: terms with functions become columns, so that an engine of coded rules can match them.

The shape of a term gives the positions of its functions: `(cell 1 ?y b)` is a `cell` of three words. A
relation whose arguments have other shapes becomes another flat relation, with a column for each word. The
possible shapes follow from the rules by a fixpoint, like facts. A rule is flattened once for each choice of
shapes of its variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.clauses import Distinct, GdlAtom
from hornbook.planner.gdl.kif import Expression, KifList, KifVariable, KifWord
from hornbook.planner.gdl.plain_rules import AbsentConditions, Condition, Equal, PlainRule

Shape = tuple[()] | tuple[str, "Shapes"]
"""The shape of a word, or of a function with the shapes of its arguments."""
Shapes = tuple[Shape, ...]
Relation = tuple[str, Shapes]
Column = str | KifVariable
"""A word, or a variable whose value is a word."""
WORD: Shape = ()
MAX_DEPTH = 60
"""The maximal nesting depth of functions."""


MAX_PARTS = 1_000
"""The maximal number of words and functions in one term."""
MAX_SHAPES = 1_000
"""The maximal number of argument shapes of one relation."""
MAX_CHOICES = 100_000
"""The maximal number of choices among the shapes of the conditions of one rule."""


class Unbounded(Exception):
    """A rule that makes ever larger terms, or too many shapes."""

    def __init__(self, rule: PlainRule) -> None:
        super().__init__(rule.head.name)
        self.rule = rule


class _TooMany(Exception):
    """The shapes of one rule are unbounded or too many."""


@dataclass(frozen=True, slots=True)
class FlatAtom:
    relation: Relation
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class FlatEqual:
    left: Column
    right: Column


@dataclass(frozen=True, slots=True)
class FlatAbsent:
    conditions: tuple[FlatCondition, ...]


FlatCondition = FlatAtom | FlatEqual | FlatAbsent


@dataclass(frozen=True, slots=True)
class FlatRule:
    head: FlatAtom
    body: tuple[FlatCondition, ...]
    rule: PlainRule


def flatten(rules: Sequence[PlainRule]) -> tuple[list[FlatRule], dict[str, set[Shapes]]]:
    """Return the flat rules, and the shapes of each relation's arguments.

    Raises Unbounded if the shapes have no end.
    """
    known: dict[str, set[Shapes]] = {}
    before = -1
    while before != (before := sum(map(len, known.values()))):
        for rule in rules:
            try:
                _learn(rule, known)
            except _TooMany:
                raise Unbounded(rule) from None
    flat: list[FlatRule] = []
    for rule in rules:
        try:
            for shapes in _assignments(rule.body, {}, known):
                body = _conditions(rule.body, shapes, known)
                if body is not None:
                    flat.append(FlatRule(_atom(rule.head, shapes), tuple(body), rule))
        except _TooMany:
            raise Unbounded(rule) from None
    return flat, known


def _learn(rule: PlainRule, known: dict[str, set[Shapes]]) -> None:
    """Add the shapes of the conclusions of a rule. Raises _TooMany."""
    for shapes in _assignments(rule.body, {}, known):
        head = tuple(_shape(term, shapes) for term in rule.head.terms)
        if any(map(_is_large, head)):
            raise _TooMany
        for name in _receivers(rule.head.name):
            shapes_of = known.setdefault(name, set())
            shapes_of.add(head)
            if len(shapes_of) > MAX_SHAPES:
                raise _TooMany


def _receivers(name: str) -> tuple[str, ...]:
    """Return the relations that receive the shapes of a relation.

    `true` gets the shapes of `init` and `next`, and `does` those of `legal`.
    """
    if name in ("init", "next"):
        return name, "true"
    return (name, "does") if name == "legal" else (name,)


def _assignments(
    conditions: Sequence[Condition], shapes: Mapping[str, Shape], known: Mapping[str, set[Shapes]]
) -> Iterator[dict[str, Shape]]:
    """Yield the possible shapes of the variables for which each atom has a known shape."""
    atoms = [condition for condition in conditions if isinstance(condition, GdlAtom)]

    # The search has its own stack: a rule may have thousands of conditions.
    todo, choices = [(0, dict(shapes))], 0
    while todo:
        place, shapes = todo.pop()
        if place == len(atoms):
            yield shapes
            continue
        for found in sorted(known.get(atoms[place].name, ()), reverse=True):
            choices += 1
            if choices > MAX_CHOICES:
                raise _TooMany
            taken = dict(shapes)
            if all(map(_fits, atoms[place].terms, found, [taken] * len(found))):
                todo.append((place + 1, taken))


def _fits(term: Expression, shape: Shape, shapes: dict[str, Shape]) -> bool:
    if isinstance(term, KifVariable):
        return shapes.setdefault(term.name, shape) == shape
    if isinstance(term, KifWord):
        return shape == WORD
    if not shape:
        return False
    name, parts = shape
    return (
        name == _function(term)
        and len(parts) == len(term.items) - 1
        and all(map(_fits, term.items[1:], parts, [shapes] * len(parts)))
    )


def _function(term: KifList) -> str:
    name = term.items[0]
    assert isinstance(name, KifWord)
    return name.name


def _shape(term: Expression, shapes: Mapping[str, Shape]) -> Shape:
    if isinstance(term, KifVariable):
        return shapes[term.name]
    if isinstance(term, KifWord):
        return WORD
    return _function(term), tuple(_shape(part, shapes) for part in term.items[1:])


def _depth(shape: Shape) -> int:
    return 1 + max(map(_depth, shape[1]), default=0) if shape else 0


def _is_large(shape: Shape) -> bool:
    parts, todo = 0, [shape]
    while todo:
        part = todo.pop()
        parts += 1
        if parts > MAX_PARTS:
            return True
        if part:
            todo += part[1]
    return _depth(shape) > MAX_DEPTH


def _columns(term: Expression, shapes: Mapping[str, Shape]) -> Iterator[Column]:
    if isinstance(term, KifWord):
        yield term.name
    elif isinstance(term, KifVariable):
        words = width(shapes[term.name])
        if shapes[term.name] == WORD:
            yield term
        else:
            yield from (KifVariable(f"{term.name}.{number}", term.span) for number in range(1, words + 1))
    else:
        for part in term.items[1:]:
            yield from _columns(part, shapes)


def width(shape: Shape) -> int:
    """Return the number of words in a term of a shape."""
    return sum(map(width, shape[1])) if shape else 1


def _atom(atom: GdlAtom, shapes: Mapping[str, Shape]) -> FlatAtom:
    relation = atom.name, tuple(_shape(term, shapes) for term in atom.terms)
    return FlatAtom(relation, tuple(column for term in atom.terms for column in _columns(term, shapes)))


def _conditions(
    conditions: Iterable[Condition], shapes: Mapping[str, Shape], known: Mapping[str, set[Shapes]]
) -> list[FlatCondition] | None:
    """Return the flat conditions, or None if they cannot hold together."""
    found: list[FlatCondition] = []
    for condition in conditions:
        match condition:
            case GdlAtom():
                found.append(_atom(condition, shapes))
            case Equal(left=left, right=right):
                equal = _equal(left, right, shapes)
                if equal is None:
                    return None
                found += equal
            case Distinct(left=left, right=right):
                equal = _equal(left, right, shapes)
                if equal == []:
                    return None
                found += [FlatAbsent(tuple(equal))] if equal else []
            case AbsentConditions(conditions=inside):
                for inner in _assignments(inside, shapes, known):
                    flat = _conditions(inside, inner, known)
                    if flat == []:
                        return None
                    found += [FlatAbsent(tuple(flat))] if flat else []
    return found


def _equal(left: Expression, right: Expression, shapes: Mapping[str, Shape]) -> list[FlatCondition] | None:
    """Return the equations that make two terms equal, or None if the terms are never equal."""
    if _shape(left, shapes) != _shape(right, shapes):
        return None
    pairs = list(zip(_columns(left, shapes), _columns(right, shapes), strict=True))
    if any(isinstance(one, str) and isinstance(other, str) and one != other for one, other in pairs):
        return None
    return [FlatEqual(one, other) for one, other in pairs if one != other]
