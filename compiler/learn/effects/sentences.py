"""Sentences of invented predicates, from the sentence of the predicate that each stands for and the action.

For `derived fit(part) says "?1 fits".` and `action replace(technician, part).`, the sentence of
`fit_after_replace(?x, ?t, ?p)` is `?1 fits after replace(?2, ?3)`. If the action has a sentence too, such as
`?1 replaces ?2`, it is `?1 fits after ?2 replaces ?3`. Without a sentence of the predicate there is none.

If the predicate also holds of a removed thing, the sentence adds this case: `…, or ?1 is ?3`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.ast.declarations import Predicate, Says
from hornbook.kb.ast.terms import Constant
from hornbook.kb.format.printer import print_term

_COLUMN = re.compile(r"\?(\d+)")
_PLAIN = re.compile(r"[\w.-]+")


def sentence_after(
    predicate: Predicate,
    action: Predicate,
    columns: Sequence[int | Constant],
    arguments: Sequence[int],
    removed: tuple[int, int] | None = None,
) -> Says | None:
    """Return the sentence of an invented predicate, or None.

    Args:
        predicate: The predicate that it stands for.
        action: The action.
        columns: The column of the invented predicate for each column of the predicate, from 1, or the
            constant that it is required to be. There is no sentence with a constant in quotation marks.
        arguments: The same for each argument of the action.
        removed: The column of the thing that may be removed, and that of the equal argument of the action.
    """
    fixed = (print_term(each) for each in columns if isinstance(each, Constant))
    if predicate.says is None or not all(map(_PLAIN.fullmatch, fixed)):
        return None
    taken = ", ".join(f"?{number}" for number in range(1, 1 + action.arity))
    happens = f"{action.name}({taken})" if action.says is None else action.says.text
    text = f"{_moved(predicate.says.text, columns)} after {_moved(happens, arguments)}"
    return Says(text if removed is None else f"{text}, or ?{removed[0]} is ?{removed[1]}")


def _moved(text: str, columns: Sequence[int | Constant]) -> str:
    """Return a sentence with each column replaced by another one, or by a constant."""
    shown = [print_term(each) if isinstance(each, Constant) else f"?{each}" for each in columns]
    return _COLUMN.sub(lambda found: shown[int(found[1]) - 1], text)
