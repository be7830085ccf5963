(** The clauses of `checks`: check, what answers it, and which men are pinned. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

Theorem nobody_attacks_the_king : Statements.nobody_attacks_the_king.
Proof.
  move=> S sd c q d [nc kq] [_ ->] [_ H]; split=> // r x kr o; rewrite (sound_one_king sd kr kq).
  exact: H.
Qed.
Theorem somebody_does : Statements.somebody_does.
Proof. by move=> S sd c q x d j [nc kq] at_ e [_ ed]; split=> //; exists q; rewrite /who e. Qed.
Theorem one_does : Statements.one_does.
Proof.
  move=> S sd c q x d j [nc kq] [at_ H] e [_ ed].
  split=> [|y [_ [r [kr [o aty]]]]]; first by split=> //; exists q; rewrite /who e.
  by apply: H; [rewrite o /who e | rewrite (sound_one_king sd kq kr)].
Qed.
Theorem by_taking : Statements.by_taking.
Proof. by move=> S sd c x sg; exists x; split=> //; left. Qed.
Theorem by_coming_between : Statements.by_coming_between.
Proof. by move=> S sd c x q t sg [_ kq] b; exists x; split=> //; right; exists q. Qed.

(** A man but for which its king were attacked stands between. *)
Lemma loose_unless S c f k q :
  sound S -> S f = (c, k) -> S q = (c, King) -> c <> Nobody ->
  (forall x, who S x = other c -> between q x f -> ~ Board.attacks (Words.without S f) x q) -> Words.loose S c f.
Proof.
  move=> sd e kq nc H; split=> //; split=> [|r x kr o at_]; first by rewrite /who e.
  rewrite (sound_one_king sd kr kq) in at_ *.
  by case: (cleared_attack at_) => nx [//|/between_sym b]; case: (H x).
Qed.
Theorem loose_on_no_line : Statements.loose_on_no_line.
Proof.
  move=> S sd f c k q e [nc kq] l; apply: (loose_unless sd e kq nc) => x _ b _.
  by have [w [nw [_ [l' _]]]] := between_line b; apply: nw; apply: line_one l' l.
Qed.
Theorem loose_behind_another : Statements.loose_behind_another.
Proof.
  move=> S sd f c k q y d j e [nc kq] by_ ey nd; apply: (loose_unless sd e kq nc) => x _ b at_.
  have [b' _] := between_near b by_; have [_ [n _]] := between_apart by_.
  have := attacks_clear at_ (iffLR (between_sym _ _ _) b'); rewrite /Words.without put_else // ey.
  by move=> e'; apply: nd; case: e'.
Qed.
Theorem loose_with_nobody_behind : Statements.loose_with_nobody_behind.
Proof.
  move=> S sd f c k q w d e [nc kq] see [_ ed] [_ H]; apply: (loose_unless sd e kq nc) => x o b at_; subst d.
  have pn : Words.pinned S c f x by split=> //; split; [rewrite /who e | split=> //; exists q].
  have [v [see1 [see2 sl]]] := pinned_sees sd pn kq.
  by have [_ [l1 _]] := see; have [_ [l2 _]] := see1; rewrite (line_one l1 l2) in H; case: (H x see2 o).
Qed.
Theorem pinned_along_a_line : Statements.pinned_along_a_line.
Proof.
  move=> S sd f c k q w x d j e [nc kq] [nw [l1 [_ c1]]] [_ [l2 [_ c2]]] ex [_ ed] sl.
  have nxf : x <> f by move=> e'; rewrite e' in l2; apply: line_self l2.
  split=> //; split; first by rewrite /who e.
  split; first by rewrite /who ex.
  exists q; split=> //; split; first exact: between_of l1 l2.
  apply/attacksP/Or41; exists (opposite w); rewrite /Words.without /what put_else // ex.
  split; first by apply/slides_opposite.
  split=> [|y /between_sym m]; first by apply/line_back; apply: line_trans l1 l2.
  case: (y =P f) => [->|n]; first by rewrite put_at.
  rewrite put_else //; have [l3 l4] := between_on nw (line_trans nw l1 l2) m.
  case: (line_two nw l1 l3) => [e'|[m'|m']]; first by case: n.
    by have [_ m2] := between_near m m'; apply: c2; have [_ l5] := between_on nw l3 m'; apply: between_of l5 l4.
  exact: c1.
Qed.
