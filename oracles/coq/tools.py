"""The installed Coq: its programs, its version, and the digest of all that a compiled object depends on
besides sources.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

MATHCOMP = "user-contrib/mathcomp/ssreflect/all_ssreflect.vo"
PACKAGES = {
    "coqc": "coq",
    "coqdep": "coq",
    "mathcomp": "libcoq-mathcomp-ssreflect",
    "ocamlfind": "ocaml-findlib",
}
"""The Debian package of each tool."""
_BEGINNING = re.compile(r"^\s*(?:Theorem|Lemma|Fact|Corollary|CoFixpoint|Definition) (\w+)")
_PLACE = re.compile(r'File "\./((?:\w+/)*\w+\.v)", line (\d+)')


class UnprovedError(Exception):
    """Coq rejects a source, or a proof depends on an assumption."""


def missing(*tools: str) -> list[str]:
    """Return those of the tools (keys of `PACKAGES`) that are not installed."""
    return [tool for tool in tools if not _is_installed(tool)]


def advice(tools: Sequence[str]) -> str:
    """Return a message that names missing tools and the Debian packages that provide them."""
    packages = dict.fromkeys(PACKAGES[tool] for tool in tools)
    return f"not installed: {', '.join(tools)} (Debian: `apt install {' '.join(packages)}`)"


def _is_installed(tool: str) -> bool:
    if tool != "mathcomp":
        return shutil.which(tool) is not None
    return shutil.which("coqc") is not None and (_library() / MATHCOMP).is_file()


@cache
def version() -> str:
    """Return the version of `coqc`."""
    return run(["coqc", "--print-version"], Path()).split()[0]


@cache
def fingerprint() -> str:
    """Return a digest of the version of `coqc` and of the compiled libraries that are installed with it."""
    found = hashlib.sha256(run(["coqc", "--version"], Path()).encode())
    for path in sorted(_library().rglob("*.vo")):
        found.update(f"{path.relative_to(_library()).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


@cache
def _library() -> Path:
    return Path(run(["coqc", "-where"], Path()).strip())


def run(command: Sequence[str], folder: Path) -> str:
    """Return the standard output of a command that runs in a folder.

    Raise UnprovedError if the command fails.
    """
    environment = {name: value for name, value in os.environ.items() if name not in ("COQPATH", "COQLIB")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    text, errors = (each.decode("utf-8", "surrogateescape") for each in (done.stdout, done.stderr))
    if done.returncode:
        message = errors.strip() or text.strip()
        raise UnprovedError(f"{_place(message, folder) or command[-1]}: {message}")
    return text


def _place(message: str, folder: Path) -> str:
    """Return the file and line that a message of Coq names, with the last declaration above that line."""
    place = _PLACE.search(message)
    if place is None:
        return ""
    file, line = place[1], int(place[2])
    above = (folder / file).read_text(encoding="utf-8").splitlines()[:line]
    declared = [found[1] for each in above if (found := _BEGINNING.match(each))]
    return f"{file}:{line}: {declared[-1]}" if declared else f"{file}:{line}"
