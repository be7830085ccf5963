"""Tests of loading a theory with its imports: each file is read once, and mistakes name their own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.load.loader import load, load_text
from hornbook.kb.sources import locate
from hornbook.kb.sources.diagnostics import TheoryError

BASE = "theory base.\nsort thing.\nstatic p(thing).\np(a).\n"


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.horn").write_text(text)


def test_imports_are_read_once_and_come_first(tmp_path):
    write(
        tmp_path,
        base=BASE,
        left="import base.\nstatic l(thing).\nleft: l(?x) :- p(?x).",
        right="import base.\nstatic r(thing).\nright: r(?x) :- p(?x).",
        top="import left.\nimport right.\nstatic t(thing).\ntop: t(?x) :- l(?x), r(?x).",
    )
    theory = load(tmp_path / "top.horn")
    assert theory.name == "top"
    assert [rule.name for rule in theory.rules] == ["left", "right", "top"]
    assert len(theory.facts) == 1
    assert set(theory.vocabulary.predicates) == {"p", "l", "r", "t"}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("top", "import left.\nstatic t(thing).\nedited: t(?x) :- l(?x).", ["left", "edited"]),
        ("left", "import base.\nstatic l(thing).\nother: l(?x) :- p(?x).", ["other", "top"]),
        ("base", f"{BASE}static q(thing).\nq: p(?x) :- q(?x).", ["q", "left", "top"]),
        ("base", BASE + "q(a).", "HB010"),
        ("base", "import top.", "HB016"),
        ("base", None, "HB016"),
    ],
)
def test_what_was_read_before_is_read_again_where_it_or_an_import_has_changed(tmp_path, name, text, expected):
    texts = {
        "base": BASE,
        "left": "import base.\nstatic l(thing).\nleft: l(?x) :- p(?x).",
        "top": "import left.\nimport base.\nstatic t(thing).\ntop: t(?x) :- l(?x), p(?x).",
    }
    write(tmp_path, **texts)
    before = load(tmp_path / "top.horn")
    again = load(tmp_path / "top.horn")
    assert again == before
    assert all(one is other for one, other in zip(again.rules, before.rules, strict=True))
    if text is None:
        (tmp_path / f"{name}.horn").unlink()
    else:
        write(tmp_path, **{name: text})
    if isinstance(expected, str):
        with pytest.raises(TheoryError, match=expected):
            load(tmp_path / "top.horn")
    else:
        assert [rule.name for rule in load(tmp_path / "top.horn").rules] == expected
    write(tmp_path, **texts)
    assert load(tmp_path / "top.horn") == before


@pytest.mark.parametrize(
    ("second", "differs"), [("q(thing, thing)", True), ("q(-> thing)", True), ("q(thing)", False)]
)
def test_two_imports_declare_a_predicate_alike(tmp_path, second, differs):
    write(
        tmp_path,
        one="theory one.\nsort thing.\nstatic q(thing).",
        two=f"theory two.\nsort thing.\nstatic {second}.",
        top="import one.\nimport two.\nstatic p(thing).\np(?x) :- p(?x).",
    )
    if differs:
        with pytest.raises(TheoryError, match=r"(?s)HB015.*`q` in two ways.*two\.horn:3:8"):
            load(tmp_path / "top.horn")
    else:
        assert load(tmp_path / "top.horn").vocabulary.predicates["q"].arity == 1


def test_a_file_that_is_reached_by_two_paths_is_read_once(tmp_path, monkeypatch):
    """A checkout has such theories: a link leads to the registered ones."""
    there = tmp_path / "there"
    there.mkdir()
    write(
        there,
        base="theory base. sort s. static p(s). derived q(s). r: q(?x) :- p(?x).",
        one="theory one. import base. derived t(s). u: t(?x) :- q(?x).",
        top="theory top. import base. import far. derived v(s). w: v(?x) :- t(?x).",
    )
    (tmp_path / "link").symlink_to(there)
    monkeypatch.setattr(locate, "_registered", lambda *_: tmp_path / "link" / "one.horn")
    theory = load(there / "top.horn")
    assert [rule.name for rule in theory.rules] == ["r", "u", "w"]


def test_a_name_of_an_import_of_another_is_not_seen(tmp_path):
    """A file must import every name that it uses, whichever file loads it."""
    write(
        tmp_path, base=BASE, left="static l(thing).\nleft: l(?x) :- p(?x).", top="import base.\nimport left."
    )
    with pytest.raises(TheoryError, match=r"HB012[\s\S]*thing"):
        load(tmp_path / "top.horn")


def test_theories_that_import_each_other_are_named(tmp_path):
    write(tmp_path, one="import two.", two="import three.", three="import one.")
    with pytest.raises(TheoryError, match=r"HB016[\s\S]*one → two → three → one"):
        load(tmp_path / "one.horn")


def test_mistakes_of_an_import_are_shown_in_its_own_file(tmp_path):
    write(tmp_path, base=BASE + "q(a).", top="import base.\nstatic t(thing).")
    with pytest.raises(TheoryError) as caught:
        load(tmp_path / "top.horn")
    codes = {(d.code, Path(d.span.file).name) for d in caught.value.diagnostics}
    assert codes == {("HB010", "base.horn"), ("HB016", "top.horn")}
    assert "the imported theory `base` has 1 error" in str(caught.value)


def test_an_import_that_is_not_there_hides_no_syntax_error(tmp_path):
    write(tmp_path, top="import nowhere.\nsort thing\nstatic p(thing).")
    with pytest.raises(TheoryError) as caught:
        load(tmp_path / "top.horn")
    assert [d.code for d in caught.value.diagnostics] == ["HB016", "HB002"]


def test_a_file_without_a_theory_clause_takes_its_name(tmp_path):
    write(tmp_path, rules="import family.\n")
    assert load(tmp_path / "rules.horn").name == "rules"


def test_a_text_is_a_theory_too():
    theory = load_text("import family.\nstatic childless(person).")
    assert "ancestor" in theory.vocabulary.predicates
    assert theory.path is None
