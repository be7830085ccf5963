"""Positions of Go on small boards from random play, and rules for them."""

from __future__ import annotations

import random
from pathlib import Path

import hornbook
from hornbook.theories.go.problems.making.games import game, noisy_move
from hornbook.theories.go.states.diagram import print_diagram

LEARNED = "t0133"
"""Problem of Go that the rules are learned from."""


def learned(into: Path) -> hornbook.LearnedRules:
    """Return rules of the theory `capture`, also written to a file."""
    lesson = next(each for each in hornbook.read_problems("capture") if each.name == LEARNED)
    rules = hornbook.learn("capture", [lesson]).rules
    rules.save(into)
    return rules


def positions(side: int, number: int, rng: random.Random) -> list[str]:
    """Return diagrams of boards late in random games."""
    found: list[str] = []
    while len(found) < number:
        played = list(game(side, rng, noisy_move))
        board = played[-1 - len(played) // 6]
        if board.blocks:
            found.append(print_diagram(board))
    return found
