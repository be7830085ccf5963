"""Tests of the statements in Coq for a theory's clauses, and of the recorded proofs about them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.trust.shown import shown
from hornbook.kb.load.loader import load_text
from oracles.coq.record import differences, read
from oracles.coq.tools import UnprovedError, missing
from oracles.meaning import records
from oracles.meaning.games import GAMES, CoqGame
from oracles.meaning.proving import TOOLS, check, theorems
from oracles.meaning.statements import propositions, text

LIGHTS = """theory lights.
sort lamp.
fluent lit(lamp).
static near(lamp, lamp).
static nears(lamp -> int) counts near.
static broken(lamp).
action switch(lamp).
derived dark(lamp).
derived lone(lamp).
dark_together: dark(?x) :- lit(?x), nears(?x, ?n), ?m = count ?y in near(?x, ?y) but ?x, ?n - ?m >= 1.
lit_afterwards: after lit(?x) :- switch(?y), before lit(?x), ?x != ?y.
lone_among_dark: lone(?x) :- broken(?x), all ?y in near(?x, ?y): (nears(?y, ?n), ?n > 0).
"""
STEP = (
    LIGHTS[: LIGHTS.index("dark_together")]
    + LIGHTS[LIGHTS.index("lit_afterwards") : LIGHTS.index("lone_among")]
)
BOARD = """From mathcomp Require Import all_ssreflect.
Inductive lamp := hall | yard.
Definition state := lamp -> bool.
Definition sound (S : state) : Prop := True.
Inductive action := Switch (x : lamp).
Definition step (S : state) (a : action) (S' : state) : Prop :=
  match a with Switch x => forall y, y <> x -> S' y = S y end.
"""
WORDS = """From Coq Require Import ZArith.
From Lights Require Import Board.
Definition lit (S : state) x : Prop := S x = true.
"""
PROOF = """From Lights Require Import Board Words.
From Lights Require Statements.
Theorem lit_afterwards : Statements.lit_afterwards.
Proof. intros S S' act _ does y x it lit other; subst act; exact (eq_trans (does x other) lit). Qed.
"""


def _lights(folder: Path) -> CoqGame:
    broken = {"broken": "(broken : lamp -> Prop)"}
    return CoqGame("Lights", (), folder, {"lamp": "lamp", "int": "Z"}, given=broken)


def _written(name: str) -> str:
    theory = load_text(LIGHTS)
    (output,) = (each for each in propositions(theory, _lights(Path())) if each.name == name)
    return output.definition


def test_a_clause_of_one_moment_is_reported_of_every_position():
    assert _written("dark_together") == (
        "Definition dark_together : Prop :=\n"
        "  forall S : state, sound S ->\n"
        "  forall (v_x : lamp) (v_n : Z) (v_m : Z),\n"
        "    Words.lit S v_x ->\n"
        "    Words.nears v_x v_n ->\n"
        "    v_m = Words.many (fun v_y : lamp => (Words.near v_x v_y) && (v_y != v_x)) ->\n"
        "    ((v_n - v_m) >= 1%Z)%Z ->\n"
        "    Words.dark S v_x.\n"
    )


def test_a_clause_of_two_is_reported_of_every_step():
    assert _written("lit_afterwards") == (
        "Definition lit_afterwards : Prop :=\n"
        "  forall (S S' : state) (act : action), sound S -> step S act S' ->\n"
        "  forall (v_y : lamp) (v_x : lamp),\n"
        "    act = Switch v_y ->\n"
        "    Words.lit S v_x ->\n"
        "    (v_x <> v_y) ->\n"
        "    Words.lit S' v_x.\n"
    )


def test_what_is_queried_of_each_member_and_what_is_supposed_of_nothing():
    assert _written("lone_among_dark") == (
        "Definition lone_among_dark (broken : lamp -> Prop) : Prop :=\n"
        "  forall S : state, sound S ->\n"
        "  forall (v_x : lamp),\n"
        "    broken v_x ->\n"
        "    (forall v_y : lamp, Words.near v_x v_y -> exists (v_n : Z), Words.nears v_y v_n /\\ (v_n > 0%Z)%Z) ->\n"
        "    Words.lone S v_x.\n"
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_is_admitted(game: CoqGame):
    """`Print Assumptions` checks the same if Coq is installed. This test needs no Coq."""
    for path in game.sources():
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|bypass_check)\b", text), (
            path
        )


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_record_is_of_these_proofs_and_of_every_clause(game: CoqGame):
    """CI repeats the run that the record names (`python -m oracles.meaning`).

    This test needs no Coq and finds an outdated record.
    """
    theory = game.theory()
    names = [each.name for each in propositions(theory, game)]
    _, *recorded = read(records.place(theory))
    apart = differences(recorded, records.rows(theory, game, names))
    assert apart == [], "run `python -m oracles.meaning --write`"
    assert shown(theory).clauses == {rule.name for rule in theory.rules}
    assert set(names) <= theorems(game).keys()


STATED = "Theorem lit_afterwards : Statements.lit_afterwards.\nProof. "
ASSUMED = {
    "axiom": f"Axiom so_it_is : Statements.lit_afterwards.\n{STATED}exact so_it_is. Qed.\n",
    "admitted": f"{STATED}Admitted.\n",
    "unguarded": f"Unset Guard Checking.\nFixpoint any (n : nat) : Statements.lit_afterwards := any n.\n{STATED}exact (any 0). Qed.\n",
    "universes": f"Unset Universe Checking.\nDefinition large : Set := Set.\n{STATED}pose (wide := large); {PROOF[PROOF.index('intros') :]}",
}


@pytest.mark.skipif(bool(missing(*TOOLS)), reason="needs Coq with the mathematical components")
class TestProved:
    @pytest.mark.judges
    def test_a_theorem_with_its_statement_is_proved(self, tmp_path: Path):
        assert self._proved(STEP, PROOF, tmp_path) == ["lit_afterwards"]

    @pytest.mark.judges
    def test_a_proof_of_another_statement_is_an_error(self, tmp_path: Path):
        with pytest.raises(UnprovedError, match=r"Proof\.v:4: lit_afterwards: "):
            self._proved(STEP.replace(", ?x != ?y", ""), PROOF, tmp_path)

    @pytest.mark.judges
    def test_a_theorem_of_nothing_is_an_error(self, tmp_path: Path):
        nothing = PROOF[: PROOF.index("Theorem")] + "Theorem lit_afterwards : True.\nProof. exact I. Qed.\n"
        with pytest.raises(UnprovedError, match=r"All\.v:\d+: shown_lit_afterwards: "):
            self._proved(STEP, nothing, tmp_path)

    @pytest.mark.judges
    @pytest.mark.parametrize("proof", ASSUMED.values(), ids=ASSUMED)
    def test_an_assumption_is_an_error(self, proof: str, tmp_path: Path):
        with pytest.raises(UnprovedError, match="a proof depends on an assumption"):
            self._proved(STEP, PROOF[: PROOF.index("Theorem")] + proof, tmp_path)

    @pytest.mark.judges
    def test_a_statement_that_people_write_does_not_count(self, tmp_path: Path):
        """The statements are generated from the theory, even if the folder has a file with that name."""
        (tmp_path / "Statements.v").write_text("Definition lit_afterwards : Prop := True.\n")
        nothing = PROOF[: PROOF.index("Theorem")] + "Theorem lit_afterwards : True.\nProof. exact I. Qed.\n"
        with pytest.raises(UnprovedError, match=r"All\.v"):
            self._proved(STEP, nothing, tmp_path)

    @pytest.mark.judges
    def test_a_source_that_loads_another_is_an_error(self, tmp_path: Path):
        (tmp_path / "Part.v").write_text("")
        with pytest.raises(UnprovedError, match="`Load` is not allowed"):
            self._proved(STEP, 'Load "Lights/Part".\n' + PROOF, tmp_path)

    def _proved(self, theory: str, proof: str, folder: Path) -> list[str]:
        for name, output in (("Board", BOARD), ("Words", WORDS), ("Proof", proof)):
            (folder / f"{name}.v").write_text(output)
        return check(load_text(theory), _lights(folder), folder / "made").names


def test_parameters_are_those_that_something_speaks_of():
    output = propositions(load_text(LIGHTS), _lights(Path()))
    assert [each.parameters for each in output] == [(), (), ("broken",)]


LIT_FOR_GOOD = """theory lights.
sort lamp.
fluent lit(lamp).
action switch(lamp).
action wait(lamp).
game kept(lamp).
replies kept(?x): switch(?y), lit(?y) unless lit(?x); wait(?y), lit(?y).
"""
CASES = """\
      (exists (v_y : lamp), act = Switch v_y /\\ Words.lit S v_y /\\ ~ Words.lit S v_x) \\/
      (exists (v_y : lamp), act = Wait v_y /\\ Words.lit S v_y)"""


def _stored(**more: object) -> CoqGame:
    replying = {"kept": ("Words.lamp_of {0}", "Words.other act")}
    return replace(_lights(Path()), replying=replying, **more)


def test_what_is_concluded_reply_by_reply():
    """If some reply exists and the game is won after each reply, it is a second-player win."""
    output = {each.name: each.definition for each in propositions(load_text(LIT_FOR_GOOD), _stored())}
    assert list(output) == ["replies_kept", "open_kept_2", "reply_rule_kept"]
    assert output["reply_rule_kept"] == (
        "Definition reply_rule_kept : Prop :=\n"
        "  forall S : state, sound S ->\n"
        "  forall (v_x : lamp),\n"
        f"    (exists (S' : state) (act : action), step S act S' /\\ (\n{CASES})) ->\n"
        f"    (forall (S' : state) (act : action), step S act S' ->\n{CASES} ->\n"
        "      Words.kept S' v_x Words.GI) ->\n"
        "    Words.kept S v_x Words.IG.\n"
    )


def test_a_game_of_which_more_is_so_after_an_action_than_of_the_next_state():
    output = propositions(load_text(LIT_FOR_GOOD), _stored(followed={"kept": "kept_on"}))[-1].definition
    assert "Words.kept_on S act S' v_x Words.GI) ->\n    Words.kept S v_x Words.IG" in output


def test_what_stands_upon_another_leaves_out_what_that_has(tmp_path: Path):
    (tmp_path / "lights.horn").write_text(LIGHTS)
    (tmp_path / "house.horn").write_text(
        "theory house.\nimport lights.\nderived dim(lamp).\nderived dim_in_1(lamp, lamp).\n"
        "dim_when_dark: dim(?x) :- dark(?x).\n"
        "foretold: dim_in_1(?y, ?x) :- dim(?x), near(?y, ?x).\n"
        "lemma so_it_is: dim(?x) :- dark(?x), broken(?x).\n"
    )
    upon = replace(_lights(tmp_path), theories=(tmp_path / "lights.horn",))
    game = replace(upon, name="House", theories=(tmp_path / "house.horn",), upon=upon, without=r"_in_\d")
    assert [rule.name for rule in game.theory().rules] == ["dim_when_dark"]
    assert "From Lights Require Words.\nFrom House Require Words.\n" in text(game.theory(), game)
