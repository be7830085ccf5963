"""States in the Python API, read by a theory's adapter or as facts, and drawn by its domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.inputs.domains import NoPictureError, domain_of, the_domain
from hornbook.inputs.opening import read_tables
from hornbook.inputs.table_reading import TableReading
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import Part, rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import Adapter, state_of_file, why_none
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.sources.files import read_text
from hornbook.kb.tables.readers.fact_texts import FactTexts, state_reader
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import markup
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import warn
from hornbook.theories.domain import Domain, RuleQuery
from hornbook.theories.protocols.missing_member import MissingMemberError

_SHOWN = 20
"""The maximum number of facts listed for a state without a picture."""


class NoAdapterError(HornbookError):
    """A state cannot be read because the theory's adapter may not be run."""


@renamed_members
@dataclass(frozen=True, slots=True)
class State:
    """A state of a theory: a board, a position, a month of a firm. `read_state` creates it.

    `value` is the object that the theory's adapter read, such as a `theories.go.states.board.Board`. Without
    an adapter it is a tuple of facts. A notebook shows a picture if the theory's domain can draw one,
    otherwise the first facts.
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

    Go reads diagrams and SGF; chess reads FEN and diagrams; the firm reads CSV and, from files, Parquet. If
    the theory has no adapter, a state is facts in the language. `name` denotes a text in messages. Raises
    TheoryError with the line and column of an error, NoAdapterError if the adapter may not be run, and
    TypeError if `source` is a string that names a file.

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
    """Return the reader of a theory's states: its adapter, or a reader of facts in the language.

    Raises NoAdapterError if the theory has an adapter that may not be run.
    """
    reader = state_reader(theory)
    if reader is None:
        raise NoAdapterError(f"the theory `{theory.name}` has no adapter{why_none(theory)}")
    return reader


class FactsDomain(Domain):
    """The domain of theories without games. A state is its facts, and all rules are matched on it."""

    def __init__(self, reader: Adapter) -> None:
        self.adapter = reader  # type: ignore[assignment]  # it has the functions of the module

    def parts(self, state: Any) -> list[Part]:
        """Return the facts of a state as one part."""
        return [Part(rows_of, (tuple(self.adapter.facts(state)),))]

    def questions(self, state: Any, theory: Theory) -> Iterator[RuleQuery]:
        """Yield the only query about a state."""
        yield RuleQuery(self.parts(state), ())


def matching_domain(theory: Theory) -> Domain:
    """Return the domain for matching rules on states: that of a theory with games, or `FactsDomain`."""
    declared = theory.vocabulary.predicates.values()
    found = domain_of(theory) if any(each.kind == "game" for each in declared) else None
    return FactsDomain(reader_for(theory)) if found is None else found


def has_games(theory: Theory) -> bool:
    """Return whether rules are matched on the games of a state, and not on a set of facts."""
    return not isinstance(matching_domain(theory), FactsDomain)


def state_of_facts(
    theory: Theory, position: Path | None, tables: Sequence[str], files: Sequence[Path]
) -> State:
    """Return a state with the facts of a position, of tables (`PREDICATE=FILE`) and of files in the language.

    Raises ArgumentError if the states of the theory are positions of a game.
    """
    if has_games(theory):
        raise ArgumentError(
            f"a state of `{theory.name}` is a position of a game, which POSITION gives as a whole", "--facts"
        )
    reader = FactTexts(theory)
    found = [] if position is None else read_state(theory, position).facts
    for _, table in read_tables(tables, theory.vocabulary, reading=TableReading(), tell=warn):
        found += table.facts
    for file in files:
        found += reader.read(read_text(file), str(file))
    return State(theory, "facts", tuple(dict.fromkeys(found)), reader)
