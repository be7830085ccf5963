(** Checks that only the king can answer (`compelled`): when a check is so, also after a move, and what is illegal
    then. What a move forks is caught after it. And the words of the theory `forks` that are read off the board. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** Words that are read off what stands there. *)
Lemma at_who S s c k : S s = (c, k) -> who S s = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what S s c k : S s = (c, k) -> what S s = k.
Proof. by rewrite /what => ->. Qed.
Lemma at_both B s : B s = (who B s, what B s).
Proof. by rewrite /who /what; case: (B s). Qed.
Lemma after_to S c f t k : after S c f t k t = (c, k).
Proof. exact: gone_to. Qed.
Lemma after_other S c f t k s : c <> Nobody -> who S f = c -> who S s = other c -> s <> t -> after S c f t k s = S s.
Proof.
  move=> pc wf ws n; apply: gone_else n => e; subst s; apply: (other_not pc); congruence.
Qed.
Lemma check_in S c x : Words.check S c x -> in_check S c.
Proof. by move=> [_ [q [e [w a]]]]; exists q, x. Qed.

(** What the step was is what was said of it before. *)
Lemma plain_side S c f t k : Words.plain S c f t k -> c <> Nobody /\ who S f = c.
Proof. by move=> [[pc [wf _]] _]. Qed.
Lemma plain_away S c f t k : sound S -> Words.plain S c f t k -> f <> t /\ who S t <> c /\ what S t <> King.
Proof. by move=> so [go _]; apply: goes_target go. Qed.
Lemma poised_side S c f t j : Words.poised S c f t j -> c <> Nobody /\ who S f = c.
Proof. by move=> [pc [[/plain_side []//] | [-> [e _]]]]; split=> //; exact: at_who e. Qed.
Lemma poised_moved S S' act c d f t k :
  sound S -> plays S act S' -> Words.moved S act S' c f t -> S' t = (c, k) -> Words.poised S d f t k ->
  [/\ d = c, Words.plain S c f t k & S' = after S c f t k].
Proof.
  move=> so pl mv st po; have [pd wf] := poised_side po; have [_ [wf' _]] := mv.
  have e : d = c by congruence.
  clear pd wf; move: po; rewrite e => {d e} po.
  have [i [/done_makes [mk _] _]] := moved_done so pl mv; have [n _] := makes_target so mk.
  case: po => _ [[pn _]|[ft _]]; last by case: n.
  by have [p1 p2] := plain_done so pl mv st (ex_intro _ _ pn).
Qed.
Lemma only_the_king S c d f t j q x :
  sound S -> d = other c -> Words.plain S c f t j -> S q = (other c, King) -> who (after S c f t j) x = c ->
  attacks (after S c f t j) x q -> Words.screened S f t x -> Words.compelled (after S c f t j) d.
Proof.
  move=> so -> {d} pn king wx at_ sc; have [pc wf] := plain_side pn; have [_ [_ nk]] := plain_away so pn.
  have kq : after S c f t j q = (other c, King).
    by rewrite after_other // ?(at_who king) // => e; subst q; rewrite (at_what king) in nk.
  split; first by split; [exact: other_player | exists q, x; rewrite otherK].
  move=> y s ny lg; have [_ wy] := legal_side lg; apply: (sc c j q pn king wx at_ y s) lg => k0.
  apply: ny; rewrite -k0 /what after_other //; last first.
    by move=> e; subst y; rewrite /who after_to /= in wy; apply: (other_not pc).
  move: wy k0; rewrite /who /what /after /= /gone /put; case: eqP => [_ /= e _|_]; first by case: (other_not pc).
  by case: eqP => [_ /= e|//]; case: (other_player pc).
Qed.

Theorem compelled_by_what_was_moved : Statements.compelled_by_what_was_moved.
Proof.
  move=> S S' act so pl c f t k d mv st [pd e] [c' [q [pn [king at_]]]] sc; have [pc [wf _]] := mv.
  have e' : c' = c by have [_ w] := plain_side pn; congruence.
  subst c c'; have [_ ->] := plain_done so pl mv st (ex_intro _ _ pn).
  apply: (only_the_king so (esym (otherK d)) pn king _ at_ sc); exact: at_who (after_to _ _ _ _ _).
Qed.

Theorem compelled_by_what_was_unveiled : Statements.compelled_by_what_was_unveiled.
Proof.
  move=> S S' act so pl c f t d a mv [pd e] [c' [j [q [pn [king [wa [na [bt at_]]]]]]]] sc; have [pc [wf _]] := mv.
  have e' : c' = c by have [_ w] := plain_side pn; congruence.
  rewrite {}e' {c'} in pn king wa at_; subst c; have [k [dn _]] := moved_done so pl mv; have [mk _] := done_makes dn.
  have [pn' ->] := plain_done so pl mv (makes_to mk) (ex_intro _ _ pn).
  have [_ [wt _]] := plain_away so pn; have nt : a <> t by move=> e; subst a.
  have ea : after S (other d) f t k a = S a by apply: gone_else.
  apply: (only_the_king so (esym (otherK d)) pn' king _ _ sc); first by rewrite /who ea.
  apply: (attacks_still at_); first by rewrite ea gone_else.
  by move=> y _; rewrite /after /= /gone /put; case: eqP => // _ [e0 _]; case: pc.
Qed.

Theorem compelled_by_one_check : Statements.compelled_by_one_check.
Proof. by move=> S so d x [[ch _] un]; split=> //; split; [case: ch | exact: check_in ch]. Qed.

Theorem compelled_by_two : Statements.compelled_by_two.
Proof.
  move=> S so d x y ch ch' n; split; first by split; [case: ch | exact: check_in ch].
  by move=> f t; apply: two_checks n.
Qed.

Theorem checked_where_it_is_compelled : Statements.checked_where_it_is_compelled.
Proof. by move=> S so d []. Qed.

Theorem checked_by_somebody : Statements.checked_by_somebody.
Proof. by move=> S so d x ch; split; [case: ch | exact: check_in ch]. Qed.

Theorem a_king_walks : Statements.a_king_walks.
Proof. by move=> S so d q s k st [lg _]. Qed.

Theorem what_stands_there_is_owned : Statements.what_stands_there_is_owned.
Proof. by move=> S so f d k /at_who e. Qed.

Theorem who_owns_it : Statements.who_owns_it.
Proof. by move=> S so f d k /at_who e. Qed.

Theorem a_king_may_castle_some_time : Statements.a_king_may_castle_some_time.
Proof. by move=> S so d g q s r p ca; exists g, r, p. Qed.

Theorem a_pawn_passes : Statements.a_pawn_passes.
Proof. by move=> S so d f t v ip; exists v. Qed.

Theorem nobody_else_can_answer : Statements.nobody_else_can_answer.
Proof. by move=> S so d f t [_ none] [n _] _; exact: none n. Qed.

Theorem nobody_answers_in_passing : Statements.nobody_answers_in_passing.
Proof. by move=> S so d f t [_ none] [v [e _]]; apply: none; rewrite (at_what e). Qed.

Theorem nobody_castles_out_of_it : Statements.nobody_castles_out_of_it.
Proof.
  move=> S so d f t [[_ ch] _] [g [r [p /castle_apart far]]] [_ e] [B [mk _]].
  case: mk => [[_ [_]]|v [e' _] _|g' r' p' ca _].
  - rewrite (at_what e) => -[at_ _]; apply: far; move: at_; by rewrite /attacks (at_what e).
  - by move: e'; rewrite e.
  case: ca ch => _ [_ [kf [_ [_ none]]]] [o [x [ko [wx at_]]]]; apply: (none f); first by left.
  by exists x; rewrite (sound_one_king so kf ko).
Qed.

Theorem it_is_still_there : Statements.it_is_still_there.
Proof.
  move=> S S' act so pl c f t k x d mv st [po [nx [wx _]]] [pd wo] [_ ec].
  have [e pn ->] := poised_moved so pl mv st po; have [pc wf] := plain_side pn.
  by split=> //; rewrite /who after_other // wx e.
Qed.

Theorem after_a_forking_move : Statements.after_a_forking_move.
Proof.
  move=> S S' act so pl c f t k x d mv st [po [nx [wx [nk all]]]] [pd wo] [_ ec].
  have [e pn ->] := poised_moved so pl mv st po; have [pc wf] := plain_side pn.
  have ed : d = other c by rewrite ec otherK.
  move: wx all; rewrite e -ed => wx all; split=> //; split; first by rewrite /who after_other // wx.
  move=> q s kq stp lg; rewrite -ec; exists t; apply: (all q s) => //.
  move: kq; rewrite /after /= /gone /put; case: eqP => [_ /= []|_].
    by move=> e'; case: (other_not pd); rewrite -ec.
  by case: eqP => [_ /= []|_ //].
Qed.
