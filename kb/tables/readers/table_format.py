"""How the texts of a table write numbers and dates, as options of its reader."""

from __future__ import annotations

from dataclasses import fields

from hornbook.kb.tables.readers.date_formats import DateFormatError, pattern_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

OPTION = "--table-format"
"""The option of commands, which messages name."""
THOUSANDS = (".", ",", "'", "’", "_", " ")


class TableFormatError(HornbookError, ValueError):
    """A table format that cannot be read. The message says why."""


@dataclass(frozen=True, slots=True)
class TableFormat:
    """How the texts of a table write numbers and dates.

    Attributes:
        delimiter: The character between the cells of a CSV. Without it, the ending of the file name decides.
        decimal: The decimal separator: `.` or `,`.
        thousands: The separator of groups of three digits: `.`, `,`, `'`, `’`, `_` or a blank. Without it,
            numbers have no groups. A blank stands for a no-break space, too.
        date: The format of dates, with the codes `%d`, `%m` and `%Y` of `strptime`, such as `%d.%m.%Y`.
            Without it, dates are those of ISO 8601.
        time: The format of times, with the codes of dates and `%H`, `%M`, `%S`, or `%I` and `%p`.

    Raises TableFormatError for another value. Cells with numbers or dates of their own, such as those of
    Parquet, do not depend on the format.
    """

    delimiter: str = ""
    decimal: str = "."
    thousands: str = ""
    date: str = ""
    time: str = ""

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise TableFormatError(f"the decimal separator is `.` or `,`, and not `{self.decimal}`")
        if self.thousands and self.thousands not in THOUSANDS:
            known = " ".join(f"`{each}`" for each in THOUSANDS[:-1])
            raise TableFormatError(
                f"the separator of thousands is {known} or a blank, and not `{self.thousands}`"
            )
        if self.thousands == self.decimal:
            raise TableFormatError(f"`{self.decimal}` cannot separate both decimals and thousands")
        if self.delimiter and (len(self.delimiter) > 1 or self.delimiter in '"\r\n'):
            raise TableFormatError(f"the delimiter is one character, and not `{self.delimiter}`")
        for kind in ("date", "time"):
            written = getattr(self, kind)
            try:
                if written:
                    pattern_of(written, kind)
            except DateFormatError as problem:
                raise TableFormatError(f"the {kind} format `{written}`: {problem}") from None


NAMES = tuple(each.name for each in fields(TableFormat))
"""The names of the options."""
ISO = TableFormat()
"""The format of the language: points, no groups, and ISO 8601."""
