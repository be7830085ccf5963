"""States in the Python API, read by a theory's adapter from a text or file and drawn by its domain."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field
from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import Adapter, reader_of, state_of_file, why_none
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import markup
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.protocols.missing_member import MissingMemberError

_SHOWN = 20
"""The maximum number of facts listed for a state without a picture."""


class NoAdapterError(HornbookError):
    """A state cannot be read because the theory has no adapter."""


@renamed_members
@dataclass(frozen=True, slots=True)
class State:
    """A state of a theory: a board, a position, a month of a firm. `read_state` creates it.

    `value` is the object that the theory's adapter read, such as a `theories.go.states.board.Board`. A
    notebook shows a picture if the theory's domain can draw one, otherwise the first facts.
    """

    theory: Theory = field(repr=False)
    name: str
    value: Any = field(repr=False)
    reader: Adapter | ModuleType = field(repr=False, compare=False)

    @property
    def facts(self) -> list[GroundFact]:
        """The facts of the state, for `KnowledgeBase.add`."""
        return list(self.reader.facts(self.value))

    def to_svg(self) -> str:
        """Return a picture drawn by the theory's domain. Raises NoPictureError if it cannot draw states."""
        domain = the_domain(self.theory, "how its states are drawn", NoPictureError)
        try:
            return domain.picture(self.value, self.name)
        except MissingMemberError as problem:
            raise NoPictureError(str(problem)) from None

    def _repr_html_(self) -> str:
        with suppress(NoPictureError):
            return self.to_svg()
        facts = self.facts
        shown = "".join(f"<li><code>{markup(_text(fact))}</code></li>" for fact in facts[:_SHOWN])
        more = f"<li>and {len(facts) - _SHOWN} more</li>" if len(facts) > _SHOWN else ""
        return f"<p>{markup(self.name)}: {counted(len(facts), 'fact')}</p><ul>{shown}{more}</ul>"


def _text(fact: GroundFact) -> str:
    return print_condition(Atom(fact.relation, tuple(map(Constant, fact.values)), fact.tense))


def read_state(theory: Theory | str | Path, source: str | Path, *, name: str = "<text>") -> State:
    """Return a state of a theory, read by its adapter from a text or from the file of a `Path`.

    Go reads diagrams and SGF; chess reads FEN and diagrams; the firm reads CSV and, from files, Parquet.
    `name` denotes a text in messages. Raises TheoryError with the line and column of an error, NoAdapterError
    if the theory has no adapter, and TypeError if `source` is a string that names a file.

    >>> read_state("chess", "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1").value.to_move
    'white'
    """
    known = theory if isinstance(theory, Theory) else load(theory)
    reader = reader_for(known)
    if isinstance(source, str):
        if _is_file(source):
            raise TypeError(
                f"a string is read as the text of a state, but `{source}` is a file: give Path({source!r})"
            )
        return State(known, name, reader.read(source, name), reader)
    return State(known, source.name, state_of_file(reader, source), reader)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # the text is too long for a name or has a character that no name has
        return False


def state_of(theory: Theory, position: Any) -> State:
    """Return a State for a State, a text, a path, or an object of the theory's adapter."""
    if isinstance(position, State):
        return position
    if isinstance(position, str | Path):
        return read_state(theory, position)
    return State(theory, type(position).__name__, position, reader_for(theory))


def reader_for(theory: Theory) -> Adapter:
    """Return the adapter that reads a theory's states. Raises NoAdapterError if there is none."""
    reader = reader_of(theory)
    if reader is None:
        raise NoAdapterError(
            f"the theory `{theory.name}` has no adapter{why_none(theory)}, so its states are given as facts"
            " (in Python by `KnowledgeBase.add`)"
        )
    return reader
