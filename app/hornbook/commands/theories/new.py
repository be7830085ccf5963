"""The command `hornbook new`: the skeleton of a theory.

The skeletons in this folder are themselves theories called `skeleton`. A new theory is a copy of one under
another name.
"""

from __future__ import annotations

import keyword
import re
import shutil
import tempfile
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

from hornbook.commands.options import argument, flag, option
from hornbook.kb.sources.locate import known_theories
from hornbook.kb.text.writing import require_writable, write_text
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line

_WORD = "skeleton"
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


def new(
    name: Annotated[str, argument("NAME", "The name of the theory, such as `shop`.")],
    into: Annotated[Path, option("--into", "DIR", "The folder in which to write the new one.")] = Path(),
    game: Annotated[
        bool, flag("--game", "Write a small game with problems for the commands that learn, solve and audit.")
    ] = False,
) -> None:
    """Write a small theory to edit, with its tests.

    The folder NAME gets a theory with an action and an expectation, an adapter, an example and tests. All
    tests pass. With --game, it gets a board game with its domain and problems, which every command accepts.
    If NAME already exists or is not a valid theory name, nothing is written.
    """
    wrong = _wrong_name(name)
    if wrong is not None:
        raise ArgumentError(wrong, "NAME")
    folder = into / name
    if folder.exists():
        raise FileExistsError(f"{folder} already exists; nothing was written")
    require_writable(folder)
    files = _write(name, folder, "skeleton_game" if game else _WORD)
    print_line(f"wrote {', '.join(str(folder / file) for file in files)}")
    print_line(f"next: hornbook check {folder}")


def _wrong_name(name: str) -> str | None:
    """Return the reason why a name is invalid, or None if it is valid."""
    if not _NAME.fullmatch(name):
        return f"`{name}` is not a name for a theory: use letters, digits and `_`, with a letter first."
    if keyword.iskeyword(name):
        return f"`{name}` is a Python keyword and cannot be the name of a module."
    if name in known_theories():
        return f"there is a theory `{name}` installed already; choose another name."
    return None


def _write(name: str, folder: Path, skeleton_folder: str) -> list[str]:
    """Write the folder atomically under a temporary name, rename it, and return the names of its files."""
    skeleton = resources.files(__package__) / skeleton_folder
    unfinished = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder.parent))
    try:
        files = sorted(_copy(file, name, unfinished) for file in skeleton.iterdir() if file.is_file())
        unfinished.chmod(0o755)
        unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return files


def _copy(file: Traversable, name: str, folder: Path) -> str:
    target = folder / file.name.replace(_WORD, name)
    write_text(
        target, file.read_text(encoding="utf-8").replace(_WORD, name).replace(_WORD.title(), name.title())
    )
    return target.name
