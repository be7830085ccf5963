"""The class of every error that input can cause, for packages that know nothing of `matcher`."""

from __future__ import annotations

from hornbook.matcher.program.hornbook_error import HornbookError

__all__ = ["HornbookError"]
