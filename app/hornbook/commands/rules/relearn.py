"""The command `hornbook rules relearn`: rules for the examples and problems of retired rules."""

from __future__ import annotations

from hornbook.commands import options
from hornbook.commands.option_groups import LearningLimitOptions
from hornbook.commands.rules.learning.from_examples import learn_from_examples
from hornbook.commands.rules.learning.options import ExampleOptions, LearningFileOptions
from hornbook.games.known_examples import learned_from
from hornbook.games.lessons import learn_problems, lines_in, texts_of
from hornbook.inputs.rule_destination import rule_destination
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import warn
from hornbook.terminal.termination import termination_interrupts


def relearn(
    theory: options.Theory,
    *,
    learning: LearningFileOptions,
    on_examples: ExampleOptions,
    bounds: LearningLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Learn again from the examples of retired rules.

    Examples are used again even if the store has already learned from them. --problems names files that have
    moved. The exit code is 1 if the example or problem of some rule is not found.
    """
    files = learning.files(theory, of_one_kind=False)
    budget = bounds.budget()
    shared = on_examples.backend()
    where = rule_destination(theory, learning.into, reporting=not json_output, again=True)
    with termination_interrupts(), where as (known, home):
        examples, lessons, lost = learned_from(known, home, files)
        for message in lost:
            warn(message)
        if not (examples or lessons or lost):
            warn("no retired rule can be learned again")
        if lessons:
            stored = [each.content for each in home.learned_from()]
            texts = texts_of([*stored, *lines_in(files)])
            learn_problems(known, lessons, texts, home, budget, json_output=json_output)
        if examples or not lessons:
            learn_from_examples(
                known,
                examples,
                home,
                shared,
                on_examples.proofs,
                budget.limits,
                explain=on_examples.explain,
                json_output=json_output,
            )
        if lost:
            raise ReportedError(1)
