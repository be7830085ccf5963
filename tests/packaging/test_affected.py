"""Tests of `.ci/affected.py`, which selects the tests and steps that a change can affect, on small checkouts."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "affected.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="a source distribution has no .ci")
SETTINGS = """
[tool.scikit-build.wheel.packages]
"hornbook/kb" = "kb"
"hornbook/planner" = "planner"
"hornbook/theories" = "theories"
"hornbook" = "app/hornbook"

[project.entry-points."hornbook.theories"]
go = "hornbook.theories.go"
moves = "hornbook.theories.go"
board = "hornbook.theories.boards"
chess = "hornbook.theories.chess"
"""
LAZY = """
from hornbook.kb.lemmas import register
if TYPE_CHECKING:
    from hornbook.kb.base import KnowledgeBase as KnowledgeBase
    from hornbook.kb.store import Store as Store
_NAMES = {"hornbook.kb.base": "KnowledgeBase", "hornbook.kb.store": "Store"}
def __getattr__(name):
    return getattr(import_module(_HOMES[name]), name)
"""
FILES = {
    "pyproject.toml": SETTINGS,
    "README.md": "",
    "app/hornbook/__init__.py": LAZY,
    "app/hornbook/__main__.py": "from hornbook.cli import main",
    "app/hornbook/cli.py": 'module = import_module(f"hornbook.commands.{command.module}")',
    "app/hornbook/commands/__init__.py": "",
    "app/hornbook/commands/check.py": "def check():\n    from hornbook.kb import base",
    "app/hornbook/commands/skeleton/adapter.py": "",
    "kb/__init__.py": "",
    "kb/base.py": "from .terms import Term",
    "kb/terms.py": "",
    "kb/lemmas.py": "",
    "kb/store.py": "",
    "planner/__init__.py": "",
    "planner/search.py": "from hornbook.planner import _core",
    "planner/core/search/queue.cpp": "",
    "matcher/core/network/join.cpp": "",
    "theories/__init__.py": "",
    "theories/boards/board.horn": "theory board.",
    "theories/go/go.horn": "theory go.\nimport board.",
    "theories/go/__init__.py": "",
    "theories/go/adapter.py": "",
    "theories/chess/chess.horn": "theory chess.",
    "theories/chess/examples/one.fen": "",
    "docs/page.md": "",
    "oracles/__init__.py": "",
    "oracles/twin.py": "import hornbook.kb.terms",
    "benchmarks/study.py": "",
    "tests/conftest.py": "",
    "tests/app/conftest.py": "from hornbook import cli",
    "tests/app/test_commands.py": "",
    "tests/docs/test_process.py": 'subprocess.run([sys.executable, "-m", "hornbook", "check"])',
    "tests/app/new/test_new.py": '"skeleton"',
    "tests/docs/test_pages.py": 'PAGES = ROOT / "docs"',
    "tests/kb/test_base.py": "from hornbook.kb.base import KnowledgeBase",
    "tests/kb/test_lazy.py": "import hornbook\nhornbook.KnowledgeBase",
    "tests/kb/test_stores.py": "from hornbook import Store",
    "tests/kb/test_whole.py": "import hornbook\ngetattr(hornbook, name)",
    "tests/kb/test_twin.py": "def test():\n    from oracles import twin",
    "tests/kb/test_nothing.py": "assert True",
    "tests/kb/test_dynamic.py": 'import_module("hornbook.kb.store")',
    "tests/kb/refused/test_golden.py": "GOLDEN = Path(__file__).parent",
    "tests/kb/refused/golden/one.horn": "import chess.",
    "tests/kb/test_other_golden.py": 'open("refused/golden/one.horn")',
    "tests/planner/test_search.py": "from hornbook.planner.search import plan",
    "tests/test_all.py": 'ROOT.rglob("*.py")',
    "tests/theories/test_go.py": 'load("go")',
    "tests/theories/test_moves.py": "run('query moves legal')",
    "tests/theories/test_board.py": 'load("board")',
    "tests/theories/test_chess.py": 'load("theory mine. import chess.")',
    "tests/theories/test_every.py": 'Path("theories")',
    "tests/benchmarks/test_study.py": "from benchmarks import study",
    "tests/app/test_bench.py": 'run("theory", "bench")',
}
COMMANDS = {"app/test_bench", "app/test_commands", "docs/test_process", "app/new/test_new"}
EVERY_THEORY = {"docs/test_pages", "theories/test_every"}
TESTS = {name for name in FILES if "/test_" in name}


@pytest.fixture
def script(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return runpy.run_path(str(SCRIPT))


def _tests(names):
    return {name.removeprefix("tests/").removesuffix(".py") for name in names if name in TESTS}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("kb/terms.py", {"kb/test_base", "kb/test_lazy", "kb/test_whole", "kb/test_twin", *COMMANDS}),
        ("kb/base.py", {"kb/test_base", "kb/test_lazy", "kb/test_whole", *COMMANDS}),
        ("kb/store.py", {"kb/test_stores", "kb/test_whole", "kb/test_dynamic"}),
        ("app/hornbook/commands/check.py", COMMANDS),
        ("app/hornbook/commands/removed.py", COMMANDS),
        ("app/hornbook/commands/skeleton/adapter.py", COMMANDS),
        ("oracles/twin.py", {"kb/test_twin"}),
        ("benchmarks/study.py", {"app/test_bench", "benchmarks/test_study"}),
        ("planner/core/search/queue.cpp", {"planner/test_search"}),
        ("tests/app/conftest.py", COMMANDS - {"docs/test_process"}),
        ("tests/kb/test_nothing.py", {"kb/test_nothing"}),
        ("tests/kb/refused/golden/one.horn", {"kb/refused/test_golden", "kb/test_other_golden"}),
        ("tests/kb/refused/golden/removed.horn", {"kb/refused/test_golden", "kb/test_other_golden"}),
        ("docs/page.md", {"docs/test_pages"}),
        ("theories/go/go.horn", {"theories/test_go", "theories/test_moves", *EVERY_THEORY}),
        ("theories/go/adapter.py", {"theories/test_go", "theories/test_moves", *EVERY_THEORY}),
        ("theories/go/reading/code.cpp", {"theories/test_go", "theories/test_moves", *EVERY_THEORY}),
        ("theories/chess/examples/one.fen", {"theories/test_chess", "kb/refused/test_golden", *EVERY_THEORY}),
        (
            "theories/boards/board.horn",
            {"theories/test_board", "theories/test_go", "theories/test_moves", *EVERY_THEORY},
        ),
    ],
)
def test_a_change_affects_the_tests_that_use_it(script, tmp_path, changed, expected):
    found = script["Project"](tmp_path, FILES).affected({changed})
    assert _tests(found) == {*expected, "test_all"}


@pytest.mark.parametrize("changed", ["kb/__init__.py", "kb/lemmas.py"])
def test_what_an_import_of_a_package_runs_affects_its_users(script, tmp_path, changed):
    found = _tests(script["Project"](tmp_path, FILES).affected({changed}))
    assert {"kb/test_base", "kb/test_lazy", "kb/test_stores", "kb/test_twin", *COMMANDS} <= found
    assert "kb/test_nothing" not in found


@pytest.mark.parametrize(
    "changed",
    ["pyproject.toml", "CMakeLists.txt", ".ci/run", "matcher/core/network/join.cpp", "play/core/search.hpp"],
)
def test_a_change_to_the_build_affects_everything(script, tmp_path, changed):
    assert script["Project"](tmp_path, FILES).affected({changed}) == FILES.keys()


def test_without_a_change_nothing_is_affected(script, tmp_path):
    assert script["Project"](tmp_path, FILES).affected(set()) == set()


def test_changes_are_those_since_the_base_in_git(script, tmp_path, capsys):
    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    git("mv", "kb/store.py", "kb/stored.py")
    git("commit", "-m", "second")
    (tmp_path / "docs/page.md").write_text("not committed")
    assert script["changes"](tmp_path, "HEAD") == {"docs/page.md"}
    assert script["changes"](tmp_path, "HEAD^") == {"docs/page.md", "kb/store.py", "kb/stored.py"}
    script["main"](tmp_path, "HEAD^")
    assert "kb/test_stores" in _tests(capsys.readouterr().out.split())
    for unknown in ("", "0" * 40, "--all", "no such branch"):
        assert script["changes"](tmp_path, unknown) is None
        script["main"](tmp_path, unknown)
        assert len(capsys.readouterr().out.split()) == len(FILES)


def test_without_git_everything_is_affected(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    script["main"](tmp_path, "HEAD")
    assert set(capsys.readouterr().out.split()) == FILES.keys()
