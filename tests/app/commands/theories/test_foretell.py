"""`hornbook theory regress`: regressed theories, and the messages when regression is impossible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hornbook.cli import main

Run = Callable[..., tuple[int, str]]
SWITCHES = (Path(__file__).parent / "data" / "foretell_switches.horn").read_text(encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "switches.horn").write_text(SWITCHES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command and return its exit code and output."""

    def run(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def test_what_is_regressed_is_written_and_proved(place: Path, run: Run):
    code, message = run(
        "theory",
        "regress",
        "switches.horn",
        "bright",
        "--by",
        "press",
        "--times",
        "2",
        "--into",
        "later.horn",
    )
    assert (code, message) == (
        0,
        "later.horn written: 4 words; `hornbook rules prove later.horn` proves that they come true\n",
    )
    assert run("rules", "prove", "later.horn")[0] == 0
    assert run("check", "later.horn") == (0, "no mistakes\n")
    facts = "wired(a, b). wired(b, a). lit(a)."
    (place / "here.horn").write_text(f"theory here.\nimport later.\n{facts}\n", encoding="utf-8")
    code, message = run("query", "here.horn", "bright_in_1(b, ?l)")
    assert code == 0
    assert message.startswith("?l\na\nb\n")


def test_words_of_another_action_are_called_otherwise(place: Path, run: Run):
    queried = ["theory", "regress", "switches.horn", "bright", "--by", "press", "--suffix", "pressed"]
    assert run(*queried, "--times", "2", "--into", "later.horn")[0] == 0
    text = (place / "later.horn").read_text(encoding="utf-8")
    assert "after bright_pressed_1(?l2, ?x) :- press(?l1), before bright_pressed_2(?l1, ?l2, ?x)." in text
    assert "_in_" not in text


@pytest.mark.parametrize(
    ("queried", "code", "message"),
    [
        (["brigt", "--by", "press"], 2, "no fluent or derived predicate `brigt`; did you mean `bright`?"),
        (["bright", "--by", "pres"], 2, "no action `pres`; did you mean `press`?"),
        (["bright", "--by", "press", "--suffix", "a b"], 2, "`a b` cannot be part of a name"),
        (["bright"], 2, "name the action; the theory has: press, wait"),
        (
            ["dim", "bright", "reaches", "--by", "press"],
            1,
            "error: no clause of dim, reaches can be regressed",
        ),
        (["lit", "--by", "wait"], 1, "error: no clause of lit can be regressed"),
    ],
)
def test_what_cannot_be_regressed_is_reported_and_nothing_written(
    place: Path, run: Run, queried: list[str], code: int, message: str
):
    found = run("theory", "regress", "switches.horn", *queried, "--into", "later.horn")
    assert found[0] == code
    assert message in " ".join(found[1].split())
    assert not (place / "later.horn").exists()


def test_a_file_that_is_there_stays(place: Path, run: Run):
    (place / "later.horn").write_text("mine", encoding="utf-8")
    queried = ["theory", "regress", "switches.horn", "bright", "--by", "press", "--into", "later.horn"]
    assert run(*queried) == (1, "error: later.horn exists; --force replaces it\n")
    assert (place / "later.horn").read_text(encoding="utf-8") == "mine"
    assert run(*queried, "--force")[0] == 0
    assert (place / "later.horn").read_text(encoding="utf-8") != "mine"
