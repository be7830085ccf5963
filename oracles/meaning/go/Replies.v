(** The replies of the games: whoever replies plays a move that is legal or passes, and each of these is a case; who is
    a player may always pass. *)
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Effects.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Theorems.
Variable B : board.
Implicit Types (S : state B) (c d : hue) (p : B).

Lemma not_illegal S c p : Words.legal S c p -> ~ Words.illegal S c p.
Proof. by move=> lg []. Qed.

Lemma may_pass S c : is_player c -> exists S', step S (Pass B c) S'.
Proof. by exists (passed S). Qed.

Lemma opponent_player c d : Words.opponent c d -> is_player d.
Proof. by case=> pc ->; case: (player_other B pc). Qed.

Theorem replies_take : Statements.replies_take B.
Proof.
move=> S S' [c p | c] sd [lg _] b pb /= e; [left; exists c, p | right; exists c]; split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_take_2 : Statements.open_take_2 B.
Proof. by move=> S sd b d pb <-; apply: may_pass. Qed.

Theorem replies_save : Statements.replies_save B.
Proof.
move=> S S' [c p | c] sd [lg _] b pb /= e; [left; exists c, p | right; exists c]; exists (col S b); split=> //;
  split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_save_2 : Statements.open_save_2 B.
Proof. by move=> S sd b d c _ _ /opponent_player/may_pass. Qed.

Theorem replies_connect : Statements.replies_connect B.
Proof.
move=> S S' [c p | c] sd [lg _] a _ pa /= e; [left; exists c, p | right; exists c]; exists (col S a); split=> //;
  split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_connect_2 : Statements.open_connect_2 B.
Proof. by move=> S sd a c d _ _ /opponent_player/may_pass. Qed.
End Theorems.
