"""Eigenvariables: fresh constants about which a proof assumes only explicit conditions.

Invariants: an eigenvariable equals eigenvariables only. It is therefore not a word of any theory, whatever
its spelling.
"""

from __future__ import annotations

from typing import ClassVar

from hornbook.kb.ast.plain_values import OwnWord


class Eigenvariable(OwnWord):
    """An object about which only explicit assumptions are known; eigenvariables with the same name are equal.

    It occurs in facts like a word, and is printed as its name.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Eigenvariable) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Eigenvariable, str(self)))
