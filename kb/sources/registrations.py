"""The entry points of a group, read without `importlib.metadata`, whose import takes long.

Distributions are found as that module finds them, in the folders of `sys.path`. It is used itself if another
finder knows distributions, or if a place is no folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

_SUFFIXES = (".dist-info", ".egg-info")


def registrations(group: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the module of each entry point of a group. The first distribution of a name
    counts.
    """
    if not _is_plain():
        from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

        yield from ((entry.name, entry.module) for entry in entry_points(group=group))
        return
    seen: set[str] = set()
    for place in sys.path:
        for name, file in _distributions(place or "."):
            if name not in seen:
                seen.add(name)
                yield from _entries(file, group)


def _is_plain() -> bool:
    """Return whether only folders contain distributions."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return all(getattr(finder, "__name__", "") == "PathFinder" for finder in finders) and not any(
        place.endswith(".egg") or os.path.isfile(place)  # noqa: PTH113 - fast
        for place in sys.path
    )


def _distributions(place: str) -> list[tuple[str, str]]:
    """Return the distributions in a folder, each with its normalised name and the file with its entry
    points.
    """
    try:
        names = os.listdir(place)  # noqa: PTH208 - fast
    except OSError:
        return []
    found = [name for name in names if name.lower().endswith(_SUFFIXES)]
    return [(_normalised(name), os.path.join(place, name, "entry_points.txt")) for name in found]  # noqa: PTH118


def _normalised(folder: str) -> str:
    """Return the normalised name of a distribution, which is compared, from the name of its folder."""
    return re.sub(r"[-_.]+", "-", folder.rpartition(".")[0].partition("-")[0]).lower()


def _entries(file: str, group: str) -> Iterator[tuple[str, str]]:
    try:
        with open(file, encoding="utf-8") as opened:  # noqa: PTH123 - fast
            text = opened.read()
    except (OSError, UnicodeDecodeError):
        return
    if group not in text:
        return
    section = ""
    for line in map(str.strip, text.split("\n")):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == group and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), re.split(r"[:\s\[]", value.strip(), maxsplit=1)[0]
