"""The cache of verdicts: what the checker said of a file, as long as nothing that it read has changed.

An entry holds the diagnostics of one file with what they rest on: the contents of the file and of all that
it imports, where each import led, and the checker's own sources. An entry that cannot be read, or that rests
on anything else than what is there now, is as good as none; a folder that cannot be written to is left alone.
Nothing is parsed here, and no module of the parser or checker is imported.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import CODES, Diagnostic, Severity, TheoryError
from hornbook.kb.sources.locate import locate
from hornbook.kb.text.writing import write_text

VARIABLE = "HORNBOOK_CACHE"
"""The environment variable that names the folder of the cache."""
_KIND = "hornbook verdict 1"


@dataclass(frozen=True, slots=True)
class Followed:
    """An import: the name, the file that it stands in, and the file that it led to."""

    name: str
    importer: Path
    leads_to: Path


def folder() -> Path:
    """Where verdicts are kept: HORNBOOK_CACHE, or `hornbook` in the user's cache folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hornbook"


def recall(path: Path, name: str) -> tuple[Diagnostic, ...] | None:
    """The verdict on a file that messages call `name`, if it still stands."""
    try:
        entry = json.loads(_place(path, name).read_bytes())
        if entry["kind"] != _KIND or entry["checker"] != fingerprint():
            return None
        if not all(_digest(Path(file)) == digest for file, digest in entry["contents"].items()):
            return None
        if not all(_still_leads(*followed) for followed in entry["imports"]):
            return None
        return tuple(_diagnostic(row) for row in entry["diagnostics"])
    # Whatever a damaged entry holds: wrong types and missing keys are found where they are used.
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def remember(
    path: Path,
    name: str,
    diagnostics: Iterable[Diagnostic],
    contents: Mapping[Path, str],
    imports: Iterable[Followed],
) -> None:
    """Keeps a verdict. `contents`: the text of each file that it rests on, as it was parsed."""
    entry = {
        "kind": _KIND,
        "checker": fingerprint(),
        "contents": {str(file): _digest_of_text(text) for file, text in contents.items()},
        "imports": [[f.name, str(f.importer), str(f.leads_to)] for f in imports],
        "diagnostics": [_row(diagnostic) for diagnostic in diagnostics],
    }
    with contextlib.suppress(OSError, ValueError):
        place = _place(path, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_text(place, json.dumps(entry))


@cache
def fingerprint() -> str:
    """What the verdict of a checker rests on besides the files: its sources, and the grammar."""
    here = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted([*here.rglob("*.py"), *here.rglob("*.lark")]):
        digest.update(file.relative_to(here).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _place(path: Path, name: str) -> Path:
    """The file of a verdict: one for each file, so that the cache does not grow as a file is edited."""
    key = hashlib.sha256(f"{path}\0{name}".encode(errors="surrogatepass")).hexdigest()
    return folder() / f"{key}.json"


def _digest(file: Path) -> str:
    data = file.read_bytes()
    return hashlib.sha256(data.removeprefix(b"\xef\xbb\xbf")).hexdigest()


def _digest_of_text(text: str) -> str:
    """The digest of a file with this text; a byte order mark is no part of the text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _still_leads(name: str, importer: str, leads_to: str) -> bool:
    file = Path(importer)
    try:
        return locate(name, file.parent, importing=file).resolve() == Path(leads_to)
    except TheoryError:
        return False


def _row(diagnostic: Diagnostic) -> list[Any]:
    span = diagnostic.span
    place = [span.file, span.line, span.column, span.end_line, span.end_column]
    return [diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.help, *place]


def _diagnostic(row: list[Any]) -> Diagnostic:
    """The diagnostic of a row. Raises ValueError where it is none."""
    code, severity, message, help_, file, *place = row
    words = all(isinstance(word, str) for word in (message, help_, file))
    if code not in CODES or severity not in get_args(Severity) or not words or len(place) != 4:
        raise ValueError(row)
    if not all(isinstance(number, int) for number in place):
        raise ValueError(row)
    return Diagnostic(code, cast(Severity, severity), message, help_, Span(file, *place))
