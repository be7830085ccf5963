"""One way to ask a domain for its members, and the exception for a domain that lacks some."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from hornbook.kb.hornbook_error import HornbookError

P = TypeVar("P")


class MissingMemberError(HornbookError):
    """Error for a domain that lacks members that a command needs. The message shows the members to write."""


def missing(domain: object, *members: Callable[..., Any]) -> NoReturn:
    """Raise MissingMemberError with the members to write."""
    place = inspect.getsourcefile(type(domain)) or type(domain).__module__
    names = ", ".join(f"`{member.__name__}`" for member in members)
    stubs = "\n".join(map(_stub, members))
    raise MissingMemberError(f"{place}: `{type(domain).__name__}` has no {names}; write\n{stubs}")


def implemented(domain: object, protocol: type[P]) -> P:
    """Return a domain that has all members of a protocol. Raise MissingMemberError for any other."""
    if isinstance(domain, protocol):
        return domain
    methods = (each for name, each in vars(protocol).items() if inspect.isfunction(each) and name[0] != "_")
    missing(domain, *(each for each in methods if not hasattr(domain, each.__name__)))


def _stub(member: Callable[..., Any]) -> str:
    what = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
    return f'  def {member.__name__}{inspect.signature(member)}:\n    """{what}"""'
