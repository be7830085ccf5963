"""The meaning of a program without some of its statements.

A predicate without some of its clauses has fewer answers, and so have dependent predicates. If this would
make another answer true, the dependent clause is left out as well. Examples are absence, the value of a
function with a later clause, and a retracted fact.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.program_reader import PyDatalogProgram, RefusedStatement
from hornbook.kb.pydatalog.rewriting import nonmonotonic_conditions, several_values
from hornbook.kb.pydatalog.syntax import refusal
from hornbook.kb.sources.diagnostics import Diagnostic


def without(program: PyDatalogProgram, wrong: Iterable[Diagnostic]) -> PyDatalogProgram:
    """Return the program without the statements that have errors."""
    placed = [(rule.span, rule.head.relation) for rule in program.rules]
    placed += [(fact.span, key) for key, facts in program.facts.items() for fact in facts]
    placed.sort(key=lambda part: _start(part[0]))
    refused: dict[t.Span, RefusedStatement] = {}
    for diagnostic in wrong:
        place = bisect_right(placed, _start(diagnostic.span), key=lambda part: _start(part[0])) - 1
        if place >= 0:
            span, key = placed[place]
            refused.setdefault(
                span, RefusedStatement(diagnostic, span, frozenset((program.signatures[key].name,)))
            )
    rules = tuple(rule for rule in program.rules if rule.span not in refused)
    facts = {
        key: [fact for fact in facts if fact.span not in refused] for key, facts in program.facts.items()
    }
    facts = {key: remaining for key, remaining in facts.items() if remaining}
    return replace(program, rules=rules, facts=facts, refused=(*program.refused, *refused.values()))


def _start(span: t.Span) -> tuple[int, int]:
    return span.line, span.column


def affected_statements(program: PyDatalogProgram) -> Iterator[Diagnostic]:
    """Yield diagnostics for statements whose answers would be wrong because other statements are left out."""
    everything = any(refused.names is None for refused in program.refused)
    names = {name for refused in program.refused for name in refused.names or ()}
    all_taken = any(refused.takes and refused.names is None for refused in program.refused)
    taken = {name for refused in program.refused if refused.takes for name in refused.names or ()}
    left_out = {key for key, signature in program.signatures.items() if everything or signature.name in names}
    unsure = _dependent_predicates(left_out, program.rules)
    divided = several_values(program)
    reasons: dict[str, str] = {}
    for key, signature in program.signatures.items():
        name = signature.name
        if signature.keys is not None and (name in names or key in unsure & divided):
            reasons[key] = f"the value of `{name}`"
        elif all_taken or name in taken:
            reasons[key] = f"what may be taken away from `{name}`"
    for rule in program.rules:
        for atom in t.statements(nonmonotonic_conditions(rule)):
            if atom.relation in unsure:
                name = program.signatures[atom.relation].name
                yield _refusal(f"what is absent of `{name}`, or how much of it there is,", rule.span)
                break
        else:
            if rule.head.relation in reasons:
                yield _refusal(reasons[rule.head.relation], rule.span)
    for key in reasons.keys() & program.facts.keys():
        yield from (_refusal(reasons[key], fact.span) for fact in program.facts[key])


def _refusal(what: str, span: t.Span) -> Diagnostic:
    return refusal(
        f"{what} is not known without the statements that are left out",
        span,
        "import the statements that are left out",
    )


def _dependent_predicates(keys: set[str], rules: Iterable[t.Rule]) -> set[str]:
    """Return the predicates with everything that depends on them."""
    found, size = set(keys), -1
    while size < len(found):
        size = len(found)
        found |= {
            rule.head.relation for rule in rules if any(a.relation in found for a in t.statements(rule.body))
        }
    return found
