"""Extras: packages that only some need, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from hornbook.matcher.program.hornbook_error import HornbookError


class MissingExtraError(HornbookError, ImportError):
    """A package of an extra is not installed; the message says how to install it."""


def extra_module(module: str, extra: str) -> ModuleType:
    """A module of an extra. Raises MissingExtraError where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"this needs {package}, which is not installed: {installation(extra)}"
        ) from None


def installation(extra: str) -> str:
    """How an extra is installed. Who works in a checkout would otherwise get another Hornbook, or none."""
    return f"`pip install 'hornbook[{extra}]'`, or in a checkout `pip install '.[{extra}]'`"
