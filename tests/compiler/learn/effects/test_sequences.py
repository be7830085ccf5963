"""Tests of macro-operators: they are learned from sequences of actions, proved, and right in random states."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.learn.learning import examples_of, learn_all, read_examples
from hornbook.compiler.match.macros import Macro, macros_in
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.terms import Atom, Constant, Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes.succession import advance
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.sources.proofs import proofs_path

REPAIR = Path(__file__).parent / "data" / "mending.horn"
READY = Atom("ready", (Variable("m"),), "after")
DECLARED = (
    'derived ready_by_clean(machine, technician, part) says "?1 is ready to run after clean(?2, ?3)".\n'
)
FORGED = f"{DECLARED}forged:\n"
KINDS = ("pump", "seal", "motor", "filter")


@pytest.fixture(scope="module")
def repair():
    return load(REPAIR)


@pytest.fixture(scope="module")
def learned(repair) -> RuleBase:
    *_, last = learn_all(read_examples(REPAIR, repair), repair, RuleBase(repair.name))
    return last.base


def macros_of(base: RuleBase, theory) -> list[Macro]:
    rules = [entry.rule for entry in base if entry.is_certified]
    return macros_in(rules, base.definitions.extended(theory).vocabulary, 3)


def state(random: Random) -> list[GroundFact]:
    """Return a random state of one or two machines."""
    facts = [GroundFact("spares", (kind, random.randint(0, 2))) for kind in KINDS]
    facts += [GroundFact("skilled", ("tom", kind)) for kind in ("seal", "pump")]
    facts += [GroundFact("skilled", ("ann", kind)) for kind in ("filter", "motor")]
    for machine in ("m", "n")[: random.randint(1, 2)]:
        parts = [f"{machine}{number}" for number in range(random.randint(2, 4))]
        facts.append(GroundFact("parts", (machine, len(parts))))
        facts.append(GroundFact("pressure", (machine, random.randint(2, 6))))
        facts.append(GroundFact("needs", (machine, 6)))
        facts.append(GroundFact("power", (machine, random.choice(("no", "no", "no", "yes")))))
        for part in parts:
            facts.append(GroundFact("has", (machine, part)))
            facts.append(GroundFact("kind", (part, random.choice(KINDS))))
            facts.append(
                GroundFact("state", (part, random.choices(("good", "worn", "broken"), (5, 2, 1))[0]))
            )
    return facts


def reached(theory, facts: list[GroundFact], actions: tuple[GroundFact, ...]) -> set[str]:
    """Return the machines that are ready after some actions, by single steps of the theory alone."""
    base = KnowledgeBase(theory)
    base.add([*facts, actions[0]])
    for action in actions[1:]:
        advance(base, action)
    return {str(fact.values[0]) for fact in base.facts("ready", "after")}


def ready_by(macro: Macro, machine: str) -> Macro:
    found = macro.of_goal(READY.with_terms((Constant(machine),)))
    assert found is not None
    return found


def test_each_length_gives_a_macro_operator(learned, repair):
    names = {
        "_then_".join(action.predicate for action in macro.actions)
        for macro in macros_of(learned, repair)
        if macro.goal.predicate == "ready" and macro.condition.predicate.startswith("ready_by_")
    }
    assert names == {"clean", "replace_then_clean", "replace_then_replace_then_clean"}
    assert all(entry.is_certified for entry in learned)


@pytest.mark.parametrize("seed", [0, 1])
def test_no_sequence_is_wrong_in_random_states(learned, repair, seed):
    random, found, missed = Random(seed), set(), 0
    extended = learned.definitions.extended(repair)
    macros = [macro for macro in macros_of(learned, repair) if macro.goal.predicate == "ready"]
    for _ in range(60):
        facts = state(random)
        base = KnowledgeBase(extended, derivations="none")
        base.add(facts)
        here = set()
        for macro in macros:
            for machine in ("m", "n"):
                for actions in ready_by(macro, machine).sequences(base):
                    here.add((actions, machine))
                    assert machine in reached(repair, facts, actions)
        found |= {len(actions) for actions, _ in here}
        missed += sum(each not in here for each in seal_then_filter(repair, facts))
    assert found == {1, 2, 3}
    assert missed == 0


def seal_then_filter(theory, facts):
    """Yield the pairs of replacing a seal and cleaning a filter of one machine that make it ready."""
    kinds = {fact.values[0]: fact.values[1] for fact in facts if fact.relation == "kind"}
    for seal, dust in product(kinds, kinds):
        if (kinds[seal], kinds[dust], str(seal)[0]) == ("seal", "filter", str(dust)[0]):
            actions = GroundFact("replace", ("tom", seal)), GroundFact("clean", ("ann", dust))
            if (machine := str(seal)[0]) in reached(theory, facts, actions):
                yield actions, machine


def test_learning_again_adds_nothing(learned, repair):
    *_, last = learn_all(read_examples(REPAIR, repair), repair, learned)
    assert last.base.entries.keys() == learned.entries.keys()
    assert last.base.definitions.names == learned.definitions.names


def test_a_written_rule_base_has_the_same_macro_operators(learned, repair, tmp_path):
    rulebase.write(learned, tmp_path / "rules.horn")
    read = rulebase.read(tmp_path / "rules.horn", repair)
    assert [entry.refused for entry in read] == [""] * len(read)
    assert macros_of(read, repair) == macros_of(learned, repair)


@pytest.fixture
def written(learned, tmp_path) -> Path:
    path = tmp_path / "rules.horn"
    rulebase.write(learned, path)
    return path


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("kind(?p, ?k), spares(?k, ?n), ?n > 0, may_work(?y, ?z), ?p != ?z.", "kind(?p, ?k), may_work(?y, ?z).",
         "foreseen_fit_by_replace_then_clean"),
        ("?x4 = ?x3 + 2", "?x4 = ?x3 + 3", "foreseen_ready_by_replace_then_clean"),
        ("clean(?t, ?p), before ready_by_clean(?x, ?t, ?p)", "replace(?t, ?p), before ready_by_clean(?x, ?t, ?p)",
         "foreseen_ready_by_clean"),
        ("before fit_by_clean(?x, ?y, ?z), ?x != ?p", "before fit_by_clean(?x, ?y, ?z)",
         "fit_by_clean_still_holds_after_replace"),
        (DECLARED,
         FORGED + "  ready_by_clean(?x, ?t, ?p) :- has(?x, _), skilled(?t, _), kind(?p, _).\n",
         "foreseen_ready_by_clean"),
        (DECLARED,
         FORGED + "  after ready_by_clean(?x, ?t, ?p) :- replace(?t, ?p), has(?x, ?p).\n",
         "forged"),
    ],
)  # fmt: skip
def test_a_changed_clause_or_lemma_is_refused(written, repair, old, new, name):
    text = written.read_text(encoding="utf-8")
    assert old in text
    written.write_text(text.replace(old, new, 1), encoding="utf-8")
    read = rulebase.read(written, repair)
    assert not read.entries[name].is_certified
    lemmas = {rule for macro in macros_of(read, repair) for rule in (macro.condition.predicate,)}
    assert not any(name == f"foreseen_{each}" for each in lemmas)


def test_a_certificate_of_another_lemma_is_refused(written, repair):
    proofs = proofs_path(written)
    lines = [json.loads(line) for line in proofs.read_text(encoding="utf-8").splitlines()]
    by_name = {line["rule"]: line for line in lines if "rule" in line}
    one, other = "foreseen_ready_by_clean", "foreseen_ready_by_replace_then_clean"
    by_name[one]["certificate"] = by_name[other]["certificate"]
    proofs.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    read = rulebase.read(written, repair)
    assert not read.entries[one].is_certified


def outcome(text: str):
    theory = load_text(text)
    *_, last = learn_all(examples_of(theory), theory, RuleBase(theory.name))
    return last


LAMP = """
theory lamp.
sort place.
static socket(place).
fluent on(place).
fluent charged(place).
action press(place).
action charge(place).
derived lit(place).
lit: lit(?p) :- on(?p), socket(?p).
pressed: after on(?p) :- press(?p), before charged(?p).
charged: after charged(?p) :- charge(?p), socket(?p).
persists on(_).
persists charged(_).
"""


def test_an_action_after_the_goal_is_left_out():
    last = outcome(
        f"{LAMP}example e: socket(a), socket(b), charge(a) then press(a) then charge(b).\nexpect e: after lit(a)."
    )
    assert not last.outcome.refused
    assert "lit_by_charge_then_press" in last.base.definitions.names


def test_a_goal_of_one_action_gives_no_macro_operator():
    last = outcome(
        f"{LAMP}example e: socket(a), socket(b), charge(a) then charge(b).\nexpect e: after charged(b)."
    )
    assert not [name for name in last.base.definitions.names if "_by_" in name]
