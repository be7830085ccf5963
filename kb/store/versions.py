"""The versions of Hornbook, Python and SQLite as JSON, which are stored with rows."""

from __future__ import annotations

import json
import platform
import sqlite3
from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def versions() -> str:
    try:
        hornbook = version("hornbook")
    except PackageNotFoundError:
        hornbook = "unknown"  # run from a checkout that is not installed
    found = {"hornbook": hornbook, "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    return json.dumps(found)
