"""Parsed rules as JSON for the cache, so that an unchanged file is not parsed again.

The key of the value is the key of the verdict on the file (compiler/rules/verdict_cache.py). The value
therefore belongs to one text of the rules and one text of their proofs. `hornbook rules verify` does not use
it.

A condition that occurs in several rules is stored once and becomes one object. Conditions therefore have no
spans of their own; rules do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.compiler.checker.form import form_of_term, term_of_form
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.declarations import Clause, Import
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    CountIn,
    GameStatement,
    Node,
    Operation,
    PlanStatement,
    Rule,
    Span,
)


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """The clauses of a file.

    `proofs` has, for each rule, the line of its proof (from 0), and whether the proof covers all reachable
    states.
    """

    clauses: tuple[Clause, ...]
    proofs: Mapping[str, tuple[int, bool]]


def rules_as_json(clauses: Iterable[Clause], base: RuleBase, lines: Mapping[str, int]) -> Any:
    """Return the clauses of a file of rules as JSON, with the line (from 0) of each proof."""
    table: dict[Node, int] = {}

    def number(node: Node) -> int:
        return table.setdefault(node, len(table))

    rows: list[Any] = []
    for clause in clauses:
        if isinstance(clause, Import):
            rows.append([clause.name, *_numbers(clause.span)])
        elif isinstance(clause, Rule):
            certificate = base.entries[clause.name].certificate
            proof = None if certificate is None else [lines[clause.name], certificate.reached]
            conditions = [number(condition) for condition in clause.body]
            rows.append([clause.label, *_numbers(clause.span), proof, number(clause.head), conditions])
    return [[_form(node) for node in table], rows]


def rules_from_json(data: Any, file: str) -> ParsedRules:
    """Return the clauses written by `rules_as_json`, as clauses of the given file."""
    forms, rows = data
    table = [_node(form) for form in forms]
    clauses: list[Clause] = []
    proofs: dict[str, tuple[int, bool]] = {}
    for name, *numbers in rows:
        span = Span(file, *numbers[:4])
        if len(numbers) == 4:
            clauses.append(Import(name, span))
            continue
        proof, head, conditions = numbers[4:]
        rule = Rule(table[head], tuple([table[each] for each in conditions]), name, span)
        clauses.append(rule)
        if proof is not None:
            proofs[rule.name] = (proof[0], proof[1])
    return ParsedRules(tuple(clauses), proofs)


def _numbers(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _form(node: Node) -> Any:
    """Return a node as JSON: a term as in certificates, any other node as its kind and its parts."""
    match node:
        case Operation():
            return ["operation", node.operator, *_forms(node.operands)]
        case Atom():
            return ["atom", node.predicate, _forms(node.arguments), node.tense]
        case GameStatement():
            by = None if node.by is None else _form(node.by)
            return ["game", _form(node.game), by, _form(node.value)]
        case PlanStatement():
            return ["plan", _form(node.game), node.moves, _form(node.by)]
        case Comparison():
            return ["compare", node.operator, _form(node.left), _form(node.right)]
        case All():
            return ["all", _forms(node.variables), _form(node.member), _forms(node.conditions)]
        case CountIn():
            parts = [_forms(part) for part in (node.variables, node.sets, node.excluded)]
            return ["count", _form(node.result), *parts]
        case Aggregate():
            variables, conditions = _forms(node.variables), _forms(node.conditions)
            return ["aggregate", _form(node.result), node.function, variables, conditions]
        case Absent():
            return ["absent", _forms(node.conditions)]
        case _:
            return form_of_term(node)


def _forms(nodes: Iterable[Node]) -> list[Any]:
    return [_form(node) for node in nodes]


def _node(form: Any) -> Any:
    """Return the node of a form; the inverse of `_form`."""
    if not isinstance(form, list):
        return term_of_form(form)
    match form:
        case ["operation", operator, *operands]:
            return Operation(operator, _nodes(operands))
        case ["atom", predicate, arguments, tense]:
            return Atom(predicate, _nodes(arguments), tense)
        case ["game", game, by, value]:
            return GameStatement(_node(game), None if by is None else _node(by), _node(value))
        case ["plan", game, int(moves), by]:
            return PlanStatement(_node(game), moves, _node(by))
        case ["compare", operator, left, right]:
            return Comparison(operator, _node(left), _node(right))
        case ["all", variables, member, conditions]:
            return All(_nodes(variables), _node(member), _nodes(conditions))
        case ["count", result, variables, sets, excluded]:
            return CountIn(_node(result), _nodes(variables), _nodes(sets), _nodes(excluded))
        case ["aggregate", result, function, variables, conditions]:
            return Aggregate(_node(result), function, _nodes(variables), _nodes(conditions))
        case ["absent", conditions]:
            return Absent(_nodes(conditions))
    raise ValueError(form)


def _nodes(forms: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([_node(form) for form in forms])
