(** What a concluded capture gains at least: the stones of the block. As long as a block is there, its stones are of one
    block with each other, and perhaps with others; and a block is taken as a whole. So the play that takes the block
    ends with all its stones gone. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects.
From Go Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Block.
Variables (B : board) (S0 : state B) (b : B).
Implicit Types (S : state B) (c : hue) (a : action B) (s : B) (n : Z).

(** What became of the block that was there: it is there, as part of one; or no stone of it is. *)
Definition whole S : Prop := col S b = col S0 b /\ forall s, same S0 b s -> same S b s.
Definition off S : Prop := forall s, same S0 b s -> col S s = empty.

Lemma whole_after S a S' : sound S -> stone S0 b -> step S a S' -> whole S -> whole S' \/ off S'.
Proof.
move=> sd sb st [cb all]; have pb : is_player (col S b) by rewrite cb.
case: a st => [c p | c] /= [lg ->]; last by left.
have [pc _ _ _] := and4P lg.
case tk: (taken S c p b).
  by right=> s /all bs; apply: (taken_leaves sd lg); rewrite (taken_same sd lg bs).
have cb' : col (put S c p) b = col S b.
  case: (hue_cases B (col S b) pc) => e; first by rewrite e; apply: (own_stays sd lg).
    by rewrite e; apply: (other_stays sd lg) => //; rewrite tk.
  by rewrite e in pb.
by left; split=> [|s /all]; [rewrite cb' | apply: (same_grows sd lg); rewrite /stone cb'].
Qed.

Variables (c : hue) (n : Z).
Hypotheses (c_other : c = other (col S0 b)) (n_stones : stones S0 b n).

Lemma off_gained S : off S -> gained_second S0 c n S.
Proof.
have [sb ->] := n_stones; have [pc [_ oo]] := player_other B sb => no; apply: Gained; apply: many_le => s bs.
by rewrite /gone c_other oo (same_col bs) eqxx (no s bs) eq_sym; apply: sb.
Qed.

(** By the play that takes the block. *)
Fixpoint first_gains S (t : taken_first S b) {struct t} : sound S -> whole S -> gained_first S0 c n S
with second_gains S (t : taken_second S b) {struct t} : sound S -> whole S \/ off S -> gained_second S0 c n S.
Proof.
- case: t => a S' pb ac st t sd w; apply: (Raid _ st); first by rewrite ac c_other w.1.
  by apply: (second_gains _ t (sound_step sd st)); apply: whole_after st w; case: n_stones.
- move=> sd [w | /off_gained //]; have [sb _] := n_stones; case: t => [gone_b | all].
    by move: sb; rewrite /stone -w.1 gone_b.
  apply: Unrescued => a S' ac st; have {}ac : actor a = col S b.
    by rewrite ac c_other w.1; case: (player_other B sb) => _ [].
  have t := all a S' ac st; apply: (first_gains _ t (sound_step sd st)).
  case: (whole_after sd sb st w) => // no; case: t => a' S1 pb.
  by move: pb; rewrite (no b (same_refl sb)).
Qed.
End Block.

Theorem all_stones_of_the_block (B : board) : Statements.all_stones_of_the_block B.
Proof.
move=> S sd b c p n [pb ac [S' st t]] ns; have [pc _] := player_other B pb.
split=> //; [by move: ac => /= -> | exists S' => //].
by apply: (second_gains ac ns t (sound_step sd st)); apply: (whole_after sd _ st).
Qed.
