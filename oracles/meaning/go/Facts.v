(** The facts of the theory: who plays, who is whose opponent, and how many liberties are told apart. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board.
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
