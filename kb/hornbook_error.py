"""The base class of every error caused by input, for packages that do not import `matcher`."""

from __future__ import annotations

from hornbook.matcher.program.hornbook_error import HornbookError

__all__ = ["HornbookError"]


class RecordWarning(UserWarning):
    """A warning about a record that was read, but that may mean something else than its reader expects."""
