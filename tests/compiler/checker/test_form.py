"""Tests of the canonical form: all spellings of a clause share it, and other clauses do not."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from hornbook.compiler.checker import certificate, form
from hornbook.compiler.checker.certificate import (
    fingerprint_of_declaration,
    fingerprint_of_facts,
    fingerprint_of_replies,
    fingerprint_of_rule,
    relied_on,
)
from hornbook.compiler.checker.form import (
    form_of_predicate,
    form_of_replies,
    form_of_term,
    term_of_form,
    text_of_rule,
)
from hornbook.kb.ast.terms import Atom, Constant, Rule, Variable
from hornbook.kb.format import printer
from oracles.proofs.learned_rules import rule_of, theory_of

RULE = "r: win(?b) by go(?b) is GI :- n(?b, 1), m(?b, ?l), near(?l, _), all ?x in m(?b, ?x): (v(?x, ?j), ?j + 1 > 5)."


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("r: p(?x) :- q(?x).", '["rule","r",["atom",null,"p",["?x"]],[["atom",null,"q",["?x"]]]]'),
        (
            "r: p('New York', 3, ?x) :- after q(?x, _, _).",
            ('["rule","r",["atom",null,"p",["New York",3,"?x"]],[["atom","after","q",["?x","?_1","?_2"]]]]'),
        ),
        (
            "r: before win(?b) by go(?b) is GI :- ?b != '?b', ?n = min(?m, 2 * ?k) - 1.",
            (
                '["rule","r",["game",["atom","before","win",["?b"]],["atom",null,"go",["?b"]],"GI"],'
                '[["compare","!=","?b","\'?b"],["compare","=","?n",["-",["min","?m",["*",2,"?k"]],1]]]]'
            ),
        ),
        (
            "r: win is G :- all ?x in m(?b, ?x): q(?x), 2 = count ?x in (m(a, ?x) or m(?b, ?x)) but ?c or d.",
            (
                '["rule","r",["game",["atom",null,"win",[]],null,"G"],'
                '[["all",["?x"],["atom",null,"m",["?b","?x"]],[["atom",null,"q",["?x"]]]],'
                '["count",2,["?x"],[["atom",null,"m",["a","?x"]],["atom",null,"m",["?b","?x"]]],["?c","d"]]]]'
            ),
        ),
        (
            "r: p :- absent q(é), ?n = sum ?x where (q(?x)).",
            (
                '["rule","r",["atom",null,"p",[]],[["absent",[["atom",null,"q",["é"]]]],'
                '["aggregate","sum","?n",["?x"],[["atom",null,"q",["?x"]]]]]]'
            ),
        ),
    ],
)
def test_a_rule_has_the_form_of_the_page(rule, written):
    assert text_of_rule(rule_of(rule)) == written
    digest = hashlib.sha256(written.encode()).hexdigest()[:16]
    assert fingerprint_of_rule(rule_of(rule)) == digest


def test_a_fingerprint_does_not_depend_on_how_a_rule_is_printed(monkeypatch):
    before = fingerprint_of_rule(rule_of(RULE))
    assert fingerprint_of_rule(rule_of(RULE.replace(" ", "\n   ").replace(":-", " % said\n :-"))) == before
    monkeypatch.setattr(printer, "WIDTH", 20)
    monkeypatch.setattr(printer, "INDENT", 7)
    form.text_of_rule.cache_clear()
    assert fingerprint_of_rule(rule_of(RULE)) == before


def test_neither_text_nor_printer_is_used_for_a_fingerprint():
    """Two different words that are printed alike have different fingerprints."""
    broken, shown = (Rule(Atom("p", (Constant("a"),)), (Atom("q", (Constant(w),)),)) for w in ("a\nb", "a⏎b"))
    assert printer.print_rule(broken) == printer.print_rule(shown)
    assert fingerprint_of_rule(broken) != fingerprint_of_rule(shown)
    assert fingerprint_of_rule(broken) != fingerprint_of_rule(
        Rule(broken.head, (Atom("q", (Constant("a\r\nb"),)),))
    )
    assert len({fingerprint_of_rule(Rule(Atom("p", (t,)))) for t in map(Constant, (3, "3", "?3", "'3"))}) == 4


def test_wildcards_are_numbered_where_they_state():
    one, other = (
        Rule(Atom("p", ()), (Atom("q", (Variable(first), Variable("_2"))),)) for first in ("_7", "_1")
    )
    assert fingerprint_of_rule(one) == fingerprint_of_rule(other)
    shared = Rule(Atom("p", ()), (Atom("q", (Variable("_1"), Variable("_1"))),))
    assert fingerprint_of_rule(shared) != fingerprint_of_rule(one)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r:", "s:"), ("GI", "GG"), ("go(?b)", "go(?l)"), ("?l)", "?k)"), ("1)", "2)"), ("> 5", ">= 5"), ("+ 1", "- 1"),
        ("?j + 1", "1 + ?j"), ("near", "far"), ("near(?l, _)", "near(?l, ?y)"), ("near(?l, _), ", ""),
        ("n(?b, 1), m(?b, ?l)", "m(?b, ?l), n(?b, 1)"), ("win(?b) by", "before win(?b) by"), ("in m(?b, ?x)", "in m(?l, ?x)"),
    ],
)  # fmt: skip
def test_whatever_a_rule_says_is_in_its_form(old, new):
    assert old in RULE
    assert fingerprint_of_rule(rule_of(RULE.replace(old, new, 1))) != fingerprint_of_rule(rule_of(RULE))


DECLARED = "sort s. sort c = red | blue. fluent f(s -> c) observed. fluent m(s, s). static off(s). "
COUNTED = "fluent n(s -> int) counts m. fluent k(s -> int) counts m but off. action go(s). game win(s). "


def test_a_declaration_has_the_form_of_the_page():
    words = theory_of(DECLARED + COUNTED).vocabulary
    assert form_of_predicate(words.predicates["f"]) == [
        "predicate",
        "fluent",
        "f",
        ["s", "c"],
        1,
        None,
        None,
        True,
    ]
    assert form_of_predicate(words.predicates["k"]) == [
        "predicate", "fluent", "k", ["s", "int"], 1, "m", "off", False,
    ]  # fmt: skip
    written = '[["predicate","fluent","f",["s","c"],1,null,null,true],["sort","s","open",[]],["sort","c","enumerated",["red","blue"]]]'
    found = fingerprint_of_declaration(words.predicates["f"], words)
    assert found == hashlib.sha256(written.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("declared", "old", "new"),
    [
        ("f(s -> c)", "red | blue", "red | green"), ("f(s -> c)", "sort s.", "sort s = int."), ("f(s -> c)", "s -> c", "s, c"),
        ("f(s -> c) observed", " observed", ""), ("f(s -> int) counts m", " counts m", ""), ("f(s, s)", "f(s, s)", "f(s, c)"),
        ("f(s -> int) counts m but off", " but off", ""), ("f(s, s)", "fluent f", "static f"),
    ],
)  # fmt: skip
def test_whatever_a_declaration_says_is_in_its_form(declared, old, new):
    text = f"sort s. sort c = red | blue. fluent m(s, s). static off(s). fluent {declared}."
    assert old in text
    one, other = (theory_of(each).vocabulary for each in (text, text.replace(old, new)))
    prints = [fingerprint_of_declaration(words.predicates["f"], words) for words in (one, other)]
    assert prints[0] != prints[1]


def test_what_facts_are_called_proves_nothing():
    text = "sort s. fluent f(s, s) observed. derived d(s) operational. r: d(?x) :- f(?x, ?x)."
    output = text.replace("observed.", 'observed says "?1 is ?2".').replace("al.", 'al says "?1 is itself".')
    plain, words = theory_of(text).vocabulary, theory_of(output).vocabulary
    assert words.predicates["f"].says is not None
    assert words.predicates["d"].says is not None
    for name in ("f", "d"):
        one, other = plain.predicates[name], words.predicates[name]
        assert fingerprint_of_declaration(one, plain) == fingerprint_of_declaration(other, words)


def test_what_a_learner_may_ask_for_proves_nothing():
    words = theory_of("sort s. derived d(s).").vocabulary
    operational = replace(words.predicates["d"], operational=True)
    assert form_of_predicate(operational) == form_of_predicate(words.predicates["d"])


def test_static_facts_are_a_set_and_replies_a_list():
    text = "sort s. static near(s, s). fluent at(s). "
    one = theory_of(text + "near(a, b). near(b, c).")
    other = theory_of(text + "near(b, c). near(a, b).")
    assert fingerprint_of_facts(one) == fingerprint_of_facts(other)
    assert fingerprint_of_facts(one) != fingerprint_of_facts(theory_of(text + "near(a, b)."))
    written = '[["atom",null,"near",["a","b"]],["atom",null,"near",["b","c"]]]'
    assert fingerprint_of_facts(one) == hashlib.sha256(written.encode()).hexdigest()[:16]
    played = theory_of(
        "sort s. action go(s). action stay(s). fluent at(s). fluent shut(s). game win(s)."
        " replies win(?x): go(?y), at(?y) unless shut(?y); stay(?x)."
    )
    (replies,) = played.replies
    assert form_of_replies(replies) == [
        "replies",
        ["atom", None, "win", ["?x"]],
        [
            [
                ["atom", None, "go", ["?y"]],
                [["atom", None, "at", ["?y"]]],
                ["atom", None, "shut", ["?y"]],
            ],
            [["atom", None, "stay", ["?x"]], [], None],
        ],
    ]
    turned = replace(replies, cases=replies.cases[::-1])
    assert fingerprint_of_replies(turned) != fingerprint_of_replies(replies)


def test_the_promises_of_a_theory_are_a_form():
    theory = theory_of(
        "sort s. action go(s). fluent at(s). derived d(s). one: after at(?x) :- go(?x). two: d(?x) :- at(?x)."
    )
    predicates = [theory.vocabulary.predicates[name] for name in ("at", "d", "go")]
    rules = [form.digest_of_text(form.text_of_rule(rule)) for rule in theory.rules]
    proved = [("at", "after"), ("d", "before")]
    assert certificate.dependency_form(theory, predicates, proved) == [
        [
            ["at", "after", True, ["go"]],
            ["at", "before", False, []],
            ["d", "after", True, ["go"]],
            ["d", "before", True, []],
            ["go", None, False, []],
        ],
        [["at", "after", rules[:1]], ["d", "before", rules[1:]]],
    ]
    assert json.loads(
        form.text_of(certificate.dependency_form(theory, predicates))
    ) == certificate.dependency_form(theory, predicates)


@pytest.mark.parametrize(
    ("term", "written"),
    [
        (Variable("x1"), "?x1"),
        (Constant("a"), "a"),
        (Constant("?x"), "'?x"),
        (Constant("'a"), "''a"),
        (Constant(""), ""),
        (Constant(-7), -7),
    ],
)
def test_a_term_has_one_form_and_a_form_one_term(term, written):
    assert form_of_term(term) == written
    assert term_of_form(written) == term


def test_a_proof_rests_on_what_counts_the_sets_that_it_mentions():
    theory = theory_of(
        "sort s. fluent m(s, s). fluent n(s -> int) counts m. fluent v(s). game win(s). action go(s). derived d(s)."
        "replies win(?x): go(?x), v(?x)."
    )
    rule = rule_of("d(?x) :- m(?x, ?y).")
    assert [p.name for p in relied_on([rule], theory.vocabulary)] == ["d", "m", "n"]
    won = rule_of("win(?x) by go(?x) is GI :- d(?x).")
    assert [p.name for p in relied_on([won], theory.vocabulary)] == ["d", "go", "win"]
    named = relied_on([rule], theory.vocabulary, theory.replies_of("win"))
    assert [p.name for p in named] == ["d", "go", "m", "n", "v"]


def test_fingerprints_change_with_what_a_rule_says_and_not_with_where_it_stands():
    text = "x: fine(?b) :- good(?b), v(?b, ?i), ?i > 2."
    assert fingerprint_of_rule(rule_of(text)) == fingerprint_of_rule(rule_of(f"\n\n  {text}  % here"))
    for edited in (
        text.replace("2", "3"),
        text.replace(">", ">="),
        text.replace("?b)", "?i)", 1),
        text.replace("x:", "y:"),
    ):
        assert fingerprint_of_rule(rule_of(edited)) != fingerprint_of_rule(rule_of(text))


def test_the_order_of_static_facts_makes_no_difference():
    declared = "sort s. static near(s, s). fluent on(s)."
    one = theory_of(f"{declared} near(a, b). near(b, c).")
    other = theory_of(f"{declared} near(b, c). on(a). near(a, b).")
    assert fingerprint_of_facts(one) == fingerprint_of_facts(other)
    assert fingerprint_of_facts(one) != fingerprint_of_facts(theory_of(f"{declared} near(a, b)."))
