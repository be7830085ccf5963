"""Audit of rules: their conclusions about states, compared with an independent search.

The search shares no code with the theory of the rules. The states come from random games or from problems.
Each conclusion of each rule about every game in them is judged to the depth of the rule's own proof.
Conclusions about lasting games have no depth. The work is divided into chunks that depend only on the seed
and the chunk's number, so the result does not depend on the number of processes. The states of several chunks
are matched together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import field, replace
from random import Random
from typing import Any, cast

from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.compiler.match.states import Stated, StateMatcher, StateQuery
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.reach import friend_moves
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Atom, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.matcher.program.coded import MOST_FACTS
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.spawning import share_of, spawn_context
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.theories.domain import Domain
from hornbook.theories.protocols.columns import ColumnStates

PART = 20
"""The number of states of a chunk."""
_TOGETHER = 25
"""The greatest number of chunks whose states are matched together."""
_SHARES = 4
"""The least number of times that each of several processes gets chunks, so that all end at the same time."""
OF_A_GAME = 4
"""The number of states from each random game."""
SAFE = 0
"""The key for conclusions without a depth."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A conclusion that search refutes."""

    state: Any
    rule: str
    statement: str


@dataclass(slots=True)
class AuditTally:
    """The counts of an audit: conclusions by depth in plies, undecided ones, and wrong ones."""

    positions: int = 0
    right: Counter[int] = field(default_factory=Counter)
    undecided: Counter[int] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    fired: set[str] = field(default_factory=set)
    stopped: Counter[str] = field(default_factory=Counter)
    """The limits exceeded while matching a state, with their counts; such states are not judged."""

    def add(self, other: AuditTally) -> None:
        self.positions += other.positions
        self.right += other.right
        self.undecided += other.undecided
        self.wrong += other.wrong
        self.fired |= other.fired
        self.stopped += other.stopped


@dataclass(frozen=True, slots=True)
class Audit:
    """The settings of an audit: a theory's rules, random states from a seed, and given states.

    Only the rules in `active` are audited; the others of the rule base serve as lemmas. `seconds`,
    `megabytes` and `facts` limit each match. The search that judges it has its own limits.
    """

    theory: Theory
    rules: RuleBase
    active: frozenset[str]
    positions: int
    seed: int
    boards: tuple[Any, ...] = ()
    seconds: float | None = None
    megabytes: int | None = None
    facts: int | None = MOST_FACTS

    def parts(self) -> int:
        return -(-(self.positions + len(self.boards)) // PART)

    def of_part(self, number: int, domain: Domain) -> Iterator[Any]:
        """Yield the states of a chunk: given ones first, then random ones."""
        first = number * PART
        last = min(first + PART, self.positions + len(self.boards))
        yield from self.boards[first:last]
        random = Random(f"{self.seed} {number}")  # noqa: S311 - no cryptography
        left = last - max(first, min(last, len(self.boards)))
        while left > 0:
            states = domain.random_game(random)
            for state in random.sample(states, min(OF_A_GAME, left, len(states))):
                left -= 1
                yield state


class RuleAuditor:
    """The rules of one rule base, ready to be matched and judged."""

    def __init__(self, audit: Audit, threads: int | None = None) -> None:
        base = audit.rules
        theory = base.definitions.extended(audit.theory)
        self.audit = audit
        self.domain = the_domain(theory, "how its rules are judged")
        self.moves = friend_moves(base)
        self.budget = Budget(seconds=audit.seconds, megabytes=audit.megabytes, facts=audit.facts)
        entries = [entry for entry in base if entry.is_certified and entry.rule.name in audit.active]
        domain = cast("object", self.domain)
        self._writer = domain if isinstance(domain, ColumnStates) else None
        self._matcher = StateMatcher(
            theory,
            self.domain.focus_predicate,
            [entry.rule for entry in entries],
            self.budget.limits,
            SharedRules(key=matching_key(entries, theory)),
            self._writer,
            threads,
        )

    def parts(self, numbers: Iterable[int]) -> Iterator[AuditTally]:
        """Yield the counts of some chunks."""
        chunks = [list(self.audit.of_part(number, self.domain)) for number in numbers]
        queries = [[(state, self._queries(state)) for state in chunk] for chunk in chunks]
        found = iter(
            self._matcher.statements([each for chunk in queries for _, several in chunk for each in several])
        )
        for chunk in queries:
            tally = AuditTally(positions=len(chunk))
            for state, several in chunk:
                for _ in several:
                    self._judge(state, next(found), tally)
            yield tally

    def _queries(self, state: Any) -> Sequence[StateQuery]:
        """Return the queries about all games of a state."""
        theory, writer = self.audit.theory, self._writer
        compact = None if writer is None else writer.column_queries(writer.compact_state(state), None, theory)
        return list(self.domain.questions(state, theory)) if compact is None else compact

    def _judge(self, state: Any, stated: Stated | BaseException, tally: AuditTally) -> None:
        """Judge the conclusions of the rules about a state, and count them."""
        try:
            with self.budget.bounding():
                self._count(state, _without_error(stated), tally)
        except SpentError as spent:
            tally.stopped[str(spent)] += 1

    def _count(self, state: Any, conclusions: Stated, tally: AuditTally) -> None:
        known: dict[tuple[GameStatement, int], bool | None] = {}
        for rule, statement in sorted(conclusions, key=lambda pair: (pair[0], print_condition(pair[1]))):
            moves = self.moves[rule]
            lasts = statement.game.predicate in self.domain.lasting
            depth = SAFE if lasts else 2 * moves - (statement.value != SECOND_PLAYER_WIN)
            if (statement, moves) not in known:
                known[statement, moves] = self.domain.judge(state, statement, moves, self._conclusions_about)
            verdict = known[statement, moves]
            tally.fired.add(rule)
            if verdict is None:
                tally.undecided[depth] += 1
            elif verdict:
                tally.right[depth] += 1
            else:
                tally.wrong.append(Wrong(state, rule, print_condition(without_tense(statement))))

    def _conclusions_about(self, state: Any, game: Atom) -> Iterator[GameStatement]:
        [found] = self._matcher.statements([self.domain.question(state, game)])
        yield from dict.fromkeys(statement for _, statement in _without_error(found))


def _without_error(found: Stated | BaseException) -> Stated:
    """Return the conclusions about a state. Raises the error of its match."""
    if isinstance(found, BaseException):
        raise found
    return found


def without_tense(statement: GameStatement) -> GameStatement:
    """Return the statement without its tense."""
    return replace(statement, game=replace(statement.game, tense=None))


_auditors: list[RuleAuditor] = []
"""The auditor of this worker process."""


def _begin(audit: Audit, threads: int) -> None:
    _auditors.append(RuleAuditor(audit, threads))


@exits_are_errors
def _parts(numbers: Sequence[int]) -> list[AuditTally]:
    return list(_auditors[0].parts(numbers))


def audited(audit: Audit, workers: int = 1) -> Iterator[AuditTally]:
    """Yield the counts of each chunk, in order."""
    number = audit.parts()
    together = min(_TOGETHER, number if workers == 1 else -(-number // (_SHARES * workers)))
    several = [range(first, min(first + together, number)) for first in range(0, number, max(together, 1))]
    if workers == 1:
        auditor = RuleAuditor(audit)
        yield from (tally for numbers in several for tally in auditor.parts(numbers))
        return
    with ProcessPoolExecutor(workers, spawn_context(), _begin, (audit, share_of(workers))) as pool:
        yield from (tally for tallies in pool.map(_parts, several) for tally in tallies)
