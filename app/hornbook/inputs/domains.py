"""Lookup of domains: the `domain.py` in the folder of a theory or of the nearest theory that it imports."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hornbook.inputs.opening_store import open_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.adapters import AdapterError, domain_module_of, why_none
from hornbook.kb.sources.files import decode, read_bytes
from hornbook.kb.sources.locate import imported_module, known_theories
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.failure import ArgumentError

if TYPE_CHECKING:  # commands that only read a state do not load the domain interface
    from hornbook.theories.domain import Domain

FILE = "domain.py"


class NoDomainError(HornbookError):
    """A theory has no `domain.py`. The message names the missing information."""


class NoPictureError(NoDomainError):
    """No domain defines how to draw an object or how to match it as a state of a game."""


def domain_of(theory: Theory) -> Domain | None:
    """Return the domain of a theory.

    Return None if it has none, or if running code in theory folders is disabled. Raises AdapterError if its
    `domain.py` defines no domain.
    """
    module = domain_module_of(theory)
    return None if module is None else _domain_in(module)


def _domain_in(module: ModuleType) -> Domain:
    """Return the domain defined in a file. Raises AdapterError if it defines none."""
    from hornbook.theories.domain import Domain  # noqa: PLC0415 - for the reason above

    found = getattr(module, "DOMAIN", None)
    if not isinstance(found, Domain):
        raise AdapterError(f"{module.__file__}: `DOMAIN` must be a `hornbook.theories.domain.Domain`")
    return found


def the_domain(theory: Theory, what: str, kind: type[NoDomainError] = NoDomainError) -> Domain:
    """Return the domain of a theory. Raises `kind` if it has none; `what` names the missing information."""
    found = domain_of(theory)
    if found is None:
        raise kind(
            f"`{theory.name}` has no {FILE}{why_none(theory)}, which says {what}: write one beside its theory"
            " (`hornbook new NAME --game` writes one to begin with)"
        )
    return found


def require_domain(what: str) -> Callable[[Theory], None]:
    """Return a function that raises ArgumentError if a theory has no domain."""

    def check(theory: Theory) -> None:
        domain_argument(theory, what)

    return check


def domain_argument(theory: Theory, what: str) -> Domain:
    """Return the domain of a theory named on the command line. Raises ArgumentError."""
    try:
        return the_domain(theory, what)
    except NoDomainError as problem:
        raise ArgumentError(str(problem), argument="THEORY") from None


def domain_of_state(state: Any) -> Domain | None:
    """Return the domain of the folder that defines a state's class, or of an enclosing package.

    Return None if there is no such domain.
    """
    file = getattr(sys.modules.get(type(state).__module__), "__file__", None)
    place = None if file is None else Path(file)
    while place is not None:
        found: Domain | None = getattr(imported_module(place, "domain"), "DOMAIN", None)
        if found is not None:
            return found
        place = place.parent if (place.with_name("__init__.py")).is_file() else None
    return None


def domain_of_problems(path: Path, theory: str | None) -> Domain:
    """Return the domain for a file of problems.

    It is the domain of the named theory, or of the installed theory that recognises such problems. Raises
    ArgumentError if there is none.
    """
    what = "what its problems are"
    if theory is not None:
        return domain_argument(open_theory(theory, unchanged=True), what)
    keys = _first(path)
    for file in known_theories().values():
        found: Domain | None = getattr(imported_module(file, "domain"), "DOMAIN", None)
        if found is not None and (path.suffix in found.suffixes if keys is None else found.knows(keys)):
            return found
    raise ArgumentError(
        f"no installed theory knows problems such as those of {path}; name theirs (--theory)",
        argument="PROBLEMS",
    )


def _first(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in the first line of a file, or None."""
    text = decode(read_bytes(path, str(path)), str(path), otherwise="latin-1")
    first = text.lstrip().partition("\n")[0]
    try:
        keys = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return keys if isinstance(keys, dict) else None
