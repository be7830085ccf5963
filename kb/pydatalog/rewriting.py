"""The transformation of pyDatalog's clauses to clauses that can be evaluated independently.

A function has one value. Its facts come first, then its clauses from the last to the first, and a clause is
used only if the preceding ones give no value. A predicate that only compares, such as `older(X, Y) <= (X >
Y)`, has no facts of its own, so it is inlined. A conclusion from an absence requires that the tables below it
are `complete`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, count, product

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_term
from hornbook.kb.pydatalog.program_reader import Facts, PyDatalogProgram
from hornbook.kb.pydatalog.syntax import PredicateSignature, negation, variables_of


def rewritten(program: PyDatalogProgram) -> tuple[PyDatalogProgram, set[str]]:
    """Return the program with helpers inlined and one value for each function, and its `complete`
    predicates.
    """
    rules, facts, signatures = list(program.rules), dict(program.facts), dict(program.signatures)
    if several := several_values(program):
        rules = [*_split_functions(rules, facts, signatures, several)]
    rules = _without_helpers(rules, facts)
    used = {*facts, *(rule.head.relation for rule in rules)}
    used |= {atom.relation for rule in rules for atom in t.statements(rule.body)}
    used_signatures = {key: signature for key, signature in signatures.items() if key in used}
    return replace(program, rules=tuple(rules), facts=facts, signatures=used_signatures), _complete(
        rules, facts
    )


def by_head(rules: Sequence[t.Rule]) -> dict[str, list[t.Rule]]:
    found: dict[str, list[t.Rule]] = {}
    for rule in rules:
        found.setdefault(rule.head.relation, []).append(rule)
    return found


def _complete(rules: Sequence[t.Rule], facts: Facts) -> set[str]:
    """Return the predicates without rules below absences and aggregates."""
    own = by_head(rules)
    found: set[str] = set()
    todo = [atom.relation for rule in rules for atom in t.statements(nonmonotonic_conditions(rule))]
    while todo:
        key = todo.pop()
        if key not in found:
            found.add(key)
            todo += [atom.relation for rule in own.get(key, ()) for atom in t.statements(rule.body)]
    return {key for key in found if key not in own or key in facts}


def nonmonotonic_conditions(rule: t.Rule) -> list[t.Condition]:
    """Return the conditions of a rule that additional facts may falsify."""
    return [condition for condition in rule.body if isinstance(condition, (t.Absent, t.Aggregate))]


def several_values(program: PyDatalogProgram) -> set[str]:
    """Return the functions for which two clauses, or a clause and a fact, may match one key."""
    found = set()
    for key, own in by_head(program.rules).items():
        width = program.signatures[key].keys
        if width is not None:
            clauses = [[_value(term) for term in rule.head.terms[:width]] for rule in own]
            given = (
                (clause, fact.values[:width]) for clause in clauses for fact in program.facts.get(key, ())
            )
            if any(_overlap(*pair) for pair in chain(combinations(clauses, 2), given)):
                found.add(key)
    return found


def _value(term: t.Term) -> str | int | None:
    return term.value if isinstance(term, t.Constant) else None


def _overlap(keys: Sequence[str | int | None], others: Sequence[str | int | None]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(keys, others, strict=True))


def _split_functions(
    rules: Sequence[t.Rule], facts: Facts, signatures: dict[str, PredicateSignature], keys: set[str]
) -> Iterator[t.Rule]:
    """Yield the rules with some functions divided: each clause and the facts get a predicate of their own."""
    yield from (rule for rule in rules if rule.head.relation not in keys)
    for key in sorted(keys):
        earlier: list[str] = []

        def part(name: str, key: str = key, earlier: list[str] = earlier) -> str:
            earlier.append(f"{key}, {name}")
            signatures[earlier[-1]] = replace(signatures[key], name=f"{signatures[key].name}_{name}")
            return earlier[-1]

        if given := facts.pop(key, None):
            facts[part("given")] = given
            yield _combining_rule(key, earlier, signatures[key], given[0].span)
        clauses = [rule for rule in rules if rule.head.relation == key]
        for number, rule in reversed([*enumerate(clauses, 1)]):
            yield replace(rule, head=t.Atom(part(str(number)), rule.head.terms, None, rule.head.span))
            yield _combining_rule(key, earlier, signatures[key], rule.span)


def _combining_rule(key: str, parts: Sequence[str], signature: PredicateSignature, span: t.Span) -> t.Rule:
    """Return the rule that derives a function from its last part, if the preceding parts have no value."""
    terms = tuple(t.Variable(f"X{i}") for i in range(signature.arity))
    *earlier, last = parts
    absent = (
        t.Absent((t.Atom(part, (*terms[: signature.keys], t.Variable(f"V{i}"))),))
        for i, part in enumerate(earlier)
    )
    return t.Rule(t.Atom(key, terms), (t.Atom(last, terms), *absent), None, span)


# Helpers


def _without_helpers(rules: list[t.Rule], facts: Facts) -> list[t.Rule]:
    """Return the rules with predicates that only compare inlined."""
    while helpers := _helpers(rules):
        for key, own in helpers.items():
            own += [
                t.Rule(t.Atom(key, tuple(map(t.Constant, fact.values))), (), None, fact.span)
                for fact in facts.pop(key, ())
            ]
        numbers = count(1)
        rules = [
            replace(rule, body=body)
            for rule in rules
            if rule.head.relation not in helpers
            for body in _alternatives(rule.body, helpers, numbers)
        ]
    return rules


def _helpers(rules: Sequence[t.Rule]) -> dict[str, list[t.Rule]]:
    """Return the predicates whose clauses only compare, if one of these does not bind all variables of its
    head.
    """
    return {
        key: own
        for key, own in by_head(rules).items()
        if not any(True for rule in own for _ in t.statements(rule.body)) and not all(map(_is_bound, own))
    }


def _is_bound(rule: t.Rule) -> bool:
    bound: set[str] = set()
    for _ in rule.body:
        for condition in rule.body:
            match condition:
                case t.Comparison(operator="=", left=left, right=right):
                    for side, other in ((left, right), (right, left)):
                        if (
                            isinstance(side, t.Variable)
                            and {v.name for v in t.expression_variables(other)} <= bound
                        ):
                            bound.add(side.name)
    return all(term.name in bound for term in rule.head.terms if isinstance(term, t.Variable))


def _alternatives(
    body: Sequence[t.Condition], helpers: Mapping[str, list[t.Rule]], numbers: Iterator[int]
) -> Iterator[tuple[t.Condition, ...]]:
    """Yield bodies without helpers that are together equivalent to a body."""
    choices: list[list[tuple[t.Condition, ...]]] = []
    for condition in body:
        match condition:
            case t.Atom(predicate=key) if key in helpers:
                choices.append([_inlined(condition, rule, next(numbers)) for rule in helpers[key]])
            case t.Absent(conditions=conditions, span=span):
                inside = _alternatives(conditions, helpers, numbers)
                choices.append([tuple(negation(alternative, span) for alternative in inside)])
            case _:
                choices.append([(condition,)])
    for chosen in product(*choices):
        yield tuple(chain.from_iterable(chosen))


def _inlined(atom: t.Atom, rule: t.Rule, number: int) -> tuple[t.Condition, ...]:
    """Return the body of a helper's clause for the terms of an atom, with renamed local variables."""
    terms: dict[str, t.Term] = {}
    equal: list[t.Condition] = []
    for own, term in zip(rule.head.terms, atom.arguments, strict=True):
        if isinstance(own, t.Variable) and own.name not in terms:
            terms[own.name] = term
        else:
            equal.append(t.Comparison("=", term, apply_to_term(own, terms), atom.span))
    for name in variables_of(rule):
        terms.setdefault(name, t.Variable(f"{name}_{number}"))
    return (*equal, *(apply_to_condition(condition, terms) for condition in rule.body))
