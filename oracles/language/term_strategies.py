"""Hypothesis strategies for terms, conditions, rules and all other clauses of the language.

All values can be printed and are well-formed as text, but the checker may reject them. Wildcards are numbered
as the parser numbers them. Each strategy is created once: creation takes longer than drawing.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from hypothesis import strategies as st

from hornbook.kb.ast.declarations import (
    Clause,
    Example,
    Expect,
    Frame,
    Import,
    Predicate,
    Renaming,
    Replies,
    ReplyCase,
    Says,
    Sort,
    SortName,
    TheoryName,
)
from hornbook.kb.ast.operators import FUNCTIONS, STRENGTH, signature
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Rule,
    Statement,
    Term,
    Variable,
)
from hornbook.kb.text.scanner import KEYWORDS, RESERVED

FREE_KEYWORDS = sorted(set(KEYWORDS) - RESERVED)
"""Words of the language that may also be names."""


@cache
def names() -> st.SearchStrategy[str]:
    """Return names of a predicate, sort, label or example."""
    unusual = st.from_regex(r"[^\W\d_]\w{0,6}", fullmatch=True).filter(
        lambda name: name[0].isalpha() and name not in RESERVED
    )
    return st.sampled_from(("colour", "liberty", "a", "p2", "is_", "straße", *FREE_KEYWORDS)) | unusual


@cache
def words() -> st.SearchStrategy[str]:
    """Return names of constants: any text on one line."""
    text = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n\r"), max_size=8)
    return st.sampled_from(("black", "New York", "it's", "", "_", "?x", "12", "%", *KEYWORDS)) | text


@cache
def integers() -> st.SearchStrategy[int]:
    return st.integers(-3, 3) | st.integers(MIN_INTEGER, MAX_INTEGER)


@cache
def variables() -> st.SearchStrategy[Variable]:
    """Return variables and, rarely, wildcards."""
    return st.sampled_from(("x", "y", "p", "number_of_stones", "é", "all", "_1")).map(Variable)


@cache
def terms() -> st.SearchStrategy[Term]:
    return variables() | (words() | integers()).map(Constant)


@cache
def atoms(*, tensed: bool = True) -> st.SearchStrategy[Atom]:
    tenses = st.sampled_from((None, None, "before", "after")) if tensed else st.none()
    arguments = st.lists(terms(), max_size=4).map(tuple)
    return st.builds(Atom, names(), arguments, tenses)


@cache
def game_statements() -> st.SearchStrategy[GameStatement]:
    return st.builds(GameStatement, atoms(), st.none() | atoms(tensed=False), terms())


@cache
def plan_statements() -> st.SearchStrategy[PlanStatement]:
    moves = st.integers(1, MAX_INTEGER)
    return st.builds(PlanStatement, atoms(tensed=False), moves, atoms(tensed=False))


@cache
def statements() -> st.SearchStrategy[Statement]:
    return atoms() | game_statements()


@cache
def calculations() -> st.SearchStrategy[Expression]:
    """Return variables, integers and arithmetic expressions of them."""
    simple = variables() | integers().map(Constant)
    operators = st.sampled_from([name for name in (*STRENGTH, *FUNCTIONS) if name not in _GIVE_WORDS])
    return st.recursive(
        simple,
        lambda inner: operators.flatmap(lambda operator: _operations(operator, inner, spelled())),
        max_leaves=6,
    )


_GIVE_WORDS = [name for name in FUNCTIONS if signature(name).result == "word"]


@cache
def spelled() -> st.SearchStrategy[Expression]:
    """Return variables, words and function terms of them."""
    simple = variables() | words().map(Constant)
    numbers = variables() | integers().map(Constant)
    made = st.sampled_from(_GIVE_WORDS).flatmap(lambda name: _operations(name, numbers, simple))
    return simple | made


def _operations(
    operator: str, numbers: st.SearchStrategy[Expression], others: st.SearchStrategy[Expression]
) -> st.SearchStrategy[Expression]:
    kinds = signature(operator).operands
    if signature(operator).goes_on:
        kinds = (*kinds, kinds[-1])
    operands = (numbers if kind == "integer" else others for kind in kinds)
    return st.builds(Operation, st.just(operator), st.tuples(*operands))


@cache
def comparisons() -> st.SearchStrategy[Comparison]:
    sides = calculations() | words().map(Constant) | spelled()
    return st.builds(Comparison, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), sides, sides)


def _several(inner: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(inner, min_size=1, max_size=most).map(tuple)


@cache
def conditions() -> st.SearchStrategy[Condition]:
    """Return any condition, including those with nested conditions."""
    plain = (
        statements()
        | comparisons()
        | st.builds(
            CountIn,
            calculations(),
            _several(variables()),
            _several(atoms()),
            st.lists(terms(), max_size=2).map(tuple),
        )
    )
    functions = st.sampled_from(("count", "min", "max", "sum"))
    return st.recursive(
        plain,
        lambda inner: (
            st.builds(All, _several(variables()), atoms(), _several(inner))
            | st.builds(Absent, _several(inner))
            | st.builds(Aggregate, calculations(), functions, _several(variables()), _several(inner))
        ),
        max_leaves=5,
    )


@cache
def queries() -> st.SearchStrategy[tuple[Condition, ...]]:
    return _several(conditions(), 5).map(with_numbered_wildcards)


@cache
def rules() -> st.SearchStrategy[Rule]:
    """Return rules and facts, with and without a label."""
    labels = st.none() | names()
    body = st.lists(conditions(), max_size=8).map(tuple)
    heads = statements() | plan_statements()
    return st.builds(Rule, heads, body, labels, lemma=st.booleans()).map(with_numbered_wildcards)


@cache
def sorts() -> st.SearchStrategy[Sort]:
    enumerated = st.builds(Sort, names(), st.just("enumerated"), _several(words() | st.just("int"), 12))
    return enumerated | st.builds(Sort, names(), st.sampled_from(("open", "integer", "mixed")))


@cache
def predicates() -> st.SearchStrategy[Predicate]:
    kinds = st.sampled_from(("static", "fluent", "action", "derived", "game", "meta"))
    column = names().map(SortName)
    sentences = st.none() | st.text("abc ?1.%'", max_size=90).map(Says)

    def with_key(columns: tuple[SortName, ...]) -> st.SearchStrategy[Predicate]:
        key = st.none() if not columns else st.none() | st.integers(0, len(columns) - 1)
        counted = st.tuples(st.none(), st.none()) | st.tuples(column, st.none() | column)
        return counted.flatmap(
            lambda pair: st.builds(
                Predicate,
                kinds,
                names(),
                st.just(columns),
                key,
                *map(st.just, pair),
                st.booleans(),
                st.booleans(),
                st.booleans(),
                st.booleans(),
                st.booleans(),
                st.sampled_from((None, None, "alternates", "fleeting")),
                st.none() | integers(),
                sentences,
            )
        )

    return st.lists(column, max_size=5).map(tuple).flatmap(with_key)


@cache
def declarations() -> st.SearchStrategy[Clause]:
    cases = _several(_several(conditions()))
    return (
        st.builds(TheoryName, names())
        | st.builds(
            Import,
            names(),
            instance=st.none() | names(),
            renamings=st.lists(st.builds(Renaming, names(), names()), max_size=2).map(tuple),
        )
        | sorts()
        | predicates()
        | st.builds(Frame, atoms(tensed=False), cases, st.just(False)).map(with_numbered_wildcards)
        | st.builds(Frame, atoms(tensed=False), st.just(()) | cases, st.just(True)).map(
            with_numbered_wildcards
        )
        | st.builds(Replies, atoms(tensed=False), _several(reply_cases())).map(with_numbered_wildcards)
    )


@cache
def reply_cases() -> st.SearchStrategy[ReplyCase]:
    conditions_of_case = st.lists(conditions(), max_size=3).map(tuple)
    return st.builds(ReplyCase, atoms(tensed=False), conditions_of_case, st.none() | statements())


@cache
def examples() -> st.SearchStrategy[Clause]:
    """Return `example` and `expect` clauses."""
    paths = st.text(st.characters(exclude_categories=("Cs",), exclude_characters='\n\r"'), max_size=8)
    facts = st.lists(statements(), max_size=12).map(tuple)
    answers = st.none() | _several(_several(terms()))
    expects = st.builds(Expect, names(), _several(conditions()), answers)
    later = st.lists(atoms(tensed=False), max_size=3).map(tuple)
    plain = st.builds(Example, names(), st.none() | paths, facts)
    sequences = st.builds(Example, names(), st.none() | paths, _several(statements()), later)
    return (plain | sequences | expects).map(with_numbered_wildcards)


@cache
def clauses() -> st.SearchStrategy[Clause]:
    return rules() | declarations() | examples()


def with_numbered_wildcards(clause: Any) -> Any:
    """Return the clause with its wildcards numbered from 1 in the order of the text."""
    number = 0

    def numbered(part: Any) -> Any:
        nonlocal number
        if isinstance(part, Variable):
            if not part.is_wildcard:
                return part
            number += 1
            return Variable(f"_{number}")
        if isinstance(part, tuple):
            return tuple(map(numbered, part))
        if is_dataclass(part) and not isinstance(part, type):
            # The fields of every term and clause have the order of the text.
            return replace(
                part, **{f.name: numbered(getattr(part, f.name)) for f in fields(part) if f.compare}
            )
        return part

    return numbered(clause)
