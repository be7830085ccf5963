"""Tests of the knowledge base: adding facts, answering queries, and the atomicity of every change."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base import query_cache
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.check import queries
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import KeyConflictError, MarkError

SHOP = """
theory shop.
sort good.
sort size = small | large.
static part(good, good).
fluent stock(good -> int).
fluent sold(good, int).
fluent shelf(good, int).
fluent shelves(good -> int) counts shelf.
action buy(good, int).
derived scarce(good).
derived enough(good, int).
meta wanted(good).
static size(good -> size).

scarce_below_three: scarce(?g) :- stock(?g, ?n), ?n < 3.
enough_for_what_is_asked: enough(?g, ?m) :- stock(?g, ?n), sold(?g, ?s), ?m = ?n - ?s, ?m >= 0.
what_is_bought_comes_in:
  after stock(?g, ?m) :- buy(?g, ?k), before stock(?g, ?n), ?m = ?n + ?k.
wanted_if_scarce_and_not_coming: before wanted(?g) :- before scarce(?g), absent buy(?g, _).
"""


@pytest.fixture
def shop():
    base = KnowledgeBase(load_text(SHOP))
    base.add([GroundFact("stock", ("tea", 2)), GroundFact("stock", ("jam", 9))])
    return base


def test_answers_are_distinct_sorted_and_named(shop):
    answers = shop.query("?- stock(?g, ?n), ?n > 1.")
    assert answers.variables == ("g", "n")
    assert answers.to_tuples() == [("jam", 9), ("tea", 2)]
    assert answers.to_dicts() == [{"g": "jam", "n": 9}, {"g": "tea", "n": 2}]
    assert str(answers) == "?g   ?n\njam  9\ntea  2"


def test_a_query_without_variables_is_yes_or_no(shop):
    assert str(shop.query("stock(tea, 2)")) == "yes"
    assert str(shop.query("stock(tea, _), stock(gin, _)")) == "no"


def test_a_query_that_is_coded_once_is_answered_as_often_as_facts_change(shop):
    query = shop.engine.parse_query("stock(?g, ?n), ?n < 5, ?g != gin")
    coded = shop.engine.coding.query(query.conditions)
    assert shop.engine.query(coded) == shop.engine.query(query)
    shop.add([GroundFact("stock", ("gin", 1)), GroundFact("stock", ("ale", 3))])
    assert shop.engine.query(coded).to_tuples() == [("ale", 3), ("tea", 2)]


def test_answers_become_tables(shop):
    table = shop.query("stock(?g, ?n)").to_arrow()
    assert table.schema.field("n").type == "int64"
    assert table.to_pydict() == {"g": ["jam", "tea"], "n": [9, 2]}
    assert list(shop.query("stock(?g, ?n)").to_pandas()["g"]) == ["jam", "tea"]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("?n = count ?g where stock(?g, _)", [(2,)]),
        ("?n = sum ?k where stock(_, ?k)", [(11,)]),
        ("?n = max ?k where stock(_, ?k)", [(9,)]),
        ("?n = min ?k where (stock(?g, ?k), ?k > 5)", [(9,)]),
        ("?n = min ?k where (stock(?g, ?k), ?k > 50)", []),
        ("?n = count ?g where (stock(?g, ?k), ?k > 50)", [(0,)]),
        ("stock(?g, _), absent scarce(?g)", [("jam",)]),
        ("?w = tea, stock(?w, ?n)", [("tea", 2)]),
        ("stock(?g, ?n), ?m = 2 * ?n + 1, ?m != 5", [("jam", 9, 19)]),
        ("stock(?a, ?n), absent (stock(?b, ?m), ?m > ?n)", [("jam", 9)]),
    ],
)
def test_queries_may_aggregate_and_ask_for_absence(shop, query, rows):
    assert shop.query(query).to_tuples() == rows


def test_the_moment_of_a_query_is_before_unless_it_says_after(shop):
    shop.add([GroundFact("buy", ("tea", 5))])
    assert shop.query("stock(tea, ?n)").to_tuples() == [(2,)]
    assert shop.query("before stock(tea, ?n)").to_tuples() == [(2,)]
    assert shop.query("after stock(tea, ?n)").to_tuples() == [(7,)]


def test_a_timeless_rule_serves_both_moments(shop):
    assert shop.query("scarce(tea)")
    shop.add([GroundFact("buy", ("tea", 5))])
    assert shop.query("before scarce(tea)")
    assert not shop.query("after scarce(tea)")


def test_meta_rules_see_what_is_absent(shop):
    assert shop.query("wanted(?g)").to_tuples() == [("tea",)]
    shop.add([GroundFact("buy", ("tea", 5))])
    assert not shop.query("wanted(?g)")


def test_retracting_takes_what_followed_with_it(shop):
    shop.retract([GroundFact("stock", ("tea", 2))])
    assert not shop.query("scarce(?g)")


def test_two_values_for_one_key_change_nothing(shop):
    with pytest.raises(
        KnowledgeBaseError, match=r"two values for one key: `.*tea, 2.*` and `.*tea, 3"
    ) as caught:
        shop.add([GroundFact("stock", ("gin", 1)), GroundFact("stock", ("tea", 3))])
    assert isinstance(caught.value.__cause__, KeyConflictError)
    assert not shop.query("stock(gin, _)")


def test_an_overfull_set_is_named(shop):
    with pytest.raises(KnowledgeBaseError, match=r"does not count all of its set: 2 members"):
        shop.add(
            [
                GroundFact("shelves", ("tea", 1)),
                GroundFact("shelf", ("tea", 1)),
                GroundFact("shelf", ("tea", 2)),
            ]
        )


def test_an_overflow_names_the_rule(shop):
    with pytest.raises(KnowledgeBaseError, match=r"`what_is_bought_comes_in` leaves 64 bits"):
        shop.add([GroundFact("buy", ("tea", 2**63 - 1))])
    assert not shop.query("buy(_, _)")


def test_an_overflow_in_a_query_is_an_error(shop):
    with pytest.raises(KnowledgeBaseError, match="query leaves 64 bits"):
        shop.query("stock(?g, ?n), ?m = ?n * 9223372036854775807")


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (GroundFact("stok", ("tea", 1)), r"no relation `stok`.*did you mean `stock`"),
        (GroundFact("stock", ("tea", "many")), "the text 'many' is not an integer"),
        (GroundFact("stock", (3, 3)), "the integer 3 is not a word of sort `good`"),
        (GroundFact("stock", (None, 3)), r"a missing value \(None\) is not a word of sort `good`"),
        (GroundFact("stock", (True, 3)), "the truth value True is not a word of sort `good`"),
        (GroundFact("stock", "jm"), "the values of a fact are a tuple, not the text `jm`"),
        (GroundFact("stock", ("tea", 2**63)), "does not fit into 64 bits"),
        (GroundFact("stock", ("tea", True)), "not an integer"),
        (GroundFact("stock", ("tea",)), "has 2 columns, not 1"),
        (GroundFact("size", ("tea", "larg")), "`larg` is not one of the constants of `size`.*`large`"),
    ],
)
def test_facts_that_do_not_fit_are_refused_whole(shop, fact, reason):
    with pytest.raises(FactError, match=reason):
        shop.add([GroundFact("stock", ("gin", 1)), fact])
    assert not shop.query("stock(gin, _)")


def test_rules_and_facts_can_be_added_as_text(shop):
    shop.add_text("plenty: enough(?g, ?n) :- stock(?g, ?n), ?n > 8. stock(gin, 20).")
    assert shop.query("enough(?g, _)").to_tuples() == [("gin",), ("jam",)]


def test_text_with_a_mistake_adds_nothing(shop):
    with pytest.raises(TheoryError, match="HB010"):
        shop.add_text("stock(gin, 20). plenty: enough(?g, ?n) :- stok(?g, ?n).")
    assert not shop.query("stock(gin, _)")
    with pytest.raises(TheoryError, match="only facts and rules"):
        shop.add_text("sort colour.")


def test_a_contradicted_rule_is_not_stored(shop):
    with pytest.raises(KnowledgeBaseError, match="two values"):
        shop.add_text("doubled: stock(?g, 1) :- sold(?g, _). sold(tea, 1).")
    shop.add([GroundFact("sold", ("tea", 1))])
    assert shop.query("stock(tea, ?n)").to_tuples() == [(2,)]


def test_push_and_pop_restore_what_stored(shop):
    before = list(shop.facts())
    shop.push()
    shop.add([GroundFact("buy", ("tea", 5))])
    assert list(shop.facts()) != before
    shop.pop()
    assert list(shop.facts()) == before
    with pytest.raises(MarkError):
        shop.pop()


def test_queries_are_checked_like_theories(shop):
    with pytest.raises(TheoryError, match=r"HB010[\s\S]*did you mean `stock`"):
        shop.query("stok(?g, ?n)")
    with pytest.raises(TheoryError, match="HB020"):
        shop.query("stock(?g, ?n), ?m > ?n")


def test_a_limit_on_facts_is_an_error_that_says_so():
    endless = "theory endless. static n(int). up: n(?m) :- n(?k), ?m = ?k + 1. n(0)."
    with pytest.raises(KnowledgeBaseError, match="more than 1,000 facts"):
        KnowledgeBase(load_text(endless), limits=Limits(facts=1_000))


def test_a_rule_that_is_too_long_is_reported_with_its_place():
    way = ", ".join(f"p(?x{number}, ?x{number + 1})" for number in range(4097))
    text = f"theory t. sort thing. static p(thing, thing).\nderived q(thing).\nlong: q(?x0) :- {way}."
    with pytest.raises(
        KnowledgeBaseError, match=r":3:1: `long` cannot be matched: a rule has more than 4,096 conditions"
    ):
        KnowledgeBase(load_text(text))


def test_one_name_twice_in_nested_conditions_is_two_variables():
    base = KnowledgeBase(
        load_text(
            "theory t. sort thing. static p(thing). static q(thing). meta none(thing). static r(thing)."
            "neither: none(?x) :- r(?x), absent (p(?y)), absent (q(?y)). r(a). p(b)."
        )
    )
    assert not base.query("none(_)")
    base.retract([GroundFact("p", ("b",))])
    assert base.query("none(a)")


def test_why_not_derived_says_what_to_ask(shop):
    with pytest.raises(NotDerivedError, match="why-not"):
        shop.why("scarce(jam)")
    with pytest.raises(TheoryError, match="a proof is of one fact"):
        shop.why("scarce(jam), scarce(tea)")


def test_rules_that_came_last_are_dropped_with_all_that_followed_from_them():
    base = KnowledgeBase("family")
    before = list(base.facts())
    added = base.read_clauses("parent(cleo, eve). known: sibling(?a, ?b) :- ancestor(?a, ?b).")
    assert [d.code for d in added.warnings] == []
    assert list(base.facts()) == before  # reading adds nothing
    base.exchange([], added.facts, rules=added.rules)
    assert base.query("sibling(ada, eve)")
    base.exchange(added.facts, [], drop_rules=1)
    assert list(base.facts()) == before
    base.add_text("known: sibling(?a, ?b) :- parent(?a, ?b).")  # the number and the label are free again
    assert "known" in base.why("sibling(ada, ben)").to_text()


def test_a_change_that_drops_rules_and_is_refused_leaves_them():
    base = KnowledgeBase(load_text("theory t. sort k. static v(k -> int). static w(k -> int)."))
    base.add_text("v(a, 1). copied: w(?k, ?n) :- v(?k, ?n).")
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        base.exchange([], [GroundFact("v", ("a", 2))], drop_rules=1)
    assert [rule.name for rule in base.rules] == ["copied"]
    assert "copied" in base.why("w(a, 1)").to_text()


CONCLUDED = [
    (GroundFact("scarce", ("tea",)), "`scarce` is derived"),
    (GroundFact("scarce", ("tea",), "after"), "`scarce` is derived"),
    (GroundFact("wanted", ("tea",)), "`wanted` is meta"),
    (GroundFact("stock", ("tea", 3), "after"), "`stock` is after the action"),
    (GroundFact("win is", ("GI",)), "`win` is a game"),
    (GroundFact("win by buy is", ("tea", 1, "GI")), "`win` is a game"),
]


@pytest.mark.parametrize(("fact", "problem"), CONCLUDED)
def test_what_only_rules_conclude_is_not_given_but_assumed(fact, problem):
    base = KnowledgeBase(load_text(SHOP + "game win."))
    for change in (base.add, lambda facts: base.exchange([], facts)):
        with pytest.raises(
            FactError, match=f"^{problem}.* concluded by rules, never given; .*assume="
        ) as reported:
            change([GroundFact("stock", ("tea", 2)), fact])
        assert f"[{fact.relation!r}]" in str(reported.value)
        assert base.given() == []
    base.add([fact], assume=[fact.relation])
    base.exchange([fact], [fact], assume=[fact.relation])
    assert len(base.given()) == 1


def test_an_assumption_is_of_the_relations_that_are_named(shop):
    with pytest.raises(FactError, match="`enough` is derived"):
        shop.add([GroundFact("scarce", ("jam",)), GroundFact("enough", ("jam", 1))], assume={"scarce"})
    shop.add([GroundFact("scarce", ("jam",))], assume={"scarce"})
    assert [(s.rule, s.conclusion.relation) for s in shop.why("scarce(jam)").steps] == [(None, "scarce")]


@pytest.mark.parametrize(
    "text", ["after stock(tea, 3).", "win is GI.", "win by buy(tea, 1) is GI.", "scarce(tea)."]
)
def test_a_text_gives_nothing_that_only_rules_conclude(text):
    base = KnowledgeBase(load_text(SHOP + "game win."))
    with pytest.raises(TheoryError) as reported:
        base.add_text(text)
    assert [d.code for d in reported.value.diagnostics] == ["HB040"]
    assert base.given() == []


def test_a_query_has_no_more_answers_than_are_queried_for():
    base = KnowledgeBase("family")
    every = base.query("parent(?a, ?b)")
    assert base.query("parent(?a, ?b)", max_answers=len(every)) == every
    for engine in ("matcher", "pydatalog"):
        with pytest.raises(TooManyAnswersError, match=f"more than {len(every) - 1} answers"):
            base.query("parent(?a, ?b)", max_answers=len(every) - 1, engine=engine)


@pytest.mark.parametrize("wrong", [None, 5, b"stock", [], 1.5])
def test_what_is_no_text_and_no_fact_is_called_so(shop, wrong):
    before = list(shop.facts())
    for ask in (shop.query, shop.why, shop.why_not, shop.add_text):
        with pytest.raises(TypeError, match="but a text in the language is required"):
            ask(wrong)  # type: ignore[operator]
    with pytest.raises(TypeError, match="a fact is a GroundFact, not a"):
        shop.add([wrong])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a text is added by `add_text`"):
        shop.add(["stock(jam, 3)."])  # type: ignore[list-item]
    assert list(shop.facts()) == before


def test_no_other_engine_answers_than_the_one_that_was_queried_for(shop):
    with pytest.raises(ValueError, match="no engine 'datalog' for queries; they are matcher and pydatalog"):
        shop.query("scarce(?x)", engine="datalog")  # type: ignore[arg-type]


# Repeated queries: they are parsed, checked and coded once, and always evaluated

CHILDREN = "parent(ada, ?child)"


@pytest.fixture
def counted(monkeypatch):
    """Return the numbers of parsed, checked and coded queries."""
    numbers = {"parsed": 0, "checked": 0, "coded": 0}

    def count(owner, name, kind):
        function = getattr(owner, name)

        def called(*arguments):
            numbers[kind] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, called)

    count(query_cache, "parse_open_queries", "parsed")
    count(query_cache, "check_query", "checked")
    count(queries, "check_query", "checked")
    count(Coding, "query", "coded")
    return numbers


def test_a_repeated_query_is_only_evaluated(counted):
    base = KnowledgeBase("family")
    for _ in range(3):
        base.warnings(CHILDREN)
        base.query(CHILDREN)
    assert counted == {"parsed": 1, "checked": 1, "coded": 1}


def test_each_answer_is_that_of_the_current_facts():
    base = KnowledgeBase("family")
    before = base.query(CHILDREN).to_tuples()
    base.push()
    base.add([GroundFact("parent", ("ada", "zoe"))])
    assert base.query(CHILDREN).to_tuples() == [*before, ("zoe",)]
    base.pop()
    assert base.query(CHILDREN).to_tuples() == before


def test_the_values_of_parameters_are_checked_and_coded_each_time(counted):
    base = KnowledgeBase("family")
    text = "parent($of, ?child)"
    found = {of: base.query(text, parameters={"of": of}).to_tuples() for of in ("ada", "ben", "nobody")}
    assert found["ada"] == base.query(CHILDREN).to_tuples() != found["ben"]
    assert found["nobody"] == []
    assert counted == {"parsed": 2, "checked": 4, "coded": 4}
    with pytest.raises(TheoryError, match="has no value"):
        base.query(text)
    with pytest.raises(TypeError, match="truth value"):
        base.query(text, parameters={"of": True})
    with pytest.raises(TheoryError, match="no parameter"):
        base.query(CHILDREN, parameters={"of": "ada"})


@pytest.mark.parametrize("text", ["parent(ada, ?child", "mother(ada, ?child)", "ada = 1"])
def test_a_mistake_is_reported_each_time(text):
    base = KnowledgeBase("family")
    found = []
    for _ in range(2):
        with pytest.raises(TheoryError) as raised:
            base.query(text)
        found.append(raised.value.diagnostics)
    assert found[0] == found[1]


def test_long_texts_are_not_stored(counted):
    base = KnowledgeBase("family")
    text = CHILDREN + " " * query_cache.LONGEST
    assert base.query(text) == base.query(text) == base.query(CHILDREN)
    assert counted["parsed"] == 3


def test_old_queries_make_room(counted):
    base = KnowledgeBase("family")
    for number in range(query_cache.MOST):
        base.query(f"parent(ada, ?child{number})")
    base.query(CHILDREN)
    base.query("parent(ada, ?child1)")
    assert counted["parsed"] == query_cache.MOST + 1
    base.query("parent(ada, ?child0)")
    assert counted["parsed"] == query_cache.MOST + 2
