"""Exception for a domain that lacks a member."""

from __future__ import annotations

from hornbook.kb.hornbook_error import HornbookError


class MissingMemberError(HornbookError):
    """Error for a domain that lacks a member that a command needs. The message shows the member to write."""
