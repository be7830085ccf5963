"""`hornbook learn`: proved general rules from worked examples."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from hornbook.commands.rules.learning.from_proofs import learn_from_proofs, proves_in
from hornbook.compiler.learn.learning import (
    Example,
    Spread,
    examples_of,
    learn_all,
    read_examples,
)
from hornbook.compiler.learn.learning import Progress as Step
from hornbook.games.known_examples import learned_from
from hornbook.games.lessons import are_problems, learn_problems, lessons_in, lines_in, texts_of
from hornbook.games.plan_lessons import learn_plans_from
from hornbook.games.plan_lines import learn_plans_of
from hornbook.games.planning import Known, known_of
from hornbook.games.word_lessons import learn_words
from hornbook.inputs import options
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.problem_files import problem_files
from hornbook.inputs.rule_home import SAID_WHERE_INTERRUPTED, RuleHome, Task, rule_home
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.budget import Budget
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import MOST_FACTS, Limits
from hornbook.spread.asking import place_of
from hornbook.spread.places import Opened, in_order, results
from hornbook.terminal.coloured import progress
from hornbook.terminal.termination import termination_interrupts

WITHOUT_A_LINE = ""
"""What `--plans` is given where nothing follows it."""


def learn(
    theory: options.Theory,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            metavar="RULES",
            help="The file or store that takes the rules, by default the store that is the THEORY; what is there stays.",
        ),
    ] = None,
    problems: Annotated[
        list[Path] | None,
        typer.Option(
            "--problems",
            metavar="FILE",
            help="Files with examples, or problems (of Go .jsonl or .sgf, of chess .jsonl; with --plans .epd); the theory's own"
            " examples if not given.",
        ),
    ] = None,
    more: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Further files for --problems.", show_default=False),
    ] = None,
    again: Annotated[
        bool,
        typer.Option(
            "--again", help="Learn again from the examples and problems of rules that were retired."
        ),
    ] = False,
    plans: Annotated[
        list[str] | None,
        typer.Option(
            "--plans",
            metavar="[LINE]",
            help="Learn plans: from a line of own moves, `EXAMPLE: GAME :- ACTION, ACTION, …`, which may be given again; without"
            " one, from the problems of --problems.",
        ),
    ] = None,
    words: Annotated[
        bool,
        typer.Option(
            "--words",
            help="Invent words for what holds after an action, which stand beside the rules as a theory, RULES_words.horn.",
        ),
    ] = False,
    on: options.On = None,
    workers: options.Workers = None,
    proofs: Annotated[
        int,
        typer.Option(metavar="N", help="Proofs to try for each goal; the most general rule is kept.", min=1),
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print every rule with the proof it generalises.")
    ] = False,
    seconds: options.SearchSeconds = 600.0,
    memory: options.SearchMemory = options.SEARCH_MEGABYTES,
    most_facts: options.SearchMostFacts = MOST_FACTS,
    json_output: options.Json = False,
) -> None:
    """Learn general rules from examples, each proved from the theory, and add them to a rule base.

    An example is an `example` clause: a state with an action. The command learns what its `expect` clauses
    state or, without such clauses, every new statement on a game. The rules do not depend on where the
    work is done, nor by how many. Ctrl-C and SIGTERM keep admitted rules (exit code 130). The exit code is 1 if nothing is learned
    from some example.

    A Go problem is proved reply by reply, and each proof on the way gives a rule. Later problems use rules
    that earlier ones taught, so they are taken one after another, in this process.

    A store keeps each rule, with its proof, as soon as it is admitted, and each is reported on a line of
    its own; examples already learned from are skipped. A store that does not exist is created.

    With --again, after `verify --renew`, the command learns again from each retired rule's own example or
    problem, even if the store has it as learned from; --problems names files that have moved. The exit code
    is 1 if one is not found.

    With --plans, what is learned are plans: what comes if the opponent passes after each of these moves from the
    state of an example, one rule for each number of moves that are left.

    With --plans and no line, positions of --problems are lessons, each with a line of play that the file gives or that is searched for.
    Where planning does not come to what the line earns, it is explained: plans are learned, and goals that
    later lessons give plans for. The exit code is 1 if some problem has no line, or was given up.

    With --words, what recurs in explanations, is asked of each member of a closed set, or rests on much, gets a word that is read
    before the action. RULES_words.horn has the words, their clauses, and lemmas with proofs beside it; the rules are for that theory.

    An example or problem that takes more than --seconds, or for which the process grows by more than
    --memory, is given up and reported; the rules that it gave by then stay.
    """
    files = problem_files(theory, problems, more, of_one_kind=not again)
    budget = Budget(seconds=seconds, megabytes=memory, facts=most_facts)
    if plans is not None and WITHOUT_A_LINE in plans:
        place = _place_of_plans(plans, files, into, again=again)
        learn_plans_from(_planned(theory), files, place, budget, json_output=json_output)
        return
    if words:
        if again or plans or on or workers or explain or proofs > 1:
            raise typer.BadParameter(
                "words are invented from examples or problems anew, in this process: leave out --again, --plans, --on, --workers,"
                " --proofs and --explain",
                param_hint="--words",
            )
        learn_words(theory, files, into, budget.limits, json_output=json_output)
        return
    shared = None if on is None and workers in (None, 1) else place_of(on, workers)
    where = rule_home(theory, into, reporting=not json_output, again=again)
    with termination_interrupts(), where as (known, home):
        if again:
            examples, lessons, lost = learned_from(known, home, files)
            for said in lost:
                typer.echo(said, err=True)
            if not (examples or lessons or lost):
                typer.echo("nothing to learn again: no rule is retired", err=True)
            if lessons:
                kept = [each.content for each in home.learned_from()]
                texts = texts_of([*kept, *lines_in(files)])
                learn_problems(known, lessons, texts, home, budget, json_output=json_output)
            if examples or not lessons:
                _learn(
                    known,
                    examples,
                    home,
                    shared,
                    proofs,
                    budget.limits,
                    explain=explain,
                    json_output=json_output,
                )
            if lost:
                raise typer.Exit(1)
        elif plans:
            examples = [e for file in files for e in read_examples(file, known)] or list(examples_of(known))
            learn_plans_of(known, examples, plans, home, budget.limits, json_output=json_output)
        elif files and proves_in(known, files):
            learn_from_proofs(known, files, home, budget, json_output=json_output)
        elif files and are_problems(known, files):
            lessons, texts = lessons_in(known, files), texts_of(lines_in(files))
            learn_problems(known, lessons, texts, home, budget, json_output=json_output)
        else:
            examples = [e for file in files for e in read_examples(file, known)]
            examples += [] if files else examples_of(known)
            _learn(
                known, examples, home, shared, proofs, budget.limits, explain=explain, json_output=json_output
            )
            if not examples:
                typer.echo("nothing was learned: there is no example", err=True)
                raise typer.Exit(1)


def _planned(theory: str) -> Known:
    """What is known for planning in a theory's game. Raises BadParameter where nothing is."""
    try:
        return known_of(open_theory(theory, unchanged=True))
    except NoDomainError as problem:
        raise typer.BadParameter(str(problem), param_hint="THEORY") from None


def _place_of_plans(lines: Sequence[str], files: Sequence[Path], into: Path | None, *, again: bool) -> Path:
    """Where plans go that are learned from problems. Raises BadParameter where they cannot be learned so."""
    if any(line != WITHOUT_A_LINE for line in lines):
        raise typer.BadParameter("give lines, or learn from problems without one", param_hint="--plans")
    if again:
        raise typer.BadParameter("plans are learned from problems anew each time", param_hint="--again")
    if not files:
        raise typer.BadParameter(
            "a line is missing, or files to learn from without one", param_hint="--problems"
        )
    if into is None or store_named(into) is not None:
        raise typer.BadParameter(
            "plans that are learned from problems go into a file of rules", param_hint="--into"
        )
    return into


def _learn(
    known: Theory,
    examples: Sequence[Example],
    home: RuleHome,
    shared: Opened | None,
    proofs: int,
    limits: Limits,
    *,
    explain: bool,
    json_output: bool,
) -> None:
    """Learns from examples in the language, and says what came of them."""
    base = home.base
    tasks = {id(example): _task(example, proofs) for example in examples}
    new = [example for example in examples if not home.knows(tasks[id(example)])]
    counts = "examples known proofs admitted subsumed repeating dropped refused gaps faults"
    totals = {**dict.fromkeys(counts.split(), 0), "known": len(examples) - len(new)}
    said: list[str] = []
    started = time.perf_counter()
    interrupted = False
    with _spread(shared if new else None) as spread, progress("learning", len(new), lines=True) as went_on:
        home.start()
        try:
            for step in learn_all(new, known, base, max_proofs=proofs, spread=spread, limits=limits):
                base, outcome = step.base, step.outcome
                if not outcome.fault:  # it may come from a limit
                    is_learned = not (outcome.gaps or outcome.refused)
                    home.lesson(tasks[id(outcome.example)], base, _outcome(step), is_learned=is_learned)
                _count(totals, step)
                said += _sayings(step, explain=explain)
                went_on(advance=1, said=f"{totals['admitted']} admitted, {totals['subsumed']} subsumed")
        except KeyboardInterrupt:
            interrupted = True
    home.finish(base)
    seconds = time.perf_counter() - started
    if json_output:
        typer.echo(
            json.dumps(
                {**totals, "rules": len(base), "seconds": round(seconds, 3), "notes": said},
                ensure_ascii=False,
            )
        )
    else:
        for line in said:
            typer.echo(line)
        typer.echo(
            f"{counted(totals['examples'], 'example')}{_and_known(totals['known'])}, {counted(totals['proofs'], 'proof')}:"
            f" {counted(totals['admitted'], 'rule')} admitted,"
            f" {totals['subsumed']} subsumed,{_repeating(totals['repeating'])} {totals['dropped']} dropped for more general ones,"
            f" {totals['refused']} refused, {counted(totals['gaps'], 'gap')}\n"
            f"{counted(len(base), 'rule')} in {home.path}; {seconds:.1f} s"
        )
    if interrupted:
        typer.echo(SAID_WHERE_INTERRUPTED, err=True)
        raise typer.Exit(130)
    has_learned = totals["proofs"] > 0 or not new
    if totals["faults"] or totals["gaps"] or totals["refused"] or not has_learned:
        raise typer.Exit(1)


@contextmanager
def _spread(shared: Opened | None) -> Iterator[Spread | None]:
    """What shares the work, as long as it lasts."""
    if shared is None:
        yield None
        return
    with shared() as place:
        yield lambda this, parts: in_order(results(place, this, enumerate(parts)))


def _task(example: Example, proofs: int) -> Task:
    """An example as a store keeps it."""
    facts = "\n".join(_fact_text(fact) for fact in example.facts)
    goals = ", ".join(map(print_condition, example.goals))
    return Task(example.name, example.file, facts, f"{goals}; {proofs} proofs")


def _fact_text(fact: GroundFact) -> str:
    return json.dumps([fact.relation, *fact.values, fact.tense], ensure_ascii=False)


def _outcome(step: Step) -> dict[str, object]:
    """What an example came to, as a store keeps it."""
    return {
        "proofs": step.outcome.proofs,
        "admitted": [entry.rule.name for entry in step.admitted],
        "subsumed": [[entry.rule.name, by] for entry, by in step.subsumed],
        "repeating": [each.of.name for each in step.left_out],
        "refused": [refused.reason for refused in step.outcome.refused],
        "gaps": [str(gap) for gap in step.outcome.gaps],
    }


def _and_known(number: int) -> str:
    return f" ({number} more were learned from before)" if number else ""


def _repeating(number: int) -> str:
    return f" {number} left out that repeat the theory," if number else ""


def _count(totals: dict[str, int], step: Step) -> None:
    outcome = step.outcome
    totals["examples"] += 1
    totals["proofs"] += outcome.proofs
    totals["admitted"] += len(step.admitted)
    totals["subsumed"] += len(step.subsumed)
    totals["repeating"] += len(step.left_out)
    totals["dropped"] += len(step.dropped)
    totals["refused"] += len(outcome.refused)
    totals["gaps"] += len(outcome.gaps)
    totals["faults"] += bool(outcome.fault)


def _sayings(step: Step, *, explain: bool) -> list[str]:
    """What there is to say of one example beside its counts."""
    where = f"{step.outcome.example.file}: {step.outcome.example.name}"
    said = [f"{where}: {step.outcome.fault}"] if step.outcome.fault else []
    if not (step.outcome.proofs or step.outcome.gaps or step.outcome.fault):
        passed_over = step.outcome.example.passed_over or ("nothing is expected of it",)
        said.append(f"{where}: nothing to learn: {'; '.join(passed_over)}; and no game has a new value")
    said += [f"{where}: refused: {print_condition(r.goal)}: {r.reason}" for r in step.outcome.refused]
    said += [f"{where}: gap: {gap}" for gap in step.outcome.gaps]
    said += [f"{where}: {repetition}" for repetition in step.repeating]
    if explain:
        said += [f"{where}: learned\n{print_rule(entry.rule)}" for entry in step.admitted]
        said += [f"{where}: {entry.rule.name} says no more than {by}" for entry, by in step.subsumed]
    return said
