"""Tests of planning against counter-plans, on the example of Tadepalli (1989, figure 2).

Every announced win must be proved.
"""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from hornbook.compiler.match.plans import PlanMatcher
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.play.kep.cplans import NULL, OPlan
from hornbook.play.kep.kep import KepBounds, Knowledge, plan
from hornbook.play.kep.planning import Planner
from hornbook.play.kep.proof import KepProofNode, MatchedRules, ProofError, check
from hornbook.play.kep.proving import BestFirstProver
from hornbook.play.kep.testing import CPlanTest
from hornbook.play.kep.tree import PlanningTree
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.ending_claims import THEORY
from oracles.chess.ending_judge import table_says
from oracles.chess.endings_run import some_endings
from oracles.chess.pawn_plans import crowning, rules

GAME = ChessPlanning()
FIGURE = "6k1/1p6/8/P1P5/8/8/8/2K5 w - - 0 1"
SMALL = KepBounds(planned=2_000, proved=3_000)


def state(fen):
    return replace(parse_fen(fen), quiet_plies=0, number=1)


def action(name):
    return GroundFact("move", (name[:2], name[2:]))


@pytest.fixture(scope="module")
def plans():
    return PlanMatcher(load("chess"), rules())


@pytest.fixture(scope="module")
def knowledge(plans):
    theory = load(THEORY)
    wins, holds = (
        MatchedRules.of(GAME, theory, theory.rules, names, "named") for names in (("win",), ("win", "hold"))
    )
    return Knowledge(GAME, plans, wins, holds)


def planner(plans, fen=FIGURE, player="white"):
    return Planner(GAME, plans, PlanningTree(GAME, player, state(fen)), 5_000)


def goal(made, name, moves):
    found = next(g for g in GAME.goals(made.tree.root) if print_condition(g) == name)
    return OPlan(found, moves)


def played(made, mine, other):
    return CPlanTest(made.tree, made.applicable).run(frozenset(mine), frozenset(other))


def test_the_plans_of_figure_two_come_to_what_the_paper_prints(plans):
    made = planner(plans)
    c, a = goal(made, "crown(white, c5)", 3), goal(made, "crown(white, a5)", 3)
    take_c, take_a = goal(made, "take(c5)", 1), goal(made, "take(a5)", 1)
    assert played(made, NULL, NULL) == 0
    assert played(made, [c], NULL) == 200
    assert made.tree.value() == 200
    assert played(made, [c], [take_c]) == -20
    assert played(made, [a], [take_a]) == -20
    assert played(made, [a, c], [take_a]) == 200
    assert played(made, [a, c], [take_a, take_c]) == 180
    assert made.tree.value() == 180


def test_planning_finds_both_pawns_together_and_only_neither_is_enough(plans):
    made = planner(plans)
    assert made.run(100, 3)
    assert made.tree.value() == 180
    assert made.tree.nodes < 200
    only = planner(plans)
    assert not only.run(100, 1)
    assert only.tree.value() < 100


def test_an_opponent_without_plans_is_not_feared(plans):
    toy = PlanMatcher(load("chess"), rules(list(crowning())))
    made = planner(toy)
    assert made.run(100, 1)
    assert made.tree.value() == 200


def test_the_same_plans_work_for_the_other_side(plans):
    made = planner(plans, "1k6/8/8/8/p1p5/8/1P6/4K3 b - - 0 1", "black")
    assert made.run(100, 3)
    assert made.tree.value() == 180


def test_what_is_won_is_proved_against_every_legal_reply(knowledge):
    result = plan(knowledge, state(FIGURE), "white", 100, 3, SMALL)
    assert result.verdict == "won"
    assert result.action in (action("a5a6"), action("c5c6"))
    assert result.value == 180
    assert check(result.proof, GAME, knowledge.wins) == len(result.proof.nodes)
    assert result.nodes < 2_500


@pytest.mark.parametrize(
    "damage", ["a reply is missing", "an illegal action", "a rank that does not fall", "a false leaf"]
)
def test_the_checker_finds_what_is_wrong_with_a_proof(knowledge, damage):
    proof = plan(knowledge, state(FIGURE), "white", 100, 3, SMALL).proof
    nodes = dict(proof.nodes)
    inner = next(s for s, n in nodes.items() if n.rule is None and n.action is None)
    reply = next(then for a in GAME.actions(inner) if (then := GAME.after(inner, a)) in nodes)
    if damage == "a reply is missing":
        del nodes[reply]
    elif damage == "an illegal action":
        nodes[proof.root] = replace(nodes[proof.root], action=action("a5a8"))
    elif damage == "a rank that does not fall":
        nodes[reply] = replace(nodes[reply], rank=nodes[inner].rank)
    else:
        nodes[proof.root] = KepProofNode(0, rule="won_by_running")
    with pytest.raises(ProofError):
        check(replace(proof, nodes=nodes), GAME, knowledge.wins)


def test_a_queen_that_does_not_win_is_no_more_than_proposed(knowledge):
    # The goal value is earned, but the game is drawn: the other pawn is on its seventh rank.
    drawn = plan(
        knowledge, state("7K/4P3/8/8/8/8/p7/k7 w - - 0 1"), "white", 100, 2, replace(SMALL, proved=300)
    )
    assert drawn.value >= 100
    assert drawn.verdict == "proposed"


def test_zugzwang_is_not_overlooked_though_plans_pass(knowledge):
    # Black would hold if he could pass. If White cannot make progress, no claim is made.
    won = plan(knowledge, state("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1"), "white", 100, 2, SMALL)
    assert won.verdict == "won"
    drawn = plan(knowledge, state("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1"), "white", 100, 2, SMALL)
    assert drawn.verdict == "refuted"


def test_who_may_hold_refutes_and_the_proof_says_how(knowledge):
    result = plan(knowledge, state("8/8/8/3k4/3P4/3K4/8/8 w - - 0 1"), "white", 100, 2, SMALL)
    assert result.verdict == "refuted"
    assert result.proof.player == "black"
    check(result.proof, GAME, knowledge.holds, holds=True)


def test_what_costs_too_much_is_open(knowledge):
    result = plan(
        knowledge,
        state("8/8/8/8/8/1k5P/8/2K5 w - - 0 1"),
        "white",
        10_000,
        1,
        KepBounds(planned=50, proved=0),
    )
    assert result.verdict == "open"
    assert result.proof is None


def test_who_does_not_play_cannot_plan(knowledge):
    with pytest.raises(ValueError, match="`red` does not play here"):
        plan(knowledge, state(FIGURE), "red", 100, 3)
    with pytest.raises(ValueError, match="at least 1"):
        plan(knowledge, state(FIGURE), "white", 100, 0)


@pytest.mark.deep
def test_what_is_proved_of_king_and_pawn_against_king_is_what_the_table_says(knowledge):
    found = {True: 0, False: 0}
    for ending in some_endings("planned", 30):
        friend = "black" if ending.black else "white"
        prover = BestFirstProver(GAME, friend, knowledge.wins, knowledge.holds, {}, 150)
        proof = prover.proof(state(ending.board().fen()))
        if proof is not None:
            check(proof, GAME, knowledge.wins)
            assert ending.plies() is not None
        found[proof is not None] += 1
    assert found[True] > found[False] > 0


def test_without_time_nothing_is_announced_and_it_is_reported_why(knowledge):
    result = plan(knowledge, state(FIGURE), "white", 100, 3, KepBounds(seconds=0))
    assert (result.verdict, result.proof, result.stopped) == ("open", None, "seconds")


def test_what_survived_before_an_interruption_is_static_proposed(knowledge):
    counts = [0]
    planned = plan(
        knowledge, state(FIGURE), "white", 100, 3, KepBounds(planned=2_000, proved=0), counts.append
    )
    assert (planned.verdict, planned.stopped) == ("proposed", "nodes")

    def interrupts(made):
        if made > counts[-1]:
            raise KeyboardInterrupt

    result = plan(knowledge, state(FIGURE), "white", 100, 3, SMALL, interrupts)
    assert (result.verdict, result.action, result.stopped) == ("proposed", planned.action, "interrupted")
    assert result.proof is None


def test_a_first_action_is_given_though_nothing_is_proved(knowledge):
    # A study by Chernev: only one of six moves keeps the win.
    result = plan(knowledge, state("8/8/1p6/8/8/6P1/k1K5/8 w - - 0 1"), "white", 100, 1, KepBounds(50, 300))
    assert (result.verdict, result.stopped) == ("open", "nodes")
    assert result.action in GAME.actions(state("8/8/1p6/8/8/6P1/k1K5/8 w - - 0 1"))


def test_a_proof_names_a_first_action_though_a_rule_knows_the_state(knowledge):
    start = state("8/8/8/8/8/1k5P/8/2K5 w - - 0 1")
    assert knowledge.wins.says(start, "white") is not None
    result = plan(knowledge, start, "white", 100, 1, SMALL)
    assert (result.verdict, result.action) == ("won", action("h3h4"))


def test_a_refuted_first_action_is_known_as_one(knowledge):
    start = "8/8/8/8/2k5/8/3P4/3K4 w - - 0 1"
    prover = BestFirstProver(GAME, "white", knowledge.wins, knowledge.holds, {}, 300)
    prover.proof(state(start))
    refuted = prover.refuted(state(start))
    assert refuted
    for each in refuted:
        board = chess.Board(start)
        board.push_uci("".join(each.values))
        assert table_says(board) == "nobody"
