"""What can still be said of a program without some of its statements.

A predicate without some of its clauses has fewer answers, and so has what rests on it. Where that would make
another answer true (absence, the value of a function that a later clause gives, a fact that is taken away), the
clause is left out as well.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hornbook.kb.ast.terms import Absent, Aggregate, Rule, statements
from hornbook.kb.pydatalog.reading import PyDatalogProgram, Refused
from hornbook.kb.pydatalog.rewriting import several_values
from hornbook.kb.pydatalog.syntax import refusal
from hornbook.kb.sources.diagnostics import Diagnostic


def without(program: PyDatalogProgram, wrong: Iterable[Diagnostic]) -> PyDatalogProgram:
    """The program without the statements that something is wrong with."""
    places = sorted({(rule.span.line, rule.span.column): rule for rule in program.rules}.items())
    starts = [start for start, _ in places]
    refused: dict[object, Refused] = {}
    for diagnostic in wrong:
        place = bisect_right(starts, (diagnostic.span.line, diagnostic.span.column)) - 1
        if place >= 0:
            rule = places[place][1]
            name = frozenset((program.signatures[rule.head.relation].name,))
            refused.setdefault(rule.span, Refused(diagnostic, rule.span, name))
    rules = tuple(rule for rule in program.rules if rule.span not in refused)
    return replace(program, rules=rules, refused=(*program.refused, *refused.values()))


def without_the_refused(program: PyDatalogProgram) -> Iterator[Diagnostic]:
    """What would be answered wrongly, since other statements are left out."""
    everything = any(refused.names is None for refused in program.refused)
    names = {name for refused in program.refused for name in refused.names or ()}
    all_taken = any(refused.takes and refused.names is None for refused in program.refused)
    taken = {name for refused in program.refused if refused.takes for name in refused.names or ()}
    left_out = {key for key, signature in program.signatures.items() if everything or signature.name in names}
    unsure = _resting_on(left_out, program.rules)
    divided = several_values(program.rules, program.signatures)
    for rule in program.rules:
        key = rule.head.relation
        signature = program.signatures[key]
        absent = [
            atom.relation
            for condition in rule.body
            if isinstance(condition, (Absent, Aggregate))
            for atom in statements(condition.conditions)
            if atom.relation in unsure
        ]
        if absent:
            yield _refusal(
                f"what is absent of `{program.signatures[absent[0]].name}`, or how much of it there is,", rule
            )
        elif signature.keys is not None and (signature.name in names or key in unsure & divided):
            yield _refusal(f"the value of `{signature.name}`", rule)
        elif all_taken or signature.name in taken:
            yield _refusal(f"what may be taken away from `{signature.name}`", rule)


def _refusal(what: str, rule: Rule) -> Diagnostic:
    return refusal(f"{what} is not known without what is left out", rule.span, "import what is left out")


def _resting_on(keys: set[str], rules: Iterable[Rule]) -> set[str]:
    """The predicates, and all that conclusions are drawn from them about."""
    rules = list(rules)
    found, size = set(keys), -1
    while size < len(found):
        size = len(found)
        found |= {
            rule.head.relation for rule in rules if any(a.relation in found for a in statements(rule.body))
        }
    return found
