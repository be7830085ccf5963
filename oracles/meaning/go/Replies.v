(** The replies of the games: whoever replies plays a move that is legal or passes, and each of these is a case; who is
    a player may always pass; and what is won after every reply is won though the other side plays first. *)
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
move=> S S' [c p | c] sd [lg _] b pb /= e; [left; exists c, p | right; exists c, (other c)]; split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_take_2 : Statements.open_take_2 B.
Proof. by move=> S sd b d c _ [pd _]; apply: may_pass. Qed.

Theorem replies_save : Statements.replies_save B.
Proof.
move=> S S' [c p | c] sd [lg _] b pb /= e; [left; exists c, p | right; exists c]; exists (col S b); split=> //;
  split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_save_2 : Statements.open_save_2 B.
Proof. by move=> S sd b d c _ /opponent_player/may_pass. Qed.

Theorem replies_connect : Statements.replies_connect B.
Proof.
move=> S S' [c p | c] sd [lg _] a _ pa /= e; [left; exists c, p | right; exists c]; exists (col S a); split=> //;
  split=> //; split=> //.
by split=> //; apply: not_illegal.
Qed.

Theorem open_connect_2 : Statements.open_connect_2 B.
Proof. by move=> S sd a c d _ /opponent_player/may_pass. Qed.
(** Whose stone stands there after a move or pass, of another colour than who played, had it there before; and where a
    stone stands before and after it is the same. *)
Lemma stood_before S a S' x : step S a S' -> is_player (col S' x) -> col S' x <> Words.actor a -> col S' x = col S x.
Proof.
case: a => [c p | c] [lg ->] //= pl no; move: pl no; rewrite /board_after; case: taken => //=; by case: (x =P p).
Qed.
Lemma stands_still S a S' x : step S a S' -> is_player (col S x) -> is_player (col S' x) -> col S' x = col S x.
Proof.
case: a => [c p | c] [lg ->] //=; rewrite /board_after; case: taken => //= px _; case: (x =P p) => // xp.
by move: px; rewrite xp; case/and4P: lg => _ /eqP ->.
Qed.

Theorem reply_rule_take : Statements.reply_rule_take B.
Proof.
move=> S sd b [S1 [a1 [st1 c1]]] won; have pb : is_player (col S b).
  by case: c1 => [[d [p [_ [-> [/and4P []]]]]] | [d [x [_ [-> []]]]]].
split=> //; apply: Words.Answered => a S' ac st; have [_ fi] := won S' a st (replies_take sd st pb ac); exact: fi.
Qed.

Theorem reply_rule_save : Statements.reply_rule_save B.
Proof.
move=> S sd b [S1 [a1 [st1 c1]]] won; have pb : is_player (col S b).
  by case: c1 => [[c [p [d [_ [-> [[]]]]]]] | [c [d [_ [-> []]]]]].
split=> //; apply: Words.Survival => // a S' ac st; have [pb' fi] := won S' a st (replies_save sd st pb ac).
by split=> //; apply: stands_still st pb pb'.
Qed.

Theorem reply_rule_connect : Statements.reply_rule_connect B.
Proof.
move=> S sd a b [S1 [a1 [st1 c1]]] won; have [pa ac1] : is_player (col S a) /\ Words.actor a1 = other (col S a).
  by case: c1 => [[d [p [c [-> [-> [[pc ->]]]]]]] | [d [c [-> [-> [pc ->]]]]]].
have [pa1 e1 _] := won S1 a1 st1 c1; have ea1 := stands_still st1 pa pa1.
have eb : col S b = col S a.
  rewrite -ea1 -e1; apply: esym; apply: stood_before st1 _ _; rewrite e1 // ea1 ac1.
  by have [_ [no _]] := player_other B pa; apply: nesym.
split=> //; apply: Words.Unprevented => // a2 S' ac st.
have [pa' e fi] := won S' a2 st (replies_connect sd st b pa ac); have ea := stands_still st pa pa'.
by split=> //; rewrite e ea eb.
Qed.
End Theorems.
