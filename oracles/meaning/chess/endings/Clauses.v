(** What each clause of `endings` says of one position. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Words.
From Endings Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (e k q s x y z : square) (c d : side) (n i j : Z).

Theorem the_other_side_answers : Statements.the_other_side_answers.
Proof. by move=> S so c x e i r; exists e, i; split=> //; left. Qed.
Theorem the_other_side_begins : Statements.the_other_side_begins.
Proof. by move=> S so c x e i m r ->; exists e, i; split=> //; right. Qed.
Theorem a_king_is_simple : Statements.a_king_is_simple.
Proof. by move=> S so c k [n e]; rewrite /simple /who /what e; auto. Qed.
Theorem a_pawn_is_simple : Statements.a_pawn_is_simple.
Proof.
  move=> S so z c e; have n : c <> Nobody.
    by move=> h; have := iffLR (sound_proper so z); rewrite /who /what e => /(_ h).
  by rewrite /simple /who /what e; auto.
Qed.
Theorem a_king_strikes_as_it_comes : Statements.a_king_strikes_as_it_comes.
Proof. by move=> S so c x n d y t [_ ->] [_ e]; split=> //; left. Qed.
Theorem it_is_too_far_aside : Statements.it_is_too_far_aside.
Proof.
  move=> S so c x n d y m g t [_ ->] e [_ em] eg h; split=> //; split=> //; left.
  by move: h; rewrite em eg /count /files; lia.
Qed.
Theorem it_is_not_ahead : Statements.it_is_not_ahead.
Proof. by move=> S so c x n d y h t [_ ->] e [_ ->] le; split=> //; split=> //; right. Qed.
Theorem too_far_aside_for_a_check : Statements.too_far_aside_for_a_check.
Proof.
  move=> S so c x n d y k m g t [_ ->] e [_ ek] [_ em] eg h; split=> //; split=> //; exists k; split=> //; left.
  by move: h; rewrite em eg /count /files; lia.
Qed.
Theorem not_ahead_of_the_king : Statements.not_ahead_of_the_king.
Proof. by move=> S so c x n d y k h t [_ ->] e [_ ek] [_ ->] le; split=> //; split=> //; exists k; auto. Qed.
Theorem too_far_ahead_of_the_king : Statements.too_far_ahead_of_the_king.
Proof.
  move=> S so c x n d y k h t [_ ->] e [_ ek] [_ eh] le; split=> //; split=> //; exists k; split=> //; right; right.
  by move: le; rewrite eh /ranks; lia.
Qed.
Theorem it_runs_too_late : Statements.it_runs_too_late.
Proof.
  by move=> S so d c x n y e j [nd _] t ey l le h; split=> //; split=> //; exists e, j; do 2 split=> //; lia.
Qed.
Theorem a_pawn_does_nothing : Statements.a_pawn_does_nothing.
Proof. by move=> S so c x y n d a b [_ ->] l; split; [case: a | right]. Qed.
Theorem three_men_are_few : Statements.three_men_are_few.
Proof. by move=> S so d n [nd ->] h; split. Qed.

Theorem aside_of_the_pawn : Statements.aside_of_the_pawn.
Proof. by move=> S so y d c z g e [_ ->] s -> h; split=> //; split=> //; left; move: h; rewrite /files; lia. Qed.
Theorem behind_the_pawn : Statements.behind_the_pawn.
Proof. by move=> S so y d c z h e [_ ->] s [_ ->] le; split=> //; split=> //; right. Qed.
Theorem the_pawn_itself : Statements.the_pawn_itself.
Proof. by move=> S so d c x n y [nd ->] t e; split=> //; split=> //; split=> //; left. Qed.
Theorem a_pawn_that_stays_on_other_files : Statements.a_pawn_that_stays_on_other_files.
Proof.
  move=> S so d c x n y z m g [nd ->] t e ez [_ em] eg h g0; split=> //; split=> //; split=> //; right; left.
  by split=> //; move: h g0; rewrite em eg /count /files; lia.
Qed.
Theorem a_king_that_stays_behind : Statements.a_king_that_stays_behind.
Proof.
  move=> S so d c x n y q h [nd ->] t e [_ eq] [_ eh] le; do 3 split=> //; right; right; split=> //; left.
  by move: le; rewrite eh /ranks; lia.
Qed.
Lemma lane_file c x e n : lane c x e n -> fl e = fl x.
Proof. by move=> [n_ [li _]]; move: li; case: c n_ => // _ [/= h _]; lia. Qed.
Theorem a_king_that_stays_on_other_files : Statements.a_king_that_stays_on_other_files.
Proof.
  move=> S so d c x n y q g e j f h [nd ->] t ey [_ eq] eg lg la le ef [_ eh] lt.
  split=> //; split=> //; split=> //; right; right; split=> //; right; split; first by move: lg; rewrite eg /files; lia.
  exists e; split=> //; split; first exact: lane_file le.
  by left; move: lt; rewrite ef eh /files /ranks; lia.
Qed.
Theorem a_king_that_stays_on_other_files_of_a_pawn_far_from_the_queen :
  Statements.a_king_that_stays_on_other_files_of_a_pawn_far_from_the_queen.
Proof.
  move=> S so d c x n y q g e j f h [nd ->] t ey [_ eq] eg lg la le ef [_ eh] lt.
  split=> //; split=> //; split=> //; right; right; split=> //; right; split; first by move: lg; rewrite eg /files; lia.
  exists e; split=> //; split; first exact: lane_file le.
  by right; move: lt; rewrite ef eh /files /ranks; lia.
Qed.
Theorem it_always_has_a_move : Statements.it_always_has_a_move.
Proof.
  move=> S so d c x n y m m' [nd ->] t e [nc _] _ a b; split=> //; split=> //; split=> //.
  by split=> z w; [apply: a | apply: b].
Qed.

(** Where a queen is. *)
Theorem a_king_is_calm : Statements.a_king_is_calm.
Proof. by move=> S so s c d q e [_ ->] [_ eq]; split; [exists s | rewrite /who /what eq; auto]. Qed.
Theorem a_young_pawn_on_another_rank_is_calm : Statements.a_young_pawn_on_another_rank_is_calm.
Proof.
  move=> S so s c d y k h e [nc ->] ey yo [_ ek] [_ eh] nh; split; first by exists s.
  rewrite /who /what ey; split=> //; right; split=> //; split=> //; exists k; split=> //.
  rewrite /attacks /who /what ey /= => [[_ [h1 h2]]]; apply: nh; rewrite eh.
  by move: h1 h2; clear -nc; case: c nc => // _; cbn [fwd other]; lia.
Qed.
Theorem a_young_pawn_on_another_file_is_calm : Statements.a_young_pawn_on_another_file_is_calm.
Proof.
  move=> S so s c d y k g e [nc ->] ey yo [_ ek] eg ng; split; first by exists s.
  rewrite /who /what ey; split=> //; right; split=> //; split=> //; exists k; split=> //.
  rewrite /attacks /who /what ey /= => [[_ [h1 h2]]]; apply: ng; rewrite eg.
  by move: h1 h2; lia.
Qed.
Theorem won_with_a_queen : Statements.won_with_a_queen.
Proof.
  move=> S so s c d m es [nc ->] [_ fw] [nd _] al; split=> //; right; apply: Queening => //; split; last split.
  - move=> [k [y [ek [oy ay]]]]; have [_ [_ ca]] := al y (conj nd oy).
    case: ca => [ky|[_ [_ [k' [ek' no]]]]]; last by apply: no; rewrite (sound_one_king so ek' ek).
    have ey : S y = (other c, King) by rewrite -oy -ky /who /what; case: (S y).
    have [r er] := sound_king so nc.
    apply: (sound_one_check so (c := c)); first by exists k, y.
    exists y, k; rewrite otherK /who ek; split=> //; split=> //; rewrite /attacks /what ek /=; apply/step_sym.
    by move: ay; rewrite /attacks ky.
  - by exists s.
  split=> [|y oy]; first by apply/leP; move: fw; rewrite /count; lia.
  by have [_ [_ [ky|[py [yo _]]]]] := al y (conj nd oy); [left | right].
Qed.
