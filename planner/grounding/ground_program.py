"""A ground program: a game as rules without variables, for evaluators that know no terms.

Atoms are numbers. First come the inputs: atom `f` means that fluent `f` is true, and then, role after role,
an atom for each move means that it is made. Then come NEVER (`never`, no rule) and ALWAYS (`always`, one rule
without conditions). All other atoms that rules conclude follow, and each depends only on earlier ones. The
only exceptions are cycles: atoms that depend on one another positively are evaluated together, as the least
fixpoint of their rules.

Invariants: For every set of fluents as the state and every set of moves, the model of these rules agrees with
the sheet's rules on `legal`, `next`, `terminal` and `goal`. Fluents and moves that are not listed are never
true or legal in a state that is reachable from the first one.
"""

from __future__ import annotations

from array import array

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class GroundProgram:
    """A ground program. Its arrays have the type code `i`.

    Rule `r` concludes the atom `heads[r]` from the presence of the atoms
    `positive[positive_starts[r]:positive_starts[r + 1]]` and the absence of
    `negative[negative_starts[r]:negative_starts[r + 1]]`.

    Invariants: Rules are sorted by their heads. A positive atom is smaller than the head or in its cycle. A
    negative atom is smaller and in no cycle with the head. No two rules are equal, and no rule has an atom
    twice.
    """

    roles: tuple[str, ...]
    atoms: int
    """Atoms are numbered from 0 to `atoms - 1`."""
    fluents: tuple[Ground, ...]
    """The fluents, sorted by their text. A state is a set of their numbers, which are also the numbers of
    their atoms.
    """
    initial: tuple[int, ...]
    """The fluents of the first state, ascending."""
    next_atoms: array[int]
    """For each fluent, the atom for its truth in the next state."""
    moves: tuple[tuple[Ground, ...], ...]
    """For each role, its moves, sorted by their text."""
    does_atoms: tuple[array[int], ...]
    """For each role and move, the atom for making the move."""
    legal_atoms: tuple[array[int], ...]
    """For each role and move, the atom for its legality."""
    terminal: int
    """The atom for the end of the game."""
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each role, the possible goal values, ascending, each with its atom. Terms that are not integers
    from 0 to 100 are omitted.
    """
    heads: array[int]
    positive_starts: array[int]
    positive: array[int]
    negative_starts: array[int]
    negative: array[int]
    cycles: tuple[tuple[int, int], ...]
    """Each cycle as its first atom and the one after its last. The cycles ascend."""

    @property
    def inputs(self) -> int:
        """Return the number of atoms that no rule concludes because states and moves provide them."""
        return len(self.fluents) + sum(map(len, self.moves))

    @property
    def never(self) -> int:
        """Return the atom that is never true."""
        return self.inputs

    @property
    def always(self) -> int:
        """Return the atom that is always true."""
        return self.inputs + 1
