"""Code in a theory's folder: only files listed in `trust.md` run.

Modules that shadow Python's, and cached or hidden code, do not.
"""

from __future__ import annotations

import py_compile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

THEORY = "theory cups. sort thing. fluent light(thing). derived cup(thing). cups: cup(?x) :- light(?x).\n"
NOTE = "from pathlib import Path\nPath(__file__).parent.joinpath('noted').touch()\n"
ADAPTER = (
    "from hornbook import GroundFact\n"
    "def read(text, name):\n    return text.split()\n"
    "def facts(state):\n    yield from (GroundFact('light', (each,)) for each in state)\n"
)
ASK = ("query", "cups.horn", "cup(?x)", "--state", "state.txt")


@pytest.fixture
def cups(folder) -> Path:
    Path("cups.horn").write_text(THEORY)
    Path("state.txt").write_text("a b")
    Path("adapter.py").write_text(ADAPTER)
    return folder


@pytest.mark.deep
@pytest.mark.parametrize("more", [(), ("--no-adapters",)])
def test_new_processes_import_nothing_from_the_working_folder(cups, run, more):
    for name in ("multiprocessing.py", "signal.py", "pickle.py", "hornbook.py"):
        Path(name).write_text(NOTE)
    code, _, err = run("learn", "cup", "--into", "rules.horn", "--workers", "2", *more)
    assert code == 0, err
    assert not Path("noted").exists()


@pytest.mark.parametrize(
    "hidden",
    ["adapter/__init__.py", "adapter/__init__.pyc", *(f"adapter{end}" for end in EXTENSION_SUFFIXES)],
)
def test_an_adapter_that_another_file_hides_is_refused(cups, run, hidden):
    Path(hidden).parent.mkdir(exist_ok=True)
    Path(hidden).write_text(NOTE)
    code, _, err = run(*ASK)
    assert code != 0
    assert f"Python would import `{hidden}` instead of `adapter.py`" in err
    assert not Path("noted").exists()


def test_cached_code_of_an_adapter_does_not_run(cups, run):
    Path("other.py").write_text(NOTE)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for name in ("adapter", "neighbour"):
        cached = Path("__pycache__") / Path(py_compile.compile("other.py", invalidation_mode=unchecked)).name
        cached.rename(cached.with_name(cached.name.replace("other", name)))
    Path("neighbour.py").write_text("")
    Path("adapter.py").write_text(f"from . import neighbour\n{ADAPTER}")
    code, out, err = run(*ASK)
    assert (code, err) == (0, "")
    assert out.split() == ["?x", "a", "b"]
    assert not Path("noted").exists()
