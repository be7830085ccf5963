"""Eigenvariables: fresh constants about which a proof assumes nothing but the conditions that it states.

Always true: an eigenvariable is no word of any theory, however it is spelt, since it equals eigenvariables only.
"""

from __future__ import annotations

from typing import ClassVar

from hornbook.kb.ast.plain_values import OwnWord


class Eigenvariable(OwnWord):
    """Something of which nothing is known but what is assumed; two of one name are one thing.

    It stands in facts where words stand, and is shown by its name.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Eigenvariable) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Eigenvariable, str(self)))
