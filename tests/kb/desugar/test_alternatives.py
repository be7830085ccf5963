"""Tests of `or`: the expansion of alternatives, refusals, and answers compared with truth tables."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.kb.ast.declarations import Frame, Replies
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.terms import Rule, condition_variables
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse, parse_queries, parse_query
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.pages.engines import engines_with
from oracles.reader.language import NotRead, fingerprint
from oracles.reader.language import clauses as read_again


def bodies(rules):
    return [", ".join(map(print_condition, rule.body)) for rule in rules]


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("a(?x) or b(?x)", ["a(?x)", "b(?x)"]),
        ("a(?x), b(?x) or c(?x)", ["a(?x), b(?x)", "c(?x)"]),
        ("a(?x), (b(?x) or c(?x), d)", ["a(?x), b(?x)", "a(?x), c(?x), d"]),
        ("(a(?x) or b(?x)), (c(?x) or d)", ["a(?x), c(?x)", "a(?x), d", "b(?x), c(?x)", "b(?x), d"]),
        ("a(?x), ((b(?x) or c(?x)), d or e)", ["a(?x), b(?x), d", "a(?x), c(?x), d", "a(?x), e"]),
        ("((a(?x)), (b(?x), c(?x)))", ["a(?x), b(?x), c(?x)"]),
        ("a(?x), (?x = k or ?x + 1 > 3 or (?x + 1) * 2 = 4)", None),
        # The absence of a disjunction is the absence of each alternative.
        ("a(?x), absent (b(?x) or c(?x, ?y), d)", ["a(?x), absent b(?x), absent (c(?x, ?y), d)"]),
        ("a(?x), absent (b(?x), (c or d))", ["a(?x), absent (b(?x), c), absent (b(?x), d)"]),
        ("absent b, d(?x) or a(?x)", ["absent b, d(?x)", "a(?x)"]),
        # A word after `but` belongs to it. An alternative after a set needs parentheses.
        ("a(?x), (?n = count ?y in s(?y) but u or v), b", ["a(?x), ?n = count ?y in s(?y) but u or v, b"]),
        ("(a(?x), ?n = count ?y in s(?y)) or b(?x)", ["a(?x), ?n = count ?y in s(?y)", "b(?x)"]),
        # A variable that occurs in an alternative only once is a wildcard there.
        ("a(?x, ?y), (b(?y) or c(?x))", ["a(?x, ?y), b(?y)", "a(?x, _), c(?x)"]),
        ("a(?x, _), (b(?x, _) or c(_, ?x, _))", ["a(?x, _), b(?x, _)", "a(?x, _), c(_, ?x, _)"]),
        # Calculations and groups are expanded separately in each alternative.
        ("a(?x), (b(?x + 1) or c(?x * 2))", None),
        ("a(?x), (?x = count ?b by ?p where in(?b, ?p) or b(?x))", None),
        # As a name, `or` is still allowed.
        ("or(?x), a(or) or or(?x)", ["or(?x), a(or)", "or(?x)"]),
    ],
)
def test_each_alternative_is_a_clause(body, read):
    file = parse(f"r: h(?x) :- {body}.")
    assert not file.diagnostics
    rules = file.clauses
    if read is not None:
        assert bodies(rules) == read
    labels = [rule.label for rule in rules]
    assert labels == (["r"] if len(rules) == 1 else [f"r_{n + 1}" for n in range(len(rules))])
    for rule in rules:
        wildcards = [v.name for c in rule.body for v in condition_variables(c) if v.is_wildcard]
        assert wildcards == [f"_{n + 1}" for n in range(len(wildcards))]
        again = parse(print_clause(rule)).clauses
        assert again == (rule,)
    text = format_text(f"r: h(?x):-{body}.", "t.horn")
    assert parse(text).clauses == rules
    assert format_text(text, "t.horn") == text


def test_conditions_point_at_what_was_written():
    first, second = parse("h(?x) :- a(?x), (b(?x) or\n  c(?x)).").clauses
    assert [condition.span.column for condition in first.body] == [10, 18]
    assert [(condition.span.line, condition.span.column) for condition in second.body] == [(1, 10), (2, 3)]
    assert first.span == second.span


def test_the_cases_of_frames_and_replies_are_taken_apart_as_rules_are():
    frame, persists, replies = parse(
        "frame on(?x): go(?x), (a(?x) or b); stop.\n"
        "persists on(?x) unless go(?x), (a or b) or c.\n"
        "replies win(?x): go(?x), (a(?x) or b) unless on(?x); stop."
    ).clauses
    assert isinstance(frame, Frame)
    assert isinstance(persists, Frame)
    assert isinstance(replies, Replies)
    assert [", ".join(map(print_condition, c)) for c in frame.cases] == ["go(?x), a(?x)", "go(?x), b", "stop"]
    assert [", ".join(map(print_condition, c)) for c in persists.cases] == ["go(?x), a", "go(?x), b", "c"]
    assert [(print_condition(case.action), *map(print_condition, case.conditions)) for case in replies.cases] == [
        ("go(?x)", "a(?x)"), ("go(?x)", "b"), ("stop",),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("h(?n) :- ?n = count ?x where (a(?x) or b(?x)).", "`or` cannot stand within `count`"),
        ("h(?n) :- ?n = sum ?x by ?y where (a(?x, ?y) or b(?x, ?y)).", "`or` cannot stand within `sum`"),
        (
            "h(?x) :- all ?y in s(?x, ?y): (a(?y) or b(?y)).",
            "`or` cannot stand among what holds of all members",
        ),
        ("expect e: a or b.", "`or` cannot stand among what an example is expected to have"),
        ("h(?x, ?y) :- a(?x), (b(?y) or c(?x)).", "the alternative `c(?x)` does not have `?y`"),
        ("h(?x, ?y) :- a(?x), (b(?y) or c(?x + 1)).", "the alternative `c(?x + 1)` does not have `?y`"),
        ("h(?x) :- a or b(?x) or c.", "the alternative `a` does not have `?x`"),
        (f"h :- {', '.join(['(a or b)'] * 7)}.", "more than 64 alternatives"),
        (f"h :- {' or '.join(['a'] * 65)}.", "more than 64 alternatives"),
        (f"h :- absent ({', '.join(['(a or b)'] * 7)}).", "more than 64 alternatives"),
        (f"h :- {', '.join(['(a or b)'] * 40_000)}.", "more than 64 alternatives"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused_once(clause, message):
    (found,) = parse(clause).diagnostics
    assert found.code == "HB059"
    assert message in found.message


def test_as_many_alternatives_as_are_allowed():
    assert len(parse(f"h :- {', '.join(['(a or b)'] * 6)}.").clauses) == 64
    assert len(parse(f"h :- absent ({' or '.join(['a'] * 64)}).").clauses[0].body) == 64


THEORY = """
theory t.
sort thing.
static thing(thing) complete.
static a(thing) complete. static b(thing) complete. static c(thing) complete. static n(thing, int) complete.
derived h(thing).
"""


def test_a_mistake_in_what_alternatives_share_is_reported_once():
    with pytest.raises(TheoryError) as refused:
        load_text(THEORY + "r: h(?x) :- thing(?x), q(?x), (a(?x) or b(?x) or ?x != ?y), q(?x).")
    codes = [diagnostic.code for diagnostic in refused.value.diagnostics]
    assert sorted(codes) == ["HB010", "HB020"]
    assert "here and in 1 more place" in str(refused.value)


def formula(random: Random, depth: int):
    """Return a random text of alternatives about `?x`, and a function that evaluates it.

    The function takes the names of the predicates that are true for a constant.
    """
    kind = random.choice(("fact", "fact", "and", "or", "or", "absent")) if depth else "fact"
    if kind == "fact":
        name = random.choice("abc")
        return f"{name}(?x)", lambda output: name in output
    parts = [formula(random, depth - 1) for _ in range(random.randint(2, 3))]
    texts, functions = zip(*parts, strict=True)
    if kind == "and":
        return f"({', '.join(texts)})", lambda output: all(holds(output) for holds in functions)
    body = " or ".join(texts)
    if kind == "absent":
        return f"absent ({body})", lambda output: not any(holds(output) for holds in functions)
    return f"({body})", lambda output: any(holds(output) for holds in functions)


@pytest.mark.parametrize("engine", engines_with())
def test_rules_and_queries_say_what_a_truth_table_says(engine):
    random = Random(8)
    every = [
        "".join(letters) for n in range(8) for letters in [[x for i, x in enumerate("abc") if n >> i & 1]]
    ]
    facts = [GroundFact("thing", (f"t{output}",)) for output in every]
    facts += [GroundFact(name, (f"t{output}",)) for output in every for name in output]
    tried = 0
    while tried < 40:
        text, holds = formula(random, 3)
        rule = f"r: h(?x) :- thing(?x), {text}."
        if len(parse(rule).clauses) == 0:
            continue  # more than 64
        tried += 1
        base = KnowledgeBase(load_text(THEORY + rule), engine=engine)
        base.add(facts)
        expected = {(f"t{output}",) for output in every if holds(output)}
        assert set(base.query("h(?x)")) == expected, rule
        assert set(base.query(f"thing(?x), {text}")) == expected, text
        formatted = format_text(rule, "t.horn")
        assert parse(formatted).clauses == parse(rule).clauses


def test_a_query_with_alternatives_has_the_answers_of_all_of_them():
    base = KnowledgeBase(load_text(THEORY))
    base.add_text("a(k). a(l). b(l). b(m). c(m). n(k, 3). n(m, 9).")
    assert base.query("a(?x) or b(?x)").rows == (("k",), ("l",), ("m",))
    assert base.query("n(?x, ?n), a(?x) or c(?x), ?n = 1").rows == (("k", 3), ("m", 1))
    assert base.query("a(k) or a(m)")
    assert not base.query("a(m) or b(k)")
    assert base.query("a(?x) or n(?x, $n)", parameters={"n": 9}).rows == (("k",), ("l",), ("m",))
    with pytest.raises(Exception, match="more than 2 answers"):
        base.query("a(?x) or b(?x)", max_answers=2)
    assert base.query_table("a(?x) or b(?x)").column("x").to_pylist() == ["k", "l", "m"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("n(?x, ?n) or a(?x)", "the alternative `a(?x)` does not have `?n`"),
        ("a(?x) or n(_, ?x)", "`?x` is a word in one alternative and a number in another"),
        ("a(?x) or q(?x)", "unknown predicate `q`"),
    ],
)
def test_the_alternatives_of_a_query_answer_the_same(query, message):
    base = KnowledgeBase(load_text(THEORY))
    with pytest.raises(
        TheoryError, match=message.replace("(", r"\(").replace(")", r"\)").replace("?", r"\?")
    ):
        base.query(query)


def test_what_takes_one_conjunction_refuses_several():
    with pytest.raises(TheoryError, match="`or` cannot stand in this place"):
        parse_query("a(?x) or b(?x)")
    assert len(parse_queries("(a(?x) or b(?x)), (c(?x) or d)")) == 4
    base = KnowledgeBase(load_text(THEORY))
    for ask in (base.why, base.why_not, base.engine.parse_query):
        with pytest.raises(TheoryError, match="HB059"):
            ask("a(k) or b(k)")


def test_proofs_and_missing_proofs_name_the_alternative():
    base = KnowledgeBase(load_text(THEORY + "r: h(?x) :- thing(?x), (a(?x) or b(?x), c(?x))."))
    base.add_text("thing(k). thing(l). b(k). c(k). b(l).")
    assert "r_2" in str(base.why("h(k)"))
    missing = base.why_not("h(l)").to_text()
    assert "rule r_1" in missing
    assert "fails: a(l)" in missing
    assert "fails: c(l)" in missing


def test_every_way_to_nest_two_alternatives_is_read():
    for first, second in product(("a", "(a or b)", "(a, b)", "absent (a or b)"), repeat=2):
        for joined in (f"{first}, {second}", f"{first} or {second}", f"({first} or {second}), c"):
            (*rules,) = parse(f"h :- {joined}.").clauses
            assert all(isinstance(rule, Rule) for rule in rules)
            assert rules


def test_alternatives_without_a_label_have_names_of_their_own():
    rules = parse("\nh(?x) :- a(?x) or b(?x).\nh(?x) :- c(?x).").clauses
    assert [rule.name for rule in rules] == ["h@2_1", "h@2_2", "h@3"]
    base = KnowledgeBase(load_text(THEORY + "h(?x) :- thing(?x), (a(?x) or b(?x))."))
    base.add_text("thing(k). b(k).")
    assert "h@7_2" in str(base.why("h(k)"))


@pytest.mark.parametrize(
    "body",
    [
        "a(?x) or b(?x)",
        "a(?x, ?y), (b(?y) or c(?x, _), d(_)), absent (e(?x) or f(?x, ?z))",
        "a(?x), all ?y in s(?x, ?y): c(?y, ?z), (d or e(?z))",
        "(before w(?x) by m(?p, ?q) is ?v or a(?x, ?p)), (?p = ?p or b(?q), c(?v, ?x))",
        "a(?x, ?y + 1, ?y), (b(?y) or c(_, ?x * 2) or d(?y, ?x)), ?n = count ?z in s(?x, ?z) but k or ?y",
        "(?x = 1 or (?x + 1) * 2 = 4 or ?x = 3), (a or b)",
        "?n = sum ?w where (p(?x, ?w), q(?y)), (a(?y) or b(?x))",
        "absent (a(?x, ?y), (b(?y) or c)), d(?x)",
    ],
)
@pytest.mark.parametrize("label", ["", "r: "])
def test_the_second_reader_takes_them_apart_alike(body, label):
    text = f"{label}h(?x) :- {body}."
    assert [fingerprint_of_rule(rule) for rule in parse(text).clauses] == [
        fingerprint(f) for f in read_again(text)
    ]


def test_the_second_reader_reads_random_alternatives_alike():
    random = Random(5)
    for _ in range(150):
        text = f"h(?x) :- thing(?x, ?y), {formula(random, 3)[0]}, ({formula(random, 1)[0]} or n(?y, ?x))."
        rules = parse(text).clauses
        if rules:
            assert [fingerprint_of_rule(rule) for rule in rules] == [fingerprint(f) for f in read_again(text)]
        else:
            with pytest.raises(NotRead, match="more than 64"):
                read_again(text)
