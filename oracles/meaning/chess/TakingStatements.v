(** What the clauses of `taking` say, in the form of `statements.py`. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Chess Require Import Board.
From Chess Require Words.

Definition taken_where_nobody_takes_back : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_x : square) (v_c : side) (v_d : side) (v__1 : kind),
    act = Move v_f v_x ->
    Words.legal S v_c v_f v_x ->
    Words.opponent v_d v_c ->
    Words.at_ S v_x v_d v__1 ->
    Words.untakeable S' v_d v_x ->
    Words.take_by S v_x (Move v_f v_x) Words.GI.

Definition one_move_that_takes_is_enough : Prop :=
  forall S : state, sound S ->
  forall (v_x : square) (v__1 : square) (v__2 : square),
    Words.take_by S v_x (Move v__1 v__2) Words.GI ->
    Words.take S v_x Words.GI.

Definition a_step_against_the_rules : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_q : square) (v_s : square) (v_d : side) (v_x : square),
    act = Move v_q v_s ->
    Words.king S v_d v_q ->
    Words.illegal S v_d v_q v_s ->
    Words.owner S v_x v_d ->
    Words.take S' v_x Words.GI.

Definition nobody_else_has_an_answer : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v_f : square) (v_t : square),
    Words.compelled S v_d ->
    Words.owns S v_d v_f ->
    Words.reaches S v_f v_t ->
    Words.illegal S v_d v_f v_t.

Definition nor_in_passing : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v_f : square) (v_t : square),
    Words.compelled S v_d ->
    Words.passes S v_d v_f v_t ->
    Words.illegal S v_d v_f v_t.

Definition nor_by_castling : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v_f : square) (v_t : square),
    Words.compelled S v_d ->
    Words.homeward S v_d v_f v_t ->
    Words.king S v_d v_f ->
    Words.illegal S v_d v_f v_t.

Definition a_king_steps_where_it_attacks_nothing_more : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_c : side) (v__1 : square) (v_t : square) (v_s : square) (v_n : Z),
    Words.stepped S act S' v_c v__1 v_t ->
    Words.sealed S act S' v_c v_s ->
    Words.unattacked S v_c v_s ->
    Words.distance v_t v_s v_n ->
    (v_n <> 1%Z)%Z ->
    Words.unattacked S' v_c v_s.

Definition a_king_steps_away : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_c : side) (v_k : square) (v_t : square) (v_s : square) (v_n : Z),
    Words.stepped S act S' v_c v_k v_t ->
    Words.sealed S act S' v_c v_s ->
    Words.only S v_k v_s ->
    Words.distance v_t v_s v_n ->
    (v_n <> 1%Z)%Z ->
    Words.unattacked S' v_c v_s.

