"""Parsed rules as JSON for the cache, so that an unchanged file is not parsed again.

The key of the value is the key of the verdict on the file (compiler/rules/verdict_cache.py). The value
therefore belongs to one text of the rules and one text of their proofs. `hornbook rules verify` does not use
it.

A condition that occurs in several rules is stored once and becomes one object. Conditions therefore have no
spans of their own; rules do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from hornbook.compiler.checker.form import form_of_term, term_of_form
from hornbook.compiler.rules.admission import Proof, RuleBase, RuleEntry, Unread, rule_base
from hornbook.compiler.rules.definitions import definitions_in
from hornbook.compiler.rules.verdict_cache import file_key
from hornbook.kb.ast.declarations import Clause, Import, Predicate
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Constant,
    CountIn,
    GameStatement,
    Node,
    Operation,
    PlanStatement,
    Rule,
    Span,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.cache import recall
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.locate import locate
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.literals.forms import form_of_kind
from hornbook.kb.text.literals.values import WrittenInteger
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """The clauses of a file.

    `proofs` has, for each rule, its accepted proof.
    """

    clauses: tuple[Clause, ...]
    proofs: Mapping[str, ParsedProof]


@dataclass(frozen=True, slots=True)
class ParsedProof:
    """An accepted proof.

    Attributes:
        line: Its line in the sidecar, from 0.
        reached: Whether it covers all reachable states.
        alone: The relations that it inverts.
        digest: The digest of its rule.
    """

    line: int
    reached: bool
    alone: frozenset[str]
    digest: str


def read_again(path: Path, theory: Theory) -> RuleBase | None:
    """Return the rule base of a file whose proofs were accepted before, or None if there is no such verdict.

    Then `rulebase.read` must read it. Each proof is parsed on demand. Raise TheoryError if the file cannot
    be read.
    """
    with collector_paused():
        text = read_text(path)
        proofs = text_of_proofs(path)
        known = recall(file_key(text, proofs, theory))
        if known is None:
            return None
        parsed = rules_from_json(known, str(path))
        # The verdict is on the texts. The target of an import depends on the place of the file.
        imports = any(isinstance(clause, Import) for clause in parsed.clauses)
        if imports and other_theory_file(path, theory) is not None:
            return None
        lines = _ProofLines(proofs)

        def entry(rule: Rule) -> RuleEntry:
            if rule.name not in parsed.proofs:
                return RuleEntry(rule, None, None)
            proof = parsed.proofs[rule.name]
            read = partial(lines.proof, proof.line)
            return RuleEntry.accepted(rule, Unread(proof.reached, proof.alone, proof.digest, read))

        definitions = definitions_in(parsed.clauses)
        rules = (each for each in parsed.clauses if isinstance(each, Rule))
        learned = [entry(rule) for rule in rules if not definitions.is_clause(rule)]
        return rule_base(theory.name, learned, definitions)


class _ProofLines:
    """The lines of a sidecar, which are divided when the first proof is needed."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> list[str]:
        return lines_of(self._text)

    def proof(self, number: int) -> Proof:
        """Return the proof in a line (from 0)."""
        from hornbook.compiler.rules.certificates import read_proof  # noqa: PLC0415 - slow to import

        return read_proof(self._lines[number])[1]


def other_theory_file(rules: Path, theory: Theory) -> Path | None:
    """Return the file of another theory that the rules' import would read; None if there is none."""
    try:
        found = locate(theory.name, rules.resolve().parent, importing=rules.resolve()).resolve()
    except (TheoryError, OSError, ValueError):
        # A theory known only by its path cannot be imported from here; an impossible folder has no imports.
        return None
    return None if theory.path is None or found == theory.path.resolve() else found


def text_of_proofs(rules: Path) -> str:
    """Return the text of a rule base's proofs; empty if there is no sidecar."""
    path = proofs_path(rules)
    return read_text(path) if path.exists() else ""


def rules_as_json(clauses: Iterable[Clause], base: RuleBase, lines: Mapping[str, int]) -> Any:
    """Return the clauses of a file of rules as JSON, with the line (from 0) of each proof."""
    table: dict[Node, int] = {}

    def number(node: Node) -> int:
        return table.setdefault(node, len(table))

    rows: list[Any] = []
    for clause in clauses:
        if isinstance(clause, Import):
            rows.append([clause.name, *_numbers(clause.span)])
        elif isinstance(clause, Predicate):
            rows.append([print_clause(clause), *_numbers(clause.span), "predicate"])
        elif isinstance(clause, Rule):
            entry = base.entries.get(clause.name)
            certificate = None if entry is None else entry.certificate
            proof = None
            if entry is not None and certificate is not None:
                proof = [lines[clause.name], certificate.reached, sorted(certificate.alone), entry.digest]
            conditions = [number(condition) for condition in clause.body]
            rows.append(
                [clause.label, *_numbers(clause.span), proof, clause.lemma, number(clause.head), conditions]
            )
    return [[form_of_node(node) for node in table], rows]


def rules_from_json(data: Any, file: str) -> ParsedRules:
    """Return the clauses written by `rules_as_json`, as clauses of the given file."""
    forms, rows = data
    table = [node_of_form(form) for form in forms]
    clauses: list[Clause] = []
    proofs: dict[str, ParsedProof] = {}
    for name, *numbers in rows:
        span = Span(file, *numbers[:4])
        if len(numbers) == 4:
            clauses.append(Import(name, span))
            continue
        if len(numbers) == 5:
            clauses += [replace(each, span=span) for each in parse(name).clauses]
            continue
        proof, is_lemma, head, conditions = numbers[4:]
        rule = Rule(table[head], tuple([table[each] for each in conditions]), name, span, lemma=is_lemma)
        clauses.append(rule)
        if proof is not None:
            line, reached, alone, digest = proof
            proofs[rule.name] = ParsedProof(line, reached, frozenset(alone), digest)
    return ParsedRules(tuple(clauses), proofs)


def _numbers(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def form_of_node(node: Node) -> Any:
    """Return a node as JSON: a term as in certificates, any other node as its kind and its parts."""
    match node:
        case Operation():
            return ["operation", node.operator, *_forms(node.operands)]
        case Atom():
            return ["atom", node.predicate, _forms(node.arguments), node.tense]
        case GameStatement():
            by = None if node.by is None else form_of_node(node.by)
            return ["game", form_of_node(node.game), by, form_of_node(node.value)]
        case PlanStatement():
            return ["plan", form_of_node(node.game), node.moves, form_of_node(node.by)]
        case Comparison():
            return ["compare", node.operator, form_of_node(node.left), form_of_node(node.right)]
        case All():
            return ["all", _forms(node.variables), form_of_node(node.member), _forms(node.conditions)]
        case CountIn():
            parts = [_forms(part) for part in (node.variables, node.sets, node.excluded)]
            return ["count", form_of_node(node.result), *parts]
        case Aggregate():
            variables, conditions = _forms(node.variables), _forms(node.conditions)
            return ["aggregate", form_of_node(node.result), node.function, variables, conditions]
        case Absent():
            return ["absent", _forms(node.conditions)]
        case Constant(value=WrittenInteger() as value):
            return ["literal", value.kind, int(value)]
        case _:
            return form_of_term(node)


def _forms(nodes: Iterable[Node]) -> list[Any]:
    return [form_of_node(node) for node in nodes]


def node_of_form(form: Any) -> Any:
    """Return the node of a form; the inverse of `form_of_node`."""
    if not isinstance(form, list):
        return term_of_form(form)
    match form:
        case ["literal", str(kind), int(value)]:
            return Constant(form_of_kind(kind).number(value))
        case ["operation", operator, *operands]:
            return Operation(operator, _nodes(operands))
        case ["atom", predicate, arguments, tense]:
            return Atom(predicate, _nodes(arguments), tense)
        case ["game", game, by, value]:
            return GameStatement(
                node_of_form(game), None if by is None else node_of_form(by), node_of_form(value)
            )
        case ["plan", game, int(moves), by]:
            return PlanStatement(node_of_form(game), moves, node_of_form(by))
        case ["compare", operator, left, right]:
            return Comparison(operator, node_of_form(left), node_of_form(right))
        case ["all", variables, member, conditions]:
            return All(_nodes(variables), node_of_form(member), _nodes(conditions))
        case ["count", result, variables, sets, excluded]:
            return CountIn(node_of_form(result), _nodes(variables), _nodes(sets), _nodes(excluded))
        case ["aggregate", result, function, variables, conditions]:
            return Aggregate(node_of_form(result), function, _nodes(variables), _nodes(conditions))
        case ["absent", conditions]:
            return Absent(_nodes(conditions))
    raise ValueError(form)


def _nodes(forms: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([node_of_form(form) for form in forms])
