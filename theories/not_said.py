"""What is raised where a domain does not say what is needed."""

from __future__ import annotations

from hornbook.kb.hornbook_error import HornbookError


class NotSaidError(HornbookError):
    """A domain does not say what a command needs; the message says what to write."""
