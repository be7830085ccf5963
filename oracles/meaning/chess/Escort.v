(** Proofs of what the theory says of a king and a pawn against a king alone, in a position: who comes first to a
    square, and which moves that leaves. That the king alone is not stalemated: `Stalemate`, `StalemateRook`. *)
From Chess Require Import Board Lines Effects Alone.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (b f k p q s t x y : square) (c d : side) (j : kind).

(** Lanes. *)
Lemma lane_one c x b (i n : Z) : Words.lane c x b i -> Words.lane c x b n -> i = n.
Proof. move=> [_ [_ h]] [_ [_ h']]; lia. Qed.
Lemma lane_apart c x b (i : Z) : Words.lane c x b i -> 0 <= i /\ b <> x.
Proof. by case=> [s1 [l h]]; move: l h; case: c s1 => // _ /= l h; split; try (move=> e; subst b); geo. Qed.
(** A square one move ahead: what lies beyond it is one nearer. *)
Lemma lane_pushed c x t b (i n : Z) :
  Words.lane c x t 1 -> Words.lane c t b i -> Words.lane c x b n -> n = i + 1.
Proof.
  move=> [s1 [l1 h1]] [_ [l2 h2]] [_ [l3 h3]]; move: s1 l1 h1 l2 h2 l3 h3; case: c => //= _; rewrite /dist; lia.
Qed.
Lemma steps_near (q s b : square) : step q s -> dist q b <= dist s b + 1 /\ dist q b <= 1 + dist s b.
Proof. rewrite /step /dist; lia. Qed.

(** Men. *)
Lemma men_least S c (n : Z) (l : seq square) :
  Words.men S c n -> uniq l -> (forall s, s \in l -> who S s = c) -> Z.of_nat (size l) <= n.
Proof.
  move=> [_ ->] u h; apply/inj_le/leP/card_geqP; exists l; split=> // s /h e.
  by rewrite inE e.
Qed.
Theorem it_has_one_man : Statements.it_has_one_man.
Proof.
  move=> S so d m; have [s1 _] := m; split=> // s h; have [q eq] := sound_king so s1.
  case: (sq_dec s q) => [->|n]; first by rewrite /what eq.
  have /(_ _ _)/= := men_least (l := [:: s; q]) m; rewrite inE; case: eqP => // _ /(_ erefl) le.
  suff : Z.of_nat 2 <= 1 by [].
  by apply: le => u; rewrite !inE => /orP[]/eqP -> //; rewrite /who eq.
Qed.
Theorem king_and_pawn_against_king : Statements.king_and_pawn_against_king.
Proof.
  move=> S so x c d e m [s1 ->] /(it_has_one_man so) b; split=> //; split=> //; split=> // s h.
  have [k ek] := sound_king so s1; case: (sq_dec s x) => [|n]; first by left.
  right; case: (sq_dec s k) => [->|n']; first by rewrite /what ek.
  have nk : x <> k by move=> h'; subst k; move: e; rewrite /Words.at_ ek.
  have := men_least (l := [:: s; x; k]) m; rewrite /= !inE; do 3 case: eqP => // _ /=; move=> /(_ erefl) le.
  suff : Z.of_nat 3 <= 2 by [].
  by apply: le => u; rewrite !inE => /or3P[]/eqP -> //; rewrite /who ?ek ?e.
Qed.

Theorem its_king_is_beside : Statements.its_king_is_beside.
Proof. by move=> S so c x k b r _ [_ e] st; exists x, k. Qed.
Theorem minded_ahead : Statements.minded_ahead.
Proof. by move=> S so c x b i r _ [y [k [_ [e st]]]] l; split=> //; exists i; split=> //; left; exists k. Qed.
Theorem the_other_comes_too_late : Statements.the_other_comes_too_late.
Proof.
  move=> S so c x b i d q m r _ l [_ ->] [_ e] -> g; split=> //; exists i; split=> //; right; exists q.
  by split=> //; lia.
Qed.
Theorem airy_far_from_corners : Statements.airy_far_from_corners.
Proof. by move=> S so c x b i r _ l ro; split=> //; exists i; split=> //; left. Qed.
Theorem airy_with_a_square_left : Statements.airy_with_a_square_left.
Proof. by move=> S so c x b i k r _ l [_ e] el; split=> //; exists i; split=> //; right; left; exists k. Qed.
Theorem airy_far_from_the_other_king : Statements.airy_far_from_the_other_king.
Proof.
  move=> S so c x b i a d q m r _ l cr [_ ->] [_ e] -> g; split=> //; exists i; split=> //; right; right; exists a, q.
  by split=> //; split=> //; lia.
Qed.
Theorem the_pawn_is_there_in_time : Statements.the_pawn_is_there_in_time.
Proof. by []. Qed.

(** The other to move. *)
Theorem as_they_stand : Statements.as_they_stand.
Proof. by move=> S so c x k r _ [_ e]; exists k, x; split=> //; split=> //; left; split=> //; left. Qed.
Theorem after_a_push : Statements.after_a_push.
Proof. by move=> S so c x k t r _ [_ e] l nl em; exists k, x; split=> //; split=> //; left; split=> //; right. Qed.
Theorem after_a_step : Statements.after_a_step.
Proof. by move=> S so c x k s r _ [_ e] [l _]; exists k, x; split=> //; split=> //; right. Qed.
Theorem a_square_beside_the_corner_is_left : Statements.a_square_beside_the_corner_is_left.
Proof. by move=> S so c k _ b a s n _ no -> g; exists a, s; split=> //; lia. Qed.
Theorem shut_by_the_king : Statements.shut_by_the_king.
Proof. by move=> S so c k p d q s n _ [_ ->] [_ e] st -> l; exists q; split=> //; split=> //; left. Qed.
Theorem shut_by_the_pawn : Statements.shut_by_the_pawn.
Proof. by move=> S so c k p d q s _ [_ ->] [_ e] st h; exists q; split=> //; split=> //; right. Qed.
Theorem allayed_since_it_is_no_step : Statements.allayed_since_it_is_no_step.
Proof. by move=> S so c k p s b i sh l; exists i; split=> //; left. Qed.
Theorem allayed_by_the_king : Statements.allayed_by_the_king.
Proof. by move=> S so c k p d q s b i _ _ _ _ l st n; exists i; split=> //; right; left. Qed.
Theorem allayed_since_it_is_far : Statements.allayed_since_it_is_far.
Proof. by move=> S so c k p d q s b i m _ _ _ _ l -> g; exists i; split=> //; right; right; lia. Qed.
Theorem aired_far_from_corners : Statements.aired_far_from_corners.
Proof. by move=> S so c k p b i _ l r; exists i; split=> //; left. Qed.
Theorem aired_with_a_square_left : Statements.aired_with_a_square_left.
Proof. by move=> S so c k p b i _ l e; exists i; split=> //; right; left. Qed.
Theorem aired_far_from_the_other_king : Statements.aired_far_from_the_other_king.
Proof.
  move=> S so c k p b i a d q m _ l cr [_ ->] [_ e] -> g; exists i; split=> //; right; right; exists a, q.
  by split=> //; split=> //; lia.
Qed.
Theorem it_holds_whatever_the_other_does : Statements.it_holds_whatever_the_other_does.
Proof.
  move=> S so c k p b d q n [i [l ai]] nb [s1 ->] [_ e] _ al; exists i; split=> //; split=> // q' s e' st far ns.
  have eq := sound_one_king so e' e; subst q'; split.
    have [i' [l' [[q' [_ [_ [h|//]]]]|h]]] := al s st; first lia.
    by rewrite (lane_one l l').
  case: ai => [h|[h|[a [q' [cr [e2 g]]]]]]; [by left | by right; left | right; right; exists a; split=> //].
  by have := sound_one_king so e2 e => h; subst q'; have := steps_near a st; lia.
Qed.
Theorem it_holds_after_a_push_in_time : Statements.it_holds_after_a_push_in_time.
Proof.
  move=> S so c x b t i k [[r [n [l out]]] [[_ [n' [l' ai]]] em]] _ l1 l2 [s1 ek].
  have en := lane_pushed l1 l2 l; have e' := lane_one l' l; subst n'.
  exists i; split=> //; split=> [h|q s eq st far ns]; first by subst b; move: em; rewrite ek.
  split.
    case: out => [[k' [ek' st']]|[q' [eq' g]]].
      have h := sound_one_king so ek' ek; subst k'; left; split=> // h; subst s; move: far st'; geo.
    by have h := sound_one_king so eq' eq; subst q'; right; have := steps_near b st; lia.
  case: ai => [h|[[k' [ek' el]]|[a [q' [cr [eq' g]]]]]]; first by left.
    by have h := sound_one_king so ek' ek; subst k'; right; left.
  have h := sound_one_king so eq' eq; subst q'; right; right; exists a; split=> //.
  by have := steps_near a st; lia.
Qed.
Theorem kept_by_the_king : Statements.kept_by_the_king.
Proof. by move=> S so c k p _ st; left. Qed.
Theorem kept_since_it_is_far : Statements.kept_since_it_is_far.
Proof. by move=> S so c k p d q m _ [_ ->] [_ e] -> g; right; exists q; split=> //; lia. Qed.
Theorem kept_after_a_push_in_time : Statements.kept_after_a_push_in_time.
Proof.
  move=> S so c x t k [[r [n [l out]]] _] l1 _ [s1 ek]; have h := lane_one l l1; subst n.
  by case: out => [[k' [ek' st]]|o]; [left; rewrite (sound_one_king so ek ek') | right].
Qed.
Theorem a_step_is_left : Statements.a_step_is_left.
Proof.
  move=> S so c k p d q s n m _ [_ ->] [_ e] st ne -> g _ na; exists q, s; split=> //; split=> //; split=> //.
  by split=> [|h]; [lia | case: (na s)].
Qed.
Theorem ample_as_they_stand : Statements.ample_as_they_stand.
Proof. by move=> S so c x k b r _ [_ e] h; split=> //; exists k. Qed.
Theorem it_stands : Statements.it_stands.
Proof. by move=> S so c x k r _ [_ e] h; split=> //; exists k. Qed.
Theorem the_other_king_can_step : Statements.the_other_king_can_step.
Proof. by move=> S so d q s h; exists q, s. Qed.
Theorem alive_by_a_step : Statements.alive_by_a_step.
Proof. by move=> S so d h; right. Qed.
Theorem alive_in_check : Statements.alive_in_check.
Proof. by move=> S so d h; left. Qed.

(** What a king alone leaves legal, and what not. *)
Lemma pawn_goes_legal S c x t : sound S -> Words.runner S c x -> goes S c x t -> legal_move S c x t.
Proof.
  move=> so r g; have [k [q a]] := runner_alone so r.
  have m : makes S c x t (what S x) (gone S c x t (what S x)) by constructor.
  have [e _] := alone_own_moves a m; exists (gone S c x t (what S x)); split=> //.
  apply: (alone_safe (alone_pushed _ a e)); last exact: alone_apart so a.
  by rewrite /what (al_p a).
Qed.
Lemma advance_legal S c x t : sound S -> Words.runner S c x -> advance c x t -> S t = nothing -> legal_move S c x t.
Proof.
  move=> so r ad e; apply: pawn_goes_legal => //; have [s1 [ep _]] := r.
  by split=> //; rewrite /who /what ep /=; split=> //; left.
Qed.
Theorem a_pawn_goes_in_time : Statements.a_pawn_goes_in_time.
Proof.
  move=> S so c x t r _ ad [_ nl] [_ [_ e]]; split; first exact: advance_legal.
  by case=> _ [].
Qed.
Theorem a_pawn_goes_two_steps_in_time : Statements.a_pawn_goes_two_steps_in_time.
Proof.
  move=> S so c x o t r _ le [_ [_ eo]] [_ [_ et]]; split.
    apply: pawn_goes_legal => //; have [s1 [ep _]] := r.
    by split=> //; rewrite /who /what ep /=; split=> //; right; left; exists o.
  by case=> _; move: le; case: (c); geo.
Qed.
Theorem a_pawn_is_promoted_in_time : Statements.a_pawn_is_promoted_in_time.
Proof.
  move=> S so c x t r _ ad la [_ [_ e]]; split; first exact: advance_legal.
  by have [_ [ep _]] := r; rewrite /what ep.
Qed.
Lemma plain_side S c d x t j : S x = (c, Pawn) -> Words.plain S d x t j -> d = c.
Proof. by move=> e [[_ [w _]] _]; move: w; rewrite /who e. Qed.
Lemma promoted_alone S c x t j : sound S -> Words.runner S c x -> S t = nothing ->
  exists k q, alone S c k x Pawn q /\ alone (Board.after S c x t j) c k t j q.
Proof. by move=> so r e; have [k [q a]] := runner_alone so r; exists k, q; split=> //; apply: (alone_pushed j a e). Qed.
Theorem what_is_promoted_in_time_is_not_taken : Statements.what_is_promoted_in_time_is_not_taken.
Proof.
  move=> S so c x t j r _ ad la [[_ [n [l out]]] [_ e]] pr d pl y; have [s1 [ep _]] := r.
  have ed := plain_side ep pl; subst d; have [k [q [a a']]] := promoted_alone j so r e.
  have en : n = 1 by case: l => _ [_]; move: ad la; case: (c) s1; geo.
  split=> [h|s [h _]].
    have [ey st _ far] := alone_legal a' h; case: out => [[k' [ek st']]|[q' [eq g]]].
      have h' := sound_one_king so ek (al_k a); subst k'; geo.
    have h' := sound_one_king so eq (al_q a); subst q'; geo.
  have ey : y = q by apply: (alone_other a'); rewrite /who h.
  by subst y; move: h; rewrite (al_q a').
Qed.
Theorem lively_since_it_can_be_answered : Statements.lively_since_it_can_be_answered.
Proof.
  move=> S so f t j [c [[[_ [w _]] _] [_ h]]] d [[_ [w' _]] _]; right.
  have e : d = c by rewrite -w -w'.
  by rewrite e.
Qed.
Theorem lively_since_it_gives_check : Statements.lively_since_it_gives_check.
Proof.
  move=> S so _ f t j _ [c [q [pl [eq at_]]]] d [[_ [w' _]] _]; left.
  have [g _] := pl; have [s1 [w _]] := g; have e : d = c by rewrite -w -w'.
  rewrite e; have [n [nw nk]] := goes_target so g; exists q, t.
  rewrite /who /after /follow /= gone_to /= otherK; split=> //=; rewrite gone_else // => h; subst q.
    by move: w; rewrite /who eq => h; case: (other_not s1).
  by case: nk; rewrite /what eq.
Qed.
Theorem no_man_moves_but_the_king : Statements.no_man_moves_but_the_king.
Proof. by move=> S so d f t [_ b] [n _] [_ w]; case: n; apply: b. Qed.
Theorem nor_takes_it_in_passing : Statements.nor_takes_it_in_passing.
Proof.
  move=> S so d f t [_ b] [v [e _]]; have : what S f = King by apply: b; rewrite /who e.
  by rewrite /what e.
Qed.
Theorem nor_castles_it : Statements.nor_castles_it.
Proof.
  move=> S so d f t [_ b] [g [r [p ca]]] [_ e] [B [m _]].
  case: m => [[_ [_]]|v [h _] _|g' r' p' [_ [_ [_ [h _]]]] _]; rewrite /attacks.
  - by rewrite /what e /= => -[st _]; apply: (castle_apart ca).
  - by move: h; rewrite e.
  - have : what S r' = King by apply: b; rewrite /who h.
    by rewrite /what h.
Qed.
