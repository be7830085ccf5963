"""Tests of the dependency analysis: dependencies on actions, usable assumptions, and effects of edits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.checker.dependencies import (
    CHECKER,
    IntegrityAssumptions,
    dependencies,
    dependency_form,
    depends_on_action,
    place_of,
)
from oracles.proofs.learned_rules import rule_of, theory_of

TEXT = """
    sort t. sort u.
    static near(t, t). static side(t -> u).
    fluent f(t). fluent kept(t -> u). fluent seen(t -> u) observed. fluent put(t -> u).
    fluent m(t, t). fluent n(t -> int) counts m.
    fluent om(t, t) observed. fluent on(t -> int) counts om observed.
    derived d(t -> u). derived e(t). derived far(t). derived loop(t).
    derived m2(t, t). derived n2(t -> int) counts m2. derived whole(t). derived later(t). derived bare(t).
    action go(t). action stay(t). game win(t). meta odd(t -> u).
    near(a, b).
    d(?x, ?y) :- kept(?x, ?y).
    before e(?x) :- go(?x), before f(?x).
    far(?x) :- e(?x).
    loop(?x) :- loop(?x), f(?x).
    moved: after put(?x, ?y) :- go(?x), before kept(?x, ?y).
    m2(?x, ?y) :- m(?x, ?y).
    before n2(?x, ?n) :- before n(?x, ?n), go(?x).
    whole(?x) :- n2(?x, _), all ?l in m2(?x, ?l): f(?l).
    bare(?x) :- 0 = count ?l in m2(?x, ?l), f(?x).
    after later(?x) :- stay(?x), before e(?x).
    win(?x) is G :- e(?x).
"""


def theory(more: str = "", without: str = "nothing"):
    return theory_of("".join(line + "\n" for line in TEXT.splitlines() if without not in line) + more)


THEORY = theory()


@pytest.mark.parametrize(
    ("place", "reached", "key"),
    [
        (("kept", "before"), False, 1),
        (("kept", "after"), False, None),
        (("seen", "before"), False, 1),
        (("seen", "after"), False, 1),
        (("put", "before"), False, 1),
        (("put", "after"), False, None),
        (("put", "before"), True, None),
        (("seen", "before"), True, 1),
        (("side", None), False, 1),
        (("side", None), True, 1),
        (("d", "before"), False, None),
        (("near", None), False, None),
        (("f", "before"), False, None),
        (("go", "before"), False, 0),
        (("odd", None), False, None),
        (("none", "before"), False, None),
    ],
)
def test_the_key_that_may_be_used_at_a_place(place, reached, key):
    assert IntegrityAssumptions(THEORY, reached=reached).key(place) == key


@pytest.mark.parametrize("proved", [("d", "before"), ("put", "after")])
def test_a_key_that_is_proved_may_be_used_at_its_place(proved):
    assert IntegrityAssumptions(THEORY, keys=frozenset([proved])).key(proved) == 1
    assert IntegrityAssumptions(THEORY, counts=frozenset([proved])).key(proved) is None
    assert IntegrityAssumptions(THEORY, keys=frozenset([proved]), reached=True).key(proved) == (
        1 if proved[0] == "put" else None
    )


def test_a_key_at_one_moment_is_none_in_states_that_are_reached():
    assert (
        IntegrityAssumptions(THEORY, keys=frozenset([("d", "after")]), reached=True).key(("d", "after"))
        is None
    )


def test_what_is_observed_keeps_only_what_stored_before():
    carried = theory("fluent obs(t -> u) observed. obs(?x, ?y) :- kept(?x, ?y).")
    assert IntegrityAssumptions(carried).key(("obs", "after")) is None


def test_the_facts_of_a_theory_are_those_that_never_change():
    (fact,) = IntegrityAssumptions(theory("f(a).")).facts
    assert fact.relation == "near"


@pytest.mark.parametrize(
    ("name", "moment", "counts", "reached", "closed"),
    [
        ("m", "before", (), False, True),
        ("m", "after", (), False, False),
        ("m", "before", (), True, False),
        ("om", "before", (), False, True),
        ("om", "after", (), False, True),
        ("om", "before", (), True, True),
        ("m2", "before", (), False, False),
        ("m2", "before", (("m2", "before"),), False, True),
        ("m2", "before", (("m2", "before"),), True, False),
        ("m2", "after", (("m2", "before"), ("m2", "after")), True, True),
        ("half", "after", (), False, False),
        ("ruled", "after", (), False, False),
        ("other_half", "after", (), False, False),
        ("one_rule", "before", (), False, False),
        ("other_rule", "before", (), False, False),
        ("mixed", None, (), False, True),
        ("n", "before", (), False, False),
        ("none", "before", (), False, False),
    ],
)
def test_sets_that_are_complete_by_their_counts(name, moment, counts, reached, closed):
    assert (
        IntegrityAssumptions(SETS, counts=frozenset(counts), reached=reached).closed((name, moment)) is closed
    )


SETS = theory(
    """
    fluent half(t, t) observed. fluent halves(t -> int) counts half.
    fluent other_half(t, t). fluent other_halves(t -> int) counts other_half observed.
    fluent one_rule(t, t). fluent one_rules(t -> int) counts one_rule.
    fluent other_rule(t, t). fluent other_rules(t -> int) counts other_rule.
    fluent ruled(t, t) observed. fluent ruleds(t -> int) counts ruled observed. ruled(?x, ?y) :- m(?x, ?y).
    static mixed(t, t). static mixes(t -> int) counts mixed.
    one_rule(?x, ?y) :- m(?x, ?y).
    other_rules(?x, ?y) :- n(?x, ?y).
    """
)


def test_a_set_that_never_changes_has_no_count_that_does():
    words = SETS.vocabulary
    counter = replace(words.predicates["mixes"], kind="fluent")
    odd = replace(SETS, vocabulary=replace(words, predicates={**words.predicates, "mixes": counter}))
    assert not IntegrityAssumptions(odd).closed(("mixed", None))
    assert not IntegrityAssumptions(odd, counts=frozenset([("mixed", None)])).closed(("mixed", None))


@pytest.mark.parametrize(
    ("place", "reached", "given"),
    [
        (("near", None), False, True),
        (("f", "before"), False, True),
        (("f", "after"), False, False),
        (("d", "before"), False, False),
        (("d", "before"), True, False),
        (("late", "before"), False, False),
        (("late", "before"), True, True),
        (("late", "after"), True, False),
        (("seen_late", "before"), True, False),
        (("go", "before"), True, False),
        (("by_seen", "before"), True, False),
        (("by_seen", "before"), False, False),
        (("by_state", "before"), True, True),
        (("by_left", "before"), True, True),
        (("by_action", "before"), True, True),
        (("by_game", "before"), True, True),
    ],
)
def test_where_facts_come_with_the_state(place, reached, given):
    carried = theory(
        "derived late(t). derived seen_late(t) observed."
        " after late(?x) :- go(?x). after seen_late(?x) :- go(?x)."
        # Observed facts are true of the next state. Conclusions from them are true only if all premises are.
        " derived anew(t). anew(?x) :- seen(?x, _), near(?x, _)."
        + "".join(
            f" derived {name}(t) observed. after {name}(?x) :- go(?x). before {name}(?x) :- {condition}."
            for name, condition in (
                ("by_seen", "before anew(?x)"),
                ("by_state", "before f(?x)"),
                ("by_left", "before late(?x)"),
                ("by_action", "go(?x)"),
                ("by_game", "before win(?x) is GI"),
            )
        )
    )
    assert IntegrityAssumptions(carried, reached=reached).may_be_given(place) is given


def test_the_rules_that_conclude_at_a_place():
    assert [rule.head.relation for rule in IntegrityAssumptions(THEORY).concluding(("d", "after"))] == ["d"]
    assert len(IntegrityAssumptions(THEORY).concluding(("put", "after"))) == 1
    assert (
        IntegrityAssumptions(THEORY).concluding(("put", "before"))
        == ()
        == IntegrityAssumptions(THEORY).concluding(("f", "before"))
    )
    assert IntegrityAssumptions(THEORY).concluding(("win", "before")) == (), "a game has no key"


@pytest.mark.parametrize(
    ("condition", "moment", "place"),
    [
        ("f(?x)", None, ("f", "before")),
        ("f(?x)", "after", ("f", "after")),
        ("before f(?x)", "after", ("f", "before")),
        ("near(?x, ?y)", "after", ("near", None)),
        ("win(?x) is G", "after", ("win is", "after")),
        ("after win(?x) by go(?x) is G", "before", ("win by go is", "after")),
    ],
)
def test_the_place_of_a_statement(condition, moment, place):
    (statement,) = rule_of(f"f(?x) :- {condition}.").body
    found = place_of(statement, moment, THEORY.vocabulary)  # type: ignore[arg-type]
    assert found[1] == place[1]
    assert found[0] == statement.relation


@pytest.mark.parametrize(
    ("condition", "rests"),
    [
        ("e(?x)", True),
        ("far(?x)", True),
        ("win(?x) is G", True),
        ("n2(?x, ?n)", True),
        ("whole(?x)", True),
        ("bare(?x)", True),
        ("m2(?x, ?y)", False),
        ("all ?l in m2(?x, ?l): f(?l)", True),
        ("1 = count ?l in (m2(?x, ?l))", True),
        ("all ?l in m(?x, ?l): f(?l)", False),
        ("all ?l in m(?x, ?l): e(?l)", True),
        ("d(?x, ?y)", False),
        ("f(?x)", False),
        ("loop(?x)", False),
        ("put(?x, ?y)", False),
        ("?x = ?y", False),
    ],
)
def test_what_may_rest_on_the_action_that_is_taken(condition, rests):
    (read,) = rule_of(f"f(?x) :- {condition}.").body
    assert depends_on_action(read, THEORY) is rests


def messages(theory, *names, proved=()):
    return dependency_form(theory, [theory.vocabulary.predicates[name] for name in names], proved)


def test_promises_say_of_each_predicate_what_it_rests_on():
    assert messages(THEORY, "put", "near", "far") == [
        [
            ["far", "after", True, []],
            ["far", "before", True, ["go"]],
            ["near", None, False, []],
            ["put", "after", True, ["go"]],
            ["put", "before", False, []],
        ],
        [],
    ]
    assert messages(THEORY, "later")[0] == [
        ["later", "after", True, ["go", "stay"]],
        ["later", "before", False, []],
    ]
    assert [place[:2] for place in messages(THEORY, proved=[("d", "before"), ("d", None)])[1]] == [
        ["d", None],
        ["d", "before"],
    ]
    (conclusions, proved) = messages(THEORY, proved=[("m2", "before"), ("d", "before")])
    assert conclusions == []
    assert [(name, moment, len(rules)) for name, moment, rules in proved] == [
        ("d", "before", 1),
        ("m2", "before", 1),
        ("n2", "before", 1),
    ]


@pytest.mark.parametrize(
    ("more", "names", "proved", "changed"),
    [
        ("f(?x) :- loop(?x).", ("f",), (), True),
        ("f(?x) :- loop(?x).", ("e",), (), False),
        ("before d(?x, ?y) :- stay(?x), before kept(?x, ?y).", ("d",), (), True),
        ("after put(?x, ?y) :- stay(?x), before kept(?x, ?y).", ("put",), (), True),
        ("after put(?x, ?y) :- go(?x), before d(?x, ?y).", ("put",), (), False),
        ("after put(?x, ?y) :- go(?x), before d(?x, ?y).", (), (("put", "after"),), True),
        ("n2(?x, ?n) :- n(?x, ?n).", (), (("m2", "before"),), True),
        ("loop(?x) :- e(?x).", ("loop",), (), True),
    ],
)
def test_a_rule_more_changes_promises_of_what_it_concludes(more, names, proved, changed):
    assert (
        messages(theory(more), *names, proved=proved) != messages(THEORY, *names, proved=proved)
    ) is changed


def test_what_is_promised_of_a_few_theories_is_remembered():
    first = dependencies(THEORY)
    for number in range(8):
        dependencies(theory(f"sort v{number}."))
    again = dependencies(THEORY)
    assert again == first
    assert again is not first
    assert int(CHECKER) >= 8
