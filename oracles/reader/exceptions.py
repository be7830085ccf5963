"""Exceptions as core rules, as forms: a second implementation of the reference without common code.

An exception is the form `("exception", label, excepted labels, suspends, rules)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from oracles.reader.language import numbered

Form = Any


def without_exceptions(forms: Iterable[Form]) -> Iterator[Form]:
    """Yield the forms of a theory, with the core rules of its exceptions in their place."""
    forms = list(forms)
    written = {own: form[1] for form in forms if form[0] == "alternatives" for own in form[2]}
    overruling: dict[str, list[Form]] = {}
    for form in forms:
        if form[0] == "exception":
            for label in form[2]:
                overruling.setdefault(label, []).append(form)
    declared = {form[2]: form for form in reversed(forms) if form[0] == "predicate"}

    def subject(head: Form) -> Form:
        key = declared[head[2]][4]
        return head[3] if key is None else head[3][:key]

    def holds(exception: Form, head: Form) -> Form:
        return ("atom", head[1], f"{exception[1]}_applies", subject(head))

    def overruled(rule: Form, label: str) -> Form:
        tests = tuple(("absent", (holds(each, rule[2]),)) for each in overruling.get(label, ()))
        return ("rule", rule[1], rule[2], (*rule[3], *tests))

    def concluding(label: str, seen: set[str]) -> Iterator[Form]:
        for each in overruling.get(label, ()):
            if each[1] in seen:
                continue
            seen.add(each[1])
            if each[3]:
                yield from concluding(each[1], seen)
            else:
                yield each

    for form in forms:
        if form[0] == "rule":
            label = written.get(form[1], form[1])
            yield overruled(form, label) if label in overruling else form
        elif form[0] == "exception":
            _, label, _, suspends, rules = form
            head = rules[0][2]
            of = declared[head[2]]
            columns = of[3][: len(subject(head))]
            kind = ("static", "complete", "stated") if of[1] == "static" else ("derived",)
            yield ("predicate", kind[0], f"{label}_applies", columns, None, None, None, False, *kind[1:])
            for rule in rules:
                core = overruled(rule, label)
                if not suspends:
                    yield core
                number = rule[1].removeprefix(label)
                yield (
                    "rule",
                    f"{label}_applies{number}",
                    *numbered((holds(form, rule[2]), core[3]), count(1)),
                )
            for other in {each[1]: each for each in concluding(label, set())}.values():
                terms = tuple(f"?subject_{place}" for place in range(1, len(columns) + 1))
                tense = other[4][0][2][1]
                yield (
                    "rule",
                    f"{label}_applies_by_{other[1]}",
                    ("atom", tense, f"{label}_applies", terms),
                    (("atom", tense, f"{other[1]}_applies", terms),),
                )
        elif form[0] != "alternatives":
            yield form
