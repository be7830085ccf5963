"""The error about a theory that cannot be played by its rules."""

from __future__ import annotations

from hornbook.matcher.program.hornbook_error import HornbookError


class NoGameError(HornbookError, ValueError):
    """A theory that describes no game, or one that machines cannot play. The message has the remedy."""
