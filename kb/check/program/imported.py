"""Data about the imports of a file, computed once for all versions of the file during editing.

It does not depend on the clauses of the file, except for the results of earlier texts.
"""

from __future__ import annotations

from functools import cached_property

from hornbook.kb.check.check_cache import CheckCache
from hornbook.kb.check.check_unit import CheckUnit, unit_of_file
from hornbook.kb.check.program.conclusions import Conclusions, conclusions_of_imports
from hornbook.kb.check.program.dependencies import Grouped, imported_groups
from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.parse.vocabulary import vocabulary


class Imported:
    """The imports of a file, each after its own imports and without errors."""

    def __init__(self, files: tuple[ParsedFile, ...]) -> None:
        self.files = files
        self.cache = CheckCache()

    @cached_property
    def _unit(self) -> CheckUnit:
        nothing = ParsedFile("<nothing>", "", (), (), ())
        return unit_of_file(nothing, self.files, vocabulary(self.files))

    @cached_property
    def groups(self) -> Grouped:
        """The rules of the imports, grouped by their dependencies."""
        return imported_groups(self._unit)

    @cached_property
    def concluded(self) -> Conclusions:
        """The possible conclusions of the rules of the imports."""
        return conclusions_of_imports(self._unit)
