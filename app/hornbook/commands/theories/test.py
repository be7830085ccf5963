"""The command `hornbook test`: the expectations in a theory."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import flag
from hornbook.compiler.refute.clashes import clashes
from hornbook.inputs.opening import limit_of_facts
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.base.examples import run_examples
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.counts import counted
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line, warn


def test(
    theory: options.Theory,
    coverage: Annotated[bool, flag("--coverage", "Show how often each rule fired.")] = False,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Run the `example` and `expect` clauses of a theory.

    The exit code is 1 if an expectation is not met; the report then shows the facts derived instead. The
    count of a rule is the number of facts that it concluded in the examples. The command also looks for small
    states in which two rules give one key two values, and prints a warning for each.
    """
    known = open_theory(theory, unchanged=True)
    report = run_examples(known, limits=limit_of_facts(most_facts))
    failed = report.failed
    clashing = list(clashes(known))
    if json_output:
        rules = [
            {"rule": rule.name, "file": rule.span.file, "line": rule.span.line, "facts": count}
            for rule, count in report.fired
        ]
        found = {
            "outcomes": [outcome.as_json() for outcome in report.outcomes],
            "rules": rules,
            "clashes": [each.as_json() for each in clashing],
        }
        print_json(found)
    else:
        for outcome in failed:
            expected = ", ".join(print_condition(c) for c in outcome.expect.conditions)
            print_line(f"{outcome.expect.span}: {outcome.expect.example}: expected {expected}")
            print_line(f"  {outcome.why}")
        if coverage:
            for rule, count in report.fired:
                print_line(f"{count:6}  {rule.name}  [{rule.span.file}:{rule.span.line}]")
            never = sum(count == 0 for _, count in report.fired)
            print_line(f"{len(report.fired) - never} of {counted(len(report.fired), 'rule')} fired")
        for each in clashing:
            warn(f"warning: {each}")
        print_line(f"{len(report.outcomes) - len(failed)} met, {len(failed)} not met")
    if failed:
        raise ReportedError(1)
