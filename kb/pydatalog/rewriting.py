"""What pyDatalog means by its clauses, said by clauses that can be evaluated one by one.

A function has one value: its facts come first, then its clauses from the last to the first, and a clause is
asked only where what comes before it has no value. A predicate that is only compared, such as
`older(X, Y) <= (X > Y)`, has no facts of its own: what it says is written out where it is used. A conclusion that
rests on what is absent is right if the tables below it have everything, so these are `complete`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, product

from hornbook.kb.ast.substitution import apply_to_condition, apply_to_term
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    Atom,
    Comparison,
    Condition,
    Constant,
    Rule,
    Term,
    Variable,
    expression_variables,
    statements,
)
from hornbook.kb.pydatalog.syntax import Signature, negation, variables_of


def rewritten(
    rules: Sequence[Rule], signatures: Mapping[str, Signature]
) -> tuple[list[Rule], dict[str, Signature], set[str]]:
    """The rules without helpers and with one value for each function, their predicates, and which are `complete`."""
    signatures = dict(signatures)
    if several := several_values(rules, signatures):
        rules = [*_divided(rules, signatures, several)]
    rules = _without_helpers(rules)
    used = {rule.head.relation for rule in rules}
    used |= {atom.relation for rule in rules if rule.body for atom in statements(rule.body)}
    return rules, {key: signature for key, signature in signatures.items() if key in used}, _complete(rules)


def by_head(rules: Sequence[Rule]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.head.relation, []).append(rule)
    return found


def _complete(rules: Sequence[Rule]) -> set[str]:
    """The predicates of which something is asked that rests on all of their facts, and those that these rest on."""
    own = by_head(rules)
    found: set[str] = set()
    todo = [
        a.relation
        for r in rules
        for c in r.body
        if isinstance(c, (Absent, Aggregate))
        for a in statements([c])
    ]
    while todo:
        key = todo.pop()
        if key not in found:
            found.add(key)
            todo += [atom.relation for rule in own.get(key, ()) for atom in statements(rule.body)]
    return {key for key in found if key not in own or any(not rule.body for rule in own[key])}


def several_values(rules: Sequence[Rule], signatures: Mapping[str, Signature]) -> set[str]:
    """The functions of which two clauses, or a clause and a fact, may be asked for one key."""
    found = set()
    for key, own in by_head(rules).items():
        width = signatures[key].keys
        clauses = [rule for rule in own if rule.body]
        if width is not None and any(
            _overlap(rule.head.terms[:width], other.head.terms[:width])
            for rule in clauses
            for other in own
            if other is not rule
        ):
            found.add(key)
    return found


def _overlap(keys: Sequence[Term], others: Sequence[Term]) -> bool:
    return all(
        not (isinstance(a, Constant) and isinstance(b, Constant)) or a == b
        for a, b in zip(keys, others, strict=True)
    )


def _divided(rules: Sequence[Rule], signatures: dict[str, Signature], keys: set[str]) -> Iterator[Rule]:
    """The rules, where some functions are divided: each clause has a predicate of its own, and so have the facts. What
    has no predicate of its own stays, and joins them.
    """
    part_of: dict[int, str] = {}
    earlier: dict[str, list[str]] = {}
    for key in sorted(keys):
        own = [i for i, rule in enumerate(rules) if rule.head.relation == key]
        signature = signatures[key]
        clauses = [i for i in own if rules[i].body]
        parts = [
            ("given", [i for i in own if not rules[i].body]),
            *((str(n), [i]) for n, i in reversed([*enumerate(clauses, 1)])),
        ]
        asked: list[str] = []
        for name, members in parts:
            if members:
                part = f"{key}, {name}"
                signatures[part] = replace(signature, name=f"{signature.name}_{name}")
                part_of |= dict.fromkeys(members, part)
                earlier[part] = list(asked)
                asked.append(part)
    for i, rule in enumerate(rules):
        if i not in part_of:
            yield rule
            continue
        part = part_of[i]
        yield replace(rule, head=Atom(part, rule.head.terms, None, rule.head.span))
        if part in earlier:
            yield _joining(rule, part, earlier.pop(part), signatures[part].keys)


def _joining(rule: Rule, part: str, earlier: Sequence[str], keys: int | None) -> Rule:
    """The rule that concludes a predicate from a part of it, where no earlier part has a value."""
    terms = tuple(Variable(f"X{i}") for i in range(len(rule.head.terms)))
    absent = (Absent((Atom(other, (*terms[:keys], Variable(f"V{i}"))),)) for i, other in enumerate(earlier))
    return Rule(Atom(rule.head.relation, terms), (Atom(part, terms), *absent), None, rule.span)


# Helpers


def _without_helpers(rules: Sequence[Rule]) -> list[Rule]:
    """The rules, with what the predicates say that only compare written out where they are used."""
    rules = list(rules)
    while helpers := _helpers(rules):
        numbers = count(1)
        rules = [
            replace(rule, body=body)
            for rule in rules
            if rule.head.relation not in helpers
            for body in _alternatives(rule.body, helpers, numbers)
        ]
    return rules


def _helpers(rules: Sequence[Rule]) -> dict[str, list[Rule]]:
    """Predicates of which all clauses only compare, and one binds not all that its head names."""
    return {
        key: own
        for key, own in by_head(rules).items()
        if not any(True for rule in own for _ in statements(rule.body)) and not all(map(_is_bound, own))
    }


def _is_bound(rule: Rule) -> bool:
    bound: set[str] = set()
    for _ in rule.body:
        for condition in rule.body:
            match condition:
                case Comparison(operator="=", left=left, right=right):
                    for side, other in ((left, right), (right, left)):
                        if (
                            isinstance(side, Variable)
                            and {v.name for v in expression_variables(other)} <= bound
                        ):
                            bound.add(side.name)
    return all(term.name in bound for term in rule.head.terms if isinstance(term, Variable))


def _alternatives(
    body: Sequence[Condition], helpers: Mapping[str, list[Rule]], numbers: Iterator[int]
) -> Iterator[tuple[Condition, ...]]:
    """The bodies that say together what a body says, without helpers."""
    choices: list[list[tuple[Condition, ...]]] = []
    for condition in body:
        match condition:
            case Atom(predicate=key) if key in helpers:
                choices.append([_written_out(condition, rule, next(numbers)) for rule in helpers[key]])
            case Absent(conditions=conditions, span=span):
                inside = _alternatives(conditions, helpers, numbers)
                choices.append([tuple(negation(alternative, span) for alternative in inside)])
            case _:
                choices.append([(condition,)])
    for chosen in product(*choices):
        yield tuple(chain.from_iterable(chosen))


def _written_out(atom: Atom, rule: Rule, number: int) -> tuple[Condition, ...]:
    """What a clause of a helper says of an atom's terms; its own variables get names of their own."""
    terms: dict[str, Term] = {}
    equal: list[Condition] = []
    for own, term in zip(rule.head.terms, atom.arguments, strict=True):
        if isinstance(own, Variable) and own.name not in terms:
            terms[own.name] = term
        else:
            equal.append(Comparison("=", term, apply_to_term(own, terms), atom.span))
    for name in variables_of(rule):
        terms.setdefault(name, Variable(f"{name}_{number}"))
    return (*equal, *(apply_to_condition(condition, terms) for condition in rule.body))
