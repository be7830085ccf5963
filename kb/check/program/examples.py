"""Examples and expectations: a state with at most one action, later actions, and the expected answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath

from hornbook.kb.ast.declarations import Example, Expect
from hornbook.kb.ast.terms import Absent, Atom, Rule, Statement, Variable
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, answer_variables, first_word
from hornbook.kb.check.clauses.constants import problem_of
from hornbook.kb.check.clauses.facts import ground, stated_only
from hornbook.kb.check.uses import answer_sorts
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes
from hornbook.kb.text.counts import counted


def check_examples(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB041, HB040 for facts with variables, HB070, and HB013, HB014 and HB036 for expected answers."""
    concluded = unit.concluded_of_a_state() if unit.examples else frozenset()
    for example in unit.examples:
        yield from ground(example.statements, "write a constant: an example has a fact for each thing")
        yield from _source(example)
        yield from _facts(example, concluded, unit)
        yield from _later(example, unit)
    names = {example.name for example in unit.examples}
    for expect, prepared in unit.expects:
        if expect.example not in names and not unit.broken.declares("example", expect.example):
            near = did_you_mean(expect.example, names)
            help_ = near or f"write it: `example {expect.example}: … .`"
            message = f"there is no example `{expect.example}` in this file"
            span = first_word(expect.span, expect.example)
            yield error("HB041", message, span, help_, spelling_fixes(span, expect.example, names))
        yield from _answers(expect, prepared, unit)


# Examples


def _source(example: Example) -> Iterator[Diagnostic]:
    if example.source is None:
        return
    outside = any(".." in kind(example.source).parts for kind in (PurePosixPath, PureWindowsPath))
    if outside or PurePosixPath(example.source).is_absolute() or PureWindowsPath(example.source).drive:
        message = f"`{example.source}` leads out of the theory's folder"
        yield error("HB041", message, example.span, "put the file into the folder, and name it from there")


def _facts(example: Example, concluded: frozenset[str], unit: CheckUnit) -> Iterator[Diagnostic]:
    action: Statement | None = None
    for fact in example.facts:
        if not isinstance(fact, Atom):
            message = "the value of a game is concluded by rules, never given by an example"
            yield error("HB041", message, fact.span, f"expect it instead: `expect {example.name}: … is …`")
            continue
        predicate = unit.predicate(fact.predicate)
        if predicate is None or predicate.kind == "game":
            continue
        if predicate.stated:
            yield from stated_only((fact,), unit.vocabulary)
        elif predicate.kind == "action":
            if action is not None:
                message = f"the example `{example.name}` takes a second action"
                help_ = "a state has one action at most; others follow it: `FACTS, ACTION then ACTION`"
                yield error("HB041", message, fact.span, help_)
            action = action or fact
        elif predicate.kind in ("derived", "meta") or fact.predicate in concluded:
            message = f"`{fact.predicate}` is concluded by rules, so an example cannot give it"
            yield error("HB041", message, fact.span, "give the facts that it follows from, or expect it")
        elif fact.tense == "after":
            message = "an example gives what holds before the action"
            yield error("HB041", message, fact.span, f"expect it instead: `expect {example.name}: after …`")


def _later(example: Example, unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB041 for the actions after the first one."""
    for action in example.later:
        predicate = unit.predicate(action.predicate)
        if predicate is not None and predicate.kind != "action":
            message = f"`{action.predicate}` is no action"
            help_ = "only actions follow `then`; facts precede the first one"
            yield error("HB041", message, action.span, help_)
    if not example.later:
        return
    first = (unit.predicate(fact.predicate) for fact in example.facts if isinstance(fact, Atom))
    if example.source is None and all(each is None or each.kind != "action" for each in first):
        message = f"the example `{example.name}` has no action before `then`"
        help_ = "the first action is one of the facts: `FACTS, ACTION then ACTION`"
        yield error("HB041", message, example.later[0].span, help_)
    fact = _stated_fluent(unit)
    if fact is not None:
        shown = print_condition(fact)
        message = f"the theory states `{shown}` of every state ({fact.span.place}), so no action can end it"
        help_ = f"take it out of the theory, and give it in the example `{example.name}`"
        yield error("HB041", message, example.later[0].span, help_)


def _stated_fluent(unit: CheckUnit) -> Statement | None:
    """Return the first fluent fact of the theory and its imports."""
    imported = (clause for clause in unit.imported if isinstance(clause, Rule) and clause.is_fact)
    for fact in (*unit.facts, *imported):
        predicate = unit.predicate(fact.head.relation)
        if predicate is not None and predicate.kind == "fluent":
            return fact.head
    return None


# Expectations


def _answers(expect: Expect, prepared: PreparedClause, unit: CheckUnit) -> Iterator[Diagnostic]:
    if expect.answers is None:
        return
    names = answer_variables(expect.conditions)
    first = expect.answers[0][0]
    if not names:
        what = "an absence" if isinstance(expect.conditions[0], Absent) else "a question without variables"
        message = f"{what} has no answers to give"
        yield error("HB041", message, first.span, "leave `gives` out")
        return
    sorts = answer_sorts(prepared, unit)
    for row in expect.answers:
        if len(row) != len(names):
            variables = ", ".join(f"`?{name}`" for name in names)
            expected = counted(len(names), "value")
            message = f"an answer here has {expected}, for {variables}, not {len(row)}"
            help_ = "write each answer as `(…, …)`" if len(names) > 1 else "write one value for each answer"
            yield error("HB041", message, row[0].span, help_)
            return
        for name, term in zip(names, row, strict=True):
            if isinstance(term, Variable):
                yield error(
                    "HB041", "an expected answer cannot hold a variable", term.span, "write a constant"
                )
            elif name in sorts:
                problem = problem_of(term, sorts[name], f"`?{name}`", unit)
                yield from () if problem is None else (problem,)
