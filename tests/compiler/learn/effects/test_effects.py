"""Tests of rules about effects of actions: invented predicates, frame lemmas and completion."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.learn.learning import examples_of, learn_all
from hornbook.compiler.learn.lessons import without_special_cases
from hornbook.compiler.learn.sentences import sentence_after
from hornbook.compiler.maintain.unproved import with_proofs
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.stored_rules import put_definitions, read_rule_base
from hornbook.compiler.rules.verification import upgraded, verify_all
from hornbook.kb.ast.terms import All, Atom, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory

GREENHOUSE = Path(__file__).parent / "data" / "greenhouse.horn"


def learned(theory: Theory, base: RuleBase | None = None) -> RuleBase:
    *_, last = learn_all(examples_of(theory), theory, base or RuleBase(theory.name))
    return last.base


@pytest.fixture(scope="module")
def greenhouse() -> tuple[Theory, RuleBase]:
    theory = load(GREENHOUSE)
    return theory, learned(theory)


def learned_only(theory: Theory, base: RuleBase) -> KnowledgeBase:
    """Return a knowledge base of learned rules, and of clauses about the given state only."""
    extended = base.definitions.extended(theory)
    state = [
        rule
        for rule in extended.rules
        if not any(each.tense == "after" for each in (rule.head, *statements(rule.body)))
    ]
    return KnowledgeBase(replace(extended, rules=(*state, *(entry.answering for entry in base))))


def random_state(seed: int) -> list[GroundFact]:
    """Return a state of two beds with two to five plants in all, and an action."""
    rng = random.Random(seed)
    plants = [f"p{number}" for number in range(rng.randint(2, 5))]
    bed_of = {plant: rng.choice("bc") for plant in plants}
    facts = [GroundFact("plants", (bed, list(bed_of.values()).count(bed))) for bed in "bc"]
    for plant, bed in bed_of.items():
        facts.append(GroundFact("grows_in", (bed, plant)))
        facts.append(GroundFact("herb", (plant, rng.choice(("basil", "mint", "sage")))))
        facts.append(
            GroundFact("health", (plant, rng.choice(("thriving", "thriving", "dry", "dead"))), "before")
        )
    action = ("water", rng.choice("bc")) if rng.random() < 0.5 else ("replant", rng.choice(plants))
    return [*facts, GroundFact(action[0], action[1:])]


def test_rules_about_two_examples_find_everything_that_the_theory_finds(greenhouse):
    theory, base = greenhouse
    found = 0
    for seed in range(300):
        whole, single = KnowledgeBase(theory), learned_only(theory, base)
        state = random_state(seed)
        whole.add(state)
        single.add(state)
        expected = set(whole.facts("sellable", "after"))
        assert set(single.facts("sellable", "after")) == expected
        assert set(single.facts("fresh", "after")) <= set(whole.facts("fresh", "after"))
        found += len(expected)
    assert found > 100


def test_a_set_becomes_one_condition_for_any_number_of_members(greenhouse):
    _, base = greenhouse
    rules = [entry.rule for entry in base if entry.provenance is not None]
    assert len(rules) == 2
    for rule in rules:
        assert sum(isinstance(condition, All) for condition in rule.body) == 1
        assert len(rule.body) == 3
        assert len(set(rule.body)) == len(rule.body)


def test_a_clause_is_added_for_a_case_that_no_example_shows(greenhouse):
    _, base = greenhouse
    clauses = [c for c in base.definitions.clauses if c.head.relation == "fresh_after_water"]
    dry_elsewhere = [c for c in clauses if "sage" in print_rule(c)]
    assert len(clauses) == 3
    assert len(dry_elsewhere) == 1


def test_what_an_action_leaves_as_it_is_follows_from_a_frame_lemma(greenhouse):
    _, base = greenhouse
    lemma = base.entries["fresh_stays_after_replant"]
    assert (
        print_rule(lemma.rule).split(":\n")[1].strip() == "after fresh(?x) :- replant(?p), before fresh(?x)."
    )
    assert lemma.is_certified


def test_a_rule_base_with_definitions_is_read_back_whole(greenhouse, tmp_path):
    theory, base = greenhouse
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    for _ in range(2):  # the second time from the cache
        again = rulebase.read(path, theory)
        assert again.definitions == base.definitions
        assert [entry.rule for entry in again] == [entry.rule for entry in base]
        assert all(entry.is_certified for entry in again)


EDITS = {
    "a condition less": (", grows_in(?b, ?x), before health(?x, dry)", ", before health(?x, dry)"),
    "another value": ("before health(?x, thriving)", "before health(?x, dead)"),
    "another relation": ("?c != ?b", "?c = ?b"),
    "a further clause": ("fresh_after_water_1:", "more: before fresh_after_water(?x, ?b) :- water(?b), herb(?x, _).\nfresh_after_water_1:"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=EDITS)
def test_rules_are_refused_if_a_definition_was_changed(greenhouse, tmp_path, old, new):
    theory, base = greenhouse
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    assert all(entry.is_certified for entry in rulebase.read(path, theory))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    again = rulebase.read(path, theory)
    refused = {entry.rule.name for entry in again if not entry.is_certified}
    assert {"foreseen_fresh_after_water", "sellable_after_1"} <= refused
    assert "sellable_after_2" not in refused


def test_a_definition_may_not_change_a_predicate_of_the_theory(greenhouse, tmp_path):
    theory, _ = greenhouse
    path = tmp_path / "rules.horn"
    path.write_text("import greenhouse.\nderived fresh(plant).\nany: fresh(?p) :- herb(?p, _).\n")
    with pytest.raises(TheoryError, match="`fresh` is a predicate already"):
        rulebase.read(path, theory)
    path.write_text("import greenhouse.\nfluent more(plant).\nany: more(?p) :- herb(?p, _).\n")
    with pytest.raises(TheoryError, match="declares derived predicates only"):
        rulebase.read(path, theory)
    path.write_text("import greenhouse.\nderived more(shrub).\nany: more(?p) :- herb(?p, _).\n")
    with pytest.raises(TheoryError, match="there is no sort `shrub`"):
        rulebase.read(path, theory)
    path.write_text("import greenhouse.\nderived more(plant).\n")
    with pytest.raises(TheoryError, match="has no clause"):
        rulebase.read(path, theory)


@pytest.mark.parametrize(
    "declared",
    [
        "more(plant -> herb)",
        "more(plant, herb) observed",
        "more(bed -> int) counts grows_in",
        "more(plant, herb) stated",
    ],
)
def test_a_definition_promises_nothing(greenhouse, tmp_path, declared):
    theory, _ = greenhouse
    path = tmp_path / "rules.horn"
    columns = "?b, 1" if "counts" in declared else "?p, ?h"
    clause = f"any: more({columns}) :- grows_in(?b, ?p), herb(?p, ?h)."
    path.write_text(f"import greenhouse.\nderived {declared}.\n{clause}\n")
    with pytest.raises(TheoryError, match="its declaration promises something"):
        rulebase.read(path, theory)
    path.write_text(
        f"import greenhouse.\nderived more({'bed, int' if '1' in columns else 'plant, herb'}).\n{clause}\n"
    )
    assert rulebase.read(path, theory).definitions.names == {"more"}


def test_a_base_with_other_entries_keeps_its_definitions(greenhouse):
    theory, base = greenhouse
    for again in (upgraded(base, theory), with_proofs(base, []), without_special_cases(base)):
        assert again.definitions == base.definitions
        assert again.numbers == base.numbers
        assert all(verdict.follows for verdict in verify_all(again, theory))


def test_a_stored_definition_is_checked_again_if_the_theory_gets_its_predicate(greenhouse, tmp_path):
    _, base = greenhouse
    text = GREENHOUSE.read_text()
    name, later = base.definitions.predicates[-1].name, base.definitions.without(["fresh_after_water"])
    own = f"\nderived {name}(plant, plant).\nown: before {name}(?p, ?q) :- replant(?q), herb(?p, _).\n"
    with Store.create(tmp_path / "kb.sqlite") as store:
        store.put_theory(read_theory(GREENHOUSE))
        put_definitions(store, later)
        assert read_rule_base(store, load_text(text)).definitions == later
        theory = load_text(text + own)
        assert later.extended(theory).rules == later.extended(load_text(text)).rules
        with pytest.raises(TheoryError, match=f"`{name}` is a predicate already"):
            read_rule_base(store, theory)


def test_a_later_example_adds_a_clause_to_an_invented_predicate(tmp_path):
    text = GREENHOUSE.read_text()
    first = text[: text.index("example replaced")]
    theory = load_text(first)
    base = learned(theory)
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    more = load_text(text)
    again = learned(more, rulebase.read(path, theory))
    assert {each.name for each in again.definitions.predicates} == {
        "fresh_after_water",
        "fresh_after_replant",
    }
    assert [e.rule for e in again if e.rule.name in base.entries] == [e.rule for e in base]
    assert all(entry.is_certified for entry in again)
    rulebase.write(again, path)
    assert all(entry.is_certified for entry in rulebase.read(path, more))


SETS = """theory sets.
sort box. sort thing. sort level = int.
static in(box, thing). static size(box -> int) counts in.
fluent near(thing, thing). fluent level(thing -> level). fluent green(thing).
derived bright(thing). derived lit(box).
action move(thing).
high: bright(?x) :- level(?x, ?n), ?n > 1.
beside: bright(?x) :- near(?x, ?y), green(?y).
all_bright: lit(?b) :- size(?b, _), all ?p in in(?b, ?p): bright(?p).
raised: after level(?x, ?n) :- move(?x), before level(?x, ?m), ?n = ?m + 1.
persists green(_).
persists level(?x, _) unless move(?x).
persists near(?x, _) unless move(?x).
"""
MOVED = "example one: in(b, x), size(b, 1), level(x, 1), move(x).\nexpect one: after lit(b).\n"
UNMOVED = """example two: in(b, x), in(b, y), size(b, 2), near(x, z), green(z), near(y, z), move(z).
expect two: after lit(b).
"""


@pytest.mark.parametrize("texts", [(MOVED, UNMOVED), (MOVED + UNMOVED,)], ids=["twice", "at once"])
def test_rules_stay_proved_if_a_lemma_gets_a_later_rank(texts):
    base = RuleBase("sets")
    for text in texts:
        theory = load_text(SETS + text)
        base = learned(theory, base)
    assert base.entries["foreseen_bright_after_move"].certificate.rank == 2
    assert base.entries["lit_after_1"].certificate.rank == 3
    assert [verdict.reason for verdict in verify_all(base, theory)] == [""] * 3


def test_a_theory_without_sets_or_recurring_facts_gets_no_invented_predicate():
    theory = load_text(
        "theory lamp. sort room. fluent lit(room). action press(room).\n"
        "r: after lit(?r) :- press(?r), before dark(?r). derived dark(room). fluent night(room).\n"
        "d: dark(?r) :- night(?r).\n"
        "example e: night(hall), press(hall). expect e: after lit(hall).\n"
    )
    base = learned(theory)
    assert not base.definitions
    (entry,) = base
    assert print_rule(entry.rule).endswith("after lit(?r) :- press(?r), before dark(?r).")


def test_removed_definitions_leave_the_given_theory(greenhouse):
    theory, base = greenhouse
    extended = base.definitions.extended(theory)
    assert extended is base.definitions.extended(theory)
    assert base.definitions.extended(extended) is extended
    removed = base.definitions.removed(extended)
    assert removed.rules == theory.rules
    assert removed.vocabulary.predicates == theory.vocabulary.predicates
    assert Atom("fresh_after_water", ()).relation in extended.vocabulary.predicates


def test_the_sidecar_has_no_proof_of_a_definition(greenhouse, tmp_path):
    _, base = greenhouse
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    assert "fresh_after_water_1" not in proofs_path(path).read_text().replace("foreseen_", "")


CRATES = """theory crates.
sort shelf. sort crate. sort seal = whole | torn.
fluent holds(shelf, crate).
fluent crates(shelf -> int) counts holds.
fluent seal(crate -> seal).
fluent cold(crate).
action mend(crate).
action take(shelf, crate).
derived sound(crate).
derived ready(shelf).
whole: sound(?c) :- seal(?c, whole).
cold: sound(?c) :- seal(?c, torn), cold(?c).
all_sound: ready(?s) :- crates(?s, ?n), ?n >= 2, all ?c in holds(?s, ?c): sound(?c).
mended: after seal(?c, whole) :- mend(?c).
persists seal(?c, _) unless mend(?c).
persists cold(_).
persists holds(?s, ?c) unless take(?s, ?c).
persists crates(?s, _) unless take(?s, _).
fewer: after crates(?s, ?m) :- take(?s, ?c), before holds(?s, ?c), before crates(?s, ?n), ?m = ?n - 1.
example mended:
  holds(s, x), holds(s, y), crates(s, 2), seal(x, torn), seal(y, torn), cold(y), mend(x).
expect mended: after ready(s).
"""


def test_a_set_that_the_action_leaves_as_it_is_becomes_one_condition_before_it():
    theory = load_text(CRATES)
    base = learned(theory)
    (rule,) = (entry.rule for entry in base if entry.provenance is not None)
    assert print_rule(rule).endswith(
        "mend(?c), before crates(?s, ?n), ?n >= 2,\n"
        "    all ?c2 in before holds(?s, ?c2): before sound_after_mend(?c2, ?c)."
    )
    assert all(entry.is_certified for entry in base)
    found = 0
    for seed in range(200):
        rng = random.Random(seed)
        crates = [f"c{number}" for number in range(rng.randint(1, 5))]
        facts = [GroundFact("crates", ("s", len(crates)), "before")]
        for crate in crates:
            facts.append(GroundFact("holds", ("s", crate), "before"))
            facts.append(GroundFact("seal", (crate, rng.choice(("whole", "whole", "torn"))), "before"))
            facts += [GroundFact("cold", (crate,), "before")] if rng.random() < 0.3 else []
        facts.append(GroundFact("mend", (rng.choice(crates),)))
        whole, single = KnowledgeBase(theory), learned_only(theory, base)
        whole.add(facts)
        single.add(facts)
        expected = set(whole.facts("ready", "after"))
        assert set(single.facts("ready", "after")) == expected
        found += len(expected)
    assert found > 50


def test_a_set_that_the_action_changes_is_listed():
    theory = load_text(
        CRATES[: CRATES.index("example")]
        + "example taken:\n  holds(s, x), holds(s, y), holds(s, z), crates(s, 3), seal(x, torn), seal(y, whole),\n"
        "  seal(z, whole), take(s, x).\nexpect taken: after ready(s).\n"
    )
    base = learned(theory)
    (rule,) = (entry.rule for entry in base if entry.provenance is not None)
    assert not any(isinstance(condition, All) for condition in rule.body)
    assert "crates(?s, 3)" in print_rule(rule)
    assert all(entry.is_certified for entry in base)


def spoken(theory: Theory) -> dict[str, str | None]:
    base = learned(theory)
    return {p.name: None if p.says is None else p.says.text for p in base.definitions.predicates}


def test_an_invented_predicate_has_a_sentence_from_those_of_its_predicate_and_action():
    text = CRATES.replace("derived sound(crate).", 'derived sound(crate) says "?1 is sound".')
    assert spoken(load_text(CRATES)) == {"sound_after_mend": None}
    assert spoken(load_text(text)) == {"sound_after_mend": "?1 is sound after mend(?2)"}
    text = text.replace("action mend(crate).", 'action mend(crate) says "somebody mends ?1".')
    assert spoken(load_text(text)) == {"sound_after_mend": "?1 is sound after somebody mends ?2"}


def test_a_sentence_names_the_columns_of_the_invented_predicate():
    packages = load(GREENHOUSE.parent / "packages.horn")
    assert spoken(packages) == {
        "depends_on_after_add": "?1 depends on ?2 after add(?3, ?4)",
        "depends_on_after_drop": "?1 depends on ?2 after drop(?3, ?4)",
    }


def test_a_column_that_is_an_argument_of_the_action_is_named_as_such():
    words = load_text(
        "theory pairs. sort thing. static near(thing, thing). action swap(thing, thing)."
        ' derived joined(thing, thing) says "?2 joins ?1".'
    ).vocabulary.predicates
    # joined(?x, ?b) after swap(?a, ?b) is joined_after_swap_2(?x, ?a, ?b)
    says = sentence_after(words["joined"], words["swap"], (1, 3), (2, 3))
    assert says.text == "?3 joins ?1 after swap(?2, ?3)"


def test_sentences_of_definitions_are_read_back_and_claim_nothing(tmp_path):
    text = CRATES.replace("derived sound(crate).", 'derived sound(crate) says "?1 is sound".')
    theory = load_text(text)
    base, path = learned(theory), tmp_path / "rules.horn"
    rulebase.write(base, path)
    for _ in range(2):  # the second time from the cache
        assert rulebase.read(path, theory).definitions == base.definitions
    written = path.read_text()
    path.write_text(written.replace('says "?1 is sound after mend(?2)"', 'says "?2 keeps ?1 whole"'))
    again = rulebase.read(path, theory)
    assert all(entry.is_certified for entry in again)
    assert not again.definitions.conflicts(base.definitions)
    path.write_text(written.replace('says "?1 is sound after mend(?2)"', 'says "?3 is sound"'))
    with pytest.raises(TheoryError, match="`\\?3` is no column of `sound_after_mend`"):
        rulebase.read(path, theory)
