"""Programs that `import hornbook`.

They learn from their own problem, store the rules and query them from many threads.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import pytest

import hornbook
from hornbook.api.teaching import LearningResult

ATARI = ". . . .\n. X X .\nX O O .\n. X X .\n"
"""A board on which Black captures on d2."""
CORNER = "  a b c\n3 . . .\n2 X X .\n1 O . X\n"
OPEN = "  a b c\n3 . . .\n2 . O .\n1 . . .\n"
NAME = "take_by_move_is_gi_1"


@pytest.fixture(scope="module")
def go():
    return hornbook.read_theory("go")


@pytest.fixture(scope="module")
def learned(go):
    problem = hornbook.make_problem(hornbook.read_state(go, ATARI), "take(b2)", moves=1, name="two stones")
    return hornbook.learn(go, [problem])


def test_a_problem_of_ones_own_teaches_a_rule(learned):
    assert learned.results == (LearningResult("two stones", proved=True, rules=(NAME,), reason=""),)
    rule = learned.rules[NAME]
    assert (rule.name, rule.example, rule.is_certified) == (NAME, "two stones", True)
    assert "liberties(?b, 1)" in str(rule)
    assert rule.proof.startswith("certificate ")
    assert [verdict.follows for verdict in learned.rules.verify()] == [True]
    assert len(learned.rules) == 1
    assert NAME in learned.rules
    assert repr(learned.rules) == "<1 rule learned from `go`>"


def test_an_answer_says_what_where_and_why(go, learned):
    state = hornbook.read_state(go, CORNER, name="a corner")
    (answer,) = learned.rules.match(state)
    assert (answer.game, answer.value, answer.move) == ("take(a1)", "GI", "move(black, b1)")
    assert answer.statement == "take(a1) by move(black, b1) is GI"
    assert answer.bindings["p"] == "b1"
    assert "liberties(a1, 1)" in answer.conditions
    assert answer.lines_of_play == (f"move(black, b1)  [{NAME}]",)
    assert answer.to_dict()["rule"] == NAME
    assert "m  the move: b1" in [text.text for text in ET.fromstring(answer.to_svg()).iter()]
    # Both a text and a board made by the adapter are accepted.
    assert str(learned.rules.match(CORNER)[0]) == str(learned.rules.match(state.value)[0]) == str(answer)


def test_more_is_learned_on_top_of_what_is_there(go, learned):
    again = hornbook.make_problem(hornbook.read_state(go, CORNER), "take(a1)", moves=1, name="again")
    hopeless = hornbook.make_problem(hornbook.read_state(go, OPEN), "take(b2)", moves=1, name="hopeless")
    more = hornbook.learn(go, [again, hopeless], learned.rules)
    assert [(each.name, each.proved, each.rules) for each in more.results] == [
        ("again", True, ()),
        ("hopeless", False, ()),
    ]
    assert more.results[1].reason == "no proof within 1 move was found"
    assert [rule.name for rule in more.rules] == [NAME]


def test_rules_are_written_read_and_queried_only_where_they_are_certified(go, learned, tmp_path):
    file = tmp_path / "mine.horn"
    learned.rules.save(file)
    read = hornbook.read_rules(file, go)
    assert read.to_text() == learned.rules.to_text() == file.read_text(encoding="utf-8")
    assert [str(a) for a in read.match(CORNER)] == [str(a) for a in learned.rules.match(CORNER)]
    file.write_text(file.read_text().replace("liberties(?b, 1)", "liberties(?b, 2)"), encoding="utf-8")
    edited = hornbook.read_rules(file, go)
    assert not edited[NAME].is_certified
    assert edited.certified == edited.match(CORNER) == []
    assert [verdict.follows for verdict in edited.verify()] == [False]


def test_a_further_engine_neither_unfolds_nor_codes_the_rules_again(go, learned, tmp_path, monkeypatch):
    learned.rules.save(tmp_path / "mine.horn")
    read = hornbook.read_rules(tmp_path / "mine.horn", go)
    first = [str(answer) for answer in read.match(CORNER)]

    def again(*_):
        raise AssertionError("done again")

    monkeypatch.setattr("hornbook.compiler.match.unfolding.unfolded", again)
    monkeypatch.setattr("hornbook.kb.lower.coding.Coding.rule", again)
    assert [str(answer) for answer in read.match(CORNER, limits=hornbook.Limits(seconds=60.0))] == first != []
    at = read.matcher()
    at.set(CORNER)
    assert [str(answer) for answer in at.answers()] == first


def test_a_position_is_played_on_and_taken_back(learned):
    at = learned.rules.matcher()
    with pytest.raises(ValueError, match="no position is set yet"):
        at.answers()
    at.set(CORNER)
    before = [str(answer) for answer in at.answers()]
    assert before == [str(answer) for answer in learned.rules.match(CORNER)] != []
    at.play("move(black, c3)")
    after = hornbook.State(at.state.theory, "after", at.state.value, at.state.reader)
    assert [str(answer) for answer in at.answers()] == [str(answer) for answer in learned.rules.match(after)]
    assert at.state.value.to_play == "white"
    with pytest.raises(ValueError, match=r"`move\(white, c3\)` is not legal"):
        at.play("move(white, c3)")
    with pytest.raises(ValueError, match=r"`move\(white, c3\)` is not legal"):
        at.play(hornbook.GroundFact("move", ("white", "c3")))
    at.undo()
    assert [str(answer) for answer in at.answers()] == before
    with pytest.raises(ValueError, match="no move to take back"):
        at.undo()


def test_a_matcher_answers_about_one_game(learned):
    at = learned.rules.matcher()
    at.set(CORNER)
    everything = at.answers()
    games = {answer.game for answer in everything}
    for game in games:
        expected = [str(answer) for answer in everything if answer.game == game]
        assert [str(answer) for answer in at.answers(game)] == expected != []
        assert [str(answer) for answer in at.answers(everything[0].conclusion.statement.game)] != []
    for nothing in ("eat(a1)", "take(?x)", "take(a1, a2)", "take(a1), take(a2)"):
        with pytest.raises(ValueError, match=r"is no game of `go`; there are .*take"):
            at.answers(nothing)


def test_what_an_answer_names_is_played(learned):
    at = learned.rules.matcher()
    at.set(CORNER)
    move = next(answer.move for answer in at.answers() if answer.move)
    for output in (move, move.replace(" ", "")):
        at.play(output)
        at.undo()
    for nothing in ("move(black, z9)", "mve(black, c3)", "move(black, c3", "move(grey, c3)", ""):
        with pytest.raises(ValueError, match="is not legal in this position"):
            at.play(nothing)
    for kind in (3, None):
        with pytest.raises(TypeError, match="an action is a GroundFact or a text, not a"):
            at.play(kind)


def test_what_is_illegal_in_chess_is_not_played():
    at = hornbook.LearnedRules("chess").matcher()
    at.set("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1")
    for output in ("move(e3, d5)", "e3d5", hornbook.GroundFact("move", ("e3", "d5"))):
        at.play(output)
        assert at.state.value.to_move == "black"
        at.undo()
    for output in (
        "move(e3, e4)",
        "e3e4",
        *(hornbook.GroundFact("move", v) for v in (("e3", "e4"), ("e8", "e7"), ("e3",))),
    ):
        with pytest.raises(ValueError, match="is not legal in this position"):
            at.play(output)
    assert at.answers("take(d5)") == []


@pytest.mark.parametrize(
    ("theory", "position"), [("go", CORNER), ("chess", "4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1")]
)
def test_a_game_about_no_place_is_refused(theory, position):
    at = hornbook.LearnedRules(theory).matcher()
    at.set(position)
    with pytest.raises(ValueError, match=r"`take\(z9\)` mentions nothing that such a position has"):
        at.answers("take(z9)")


def test_a_game_about_a_side_is_queried():
    at = hornbook.LearnedRules("chess").matcher()
    at.set("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1")
    assert at.answers("mate(white)") == []


def test_a_position_that_is_come_back_to_is_not_matched_again(learned, monkeypatch):
    at = learned.rules.matcher()
    at.set(CORNER)
    before = at.answers()
    at.play("move(black, c3)")
    at.undo()
    monkeypatch.setattr("hornbook.compiler.match.position.RuleMatcher.conclusions", None)
    assert at.answers() == before


def test_threads_ask_the_same_rules_at_once(learned):
    boards = [CORNER, ATARI, OPEN] * 8
    only = [[str(answer) for answer in learned.rules.match(board)] for board in boards]
    with ThreadPoolExecutor(6) as threads:
        together = list(threads.map(learned.rules.match, boards))
    assert [[str(answer) for answer in each] for each in together] == only


def test_a_knowledge_base_is_for_one_thread_at_a_time_and_says_so():
    chain = [hornbook.GroundFact("parent", (f"p{i}", f"p{i + 1}")) for i in range(250)]
    base = hornbook.KnowledgeBase("family")
    base.add(chain)
    right = len(base.query("ancestor(?a, ?b)"))

    def ask(_: int) -> int | str:
        try:
            return len(base.query("ancestor(?a, ?b)"))
        except hornbook.KnowledgeBaseError as problem:
            return str(problem)

    with ThreadPoolExecutor(4) as threads:
        output = set(threads.map(ask, range(16)))
    assert output - {right} <= {
        "another thread is using this engine; give each thread its own engine, or a lock"
    }
    assert ask(0) == right


def test_what_cannot_be_done_is_reported(go, tmp_path):
    state = hornbook.read_state(go, CORNER)
    (tmp_path / "corner.txt").write_text(CORNER, encoding="utf-8")
    assert hornbook.read_state(go, tmp_path / "corner.txt").value == state.value
    with pytest.raises(TypeError, match="give Path"):
        hornbook.read_state(go, str(tmp_path / "corner.txt"))
    with pytest.raises(hornbook.NoProblemsError, match=r"`eat\(a1\)` is no game of `go`; there are .*take"):
        hornbook.make_problem(state, "eat(a1)", moves=1)
    with pytest.raises(
        hornbook.NoProblemsError, match=r"`cup` has no domain\.py, which says what its problems are"
    ):
        hornbook.read_problems("cup")
    with pytest.raises(hornbook.TheoryError, match="did you mean `parent`"):
        hornbook.read_state("family", "parents(ann, bob).")
    with pytest.raises(hornbook.NoAdapterError, match="no adapter that may be run"):
        hornbook.read_state(hornbook.read_theory("go", adapters=False), "X")
    with pytest.raises(hornbook.NoAdviceError, match="`go` has no advice"):
        hornbook.advise(state)
    with pytest.raises(hornbook.NoPictureError, match="a int is no state of `go`"):
        hornbook.LearnedRules(go).match(3)
    with pytest.raises(TypeError, match="a int cannot be shown"):
        hornbook.show(3)
    with pytest.raises(hornbook.TheoryError, match="<text>:2:"):
        hornbook.read_state(go, "X X\nO ? X\n")


def test_pictures_are_saved_as_what_they_are(learned, tmp_path):
    hornbook.show(learned.rules).save(tmp_path / "network.svg")
    assert ET.parse(tmp_path / "network.svg").getroot().tag.endswith("svg")
    hornbook.show(learned.rules[NAME]).save(tmp_path / "rule.html")
    assert (tmp_path / "rule.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match=r"save it as rule\.html"):
        hornbook.show(learned.rules[NAME].rule).save(tmp_path / "rule.svg")
    assert not (tmp_path / "rule.svg").exists()


@pytest.mark.deep
def test_advice_by_rules_of_ones_own_and_a_decision_judged():
    firm = hornbook.read_theory("firm")
    assert firm.path is not None
    march = hornbook.read_state(firm, firm.path.parent / "examples" / "bakery" / "03.csv")
    assert "buy(butter" not in hornbook.advise(march, hornbook.LearnedRules(firm)).to_text()
    advice = hornbook.advise(march)
    assert "buy(butter, n)  reaches it: 1460 or more" in advice.to_text()
    assert json.dumps(advice.to_dict())
    judged = advice.what_if("buy(butter, 400)")
    assert judged.refusal is None
    assert "supply(butter): stays missed" in str(judged)
    assert judged.proofs["supply(butter)"].goal == judged.proofs["supply(butter)"].steps[-1].conclusion
    refused = advice.what_if("produce(bread, 100000)")
    assert refused.refusal
    assert refused.proofs == {}
