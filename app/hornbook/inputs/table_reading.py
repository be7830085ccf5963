"""How the tables of a command are read, from its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.ast.theory import Vocabulary
    from hornbook.kb.tables.readers.table_format import TableFormat


@dataclass(frozen=True, slots=True)
class TableReading:
    """How tables are read: whether bad rows are skipped, and the formats of texts, as `--table-format` gives
    them.
    """

    skip_bad: bool = False
    settings: tuple[str, ...] = ()

    def formats(self, vocabulary: Vocabulary) -> TableFormats:
        """Return the formats of the tables of a vocabulary's predicates. Raises ArgumentError."""
        from hornbook.kb.tables.readers import table_format  # noqa: PLC0415 - slow to import

        read: dict[str, dict[str, str]] = {}
        for setting in self.settings:
            key, equals, value = setting.partition("=")
            predicate, _, name = key.rpartition(".")
            if not equals or name not in table_format.NAMES:
                known = ", ".join(table_format.NAMES)
                raise _refused(
                    f"`{setting}` is not NAME=VALUE, such as `decimal=,`, or PREDICATE.NAME=VALUE; the"
                    f" names are {known}"
                )
            if predicate and predicate not in vocabulary.predicates:
                from hornbook.kb.sources.diagnostics import did_you_mean  # noqa: PLC0415 - slow to import

                hint = did_you_mean(predicate, vocabulary.predicates)
                raise _refused(f"no predicate is called `{predicate}`" + (f"; {hint}" if hint else ""))
            of_predicate = read.setdefault(predicate, {})
            if name in of_predicate:
                raise _refused(f"`{key}` is set twice")
            of_predicate[name] = value
        general = read.pop("", {})
        try:
            of_predicates = ((name, {**general, **own}) for name, own in read.items())
            return TableFormats(
                table_format.TableFormat(**general),
                tuple((name, table_format.TableFormat(**given)) for name, given in of_predicates),
            )
        except table_format.TableFormatError as problem:
            raise _refused(str(problem)) from None


def _refused(message: str) -> ArgumentError:
    return ArgumentError(message, "--table-format")


@dataclass(frozen=True, slots=True)
class TableFormats:
    """The format of all tables, and the formats of the tables of some predicates."""

    general: TableFormat
    own: tuple[tuple[str, TableFormat], ...] = ()

    def of(self, predicate: str) -> TableFormat:
        return next((each for name, each in self.own if name == predicate), self.general)
