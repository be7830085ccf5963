"""A ground program: a game as rules without variables, for evaluators that know no terms.

Atoms are numbers. First come the inputs: atom `f` says that fluent `f` is true, and then, role after role, an atom for each
move says that it is done. Then come NEVER (`never`, no rule) and ALWAYS (`always`, one rule without conditions), and then all
other atoms that rules conclude, in an order in which each rests on earlier ones, but for cycles: atoms that rest on one
another positively and are evaluated together, as the least fixpoint of their rules.

For every set of fluents as state and every set of moves as what is done, the model of these rules has exactly what the
sheet's rules say of `legal`, `next`, `terminal` and `goal`. Fluents and moves that it does not list are never true or legal in
a state that can be reached from the first one.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class GroundProgram:
    """Arrays have the type code `i`. Rule `r` concludes the atom `heads[r]` from the presence of the atoms
    `positive[positive_starts[r]:positive_starts[r + 1]]` and the absence of `negative[negative_starts[r]:negative_starts[r + 1]]`.

    Rules stand in the order of their heads. A positive atom is smaller than the head or in its cycle, a negative one is
    smaller and in no cycle with it. No two rules are the same, and in one rule no atom stands twice.
    """

    roles: tuple[str, ...]
    atoms: int
    """Atoms are numbered from 0 to `atoms - 1`."""
    fluents: tuple[Ground, ...]
    """Sorted by their text. A state is a set of their numbers, which are their atoms' numbers too."""
    initial: tuple[int, ...]
    """The fluents of the first state, ascending."""
    next_atoms: array[int]
    """For each fluent the atom that says that it comes next."""
    moves: tuple[tuple[Ground, ...], ...]
    """For each role its moves, sorted by their text."""
    does_atoms: tuple[array[int], ...]
    """For each role and move the atom that says that it is done."""
    legal_atoms: tuple[array[int], ...]
    """For each role and move the atom that says that it may be done."""
    terminal: int
    """The atom that says that the game is over."""
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each role what a state can be worth, ascending, with the atom that says so. Terms that are not integers from 0 to 100 are left out."""
    heads: array[int]
    positive_starts: array[int]
    positive: array[int]
    negative_starts: array[int]
    negative: array[int]
    cycles: tuple[tuple[int, int], ...]
    """Each cycle as its first atom and the one behind its last. They ascend."""

    @property
    def inputs(self) -> int:
        """How many atoms no rule concludes since states and moves tell them."""
        return len(self.fluents) + sum(map(len, self.moves))

    @property
    def never(self) -> int:
        """The atom that is never true."""
        return self.inputs

    @property
    def always(self) -> int:
        """The atom that is always true."""
        return self.inputs + 1
