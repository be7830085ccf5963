(** The clauses of `capture` on what stays whatever the defender does, on what a pass leaves as it was, and on numbers
    of liberties: who has enough of them has enough for less. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects.
From Go Require Words Statements.

Lemma other_player c : is_player (other c) = is_player c.
Proof. by case: c. Qed.

(** A legal move: the position after it. *)
Ltac moves := match goal with st : step _ _ _ |- _ => intros ->; destruct st as [lg ->]; intros _ _ end.
(** A pass: the position after it is the one before it, without its ban. *)
Ltac pass := intros S S' act sd st; intros; subst act; destruct st as [pl ->].

Section Stays.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem a_named_point_stays_empty : Statements.a_named_point_stays_empty B named defender.
Proof. by move=> S S' act sd st d r q; moves => _; apply: empty_stays. Qed.

Theorem own_stones_stay : Statements.own_stones_stay B named defender.
Proof. by move=> S S' act sd st d r b; moves => _ _; apply: own_stays. Qed.

Theorem a_new_stone : Statements.a_new_stone B named defender.
Proof. by move=> S S' act sd st d r; moves => _; apply: is_there. Qed.

Theorem its_own_liberties_stay : Statements.its_own_liberties_stay B named defender.
Proof.
move=> S S' act sd st d r b x; moves => _ bd bx nx; apply: lib_stays => //; rewrite /stone (own_stays sd lg bd).
exact: (mover sd lg).
Qed.

Theorem an_empty_point_beside_stays : Statements.an_empty_point_beside_stays B named defender.
Proof.
move=> S S' act sd st d r q x; moves => _ /andP[qx /eqP x0] nx; apply/andP; split=> //.
by rewrite (empty_stays sd lg x0 nx).
Qed.

Theorem his_own_stones_beside_stay : Statements.his_own_stones_beside_stay B named defender.
Proof.
move=> S S' act sd st d r q s; moves => _ _ _ /andP[qs /eqP sd']; apply/andP; split=> //.
by rewrite (own_stays sd lg sd').
Qed.

Theorem his_new_stone_beside : Statements.his_new_stone_beside B named defender.
Proof.
move=> S S' act sd st d r q; moves => _ _ _ _ /andP[qp _]; apply/andP; split=> //.
by rewrite (is_there sd lg).
Qed.

(** The point beside it is another liberty of it. *)
Theorem a_stone_beside_a_point_that_stays_empty :
  Statements.a_stone_beside_a_point_that_stays_empty B named defender.
Proof.
move=> S S' act sd st d r c q w; moves => -[pl ->] _ q0 nq /andP[qw /eqP wc]; apply/andP; split=> //; apply/eqP.
apply: (@with_another_liberty_stays _ _ _ _ sd lg _ q) => //; apply: lib_nb => //; last by rewrite nb_sym.
by rewrite /stone wc -/(is_player _) other_player.
Qed.

(** The point of a ban is where a stone was taken. *)
Theorem nothing_is_banned_for_the_other : Statements.nothing_is_banned_for_the_other B named defender.
Proof.
move=> S S' act sd st d r c q; moves => -[pl ->] _ q0; split; first by rewrite /Words.player other_player.
case: ifP => // /eqP; rewrite /= /ko_after; case: pickP => // t tk; case: ifP => // _ [tq].
have [td _] := takenP sd lg t tk; move: td; rewrite tq q0 => d0.
by move: pl; rewrite -other_player -d0.
Qed.

Theorem no_attackers_stone_comes_beside : Statements.no_attackers_stone_comes_beside B named defender.
Proof.
move=> S S' act sd st d r c q; moves => -[pl ->] _ _ _ /esym/many0 none; apply/esym/many0 => s.
apply/negP => /andP[qs /eqP sc].
by case: (other_stood sd lg sc) => sc' _; case/negP: (none s); apply/andP; split=> //; apply/eqP.
Qed.

(** A pass. *)
Theorem colour_after_a_pass : Statements.colour_after_a_pass B named.
Proof. by pass. Qed.

Theorem liberty_after_a_pass : Statements.liberty_after_a_pass B named.
Proof. by pass. Qed.

Theorem liberties_after_a_pass : Statements.liberties_after_a_pass B named.
Proof. by pass. Qed.

Theorem beside_after_a_pass : Statements.beside_after_a_pass B named.
Proof. by pass. Qed.

Theorem besides_after_a_pass : Statements.besides_after_a_pass B named.
Proof. by pass. Qed.

Theorem firm_unless_after_a_pass : Statements.firm_unless_after_a_pass B.
Proof. by pass. Qed.

Theorem guard_after_a_pass : Statements.guard_after_a_pass B.
Proof. by pass. Qed.

Theorem guard_unless_after_a_pass : Statements.guard_unless_after_a_pass B.
Proof. by pass. Qed.

Theorem strong_with_after_a_pass : Statements.strong_with_after_a_pass B.
Proof. by pass. Qed.

Theorem guard_apart_after_a_pass : Statements.guard_apart_after_a_pass B.
Proof. by pass. Qed.

Theorem stones_after_a_pass : Statements.stones_after_a_pass B named.
Proof. by pass. Qed.

Theorem clear_after_a_pass : Statements.clear_after_a_pass B.
Proof. by pass. Qed.

Theorem only_after_a_pass : Statements.only_after_a_pass B.
Proof. by pass. Qed.

Theorem pair_after_a_pass : Statements.pair_after_a_pass B.
Proof. by pass. Qed.

Theorem no_ban_after_a_pass : Statements.no_ban_after_a_pass B named.
Proof.
by move=> S S' act sd st d c p E; subst act; case: st => _ -> [pl ->]; rewrite /Words.ko /Words.player other_player.
Qed.

(** Fewer liberties. *)
Theorem fewer_liberties_of_walls : Statements.fewer_liberties_of_walls B.
Proof. by move=> S _ b k j firm _ jk w /firm; lia. Qed.

Theorem fewer_liberties_of_other_walls : Statements.fewer_liberties_of_other_walls B.
Proof. by move=> S _ b p k j firm _ jk w /firm[]; [left; lia | right]. Qed.

Theorem fewer_liberties_of_guards : Statements.fewer_liberties_of_guards B.
Proof. by move=> S _ p c k j [p0 guard] _ jk; split=> // w /guard; lia. Qed.

Theorem fewer_liberties_of_other_guards : Statements.fewer_liberties_of_other_guards B.
Proof. by move=> S _ q c p k j [q0 qp guard] _ jk; split=> // w /guard[]; [left; lia | right]. Qed.

Theorem fewer_liberties_of_walls_but_one : Statements.fewer_liberties_of_walls_but_one B.
Proof. by move=> S _ b w k j firm _ jk v /firm[]; [left; lia | right]. Qed.

Theorem fewer_liberties_of_guards_but_one : Statements.fewer_liberties_of_guards_but_one B.
Proof. by move=> S _ q c w k j [q0 guard] _ jk; split=> // v /guard[]; [left; lia | right]. Qed.

Theorem less_strong_through : Statements.less_strong_through B.
Proof. by move=> S _ q p k j [k1 q0 p0 qp many_k] [j1 _] jk; split=> //; lia. Qed.

Theorem less_strong_through_with : Statements.less_strong_through_with B.
Proof. by move=> S _ q p w k j [k1 q0 p0 qp [ws pw many_k]] [j1 _] jk; split=> //; split=> //; lia. Qed.

Theorem less_strong : Statements.less_strong B.
Proof. by move=> S _ p w k j [k1 p0 ws pw many_k] [j1 _] jk; split=> //; lia. Qed.

Theorem less_strong_with_two : Statements.less_strong_with_two B.
Proof. by move=> S _ p w v k j [k1 p0 ws pw [pv many_k]] [j1 _] jk; split=> //; split=> //; lia. Qed.

(** What has so many liberties has them, whatever the exception. *)
Theorem walls_without_exception : Statements.walls_without_exception B named.
Proof. by move=> S S' act _ _ _ _ b k z _ firm _ _ w /firm; left. Qed.

Theorem guards_without_exception : Statements.guards_without_exception B named.
Proof. by move=> S S' act _ _ _ _ q c k z _ [q0 guard] _ _ zq; split=> // [qz | w /guard]; [by case: zq | left]. Qed.
End Stays.
