"""Plans learned from lines of play, `EXAMPLE: GAME :- ACTION, ACTION, ….`.

The opponent passes after each action.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.compiler.learn.driver import RuleAdmission, drive
from hornbook.compiler.learn.learner import RefusedProof
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.learn.plans import PlanStrategy, PlanTask, line_from
from hornbook.compiler.rules.provenance import Provenance
from hornbook.inputs.rule_destination import RuleDestination
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError, ground_fact
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.coded import Limits
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line


def learn_plans_of(
    theory: Theory,
    examples: Sequence[Example],
    texts: Iterable[str],
    home: RuleDestination,
    limits: Limits,
    *,
    json_output: bool,
) -> None:
    """Learn the plans of lines, store them and print the results; the exit code is 1 if a move gave no plan.

    Raises ArgumentError if a text is no line of the theory's game from one of the examples.
    """
    tasks = [_task(text, theory, examples) for text in texts]
    rules, notes = RuleAdmission(theory, home.base), []
    before, learned, refused = len(home.base), 0, 0
    home.start()
    for task, progress in zip(tasks, drive(PlanStrategy(theory, limits), tasks, rules), strict=True):
        name, outcome = task.origin.example, progress.outcome
        if outcome.fault is not None:
            notes.append(f"{name}: {outcome.fault}")
            refused += 1
        for each in outcome.found:
            if isinstance(each, RefusedProof):
                notes.append(f"{name}: refused: {print_condition(each.goal)}: {each.reason}")
                refused += 1
            else:
                learned += 1
    base = rules.base
    home.finish(base)
    if json_output:
        counts = {"lines": len(tasks), "plans": learned, "refused": refused, "admitted": len(base) - before}
        print_json({**counts, "rules": len(base), "notes": notes})
    else:
        for text in notes:
            print_line(text)
        print_line(
            f"{counted(len(tasks), 'line')}: {counted(learned, 'plan')} proved, {len(base) - before}"
            " admitted,"
            f" {refused} refused\n{counted(len(base), 'rule')} in {home.path}"
        )
    if refused:
        raise ReportedError(1)


def _task(text: str, theory: Theory, examples: Sequence[Example]) -> PlanTask:
    """Return a line of play with its example as provenance."""
    written = text if text.rstrip().endswith(".") else f"{text}."
    parsed = parse(written, "--line")
    if parsed.diagnostics:
        raise TheoryError(parsed.diagnostics, {"--line": written})
    clause = parsed.clauses[0] if len(parsed.clauses) == 1 else None
    if not isinstance(clause, Rule) or clause.label is None or not clause.body:
        raise _no_line(text, "write `EXAMPLE: GAME :- ACTION, ACTION, …`")
    example = next((each for each in examples if each.name == clause.label), None)
    if example is None:
        names = ", ".join(each.name for each in examples) or "none"
        raise _no_line(text, f"there is no example `{clause.label}`; the examples are: {names}")
    game = _ground(clause.head, "game", theory, text)
    actions = [ground_fact(_ground(condition, "action", theory, text)) for condition in clause.body]
    kinds = theory.vocabulary.predicates
    facts: list[GroundFact] = [fact for fact in example.facts if kinds[fact.relation].kind != "action"]
    try:
        line = line_from(theory, facts, game, actions)
    except (KnowledgeBaseError, FactError) as problem:
        raise _no_line(text, str(problem)) from None
    return PlanTask(line, Provenance(example.name, example.file, print_condition(game), ()))


def _ground(condition: object, kind: str, theory: Theory, text: str) -> Atom:
    """Return the argument if it is an atom of a declared game or action, without variables."""
    if isinstance(condition, Atom) and condition.tense is None:
        declared = theory.vocabulary.predicates.get(condition.predicate)
        if declared is not None and declared.kind == kind and declared.arity == len(condition.terms):
            if all(isinstance(term, Constant) for term in condition.terms):
                return condition
            raise _no_line(text, f"`{print_condition(condition)}` has a variable: name a thing")
        raise _no_line(text, f"`{print_condition(condition)}` is no {kind} of the theory")
    raise _no_line(text, "a line is a game and actions, each with its arguments")


def _no_line(text: str, problem: str) -> ArgumentError:
    return ArgumentError(on_one_line(f"`{text}`: {problem}"), argument="--line")
