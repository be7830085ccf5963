"""The command `hornbook learn`: proved general rules from worked examples."""

from __future__ import annotations

from hornbook.commands import options
from hornbook.commands.option_groups import LearningLimitOptions
from hornbook.commands.rules.learning.from_examples import learn_from_examples
from hornbook.commands.rules.learning.from_proofs import learn_from_proofs, proves_in
from hornbook.commands.rules.learning.options import CoverageOptions, ExampleOptions, LearningFileOptions
from hornbook.compiler.learn.learning import examples_of, read_examples
from hornbook.games.lessons import are_problems, learn_problems, lessons_in, lines_in, texts_of
from hornbook.inputs.rule_destination import rule_destination
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import warn
from hornbook.terminal.termination import termination_interrupts


def learn(
    theory: options.Theory,
    *,
    learning: LearningFileOptions,
    on_examples: ExampleOptions,
    covering: CoverageOptions,
    bounds: LearningLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Learn general rules from examples, each proved from the theory, and add them to a rule base.

    An example is an `example` clause: a state with an action. The command learns the goals in its `expect`
    clauses or, without such clauses, every new statement on a game. The rules do not depend on --backend and
    --workers. Ctrl-C and SIGTERM keep admitted rules (exit code 130). The exit code is 1 if nothing is
    learned from some example.

    A long rule gets a short form: parts of it become invented predicates, which are defined with the rules.
    --explain prints all conditions. Rules from problems of Go and chess stay long.

    A Go problem is proved reply by reply, and each partial proof gives a rule. Later problems use the rules
    from earlier problems, so problems are processed one after another in this process.

    A store saves each rule with its proof as soon as it is admitted, and each is reported on its own line.
    Examples already learned from are skipped. A store that does not exist is created.

    An example or problem is given up and reported if it takes more than --seconds, or if the process grows by
    more than --memory. The rules that it gave until then stay.

    With --states, the examples are followed by states of a table whose conclusions the rules do not find. The
    state whose rules find the most for the conditions that they try is kept. This ends when no state adds
    anything, or after --seconds. A table shows what each rule finds and costs. If learned rules conclude
    something that the theory does not conclude, learning ends with an error.
    """
    files = learning.files(theory)
    covering.require_states()
    budget = bounds.budget()
    shared = on_examples.backend()
    where = rule_destination(theory, learning.into, reporting=not json_output, again=False)
    with termination_interrupts(), where as (known, home):
        has_states = covering.states is not None
        if files and not has_states and proves_in(known, files):
            learn_from_proofs(known, files, home, budget, json_output=json_output)
        elif files and not has_states and are_problems(known, files):
            lessons, texts = lessons_in(known, files), texts_of(lines_in(files))
            learn_problems(known, lessons, texts, home, budget, json_output=json_output)
        else:
            examples = [e for file in files for e in read_examples(file, known)]
            examples += [] if files else examples_of(known)
            if has_states:
                from hornbook.commands.rules.learning.from_states import (  # noqa: PLC0415 - slow to import
                    learn_from_table,
                )

                learn_from_table(
                    known, examples, home, covering, on_examples, budget, json_output=json_output
                )
                return
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
            if not examples:
                warn("nothing was learned: there is no example")
                raise ReportedError(1)
