"""Text files: written whole or not at all, so that a reader never sees half of one."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Writes a text beside its place and moves it there; an existing file keeps its mode.

    Raises OSError where the folder cannot be written to; the file is then as it was.
    """
    write_texts([(path, text)])


def write_texts(files: Iterable[tuple[Path, str]]) -> None:
    """Writes several texts: all are written beside their places before the first is moved there, in order.

    Raises OSError where one cannot be written; then all files are as they were.
    """
    waiting: list[tuple[Path, Path]] = []
    try:
        for path, text in files:
            must_have_place(path)
            mode = path.stat().st_mode & 0o777 if path.exists() else None
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            waiting.append((Path(temporary), path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            Path(temporary).chmod(0o666 & ~_umask() if mode is None else mode)
        for there, path in waiting:
            there.replace(path)
    except BaseException:
        for there, _ in waiting:
            there.unlink(missing_ok=True)
        raise


def must_have_place(path: Path) -> None:
    """Raises OSError where a file could not be written; to be asked before work that takes long."""
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(folder))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "nothing can be written to this folder", str(folder))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
