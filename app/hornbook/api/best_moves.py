"""Choice of the best move among those that rules conclude, by lower bounds on the gain.

A move that wins a decisive game is better than any amount. For the other moves, the domain's theory `gains`
derives an amount. Its rules use the conclusions of the learned rules: they conclude a game `gain` whose last
argument is the amount. If the domain has no such theory, a game gains its declared `worth`.

Every amount is a lower bound. Some moves may have no bound at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hornbook.api.answers import Answer
from hornbook.api.chains import line_of, lines_of
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import State
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement, Rule, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.answering.answering import Chain
from hornbook.play.answering.gains import GAIN, Gains, amount_of, chain_fact


@dataclass(frozen=True, slots=True)
class ConcludedMove:
    """A legal move that wins some game according to the rules.

    Attributes:
        move: The move in the language.
        answers: The conclusions of rules about this move.
        wins: Whether the move wins a decisive game.
        gains: A lower bound on the gain; None if no bound is known.
        proof: The proof of `gains`, if a theory concludes it.
        chains: The games that the move wins by a chain of matches.
        replies: The number of replies to the move, if players may not pass; else 0.
    """

    move: str
    answers: tuple[Answer, ...]
    wins: bool = False
    gains: int | None = None
    proof: Proof | None = None
    chains: Mapping[Atom, Chain] = field(default_factory=dict)
    replies: int = 0

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """The sort key of moves; moves with equal ranks are ties."""
        return self.wins, self.gains is not None, 0 if self.wins else self.gains or 0

    def __str__(self) -> str:
        matched = dict.fromkeys(f"{each.game}: {each.rule}" for each in self.answers)
        chained = (
            f"{print_condition(game)} by a chain, such as {' '.join(line_of(chain))}: {chain.rule}"
            for game, chain in self.chains.items()
        )
        conclusions = ", ".join([*matched, *chained])
        least = (
            "no lower bound of the gain is known" if self.gains is None else f"gains at least {self.gains}"
        )
        return f"{self.move}: {'wins' if self.wins else least}  [{conclusions}]"

    def as_json(self) -> dict[str, Any]:
        """Return a dict with the keys `move`, `wins`, `gains_at_least`, `rules` and `proof`.

        An entry of `rules` that comes from a chain of matches also has the lines of the chain.
        """
        chained = [
            {"game": print_condition(game), "rule": chain.rule, "chain": [*lines_of(chain)]}
            for game, chain in self.chains.items()
        ]
        return {
            "move": self.move,
            "wins": self.wins,
            "gains_at_least": self.gains,
            "rules": [*({"game": each.game, "rule": each.rule} for each in self.answers), *chained],
            "proof": [] if self.proof is None else list(self.proof.lines()),
        }


def best_of(moves: Sequence[ConcludedMove]) -> list[ConcludedMove]:
    """Return the first move and all that tie with it, from moves in the order of `BestMoves.of`.

    The result is empty if no move has a known gain.
    """
    return [move for move in moves if move.rank == moves[0].rank and (move.wins or move.gains is not None)]


def verdict(moves: Sequence[ConcludedMove]) -> str:
    """Return a sentence about the best of `moves`, which must not be empty, and how strong this claim is."""
    best = best_of(moves)
    names = " and ".join(move.move for move in best)
    if not best:
        return "no gain is proved for any of them"
    if best[0].wins:
        return f"{names} {'wins' if len(best) == 1 else 'win'}: nothing gains more"
    bound = "the others may gain more than is proved" if len(best) < len(moves) else "it may gain more"
    if len(best) > 1:
        return (
            f"a tie of the proved gains: {names} gain at least {best[0].gains} each;"
            " any of them may gain more"
        )
    return f"the best proved gain is that of {names}, at least {best[0].gains}; {bound}"


class BestMoves:
    """Ranking of the moves in one state after another, from the answers of learned rules."""

    def __init__(self, theory: Theory, rules: Sequence[Rule], limits: Limits | None = None) -> None:
        """Prepare the ranking for the learned `rules` whose answers will be given.

        Raises:
            NoPictureError: If no domain says which games to query.
            TheoryError: If the domain's theory of gains has errors.
        """
        self._theory = theory
        self._domain = the_domain(theory, "what is asked about its states", NoPictureError)
        self.gains: Gains | None = None
        gains = None if self._domain.gains is None else load(self._domain.gains)
        # Other theories of a domain have games that the theory of gains lacks, and rules with predicates that
        # it lacks. The conclusions of such rules are passed to it as facts.
        self._foreign_rules: set[str] = set()
        self._games: set[str] = set()
        if gains is not None and (shared := _games(theory) & _games(gains)):
            known = [rule for rule in rules if gains.vocabulary.predicates.keys() >= _predicates(rule)]
            self._foreign_rules = {rule.name for rule in rules} - {rule.name for rule in known}
            self._games = shared
            self.gains = Gains(gains, known, self._domain.decisive, limits)

    def of(
        self,
        state: State,
        answers: Iterable[Answer],
        chains: Iterable[tuple[Atom, Chain]] = (),
        *,
        proofs: bool = True,
    ) -> list[ConcludedMove]:
        """Return the moves that answers or chains conclude for the player to move, best first.

        A chain of matches counts only for games that no answer says are won. Moves are sorted by gain, then
        by the number of replies that they leave (fewest first), then in the order of the answers.

        Raises:
            KnowledgeBaseError: If a limit is exceeded. Then nothing is known.
        """
        legal = {_atom(action): action for action in self._domain.actions(state.value)}
        found: dict[Atom, list[Answer]] = {}
        for answer in answers:
            by = answer.conclusion.of_game.by
            if answer.conclusion.of_game.value == WON and by in legal:
                assert by is not None
                found.setdefault(by, []).append(answer)
        matched = {_game(a) for each in found.values() for a in each}
        further: dict[Atom, dict[Atom, Chain]] = {by: {} for by in found}
        for game, chain in chains:
            if game not in matched and chain.move in legal:
                further.setdefault(chain.move, {})[game] = chain
        assumed_games = {
            by: {
                *each,
                *(
                    _game(a)
                    for a in found.get(by, ())
                    if a.rule in self._foreign_rules and _game(a).predicate in self._games
                ),
            }
            for by, each in further.items()
        }
        bounds = self._lower_bounds(state, assumed_games, proofs=proofs)
        moves = [
            self._concluded_move(state, legal[by], found.get(by, ()), each, *bounds.get(by, (None, None)))
            for by, each in further.items()
        ]
        return sorted(moves, key=lambda move: (*move.rank, -move.replies), reverse=True)

    def _concluded_move(
        self,
        state: State,
        action: GroundFact,
        answers: Sequence[Answer],
        chains: Mapping[Atom, Chain],
        gains: int | None,
        proof: Proof | None,
    ) -> ConcludedMove:
        games = {answer.conclusion.of_game.game.predicate for answer in answers}
        games |= {game.predicate for game in chains}
        if self.gains is None:
            predicates = self._theory.vocabulary.predicates
            worths = [worth for game in games if (worth := predicates[game].worth) is not None]
            gains = max(worths, default=None)
        for game in chains:
            if game.predicate == GAIN and (gains is None or amount_of(game) > gains):
                gains, proof = amount_of(game), None
        wins = bool(games & self._domain.decisive)
        replies = 0
        if self._domain.passing is None:
            replies = sum(1 for _ in self._domain.actions(self._domain.after(state.value, action)))
        by = print_condition(_atom(action))
        return ConcludedMove(by, tuple(answers), wins, gains, proof, chains, replies)

    def _lower_bounds(
        self, state: State, actions: Mapping[Atom, Collection[Atom]], *, proofs: bool
    ) -> dict[Atom, tuple[int, Proof | None]]:
        """Return the largest amount that the theory derives for each action, with its proof if `proofs`.

        `actions` maps each action to the games that it wins by a chain, or by a rule with predicates that the
        theory lacks.
        """
        found: dict[Atom, tuple[int, Proof | None]] = {}
        if self.gains is None or not actions:
            return found
        chained = [
            chain_fact(game, by) for by, games in actions.items() for game in games if game.predicate != GAIN
        ]
        for question in self._domain.questions(state.value, self._theory):
            for gain in self.gains.at([*question.parts, *chained]):
                by, is_amount = gain.by, gain.game.predicate == GAIN
                if is_amount and by in actions and (by not in found or gain.amount > found[by][0]):
                    found[by] = gain.amount, self.gains.proof(gain) if proofs else None
        return found


def _game(answer: Answer) -> Atom:
    return replace(answer.conclusion.of_game.game, tense=None)


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))


def _games(theory: Theory) -> set[str]:
    return {name for name, each in theory.vocabulary.predicates.items() if each.kind == "game"}


def _predicates(rule: Rule) -> set[str]:
    """Return the predicates and games that occur in a rule."""
    statements_read = (rule.head, *statements(rule.body))
    return {
        each.game.predicate if isinstance(each, GameStatement) else each.relation for each in statements_read
    }
