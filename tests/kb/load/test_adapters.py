"""Tests of adapters and domains with a missing or wrong member.

The message names the file and the member.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from hornbook.inputs.domains import domain_of
from hornbook.kb.load.adapters import Adapter, AdapterError, has_code, reader_of
from hornbook.kb.load.loader import load
from hornbook.kb.sources.diagnostics import TheoryError

THEORY = """theory shop.
sort thing.
static open(thing).
example monday from "monday.txt".
expect monday: open(door).
"""
READ = "def read(text, name):\n    return text\n"
FACTS = "from hornbook.kb.ast.theory import GroundFact\ndef facts(state):\n    yield GroundFact('open', ('door',))\n"


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Return a function that creates a theory with this code in its folder and loads it."""

    def make(**modules):
        monkeypatch.chdir(tmp_path)
        folder = tmp_path / "shop"
        folder.mkdir()
        (folder / "shop.horn").write_text(THEORY)
        (folder / "monday.txt").write_text("open")
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text)
        return load("shop")

    return make


WRONG = {
    "nothing": ("", "the adapter has no function `read`; write `def read(text: str, name: str)`"),
    "no facts": (READ, "the adapter has no function `facts`"),
    "read is no function": (f"read = 5\n{FACTS}", "the adapter's `read` is to be a function such as"),
    "read takes too little": (f"def read(text): return text\n{FACTS}", "the adapter's `read` is to be"),
    "facts takes too much": (f"{READ}def facts(state, more): return []\n", "the adapter's `facts` is to be"),
    "facts gives nothing": (f"{READ}def facts(state): pass\n", "gives nothing where a GroundFact should be"),
    "facts gives tuples": (f"{READ}def facts(state): return [('open', 'door')]\n", "a value of type `tuple`"),
    "step takes too little": (f"{READ}{FACTS}def step(state): pass\n", "the adapter's `step` is to be"),
}


@pytest.mark.parametrize(("adapter", "messages"), WRONG.values(), ids=WRONG)
def test_an_adapter_that_cannot_read_states_says_why(shop, adapter, messages):
    theory = shop(adapter=adapter)
    with pytest.raises(AdapterError) as found:
        list(reader_of(theory).facts("state"))
    assert str(found.value).startswith(str(theory.path.with_name("adapter.py")))
    assert messages in str(found.value)


@pytest.mark.parametrize(("adapter", "messages"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize(
    "command",
    [
        "test shop",
        "query shop open(?x) --state shop/monday.txt",
        "query shop open(?x) --states states.csv --into out.csv",
        "learn shop --into out.horn",
        "advise shop --state shop/monday.txt",
        "repl shop --state shop/monday.txt",
        "what-if shop open(door) --state shop/monday.txt",
    ],
)
def test_no_command_fails_by_itself(shop, capsys, tmp_path, command, adapter, messages):
    from hornbook.cli import main

    shop(adapter=adapter)
    (tmp_path / "states.csv").write_text("state\nopen\n")
    code = main(command.split())
    found = capsys.readouterr()
    assert code in (1, 2)
    assert "internal error" not in found.err + found.out
    assert "Traceback" not in found.err
    if not command.startswith(("advise", "learn")):
        assert messages in found.err + found.out


def test_an_adapter_may_have_more(shop):
    theory = shop(adapter=f"{READ}{FACTS}extra = 5\ndef row(state, fact):\n    return 3\n")
    reader = reader_of(theory)
    assert [fact.values for fact in reader.facts(reader.read("open", "name"))] == [("door",)]
    assert (reader.extra, reader.row(None, None), getattr(reader, "step", None)) == (5, 3, None)


@pytest.mark.parametrize(
    "domain", ["", "DOMAIN = 5\n", "from hornbook.theories.domain import Domain\nDOMAIN = Domain\n"]
)
def test_a_file_without_a_domain_is_named(shop, domain):
    theory = shop(domain=domain)
    with pytest.raises(
        AdapterError, match=r"domain\.py: `DOMAIN` must be a `hornbook.theories.domain.Domain`"
    ):
        domain_of(theory)


def test_code_is_looked_for_without_being_run(shop, monkeypatch):
    theory = shop(adapter="raise ValueError\n")
    assert has_code(theory, "adapter")
    assert not has_code(theory, "domain")
    monkeypatch.setenv("HORNBOOK_NO_ADAPTERS", "1")
    assert not has_code(theory, "adapter")


def test_a_native_step_without_what_searches_need_is_named(shop, capsys):
    from hornbook.cli import main

    shop(
        adapter=READ + FACTS,
        domain="from hornbook.theories.domain import Domain\nclass Shop(Domain):\n    pass\nDOMAIN = Shop()\n",
        _native="",
    )
    assert main(["play", "shop"]) in (1, 2)
    assert "_native.py: the native step has no `PLAYERS`" in capsys.readouterr().err


def test_an_adapter_that_exits_is_an_error_and_not_a_success():
    module = ModuleType("exiting")
    module.read = lambda *_: sys.exit(0)
    module.facts = lambda *_: sys.exit(0)
    with pytest.raises(AdapterError, match="`read` ends the program"):
        Adapter(module).read("", "")
    with pytest.raises(AdapterError, match="`facts` ends the program"):
        list(Adapter(module).facts(None))


@pytest.mark.parametrize("module", ["adapter", "domain"])
def test_a_module_that_exits_when_it_is_imported_is_an_error(tmp_path, module):
    (tmp_path / "own.horn").write_text("theory own.\nsort place.\nfluent at(place).\n", encoding="utf-8")
    (tmp_path / f"{module}.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    theory = load(tmp_path / "own.horn")
    with pytest.raises(TheoryError, match=f"the {module} cannot be imported: SystemExit"):
        (reader_of if module == "adapter" else domain_of)(theory)
