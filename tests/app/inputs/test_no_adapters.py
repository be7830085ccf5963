"""Loading without adapters: no code in a theory's folder is run.

Commands have the option `--no-adapters`, and programs call `load(…, adapters=False)`.
"""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

import hornbook
from hornbook.cli import main
from hornbook.command_list import COMMANDS, GROUPS
from hornbook.kb.sources.locate import NO_ADAPTERS
from hornbook.kb.store import Store

THEORY = """theory trap.
sort thing.
fluent held(thing).
fluent free(thing).
action drop(thing).
game win(thing).
dropped: before win(?x) by drop(?x) is GI :- drop(?x), before held(?x).
example sprung from "state.txt".
expect sprung: held(a).
example by_hand: held(b), drop(b).
"""
ADAPTER = """from pathlib import Path
from hornbook.kb.ast.theory import GroundFact
(Path(__file__).parent / "SPRUNG").write_text("run", encoding="utf-8")
def read(text, name): return text.split()
def facts(state): return [GroundFact("held", (word,)) for word in state]
def template(): return "a"
"""
PROOF = """{"strategy": 1, "theory": "trap", "player": "a", "says": "wins", "nodes": 1}
{"node": 0, "state": "a", "rank": 0, "rule": "dropped"}
"""


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a state and a theory whose adapter leaves a mark when it is imported."""
    folder = tmp_path / "trap"
    folder.mkdir()
    for name, text in {
        "trap.horn": THEORY,
        "adapter.py": ADAPTER,
        "state.txt": "a",
        "rules.horn": "import trap.\n",
        "proof.jsonl": PROOF,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    with Store.create(folder / "there.sqlite") as store:
        store.put_theory("trap.horn")
    monkeypatch.delenv(NO_ADAPTERS, raising=False)
    return folder


COMMAND_LINES = {
    "template": ["theory", "template", "trap.horn", "new.txt"],
    "check": ["check", "trap.horn"],
    "test": ["test", "trap.horn"],
    "foretell": ["theory", "regress", "trap.horn", "held", "--into", "later.horn"],
    "graph": ["theory", "graph", "trap.horn"],
    "query": ["query", "trap.horn", "held(?x)", "--state", "state.txt"],
    "run": ["theory", "run", "trap.horn", "--into", "tables", "--state", "state.txt"],
    "why": ["why", "trap.horn", "held(a)", "--state", "state.txt"],
    "why-not": ["why-not", "trap.horn", "held(c)", "--state", "state.txt"],
    "theory report": ["theory", "report", "trap.horn", "held(?x)", "--into", "out", "--state", "state.txt"],
    "what-if": ["what-if", "trap.horn", "held(c)", "--state", "state.txt"],
    "repl": ["repl", "trap.horn", "--state", "state.txt"],
    "lsp": ["theory", "lsp"],
    "explore": ["explore", "trap.horn", "--state", "state.txt", "--add", "nothing.horn", "--no-browser"],
    "serve": ["serve", "trap.horn", "--host", "0.0.0.0"],
    "learn": ["learn", "trap.horn", "--into", "learned.horn"],
    "explain-rule": ["rules", "explain", "rules.horn", "dropped", "--theory", "trap.horn"],
    "advise": ["firm", "advise", "trap.horn", "--state", "state.txt"],
    "report": ["firm", "report", "trap.horn", ".", "--into", "page.html"],
    "match": ["rules", "match", "trap.horn", "state.txt", "--rules", "rules.horn"],
    "solve": ["problems", "solve", "trap.horn", "--rules", "rules.horn", "--problems", "state.txt"],
    "prove": ["rules", "prove", "rules.horn", "--theory", "trap.horn"],
    "trust": ["rules", "trust", "trap.horn", "--rules", "rules.horn"],
    "verify": ["rules", "verify", "rules.horn", "--theory", "trap.horn"],
    "compile": ["rules", "compile", "rules.horn", "--theory", "trap.horn", "--into", "compiled"],
    "kb": ["store", "add", "there.sqlite", "--state", "state.txt"],
    "prune": ["rules", "prune", "there.sqlite"],
    "restore": ["rules", "restore", "there.sqlite", "dropped"],
    "audit": ["problems", "audit", "trap.horn", "--state", "state.txt"],
    "problems": ["problems", "generate", "trap.horn", "--into", "problems.jsonl"],
    "score": ["problems", "grade", "state.txt", "state.txt"],
    "plan": ["theory", "network", "rules.horn", "--theory", "trap.horn"],
    "profile": ["theory", "profile", "trap.horn", "--state", "state.txt"],
    "search plan": ["search", "plan", "trap.horn", "state.txt"],
    "search verify": ["search", "verify", "trap.horn", "proof.jsonl"],
    "think": ["search", "best-move", "trap.horn", "--position", "state.txt", "--nodes", "9"],
    "play": ["play", "trap.horn", "--position", "state.txt"],
    "gtp": ["search", "gtp", "trap.horn"],
    "uci": ["search", "uci", "trap.horn"],
    "tournament": ["search", "tournament", "deepening", "deepening", "--game", "trap.horn", "--into", "games.jsonl"],
    "allocate": ["search", "play-allocation", "trap.horn", "never", "--games", "1"],
    "gather": ["search", "statistics", "trap.horn", "--positions", "100", "--into", "statistics.json"],
}  # fmt: skip
"""A command line for each command that loads a theory. It reads a state if the command can."""
RUNS = {
    "template",
    "test",
    "query",
    "run",
    "why",
    "why-not",
    "theory report",
    "what-if",
    "repl",
    "explore",
    "learn",
    "advise",
    "audit",
    "report",
    "kb",
    "profile",
    "match",
}
"""Commands that need the adapter to read the state."""


def run(command: str, *more: str) -> int:
    code = main([*COMMAND_LINES[command], *more])
    for name in [name for name in sys.modules if name.startswith("_hornbook") or "trap" in name.split(".")]:
        del sys.modules[name]
    return code


@pytest.mark.parametrize("command", COMMAND_LINES)
def test_no_adapter_is_run_where_none_is_to_be(command, trap, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", StringIO(""))
    run(command, "--no-adapters")
    output = "".join(capsys.readouterr())
    assert "No such option" not in output
    assert not (trap / "SPRUNG").exists()
    monkeypatch.setattr("sys.stdin", StringIO(""))
    run(command)
    capsys.readouterr()
    assert (trap / "SPRUNG").exists() == (command in RUNS)


def test_every_command_has_the_option_but_those_that_load_nothing():
    with_option = {name for name, command in COMMANDS.items() if command.loads_theory}
    queried = {" ".join(line[:2]) if line[0] in GROUPS else line[0] for line in COMMAND_LINES.values()}
    same = {"rules learn-plans", "rules invent", "rules relearn"} | {
        name for name in COMMANDS if name.startswith("store ") or name.endswith("-allocation")
    }
    assert queried | same == with_option


def test_what_cannot_be_read_then_says_why(trap, capsys):
    assert main(["query", "trap.horn", "held(?x)", "--state", "state.txt", "--no-adapters"]) == 2
    assert "no adapter that may be run (`--no-adapters`)" in " ".join(capsys.readouterr().err.split())
    assert main(["test", "trap.horn", "--no-adapters"]) == 1
    assert main(["query", "trap.horn", "held(?x)", "--no-adapters", "--add", "rules.horn"]) == 1


def test_programs_forbid_it_when_they_load(trap):
    theory = hornbook.read_theory("trap.horn", adapters=False)
    with pytest.raises(hornbook.NoAdapterError, match="may be run"):
        hornbook.read_state(theory, Path("state.txt"))
    with pytest.raises(hornbook.KnowledgeBaseError, match="may be run"):
        hornbook.read_examples(theory)
    assert not (trap / "SPRUNG").exists()
    assert hornbook.read_state(hornbook.read_theory("trap.horn"), Path("state.txt")).value == ["a"]
    assert (trap / "SPRUNG").exists()


def test_the_environment_forbids_it_too(trap, monkeypatch):
    monkeypatch.setenv(NO_ADAPTERS, "1")
    assert hornbook.load_adapter(trap / "trap.horn") is None
    code = "import hornbook; from pathlib import Path; hornbook.read_state('trap.horn', Path('state.txt'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=trap, check=False)
    assert "NoAdapterError" in done.stderr
    assert not (trap / "SPRUNG").exists()
