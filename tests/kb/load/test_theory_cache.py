"""Tests of cached theories: one is used exactly if nothing changed, and is the same in every field."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.theory import Theory
from hornbook.kb.load import stored_form, theory_cache
from hornbook.kb.load.loader import load
from hornbook.kb.sources import cache
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.locate import known_theories

SHIPPED = known_theories()
BOARD = "sort point.\nstatic neighbour(point, point).\nfluent stone(point).\n"
OWN = "import terrain.\nderived near(point).\nnear(?p) :- neighbour(?p, ?q), stone(?q).\nneighbour(a, b).\n"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(theory_cache, "_memory", {})
    Path("terrain.horn").write_text(BOARD, encoding="utf-8")
    Path("own.horn").write_text(OWN, encoding="utf-8")
    return folder


def recalled(file: str = "own.horn", *, from_memory: bool = False) -> Theory | None:
    """Return the cached theory of a file, read from the disk unless told otherwise."""
    if not from_memory:
        theory_cache._memory.clear()
    found = theory_cache.recalled_theory(Path(file).resolve())
    return None if found is None else found[0]


def whole(value: object) -> object:
    """Return a value with every field, also those that comparisons ignore, and its types."""
    if is_dataclass(value):
        return type(value), [(field.name, whole(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, tuple | list):
        return type(value), [whole(part) for part in value]
    if isinstance(value, dict):
        return [(key, whole(part)) for key, part in value.items()]
    return type(value), value


@pytest.mark.parametrize("name", SHIPPED)
def test_a_theory_that_ships_is_the_same_from_the_cache(name):
    first = load(name)
    assert recalled(str(SHIPPED[name])) is not None
    assert whole(load(name)) == whole(first)


def test_a_theory_is_stored_when_it_is_loaded():
    assert recalled() is None
    first = load("own.horn")
    again = recalled()
    assert again is not None
    assert whole(again) == whole(first)
    assert again.sources == {"own.horn": OWN, "terrain.horn": BOARD}


CHANGES = {
    "the file": lambda: Path("own.horn").write_text(OWN.replace("(a, b)", "(a, c)"), encoding="utf-8"),
    "the import": lambda: Path("terrain.horn").write_text(f"{BOARD}stone(a).\n".replace("fluent", "static"), encoding="utf-8"),
    "a mistake": lambda: Path("own.horn").write_text(f"{OWN}near(?p, ?q).\n", encoding="utf-8"),
    "a mistake in the import": lambda: Path("terrain.horn").write_text("static", encoding="utf-8"),
    "no import": lambda: Path("terrain.horn").unlink(),
    "no file": lambda: Path("own.horn").unlink(),
    "bytes": lambda: Path("own.horn").write_bytes(b"\xff"),
    "another target": lambda: (Path("terrain.horn").unlink(), Path("parts").mkdir(), Path("parts/terrain.horn").write_text(BOARD, encoding="utf-8")),
}  # fmt: skip


@pytest.mark.parametrize("from_memory", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_after_a_change_the_theory_is_read_again(change, from_memory):
    load("own.horn")
    assert recalled(from_memory=from_memory) is not None
    CHANGES[change]()
    assert recalled(from_memory=from_memory) is None
    try:
        found = load("own.horn")
    except TheoryError:
        assert change not in ("the file", "the import", "another target")
    else:
        assert whole(load("own.horn")) == whole(found)
        assert found.sources["own.horn"] == Path("own.horn").read_text(encoding="utf-8")


def test_a_nearer_target_of_an_import_is_noticed(in_a_folder):
    Path("own.horn").write_text("import family.\n", encoding="utf-8")
    assert len(load("own.horn").rules) > 1
    assert recalled() is not None
    Path("family.horn").write_text("static parent(int).\n", encoding="utf-8")
    assert recalled() is None
    assert load("own.horn").rules == ()


def test_another_program_reads_the_theory_again(monkeypatch):
    load("own.horn")
    monkeypatch.setattr(cache, "program", lambda *_: "another")
    assert recalled() is None


def test_another_name_in_messages_is_another_entry(in_a_folder, monkeypatch):
    load("own.horn")
    monkeypatch.chdir(in_a_folder.parent)
    assert recalled("work/own.horn") is None
    assert load("work/own.horn").rules[0].span.file == str(Path("work/own.horn"))


def test_a_theory_with_mistakes_is_not_stored():
    Path("own.horn").write_text("p(a).\n", encoding="utf-8")
    with pytest.raises(TheoryError):
        load("own.horn")
    assert recalled() is None


@pytest.mark.parametrize("seed", range(200))
def test_an_entry_of_another_form_is_ignored_or_a_theory(seed, monkeypatch):
    """The digest of an entry prevents this; even without it, nothing is executed, and nothing else raised."""
    load("own.horn")
    random = Random(seed)
    entry = json.loads(json.dumps(cache.recall(theory_cache._key(Path("own.horn").resolve()))))
    place: object = entry
    while True:
        assert isinstance(place, dict | list)
        key = random.choice([*place]) if isinstance(place, dict) else random.randrange(len(place))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.2:
            place[key] = random.choice([None, 7, -1, 10**6, "x", [], [99], [0, [2, 77]], {}])
            break
        place = inner
    monkeypatch.setattr(cache, "recall", lambda _: entry)
    assert isinstance(recalled(), Theory | None)


def test_a_value_that_no_theory_has_is_not_stored():
    with pytest.raises(TypeError, match="no value of type float"):
        stored_form.stored((1.5,), {})
    with pytest.raises(TypeError, match="no value of type object"):
        stored_form.stored(object(), {})


def test_every_class_is_stored_with_all_of_its_fields():
    """A new class of clauses or terms must be added to the form."""
    from hornbook.kb.ast import declarations, terms
    from hornbook.kb.text.literals.forms import Form

    known = {
        each
        for module in (declarations, terms)
        for each in vars(module).values()
        if isinstance(each, type) and is_dataclass(each) and each.__module__ == module.__name__
    }
    apart = {
        declarations.TheoryName,
        declarations.Import,
        declarations.Renaming,
        declarations.ExceptionRule,
        declarations.ExceptedLabel,
    }
    assert (known - apart) | {Form} == set(stored_form._CLASSES)


LEMMA = """sort person.
static parent(person, person).
static ancestor(person, person).
a_parent: ancestor(?a, ?b) :- parent(?a, ?b).
so_are_theirs: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
lemma of_two: ancestor(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
"""


def test_which_lemmas_are_proved_is_decided_each_time():
    Path("own.horn").write_text(LEMMA, encoding="utf-8")

    def judge_all(theory):
        return {rule.name: rule for rule in theory.lemmas}

    first = load("own.horn", judge=judge_all)
    assert [rule.name for rule in first.rules] == ["a_parent", "so_are_theirs", "of_two"]
    theory_cache._memory.clear()
    assert whole(load("own.horn", judge=judge_all)) == whole(first)
    none = load("own.horn", judge=lambda _: {})
    assert [rule.name for rule in none.rules] == ["a_parent", "so_are_theirs"]
    assert [rule.name for rule in none.lemmas] == ["of_two"]
    Path("own.proofs.jsonl").write_text("a proof\n", encoding="utf-8")
    assert load("own.horn", judge=judge_all).proofs == ("a proof\n",)
