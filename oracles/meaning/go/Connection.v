(** Connecting two stones: what the clauses of the theory `connection` say. *)
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Effects SafetyState.
From Go Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Theorems.
Variable B : board.

(** The clause of the theory `safety` about named points, where every point is named. *)
Theorem legal_beside_one_with_another_liberty : Statements.legal_beside_one_with_another_liberty B.
Proof.
move=> S sd p c w x ep pw pc wx xp.
exact: (@legal_beside_a_block_with_another_liberty B xpredT S sd p c w x).
Qed.

Theorem they_are_one_block : Statements.they_are_one_block B.
Proof. by move=> S _ a b ab; case: (same_stone ab) => sa _; split; [| rewrite (same_col ab) | apply: Linked]. Qed.

Theorem one_connecting_move_is_enough : Statements.one_connecting_move_is_enough B.
Proof. by move=> S _ a b c p [pa ba ac [S' st ok]]; split=> //; apply: Link pa ba ac st ok. Qed.

Theorem connected_against_every_reply : Statements.connected_against_every_reply B.
Proof.
move=> S S' act _ st c p a b e /and4P[pc _ _ _] ca cb [_ _ ok]; move: e st => -> st.
by split; rewrite ?ca ?cb //; exists S'.
Qed.
End Theorems.
