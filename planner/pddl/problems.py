"""The reader of a problem: from its text to a syntax tree, with all mistakes of the file."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.planner.gdl.kif import Expression, KifList, KifWord
from hornbook.planner.pddl.domains import read_name, repeated_section, requirement_mistakes, unknown_section
from hornbook.planner.pddl.expressions import (
    INCOMPLETE,
    MISPLACED,
    REPEATED,
    UNSUPPORTED,
    RefusedPartError,
    definition,
    headed,
    integer,
    is_word,
    name_of,
    typed_names,
)
from hornbook.planner.pddl.formulas import atom, condition, cost_value, is_total_cost
from hornbook.planner.pddl.syntax import EQUALITY, FunctionTerm, PddlLiteral, PddlProblem, TypedName

SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
OTHER_SECTIONS = {
    ":constraints": ("a constraint on plans", "delete it"),
    ":length": ("a bound on the length of plans", "delete it"),
    ":htn": ("a hierarchical problem", "write a goal"),
}
FORM = "write `(define (problem NAME) (:domain NAME) …)`"


def read_problem_part(text: str, file: str) -> tuple[PddlProblem, tuple[Diagnostic, ...]]:
    """Return the problem of a text, as far as it can be read, and its mistakes without those of names."""
    whole, problems = definition(text, file)
    reader = _ProblemReader(list(problems))
    if whole is not None:
        reader.read(whole)
    return reader.problem(), tuple(reader.mistakes)


class _ProblemReader:
    """The parts of a problem that are read until now."""

    def __init__(self, mistakes: list[Diagnostic]) -> None:
        self.mistakes = mistakes
        self.name = self.domain = ""
        self.domain_span = Span("", 1, 1, 1, 1)
        self.objects: tuple[TypedName, ...] = ()
        self.initial: list[PddlLiteral] = []
        self.values: dict[FunctionTerm, int] = {}
        self.goal: tuple[PddlLiteral, ...] = ()
        self.minimises_cost = False

    def problem(self) -> PddlProblem:
        return PddlProblem(
            self.name,
            self.domain,
            self.objects,
            tuple(self.initial),
            self.values,
            self.goal,
            self.minimises_cost,
            self.domain_span,
        )

    def read(self, whole: KifList) -> None:
        self.name = read_name(whole, "problem", FORM, self.mistakes)
        seen: dict[str, Span] = {}
        for section in whole.items[2:]:
            try:
                head, rest = headed(section, "a section", "write `(:SECTION …)`")
                if head.name in OTHER_SECTIONS:
                    what, way_out = OTHER_SECTIONS[head.name]
                    raise RefusedPartError(UNSUPPORTED, f"{what} is not supported", head.span, way_out)
                if head.name not in SECTIONS:
                    raise unknown_section(head, SECTIONS, "problem")
                if head.name in seen:
                    raise repeated_section(head, seen[head.name])
                seen[head.name] = head.span
                self._section(section, head, rest)
            except RefusedPartError as problem:
                self.mistakes.append(problem.diagnostic)
        named = whole.items[1].span if len(whole.items) > 1 else whole.span
        for required, form in ((":domain", "(:domain NAME)"), (":init", "(:init …)"), (":goal", "(:goal …)")):
            if required not in seen:
                message = f"the problem has no `{required}`"
                self.mistakes.append(error(INCOMPLETE, message, named, f"write `{form}`"))

    def _section(self, section: Expression, head: KifWord, rest: Sequence[Expression]) -> None:
        match head.name:
            case ":domain":
                if len(rest) != 1:
                    message = "`:domain` has the name of one domain"
                    raise RefusedPartError(MISPLACED, message, section.span, "write `(:domain NAME)`")
                self.domain, self.domain_span = name_of(rest[0], "a domain"), rest[0].span
            case ":requirements":
                self.mistakes += requirement_mistakes(rest)
            case ":objects":
                self.objects = typed_names(rest, "object", self.mistakes, variables=False)
            case ":init":
                for each in rest:
                    try:
                        self._initial(each)
                    except RefusedPartError as problem:
                        self.mistakes.append(problem.diagnostic)
            case ":goal":
                if len(rest) != 1:
                    message = "`:goal` has one condition"
                    raise RefusedPartError(
                        MISPLACED, message, section.span, "write `(:goal (and CONDITION …))`"
                    )
                self.goal = condition(rest[0], self.mistakes)
            case _:
                self._metric(section, rest)

    def _initial(self, expression: Expression) -> None:
        head, rest = headed(expression, "a fact", "write `(PREDICATE OBJECT …)`")
        if integer_time(head, rest):
            message = "a fact at a later time is not supported"
            raise RefusedPartError(UNSUPPORTED, message, expression.span, "delete it")
        if head.name == EQUALITY and rest and isinstance(rest[0], KifList):
            self._value(expression, rest)
        elif head.name == "not":
            if len(rest) != 1:
                message = f"`not` has 1 argument, not {len(rest)}"
                raise RefusedPartError(MISPLACED, message, expression.span, "write `(not (PREDICATE …))`")
            # An atom that the first state does not contain is false, so the literal only states this.
            self.initial.append(atom(rest[0], positive=False))
        elif head.name in ("and", "or", "oneof", "unknown", "forall", "exists", "when"):
            message = f"`{head.name}` is no fact of a first state"
            raise RefusedPartError(MISPLACED, message, head.span, "write one fact after the other")
        else:
            found = atom(expression)
            if found.predicate == EQUALITY:
                message = "equality is no fact: two objects of different names are different"
                raise RefusedPartError(MISPLACED, message, expression.span, "delete it")
            self.initial.append(found)

    def _value(self, expression: Expression, rest: Sequence[Expression]) -> None:
        form = "write `(= (FUNCTION OBJECT …) NUMBER)`"
        if len(rest) != 2:
            raise RefusedPartError(MISPLACED, "a function has one value", expression.span, form)
        if is_total_cost(rest[0]):
            if not (isinstance(rest[1], KifWord) and integer(rest[1].name) == 0):
                message = "the total cost begins with 0"
                raise RefusedPartError(MISPLACED, message, rest[1].span, "write `(= (total-cost) 0)`")
            return
        given = atom(rest[0])
        term = FunctionTerm(given.predicate, given.terms, given.span)
        if term in self.values:
            message = f"`{term.function}` has a second value for these objects"
            raise RefusedPartError(REPEATED, message, expression.span, "delete one of the two")
        self.values[term] = cost_value(rest[1])

    def _metric(self, section: Expression, rest: Sequence[Expression]) -> None:
        if len(rest) == 2 and is_word(rest[0], "minimize", "minimise") and is_total_cost(rest[1]):
            self.minimises_cost = True
            return
        message = "this metric is not supported"
        help_ = "write `(:metric minimize (total-cost))`, or delete it for plans with the fewest actions"
        raise RefusedPartError(UNSUPPORTED, message, section.span, help_)


def integer_time(head: KifWord, rest: Sequence[Expression]) -> bool:
    """Return whether a fact of a first state is one at a later time, as in `(at 5 (open door))`."""
    return (
        head.name == "at"
        and len(rest) == 2
        and isinstance(rest[0], KifWord)
        and integer(rest[0].name) is not None
        and isinstance(rest[1], KifList)
    )
