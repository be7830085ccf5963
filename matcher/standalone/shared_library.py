"""Compiled rules, loaded into this process: a state as cells in, the answers as cells out.

Loading a library runs its code, like the import of a module. A loaded library may make several matchers, each
for one thread at a time.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_void_p
from pathlib import Path

from hornbook.matcher.program.coded import Cell
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.standalone.cpp import VERSION

FILE = "librules.so"
"""The file that the Makefile builds."""
_FUNCTIONS = {
    "version": (c_int32, ()),
    "fingerprint": (c_char_p, ()),
    "rules": (c_int32, ()),
    "rule_name": (c_char_p, (c_int32,)),
    "rule_variables": (c_int32, (c_int32,)),
    "rule_variable": (c_char_p, (c_int32, c_int32)),
    "rule_variable_is_word": (c_int32, (c_int32, c_int32)),
    "open": (c_void_p, ()),
    "close": (None, (c_void_p,)),
    "word": (c_char_p, (c_void_p, c_int64)),
    "clear": (c_int32, (c_void_p,)),
    "forget": (c_int32, (c_void_p,)),
    "keep": (c_int32, (c_void_p,)),
    "read": (c_int32, (c_void_p, c_char_p, c_int64)),
    "solve": (c_int32, (c_void_p,)),
    "answers": (c_int64, (c_void_p,)),
    "answer_rule": (c_int32, (c_void_p, c_int64)),
    "answer_values": (POINTER(c_int64), (c_void_p, c_int64)),
}


class LibraryError(HornbookError):
    """A folder has no compiled rules, or other ones than expected."""


@dataclass(frozen=True, slots=True)
class LibraryRule:
    """An answering rule of a library: its name, and its variables, each with whether it contains words."""

    name: str
    variables: tuple[tuple[str, bool], ...]


class RuleLibrary:
    """The library that was built in a folder. Raises LibraryError if it cannot be loaded."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        if not path.is_file():
            way_out = (
                "run `make` there"
                if (folder / "Makefile").is_file()
                else "`hornbook rules compile` writes what builds it"
            )
            raise LibraryError(f"{path}: there is no such file; {way_out}")
        try:
            self._library = ctypes.CDLL(str(path.resolve()))
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(self._library, f"hornbook_{name}")
                function.restype, function.argtypes = result, arguments
        except (OSError, AttributeError) as problem:
            raise LibraryError(f"{path}: it is no library of rules: {problem}") from None
        if self._library.hornbook_version() != VERSION:
            raise LibraryError(
                f"{path}: it was written by another version of Hornbook; `hornbook rules compile`"
                " writes it again"
            )
        self.fingerprint: str = self._library.hornbook_fingerprint().decode()
        self.rules = tuple(map(self._rule, range(self._library.hornbook_rules())))

    def _rule(self, rule: int) -> LibraryRule:
        variables = range(self._library.hornbook_rule_variables(rule))
        return LibraryRule(
            self._library.hornbook_rule_name(rule).decode(),
            tuple(
                (
                    self._library.hornbook_rule_variable(rule, each).decode(),
                    bool(self._library.hornbook_rule_variable_is_word(rule, each)),
                )
                for each in variables
            ),
        )

    def matcher(self) -> LibraryMatcher:
        """Return a new matcher. Raises MemoryError."""
        return LibraryMatcher(self)


class LibraryMatcher:
    """The rules of a library, queried for one state after another."""

    def __init__(self, library: RuleLibrary) -> None:
        self._functions = library._library  # noqa: SLF001 - one thing in two classes
        self._widths = [len(rule.variables) for rule in library.rules]
        self._opened: int | None = self._functions.hornbook_open()
        if self._opened is None:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "_opened", None) is not None:
            self._functions.hornbook_close(self._opened)

    def words(self) -> list[str]:
        """Return the words that have codes, in the order of their codes."""
        words: list[str] = []
        while (word := self._functions.hornbook_word(self._opened, len(words))) is not None:
            words.append(word.decode())
        return words

    def keep(self, facts: bytes) -> None:
        """Replace the persistent facts; errors in them are reported by `answers`."""
        self._functions.hornbook_forget(self._opened)
        self._functions.hornbook_read(self._opened, facts, len(facts) // 8)
        self._functions.hornbook_keep(self._opened)

    def answers(self, facts: bytes) -> list[tuple[int, tuple[Cell, ...]]] | None:
        """Return each answering rule, by its number, with the cells of its variables, in order.

        The result is None if the library cannot decide. `facts` are 64-bit integers in groups: a predicate,
        the number of its facts, and their cells.
        """
        functions, opened = self._functions, self._opened
        functions.hornbook_clear(opened)
        functions.hornbook_read(opened, facts, len(facts) // 8)
        if functions.hornbook_solve(opened) != 0:
            return None
        found = []
        for number in range(functions.hornbook_answers(opened)):
            rule = functions.hornbook_answer_rule(opened, number)
            values = functions.hornbook_answer_values(opened, number)
            found.append((rule, tuple(values[: self._widths[rule]])))
        return found
