"""Names and conditions of PDDL as text of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from hornbook.kb.ast.notation import print_term
from hornbook.kb.ast.terms import Constant
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.syntax import EQUALITY, PddlDomain, PddlLiteral, is_variable
from hornbook.planner.pddl_theories.conditions import Condition, NoneOf, substituted, tested_types
from hornbook.planner.pddl_theories.rules import type_tests
from hornbook.planner.translation.names import UniqueNames, plain

RESERVED = (
    *("theory", "import", "sort", "static", "fluent", "action", "derived", "game", "meta", "frame"),
    *("persists", "replies", "example", "expect", "plan", "lemma", "before", "after", "all", "absent"),
    *("count", "sum", "min", "max", "goal"),
)
"""Words that cannot name a predicate, and the name of the goal."""
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class TheoryNames:
    """The names of the language for the predicates, actions and types of a domain."""

    predicates: Mapping[str, str]
    actions: Mapping[str, str]
    may: Mapping[str, str]
    """The predicate of each action's applicability."""
    types: Mapping[tuple[str, ...], str]
    """The static predicate of each type test."""


def theory_names(domain: PddlDomain, used: Iterable[str], types: Iterable[tuple[str, ...]]) -> TheoryNames:
    """Return unique names that resemble those of the domain. `used` are the predicates of the theory."""
    names = UniqueNames(RESERVED)
    predicates = {name: names.fresh(name, f"is_{name}") for name in used}
    actions = {action.name: names.fresh(action.name, f"do_{action.name}") for action in domain.actions}
    may = {name: names.fresh(f"may_{made}") for name, made in actions.items()}
    return TheoryNames(
        predicates, actions, may, {each: names.fresh("_or_".join(each), f"is_{each[0]}") for each in types}
    )


@dataclass(frozen=True, slots=True)
class FactText:
    """A fact of the language with terms of PDDL. `value` is its last column, if it has one more."""

    before: str
    """The words before the fact: `before `, `after `, `absent ` or nothing."""
    name: str
    terms: tuple[str, ...]
    value: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonText:
    left: str
    operator: str
    right: str

    @property
    def terms(self) -> tuple[str, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class AbsenceText:
    """The absence of a conjunction."""

    parts: tuple[FactText | ComparisonText, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(term for part in self.parts for term in part.terms)


ConditionText = FactText | ComparisonText | AbsenceText


class TheoryWording:
    """Conditions in the words of a theory."""

    def __init__(self, domain: PddlDomain, names: TheoryNames, two_valued: frozenset[str]) -> None:
        self.names, self._domain = names, domain
        self._fluents, self._two_valued = domain.changing(), two_valued

    def conditions(self, conditions: Iterable[Condition], tense: str) -> list[ConditionText]:
        """Return conditions; `tense` precedes fluents. Positive facts come first, which bind variables."""
        found: list[ConditionText] = []
        for number, each in enumerate(conditions):
            found.append(
                self._absence(each, tense, number) if isinstance(each, NoneOf) else self.literal(each, tense)
            )
        return sorted(found, key=lambda each: not isinstance(each, FactText) or each.before == "absent ")

    def literal(self, literal: PddlLiteral, tense: str) -> FactText | ComparisonText:
        """Return a fluent with its value, a static or its absence, or a comparison."""
        if literal.predicate == EQUALITY:
            return ComparisonText(literal.terms[0], "=" if literal.positive else "!=", literal.terms[1])
        types = tested_types(literal)
        if types is None and literal.predicate in self._fluents:
            value = (YES if literal.positive else NO) if literal.predicate in self._two_valued else ""
            return FactText(tense, self.names.predicates[literal.predicate], literal.terms, value)
        name = self.names.types[types] if types else self.names.predicates[literal.predicate]
        return FactText("" if literal.positive else "absent ", name, literal.terms)

    def _absence(self, each: NoneOf, tense: str, number: int) -> AbsenceText:
        # Two absences of one rule share no variable.
        own = {one.name: f"{one.name}-{number}" for one in each.typed}
        literals = (*type_tests(self._domain, each.typed, each.literals), *each.literals)
        return AbsenceText(tuple(self.literal(substituted(one, own), tense) for one in literals))


class VariableNames:
    """The names of the variables of one rule. A variable that occurs once in it is a wildcard."""

    def __init__(self, texts: Iterable[ConditionText]) -> None:
        self._uses = Counter(term for each in texts for term in each.terms)
        self._fresh = UniqueNames(())
        self._given: dict[str, str] = {}

    def written(self, each: ConditionText) -> str:
        """Return a condition or conclusion as text."""
        match each:
            case FactText(before, name, terms, value):
                columns = [*map(self._term, terms), *([value] if value else [])]
                return before + (f"{name}({', '.join(columns)})" if columns else name)
            case ComparisonText(left, operator, right):
                return f"{self._term(left)} {operator} {self._term(right)}"
            case AbsenceText(parts):
                inner = ", ".join(map(self.written, parts))
                single = len(parts) == 1 and not inner.startswith("absent ")
                return f"absent {inner}" if single else f"absent ({inner})"

    def _term(self, term: str) -> str:
        if not is_variable(term):
            return print_term(Constant(term))
        if self._uses[term] == 1:
            return "_"
        if term not in self._given:
            self._given[term] = self._fresh.fresh(plain(term[1:]))
        return f"?{self._given[term]}"


def written_rule(
    head: FactText, body: Sequence[ConditionText], alternatives: Sequence[Sequence[ConditionText]] = ()
) -> str:
    """Return a rule without its label and its period. One of the alternatives must hold, if there are any."""
    variables = VariableNames((head, *body, *(each for way in alternatives for each in way)))
    conclusion = variables.written(head)
    conditions = list(dict.fromkeys(map(variables.written, body)))
    ways = [", ".join(map(variables.written, way)) for way in alternatives]
    if ways and all(ways):
        conditions.append(ways[0] if len(ways) == 1 else f"({' or '.join(ways)})")
    return f"{conclusion} :- {', '.join(conditions)}" if conditions else conclusion
