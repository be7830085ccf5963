"""Interface of a domain: one class whose instance answers every query of the commands.

A domain has the modules `NAME/adapter.py` and `NAME/domain.py`, whose `DOMAIN` is an instance of a subclass
of `Domain`. Commands use only that instance, so a new domain needs no change elsewhere. A state is any
hashable value that the adapter reads. Members that a domain leaves out have a default, or the command that
needs one names it:

    from hornbook.theories.domain import Domain, game
    from . import adapter

    class Nim(Domain):
        adapter = adapter                                # read, facts, actions, step

        def to_move(self, state): return state.player
        def games(self, state): return [game("last", "ann"), game("last", "bob")]
        def outcome(self, state, game): ...              # True, False, or None while it goes on
        def starts(self): return [adapter.read("ann: 3 2 1", "the beginning")]
        def write(self, state): ...                      # what `adapter.read` reads

    DOMAIN = Nim()

These methods are enough for `learn --problems`, `rules match`, `problems generate`, `problems solve`,
`problems grade`, `problems audit` and `theory profile`. With `decisive = frozenset({"last"})` they are
also enough for `play` and `search best-move`. The trusted part does not depend on a domain: rules come from
proofs by the theory, and the checker certifies each rule.

The friend of a game is the player for whom it is won; the other player is the opponent.
"""

from __future__ import annotations

from typing import Any
from warnings import warn

from hornbook.theories.protocols.games import ConclusionsOf, RuleQuery, first_argument, game
from hornbook.theories.protocols.guidance import Guidance, ProverGuidance
from hornbook.theories.protocols.knowledge import Knowledge, RuleSource
from hornbook.theories.protocols.problem_sets import ProblemSets
from hornbook.theories.protocols.states import FileState, FocusSet
from hornbook.theories.protocols.whole_games import WholeGames

__all__ = [
    "ConclusionsOf",
    "Domain",
    "FileState",
    "FocusSet",
    "ProverGuidance",
    "RuleQuery",
    "RuleSource",
    "first_argument",
    "game",
]


class Domain(WholeGames, ProblemSets, Guidance, Knowledge):
    """Base class of domains.

    Most members have a default; the others raise MissingMemberError, which names the member to write. Members
    for some games only are in `hornbook.theories.protocols.optional`.
    """


_OLD_NAMES = {
    "About": "FocusSet",
    "Asking": "ConclusionsOf",
    "Play": "ProverGuidance",
    "Question": "RuleQuery",
    "Situation": "FileState",
    "thing": "first_argument",
}
"""Names that this module had before, which work for one release."""


def __getattr__(name: str) -> Any:
    if name in _OLD_NAMES:
        warn(f"`{name}` is now `{_OLD_NAMES[name]}`", DeprecationWarning, stacklevel=2)
        return globals()[_OLD_NAMES[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
