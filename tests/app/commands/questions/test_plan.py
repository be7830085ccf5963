"""`hornbook theory network`: output, pictures and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hornbook import theories

GO = Path(theories.__file__).parent / "go"
PAPER = str(GO.parent / "classical" / "paper")


pytestmark = pytest.mark.usefixtures("folder")


KIN = (Path(__file__).parent / "data" / "plan_kin.horn").read_text(encoding="utf-8")

PLAN = (Path(__file__).parent / "data" / "plan.txt").read_text(encoding="utf-8")
CHANGE = """\
a change to man(?a): 3 rules, 5 conditions in 5 nodes, each shared 1 time  → sons
├── parent(?a, _)  [1 rule, 1.5 rows, cost 1.5]  → father
├── parent(?a, ?b)  [1 rule, 1.5 rows, cost 1.5]
│   parent(?b, _)  [1 rule, 1.5 rows, cost 2.2]  → grandfather
└── parent(?b, ?a)  [1 rule, 1 row, cost 1]
    man(?b)  [1 rule, 1 row, cost 1]  → sons
"""


def without_bytes(out: str) -> str:
    """Mask the byte counts, which are those of the compiled structures."""
    return re.sub(r"(?m) +\d+$", "      #", out.replace("one rule by itself        1", "ALONE")).replace(
        "ALONE", "one rule by itself        1"
    )


def test_the_network_of_a_theory(run, folder):
    (folder / "kin.horn").write_text(KIN)
    code, out, _ = run("theory", "network", "kin.horn")
    assert code == 0
    assert without_bytes(out) == PLAN
    code, out, _ = run("theory", "network", "kin.horn", "--of", "man")
    assert (code, out) == (0, CHANGE)
    code, out, _ = run("theory", "network", "kin.horn", "--depth", "1")
    assert code == 0
    assert "grandfather" not in out


def test_the_sums_of_json_are_those_of_the_nodes(run, folder):
    state = str(GO / "examples" / "corner.txt")
    code, out, _ = run("theory", "network", "go", "--state", state, "--json")
    assert code == 0
    plan = json.loads(out)
    for trie in plan["tries"]:
        nodes = trie["nodes"]
        depth: list[int] = []
        for node in nodes:
            depth.append(0 if node["parent"] is None else depth[node["parent"]] + 1)
        assert trie["conditions"] == sum(depth[node["number"]] * len(node["ends"]) for node in nodes)
        assert trie["bytes"] == sum(node["bytes"] for node in nodes)
        assert trie["shared"] == pytest.approx(trie["conditions"] / max(1, len(nodes) - 1), abs=1e-3)
    assert plan["tries"][0]["change"] is None
    assert "before colour" in {trie["change"] for trie in plan["tries"]}
    only = {body["rule"]: body["conditions"] for body in plan["alone"]}
    assert "all ?q in neighbour(?p, ?q): before airless(?c, ?q)" in only["illegal_by_suicide (before)"]


def test_the_rules_of_a_rule_base_without_those_of_its_theory(run):
    run("learn", PAPER, "--into", "rules.horn")
    code, out, _ = run("theory", "network", "rules.horn", "--theory", PAPER)
    assert code == 0
    assert out.startswith("full matching: 2 rules, ")
    assert "→ take_by_move_is_giii_1 (before)" in out
    assert max(map(len, out.splitlines())) < 120
    code, out, _ = run("theory", "network", "rules.horn", "--theory", PAPER, "--of", "liberties", "--json")
    assert json.loads(out)["rules"] == 1


def test_a_picture_is_drawn(run, folder):
    code, _, _ = run("theory", "network", "family", "--svg", "family.svg")
    assert code == 0
    texts = {each.text for each in ET.parse(folder / "family.svg").getroot().iter() if each.text}
    assert {"full matching", "parent(?a, ?b)", "so_are_their_ancestors"} <= texts
    code, _, _ = run("theory", "network", "go", "--of", "liberties", "--depth", "2", "--svg", "go.svg")
    assert code == 0
    texts = {each.text for each in ET.parse(folder / "go.svg").getroot().iter() if each.text}
    assert {"before liberties(?a, ?b)", "after liberties(?a, ?b)"} <= texts


def test_stored_statistics_order_the_conditions(run, folder):
    (folder / "kin.horn").write_text(KIN)

    def begins_with(parents: int, men: int) -> str:
        relations = [
            {"relation": "parent", "moment": None, "rows": parents, "distinct": [parents, parents]},
            {"relation": "man", "moment": None, "rows": men, "distinct": [men]},
        ]
        (folder / "kin.stats.json").write_text(json.dumps({"relations": relations}))
        return run("theory", "network", "kin.horn")[1].splitlines()[1]

    assert begins_with(2000, 5).startswith("└── man(?a)  [2 rules, 5 rows")
    assert begins_with(5, 2000).startswith("├── parent(?a, _)  [1 rule, 5 rows")


def test_what_is_wrong_is_reported(run, folder):
    code, _, err = run("theory", "network", "go", "--of", "libertiess")
    assert code == 2
    assert "did you mean `liberties`?" in err
    code, _, err = run("theory", "network", "nothing.horn")
    assert code == 1
    assert "nothing.horn" in err
    (folder / "x.sgf").write_text("(;B[aa])")
    code, _, err = run("theory", "network", "family", "--state", "x.sgf")
    assert code == 1
    assert "x.sgf:1" in err
