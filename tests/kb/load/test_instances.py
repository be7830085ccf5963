"""Tests of instances: a theory that is imported several times under different names."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store.closure import load_and_read, load_stored

CLOSURE = """theory closure.
sort node.
static edge(node, node).
static path(node, node).
step: path(?a, ?b) :- edge(?a, ?b).
further: path(?a, ?c) :- edge(?a, ?b), path(?b, ?c).
example one: edge(a, b).
expect one: path(a, b).
"""
_PAGE = (Path(__file__).parents[3] / "docs/reference/language.md").read_text(encoding="utf-8")
TOWNS = _PAGE.partition("#### Instances")[2].partition("```text\n")[2].partition("```")[0]
"""The example of the reference."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "closure.horn").write_text(CLOSURE)
    return tmp_path


def theory_of(folder: Path, text: str) -> Path:
    (folder / "top.horn").write_text(text)
    return folder / "top.horn"


def mistakes(folder: Path, text: str) -> str:
    with pytest.raises(TheoryError) as caught:
        load(theory_of(folder, text))
    assert {Path(d.span.file).name for d in caught.value.diagnostics} == {"top.horn"}
    return str(caught.value)


def test_a_theory_is_imported_twice_under_other_names(folder):
    base = KnowledgeBase(theory_of(folder, TOWNS))
    assert set(base.theory.vocabulary.predicates) == {"road", "rail", "roads_path", "by_train", "both"}
    assert set(base.theory.vocabulary.sorts) - {"int", "value"} == {"town"}
    rows = list(base.query("roads_path(?a, ?b)"))
    assert sorted(rows) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(list(base.query("by_train(?a, ?b)"))) == 3
    assert list(base.query("both(a, ?b)")) == [("c",)]


def test_a_proof_names_the_rule_of_the_instance_and_its_place(folder):
    base = KnowledgeBase(theory_of(folder, TOWNS))
    proof = str(base.why("both(a, c)"))
    assert "roads_further" in proof
    assert "rails_step" in proof
    assert "closure.horn:6" in proof


def test_examples_of_what_is_imported_stay_there(folder):
    theory = load(theory_of(folder, TOWNS))
    assert theory.examples == ()
    assert theory.name == "towns"


def test_without_a_name_for_the_instance_the_other_names_stay(folder):
    text = "import closure with edge = road.\nroad(a, b).\nexample e.\nexpect e: path(a, b)."
    theory = load(theory_of(folder, text))
    assert {"road", "path"} == set(theory.vocabulary.predicates)
    assert [rule.name for rule in theory.rules] == ["step", "further"]


def test_an_instance_of_an_instance(folder):
    (folder / "middle.horn").write_text("theory middle.\nimport closure as inner with node = place.\n")
    text = "import middle as outer with place = town, inner_edge = road.\nroad(x, y).\n"
    base = KnowledgeBase(theory_of(folder, text))
    assert list(base.query("outer_inner_path(x, ?b)")) == [("y",)]


def test_what_is_imported_twice_is_imported_as_it_is_too(folder):
    text = (
        "import closure.\nimport closure as other with edge = path, node = node.\nedge(a, b). edge(b, c).\n"
    )
    base = KnowledgeBase(theory_of(folder, text))
    assert len(list(base.query("other_path(?a, ?b)"))) == 3


def test_a_name_that_the_theory_does_not_declare(folder):
    output = mistakes(folder, "import closure as roads with egde = road.")
    assert "HB016" in output
    assert "the theory `closure` declares no `egde`" in output
    assert "`edge`" in output


def test_a_misspelt_name_is_all_that_is_reported_of_its_import(folder):
    text = "import closure with nod = host, edge = link.\nsort host.\nstatic link(host, host).\n"
    output = mistakes(folder, text)
    assert "declares no `nod`" in output
    assert output.count("HB016") == 1


def test_a_misspelt_name_makes_no_mistake_of_the_next_import(folder):
    text = "import closure as a with nod = host, edge = link.\nimport closure as b with node = host, path = link.\n"
    assert mistakes(folder, text).count("HB016") == 1


@pytest.mark.parametrize("of_the_second", ["town", "host"])
def test_two_instances_have_two_names(folder, of_the_second):
    text = "sort host.\nsort town.\nimport closure as nt with node = host, edge = link.\n"
    output = mistakes(folder, f"{text}import closure as nt with node = {of_the_second}, edge = rail.\n")
    assert "two instances are called `nt`" in output
    assert output.count("HB016") == 1


def test_a_name_that_is_given_twice(folder):
    assert "`edge` is renamed twice" in mistakes(folder, "import closure with edge = road, edge = rail.")


@pytest.mark.parametrize(
    "declaration",
    ["static road(town, town, town).", "fluent road(town, town).", "static road(town -> town)."],
)
def test_a_declaration_that_is_another_here(folder, declaration):
    text = f"import closure as roads with node = town, edge = road.\nsort town.\n{declaration}\n"
    output = mistakes(folder, text)
    assert "`edge` of `closure` is not what `road` is here" in output
    assert "there: `static road(town, town)`" in output


def test_a_promise_that_is_not_made_here(folder):
    (folder / "complete.horn").write_text("theory complete.\nsort node.\nstatic edge(node, node) complete.\n")
    text = "import complete with node = town, edge = road.\nsort town.\nstatic road(town, town).\n"
    output = mistakes(folder, text)
    assert "there: `static road(town, town) complete`; here: `static road(town, town)`" in output


def test_what_does_not_fit_under_the_new_names_is_a_mistake_of_the_import(folder):
    """The theory alone has no mistake. Its words do not belong to the sort that replaces its own sort."""
    (folder / "named.horn").write_text(
        "theory named.\nsort node.\nstatic first(node).\nis_a: first(a) :- first(b).\n"
    )
    output = mistakes(folder, "import named as n with node = town.\nsort town = x | y.\n")
    assert "`named` does not fit under these names" in output


def test_a_store_keeps_a_theory_with_its_instances(folder):
    theory, stored = load_and_read(theory_of(folder, TOWNS))
    (folder / "closure.horn").unlink()
    again = load_stored(stored)
    assert again.rules == theory.rules
    assert set(again.vocabulary.predicates) == set(theory.vocabulary.predicates)


def test_a_theory_that_takes_an_instance_is_imported_by_another(folder):
    (folder / "towns.horn").write_text(TOWNS)
    text = "import towns.\nstatic lonely(town).\nalone: lonely(?t) :- both(?t, ?t).\n"
    assert "roads_path" in load(theory_of(folder, text)).vocabulary.predicates


def test_a_theory_that_takes_an_instance_of_itself(folder):
    (folder / "selfish.horn").write_text("import selfish as s.\n")
    with pytest.raises(TheoryError, match="HB016"):
        load(folder / "selfish.horn")
