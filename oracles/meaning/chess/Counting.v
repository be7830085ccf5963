(** How many men each side has after a move: the last clauses of placement. *)
From Chess Require Import Board Words Lines Effects Placement.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (f o p q r s t v x : square) (c d : side) (k : kind).

(** How many men stand on a board. *)
Definition count B c : nat := #|[pred s | who B s == c]|.
Lemma count_put B s m c : (count (put B s m) c + (who B s == c) = count B c + (m.1 == c))%N.
Proof.
  rewrite /count (cardD1 s) [in RHS](cardD1 s) !inE /who put_at.
  set a := #|_|; set b := #|_|; have -> : a = b.
    by apply: eq_card => x; rewrite !inE /who /put; case: eqP.
  rewrite -!plusE; lia.
Qed.

Lemma nobody_not d : d <> Nobody -> (Nobody == d) = false.
Proof. by case: d. Qed.
Lemma who_put B s m x : x <> s -> who (put B s m) x = who B x.
Proof. by move=> n; rewrite /who put_else. Qed.
Lemma count_gone B c d f t k : d <> Nobody -> f <> t ->
  (count (gone B c f t k) d + (who B f == d) + (who B t == d) = count B d + (c == d))%N.
Proof.
  move=> dn n; have := count_put B f nothing d; have := count_put (put B f nothing) t (c, k) d.
  rewrite -/(gone B c f t k) who_put; last by move=> e; case: n.
  rewrite /= (nobody_not dn) ?addn0 -?plusE; lia.
Qed.
Lemma castle_between c g (k t r p : square) : castle c g k t r p -> between k r t /\ between k r p.
Proof. by case: g => H; split; [exists East | exists East | exists West | exists West]; split=> //; geo. Qed.
Lemma castled_count S c g (f t r p : square) d : sound S -> may_castle S c g f t r p -> d <> Nobody ->
  count (castled_to S c f t r p) d = count S d.
Proof.
  move=> snd mc dn; have [cs [_ [ef [er [nb _]]]]] := mc; have [[n1 n2 n3 n4] [n5 n6]] := castled_square cs.
  have [/nb et /nb ep] := castle_between cs.
  have := count_put S f nothing d; have := count_put (put S f nothing) r nothing d.
  have := count_put (put (put S f nothing) r nothing) t (c, King) d.
  have := count_put (put (put (put S f nothing) r nothing) t (c, King)) p (c, Rook) d.
  rewrite -/(castled_to S c f t r p) !who_put; try by [|move=> e; congruence].
  rewrite /who ef er et ep /= (nobody_not dn) ?addn0 -?plusE; lia.
Qed.
Lemma passed_count S c (f t v : square) d : sound S -> in_passing S c f t v -> d <> Nobody ->
  (count (passed_by S c f t v) d + (other c == d) = count S d)%N.
Proof.
  move=> snd [ef [st [_ [et [ev [h lp]]]]]] dn.
  have cn : c <> Nobody by case: st.
  have n1 : v <> f by move=> e; subst v; move: ev; rewrite ef => - [e]; case: (other_not cn).
  have n2 : t <> f by move=> e; subst t; move: et; rewrite ef.
  have n3 : t <> v by move=> e; subst t; move: et; rewrite ev.
  have := count_put S f nothing d; have := count_put (put S f nothing) v nothing d.
  have := count_put (put (put S f nothing) v nothing) t (c, Pawn) d.
  rewrite -/(passed_by S c f t v) !who_put //.
  rewrite /who ef et ev /= (nobody_not dn) ?addn0 -?plusE; lia.
Qed.
(** One is taken, or none is. *)
Lemma makes_men S c f t k B d : sound S -> makes S c f t k B -> d <> Nobody ->
  (forall v, ~ in_passing S c f t v) /\ (count B d + (who S t == d) = count S d)%N
  \/ (exists v, in_passing S c f t v) /\ (count B d + (other c == d) = count S d)%N.
Proof.
  move=> snd mk dn; have [cn ef] := makes_side mk; case: mk => [gs|v ip _|g r p mc _].
  - left; split; first by move=> v /in_passing_not_goes.
    have [n [m _]] := goes_target snd gs; have := count_gone S c k dn n.
    rewrite ef -!plusE; lia.
  - by right; split; [exists v | apply: passed_count].
  - left; split; first by move=> v [e]; case: mc => _ [_ [e' _]]; rewrite e in e'.
    have [_ [_ [e _]]] := mc; rewrite (castled_count snd mc dn).
    suff -> : who S t = Nobody by rewrite (nobody_not dn) addn0.
    have [cs [_ [_ [er [nb _]]]]] := mc.
    by have [/nb et _] := castle_between cs; rewrite /who et.
Qed.

Lemma men_after S act S' c f t : sound S -> plays S act S' -> moved S act S' c f t -> forall d, d <> Nobody ->
  (forall v, ~ in_passing S c f t v) /\ (count S' d + (who S t == d) = count S d)%N
  \/ (exists v, in_passing S c f t v) /\ (count S' d + (other c == d) = count S d)%N.
Proof. by move=> snd pl mv d dn; have [j [mk _]] := moved_makes snd pl mv; apply: makes_men snd mk dn. Qed.
Lemma same_men S S' d n : count S' d = count S d -> men S d n -> men S' d n.
Proof. by rewrite /count => e [dn ->]; split=> //; rewrite e. Qed.
Lemma one_fewer S S' d n m : (count S' d).+1 = count S d -> men S d m -> n = m - 1 -> men S' d n.
Proof. rewrite /count => e [dn ->] ->; split=> //; rewrite -e; lia. Qed.

Theorem own_men_are_as_many : Statements.own_men_are_as_many.
Proof.
  move=> S S' act snd pl c f t n mv mn; have [cn _] := mn; apply: same_men mn; have [j [mk _]] := moved_makes snd pl mv.
  have [_ [et _]] := makes_target snd mk; have /eqP/negbTE oc := other_not cn; have /eqP/negbTE wt := et.
  by have [[_]|[_]] := men_after snd pl mv cn; rewrite ?oc ?wt addn0.
Qed.
Theorem one_fewer_where_one_is_taken : Statements.one_fewer_where_one_is_taken.
Proof.
  move=> S S' act snd pl c f t d k m n mv [cn ed] et mn; have [dn _] := mn; apply: one_fewer mn.
  have [[_]|[[v [_ [_ [_ [e _]]]]] _]] := men_after snd pl mv dn; first by rewrite /who et eqxx addn1.
  by move: dn; rewrite et in e; case: e => ->.
Qed.
Theorem one_fewer_by_taking_in_passing : Statements.one_fewer_by_taking_in_passing.
Proof.
  move=> S S' act snd pl c f t d v m n mv [cn ed] ip mn; have [dn _] := mn; apply: one_fewer mn.
  by have [[/(_ v)//]|[_]] := men_after snd pl mv dn; rewrite ed eqxx addn1.
Qed.
Lemma none_taken S act S' c f t d n : sound S -> plays S act S' -> moved S act S' c f t -> S t = nothing ->
  (forall v, ~ in_passing S c f t v) -> men S d n -> men S' d n.
Proof.
  move=> snd pl mv et np mn; have [dn _] := mn; apply: same_men mn.
  by have [[_]|[[v /np]]//] := men_after snd pl mv dn; rewrite /who et (nobody_not dn) addn0.
Qed.
Theorem as_many_where_none_is_taken : Statements.as_many_where_none_is_taken.
Proof.
  move=> S S' act snd pl c f t d k n mv op et ef nk mn; apply: (none_taken snd pl mv et _ mn) => v [e _].
  by move: e; rewrite ef => - [].
Qed.
Theorem as_many_where_nobody_just_passed : Statements.as_many_where_nobody_just_passed.
Proof.
  move=> S S' act snd pl c f t d n mv op et en mn; apply: (none_taken snd pl mv et _ mn) => v [_ [_ [e _]]].
  by move: en; rewrite /en_passant e eqxx.
Qed.
