"""Files, of text mostly: written whole or not at all, so that a reader never sees half of one.

A symbolic link stays one: the file that it leads to is replaced. What is no file, a device or a pipe, is never replaced: it
takes the text as it comes.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from hornbook.matcher.program.hornbook_error import HornbookError


class WritingError(HornbookError, OSError):
    """A file cannot be written; nothing was. `filename` and `strerror` say which and why."""


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Writes a text, or its pieces one after the other, beside its place and moves it there; an existing file keeps its mode.

    Raises WritingError where the folder cannot be written to; the file is then as it was.
    """
    write_texts([(path, text)])


def write_texts(files: Iterable[tuple[Path, str | Iterable[str]]]) -> None:
    """Writes several texts: all are written beside their places before the first is moved there, in order.

    Raises WritingError where one cannot be written, be it for a lone surrogate in the text; then all files are as they were.
    """
    write_files((path, partial(_put, [text] if isinstance(text, str) else text)) for path, text in files)


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes as `write_text` writes a text; raise as it does."""
    write_files([(path, lambda stream: stream.writelines([content]))])


def _put(pieces: Iterable[str], stream: IO[bytes]) -> None:
    stream.writelines(piece.encode() for piece in pieces)


def write_files(files: Iterable[tuple[Path, Callable[[IO[bytes]], None]]]) -> None:
    """Writes several files, each by what puts its content into a stream, as `write_texts` does; raises as it does, and what
    putting raises besides.
    """
    waiting: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, put in files:
            must_have_place(path)
            if _takes_what_comes(path):
                with path.open("wb") as stream:
                    put(stream)
                continue
            place = _led_to(path)
            mode = place.stat().st_mode & 0o777 if place.exists() else None
            # Cut, since a name has room for its own characters and no more.
            handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:50]}.")
            waiting.append((Path(temporary), place))
            with os.fdopen(handle, "wb") as file:
                put(file)
                # Only then may it replace what is there, or a power failure could leave an empty file.
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o666 & ~_umask() if mode is None else mode)
        for there, path in waiting:
            there.replace(path)
    except BaseException as problem:
        for there, _ in waiting:
            there.unlink(missing_ok=True)
        match problem:
            case UnicodeEncodeError():
                reason = f"the text has U+{ord(problem.object[problem.start]):04X}, half a character, which no file can hold"
                raise WritingError(errno.EILSEQ, reason, str(path)) from None
            case OSError(errno=int() as number) if not isinstance(problem, WritingError):
                raise WritingError(number, problem.strerror, str(path)) from None
            case ValueError():
                raise WritingError(errno.EINVAL, str(problem), str(path)) from None
        raise


def must_have_place(path: Path) -> None:
    """Raises WritingError where a file could not be written; to be asked before work that takes long."""
    try:
        if _takes_what_comes(path):
            return
        folder = _led_to(path).parent
        there, is_folder = folder.is_dir(), path.is_dir()
    except OSError as problem:
        raise WritingError(problem.errno, problem.strerror, str(path)) from None
    if not there:
        raise WritingError(errno.ENOENT, "there is no such folder", str(folder))
    if is_folder:
        raise WritingError(errno.EISDIR, "it is a folder", str(path))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WritingError(errno.EACCES, "nothing can be written to this folder", str(folder))


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Make a folder, with the folders above it, for files that are written inside the block.

    If the block raises, the folders that were made are removed again, unless they have files. Raise WritingError if the folder
    cannot be made.
    """
    made: list[Path] = []
    try:
        for folder in (*reversed(path.parents), path):
            if not folder.is_dir():
                folder.mkdir()
                made.append(folder)
        yield
    except BaseException as problem:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(problem, FileExistsError):
            raise WritingError(errno.ENOTDIR, "it is a file, and no folder", str(problem.filename)) from None
        if isinstance(problem, OSError) and not isinstance(problem, WritingError):
            raise WritingError(problem.errno, problem.strerror, str(problem.filename or path)) from None
        raise


def append_text(path: Path, text: str) -> None:
    """Append a text to a file. Raise WritingError if it does not fit; then the file is as it was."""
    size = path.stat().st_size
    try:
        with path.open("ab") as stream:
            stream.write(text.encode())
    except OSError as problem:
        with suppress(OSError):
            os.truncate(path, size)
        raise WritingError(problem.errno, problem.strerror, str(path)) from None


def _takes_what_comes(path: Path) -> bool:
    """Whether what stands there is no file: a device, a pipe, a socket."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _led_to(path: Path) -> Path:
    """Where a file is written: what a link leads to. Raises OSError where links lead in a circle."""
    if not path.is_symlink():
        return path
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return place


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
