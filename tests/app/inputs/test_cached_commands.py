"""Tests of commands with a cache: a stale, damaged or missing one never changes an answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.kb.sources import cache

THEORY = """\
theory own.
import parts_of_it.
static ancestor(person, person).
a_parent: ancestor(?a, ?b) :- parent(?a, ?b).
a_further_one: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
parent(ada, ben). parent(ben, cleo).
"""
PART = "sort person.\nstatic parent(person, person).\nfluent here(person).\nparent(ben, dan).\n"
ADAPTER = """\
from hornbook.kb.ast.theory import GroundFact

def read(text, name):
    return text.split()

def facts(state):
    return [GroundFact("here", (name,)) for name in state]
"""
QUERY = ("query", "own.horn", "ancestor(ada, ?who)")
STATE = ("query", "own.horn", "--state", "state.txt", "here(?who)")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    place = tmp_path / "own"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    Path("own.horn").write_text(THEORY, encoding="utf-8")
    Path("parts_of_it.horn").write_text(PART, encoding="utf-8")
    return place


def started(*command: str, code: str = "") -> subprocess.Popen[str]:
    script = f"import sys; from hornbook.cli import main; done = main({[*command]}); {code}sys.exit(done)"
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*command: str, code: str = "") -> str:
    """Return the output of a command in a process of its own, which must succeed without messages."""
    process = started(*command, code=code)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    return out


def answers(*command: str) -> list[str]:
    return run(*command).split()[1:]


def test_the_second_run_imports_neither_parser_of_files_nor_checker_of_theories(folder):
    parts = ("kb.load.import_reader", "kb.check.theory_checks", "kb.desugar.desugaring", "kb.store")
    heavy = ("networkx", "typer", "lark", "rich", "numpy", "pyarrow", "importlib.metadata")
    code = f"print([m for m in {[f'hornbook.{part}' for part in parts] + [*heavy]} if m in sys.modules]); "
    first, second = run(*QUERY, code=code), run(*QUERY, code=code)
    assert "hornbook.kb.check.theory_checks" in first.splitlines()[-1]
    assert second.splitlines() == [*first.splitlines()[:-1], "[]"]


@pytest.mark.parametrize("command", ["check", "query", "why"])
def test_a_command_imports_little(command, folder):
    """The limit is a little above the number of modules today. More modules make every start slower."""
    words = {"check": ("check", "own.horn"), "query": QUERY, "why": ("why", "own.horn", "ancestor(ada, ben)")}
    code = "print(len([m for m in sys.modules if m.startswith('hornbook')])); "
    run(*words[command])
    number = int(run(*words[command], code=code).splitlines()[-1])
    assert number <= {"check": 58, "query": 163, "why": 178}[command]


def test_an_edit_of_the_theory_or_an_import_changes_the_answer(folder):
    assert answers(*QUERY) == answers(*QUERY) == ["ben", "cleo", "dan"]
    Path("own.horn").write_text(THEORY.replace("(ben, cleo)", "(ben, eve)"), encoding="utf-8")
    assert answers(*QUERY) == ["ben", "dan", "eve"]
    Path("parts_of_it.horn").write_text(PART.replace("dan", "kim"), encoding="utf-8")
    assert answers(*QUERY) == ["ben", "eve", "kim"]
    Path("parts_of_it").mkdir()
    Path("parts_of_it.horn").rename("parts_of_it/parts_of_it.horn")
    assert answers(*QUERY) == ["ben", "eve", "kim"]


def test_an_edit_of_the_adapter_changes_the_answer(folder):
    Path("state.txt").write_text("ada ben", encoding="utf-8")
    Path("adapter.py").write_text(ADAPTER, encoding="utf-8")
    assert answers(*STATE) == answers(*STATE) == ["ada", "ben"]
    Path("adapter.py").write_text(ADAPTER.replace("in state]", "in state[1:]]"), encoding="utf-8")
    assert answers(*STATE) == ["ben"]
    Path("state.txt").write_text("ada cleo", encoding="utf-8")
    assert answers(*STATE) == ["cleo"]


DAMAGE = {
    "empty": lambda file: file.write_bytes(b""),
    "truncated": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "other bytes": lambda file: file.write_bytes(b"\xff" * file.stat().st_size),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_changes_no_answer(damage, folder):
    assert answers(*QUERY) == ["ben", "cleo", "dan"]
    DAMAGE[damage](cache.folder() / cache.NAME)
    Path("own.horn").write_text(THEORY.replace("(ben, cleo)", "(ben, eve)"), encoding="utf-8")
    for _ in range(2):
        assert answers(*QUERY) == ["ben", "dan", "eve"]


def test_a_cache_that_cannot_be_written_changes_no_answer(folder, monkeypatch):
    Path("file").write_text("", encoding="utf-8")
    monkeypatch.setenv("HORNBOOK_CACHE", str(folder / "file"))
    for _ in range(2):
        assert answers(*QUERY) == ["ben", "cleo", "dan"]


def test_many_processes_at_once_give_the_same_answers(folder):
    processes = [started(*QUERY) for _ in range(6)]
    results = {process.communicate()[0] for process in processes}
    assert results == {"?who\nben\ncleo\ndan\n"}


def test_another_program_reads_the_theory_again(folder):
    """A copy of the sources with another check refuses the theory, although the other accepted it before."""
    assert answers(*QUERY) == ["ben", "cleo", "dan"]
    code = (
        "import hornbook.kb.sources.cache as c; "
        "c._states = lambda place, states=c._states: (states(place)[0] + 'edited', states(place)[1]); "
        "c.sources = lambda *places: 'edited'; "
        "from hornbook.cli import main; import sys; done = main(['query', 'own.horn', 'ancestor(ada, ?who)']); "
        "print('hornbook.kb.check.theory_checks' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.split() == ["?who", "ben", "cleo", "dan", "True"]


def test_verification_recalls_nothing(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(cache, "_row", asked.append)
    with cache.nothing_recalled():
        assert cache.recall("a") is None
    assert asked == []
    assert cache.recall("a") is None
    assert asked == ["a"]
