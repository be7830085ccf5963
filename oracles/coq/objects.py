"""A cache of compiled Coq objects, addressed by content.

The key of an object covers its path, its source, the objects that it requires, `coqc` and the installed
libraries. Times of files play no part. An entry begins with the digest of its object: a damaged entry is
ignored and compiled again. The cache lies in the folder `coq` of the user's cache (HORNBOOK_CACHE); it may be
deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path

from hornbook.kb.sources.cache import folder
from hornbook.kb.text.writing import write_files
from oracles.coq import tools


def key(path: str, source: bytes, required: Mapping[str, bytes]) -> str:
    """Return the key of the object of a source; `required` has the compiled objects that the source requires,
    by path.
    """
    found = hashlib.sha256(f"{tools.fingerprint()}\0{path}\0".encode())
    found.update(hashlib.sha256(source).digest())
    for name, compiled in sorted(required.items()):
        found.update(f"{name}\0".encode() + hashlib.sha256(compiled).digest())
    return found.hexdigest()


def recall(known_by: str) -> bytes | None:
    """Return the object with this key, if the cache has it undamaged."""
    try:
        entry = _place(known_by).read_bytes()
    except OSError:
        return None
    digest, compiled = entry[:32], entry[32:]
    return compiled if hashlib.sha256(compiled).digest() == digest else None


def remember(known_by: str, compiled: bytes) -> None:
    """Put an object into the cache. A cache that cannot be written to is left alone."""
    place = _place(known_by)
    entry = hashlib.sha256(compiled).digest() + compiled
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_files([(place, lambda stream: stream.write(entry) and None)])


def _place(known_by: str) -> Path:
    return folder() / "coq" / known_by[:2] / known_by
