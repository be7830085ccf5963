"""The modifiers after a declaration.

- `operational`: Learned rules may have a condition on the derived predicate without expanding it.
- `observed`: Facts concluded for the moment after an action are true of the next given state.
- `stated`: Only the theory states facts of the predicate.
- `demanded`: Facts are derived only on demand.
- `allows`: The facts of the derived predicate are the legal instances of an action.
- `says`: A sentence that describes the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.parse.vocabulary import declaration, kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes


def check_operational(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB046."""
    marked = [predicate for predicate in unit.predicates if predicate.operational]
    concluded = unit.concluded_of_a_state() | unit.broken.mentioned if marked else frozenset[str]()
    for predicate in marked:
        given = predicate.kind in ("static", "fluent")
        if predicate.kind == "derived" or (given and predicate.name in concluded):
            continue
        if given:
            message = f"no rule concludes `{predicate.name}` of a state, so `operational` has no effect on it"
        else:
            message = (
                f"`{predicate.name}` is {kind_of(predicate)}, and only relations that rules conclude in a "
                "state can be operational"
            )
        help_ = "delete `operational`"
        if given or predicate.kind == "action":
            help_ += ": learned rules may read given facts in any case"
        yield error("HB046", message, predicate.span, help_)


_MODIFIERS = (
    (
        "observed",
        "HB048",
        ("fluent", "derived"),
        "a fluent or a derived predicate is observed after an action",
    ),
    ("stated", "HB071", ("static",), "a static predicate can be stated by the theory alone"),
    ("demanded", "HB074", ("derived",), "a derived predicate is concluded on demand"),
)
"""Modifiers, each with its code, the kinds of predicates that it fits, and the reason."""


def check_modifiers(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB048, HB071 and HB074."""
    for predicate in unit.predicates:
        for modifier, code, kinds, reason in _MODIFIERS:
            if getattr(predicate, modifier) and predicate.kind not in kinds:
                message = f"`{predicate.name}` is {kind_of(predicate)}, and only {reason}"
                yield error(code, message, predicate.span, f"delete `{modifier}`")


def check_allows(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB081."""
    for predicate in unit.predicates:
        if predicate.allows is None:
            continue
        name, span = predicate.allows.name, predicate.allows.span
        action = unit.vocabulary.predicates.get(name)
        if predicate.kind != "derived":
            message = f"`{predicate.name}` is {kind_of(predicate)}, and a derived predicate allows actions"
            help_ = "delete `allows`, or declare the predicate `derived`"
            yield error("HB081", message, predicate.span, help_)
        elif action is None:
            known = [p.name for p in unit.vocabulary.predicates.values() if p.kind == "action"]
            message = f"`{predicate.name}` allows the unknown action `{name}`"
            yield error("HB081", message, span, did_you_mean(name, known), spelling_fixes(span, name, known))
        elif action.kind != "action":
            message = f"`{name}` is {kind_of(action)}, and only an action is allowed"
            yield error("HB081", message, span, "name an action")
        elif _sorts_of(predicate)[-action.arity or predicate.arity :] != _sorts_of(action) or (
            predicate.arity > action.arity + 1
        ):
            message = f"the columns of `{predicate.name}` are not those of `{name}`"
            help_ = f"`{name}` is declared `{declaration(action)}`: write its columns"
            yield error("HB081", message, span, f"{help_}, with at most a column before them for who acts")


def _sorts_of(predicate: Predicate) -> list[str]:
    return [column.name for column in predicate.columns]


def check_says(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB051."""
    for predicate in unit.predicates:
        yield from sentence_errors(predicate)


def sentence_errors(predicate: Predicate) -> Iterator[Diagnostic]:
    """Yield HB051 for the sentence of a predicate."""
    says = predicate.says
    if says is None:
        return
    if not says.text.strip():
        yield error("HB051", f"the words for `{predicate.name}` are empty", says.span, "delete `says`")
    for found in re.finditer(r"\?(\w+)", says.text):
        if found[1] not in map(str, range(1, predicate.arity + 1)):
            column = says.span.column + 1 + found.start()
            span = says.span._replace(column=column, end_column=column + len(found[0]))
            message = f"`{found[0]}` is no column of `{predicate.name}`"
            yield error("HB051", message, span, _columns(predicate.arity))


def _columns(number: int) -> str:
    if number == 0:
        return "it has no columns"
    return "its column is `?1`" if number == 1 else f"its columns are `?1` to `?{number}`"
