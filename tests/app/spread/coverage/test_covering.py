"""Learning from a table of states: its coverage is that of states evaluated one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pyarrow
import pyarrow.parquet
import pytest

from hornbook import KnowledgeBase, Limits, learn, read_theory
from hornbook.commands.rules.learning import from_states
from hornbook.compiler.learn.covering.goals import coverage_goals
from hornbook.compiler.learn.covering.learner import CoverageLearner, rules_step
from hornbook.compiler.learn.covering.measure import CoverageMeasure, LearnedKnowledge, WrongConclusionError
from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.rulebase import rename, write
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.tables.tables import TableError
from hornbook.spread.coverage.covered_table import CoveredTable
from oracles.ward.states import THEORY, ward_states
from oracles.warehouse.states import THEORY as WAREHOUSE
from oracles.warehouse.states import warehouse_states

STATES = 80
GOALS = [("may_go", "after"), ("stock", "after")]


@cache
def ward():
    return read_theory(THEORY)


def states(number=STATES, seed=5):
    return list(ward_states(number, seed))


@cache
def learned():
    return learn(ward(), states=states())


def conclusions(theory, texts, goals=GOALS):
    """Return the conclusions about the goals, from one state after another."""
    base, found = KnowledgeBase(theory), set()
    for number, text in enumerate(texts):
        base.push()
        base.add(facts_of(text))
        found |= {(number, each) for goal in goals for each in map(str, base.facts(*goal))}
        base.pop()
    return found


@cache
def facts_of(text):
    return KnowledgeBase(ward()).read_clauses(text, "state").facts


def learned_only(without=()):
    """Return the learned rules alone, without some rules and clauses."""
    found = learned().rules
    whole = learned_rules_theory(found.theory, [entry.answering for entry in found.base], GOALS)
    return replace(whole, rules=tuple(rule for rule in whole.rules if rule.name not in without))


def test_the_coverage_is_that_of_states_evaluated_one_by_one():
    report = learned().coverage
    theirs, ours = conclusions(ward(), states()), conclusions(learned_only(), states())
    assert ours == theirs
    assert (report.covered, report.conclusions, report.direct) == (len(theirs), len(theirs), 0)
    assert [each.is_clause for each in report.rules] == sorted(each.is_clause for each in report.rules)
    assert any(each.is_clause for each in report.rules)
    heads = {rule.name: rule.head.relation for rule in learned_only().rules}
    rules = {each.rule for each in report.rules if not each.is_clause}
    for each in report.rules:
        if each.is_clause:
            covers = ours - conclusions(
                learned_only({n for n in heads if heads[n] == heads[each.rule]}), states()
            )
        else:
            covers = conclusions(learned_only(rules - {each.rule}), states())
        others = conclusions(learned_only({each.rule}), states())
        assert (each.covers, each.only) == (len(covers), len(ours - others))
        assert each.tried > 0


def test_each_example_begins_with_the_coverage_of_the_one_before():
    report = learned().coverage
    assert report.first == 0
    assert [each.before for each in report.examples] == [0, *(each.covered for each in report.examples[:-1])]
    assert report.examples[-1].covered == report.covered
    assert [each.state is None for each in report.examples[:3]] == [True] * 3
    later = report.examples[3:]
    assert later
    assert all(each.before < each.covered and each.rules for each in later)
    assert [each.name for each in later] == [f"state_{each.state}" for each in later]


def test_learning_is_repeatable():
    again = learn(ward(), states=states())
    assert again.rules.to_text() == learned().rules.to_text()
    assert [each.name for each in again.coverage.examples] == [e.name for e in learned().coverage.examples]


def test_learning_continues_from_existing_rules():
    whole = learn(ward(), [], learned().rules, states=states())
    assert whole.coverage.first == whole.coverage.covered == whole.coverage.conclusions
    assert whole.coverage.examples == ()
    assert whole.rules.to_text() == learned().rules.to_text()


def test_the_time_bounds_the_whole_run():
    report = learn(ward(), states=states(), limits=Limits(seconds=1e-6)).coverage
    assert report.examples == report.rules == ()
    assert 0 == report.covered < report.conclusions == learned().coverage.conclusions


def test_rules_of_other_states_are_right_too():
    others = states(100, seed=6)
    ours = conclusions(learned_only(), others)
    assert ours <= conclusions(ward(), others)
    assert len(ours) > 200


def test_no_lemma_is_learned_twice():
    rules = [entry.rule for entry in learned().rules.base]
    assert len({(rule.head, rule.body) for rule in rules}) == len(rules)


def test_only_conclusions_of_named_goals_are_counted():
    found = learn(ward(), states=states(), goals=["stock"]).coverage
    assert {each.rule for each in found.rules if not each.is_clause} == {
        "stock_after_1",
        "stock_after_2",
        "stock_after_3",
    }
    assert found.covered == found.conclusions > 10


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("may_gp", "no predicate is called `may_gp`; did you mean `may_go`?"),
        ("tests", "no rule of the theory concludes `tests`"),
    ],
)
def test_goals_that_do_not_exist_are_refused(goal, reason):
    with pytest.raises(KnowledgeBaseError, match=reason.replace("?", r"\?")):
        learn(ward(), states=[], goals=[goal])


def test_a_theory_without_expectations_needs_goals():
    theory = load_text("theory t.\nsort a.\nstatic p(a).\nderived q(a).\nq(?x) :- p(?x).\n", "t.horn")
    with pytest.raises(KnowledgeBaseError, match="expects no conclusion"):
        learn(theory, [], states=["p(x)."])
    report = learn(theory, [], states=["p(x)."], goals=["q"]).coverage
    assert (report.conclusions, report.direct, report.covered, report.share) == (0, 1, 0, 1.0)


def test_rules_of_several_actions_and_goals_are_learned_from_one_state():
    """No rule of the warehouse names the robot of `check`."""
    texts = list(warehouse_states(60, seed=2))
    report = learn(read_theory(WAREHOUSE), states=texts).coverage
    assert report.covered == report.conclusions > 60
    assert max(len(each.rules) for each in report.examples if each.state is not None) > 2
    assert len(report.examples) < 16


PROVED_FALSELY = "may_go_after_1: after may_go(?p) :- repeat_test(_, ?t), ordered(?p, ?t)."


def test_a_wrong_conclusion_stops_learning():
    """The step returns a rule with the certificate of another one, as a faulty checker would accept it."""
    theory = ward()
    false = load_text(f"import ward.\n{PROVED_FALSELY}", str(THEORY.with_name("false.horn")))
    [false] = [rule for rule in false.rules if rule.name == "may_go_after_1"]

    class Certified(RuleEntry):
        @property
        def is_certified(self):
            return True

    def step(known, examples, limits):
        right = rules_step()(known, examples, limits).base
        [entry, *_] = right
        return LearnedKnowledge(known.theory, rule_base("ward", [Certified(false, entry.certificate, None)]))

    table = CoveredTable(theory, states(), Limits(), skip_bad=False)
    goals = coverage_goals(theory)
    known = LearnedKnowledge(theory, RuleBase("ward"))
    learner = CoverageLearner(theory, known, table, goals, step, Budget())
    with pytest.raises(
        WrongConclusionError, match=r"state \d+ of states: `may_go.after\(\w+\)` .*may_go_after_1"
    ):
        list(learner.learn())


def test_bad_states_are_refused_or_left_out():
    texts = [*states(40), "may_go(ann).", "ordered(ann, b1", None]
    with pytest.raises(TableError, match="3 bad rows of 43"):
        learn(ward(), states=texts)
    report = learn(ward(), states=texts, skip_bad=True).coverage
    assert sorted(report.errors) == [40, 41, 42]
    assert report.covered == report.conclusions


@pytest.fixture
def table(folder):
    pyarrow.parquet.write_table(pyarrow.table({"state": states()}), folder / "states.parquet")
    return folder


LEARN = ("learn", str(THEORY), "--states", "states.parquet")


def test_the_command_reports_what_the_function_reports(table, run):
    code, out, err = run(*LEARN, "--into", "rules.horn", "--json")
    assert (code, err) == (0, "")
    printed = json.loads(out)
    assert printed.pop("seconds") > 0
    forgotten = printed.pop("forgotten")
    assert {each["only"] for each in printed["rules"] if each["rule"] in forgotten} <= {0}
    own = json.loads(json.dumps(learned().coverage.to_dict()))
    for report in (printed, own):
        for each in report["rules"]:
            assert each.pop("seconds") > 0
    assert printed == own
    assert run("rules", "verify", "rules.horn", "--theory", str(THEORY))[0] == 0
    code, out, err = run(*LEARN, "--into", "rules.horn")
    assert code == 0
    assert f"; before: {own['covered']}" in out


def test_without_useless_rules_the_others_find_the_same_conclusions():
    theory = ward()
    goals = coverage_goals(theory, [name for name, _ in GOALS])
    table = CoveredTable(theory, {"state": states()}, Limits(), skip_bad=False)
    measure = CoverageMeasure(theory, table, goals, Limits())
    base = learned().rules.base
    entries = list(base)
    doubled = [rename(each, f"{each.rule.name}_again") for each in entries]
    known = LearnedKnowledge(theory, rule_base(theory.name, [*entries, *doubled], base.definitions))
    removed = measure.useless(known)
    assert len(removed) >= sum(not each.is_clause for each in learned().coverage.rules)
    left = [each.answering for each in known.base if each.rule.name not in removed]
    assert conclusions(learned_rules_theory(known.theory, left, GOALS), states()) == conclusions(
        learned_only(), states()
    )
    assert measure.useless(known, least=10**9) == []


def test_rules_are_pruned_in_a_table_and_restored(table, run):
    base = learned().rules.base
    doubled = [rename(each, f"{each.rule.name}_again") for each in base]
    write(rule_base(ward().name, [*base, *doubled], base.definitions), table / "twice.horn")
    prune = ("rules", "prune", "twice.horn", "--theory", str(THEORY))
    code, out, err = run(*prune, "--states", "states.parquet", "--json")
    assert (code, err) == (0, "")
    printed = json.loads(out)
    assert len(printed["forgotten"]) >= sum(not each.is_clause for each in learned().coverage.rules)
    answering = sum(not each.rule.lemma for each in base)
    assert printed["kept"] == 2 * answering - len(printed["forgotten"])
    code, out, _ = run(*prune, "--states", "states.parquet")
    assert code == 0
    assert "0 rules forgotten, since others find all their conclusions" in out
    restored = run("rules", "restore", "twice.horn", "--theory", str(THEORY))[1]
    assert restored.startswith(f"{len(printed['forgotten'])} rules are active again")
    assert run("rules", "prune", "twice.horn", "--theory", "go", "--states", "states.parquet")[0] in (1, 2)


def test_only_rules_of_the_named_goals_are_pruned(table, run):
    base = learned().rules.base
    doubled = [rename(each, f"{each.rule.name}_again") for each in base]
    write(rule_base(ward().name, [*base, *doubled], base.definitions), table / "twice.horn")
    prune = ("rules", "prune", "twice.horn", "--theory", str(THEORY), "--json")
    of_stock = {n for each in base for n in (each.rule.name, f"{each.rule.name}_again")
                if each.rule.head.relation == "stock" and not each.rule.lemma}  # fmt: skip
    code, out, err = run(*prune, "--states", "states.parquet", "--goal", "stock")
    assert (code, err) == (0, "")
    printed = json.loads(out)
    assert {each["rule"] for each in printed["rules"]} == of_stock
    assert len(of_stock) > len(printed["forgotten"]) > 0
    assert set(printed["forgotten"]) < of_stock
    code, _, err = run(*prune, "--states", "states.parquet", "--goal", "stok")
    assert (code, "did you mean `stock`?" in err) == (2, True)
    code, _, err = run(*prune, "--goal", "stock")
    assert (code, "it needs a table of states" in err) == (2, True)


def test_the_report_shows_the_coverage_and_the_worth_of_each_rule(table, run):
    code, out, err = run(*LEARN, "--into", "rules.horn", "--goal", "stock", "--explain")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "example rules before covered tried" in lines
    assert "rule covers only it tried µs" in lines
    assert any(line.startswith("a_drug ") and ", stock_after_1 0 " in line for line in lines)
    assert "after stock(?d, ?m) :-" in lines
    assert any("conclusions covered (100.0 %) in 80 states" in line for line in lines)


def test_rules_that_were_kept_stay_after_an_interruption(table, run, monkeypatch):
    real = CoverageLearner.learn

    def interrupted(self):
        for number, step in enumerate(real(self)):
            yield step
            if number:
                raise KeyboardInterrupt

    monkeypatch.setattr(from_states.CoverageLearner, "learn", interrupted)
    code, out, err = run(*LEARN, "--into", "rules.horn", "--json")
    assert code == 130
    assert err.startswith("interrupted: ")
    printed = json.loads(out)
    assert len(printed["examples"]) == 5
    text = (table / "rules.horn").read_text()
    assert all(f"{name}:\n" in text for each in printed["examples"] for name in each["rules"])


def test_a_store_keeps_the_rules_and_the_states(table, run):
    assert run(*LEARN, "--into", "shop.sqlite", "--goal", "stock")[0] == 0
    code, out, _ = run("store", "show", "shop.sqlite", "--json")
    assert code == 0
    [theory] = json.loads(out)["theories"]
    assert theory["examples"] == 5


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--goal", "stock"), "--goal"),
        (("--skip-bad",), "--skip-bad"),
        (("--states", "states.parquet", "--workers", "2"), "--workers"),
        (("--states", "states.parquet", "--goal", "stocks"), "--goal"),
    ],
)
def test_options_that_do_not_fit_are_refused(table, run, options, reason):
    code, _, err = run("learn", str(THEORY), "--into", "rules.horn", *options)
    assert code == 2
    assert reason in err


def test_states_without_conclusions_teach_nothing(folder, run):
    (folder / "states.csv").write_text('state\n"pain(ann, 3)."\n')
    (folder / "none.horn").write_text("import ward.\n")
    code, out, err = run("learn", str(THEORY), "--states", "states.csv", "--into", "rules.horn")
    assert code == 1
    assert "0 of 0 conclusions covered" in out
    assert "nothing was learned" in err
