from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hornbook.cli import main
from hornbook.kb.explain.graph import as_json, dependency_graph, restricted
from hornbook.kb.load.loader import load_text
from hornbook.render.drawing import dot, mermaid, svg
from oracles.counted_steps import counted_steps

GOLDEN = Path(__file__).parent / "golden"

FAMILY = """theory family.
sort person.
static parent(person, person).
static grandparent(person, person).
static ancestor(person, person).
static pet(person).
a_parents_parent: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
a_parent_is_an_ancestor: ancestor(?a, ?b) :- parent(?a, ?b).
ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
parent(ada, ben).
"""

GO = (Path(__file__).parent / "data" / "graph_go.horn").read_text(encoding="utf-8")


def graph_of(text):
    return dependency_graph(load_text(text))


def test_the_family_is_drawn_in_every_language():
    graph = graph_of(FAMILY)
    assert dot(graph) == (GOLDEN / "family.dot").read_text(encoding="utf-8")
    assert mermaid(graph) == (GOLDEN / "family.mmd").read_text(encoding="utf-8")
    labels = {
        "".join(g.itertext()).strip() for g in ElementTree.fromstring(svg(graph)) if "class" in g.attrib
    }
    assert labels == {
        "parent", "grandparent", "ancestor", "pet", "a parents parent", "a parent is an ancestor", "line 9",
    }  # fmt: skip


def test_edges_lead_from_what_is_read_to_the_rule_and_from_it_to_what_it_concludes():
    graph = graph_of(FAMILY)
    assert set(graph.edges) == {
        ("parent", "rule 0"), ("rule 0", "grandparent"),
        ("parent", "rule 1"), ("rule 1", "ancestor"),
        ("parent", "rule 2"), ("ancestor", "rule 2"), ("rule 2", "ancestor"),
    }  # fmt: skip
    assert as_json(graph)["recursion"] == [["ancestor"]]
    assert [rule["recursive"] for rule in as_json(graph)["rules"]] == [False, False, True]


def test_what_changes_stands_once_for_each_moment():
    graph = graph_of(GO)
    appears = next(node for node in graph if graph.nodes[node]["name"] == "appears")
    assert set(graph.predecessors(appears)) == {"move", "before legal"}
    assert set(graph.successors(appears)) == {"after colour"}
    readings = [
        data["tense"] for _, data in graph.nodes(data=True) if data["name"] == "legal" and "line" in data
    ]
    assert readings == ["before", "after"]
    assert graph.nodes["player"]["tense"] is None


def test_a_closed_set_is_read_with_its_count_and_neither_is_an_absence():
    graph = graph_of(GO)
    safe = next(n for n in graph if graph.nodes[n]["name"] == "safe" and graph.nodes[n].get("line"))
    read = {node: graph.edges[node, safe]["style"] for node in graph.predecessors(safe)}
    assert read == dict.fromkeys(("before colour", "before liberty", "before liberties"), "solid")


def test_strata_count_the_absences_and_aggregates_below():
    described = as_json(graph_of(GO))
    strata = {predicate: number for number, s in enumerate(described["strata"]) for predicate in s}
    expected = {
        "player": 0, "before colour": 0, "after colour": 0, "before legal": 0,
        "before good": 1, "before best": 2, "before total": 3, "before take by move": 0,
    }  # fmt: skip
    assert expected.items() <= strata.items()
    good = next(rule for rule in described["rules"] if rule["name"] == "good" and rule["tense"] == "before")
    assert good["reads"] == ["before colour"]
    assert good["finished"] == ["before legal"]
    assert good["concludes"] == ["before good"]


def test_rules_that_can_never_fire_are_marked():
    graph = graph_of(GO)
    never = {data["name"] for _, data in graph.nodes(data=True) if data["kind"] == "unreachable"}
    assert never == {"dream", "wish"}
    assert {rule["name"] for rule in as_json(graph)["rules"] if not rule["reachable"]} == never


def test_a_rule_that_waits_for_another_is_reached_in_whatever_order_they_state():
    text = "sort s. fluent f(s). derived a(s). derived b(s). derived c(s). c(?x) :- b(?x). b(?x) :- a(?x). a(?x) :- f(?x)."
    assert all(rule["reachable"] for rule in as_json(graph_of(text))["rules"])


def test_a_predicate_that_no_rule_mentions_is_shown():
    assert graph_of(FAMILY).degree("pet") == 0


def test_a_graph_can_be_restricted_to_what_a_predicate_rests_on():
    part = restricted(graph_of(FAMILY), "grandparent")
    assert set(part) == {"parent", "rule 0", "grandparent"}
    assert set(part.edges) == {("parent", "rule 0"), ("rule 0", "grandparent")}
    assert "before take by move is" in restricted(graph_of(GO), "take")
    assert {"before colour", "after colour"} <= set(restricted(graph_of(GO), "colour"))
    with pytest.raises(ValueError, match="no predicate is called `grandparents`; did you mean `grandparent`"):
        restricted(graph_of(FAMILY), "grandparents")


# The command


@pytest.fixture
def theory(tmp_path):
    path = tmp_path / "family.horn"
    path.write_text(FAMILY, encoding="utf-8")
    return path


def test_the_command_writes_dot_mermaid_svg_and_json(theory, capsys):
    assert main(["theory", "graph", str(theory)]) == 0
    assert capsys.readouterr().out == (GOLDEN / "family.dot").read_text(encoding="utf-8")
    assert main(["theory", "graph", str(theory), "--format", "mermaid"]) == 0
    assert capsys.readouterr().out == (GOLDEN / "family.mmd").read_text(encoding="utf-8")
    assert main(["theory", "graph", str(theory), "--format", "svg"]) == 0
    ElementTree.fromstring(capsys.readouterr().out)
    assert main(["theory", "graph", str(theory), "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert set(described) == {"predicates", "rules", "recursion", "strata"}
    rule = described["rules"][2]
    assert rule["file"].endswith("family.horn")
    assert {key: rule[key] for key in ("name", "line", "reads", "concludes")} == {
        "name": "ancestor@9", "line": 9, "reads": ["parent", "ancestor"], "concludes": ["ancestor"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", "<svg"), ("a.json", "{"), ("a.mmd", "flowchart"), ("a.dot", "digraph")]
)
def test_the_name_of_the_file_says_what_is_written(theory, tmp_path, capsys, name, start):
    assert main(["theory", "graph", str(theory), "--into", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert capsys.readouterr().out == ""


def test_the_command_can_be_restricted(theory, capsys):
    assert main(["theory", "graph", str(theory), "--of", "grandparent", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rules"]) == 1
    assert main(["theory", "graph", str(theory), "--of", "grand"]) != 0
    assert "no predicate is called `grand`" in capsys.readouterr().err


@pytest.mark.deep
@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_chain_takes_steps_in_proportion_to_its_length(backwards):
    def steps(length):
        rules = [f"derived p{i}(a). r{i}: p{i}(?x) :- p{i - 1}(?x).\n" for i in range(1, length)]
        rules = rules[::-1] if backwards else rules
        theory = load_text(f"theory chain. sort a. fluent p0(a).\n{''.join(rules)}")
        graph = dependency_graph(theory)
        assert all(graph.nodes[node].get("reachable", True) for node in graph)
        return counted_steps(lambda: dependency_graph(theory))

    # Four times as long: a linear number grows by 4, a quadratic one by 16.
    assert steps(400) < 9 * steps(100)
