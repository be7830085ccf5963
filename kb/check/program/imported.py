"""What the imports of a file say together, made ready once for all texts that the file has while it is written.

Nothing that the file says itself makes a difference to it, but for what is known of earlier texts.
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
    """The imports of a file, each after its own and without errors, and what is known of them."""

    def __init__(self, files: tuple[ParsedFile, ...]) -> None:
        self.files = files
        self.earlier = Earlier()

    @cached_property
    def _subject(self) -> Subject:
        nothing = ParsedFile("<nothing>", "", (), (), ())
        return subject_of_file(nothing, self.files, vocabulary(self.files))

    @cached_property
    def groups(self) -> Grouped:
        """Their rules, grouped by what they rest on."""
        return imported_groups(self._subject)

    @cached_property
    def concluded(self) -> Concluded:
        """What their rules can conclude."""
        return concluded_by_imports(self._subject)
