"""`hornbook allocate`: learned classifiers are written, read and played. Invalid ones are refused."""

from __future__ import annotations

import json

import pytest

from hornbook import cli

SMALL = ["--boards", "300", "--refill", "300", "--least", "30"]


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    file = tmp_path_factory.mktemp("learned") / "utility.json"
    assert (
        cli.main(["allocate", "learn", "checkers", "--into", str(file), "--recipe", "utility", *SMALL]) == 0
    )
    return file


@pytest.mark.deep
def test_what_is_learned_says_how(learned, tmp_path, capsys):
    keys = json.loads(learned.read_text(encoding="utf-8"))
    assert (keys["game"], keys["decides"], len(keys["patterns"])) == ("checkers", "program", 24)
    words = keys["command"].split()
    again = tmp_path / "again.json"
    assert cli.main([*words[1:], "--into", str(again)]) == 0
    assert again.read_text(encoding="utf-8") == learned.read_text(encoding="utf-8")
    assert "leaves in" in capsys.readouterr().out


def test_it_is_played(learned, capsys):
    words = ["--games", "20", "--json"]
    assert cli.main(["allocate", "play", "checkers", str(learned), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["won"] + found["lost"] + found["drawn"] == 20
    assert found["score"] == (found["won"] + found["drawn"] / 2) / 20
    assert 0 < found["deep"] <= 8
    assert cli.main(["allocate", "table", "checkers", str(learned), *words]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["strategy"] for row in rows[:4]] == ["never", "random", "always", "oracle"]
    assert rows[4] == found


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("game", "othello", "learned for `othello`, not for `checkers`"),
        ("deep", 99, "depths from 1 to 12"),
        ("asked", 2, "shares from 0 to 1"),
        ("nodes", [[0, 0, 0, 0, 1, 1]], "these nodes are no tree"),
        ("nodes", [["a", 0, 0, 0, 1, 1]], "nodes and patterns are not as"),
        ("nodes", [1], "a node has six numbers"),
        ("decides", "luck", "by `majority`, `context` or `program`"),
        ("patterns", [-1], "nodes and patterns are not as"),
        ("moves", "x", "`moves` is not what"),
        ("more", 1, "a classifier has the keys"),
    ],
)
def test_what_is_no_classifier_is_refused(learned, tmp_path, capsys, key, value, message):
    wrong = tmp_path / "wrong.json"
    keys = json.loads(learned.read_text(encoding="utf-8")) | {key: value}
    wrong.write_text(json.dumps(keys), encoding="utf-8")
    assert cli.main(["allocate", "play", "checkers", str(wrong), "--games", "1"]) == 1
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_policy_is_learned_from_how_games_end(tmp_path, capsys):
    dear, free, again = (tmp_path / f"{name}.json" for name in ("dear", "free", "again"))
    words = ["allocate", "learn", "checkers", "--recipe", "policy", "--games", "100"]
    assert cli.main([*words, "--price", "5000", "--into", str(dear)]) == 0
    assert "decisions of 100 games" in capsys.readouterr().out
    assert cli.main([*words, "--price", "0", "--least", "300", "--into", str(free)]) == 0
    keys = json.loads(free.read_text(encoding="utf-8"))
    assert (keys["decides"], keys["searches"]) == ("policy", keys["moves"])
    assert cli.main([*keys["command"].split()[1:], "--into", str(again)]) == 0
    assert again.read_text(encoding="utf-8") == free.read_text(encoding="utf-8")
    capsys.readouterr()
    assert cli.main(["allocate", "table", "checkers", str(dear), str(free), "--games", "4", "--json"]) == 0
    *_, of_dear, of_free = map(json.loads, capsys.readouterr().out.splitlines())
    assert of_dear["deep"] == 0 < of_free["deep"]


def test_what_cannot_be_queried_for_is_reported(capsys):
    assert cli.main(["allocate", "play", "othello", "never"]) == 1
    assert "has no `allocation`" in " ".join(capsys.readouterr().err.split())
    assert cli.main(["allocate", "learn", "checkers", "--into", "x.json", "--recipe", "luck"]) == 2
    assert "none of id3" in " ".join(capsys.readouterr().err.split())
