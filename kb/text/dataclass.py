"""The decorator of dataclasses for domains, which do not import the engines."""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass as dataclass  # noqa: PLC0414 - it is exported
