"""Data about the imports of a file, computed once for all versions of the file during editing.

It does not depend on the clauses of the file, except for the results of earlier texts.
"""

from __future__ import annotations

from functools import cached_property

from hornbook.kb.check.earlier import Earlier
from hornbook.kb.check.program.concluded import Concluded, concluded_by_imports
from hornbook.kb.check.program.dependencies import Grouped, imported_groups
from hornbook.kb.check.subject import Subject, subject_of_file
from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.parse.vocabulary import vocabulary


class Imported:
    """The imports of a file, each after its own imports and without errors."""

    def __init__(self, files: tuple[ParsedFile, ...]) -> None:
        self.files = files
        self.earlier = Earlier()

    @cached_property
    def _subject(self) -> Subject:
        nothing = ParsedFile("<nothing>", "", (), (), ())
        return subject_of_file(nothing, self.files, vocabulary(self.files))

    @cached_property
    def groups(self) -> Grouped:
        """The rules of the imports, grouped by their dependencies."""
        return imported_groups(self._subject)

    @cached_property
    def concluded(self) -> Concluded:
        """The possible conclusions of the rules of the imports."""
        return concluded_by_imports(self._subject)
