"""The possible facts of a sheet, with absences of changing relations ignored, and its ground rules.

The relation `true` has all initial and next facts, and `does` has all moves that may be legal. Relations that
never change have their exact facts. So these facts include those of every state, and the rule instances over
them include all that ever apply. Every grounder of GDL begins in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import EngineError
from hornbook.planner.gdl.coding import CodedGame, NotStratified, code
from hornbook.planner.gdl.flattening import (
    WORD,
    FlatAbsent,
    FlatAtom,
    FlatCondition,
    FlatEqual,
    FlatRule,
    Relation,
    flatten,
    width,
)
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.gdl.plain_rules import plain_rules
from hornbook.planner.gdl.wellformed import validate
from hornbook.planner.translation.literals import (
    Fails,
    Holds,
    Kinds,
    Literal,
    Same,
    SheetRule,
    kinds_of,
    sheet_rules,
    split,
)
from hornbook.planner.translation.refused import UntranslatableError

MOST_FACTS = 400_000
"""The maximal number of facts and rule instances together."""
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PossibleFacts:
    """The possible facts and rule instances of a sheet.

    `facts` are those of each relation. `instances` are those of the rule at the same index, with values in
    the order of its variables.
    """

    rules: tuple[SheetRule, ...]
    kinds: Kinds
    facts: dict[Relation, frozenset[Row]]
    instances: tuple[frozenset[Row], ...]
    roles: tuple[str, ...]
    of: dict[Relation, tuple[int, ...]] = field(default_factory=dict)
    """The indices of the rules of a relation that can apply."""

    def has(self, relation: Relation) -> frozenset[Row]:
        return self.facts.get(relation, frozenset())


def ground(text: str, file: str) -> PossibleFacts:
    """Return everything that can ever hold in a game.

    Raises TheoryError if the sheet has errors, and UntranslatableError if there are too many facts.
    """
    sheet = validate(text, file)
    if sheet.program is None:
        raise TheoryError([d for d in sheet.diagnostics if d.severity == "error"], {file: text})
    flat, _ = flatten(plain_rules(sheet.clauses))
    rules = split(sheet_rules(flat))
    kinds = kinds_of(rules)
    relaxed = [
        *_copy_rules(rules),
        *(FlatRule(FlatAtom(rule.head, rule.columns), _relaxed(rule, kinds), rule.origin) for rule in rules),
    ]
    for number, rule in enumerate(rules):
        if rule.head in kinds.changing:
            names = tuple(KifVariable(name, rule.origin.clause.span) for name in rule.variables)
            head = FlatAtom(_instance(number, len(names)), names)
            relaxed.append(FlatRule(head, _relaxed(rule, kinds), rule.origin))
    try:
        program, engine = _saturated(relaxed)
    except EngineError:
        blamed = relaxed[_first_too_much(relaxed) - 1].rule.clause.span
        message = f"with this clause there are more than {MOST_FACTS:,} facts and ground rules"
        raise UntranslatableError(
            message, blamed, "write clauses with fewer variables, or a smaller game"
        ) from None
    except NotStratified as problem:
        raise UntranslatableError(f"{problem} depends on its own absence") from None
    words = program.words
    facts = {
        relation: frozenset(tuple(words[cell] for cell in row) for row in engine.facts(number))
        for relation, number in program.numbers.items()
    }
    instances = tuple(
        facts.get(_instance(number, len(rule.variables)), frozenset()) for number, rule in enumerate(rules)
    )
    roles = dict.fromkeys(rule.columns[0] for rule in rules if rule.head[0] == "role")
    of: dict[Relation, list[int]] = {}
    for number, rule in enumerate(rules):
        if instances[number]:
            of.setdefault(rule.head, []).append(number)
    retained = {relation: rows for relation, rows in facts.items() if not relation[0].startswith("instance ")}
    return PossibleFacts(
        tuple(rules),
        kinds,
        retained,
        instances,
        tuple(role for role in roles if isinstance(role, str)),
        {relation: tuple(places) for relation, places in of.items()},
    )


def _saturated(rules: Sequence[FlatRule]) -> tuple[CodedGame, CompiledEngine]:
    """Return the coded rules, and an engine with their consequences.

    Raises EngineError if there are too many.
    """
    program = code(rules)
    engine = CompiledEngine(program.predicates, limits=Limits(facts=MOST_FACTS, seconds=60))
    engine.update(add=program.facts, add_rules=program.rules)
    return program, engine


def _first_too_much(rules: Sequence[FlatRule]) -> int:
    """Return the smallest number of initial rules that have too many consequences."""
    few, many = 0, len(rules)
    while many - few > 1:
        middle = (few + many) // 2
        try:
            _saturated(rules[:middle])
            few = middle
        except EngineError:
            many = middle
    return many


def _copy_rules(rules: Sequence[SheetRule]) -> Iterator[FlatRule]:
    """Yield the rules from `init` and `next` to `true`, and from `legal` to `does`."""
    origin = rules[0].origin
    for name, shapes in dict.fromkeys(rule.head for rule in rules):
        target = {"init": "true", "next": "true", "legal": "does"}.get(name)
        if target is not None:
            columns = tuple(
                KifVariable(f"{place}", origin.clause.span) for place in range(sum(map(width, shapes)))
            )
            yield FlatRule(FlatAtom((target, shapes), columns), (FlatAtom((name, shapes), columns),), origin)


def _instance(number: int, size: int) -> Relation:
    return f"instance {number}", (WORD,) * size


def _relaxed(rule: SheetRule, kinds: Kinds) -> tuple[FlatCondition, ...]:
    return tuple(
        _flat(literal)
        for literal in rule.body
        if not (isinstance(literal, Fails) and literal.relation in kinds.changing)
    )


def _flat(literal: Literal) -> FlatCondition:
    match literal:
        case Holds(relation=relation, columns=columns):
            return FlatAtom(relation, columns)
        case Fails(relation=relation, columns=columns):
            return FlatAbsent((FlatAtom(relation, columns),))
        case Same(left=left, right=right):
            return FlatEqual(left, right)
        case other:
            return FlatAbsent(tuple(FlatEqual(left, right) for left, right in other.pairs))
