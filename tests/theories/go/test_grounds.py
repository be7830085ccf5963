"""Tests of relevance zones: if no point of a zone has changed, matching again gives the same conclusions."""

from __future__ import annotations

from pathlib import Path
from random import Random

from hornbook.commands.games.whole.advice import RuleAdvice
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.play.native import native_of
from hornbook.theories.go.domain import DOMAIN

NATIVE = native_of(DOMAIN)
RULES = Path(__file__).parent / "capture_rules.horn"


def outside(ground: set[str], state):
    """Yield the moves of a state outside the given points that change none of them."""
    for move in state.moves():
        if move not in ground and move != "pass":
            after = state.after(move)
            if all(colour_at(state, point) == colour_at(after, point) for point in ground):
                yield move, after


def colour_at(state, point: str) -> str:
    board = DOMAIN.position(str(state))
    return board.colours[board.point(point)]


def ko_of(state) -> str | None:
    board = DOMAIN.position(str(state))
    return None if board.ko is None else board.name(board.ko)


def test_what_is_proved_stays_proved_while_its_ground_is_as_it_was():
    theory = load("go")
    rules = [entry.rule for entry in rulebase.read(RULES, theory, verify=False)]
    first, anew = (RuleAdvice(theory, DOMAIN, rules) for _ in range(2))
    random, stored, kinds = Random(3), 0, set()
    while stored < 24:
        state = NATIVE.State(DOMAIN.beginning(7))
        for _ in range(random.randrange(14, 34)):
            state = state.after(random.choice([move for move in state.moves() if move != "pass"] or ["pass"]))
        output = first(state)
        for proved in random.sample(output, min(3, len(output))):
            about, _, points = proved.text.partition(" on ")
            ground, now = set(points.split()), state
            for _ in range(4):
                ways = list(outside(ground, now))
                if not ways:
                    break
                _, now = random.choice(ways)
            if now is state or ko_of(state) in ground or ko_of(now) in ground:
                continue
            again = anew(now)
            assert about in {each.text.partition(" on ")[0] for each in again}, (proved, str(state), str(now))
            stored += 1
            kinds.add(tuple(about.split()[::2]))
    assert kinds >= {("lost",), ("lost", "by")}
