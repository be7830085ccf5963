"""The text of the theory of a domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.ast.notation import print_term
from hornbook.kb.ast.terms import Constant
from hornbook.kb.format.formatter import format_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.syntax import EQUALITY, PddlAction, PddlDomain, PddlLiteral, TypedName
from hornbook.planner.pddl_theories.conditions import Condition, NoneOf, tested_types
from hornbook.planner.pddl_theories.rules import StayingRule, domain_rules, type_tests
from hornbook.planner.pddl_theories.sorts import TypeSorts
from hornbook.planner.pddl_theories.wording import (
    ConditionText,
    FactText,
    TheoryNames,
    TheoryWording,
    theory_names,
    written_rule,
)
from hornbook.planner.translation.names import UniqueNames

TRUTH = "truth"
"""The sort of the last column of two-valued fluents."""


@dataclass(frozen=True, slots=True)
class DomainTheory:
    """The theory of a domain, and the form of its facts."""

    text: str
    names: TheoryNames
    wording: TheoryWording
    two_valued: frozenset[str]


def domain_theory(domain: PddlDomain, name: str, file: str, goal: Sequence[PddlLiteral]) -> DomainTheory:
    """Return the theory of a domain for problems with such a goal. The first comment names `file`."""
    return _DomainWriter(domain, goal).theory(name, file)


class _DomainWriter:
    def __init__(self, domain: PddlDomain, goal: Sequence[PddlLiteral]) -> None:
        self._domain, self._rules = domain, domain_rules(domain, goal)
        self._sorts, self._labels = TypeSorts(domain), UniqueNames()
        literals = [*_literals(self._all_conditions()), *goal]
        self._used = [
            each
            for each in domain.predicates
            if each in domain.changing() or any(literal.predicate == each for literal in literals)
        ]
        self._types = dict.fromkeys(kind for each in literals if (kind := tested_types(each)))
        self._complete = self._complete_predicates()
        self._names = theory_names(domain, self._used, self._types)
        self._wording = TheoryWording(domain, self._names, self._rules.two_valued)

    def _all_conditions(self) -> Iterator[Condition]:
        for each in self._rules.conditions():
            yield each
            if isinstance(each, NoneOf):
                yield from type_tests(self._domain, each.typed, each.literals)

    def _complete_predicates(self) -> frozenset[str]:
        """Return the predicates and type tests whose absence a rule needs."""
        found = set[str]()
        for each in self._all_conditions():
            if isinstance(each, NoneOf):
                tests = type_tests(self._domain, each.typed, each.literals)
                found.update(literal.predicate for literal in (*each.literals, *tests))
            elif not each.positive:
                found.add(each.predicate)
        return frozenset(found - self._rules.two_valued) | {
            literal.predicate
            for each in self._rules.conditions()
            if isinstance(each, NoneOf)
            for literal in each.literals
        }

    def theory(self, name: str, file: str) -> DomainTheory:
        lines = [
            f"% Made of a domain in PDDL by `hornbook game import`: {file}.",
            f"theory {name}.",
            "",
            *self._declarations(),
            "",
            *self._constants(),
        ]
        for action in self._actions():
            lines += ["", *self._action(action)]
        never = [each.name for each in self._domain.actions if self._rules.applicable[each.name] is None]
        lines += ["", *(f"% {each} is never applicable." for each in never)]
        text = format_text("\n".join(lines) + "\n")
        return DomainTheory(text, self._names, self._wording, self._rules.two_valued)

    def _declarations(self) -> Iterator[str]:
        declared: list[str] = []
        sorts: dict[str, None] = {}
        for kind in ("static", "fluent"):
            for each in self._used:
                if (each in self._domain.changing()) == (kind == "fluent"):
                    columns = self._columns(self._domain.predicates[each].parameters)
                    sorts.update(dict.fromkeys(columns))
                    declared.append(self._predicate(kind, each, columns))
            if kind == "static":
                declared += self._type_declarations(sorts)
            declared.append("")
        for kind, names in (("action", self._names.actions), ("derived", self._names.may)):
            for action in self._actions():
                columns = self._columns(action.parameters)
                sorts.update(dict.fromkeys(columns))
                declared.append(f"{kind} {names[action.name]}{_in_parentheses(columns)}.")
            declared.append("")
        yield from (f"sort {each}." for each in sorts)
        if self._rules.two_valued:
            yield f"sort {TRUTH} = yes | no."
        yield ""
        yield from declared

    def _actions(self) -> list[PddlAction]:
        """Return the actions that some state makes applicable."""
        return [each for each in self._domain.actions if self._rules.applicable[each.name] is not None]

    def _predicate(self, kind: str, name: str, columns: Sequence[str]) -> str:
        complete = " complete" if name in self._complete else ""
        if name in self._rules.two_valued:
            shown = f"({', '.join(columns)} -> {TRUTH})".replace("( ->", "(->")
        else:
            shown = _in_parentheses(columns)
        return f"{kind} {self._names.predicates[name]}{shown}{complete}."

    def _type_declarations(self, sorts: dict[str, None]) -> Iterator[str]:
        for types, name in self._names.types.items():
            sort = self._sorts.of(types)
            sorts.setdefault(sort)
            absent = any(tested_types(PddlLiteral(each, ())) == types for each in self._complete)
            yield f"static {name}({sort}){' complete' if absent else ''}."

    def _columns(self, parameters: Iterable[TypedName]) -> list[str]:
        return [self._sorts.of(each.types) for each in parameters]

    def _constants(self) -> Iterator[str]:
        return type_facts(self._domain, self._domain.constants, self._names)

    def _action(self, action: PddlAction) -> Iterator[str]:
        conditions = self._rules.applicable[action.name] or ()
        yield f"% {action.name}"
        terms = tuple(each.name for each in action.parameters)
        head = FactText("", self._names.may[action.name], terms)
        yield self._labelled(
            self._names.may[action.name], written_rule(head, self._wording.conditions(conditions, ""))
        )
        for rule in self._rules.effects:
            if rule.action == action:
                head = self._fluent(rule.literal, "after ")
                does = "adds" if rule.literal.positive else "deletes"
                label = f"{self._names.actions[action.name]}_{does}_{head.name}"
                body = [*self._taken(action), *self._wording.conditions(rule.conditions, "before ")]
                yield self._labelled(label, written_rule(head, body))
        for staying in self._rules.staying:
            if staying.action.name == action.name:
                yield self._staying(staying)

    def _staying(self, rule: StayingRule) -> str:
        head, before = self._fluent(rule.literal, "after "), self._fluent(rule.literal, "before ")
        stays = "stays" if rule.literal.positive else "stays_absent"
        label = f"{head.name}_{stays}_after_{self._names.actions[rule.action.name]}"
        alternatives = [self._wording.conditions(each, "before ") for each in rule.alternatives]
        return self._labelled(label, written_rule(head, [*self._taken(rule.action), before], alternatives))

    def _fluent(self, literal: PddlLiteral, tense: str) -> FactText:
        found = self._wording.literal(literal, tense)
        assert isinstance(found, FactText)
        return found

    def _taken(self, action: PddlAction) -> list[ConditionText]:
        """Return the conditions that an action is taken and applicable."""
        terms = tuple(each.name for each in action.parameters)
        may = FactText("before ", self._names.may[action.name], terms)
        return [FactText("", self._names.actions[action.name], terms), may]

    def _labelled(self, label: str, rule: str) -> str:
        return f"{self._labels.fresh(label)}: {rule}."


def _in_parentheses(columns: Sequence[str]) -> str:
    return f"({', '.join(columns)})" if columns else ""


def _literals(conditions: Iterable[Condition]) -> Iterator[PddlLiteral]:
    for each in conditions:
        if isinstance(each, NoneOf):
            yield from each.literals
        elif each.predicate != EQUALITY:
            yield each


def type_facts(domain: PddlDomain, objects: Iterable[TypedName], names: TheoryNames) -> Iterator[str]:
    """Yield the facts of the types of objects, as far as the theory tests them."""
    for types, name in names.types.items():
        for each in objects:
            if domain.fits(each.types, types):
                yield f"{name}({print_term(Constant(each.name))})."
