"""Commands of lenses: running an example, or learning a rule from it, independent of the editor."""

from __future__ import annotations

from dataclasses import replace

from hornbook.api.teaching import learn
from hornbook.compiler.learn.learning import examples_of
from hornbook.kb.ast.declarations import Expect
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import run_examples
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

SECONDS = 60
"""The time limit in seconds for learning from an example."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The results of an example: a summary, and the derived values of each unmet expectation."""

    outcomes: tuple[tuple[Expect, str], ...]
    summary: str


def run_example(theory: Theory, name: str) -> Ran:
    """Run the expectations of one example. Raises HornbookError if it cannot be set up."""
    only = replace(
        theory,
        examples=tuple(example for example in theory.examples if example.name == name),
        expects=tuple(expect for expect in theory.expects if expect.example == name),
    )
    report = run_examples(only)
    failed = len(report.failed)
    summary = f"{name}: {counted(len(report.outcomes) - failed, 'expectation')} met, {failed} not met"
    return Ran(tuple((outcome.expect, outcome.why) for outcome in report.outcomes), summary)


def learned_text(theory: Theory, name: str, file: str) -> str:
    """Return the rules learned from one example, each below its proof, or the reasons why there are none.

    The result is a text in the language that imports the file of the example.
    """
    only = replace(theory, examples=tuple(example for example in theory.examples if example.name == name))
    learned = learn(theory, examples_of(only), limits=Limits(seconds=SECONDS))
    rows = [f"% Learned from the example `{name}` of the theory `{theory.name}`.", f"import {file}."]
    for taught in learned.results:
        rows += [f"% {line}" for line in lines_of(taught.reason)]
    for rule in learned.rules:
        rows.append("")
        rows += [f"% {line}".rstrip() for line in lines_of(rule.proof)]
        rows.append(rule.text.rstrip("\n"))
    return "\n".join(rows) + "\n"
