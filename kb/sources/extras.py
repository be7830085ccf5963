"""Optional packages, which are imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from hornbook.matcher.program.hornbook_error import HornbookError


class MissingExtraError(HornbookError, ImportError):
    """A package of an extra is not installed. The message explains how to install it."""


def extra_module(module: str, extra: str) -> ModuleType:
    """Return a module of an extra. Raises MissingExtraError if it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"this needs {package}, which is not installed: {installation(extra)}"
        ) from None


def installation(extra: str) -> str:
    """Return how to install an extra, also for a checkout, where the first command would install another
    Hornbook.
    """
    return f"`pip install 'hornbook[{extra}]'`, or in a checkout `pip install '.[{extra}]'`"
