"""A check of a written proof: it is rebuilt from its first position by the moves of the game, then verified.

The file is not trusted. Positions are computed by the game and must equal those in the file. Each move must
be legal and lead to the stated node, and every reply must be present. The correctness of the rebuilt proof is
decided by `play.kep.proof.check` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from hornbook.commands.search.proof_file import WrittenNode, WrittenProof
from hornbook.games.planning import PlanningKnowledge
from hornbook.kb.hornbook_error import HornbookError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.strategies.check import MOST_SHOWN, Mistake
from hornbook.play.kep.proof import KepProof, KepProofNode, ProofError, check
from hornbook.theories.domain import Domain


def check_written(
    written: WrittenProof, known: PlanningKnowledge, progress: Callable[[int], None] = lambda _: None
) -> tuple[Mistake, ...]:
    """Return the first mistakes of a proof under these rules. `told` is called with the number of rebuilt
    positions.
    """
    if written.theory != known.name:
        problem = f"the proof is about `{_short(written.theory)}`, and not about `{known.name}`"
        return (Mistake(None, f"{problem}: name that theory"),)
    root = _first(written, known.domain)
    if isinstance(root, Mistake):
        return (root,)
    players = known.players(root)
    if written.player not in players:
        names = ", ".join(sorted(players))
        return (Mistake(None, f"no player is called `{_short(written.player)}`; the players are {names}"),)
    rebuilt = _Made(written, known, root)
    rebuilt.run(progress)
    return tuple(rebuilt.mistakes[:MOST_SHOWN]) or tuple(_walked(rebuilt))


def rules_not_known(written: WrittenProof, known: PlanningKnowledge) -> list[str]:
    """Return the rules that a proof names and that are not known."""
    named = {node.rule for node in written.nodes if node.rule is not None}
    return sorted(named - known.rule_names)


def _first(written: WrittenProof, domain: Domain) -> Any:
    """Return the position of the first node, or a mistake in it."""
    text = written.nodes[0].state
    try:
        root = domain.adapter.read(text, "the position")
    except TheoryError as problem:
        return Mistake(0, f"`{_short(text)}` is no position: {problem.diagnostics[0].message}")
    except HornbookError as problem:
        return Mistake(0, f"`{_short(text)}` is no position: {problem}")
    anew = domain.write_line(root)
    if anew != text:
        return Mistake(0, f"the position is written `{anew}`, not `{_short(text)}`")
    return root


@dataclass(slots=True)
class _Made:
    """A proof rebuilt from a written one. `numbers` has the node number of each position."""

    written: WrittenProof
    known: PlanningKnowledge
    root: Any
    numbers: dict[Any, int] = field(default_factory=dict)
    nodes: dict[Any, KepProofNode] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    @property
    def proof(self) -> KepProof:
        return KepProof(self.written.player, self.root, self.nodes)

    def run(self, progress: Callable[[int], None]) -> None:
        self.numbers[self.root] = 0
        waiting = [self.root]
        while waiting and len(self.mistakes) < MOST_SHOWN:
            waiting += self._followed(waiting.pop())
            progress(len(self.nodes))
        if not self.mistakes:
            missed = sorted(set(range(len(self.written.nodes))) - set(self.numbers.values()))
            self.mistakes += [Mistake(number, "no line of play leads to this node") for number in missed]

    def _followed(self, state: Any) -> Iterator[Any]:
        """Rebuild a node, and yield its new successor positions."""
        number, game = self.numbers[state], self.known.planning.game
        node = self.written.nodes[number]
        if node.rule is not None:
            self.nodes[state] = KepProofNode(node.rank, rule=node.rule)
            return
        legal = {self.known.domain.write_move(state, each): each for each in game.actions(state)}
        mine = game.to_move(state) == self.written.player
        faults = list(_faults(node, list(legal), mine=mine))
        if faults:
            self.mistakes += [Mistake(number, fault) for fault in faults]
            return
        actions = [(legal[move], to) for move, to in node.moves]
        self.nodes[state] = KepProofNode(node.rank, action=actions[0][0] if mine and actions else None)
        for (move, _), (action, to) in zip(node.moves, actions, strict=True):
            then = game.after(state, action)
            arises, shown = self.known.domain.write_line(then), self.written.nodes[to].state
            if arises != shown:
                problem = f"after {move} comes `{arises}`, and node {to} is `{_short(shown)}`"
                self.mistakes.append(Mistake(number, problem))
            elif self.numbers.setdefault(then, to) != to:
                problem = f"after {move} comes node {self.numbers[then]}, and node {to} is the same position"
                self.mistakes.append(Mistake(number, problem))
            elif then not in self.nodes:
                yield then


def _faults(node: WrittenNode, legal: list[str], *, mine: bool) -> Iterator[str]:
    """Yield the faults of a node's moves, given the legal moves."""
    moves = [move for move, _ in node.moves]
    for move in moves:
        if move not in legal:
            yield f"`{_short(move)}` is not legal here"
    if len(set(moves)) < len(moves):
        yield "a move occurs twice"
    if mine and legal and len(moves) != 1:
        yield f"the player moves here, so a proof has one move, not {len(moves)}"
    missing = [] if mine else sorted(set(legal) - set(moves))
    if missing:
        yield f"the proof has no reply to {', '.join(missing)}"


def _walked(rebuilt: _Made) -> Iterator[Mistake]:
    """Yield the mistake that the checker finds, if any."""
    written, known = rebuilt.written, rebuilt.known
    saying = known.holds if written.holds else known.wins
    try:
        check(rebuilt.proof, known.planning.game, saying, holds=written.holds)
    except ProofError as problem:
        number = rebuilt.numbers[problem.state]
        yield Mistake(number, on_one_line(problem.fault) + _way_out(written.nodes[number].rule, known))


def _way_out(rule: str | None, known: PlanningKnowledge) -> str:
    if rule is None or rule in known.rule_names:
        return ""
    return (
        f"; it is not one of the rules of {known.rules_from}: check"
        " with the --rules with which the proof was made"
    )


def _short(text: str) -> str:
    return on_one_line(text[:80])
