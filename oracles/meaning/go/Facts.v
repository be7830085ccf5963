(** The facts of the theory: who plays, who is whose opponent, and how many liberties are told apart. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Effects.
From Go Require Statements.

Theorem player_1 : Statements.player_1.
Proof. by []. Qed.
Theorem player_2 : Statements.player_2.
Proof. by []. Qed.
Theorem opponent_1 : Statements.opponent_1.
Proof. by []. Qed.
Theorem opponent_2 : Statements.opponent_2.
Proof. by []. Qed.
Theorem level_1 : Statements.level_1.
Proof. by split; lia. Qed.
Theorem level_2 : Statements.level_2.
Proof. by split; lia. Qed.
Theorem level_3 : Statements.level_3.
Proof. by split; lia. Qed.
Theorem level_4 : Statements.level_4.
Proof. by split; lia. Qed.
Theorem level_5 : Statements.level_5.
Proof. by split; lia. Qed.

(** What play reaches is sound: an empty board is, and each step leads from sound to sound. *)
Theorem the_beginning_is_sound (B : board) : sound (State (fun _ : B => empty) None).
Proof. by split=> [s | c p]. Qed.
Theorem what_play_reaches_is_sound (B : board) (S S' : state B) a : sound S -> step S a S' -> sound S'.
Proof. exact: sound_step. Qed.
