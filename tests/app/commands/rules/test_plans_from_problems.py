"""`hornbook rules learn-plans chess --problems`: plans and goals in files.

The files can be read again, however learning ends.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import hornbook.theories.chess
from hornbook.commands.rules import learn_plans as learning
from hornbook.games import planning
from hornbook.inputs.theories import load
from hornbook.play.kep import problems as plan_problems

CHESS = Path(hornbook.theories.chess.__file__).parent
GAINS, SHIPPED = CHESS / "parts" / "gains.horn", CHESS / "plans" / "pawns.horn"
ONLY = '7k/8/8/3P4/8/8/8/K7 w - - pv d6 Kh7 Ka2 Kh8 d7 Kh7 d8=Q; id "alone";'
ASIDE = '8/3K4/3P4/8/8/8/8/k7 w - - pv Ke7 Ka2 d7 Ka1 d8=Q; id "aside";'
NEVER = '8/8/8/8/8/4k3/4p3/4K3 w - - id "never";'
LEARN = ("rules", "learn-plans", "chess", "--problems", "some.epd", "--into", "plans.horn")


@pytest.fixture(scope="module")
def known():
    return planning.planning_knowledge(load("chess"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, known):
    """Read the planning knowledge once for all chess command lines."""
    plain = learning.planning_knowledge
    monkeypatch.setattr(
        learning, "planning_knowledge", lambda theory: known if theory.name == "chess" else plain(theory)
    )
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ASIDE)
    return tmp_path


def write(folder, *lines):
    (folder / "some.epd").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_goals_of_one_session_have_plans_in_the_next_and_all_are_verified(run, folder):
    """Start from plans that have a comment and belong to the theory of plans alone.

    The new ones belong to the theory with goals.
    """
    rules = folder / "plans.horn"
    shutil.copy(SHIPPED, rules)
    shutil.copy(SHIPPED.with_suffix(".proofs.jsonl"), folder / "plans.proofs.jsonl")
    rules.write_text("% mine\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
    code, out, _ = run(*LEARN, "--json")
    first = json.loads(out)
    assert (code, first["learned"], first["goals"]) == (0, 1, 1)
    assert rules.read_text(encoding="utf-8").startswith("% mine\n")
    code, out, _ = run(*LEARN, "--json")
    second = json.loads(out)
    assert (code, second["plans"], second["rules"]) == (0, 1, first["rules"] + 1)
    assert run("rules", "verify", "plans.horn", "--theory", "plans_goals.horn")[0] == 0
    there = planning.plans_in(rules, load(GAINS))
    assert set(there.goals) == {"made_at_none_empty"}
    assert there.goals.keys() < {entry.rule.head.game.predicate for entry in there.base}


@pytest.mark.deep
def test_an_interruption_keeps_what_was_learned_in_whole_files(run, folder, monkeypatch):
    write(folder, ONLY, ASIDE)
    plain = plan_problems.learn_from_lesson

    def interrupted(learner, lesson, *given):
        if lesson.name == "aside":
            raise KeyboardInterrupt
        return plain(learner, lesson, *given)

    monkeypatch.setattr(plan_problems, "learn_from_lesson", interrupted)
    code, out, err = run(*LEARN)
    assert code == 130
    assert out.startswith("1 problem: 1 taught something")
    assert "the learned rules are stored" in err
    assert run("rules", "verify", "plans.horn", "--theory", "gains")[0] == 0


def test_a_problem_without_a_line_is_named_and_the_others_teach(run, folder):
    write(folder, NEVER, ONLY)
    code, out, _ = run(*LEARN)
    assert code == 1
    assert out.splitlines()[0].startswith("never: no line is found that earns white 100")
    assert (folder / "plans.horn").exists()


def test_a_problem_that_takes_too_long_is_given_up(run):
    code, out, _ = run(*LEARN, "--seconds", "0.01")
    assert code == 1
    assert "aside: stopped: more than" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("chess", "--into", "p.horn"), 2, "or files of problems"),
        (("chess", "--problems", "some.epd"), 2, "written to a file of rules"),
        (("chess", "--problems", "some.epd", "--into", "p.sqlite"), 2, "written to a file of rules"),
        (("go", "--problems", "some.epd", "--into", "p.horn"), 2, "no `planning`"),
        (("family", "--problems", "some.epd", "--into", "p.horn"), 2, "no domain.py"),
        (("chess", "--problems", "bad.epd", "--into", "p.horn"), 1, "bad.epd:2:33"),
        (("chess", "--problems", "none.epd", "--into", "p.horn"), 1, "no such file"),
        (("chess", "--problems", "empty.epd", "--into", "p.horn"), 1, "no position"),
    ],
)
def test_what_cannot_be_learned_from_is_reported_before_anything_is_written(
    run, folder, arguments, code, message
):
    (folder / "bad.epd").write_text(f"{ONLY}\n7k/8/8/3P4/8/8/8/K7 w - - pv d6 d7;\n", encoding="utf-8")
    (folder / "empty.epd").write_text("% nothing\n", encoding="utf-8")
    found, _, err = run("rules", "learn-plans", *arguments)
    assert found == code
    assert message in " ".join(re.sub(r"[│\n]", " ", err).split())
    assert not (folder / "p.horn").exists()


def test_goals_that_are_removed_are_missed(run, folder):
    (folder / "plans.horn").write_text("import plans_goals.\n", encoding="utf-8")
    code, _, err = run(*LEARN)
    assert code == 1
    assert "plans_goals.horn" in err
