"""Results of planning as text and JSON; the text claims no more than is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hornbook.games.planning import PlannedSituation
from hornbook.kb.text.counts import counted
from hornbook.play.kep.lines import rules_used

_STOPPED = {
    "nodes": "stopped at the most positions that --nodes allows",
    "seconds": "stopped at the time that --seconds allows",
    "interrupted": "interrupted",
}


def headline(one: PlannedSituation) -> str:
    """Return the verdict as a sentence; it claims no more than the proof."""
    player, opponent, verdict = one.player, one.opponent, one.result.verdict
    by = f"proved by the rules of `{one.known.claims_theory.name}`"
    if verdict == "won":
        return f"won: {by} that {player} wins, whatever {opponent} does"
    if verdict == "refuted":
        return f"refuted: {by} that {opponent} does not lose, whatever {player} does"
    if verdict == "proposed":
        return (
            f"proposed: a plan of {player} survives all counter-plans that are known; not proved"
            f" that {player} wins, nor that not"
        )
    return f"open: no plan of {player} survives; not proved that {player} wins, nor that not"


def text(one: PlannedSituation) -> list[str]:
    """Return the lines of text about one position."""
    result = one.result
    lines = [headline(one)]
    move = one.move
    if move is not None:
        lines.append(f"  {one.player} begins with {move}{_among(one)}")
    if result.proof is not None:
        proof = result.proof
        states, plies = len(proof.nodes), proof.nodes[proof.root].rank
        lines.append(f"  proof: {counted(states, 'position')}, {counted(plies, 'ply', 'plies')} at most")
        ends = ", ".join(f"{rule} ({number})" for rule, number in rules_used(proof))
        if ends:
            lines.append(f"  it ends where these rules decide: {ends}")
    lines.append(f"  {_looked_at(one)}")
    return lines


def line(one: PlannedSituation) -> str:
    """Return one line about a position, for a list of several."""
    move = "" if one.move is None else f", {one.move}{_among(one)}"
    stopped = "" if result_stopped(one) is None else f"; {result_stopped(one)}"
    return f"{one.situation.name}: {one.result.verdict}{move}{stopped}"


def summary(found: Sequence[PlannedSituation], total: int) -> list[str]:
    """Return the number of positions by verdict, and the number of first moves among the best of the file."""
    verdicts = Counter[str](one.result.verdict for one in found)
    names = ("won", "refuted", "proposed", "open")
    lines = [f"{counted(len(found), 'position')}: " + ", ".join(f"{verdicts[name]} {name}" for name in names)]
    given = [one for one in found if one.situation.best]
    if given:
        among = Counter(one.is_among_the_best for one in given)
        lines.append(
            f"best moves are given for {len(given)}: the first move is among them"
            f" {counted(among[True], 'time')},"
            f" another one {counted(among[False], 'time')}, and none is found {counted(among[None], 'time')}"
        )
    if len(found) < total:
        lines.append(f"interrupted: {total - len(found)} more not looked at")
    return lines


def as_json(one: PlannedSituation) -> dict[str, Any]:
    """Return one position as JSON."""
    result, domain, state = one.result, one.known.domain, one.situation.state
    proof = result.proof
    return {
        "name": one.situation.name,
        "state": domain.write_line(state),
        "player": one.player,
        "verdict": result.verdict,
        "proved": proof is not None,
        "move": one.move,
        "best": [domain.write_move(state, each) for each in one.situation.best],
        "among_best": one.is_among_the_best,
        "stopped": result.stopped,
        "value": result.value,
        "expected": one.expectation,
        "positions": {"planned": result.planned, "proving": result.proved, "matched": result.matches},
        "proof": None
        if proof is None
        else {
            "positions": len(proof.nodes),
            "plies": proof.nodes[proof.root].rank,
            "rules": dict(rules_used(proof)),
        },
    }


def result_stopped(one: PlannedSituation) -> str | None:
    """Return the limit that was exceeded, as text."""
    return None if one.result.stopped is None else _STOPPED[one.result.stopped]


def _among(one: PlannedSituation) -> str:
    given = ", ".join(one.known.domain.write_move(one.situation.state, each) for each in one.situation.best)
    match one.is_among_the_best:
        case None:
            return ""
        case True:
            return f", which is among the best moves given: {given}"
        case _:
            return f", which is not among the best moves given: {given}"


def _looked_at(one: PlannedSituation) -> str:
    result = one.result
    line = (
        f"{counted(result.nodes, 'position')} looked at; the plan is worth {result.value} of"
        f" {one.expectation} expected"
    )
    stopped = result_stopped(one)
    return line if stopped is None else f"{line}; {stopped}"
