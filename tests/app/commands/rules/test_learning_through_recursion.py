"""Learning from an example with a recursive proof: one rule for chains of any length.

The tests follow the steps of a new user.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from hornbook.compiler.match.position import RuleMatcher
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import part_of_fact
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.parse.syntax import parse

STORE = """theory store.
sort place.
sort box.
static beside(place, place).
static reachable(place, place).
fluent at(box -> place).
fluent robot(place).
action fetch(box).
derived fetched(box).
game bring(box).
one_step: reachable(?a, ?b) :- beside(?a, ?b).
more_steps: reachable(?a, ?c) :- beside(?a, ?b), reachable(?b, ?c).
goes: after robot(?p) :- fetch(?x), before at(?x, ?p), before robot(?r), reachable(?r, ?p).
fetched: after fetched(?x) :- fetch(?x), before at(?x, ?p), after robot(?p).
brought: before bring(?x) by fetch(?x) is GI :- fetch(?x), after fetched(?x).
example a_long_way: beside(p1, p2), beside(p2, p3), beside(p3, p4), beside(p4, p5), beside(p5, p6),
  robot(p1), at(crate, p6), fetch(crate).
"""
"""A theory of a robot that goes to any reachable place. The example has a path of five steps."""
RULE = "bring(?x) by fetch(?x) is GI :- at(?x, ?p), robot(?r), reachable(?r, ?p)."


@pytest.fixture(autouse=True)
def theory(folder):
    path = folder / "store.horn"
    path.write_text(STORE)
    return path


@pytest.fixture
def learned(run, folder):
    """Return the only learned rule, on one line."""

    def learn(*more: str) -> str:
        code, out, err = run("learn", "store.horn", "--into", "rules.horn", *more)
        assert (code, err) == (0, ""), out
        (rule,) = parse(Path("rules.horn").read_text()).clauses[1:]
        assert run("rules", "verify", "rules.horn", "--theory", "store.horn")[0] == 0
        text = (folder / "rules.horn").read_text()
        return " ".join(text[text.index(f"{rule.label}:") + len(rule.label) + 1 :].split())

    return learn


def declare(theory: Path, old: str, new: str) -> None:
    text = theory.read_text()
    assert old in text
    theory.write_text(text.replace(old, new))


def test_a_rule_asks_for_what_recursion_concludes_and_not_for_each_step(learned):
    assert learned() == RULE


def test_it_answers_where_the_way_is_longer_or_shorter(learned, run):
    learned()
    text = Path("rules.horn").read_text()
    theory = load("store.horn")
    matcher = RuleMatcher(theory, "robot")
    for rule in parse(text).clauses[1:]:
        matcher.add(rule)
    for length in (1, 2, 9):
        way = [f"q{number}" for number in range(length + 1)]
        facts = [GroundFact("beside", (one, other)) for one, other in pairwise(way)]
        facts += [GroundFact("robot", (way[0],)), GroundFact("at", ("box", way[-1]))]
        game = next(iter(parse("bring(box).").clauses)).head
        assert [str(s) for _, s in matcher.statements([part_of_fact(fact) for fact in facts], [game])], length
    # There is no path backwards.
    facts[-2:] = [GroundFact("robot", (way[-1],)), GroundFact("at", ("box", way[0]))]
    assert not matcher.statements([part_of_fact(fact) for fact in facts], [game])


def test_the_word_that_a_stranger_tries_first_is_right(learned, run, theory):
    """Check that `static … operational` is accepted.

    It used to be refused with the advice to omit `operational`. Each step then became a condition.
    """
    declare(theory, "static reachable(place, place).", "static reachable(place, place) operational.")
    assert run("check", "store.horn")[0] == 0
    assert learned() == RULE


def test_the_advice_of_hb046_is_right_when_it_is_followed(learned, run, theory):
    declare(theory, "static beside(place, place).", "static beside(place, place) operational.")
    code, out, err = run("check", "store.horn")
    assert code == 1
    output = out + err
    assert (
        "error[HB046]: no rule concludes `beside` of a state, so `operational` has no effect on it" in output
    )
    assert "help: delete `operational`: learned rules may read given facts in any case" in output
    declare(theory, " operational.", ".")
    assert run("check", "store.horn")[0] == 0
    assert learned() == RULE


def test_what_rules_conclude_without_recursion_is_a_condition_where_it_is_declared_so(learned, theory):
    declare(theory, "more_steps: reachable(?a, ?c) :- beside(?a, ?b), reachable(?b, ?c).\n", "")
    declare(theory, "beside(p1, p2), beside(p2, p3)", "beside(p1, p6), beside(p2, p3)")
    assert learned() == RULE.replace("reachable", "beside")
    Path("rules.horn").unlink()
    declare(theory, "static reachable(place, place).", "static reachable(place, place) operational.")
    assert learned() == RULE


@pytest.mark.parametrize("word", ["", " operational"])
def test_a_fluent_that_rules_conclude_is_a_condition_where_it_is_declared_so(learned, run, theory, word):
    declare(theory, "static beside", "fluent beside")
    declare(theory, "static reachable(place, place).", f"fluent reachable(place, place){word}.")
    declare(theory, "before robot(?r), reachable", "before robot(?r), before reachable")
    assert run("check", "store.horn")[0] == 0
    rule = learned()
    assert (rule == RULE) == bool(word), rule
    assert rule.count("beside(") == (0 if word else 5)


def test_what_is_derived_from_statics_by_recursion_is_a_condition(learned, theory):
    declare(theory, "static reachable", "derived reachable")
    declare(theory, "before robot(?r), reachable", "before robot(?r), before reachable")
    assert learned() == RULE


def test_who_asks_for_the_recursion_itself_gets_a_rule_for_that_many_steps(run, folder, theory):
    theory.write_text(STORE + "expect a_long_way: reachable(p3, p6).\n")
    assert run("learn", "store.horn", "--into", "rules.horn")[0] == 0
    assert (folder / "rules.horn").read_text().count("beside(") == 3


def test_recursion_that_goes_round_through_two_predicates_is_a_condition_too(learned, theory):
    declare(theory, "static reachable", "static odd(place, place).\nstatic reachable")
    declare(theory, "beside(?a, ?b), reachable(?b, ?c)", "odd(?a, ?b), reachable(?b, ?c)")
    declare(
        theory,
        "goes:",
        "odd: odd(?a, ?b) :- beside(?a, ?b).\nodder: odd(?a, ?b) :- reachable(?a, ?b).\ngoes:",
    )
    assert learned() == RULE


def test_a_rule_stays_where_the_recursion_is_changed_and_goes_with_its_name(learned, run, theory):
    learned()
    declare(
        theory,
        "one_step: reachable(?a, ?b) :- beside(?a, ?b).",
        "one_step: reachable(?a, ?b) :- beside(?b, ?a).",
    )
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "store.horn", "--renew")
    assert code == 0
    assert "1 untouched" in out
    theory.write_text(re.sub("reachable", "connected", theory.read_text()))
    code, out, err = run("rules", "verify", "rules.horn", "--theory", "store.horn", "--renew")
    assert code == 1
    assert "1 retired" in out, out + err


CHAINS = """theory chains.
sort node.
fluent edge(node, node).
derived path(node, node) says "?2 is reached from ?1".
one: path(?x, ?y) :- edge(?x, ?y).
more: path(?x, ?z) :- edge(?x, ?y), path(?y, ?z).
action link(node, node).
linked: after edge(?x, ?y) :- link(?x, ?y).
persists edge(_, _).
example long: edge(b, c), edge(c, d), link(a, b).
expect long: after path(a, d).
"""


def test_a_recursive_definition_is_explained_with_its_example_and_in_words(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    Path("chains.horn").write_text(CHAINS)
    assert run("learn", "chains.horn", "--into", "rules.horn")[0] == 0
    code, out, _ = run(
        "rules", "explain", "rules.horn", "foreseen_path_after_link", "--theory", "chains.horn"
    )
    assert code == 0
    assert "  ?y2 is reached from ?x2 after the action, if\n    link(?x, ?y)\n" in out
    assert "    ?y2 is reached from ?x2 after link(?x, ?y)\n" in out
    assert "the rule itself, by induction" in out
    assert "learned from long (chains.horn)\n\nits state: " in out
    assert "after path(a, d)  [more, chains.horn:6]" in out


SHELVES = """theory shelves.
sort shelf. sort crate. sort seal = whole | torn.
static holds(shelf, crate).
static crates(shelf -> int) counts holds.
fluent seal(crate -> seal).
action mend(crate).
derived sound(crate).
derived ready(shelf).
whole: sound(?c) :- seal(?c, whole).
all_sound: ready(?s) :- crates(?s, _), all ?c in holds(?s, ?c): sound(?c).
mended: after seal(?c, whole) :- mend(?c).
persists seal(?c, _) unless mend(?c).
example two: holds(s, x), holds(s, y), crates(s, 2), seal(x, torn), seal(y, whole), mend(x).
expect two: after ready(s).
"""


def test_rules_with_retired_lemmas_are_learned_again_from_their_examples(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    Path("shelves.horn").write_text(SHELVES)
    assert run("learn", "shelves.horn", "--into", "rules.horn")[0] == 0
    edited = "sound(?c) :- seal(?c, whole), holds(_, ?c)."
    Path("shelves.horn").write_text(SHELVES.replace("sound(?c) :- seal(?c, whole).", edited))
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "shelves.horn", "--renew")
    assert "foreseen_sound_after_mend: retired: " in out
    code, out, err = run("rules", "relearn", "shelves.horn", "--into", "rules.horn")
    assert (code, err) == (0, "")
    assert "rules admitted" in out
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "shelves.horn")
    assert (code, ", 0 do not" in out) == (0, True)
