"""Sentences of invented predicates, from the sentence of the predicate that each stands for and the action.

For `derived fit(part) says "?1 fits".` and `action replace(technician, part).`, the sentence of
`fit_after_replace(?x, ?t, ?p)` is `?1 fits after replace(?2, ?3)`. If the action has a sentence too, such as
`?1 replaces ?2`, it is `?1 fits after ?2 replaces ?3`. Without a sentence of the predicate there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.ast.declarations import Predicate, Says

_COLUMN = re.compile(r"\?(\d+)")


def sentence_after(
    predicate: Predicate, action: Predicate, columns: Sequence[int], arguments: Sequence[int]
) -> Says | None:
    """Return the sentence of an invented predicate, or None.

    Args:
        predicate: The predicate that it stands for.
        action: The action.
        columns: The column of the invented predicate for each column of the predicate, from 1.
        arguments: The same for each argument of the action.
    """
    if predicate.says is None:
        return None
    taken = ", ".join(f"?{number}" for number in range(1, 1 + action.arity))
    happens = f"{action.name}({taken})" if action.says is None else action.says.text
    return Says(f"{_moved(predicate.says.text, columns)} after {_moved(happens, arguments)}")


def _moved(text: str, columns: Sequence[int]) -> str:
    """Return a sentence with each column replaced by another one."""
    return _COLUMN.sub(lambda found: f"?{columns[int(found[1]) - 1]}", text)
