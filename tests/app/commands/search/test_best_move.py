"""`hornbook search best-move` and `hornbook search statistics`: output, files and errors."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

import hornbook
from hornbook import cli
from hornbook.api.proving import RuleProofs
from hornbook.inputs.native_games import native_game

START = "---------------------------OX------XO--------------------------- X"
LATER = "------------------OOO----XOOOO----XXO------X-------------------- X"


def test_a_file_that_is_not_there_is_no_position(run):
    code, _, messages = run("search", "best-move", "othello", "--position", "missing.txt", "--depth", "4")
    assert code == 2
    assert "there is no file `missing.txt`" in messages


def test_a_decision_is_printed_with_what_it_took(run):
    code, printed, _ = run("search", "best-move", "othello", "--position", LATER, "--depth", "4")
    assert code == 0
    assert re.fullmatch(
        r"f5  -1\.72\nexpected: f5( [a-h][1-8]){3}\n"
        r"[\d,]+ expansions, [\d,]+ evaluations, [\d.]+ s; depth 4; stopped: depth\n",
        printed,
    )


def test_exact_searches_decide_alike_and_a_file_is_as_good_as_a_text(run, folder):
    (folder / "position.txt").write_text(LATER, encoding="utf-8")
    values = set()
    for algorithm in ("alpha-beta", "ordered-alpha-beta", "deepening"):
        given = ("--position", "position.txt", "--algorithm", algorithm, "--depth", "3", "--json")
        code, printed, _ = run("search", "best-move", "othello", *given)
        reported = json.loads(printed)
        values.add(reported["value"])
        assert (code, reported["depth"], reported["why"], reported["algorithm"]) == (0, 3, "depth", algorithm)
        assert reported["move"] == reported["line"][0]
    assert len(values) == 1


def test_what_is_gathered_lets_mgss_think_and_tell_its_steps(run, folder):
    gathering = (
        "gather",
        "othello",
        "--positions",
        "300",
        "--depth",
        "4",
        "--into",
        "s.json",
        "--svg",
        "s.svg",
    )
    code, printed, _ = run(*gathering)
    assert code == 0
    assert re.match(
        r"300 positions in s\.json: errors after 1 to 4 plies in \d+ groups? after one, kurtosis", printed
    )
    written = (folder / "s.json").read_text(encoding="utf-8")
    assert (
        json.loads(written)["command"]
        == "hornbook search statistics othello --positions 300 --depth 4 --seed 1"
    )
    assert (folder / "s.svg").read_text(encoding="utf-8").count("<polyline") >= 6
    assert run(*gathering)[0] == 0
    assert (folder / "s.json").read_text(encoding="utf-8") == written
    thinking = ("think", "othello", "--position", LATER, "--algorithm", "mgss", "--statistics", "s.json")
    code, printed, _ = run(*thinking, "--nodes", "2000", "--trace", "steps.jsonl", "--json")
    reported = json.loads(printed)
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text(encoding="utf-8").splitlines()]
    assert code == 0
    assert reported["why"] in ("nothing is worth its cost", "nodes")
    assert len(steps) == reported["spent"]["expansions"] - 1  # the first expansion generates the moves
    assert all(step["gain"] > step["price"] >= 0 for step in steps)
    assert steps[-1]["value"] == reported["value"]
    code, printed, _ = run(
        "search", "best-move", "othello", "--position", START, *thinking[4:], "--nodes", "100"
    )
    assert (code, printed.splitlines()[-1].partition("stopped: ")[2]) == (0, "nothing to choose")


def test_without_an_answer_within_the_budget_the_exit_code_is_1(run):
    code, printed, _ = run(
        "search",
        "best-move",
        "othello",
        "--position",
        LATER,
        "--algorithm",
        "alpha-beta",
        "--depth",
        "9",
        "--nodes",
        "10",
    )
    assert (code, printed.splitlines()[0]) == (1, "no move was decided on within the budget")
    over = "X" * 64 + " X"
    assert run("search", "best-move", "othello", "--position", over, "--nodes", "10")[:2] == (
        0,
        "the game is over\n0 expansions, 1 evaluation, 0.000 s; depth 0; stopped: the game is over\n",
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["othello"], 2, "`deepening` needs a limit of nodes, seconds or depth"),
        (["othello", "--algorithm", "best-first", "--depth", "3"], 2, "needs a limit of nodes or seconds"),
        (["othello", "--algorithm", "uct", "--depth", "3"], 2, "needs a limit of nodes or seconds"),
        (
            ["othello", "--algorithm", "alpha-beta", "--nodes", "3"],
            2,
            "searches to a depth, which is not given",
        ),
        (["othello", "--algorithm", "mgss", "--nodes", "9"], 2, "`hornbook search statistics` gathers them"),
        (
            ["othello", "--algorithm", "guess", "--nodes", "9"],
            2,
            "no search is called `guess`; there are alpha-beta,",
        ),
        (["othello", "--nodes", "0"], 2, "greater than or equal to 1"),
        (["tiles", "--nodes", "9"], 2, "`tiles` is not a game of two players"),
        (["family", "--nodes", "9"], 2, "`family` has no domain.py"),
        (["firm", "--nodes", "9"], 1, "its domain names no `decisive` games"),
        (["othello", "--nodes", "9", "--statistics", "none.json"], 1, "none.json"),
    ],
)
def test_what_cannot_be_done_is_reported(arguments, code, message, run, folder):
    assert not list(folder.iterdir())
    found, _, messages = run("search", "best-move", *arguments, "--position", LATER)
    assert found == code
    assert message in " ".join(messages.split())
    assert "Traceback" not in messages


def test_a_position_that_is_none_is_reported_with_its_place(run):
    code, _, messages = run("search", "best-move", "othello", "--position", "nonsense", "--nodes", "9")
    assert code == 1
    assert "<text>:1:1" in messages
    assert run("search", "statistics", "othello", "--positions", "100", "--into", "no/folder.json")[0] == 1


@pytest.mark.parametrize("game", ["othello", "chess", "go"])
def test_a_depth_for_which_there_is_no_room_is_refused(game, run):
    texts = {
        "othello": LATER,
        "chess": "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1",
        "go": "....\n....\n....\n....\n",
    }
    given = ("think", game, "--position", texts[game], "--nodes", "3000", "--depth")
    assert run(*given, "1000", "--algorithm", "deepening")[0] == 0
    code, _, messages = run(*given, "1000", "--algorithm", "alpha-beta")
    if code == 2:
        assert "moves deep at most in this game" in " ".join(messages.split())
    assert code in (1, 2)


WON = '{"id": "a", "state": "OOOXOXXXOXX-OXXX O", "game": "win(white)", "moves": 1, "winning": ["d3"]}\n'


@pytest.fixture(scope="module")
def winning(tmp_path_factory):
    """Write a rule file that determines the winner of Othello by the last disc."""
    folder = tmp_path_factory.mktemp("rules")
    (folder / "won.jsonl").write_text(WON, encoding="utf-8")
    found = folder / "rules.horn"
    learning = ["learn", "othello", "--problems", str(folder / "won.jsonl"), "--into", str(found)]
    assert cli.main(learning) == 0
    return found


def test_a_move_that_a_rule_proves_is_made_without_search(run, winning):
    given = ("--position", "OOOXOXXXOXX-OXXX O", "--nodes", "500", "--rules", str(winning))
    code, printed, _ = run("search", "best-move", "othello", *given)
    assert code == 0
    first, *_, took, messages = printed.splitlines()
    assert first.startswith("d3  +")
    assert "0 expansions, 1 evaluation" in took
    assert took.endswith("stopped: proved")
    assert re.fullmatch(r"win\(white\) by put\(white, d3\) is GI \(win_by_put_is_gi_1\)", messages)
    for algorithm in ("best-first", "deepening"):
        code, printed, _ = run("search", "best-move", "othello", *given, "--algorithm", algorithm, "--json")
        reported = json.loads(printed)
        assert (code, reported["why"], reported["move"], reported["spent"]["asked"]) == (0, "proved", "d3", 1)
        assert reported["value"] >= 1
    # Nothing is proved about the start position, so the search decides.
    start = ("--position", START, "--nodes", "500", "--rules", str(winning), "--json")
    reported = json.loads(run("search", "best-move", "othello", *start)[1])
    assert (reported["why"], reported["spent"]["asked"]) == ("nodes", 1)


def test_rules_never_say_who_wins_where_a_search_to_the_end_says_otherwise(winning):
    played = native_game("othello")
    proofs = RuleProofs(played, hornbook.read_rules(winning, "othello"))
    search, random, messages = played.native.search("deepening", {}), Random(5), 0
    start = played.domain.write_line(played.domain.starts()[-1])
    for _ in range(25):
        state, met = played.native.State(start), []
        while not state.is_over:
            met.append(state)
            state = state.after(random.choice(state.moves()))
        for each in met[-2:]:
            won = proofs(each)
            if won is None:
                continue
            messages += 1
            assert (search(each)["value"] > 0) == (won.player == each.to_move)
            if won.move is not None:
                after = each.after(won.move)
                value = after.evaluation if after.is_over else search(after)["value"]
                assert value != 0
                assert (value > 0) == (after.to_move == each.to_move)
    assert messages > 5


def test_rules_that_do_not_say_who_wins_are_refused(run, folder, winning):
    (folder / "none.horn").write_text("import othello.\n", encoding="utf-8")
    at = ("--position", LATER, "--nodes", "9")
    for given, code, message in (
        (("othello", *at, "--rules", "none.horn"), 1, "none of the certified rules says who wins `othello`"),
        (
            ("othello", *at, "--rules", str(winning), "--algorithm", "alpha-beta", "--depth", "2"),
            2,
            "asks no rules",
        ),
        (("go", "--position", "....\n....\n....\n....\n", "--nodes", "9", "--rules", str(winning)), 1, "go"),
    ):
        found, _, messages = run("search", "best-move", *given)
        assert found == code
        assert message in " ".join(messages.split())
        assert "Traceback" not in messages
