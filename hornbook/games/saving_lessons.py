"""Blocks of problems that are saved by two eyes, as lessons: learned after the captures, by rules of their own.

A capture that is not won is proved as the other game, which its opponent wins: by that, P is concluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hornbook.compiler.learn.lessons import Lesson, Pupil, Taught
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.parts import part_of
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.theories.go import eyes
from hornbook.theories.go.problems.lessons import saving_of
from hornbook.theories.go.problems.problem import Problem
from hornbook.theories.go.problems.saving import moves_to_save, moves_to_save_second

SAVED = " saved"
"""What the name of a lesson in saving ends in."""


def is_about_saving(theory: Theory) -> bool:
    """Whether the theory has the game of saving a block."""
    return theory.replies_of("save") is not None


def saving_pupil(known: Theory, base: RuleBase, budget: Budget | None = None) -> Pupil:
    """Who learns to save, and rests on the rules of a base that are about that; each lesson has the whole budget."""
    return Pupil(part_of(known, "save"), eyes, base, budget, known)


def saving_lessons(problems: Iterable[Problem], file: str) -> list[Lesson]:
    """The problems whose blocks are saved within a few moves, as lessons."""
    found = []
    for problem in problems:
        moves = moves_to_save(problem)
        if moves is not None:
            second = moves_to_save_second(problem)
            name = problem.id + SAVED
            found.append(Lesson(name, file, problem.board, saving_of(problem), moves, second))
    return found


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of lessons in saving: how many there were, and were proved, with the owner first and second."""

    lessons: int
    first: int
    asked_second: int
    second: int
    refused: Counter[str]

    @classmethod
    def of(cls, taught: Iterable[Taught], pupil: Pupil) -> Saved:
        each = list(taught)
        asked = [t.second for t in each if t.second is not None]
        return cls(len(each), sum(t.first for t in each), len(asked), sum(asked), pupil.refused)

    def as_json(self) -> dict[str, object]:
        return {"problems": self.lessons, "first": self.first, "second": [self.second, self.asked_second]}

    def text(self) -> str:
        return (
            f"{self.lessons} blocks that two eyes save: {self.first} proved with the defender first,"
            f" {self.second} of {self.asked_second} with the attacker first"
        )
