(** How many men there are, and what lies before a pawn: where a pawn and its king stand against a king alone. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Sole.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k p q s t x y : square) (j : kind).

Lemma only_men S c (l : seq square) : uniq l -> (forall s, s \in l -> who S s = c) ->
  (#|[pred s | who S s == c]| <= size l)%N -> forall s, who S s = c -> s \in l.
Proof.
  move=> u al le s ws.
  have sub : {subset l <= [pred s | who S s == c]} by move=> t /al; rewrite inE => ->.
  have e : #|l| = size l by apply/card_uniqP.
  have h : l =i [pred s | who S s == c].
    by apply/subset_cardP; [apply/eqP; rewrite eqn_leq subset_leq_card ?e //=; apply/subsetP | apply/subsetP].
  by rewrite h inE ws.
Qed.
Theorem one_man_is_the_king : Statements.one_man_is_the_king.
Proof.
  move=> S so d [nd m]; split=> // s ws; have [q kq] := sound_king so nd.
  have := @only_men S d [:: q] isT _ _ s ws; rewrite inE => /(_ _ _)/eqP -> //.
  - by rewrite /what kq.
  - by move=> t; rewrite inE => /eqP ->; rewrite /who kq.
  by apply/leP; move: m => /=; lia.
Qed.
Theorem the_only_pawn : Statements.the_only_pawn.
Proof.
  move=> S so x c d ex [nc m] [_ ed] b; subst d; split=> //; split=> //; split=> // s ws.
  have [k kk] := sound_king so nc.
  have nxk : x != k by apply/eqP => h; move: ex; rewrite /Words.at_ h kk.
  have := @only_men S c [:: x; k] _ _ _ s ws; rewrite /= !inE andbT => /(_ nxk _ _)/orP [] // .
  - by move=> t; rewrite !inE => /orP [] /eqP ->; rewrite /who ?ex ?kk.
  - by apply/leP; move: m => /=; lia.
  - by move/eqP; left.
  by move/eqP => ->; right; rewrite /what kk.
Qed.
Lemma sole_stands S c x k q : sound S -> Words.sole S c x -> S k = (c, King) -> S q = (other c, King) ->
  stands S c x k q.
Proof.
  move=> so [n [ex [al [_ b]]]] ek eq; split=> // s a1 a2 a3.
  have pr := sound_proper so s; case: (who S s =P Nobody) => [w|nw].
    by have := iffLR pr w; move: w; rewrite /who /what /nothing; case: (S s) => u v /= -> ->.
  have at_s j : what S s = j -> S s = (who S s, j) by rewrite /who /what; case: (S s) => u v /= ->.
  case: (who S s =P c) => [h|h].
    by case: (al _ h) => // /at_s e; case: a2; apply: (sound_one_king so (c := c)) ek; rewrite e h.
  have h' := one_of_two n nw h.
  by have /at_s e := b _ h'; case: a3; apply: (sound_one_king so (c := other c)) eq; rewrite e h'.
Qed.
Theorem no_corner_is_narrow : Statements.no_corner_is_narrow.
Proof. by move=> S so c x d q s n so' r _ _ _; split=> //; left. Qed.
Theorem the_narrow_corner_is_far : Statements.the_narrow_corner_is_far.
Proof.
  move=> S so c x a d q m s n so' cr [_ ->] [_ eq] -> _ h; split=> //; right; exists a, q; split=> //; split=> //.
  by lia.
Qed.
Theorem free_ahead : Statements.free_ahead.
Proof.
  move=> S so x c a ex ad ea; split=> //.
  have [l dd] : line x a (ahead c) /\ dist x a = 1 by move: ad; clear; case: c => -[] // _ [h1 h2]; geo.
  split=> // y ly le; have -> : y = a; last by [].
  by move: ad ly le dd; clear; case: c => -[] // _ [h1 h2] /=; geo.
Qed.
Theorem free_farther_ahead : Statements.free_farther_ahead.
Proof.
  move=> S so c x a b [ex [la no]] ad eb; have nc : c <> Nobody by case: ad.
  have lb : line x b (ahead c) /\ dist x b = dist x a + 1.
    by move: ad la; clear -nc; case: c nc => // _ -[_ [h1 h2]] /=; geo.
  case: lb => lb db; split=> //; split=> // y ly le.
  have [h|h] : dist x y <= dist x a \/ y = b.
  - by move: ad la lb ly le db; clear -nc; case: c nc => // _ -[_ [h1 h2]] /=; geo.
  - exact: no.
  by rewrite h.
Qed.
Theorem it_runs : Statements.it_runs.
Proof. by move=> S so c x e i f la ln. Qed.
