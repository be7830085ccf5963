"""Results of planning as files: lines of play, a picture, and JSON lines for verification."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import networkx as nx

from hornbook.games.planning import PlannedSituation
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.kep.lines import MET, turns
from hornbook.render import drawing
from hornbook.theories.protocols.missing_member import implemented
from hornbook.theories.protocols.optional import Planned
from hornbook.theories.protocols.planning import Turn

MOST_DRAWN = 300
"""The largest number of positions in a picture."""
VERSION = 1


class PlayTooLargeToDrawError(HornbookError, ValueError):
    """The lines of play have too many positions for a picture."""


def play(one: PlannedSituation) -> str:
    """Return the lines of play in the notation of the domain; for an open position only the position."""
    found = one.lines() or Turn(None, one.situation.state)
    found.notes.insert(0, one.result.verdict)
    return implemented(one.known.domain, Planned).write_play(found, one.situation.name)


def picture(one: PlannedSituation) -> str:
    """Return a graph of the positions as SVG, with the moves that lead to each; equal positions share a box.

    Raises PlayTooLargeToDrawError.
    """
    root = one.lines() or Turn(None, one.situation.state)
    domain, game = one.known.domain, one.known.planning.game
    numbers: dict[Any, int] = {root.state: 0}
    above: dict[int, dict[str, None]] = {}
    below: dict[int, dict[str, None]] = {}
    edges: dict[tuple[int, int], None] = {}
    for turn in turns(root):
        for then in turn.after:
            there = numbers.setdefault(then.state, len(numbers))
            move = "passes" if then.action is None else domain.write_move(turn.state, then.action)
            above.setdefault(there, {})[f"{game.to_move(turn.state)} {move}"] = None
            below.setdefault(there, {}).update(dict.fromkeys(note for note in then.notes if note != MET))
            edges[numbers[turn.state], there] = None
    if len(numbers) > MOST_DRAWN:
        raise PlayTooLargeToDrawError(
            f"there are {len(numbers):,} positions, and a picture shows {MOST_DRAWN} at most; use `--pgn`"
            " to write all of them"
        )
    graph: nx.DiGraph[int] = nx.DiGraph()
    followed = {here for here, _ in edges}
    for state, number in numbers.items():
        board = domain.write(state).rstrip("\n")
        kind = "given" if number == 0 else "derived" if number in followed else "goal"
        label = "\n".join([*above.get(number, {}), board, *below.get(number, {})])
        graph.add_node(number, label=label, kind=kind)
    graph.add_edges_from(edges, style="solid")
    return drawing.svg(graph)


def proof_lines(one: PlannedSituation) -> Iterator[str]:
    """Yield a proof as JSON lines: a header, then a line for each position from the root on."""
    proof, domain, game = one.result.proof, one.known.domain, one.known.planning.game
    assert proof is not None
    numbers = {proof.root: 0}
    for state in proof.nodes:
        numbers.setdefault(state, len(numbers))
    says = "wins" if one.result.verdict == "won" else "holds"
    theory = one.known.name
    head = {
        "strategy": VERSION,
        "theory": theory,
        "player": proof.player,
        "says": says,
        "rules": one.known.rules_named,
        "nodes": len(numbers),
    }
    yield json.dumps(head) + "\n"
    for state, number in numbers.items():
        node = proof.nodes[state]
        made: dict[str, Any] = {"node": number, "state": domain.write_line(state), "rank": node.rank}
        if node.rule is not None:
            made["rule"] = node.rule
        else:
            actions = game.actions(state) if node.action is None else [node.action]
            made["moves"] = [
                {"move": domain.write_move(state, each), "to": numbers[game.after(state, each)]}
                for each in actions
            ]
        yield json.dumps(made, ensure_ascii=False) + "\n"
