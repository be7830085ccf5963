"""Learning for programs: from examples and problems to proved rules, without terminal output.

The result depends only on the theory, the examples and problems in their order, and the existing rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hornbook.api.learned_rules import LearnedRules, base_for
from hornbook.compiler.learn import learning
from hornbook.compiler.learn.covering.goals import coverage_goals
from hornbook.compiler.learn.covering.learner import CoverageLearner, rules_step
from hornbook.compiler.learn.covering.measure import LearnedKnowledge
from hornbook.compiler.learn.driver import drive
from hornbook.compiler.learn.learning import Example, learn_all
from hornbook.compiler.learn.lessons import Problem, RuleLearner, without_special_cases
from hornbook.compiler.learn.shortening.shortening import continued
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.lessons import learner_for, lessons_by_stage, lessons_of
from hornbook.inputs.domains import NoDomainError, the_domain
from hornbook.inputs.games import game_of
from hornbook.inputs.states import State
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.coverage.covered_table import CoveredTable
from hornbook.spread.coverage.report import CoverageReport


class NoProblemsError(NoDomainError):
    """The theory has no such problems; the message names the alternatives."""


@dataclass(frozen=True, slots=True)
class LearningResult:
    """The outcome of learning from one example or problem.

    Attributes:
        name: The name of the example or problem.
        proved: Whether everything expected of it was proved.
        rules: The names of the rules admitted for it.
        reason: The obstacle, or the rules of the theory that the proved rules only repeat.
    """

    name: str
    proved: bool
    rules: tuple[str, ...]
    reason: str


@renamed_members
@dataclass(frozen=True, slots=True)
class LearningReport:
    """The result of learning: the rules, old and new, and the outcome of each example or problem.

    After learning from a table of states, `coverage` describes the conclusions that the rules find there.
    """

    rules: LearnedRules
    results: tuple[LearningResult, ...]
    coverage: CoverageReport | None = None


def read_examples(theory: Theory | str | Path, path: str | Path | None = None) -> list[Example]:
    """Return the worked examples of a theory, or of a file that imports it.

    Raises:
        TheoryError: If the file has mistakes.
        KnowledgeBaseError: If the file belongs to another theory.

    >>> [example.name for example in read_examples("cup")]
    ['edgars_cup', 'a_glass']
    """
    known = theory if isinstance(theory, Theory) else load(theory)
    return learning.read_examples(path or known.path or known.name, known)


def read_problems(theory: Theory | str | Path, path: str | Path | None = None) -> list[Problem]:
    """Return the problems of a file, or the shipped ones, as read by the theory's domain.

    Raises:
        NoProblemsError: If no domain reads problems of the theory.
        TheoryError: If the file cannot be read.

    >>> read_problems("chess")[0].name
    'hanging-001'
    """
    known = theory if isinstance(theory, Theory) else load(theory)
    domain = the_domain(known, "what its problems are (else learn from its `read_examples`)", NoProblemsError)
    return lessons_of(domain, domain.shipped() if path is None else Path(path), known)


def make_problem(state: State, game: str, moves: int, *, name: str = "a problem") -> Problem:
    """Return a custom problem: in this position the first player wins the game within `moves` moves.

    Args:
        state: The position.
        game: The game, such as `take(c1)`.
        moves: The largest number of moves.
        name: The name of the problem.

    Raises:
        NoProblemsError: If no domain reads games of the theory.
        TheoryError: If the text is not a game of the state's theory.
    """
    try:
        about = game_of(state.theory, game)
    except ValueError as problem:
        raise NoProblemsError(str(problem)) from None
    return Problem(name, state.name, state.value, about, moves)


@renamed_parameters
def learn(
    theory: Theory | str | Path,
    learn_from: Iterable[Example | Problem] | None = None,
    rules: LearnedRules | None = None,
    *,
    proofs: int = 1,
    limits: Limits | None = None,
    states: Any = None,
    goals: Sequence[str] = (),
    skip_bad: bool = False,
) -> LearningReport:
    """Learn general rules, each proved from the theory, and add them to the existing rules.

    A failure to learn from an example is no error; `LearningReport.results` reports it. The same holds if
    an example exceeds a limit.

    Args:
        theory: The theory, or its name or file.
        learn_from: Examples (see `read_examples`) or problems (see `read_problems` and `make_problem`); by
          default the theory's own examples.
        rules: The existing rules, by default none.
        proofs: The number of proofs to try for each example. The most general resulting rule is retained.
        limits: The limits for each example. `bytes` bounds the growth of the process. With `states`, the
            seconds bound the whole run.
        states: A table of states to learn from after the examples, as for `evaluate_states`. States whose
            conclusions the rules do not find are examples, until no state adds a conclusion.
        goals: With `states`, the predicates of the conclusions to find. By default, they are the conclusions
            that the theory's `expect` clauses name. A predicate stands for its facts after the action if the
            theory has actions.
        skip_bad: Whether states with errors are left out.

    Raises:
        KnowledgeBaseError: There is no such goal.
        TableError: The table has no column `state`, or states have errors and are not left out.
        WrongConclusionError: Learned rules conclude something about a state that the theory does not
            conclude.

    >>> learn("cup").rules["cup_1"].is_certified
    True
    """
    known = theory if isinstance(theory, Theory) else load(theory)
    base = LearnedRules(known).base if rules is None else base_for(rules, known)
    tasks = list(read_examples(known) if learn_from is None else learn_from)
    budget = Budget.of(limits)
    if states is not None:
        return _cover(known, base, tasks, states, goals, proofs, budget, skip_bad=skip_bad)
    taught: list[LearningResult] = []
    worked = [each for each in tasks if isinstance(each, Example)]
    for step in learn_all(worked, known, base, max_proofs=proofs, limits=budget.limits):
        base, outcome = step.base, step.outcome
        reasons = [outcome.fault] if outcome.fault else []
        reasons += [f"{print_condition(each.goal)}: {each.reason}" for each in outcome.refused]
        reasons += [str(gap) for gap in outcome.gaps]
        if not (outcome.proofs or reasons):
            reasons = ["nothing is expected of it that could be learned, and no game has a new value"]
            reasons += step.task.skipped_goals
        named = tuple(entry.rule.name for entry in step.admitted)
        notes = [*reasons, *map(str, step.left_out)]
        taught.append(LearningResult(step.task.name, not reasons, named, "; ".join(notes)))
    won = [each for each in tasks if isinstance(each, Problem)]
    if won:
        domain = the_domain(known, "where to look for proofs", NoProblemsError)
        for part in filter(None, lessons_by_stage(domain, won).values()):
            learner = learner_for(known, domain, part[0].game.predicate, base, budget)
            taught += _teach(learner, part)
            base = learner.base
    learned = continued(without_special_cases(base) if won else base, known)
    return LearningReport(LearnedRules(known, learned), tuple(taught))


def _cover(
    known: Theory,
    base: RuleBase,
    tasks: Iterable[Example | Problem],
    states: Any,
    goals: Sequence[str],
    proofs: int,
    budget: Budget,
    *,
    skip_bad: bool,
) -> LearningReport:
    """Learn from examples, and then from states of a table. Problems are left out."""
    table = CoveredTable(known, states, budget.limits, skip_bad=skip_bad)
    to_cover, learned = coverage_goals(known, goals), LearnedKnowledge(known, base)
    learner = CoverageLearner(known, learned, table, to_cover, rules_step(proofs), budget)
    first = learner.covered
    examples = [each for each in tasks if isinstance(each, Example)]
    steps = [*learner.learn_from_examples(examples), *learner.learn()]
    taught = (
        LearningResult(step.example.name, not step.notes, step.admitted, "; ".join(step.notes))
        for step in steps
    )
    rules = LearnedRules(known, continued(learner.knowledge.base, known))
    return LearningReport(rules, tuple(taught), CoverageReport.of(learner, table.states, first, steps))


def _teach(learner: RuleLearner, part: Iterable[Problem]) -> Iterator[LearningResult]:
    """Yield the result of each problem in turn, with the rules it added and the reasons for refusals."""
    refused = learner.refused
    for step in drive(learner, part, learner.rules):
        each, named = step.outcome, tuple(entry.rule.name for entry in step.admitted)
        proved = each.first and each.second is not False
        causes = "; ".join(learner.refused - refused)
        reason = each.stopped or causes or f"no proof within {counted(each.lesson.moves, 'move')} was found"
        yield LearningResult(each.lesson.name, proved, named, "" if proved else reason)
        refused = learner.refused
