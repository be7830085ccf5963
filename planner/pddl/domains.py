"""The reader of a domain: from its text to a syntax tree, with all mistakes of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error
from hornbook.planner.gdl.kif import Expression, KifList, KifWord
from hornbook.planner.pddl.checks import domain_mistakes
from hornbook.planner.pddl.expressions import (
    INCOMPLETE,
    MISPLACED,
    REPEATED,
    UNSUPPORTED,
    RefusedPartError,
    definition,
    headed,
    is_word,
    name_of,
    shown,
    typed_names,
)
from hornbook.planner.pddl.formulas import condition, effects
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    OBJECT,
    PddlAction,
    PddlDomain,
    PddlSignature,
    TypedName,
)

REQUIREMENTS = (
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":conditional-effects",
    ":equality",
    ":action-costs",
    ":adl",
)
"""The supported requirements. `:adl` is a collection: a file with it may use the supported parts of it."""
OTHER_REQUIREMENTS = {
    ":disjunctive-preconditions": "write an action for each alternative",
    ":existential-preconditions": "make the variables of `exists` parameters of the action",
    ":universal-preconditions": "count, or mark by a predicate, what must hold for all objects",
    ":quantified-preconditions": "make the variables of `exists` parameters of the action",
    ":fluents": "use predicates for the levels of a number; costs of actions need `:action-costs` only",
    ":numeric-fluents": "use predicates for the levels of a number; costs need `:action-costs` only",
    ":object-fluents": "use a predicate with one more argument for the value",
    ":durative-actions": "write actions without durations",
    ":derived-predicates": "let the actions change the predicate",
}
"""Requirements that are not supported, each with a way out."""
SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":action")
OTHER_SECTIONS = {
    ":durative-action": ("an action with a duration", "write it as an `:action`"),
    ":derived": ("a derived predicate", "let the actions change the predicate"),
    ":axiom": ("an axiom", "let the actions change the predicate"),
    ":constraints": ("a constraint on plans", "delete it"),
    ":process": ("a process", "write it as an `:action`"),
    ":event": ("an event", "write it as an `:action`"),
    ":task": ("a task of a hierarchy", "write actions only"),
    ":method": ("a method of a hierarchy", "write actions only"),
}
ACTION_PARTS = (":parameters", ":precondition", ":effect")
FORM = "write `(define (domain NAME) …)`"


def read_domain_part(text: str, file: str) -> tuple[PddlDomain, tuple[Diagnostic, ...]]:
    """Return the domain of a text, as far as it can be read, and its mistakes."""
    whole, problems = definition(text, file)
    reader = _DomainReader(list(problems))
    if whole is not None:
        reader.read(whole)
    domain = reader.domain()
    if whole is not None:
        reader.mistakes += domain_mistakes(domain, reader.declared_types)
    return domain, tuple(reader.mistakes)


class _DomainReader:
    """The parts of a domain that are read until now."""

    def __init__(self, mistakes: list[Diagnostic]) -> None:
        self.mistakes = mistakes
        self.name = ""
        self.types: dict[str, tuple[str, ...]] = {}
        self.declared_types: tuple[TypedName, ...] = ()
        self.constants: tuple[TypedName, ...] = ()
        self.predicates: dict[str, PddlSignature] = {}
        self.functions: dict[str, PddlSignature] = {}
        self.actions: list[PddlAction] = []

    def domain(self) -> PddlDomain:
        return PddlDomain(
            self.name, self.types, self.constants, self.predicates, self.functions, tuple(self.actions)
        )

    def read(self, whole: KifList) -> None:
        self.name = read_name(whole, "domain", FORM, self.mistakes)
        seen: dict[str, Span] = {}
        for section in whole.items[2:]:
            try:
                head, rest = headed(section, "a section", "write `(:SECTION …)`")
                if head.name in OTHER_SECTIONS:
                    what, way_out = OTHER_SECTIONS[head.name]
                    raise RefusedPartError(UNSUPPORTED, f"{what} is not supported", head.span, way_out)
                if head.name not in SECTIONS:
                    raise unknown_section(head, SECTIONS, "domain")
                if head.name in seen and head.name != ":action":
                    raise repeated_section(head, seen[head.name])
                seen.setdefault(head.name, head.span)
                self._section(head, rest)
            except RefusedPartError as problem:
                self.mistakes.append(problem.diagnostic)

    def _section(self, head: KifWord, rest: Sequence[Expression]) -> None:
        match head.name:
            case ":requirements":
                self.mistakes += requirement_mistakes(rest)
            case ":types":
                self._types(rest)
            case ":constants":
                self.constants = typed_names(rest, "constant", self.mistakes, variables=False)
            case ":predicates":
                self._signatures(rest, "predicate", self.predicates)
            case ":functions":
                self._functions(rest)
            case _:
                self.actions.append(self._action(head, rest))

    def _types(self, rest: Sequence[Expression]) -> None:
        self.declared_types = typed_names(rest, "type", self.mistakes, variables=False)
        for each in self.declared_types:
            if each.name == OBJECT:
                if each.types != (OBJECT,):
                    message = "`object` is the type of all objects and has no supertype"
                    self.mistakes.append(error(MISPLACED, message, each.span, "delete its supertype"))
            elif each.name in self.types:
                # Two declarations of one type give it two supertypes.
                known = self.types[each.name]
                if set(each.types) <= set(known):
                    message = f"the type `{each.name}` is declared again"
                    self.mistakes.append(error(REPEATED, message, each.span, "delete it"))
                self.types[each.name] = tuple(dict.fromkeys((*known, *each.types)))
            else:
                self.types[each.name] = each.types

    def _signatures(self, rest: Sequence[Expression], what: str, found: dict[str, PddlSignature]) -> None:
        for each in rest:
            try:
                head, parameters = headed(each, f"a declaration of a {what}", f"write `({what.upper()} ?x)`")
                if head.name == EQUALITY:
                    message = "the predicate `=` is part of PDDL and is not declared"
                    raise RefusedPartError(REPEATED, message, each.span, "delete it")
                name = name_of(head, f"a {what}")
                names = typed_names(parameters, "variable", self.mistakes, variables=True)
                if name in found:
                    line = found[name].span.line
                    message = f"the {what} `{name}` is declared again (first in line {line})"
                    raise RefusedPartError(REPEATED, message, each.span, "delete it, or choose another name")
                found[name] = PddlSignature(name, names, each.span)
            except RefusedPartError as problem:
                self.mistakes.append(problem.diagnostic)

    def _functions(self, rest: Sequence[Expression]) -> None:
        declarations: list[Expression] = []
        todo = iter(rest)
        for each in todo:
            if is_word(each, "-"):
                of = next(todo, None)
                if of is None or not is_word(of, "number"):
                    message = "a function whose values are objects is not supported"
                    place = each if of is None else of
                    help_ = "write `- number`, or use a predicate with one more argument"
                    self.mistakes.append(error(UNSUPPORTED, message, place.span, help_))
            else:
                declarations.append(each)
        self._signatures(declarations, "function", self.functions)

    def _action(self, head: KifWord, rest: Sequence[Expression]) -> PddlAction:
        form = "write `(:action NAME :parameters (…) :precondition CONDITION :effect EFFECT)`"
        if not rest:
            raise RefusedPartError(INCOMPLETE, "an action has a name", head.span, form)
        name = name_of(rest[0], "an action")
        parts = self._parts(rest[1:], form)
        listed = parts.get(":parameters")
        parameters: tuple[TypedName, ...] = ()
        if isinstance(listed, KifList):
            parameters = typed_names(listed.items, "variable", self.mistakes, variables=True)
        elif listed is not None:
            help_ = "write `:parameters (?NAME - TYPE …)`"
            self.mistakes.append(error(MISPLACED, "parameters are a list", listed.span, help_))
        required, made = parts.get(":precondition"), parts.get(":effect")
        precondition = () if required is None else condition(required, self.mistakes)
        if made is None:
            message = f"the action `{name}` has no effect"
            self.mistakes.append(error(INCOMPLETE, message, rest[0].span, "write `:effect EFFECT`"))
            return PddlAction(name, parameters, precondition, (), None, rest[0].span)
        found = effects(made, self.mistakes)
        for _, span in found.costs[1:]:
            message = f"the action `{name}` increases the total cost twice"
            self.mistakes.append(error(REPEATED, message, span, "write the sum of both costs"))
        cost = found.costs[0][0] if found.costs else None
        return PddlAction(name, parameters, precondition, found.effects, cost, rest[0].span)

    def _parts(self, items: Sequence[Expression], form: str) -> Mapping[str, Expression]:
        found: dict[str, Expression] = {}
        todo = iter(items)
        for each in todo:
            if not (isinstance(each, KifWord) and each.name in ACTION_PARTS):
                message = f"`{shown(each)}` is no part of an action"
                help_ = isinstance(each, KifWord) and did_you_mean(each.name, ACTION_PARTS)
                self.mistakes.append(error(MISPLACED, message, each.span, help_ or form))
                if isinstance(each, KifWord) and each.name.startswith(":"):
                    next(todo, None)
                continue
            value = next(todo, None)
            if value is None:
                self.mistakes.append(error(MISPLACED, f"nothing follows `{each.name}`", each.span, form))
            elif each.name in found:
                message = f"`{each.name}` is given twice"
                self.mistakes.append(error(REPEATED, message, each.span, "join both parts by `and`"))
            else:
                found[each.name] = value
        return found


def read_name(whole: KifList, what: str, form: str, mistakes: list[Diagnostic]) -> str:
    """Return the name in `(define (WHAT NAME) …)`, or an empty text with a mistake."""
    named = whole.items[1] if len(whole.items) > 1 else whole
    try:
        head, rest = headed(named, f"the name of the {what}", form)
        if head.name != what or len(rest) != 1:
            other = {"domain": "problem", "problem": "domain"}[what]
            if head.name == other:
                message = f"this file has a {other}, and a {what} is needed here"
                raise RefusedPartError(
                    MISPLACED, message, head.span, "give the domain first, then the problem"
                )
            raise RefusedPartError(MISPLACED, "the definition does not begin with its name", named.span, form)
        return name_of(rest[0], f"a {what}")
    except RefusedPartError as problem:
        mistakes.append(problem.diagnostic)
        return ""


def unknown_section(head: KifWord, known: Sequence[str], what: str) -> RefusedPartError:
    help_ = did_you_mean(head.name, known) or f"the parts of a {what} are {', '.join(known)}"
    return RefusedPartError(MISPLACED, f"`{head.written}` is no part of a {what}", head.span, help_)


def repeated_section(head: KifWord, first: Span) -> RefusedPartError:
    message = f"`{head.name}` is given again (first in line {first.line})"
    return RefusedPartError(REPEATED, message, head.span, "join both parts")


def requirement_mistakes(items: Sequence[Expression]) -> Iterator[Diagnostic]:
    """Yield an error for each requirement that is not supported."""
    for each in items:
        if is_word(each, *REQUIREMENTS):
            continue
        if isinstance(each, KifWord) and each.name.startswith(":"):
            help_ = OTHER_REQUIREMENTS.get(each.name) or did_you_mean(each.name, REQUIREMENTS)
            help_ = help_ or f"the supported requirements are {', '.join(REQUIREMENTS)}"
            yield error(UNSUPPORTED, f"the requirement `{each.name}` is not supported", each.span, help_)
        else:
            message = f"`{shown(each)}` is no requirement"
            yield error(MISPLACED, message, each.span, "write `:strips`, or another requirement with a colon")
