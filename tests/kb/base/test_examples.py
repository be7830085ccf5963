"""Tests of the expectations in a theory: which of them pass, which fail, and the message of a failure."""

from __future__ import annotations

import pytest

from hornbook.kb.base.examples import example_facts, run_examples
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.tables import TableError

LAMP = """
theory lamp.
sort place.
sort light = on | off.
fluent light(place -> light).
action press(place).
derived dark(place).
dark_where_off: dark(?p) :- light(?p, off).
pressing_lights: after light(?p, on) :- press(?p), before light(?p, off).
static covered(place).
dark_though_on: dark(?p) :- light(?p, on), covered(?p).
example hall: light(hall, off), light(attic, on), press(hall).
"""


def outcomes(*expects: str) -> list[tuple[bool, str]]:
    report = run_examples(load_text(LAMP + "\n".join(f"expect hall: {e}." for e in expects)))
    return [(o.met, o.why) for o in report.outcomes]


def test_expectations_that_are_met():
    assert (
        outcomes(
            "dark(hall)",
            "after light(hall, on)",
            "absent dark(attic)",
            "before light(?p, ?l) gives (attic, on), (hall, off)",
            "dark(?p), ?p != attic gives hall",
        )
        == [(True, "")] * 5
    )


def test_what_was_derived_instead_is_reported():
    assert outcomes(
        "before light(hall, on)",
        "dark(?p) gives hall, attic, cellar",
        "before light(?p, _) gives hall",
        "after dark(hall)",
        "dark(hall), after light(attic, on)",
    ) == [
        (False, "`before light(hall, on)` is not derived; derived instead: `before light(hall, off)`"),
        (False, "not derived: attic, cellar"),
        (False, "derived though not expected: attic"),
        (False, "`after dark(hall)` is not derived; no fact of this relation is derived"),
        (False, "`after light(attic, on)` is not derived; derived instead: `after light(hall, on)`"),
    ]


def test_conditions_that_hold_only_one_by_one():
    assert outcomes("light(?p, off), light(?p, on)") == [
        (False, "the conditions hold one by one, not together")
    ]


def test_coverage_counts_the_facts_that_each_rule_gave():
    report = run_examples(load_text(LAMP + "expect hall: dark(hall)."))
    assert {rule.name: count for rule, count in report.fired} == {
        "dark_where_off": 1,
        "pressing_lights": 1,
        "dark_though_on": 0,
    }


def test_an_example_that_contradicts_its_theory_is_named():
    stays = "pressing_fails: after light(?p, off) :- press(?p), before light(?p, off).\n"
    with pytest.raises(KnowledgeBaseError, match=r":\d+:\d+: example `hall`: two values for one key"):
        run_examples(load_text(LAMP + stays + "expect hall: dark(hall)."))


def test_an_example_reads_no_file_outside_of_its_folder(tmp_path):
    folder = tmp_path / "lamp"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("x")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "lamp.horn").write_text(LAMP + 'example out from "link.txt".\nexpect out: dark(hall).')
    with pytest.raises(KnowledgeBaseError, match="outside of the theory's folder"):
        run_examples(load(folder))


def test_an_example_from_links_in_a_circle_is_refused(tmp_path):
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    (tmp_path / "lamp.horn").write_text(LAMP + 'example out from "loop.txt".\nexpect out: dark(hall).')
    (tmp_path / "adapter.py").write_text("def read(text, name): return text\ndef facts(state): return []\n")
    with pytest.raises(TheoryError, match="symbolic links"):
        run_examples(load(tmp_path / "lamp.horn"))


def test_an_example_from_a_file_needs_an_adapter(tmp_path):
    (tmp_path / "lamp.horn").write_text(LAMP + 'example file from "a.txt".\nexpect file: dark(hall).')
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(KnowledgeBaseError, match=r"needs an adapter\.py"):
        run_examples(load(tmp_path / "lamp.horn"))


ROADS = """theory roads.
sort town.
static road(town, town).
static big(town).
derived near(town, town).
near_by_road: near(?x, ?y) :- road(?x, ?y).
example whole from "given": big(z).
expect whole: near(?x, ?y) gives (a, b), (b, c).
expect whole: big(?x) gives a, z.
"""


@pytest.fixture
def roads(tmp_path):
    (tmp_path / "theory" / "given").mkdir(parents=True)
    (tmp_path / "theory" / "given" / "road.facts").write_text("a\tb\nb\tc\n")
    (tmp_path / "theory" / "given" / "big.csv").write_text("town\na\n")
    (tmp_path / "theory" / "roads.horn").write_text(ROADS)
    return tmp_path / "theory"


def test_an_example_takes_its_facts_from_a_folder_of_tables(roads):
    report = run_examples(load(roads / "roads.horn"))
    assert [outcome.why for outcome in report.outcomes if not outcome.met] == []
    assert len(report.outcomes) == 2


def test_a_table_of_an_example_that_is_wrong_is_reported_with_its_row(roads):
    (roads / "given" / "road.facts").write_text("a\tb\nb\n")
    theory = load(roads / "roads.horn")
    with pytest.raises(TableError, match=r"given/road\.facts: 1 bad row of 2(.|\n)*row 2: 1 column"):
        example_facts(theory, theory.examples[0])


def test_no_table_of_an_example_lies_outside_of_the_theorys_folder(roads):
    (roads / "given" / "big.csv").rename(roads.parent / "secret.csv")
    (roads / "given" / "big.csv").symlink_to(roads.parent / "secret.csv")
    theory = load(roads / "roads.horn")
    with pytest.raises(KnowledgeBaseError, match=r"`big\.csv` lies outside of the theory's folder"):
        example_facts(theory, theory.examples[0])
