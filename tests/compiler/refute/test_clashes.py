"""Tests of clashes: a theory whose rules give one key two values has a small state that shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.refute.clashes import Clash, clash, clashes
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError

BOXES = """
theory boxes. sort box. sort place = yard | hall | loft.
static next(place, place). static light(box).
fluent in(box -> place). fluent held(box). fluent number(box -> int). fluent boxes(place -> int).
action carry(box, place). action wait. action add(box, int).
derived may(box, place). derived near(box -> place). derived moved(box, place).
next(yard, hall). next(hall, yard). next(yard, loft).
may: may(?b, ?p) :- in(?b, ?q), next(?q, ?p).
moved: after moved(?b, ?p) :- carry(?b, ?p), before may(?b, ?p).
"""
WRONG = {
    "what persists and changes at once": """
        goes: after in(?b, ?p) :- carry(?b, ?p), before in(?b, _).
        stays: after in(?b, ?p) :- carry(_, _), before in(?b, ?p).""",
    "what it leads to is seen through a lemma": """
        goes: after in(?b, ?p) :- after moved(?b, ?p).
        stays: after in(?b, ?p) :- carry(?c, _), light(?c), before in(?b, ?p).""",
    "one rule, twice": "goes: after in(?b, ?p) :- wait, before may(?b, ?p).",
    "numbers": """
        add: after number(?b, ?m) :- add(?b, ?k), before number(?b, ?n), ?m = ?n + ?k.
        few: after number(?b, ?n) :- add(?b, ?k), before number(?b, ?n), ?k < 3.""",
    "at one moment, without an action": """
        there: near(?b, ?p) :- in(?b, ?p).
        next: near(?b, ?p) :- in(?b, ?q), next(?q, ?p).""",
}
CALCULATED = """
theory wages. sort person. sort usd = decimal(2).
static rate(person -> usd). static hours(person -> usd). static pay(person -> usd).
one: pay(?p, ?r) :- rate(?p, ?r), hours(?p, ?h), ?x = ?r * ?h, ?x >= 0.0000.
other: pay(?p, ?h) :- hours(?p, ?h).
"""
COMPUTED_BY_EXCEPTIONS = """
theory tax. sort house. sort buyer. sort day = date. sort pound = decimal(2).
static price(house -> buyer, pound, day) complete. static first(buyer) complete. static firm(buyer) complete.
derived tax(house -> pound). derived due(house -> day).
rule: tax(?h, ?x) :- price(?h, _, ?x, _).
less exception to rule: tax(?h, ?x - 100.00) :- price(?h, ?b, ?x, _), first(?b).
more exception to rule: tax(?h, round_down(?x * 17 percent, 4, 2)) :-
  price(?h, ?b, ?x, _), firm(?b), ?x > 500000.00.
soon: due(?h, ?d + 14) :- price(?h, _, _, ?d).
later exception to soon: due(?h, add_months(?d, 3)) :- price(?h, ?b, _, ?d), firm(?b).
latest exception to soon: due(?h, ?e + 1) :- price(?h, ?b, _, ?d), first(?b), ?e = last_of_month(?d).
"""
RATES = """
theory taxes. sort sale. sort day = date. sort rate = percent(1). sort step = int.
fluent on(sale -> day) complete. derived rate(sale -> rate).
usual: rate(?s, 3.0 percent) :- on(?s, _).
"""
THREE_RATES = """
static rate_from(day -> rate) complete.
rate_from(2007-01-01, 19.0 percent). rate_from(2020-07-01, 16.0 percent). rate_from(2021-01-01, 19.0 percent).
"""
MANY_RATES = "static rate_from(step -> day, rate) complete.\n" + "\n".join(
    f"rate_from({n}, {1990 + n}-0{1 + n % 9}-1{n % 9}, {n}.0 percent)." for n in range(30)
)
OF_TABLES = {
    "strictly between the two last dates": THREE_RATES
    + """
        books exception to usual:
          rate(?s, 7.0 percent) :- on(?s, ?d), 1 = count ?e where (rate_from(?e, _), ?e > ?d).
        lowered exception to usual:
          rate(?s, 5.0 percent) :- on(?s, ?d), 2 = count ?e where (rate_from(?e, _), ?e < ?d).""",
    "since the last date": THREE_RATES
    + """
        books exception to usual:
          rate(?s, 7.0 percent) :-
            on(?s, ?d), ?f = max ?e where (rate_from(?e, _), ?e <= ?d), ?d < add_months(?f, 6).
        lowered exception to usual:
          rate(?s, 5.0 percent) :-
            on(?s, ?d), absent (rate_from(?e, ?r), ?r = 19.0 percent, ?e > ?d),
            ?n = count ?e where (rate_from(?e, _), ?e <= ?d), ?n < 4.""",
    "after one of many dates": MANY_RATES
    + """
        early exception to usual:
          rate(?s, 5.0 percent) :- on(?s, ?d), rate_from(20, ?f, _), ?d > ?f, ?d < add_months(?f, 2).
        local exception to usual:
          rate(?s, ?r) :- on(?s, ?d), rate_from(?n, ?f, ?r), ?n > 15, ?d > ?f, ?d < add_months(?f, 1).""",
}
RIGHT = {
    "other boxes stay": """
        goes: after in(?b, ?p) :- carry(?b, ?p), before in(?b, _).
        stays: after in(?b, ?p) :- carry(?c, _), before in(?b, ?p), ?b != ?c.""",
    "of two actions": """
        goes: after in(?b, ?p) :- carry(?b, ?p), before in(?b, _).
        stays: after in(?b, ?p) :- wait, before in(?b, ?p).""",
    "the same value": """
        add: after number(?b, ?m) :- add(?b, ?k), before number(?b, ?n), ?m = ?n + ?k.
        none: after number(?b, ?n) :- add(?b, 0), before number(?b, ?n).""",
}


def really_clashes(found: Clash, theory: Theory) -> bool:
    """Return whether the facts are a valid state, and the theory's conclusions from it violate a key."""
    KnowledgeBase(replace(theory, rules=())).add(found.facts)
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        KnowledgeBase(theory).add(found.facts)
    return True


@pytest.mark.parametrize("rules", WRONG.values(), ids=WRONG)
def test_rules_that_give_one_key_two_values_have_a_state_that_shows_it(rules):
    theory = load_text(BOXES + rules)
    assert run_examples(theory).outcomes == ()
    found = list(clashes(theory))
    assert found
    assert all(really_clashes(each, theory) for each in found)


@pytest.mark.parametrize("rules", RIGHT.values(), ids=RIGHT)
def test_rules_that_agree_have_none(rules):
    assert list(clashes(load_text(BOXES + rules))) == []


def test_rules_that_calculate_decimal_numbers_of_no_declared_sort():
    theory = load_text(CALCULATED)
    found = list(clashes(theory))
    assert found
    assert all(really_clashes(each, theory) for each in found)


def test_two_rules_are_queried_about_by_themselves():
    theory = load_text(BOXES + WRONG["what persists and changes at once"])
    goes, stays = theory.rule("goes"), theory.rule("stays")
    found = clash(goes, stays, theory, "after")
    assert found is not None
    title, *facts = str(found).splitlines()
    assert title.startswith(
        "<text>:12:9: by `goes` and `stays`, two values for one key: `after in(thing_b2, "
    )
    assert title.endswith(", in the state")
    assert len(facts) == len(found.facts) == 2
    theory = load_text(BOXES + RIGHT["other boxes stay"])
    assert clash(theory.rule("goes"), theory.rule("stays"), theory, "after") is None


@pytest.mark.deep
def test_theories_of_which_all_keys_are_proved_have_none():
    assert [each for name in ("go", "values", "family", "cup") for each in clashes(load(name))] == []


def test_exceptions_with_calculated_results_clash():
    theory = load_text(COMPUTED_BY_EXCEPTIONS, "tax.horn")
    found = {tuple(rule.name for rule in each.rules): each for each in clashes(theory)}
    assert set(found) == {("less", "more"), ("later", "latest")}
    for each in found.values():
        base = KnowledgeBase(theory)
        with pytest.raises(KnowledgeBaseError, match="two values for one key"):
            base.add(each.facts)


@pytest.mark.parametrize("rules", OF_TABLES.values(), ids=OF_TABLES)
def test_exceptions_that_apply_together_between_dates_of_a_table_clash(rules):
    theory = load_text(RATES + rules)
    (found,) = clashes(theory)
    assert {rule.name for rule in found.rules}.isdisjoint({"usual"})
    assert really_clashes(found, theory)


def test_exceptions_that_apply_at_different_times_of_a_table_have_none():
    rules = OF_TABLES["strictly between the two last dates"].replace("2 = count", "0 = count")
    assert list(clashes(load_text(RATES + rules))) == []
