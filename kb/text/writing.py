"""Writing of files, mostly text: completely or not at all, so that no reader sees an incomplete file.

A symbolic link is kept: its target is replaced. A device or a pipe is never replaced: the text is written to
it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from hornbook.matcher.program.hornbook_error import HornbookError


class WritingError(HornbookError, OSError):
    """A file cannot be written, and nothing was changed. `filename` and `strerror` have the details."""


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Write a text, or its pieces in order, to a temporary file and move it to its place. An existing file
    keeps its mode.

    Raises:
        WritingError: The folder cannot be written to. Then the file is unchanged.
    """
    write_texts([(path, text)])


def write_texts(files: Iterable[tuple[Path, str | Iterable[str]]]) -> None:
    """Write several texts. All are written to temporary files before the first is moved to its place, in
    order.

    Raises:
        WritingError: One cannot be written, for example because of a lone surrogate. Then all files are
            unchanged.
    """
    write_files((path, partial(_put, [text] if isinstance(text, str) else text)) for path, text in files)


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes as `write_text` writes a text; raise as it does."""
    write_files([(path, lambda stream: stream.writelines([content]))])


def _put(pieces: Iterable[str], stream: IO[bytes]) -> None:
    stream.writelines(piece.encode() for piece in pieces)


def write_files(files: Iterable[tuple[Path, Callable[[IO[bytes]], None]]]) -> None:
    """Write several files as `write_texts` does, each by a function that writes its contents to a stream.

    Raises as `write_texts` does, and the errors of these functions.
    """
    import tempfile  # noqa: PLC0415 - slow to import

    waiting: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, put in files:
            require_writable(path)
            if _is_device(path):
                with path.open("wb") as stream:
                    put(stream)
                continue
            place = _link_target(path)
            mode = place.stat().st_mode & 0o777 if place.exists() else None
            # The name is cut, since it may have the maximum length already.
            handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:50]}.")
            waiting.append((Path(temporary), place))
            with os.fdopen(handle, "wb") as file:
                put(file)
                # It must be on the disk before it replaces a file, or a power failure could leave an empty
                # file.
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
                reason = (
                    f"the text has U+{ord(problem.object[problem.start]):04X}, half a character, which "
                    "no file can hold"
                )
                raise WritingError(errno.EILSEQ, reason, str(path)) from None
            case OSError(errno=int() as number) if not isinstance(problem, WritingError):
                raise WritingError(number, problem.strerror, str(path)) from None
            case ValueError():
                raise WritingError(errno.EINVAL, str(problem), str(path)) from None
        raise


def require_writable(path: Path) -> None:
    """Raise WritingError if a file could not be written. Called before long computations."""
    try:
        if _is_device(path):
            return
        folder = _link_target(path).parent
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

    If the block raises, the folders that were made are removed again, unless they have files. Raise
    WritingError if the folder cannot be made.
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


def _is_device(path: Path) -> bool:
    """Return whether an existing path is a device, a pipe or a socket."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _link_target(path: Path) -> Path:
    """Return the path to write: the target of a link. Raises OSError for cyclic links."""
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
