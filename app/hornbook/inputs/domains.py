"""Domains as the commands find them: `domain.py` beside a theory or the nearest one that it imports."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import typer

from hornbook.inputs.opening_store import open_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.adapters import AdapterError, domain_module_of, why_none
from hornbook.kb.sources.files import decode, read_bytes
from hornbook.kb.sources.locate import beside, known_theories
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:  # what only reads a state does not load what a domain can say
    from hornbook.theories.domain import Domain

FILE = "domain.py"


class NoDomainError(HornbookError):
    """No `domain.py` stands beside a theory; the message says what it would say."""


class NoPictureError(NoDomainError):
    """Something was to be drawn, or matched as a state of a game, of which no domain says how."""


def domain_of(theory: Theory) -> Domain | None:
    """The domain of a theory; None without one, or where no code beside theories is run.

    Raises AdapterError where its file has none.
    """
    module = domain_module_of(theory)
    return None if module is None else _domain_in(module)


def _domain_in(module: ModuleType) -> Domain:
    """The domain of a file. Raises AdapterError where it has none."""
    from hornbook.theories.domain import Domain  # noqa: PLC0415 - for the reason above

    found = getattr(module, "DOMAIN", None)
    if not isinstance(found, Domain):
        raise AdapterError(f"{module.__file__}: `DOMAIN` is to be a `hornbook.theories.domain.Domain`")
    return found


def the_domain(theory: Theory, what: str, kind: type[NoDomainError] = NoDomainError) -> Domain:
    """The domain of a theory. Raises NoDomainError with `what` it would say."""
    found = domain_of(theory)
    if found is None:
        raise kind(
            f"`{theory.name}` has no {FILE}{why_none(theory)}, which says {what}: write one beside its theory"
            " (`hornbook new NAME --game` writes one to begin with)"
        )
    return found


def must_say(what: str) -> Callable[[Theory], None]:
    """What raises BadParameter where a theory has no domain."""

    def check(theory: Theory) -> None:
        asked_domain(theory, what)

    return check


def asked_domain(theory: Theory, what: str) -> Domain:
    """The domain of a theory that the command line names. Raises BadParameter."""
    try:
        return the_domain(theory, what)
    except NoDomainError as problem:
        raise typer.BadParameter(str(problem), param_hint="THEORY") from None


def domain_of_state(state: Any) -> Domain | None:
    """The domain in whose folder, or in a package of whose folder, the class of a state is written; None without one."""
    file = getattr(sys.modules.get(type(state).__module__), "__file__", None)
    place = None if file is None else Path(file)
    while place is not None:
        found: Domain | None = getattr(beside(place, "domain"), "DOMAIN", None)
        if found is not None:
            return found
        place = place.parent if (place.with_name("__init__.py")).is_file() else None
    return None


def domain_of_problems(path: Path, theory: str | None) -> Domain:
    """The domain of a file of problems: that of the theory, or of the installed one that knows such problems.

    Raises BadParameter where none does.
    """
    what = "what its problems are"
    if theory is not None:
        return asked_domain(open_theory(theory, unchanged=True), what)
    keys = _first(path)
    for file in known_theories().values():
        found: Domain | None = getattr(beside(file, "domain"), "DOMAIN", None)
        if found is not None and (path.suffix in found.suffixes if keys is None else found.knows(keys)):
            return found
    raise typer.BadParameter(
        f"no installed theory knows problems such as those of {path}; name theirs (--theory)",
        param_hint="PROBLEMS",
    )


def _first(path: Path) -> dict[str, Any] | None:
    """The object of a file's first line of JSON; None where it has none."""
    text = decode(read_bytes(path, str(path)), str(path), otherwise="latin-1")
    first = text.lstrip().partition("\n")[0]
    try:
        keys = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return keys if isinstance(keys, dict) else None
