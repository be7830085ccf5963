"""`hornbook problems solve`: answers from one match and from a chain.

Neither uses the reader or the prover.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from hornbook.kb.lower import budget
from hornbook.theories.go.problems import read_problems, shipped, write_problems

ONLY = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name in {refused!r}:
            raise ImportError(f"{{name}} was asked for")

sys.meta_path.insert(0, Refusing())
from hornbook import cli
sys.exit(cli.main(["problems", "solve", "go", "--rules", "learned.horn", "--problems", "others.jsonl", "--levels", "{levels}", "--json"]))
"""
REFUSED = (
    "hornbook.theories.go.reader",
    "hornbook.theories.go._reading",
    "hornbook.theories.go.play.tactics",
    "hornbook.compiler.prove.winning",
    "hornbook.compiler.prove.opponent",
    "hornbook.compiler.learn.lessons",
)


@pytest.fixture
def folder(folder, taught):
    """Create a folder with rules, and with problems that did not contribute to the rules."""
    shutil.copytree(taught, folder, dirs_exist_ok=True)
    found = read_problems(shipped("train"))
    easy = [p for p in found if p.depth in (1, 3)]
    hard = [p for p in found if p.depth == 5 and p.value == "GP"]
    escaping = [p for p in found if p.value == "PP"]
    write_problems([*easy[20:32], *hard[:3], *escaping[1:6]], folder / "others.jsonl")
    return folder


def solved(folder: Path, levels: int) -> list[dict[str, object]]:
    """Return the answers of a process that cannot import the reader or the prover."""
    program = ONLY.format(refused=REFUSED, levels=levels)
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.deep
def test_no_answer_of_one_match_or_of_a_chain_needs_reader_or_prover_and_chains_answer_more(folder):
    once, twice = solved(folder, 0), solved(folder, 1)
    problems = read_problems(folder / "others.jsonl")
    for answers, more in ((once, set()), (twice, {"matched"})):
        assert [answer["id"] for answer in answers] == [problem.id for problem in problems]
        for problem, answer in zip(problems, answers, strict=True):
            assert answer.keys() == {"id", "value", "move", "rule"} | more
            assert answer["value"] in ("GG", "GI", "unknown")
            assert (answer["value"] == "unknown") == (answer["move"] is None) == (answer["rule"] is None)
            if answer["move"] is not None:
                assert problem.point(str(answer["move"])) in problem.winning_moves
                assert answer["value"] == "GI" or problem.value == "GG"
    assert all(int(str(answer["matched"])) >= 1 for answer in twice)
    answered, more = ({a["id"] for a in answers if a["move"]} for answers in (once, twice))
    assert len(answered) > 4
    assert answered < more


def test_the_answers_can_be_scored(folder, run):
    code, out, err = run("problems", "solve", "go", "--rules", "learned.horn", "--problems", "others.jsonl")
    assert (code, err.startswith("20 problems: ")) == (0, True)
    Path("answers.jsonl").write_text(out, encoding="utf-8")
    assert run("problems", "grade", "others.jsonl", "answers.jsonl")[0] == 0


def test_rules_without_a_certificate_are_left_out(folder, run):
    claim = "take(?b) by move(?c, ?p) is GI :- named(?b), colour(?b, ?d), opponent(?d, ?c), liberty(?b, ?p)."
    Path("claim.horn").write_text(f"import go.\n\nclaim:\n  {claim}\n", encoding="utf-8")
    code, out, err = run("problems", "solve", "go", "--rules", "claim.horn", "--problems", "others.jsonl")
    assert code == 0
    assert all(json.loads(line)["value"] == "unknown" for line in out.splitlines())
    assert "1 rule without certificate left out" in err


def test_what_has_no_problems_is_reported_to_have_none(folder, run):
    """Check the error for a theory without problems.

    An earlier version prepared the rules for captures, and an assertion failed.
    """
    Path("rules.horn").write_text("import family.\n")
    Path("none.jsonl").touch()
    queried = ["--rules", "rules.horn", "--problems", "none.jsonl"]
    no_problems = "`family` has no domain.py, which says what its problems are"
    for command in (
        ["problems", "solve", "family", *queried],
        ["theory", "profile", "rules.horn", "--theory", "family", "--problems", "none.jsonl"],
    ):
        code, _, err = run(*command)
        assert (code, no_problems in err) == (2, True)
    code, _, err = run("problems", "audit", "family", *queried, "--positions", "0")
    assert code == 2
    assert "the theory `family` has no games" in " ".join(err.split())


def test_a_problem_that_takes_too_long_is_unknown_and_its_line_says_why(folder, monkeypatch, run):
    clock = SimpleNamespace(monotonic=count().__next__)  # one second passes each time the clock is read
    monkeypatch.setattr(budget, "time", clock)
    command = [
        "problems",
        "solve",
        "go",
        "--rules",
        "learned.horn",
        "--problems",
        "others.jsonl",
        "--levels",
        "2",
    ]
    code, out, err = run(*command, "--seconds", "20")
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    stopped = [line for line in lines if "stopped" in line]
    assert {line["stopped"] for line in stopped} == {"more than 20 seconds"}
    # The clock is read once per matched position, and more often while the first rules are compiled.
    assert max(line["matched"] for line in stopped) == 20
    assert {line["value"] for line in stopped} <= {"unknown", "GI"}
    assert (
        f"{len(stopped)} stopped: more than 20 seconds; --seconds, --memory and --max-facts allow more\n"
        in err
    )
    assert 0 < len(stopped) < len(lines)


SOLVE = ("problems", "solve", "go", "--rules", "learned.horn", "--problems", "others.jsonl", "--json")


@pytest.mark.parametrize("levels", [0, 1])
def test_rules_that_are_ready_in_the_cache_give_the_same_answers(folder, monkeypatch, run, levels):
    monkeypatch.setenv("HORNBOOK_CACHE", str(folder / "cache"))
    command = (*SOLVE, "--levels", str(levels))
    first = run(*command)
    monkeypatch.setattr("hornbook.compiler.match.unfolding.unfolded", None)
    monkeypatch.setattr("hornbook.compiler.rules.rulebase.read", None)
    assert run(*command) == first
    assert first[0] == 0


def another_label(rule: str) -> None:
    text = Path("learned.horn").read_text(encoding="utf-8")
    assert f"{rule}:\n" in text
    Path("learned.horn").write_text(text.replace(f"{rule}:\n", f"{rule}_again:\n"), encoding="utf-8")


def one_condition_less(rule: str) -> None:
    before, text = Path("learned.horn").read_text(encoding="utf-8").split(f"{rule}:\n")
    head, _, body = text.partition(":-")
    _, _, others = body.partition("),")  # without the first condition
    Path("learned.horn").write_text(f"{before}{rule}:\n{head}:-{others}", encoding="utf-8")


def without_steps(rule: str) -> None:
    lines = [
        json.loads(line) for line in Path("learned.proofs.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    for line in lines:
        if line["rule"] == rule:
            line["certificate"]["steps"] = []
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path("learned.proofs.jsonl").write_text(text, encoding="utf-8")


def without_a_certificate(rule: str) -> None:
    lines = Path("learned.proofs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if json.loads(line)["rule"] != rule)
    Path("learned.proofs.jsonl").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("change", [another_label, one_condition_less, without_steps, without_a_certificate])
def test_a_rule_whose_text_or_proof_has_changed_does_not_answer_from_the_cache(
    folder, monkeypatch, run, change
):
    monkeypatch.setenv("HORNBOOK_CACHE", str(folder / "cache"))
    answers = [json.loads(line) for line in run(*SOLVE)[1].splitlines()]
    rule = next(answer["rule"] for answer in answers if answer["rule"])
    change(rule)
    changed = run(*SOLVE)
    assert changed[0] == 0
    assert rule not in {json.loads(line)["rule"] for line in changed[1].splitlines()}
    monkeypatch.setenv("HORNBOOK_CACHE", str(folder / "empty"))
    assert run(*SOLVE) == changed
