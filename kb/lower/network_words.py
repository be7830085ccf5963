"""The network of an engine as text: each node as a condition, and tries as graphs.

Rules that share a node have different names for its variables. So a slot is named by its number: `?a` is the
first. A rule that is not shared keeps its own names.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

import networkx as nx

from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.substitution import at_moment, statement_at
from hornbook.kb.ast.terms import Comparison, Constant, Expression, Operation, Rule, Statement, Term, Variable
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId, Coding, ColumnKind
from hornbook.kb.text.counts import counted
from hornbook.matcher.compiled.network import NetworkNode, NetworkStep, RuleBody, Trie
from hornbook.matcher.program.coded import (
    Apply,
    Call,
    CodedExpression,
    CodedTerm,
    Compare,
    PredicateId,
    RuleId,
    Var,
)

Slots = Mapping[int, tuple[str, ColumnKind]]
"""The name and kind of each known slot."""


def rule_name(rule_id: RuleId, rules: tuple[Rule, ...], coding: Coding) -> str:
    """Return the name of a rule, with its moment if the rule is read at several."""
    assert isinstance(rule_id, CodedRuleId)
    name = rules[rule_id.index].name
    return name if rule_id.moment is None or len(coding.moments) == 1 else f"{name} ({rule_id.moment})"


def relation_name(predicate: PredicateId, coding: Coding) -> str:
    """Return a relation with its moment, without its arguments: `before colour`, `take by move is`."""
    template = coding.relations[predicate].template
    tense = template.tense if len(coding.moments) > 1 else None
    return template.relation if tense is None else f"{tense} {template.relation}"


def node_texts(trie: Trie, coding: Coding) -> list[str]:
    """Return the condition of each node of a trie, by number. The root is the changed fact, or empty."""
    texts: list[str] = []
    known: list[Slots] = []
    for node in trie.nodes:
        slots: Slots = {} if node.parent is None else known[node.parent]
        if node.step is not None:
            slots = _filled(node.step, slots, coding)
            texts.append(_step(node.step, slots, coding))
        elif trie.name.predicate is None:
            texts.append("")
        else:
            predicate = trie.name.predicate
            kinds = coding.relations[predicate].columns
            slots = {slot: (_name(slot), kind) for slot, kind in enumerate(kinds)}
            texts.append(_statement(predicate, tuple(map(Var, slots)), slots, coding))
        known.append(slots)
    return texts


def body_texts(body: RuleBody, rules: tuple[Rule, ...], coding: Coding) -> list[str]:
    """Return the conditions of an unshared rule, in the order of evaluation."""
    assert isinstance(body.rule, CodedRuleId)
    slots: Slots = coding.variables(body.rule)
    texts = []
    for step in body.steps:
        slots = _filled(step, slots, coding)
        texts.append(_step(step, slots, coding))
    moment = body.rule.moment if len(coding.moments) > 1 else None
    for place in body.guards:
        condition = rules[body.rule.index].body[place]
        texts.append(
            print_condition(at_moment(condition, moment, coding.vocabulary) if moment else condition)
        )
    return texts


def graph_of(
    trie: Trie, rules: tuple[Rule, ...], coding: Coding, *, depth: int | None = None
) -> nx.DiGraph[str]:
    """Return a trie as a graph to draw, down to some depth. Conditions lead to conditions, and to completed
    rules.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    texts = node_texts(trie, coding)
    depths: list[int] = []
    for node, text in zip(trie.nodes, texts, strict=True):
        depths.append(0 if node.parent is None else depths[node.parent] + 1)
        if depth is not None and depths[-1] > depth:
            continue
        name = str(node.number)
        label = f"{text or 'full matching'}\n"
        label += "rows as expected, cost in rows and tests" if node.parent is None else estimates(node)
        kind = "action" if node.parent is None else "fluent" if node.step and node.step.terms else "meta"
        graph.add_node(name, label=label, kind=kind)
        if node.parent is not None:
            graph.add_edge(str(node.parent), name)
        for end in node.ends:
            rule = rule_name(end, rules, coding)
            graph.add_node(f"{name} {rule}", label=rule, kind="rule")
            graph.add_edge(name, f"{name} {rule}")
    return graph


def estimates(node: NetworkNode) -> str:
    """Return the estimates for a condition in one pass: its number of rows or passing rows, and its cost."""
    is_test = node.step is not None and node.step.predicate is None
    found = f"{amount(100 * node.expected)} % pass" if is_test else counted(amount(node.expected), "row")
    return f"{counted(node.rules, 'rule')}, {found}, cost {amount(node.cost)}"


def amount(number: float) -> str:
    """Return an estimate in readable form: `0.25`, `12`, `3,400`."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


# Steps


def _name(slot: int) -> str:
    turn, letter = divmod(slot, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(turn) if turn else "")


def _filled(step: NetworkStep, slots: Slots, coding: Coding) -> Slots:
    """Return the slots that are known after a step."""
    found: dict[int, ColumnKind] = {}
    if step.predicate is not None:
        columns = coding.relations[step.predicate].columns
        for term, kind in zip(step.terms, columns, strict=True):
            if isinstance(term, Var) and term.index in step.fills:
                found[term.index] = kind
    elif step.comparison is not None:
        found = dict.fromkeys(step.fills, _kind(step.comparison.right, slots))
    named = {slot: (slots[slot][0] if slot in slots else _name(slot), kind) for slot, kind in found.items()}
    return {**slots, **named}


def _kind(expression: CodedExpression, slots: Slots) -> ColumnKind:
    match expression:
        case Var():
            return slots[expression.index][1]
        case Call():
            return signature(expression.function.name).result
        case _:
            return "integer"


def _step(step: NetworkStep, slots: Slots, coding: Coding) -> str:
    if step.predicate is not None:
        text = _statement(step.predicate, step.terms, slots, coding)
        if step.kind == "guard":
            return f"{text}  (a closed set)"
        return f"{text}  (another fact)" if step.is_other else text
    assert step.comparison is not None
    return _comparison(step.comparison, slots, coding)


def _statement(
    predicate: PredicateId, terms: tuple[CodedTerm | None, ...], slots: Slots, coding: Coding
) -> str:
    relation = coding.relations[predicate]
    coded = tuple(
        _term(term, kind, slots, coding) for term, kind in zip(terms, relation.columns, strict=True)
    )
    statement: Statement = relation.template.with_terms(coded)
    if len(coding.moments) == 1:
        statement = statement_at(statement, None, coding.vocabulary)
    return print_condition(statement)


def _comparison(comparison: Compare, slots: Slots, coding: Coding) -> str:
    sides = (comparison.left, comparison.right)
    kinds = {_kind(side, slots) for side in sides if isinstance(side, Var | Apply | Call)} or {"integer"}
    kind: ColumnKind = "mixed" if "mixed" in kinds else "word" if kinds == {"word"} else "integer"
    left, right = (_expression(side, kind, slots, coding) for side in sides)
    return print_condition(Comparison(comparison.operator, left, right))


def _expression(expression: CodedExpression, kind: ColumnKind, slots: Slots, coding: Coding) -> Expression:
    if isinstance(expression, Apply):
        left = _expression(expression.left, kind, slots, coding)
        right = _expression(expression.right, kind, slots, coding)
        return Operation(expression.operator, (left, right))
    if isinstance(expression, Call):
        name = expression.function.name
        taken = zip(expression.operands, signature(name).taken(len(expression.operands)), strict=True)
        return Operation(name, tuple(_expression(operand, of, slots, coding) for operand, of in taken))
    return _term(expression, kind, slots, coding)


def _term(term: CodedTerm | None, kind: ColumnKind, slots: Slots, coding: Coding) -> Term:
    if term is None:
        return Variable("_")
    if isinstance(term, Var):
        return Variable(slots[term.index][0] if term.index in slots else _name(term.index))
    return Constant(coding.value(term, kind))
