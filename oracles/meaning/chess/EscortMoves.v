(** Proofs of what the theory says after a move where a king and a pawn play against a king alone: what a step of
    the other king, a push of the pawn or a step of its own king leaves. *)
From Chess Require Import Board Lines Effects Alone Escort.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (b f k p q s t x y : square) (c d : side) (j : kind).

(** The boards before and after. *)
Lemma king_went S S' c k p j q s : alone S c k p j q -> plays S (Move q s) S' ->
  legal_move S (other c) q s /\ forall u, S' u = gone S (other c) q s King u.
Proof.
  move=> a [d [_ [B [m [sf [_ ->]]]]]]; have ed : d = other c by have [_] := makes_side m; rewrite /who (al_q a).
  rewrite ed in m sf *; have l : legal_move S (other c) q s by exists B.
  split=> // u; have [_ _ _ e _] := alone_moves a m sf.
  by rewrite /follow /= e /what (al_q a).
Qed.
Lemma trod_alone S act S' c x : sound S -> plays S act S' -> Words.trod S act S' c x ->
  exists k q s, [/\ alone S c k x Pawn q, alone S' c k x Pawn s, step q s, 1 < dist k s & ~ strikes c x s].
Proof.
  move=> so pl [q [s [ea [eq [st [r n]]]]]]; subst act.
  have [k [q' a]] := runner_alone so r; have e := alone_other_king a eq; subst q'.
  have [l e] := king_went a pl; have [_ _ nk far] := alone_legal a l; exists k, q, s.
  split=> //; last exact: alone_pawn_struck a l n.
  have em : S s = nothing by apply: (al_else a) => // h; subst s; move: st; geo.
  have [h1 h2 h3 h4 h5 h6 h7 h8] := alone_stepped a em.
  by split=> //; rewrite ?e // => u m1 m2 m3; rewrite e h8.
Qed.
Lemma own_alone S S' c k x q f t : alone S c k x Pawn q -> who S f = c -> plays S (Move f t) S' ->
  S t = nothing /\ (f = x /\ alone S' c k t Pawn q \/ [/\ f = k, step k t & alone S' c t x Pawn q]).
Proof.
  move=> a w [d [_ [B [m [sf [_ ->]]]]]]; have ed : d = c by have [_ <-] := makes_side m.
  rewrite ed in m sf *; have [e [eB h]] := alone_own_moves a m; split=> //.
  case: h eB => [->|[-> st]]; rewrite /what ?(al_p a) ?(al_k a) => /= eB; [left | right].
    by split=> //; rewrite /follow /= eB; exact: (alone_pushed Pawn a e).
  by split=> //; rewrite /follow /= eB; exact: (alone_walked a e).
Qed.
Lemma pushed_alone S act S' c x t : sound S -> plays S act S' -> Words.pushed S act S' c x t ->
  exists k q, alone S c k x Pawn q /\ alone S' c k t Pawn q.
Proof.
  move=> so pl [ea [r _]]; subst act; have [k [q a]] := runner_alone so r; exists k, q; split=> //.
  have [|_ [[_ //]|[h _ _]]] := own_alone a _ pl; first by rewrite /who (al_p a).
  by case: (al_kp a).
Qed.
Lemma strode_alone S act S' c k s x : sound S -> plays S act S' -> Words.strode S act S' c k s x ->
  exists q, alone S c k x Pawn q /\ alone S' c s x Pawn q.
Proof.
  move=> so pl [ea [ek r]]; subst act; have [k' [q a]] := runner_alone so r; exists q.
  have e : k' = k := sound_one_king so (al_k a) ek; subst k'; split=> //.
  have [|_ [[h _]|[_ _ //]]] := own_alone a _ pl; first by rewrite /who (al_k a).
  by case: (al_kp a).
Qed.
Lemma opponent_other c d : Words.opponent d c -> d = other c.
Proof. by case=> _ ->; rewrite otherK. Qed.
Lemma alone_keeps S S' c k p k' p' q : alone S c k p Pawn q -> alone S' c k' p' Pawn q ->
  Words.keeps S c k' p' -> Words.stands S' c p'.
Proof.
  move=> a a' h; split; first exact: alone_runner a'.
  exists k'; split; first exact: al_k a'.
  case: h => [|[u [eu g]]]; [by left | right; exists q; split; first exact: al_q a'].
  by rewrite -(alone_other_king a eu).
Qed.
Lemma alone_ample S S' c k p k' p' q b : alone S c k p Pawn q -> alone S' c k' p' Pawn q ->
  Words.holds S c k' p' b -> Words.ample S' c p' b.
Proof.
  move=> a a' [i [l [n h]]]; split; first exact: alone_runner a'.
  exists k'; split; first exact: al_k a'.
  exists i; split=> //; split=> // u s /(alone_other_king a') ->; apply: h; exact: al_q a.
Qed.
Lemma alone_mobile S S' c k p k' p' q : alone S c k p Pawn q -> alone S' c k' p' Pawn q ->
  Words.leaves_a_step S c k' p' -> Words.mobile S' (other c).
Proof.
  move=> a a' [u [s [/(alone_other_king a) -> [st [n [far ns]]]]]]; exists q, s.
  split; first by split; [exact: other_player (al_side a) | exact: al_q a'].
  split=> //; exact: (alone_pawn_step a').
Qed.

(** Wherever the other king steps. *)
Theorem it_went_there : Statements.it_went_there.
Proof.
  move=> S S' act so pl q s d ea [[s1 eq] [st l]]; subst act.
  have [c [_ [B [m [_ [_ ->]]]]]] := pl; have e : c = d by have [_ <-] := makes_side m; rewrite /who eq.
  by split=> //; rewrite /follow /= (makes_to m) e /what eq.
Qed.
Theorem it_stepped : Statements.it_stepped.
Proof.
  move=> S S' act so pl q s d c x ea [[s1 eq] [st l]] [_ ed] r _ [_ [k [ek ke]]]; subst d.
  exists q, s; split=> //; split=> //; split=> //; split=> // h; subst s.
  have [k' [q' a]] := runner_alone so r; have [e _ _ far] := alone_legal a l; subst q'.
  have e := alone_king a _ ek; rewrite -e // in far.
  case: ke => [|[u [/(alone_other_king a) ->]]]; geo.
Qed.
Theorem they_are_still_alone : Statements.they_are_still_alone.
Proof. by move=> S S' act so pl c x /(trod_alone so pl) [k [q [s [_ /alone_runner]]]]. Qed.
Theorem the_pawn_is_there : Statements.the_pawn_is_there.
Proof. by move=> S S' act so pl c x /(trod_alone so pl) [k [q [s [_ /alone_runner [_ []]]]]]. Qed.
Theorem its_king_is_where_it_was : Statements.its_king_is_where_it_was.
Proof.
  move=> S S' act so pl c x k /(trod_alone so pl) [k' [q [s [a a' _ _ _]]]] [s1 e]; split=> //.
  by rewrite (alone_king a _ e) // (al_k a').
Qed.
Theorem a_step_brings_it_one_nearer : Statements.a_step_brings_it_one_nearer.
Proof.
  move=> S S' act so pl c x b /(trod_alone so pl) [k [q [s [a a' st far ns]]]] [r [k' [ek [i [l [n h]]]]]].
  have e : k' = k by apply: (alone_king a _ ek).
  subst k'; have [out ai] := h _ _ (al_q a) st far ns; have [ni nx] := lane_apart l; have r' := alone_runner a'.
  have ek' := al_k a'; have eq' := al_q a'; split; [|split].
  - split=> //; exists i; split=> //.
    by case: out => [[st' _]|g]; [left; exists k | right; exists s].
  - split=> //; exists i; split=> //.
    by case: ai => [|[el|[u [cr g]]]]; [left | right; left; exists k | right; right; exists u, s].
  - apply: (al_else a') => // e; subst b; case: out => [[] //|]; rewrite /dist; lia.
Qed.

(** After a push. *)
Theorem a_push_against_a_king_alone : Statements.a_push_against_a_king_alone.
Proof. by []. Qed.
Theorem they_are_alone_after_a_push : Statements.they_are_alone_after_a_push.
Proof. by move=> S S' act so pl c x t /(pushed_alone so pl) [k [q [_ /alone_runner]]]. Qed.
Theorem the_other_is_bare_after_a_push : Statements.the_other_is_bare_after_a_push.
Proof.
  by move=> S S' act so pl c x t d /(pushed_alone so pl) [k [q [_ a]]] /opponent_other ->; exact: alone_bare a.
Qed.
Theorem the_other_king_has_not_moved : Statements.the_other_king_has_not_moved.
Proof.
  move=> S S' act so pl c x t d q /(pushed_alone so pl) [k [q' [a a']]] /opponent_other -> [s1 e]; split=> //.
  by rewrite (alone_other_king a e) (al_q a').
Qed.
Theorem the_pawn_stands_after_a_push : Statements.the_pawn_stands_after_a_push.
Proof.
  move=> S S' act so pl c x t k /(pushed_alone so pl) [k' [q [a a']]] [_ /(alone_king a) ->] //.
  exact: alone_keeps a a'.
Qed.
Theorem the_next_squares_are_held_after_a_push : Statements.the_next_squares_are_held_after_a_push.
Proof.
  move=> S S' act so pl c x t k b /(pushed_alone so pl) [k' [q [a a']]] [_ /(alone_king a) ->] //.
  exact: alone_ample a a'.
Qed.
Theorem the_other_king_has_a_step_after_a_push : Statements.the_other_king_has_a_step_after_a_push.
Proof.
  move=> S S' act so pl c x t d k /(pushed_alone so pl) [k' [q [a a']]] /opponent_other -> [_ /(alone_king a) ->] //.
  exact: alone_mobile a a'.
Qed.

(** After a step of its own king. *)
Theorem a_step_with_the_pawn_left : Statements.a_step_with_the_pawn_left.
Proof. by move=> S S' act so pl k s c x ea _ [_ e] _ r _. Qed.
Theorem they_are_alone_after_a_step : Statements.they_are_alone_after_a_step.
Proof. by move=> S S' act so pl c k s x /(strode_alone so pl) [q [_ /alone_runner]]. Qed.
Theorem the_other_is_bare_after_a_step : Statements.the_other_is_bare_after_a_step.
Proof.
  by move=> S S' act so pl c k s x d /(strode_alone so pl) [q [_ a]] /opponent_other ->; exact: alone_bare a.
Qed.
Theorem the_other_king_stays_after_a_step : Statements.the_other_king_stays_after_a_step.
Proof.
  move=> S S' act so pl c k s x d q /(strode_alone so pl) [q' [a a']] /opponent_other -> [s1 e]; split=> //.
  by rewrite (alone_other_king a e) (al_q a').
Qed.
Theorem the_pawn_stands_after_a_step : Statements.the_pawn_stands_after_a_step.
Proof. move=> S S' act so pl c k s x /(strode_alone so pl) [q [a a']]; exact: alone_keeps a a'. Qed.
Theorem the_squares_are_held_after_a_step : Statements.the_squares_are_held_after_a_step.
Proof. move=> S S' act so pl c k s x b /(strode_alone so pl) [q [a a']]; exact: alone_ample a a'. Qed.
Theorem the_other_king_has_a_step_after_a_step : Statements.the_other_king_has_a_step_after_a_step.
Proof.
  move=> S S' act so pl d c k s x /opponent_other -> /(strode_alone so pl) [q [a a']]; exact: alone_mobile a a'.
Qed.
