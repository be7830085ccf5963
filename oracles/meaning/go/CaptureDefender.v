(** Capture, what a move of the defender changes: the walls around a block, the guards beside a point, and how strong a
    move of the attacker stays. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects CaptureState.
From Go Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** The move that a step is. *)
Ltac moved act st lg := subst act; case: st => lg ?; subst.

(** * What recurs. *)
Section Defender.
Variables (B : board) (S : state B) (d : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S d p).
Let c := other d.
Let S' := put S d p.
Implicit Types (a b q w z x : B) (k n : Z).

Lemma no_liberty w x : (forall l, liberty S w l -> l <> x) -> ~~ lib S w x.
Proof. by move=> no; apply/negP => /no. Qed.

Lemma not_open q x : (forall l, beside S q empty l -> l <> x) -> ~~ near S q empty x.
Proof. by move=> no; apply/negP => /no. Qed.

Lemma stone_c w : col S' w = c -> stone S' w.
Proof. by rewrite /stone => ->; have [] := player_other B (mover sd lg). Qed.

Lemma loses_c w : col S' w = c -> (many (liberty S w) - 1 <= many (liberty S' w))%Z.
Proof. by move/stone_c; apply: loses. Qed.

(** Which of the attacker's stones are beside a point or touch a block afterwards: they were there before. *)
Lemma beside_stood q w : beside S' q c w -> beside S q c w /\ col S' w = c.
Proof. by case/besideP=> n e; split=> //; apply/besideP; case: (other_stood sd lg e). Qed.

Lemma contact_apart b w : col S b = d -> ~~ lib S b p -> contact S' b w -> contact S b w /\ col S' w = c.
Proof.
move=> eb np; rewrite /contact (touch_apart sd lg _ eb np) => /andP[t nt]; split=> //.
by case/touchP: t => _ [ew _]; apply: other_stays; rewrite // ew eb.
Qed.

Lemma contact_joined b w : same S' p b -> contact S' b w ->
  col S' w = c /\ (beside S p c w \/ exists2 a, beside S p d a & contact S a w).
Proof.
move=> pb; rewrite /contact (touch_joined sd lg _ pb) (touch_new sd lg) => /andP[nt t].
have t' : beside S p c w \/ exists2 a, beside S p d a & contact S a w.
  by case/orP: t => [|/existsP[a /and3P[pa ea t]]]; [left | right; exists a; rewrite // /beside /near pa].
split=> //; apply: other_stays => //; case: t' => [/besideP[] //|[a /besideP[_ ea] /touchP[_ [-> _]]]]; by rewrite ea.
Qed.

(** A stone of the attacker with a liberty elsewhere stays. *)
Lemma stays w x : col S w = c -> lib S w x -> x <> p -> col S' w = c.
Proof. exact: (with_another_liberty_stays sd lg). Qed.

Lemma liberty_stays w x : col S' w = c -> liberty S w x -> x <> p -> liberty S' w x.
Proof. by move=> /stone_c; apply: lib_stays. Qed.

(** A block of his that loses a liberty is beside the move: it keeps enough if those beside it have one more. *)
Lemma beside_move w : col S' w = c -> lib S w p -> exists2 t, same S w t & beside S p c t.
Proof.
move=> e /libP[_ [t wt tp]]; exists t => //; apply/besideP.
by rewrite nb_sym (same_col wt); case: (other_stood sd lg e).
Qed.

Lemma stays_strong w k : col S' w = c -> guard S p c (k + 1) -> (k <= many (liberty S w))%Z ->
  (k <= many (liberty S' w))%Z.
Proof.
move=> e [_ all] le; have h := stone_c e; case L: (lib S w p); last first.
  by apply: Z.le_trans le _; apply: keeps; rewrite ?L.
have [t wt /all] := beside_move e L; rewrite (many_same wt).
have := loses_c e; lia.
Qed.

Lemma stays_strong_unless w z k : col S' w = c -> z <> p -> guard_unless S p c z (k + 1) ->
  (k <= many (liberty S w))%Z \/ liberty S w z -> (k <= many (liberty S' w))%Z \/ liberty S' w z.
Proof.
move=> e zp [_ _ all] [le|wz]; last by right; apply: liberty_stays.
have h := stone_c e; case L: (lib S w p); last by left; apply: Z.le_trans le _; apply: keeps; rewrite ?L.
have [t wt /all] := beside_move e L; rewrite (many_same wt) [liberty _ t z](lib_same z wt).
by case=> [?|wz]; [left; have := loses_c e; lia | right; apply: liberty_stays].
Qed.

Lemma less_strong_unless w z k : col S' w = c -> z <> p ->
  (k <= many (liberty S w))%Z \/ liberty S w z -> (k - 1 <= many (liberty S' w))%Z \/ liberty S' w z.
Proof.
move=> e zp [le|wz]; last by right; apply: liberty_stays.
by left; have := loses_c e; lia.
Qed.

(** Points beside another. *)
Lemma open_stays q x : beside S q empty x -> x <> p -> beside S' q empty x.
Proof. by case/besideP=> n e xp; apply/besideP; split=> //; apply: empty_stays. Qed.

(** Nobody beside the point is taken: then only the move itself is no longer empty. *)
Lemma open_after q : (forall w, beside S q c w -> ~~ taken S d p w) ->
  beside S' q empty =1 (fun x => beside S q empty x && (x != p)).
Proof.
move=> none x; apply/idP/andP => [/besideP[n e]|[b /eqP]]; last exact: open_stays.
have [/eqP xp [e0|t]] := emptied sd lg e; first by split=> //; apply/besideP.
by have [ec _] := taken_one sd lg t; case/negP: (none x (introT (besideP _ _ _ _) (conj n ec))).
Qed.

(** How many empty points are beside one where nobody is taken, and how many liberties a block apart has. *)
Lemma open_count q n : (forall w, beside S q c w -> ~~ taken S d p w) -> (forall x, beside S q empty x -> x <> p) ->
  besides S q empty n -> besides S' q empty n.
Proof. by move=> none apart_q ->; apply/esym; rewrite (many_eq _ _ _ (open_after none)); apply/many_not/not_open. Qed.

Lemma apart_count b n : col S b = d -> ~~ lib S b p -> (forall w, contact S b w -> ~~ taken S d p w) ->
  liberties S b n -> liberties S' b n.
Proof.
move=> eb np none [hb ->]; split; first by apply: (stone_put (mover sd lg)); apply: own_stays.
apply: many_eq => x; apply/esym; rewrite [LHS](lib_apart sd lg _ eb np).
by case T: (touch S b x); rewrite ?andbF ?orbF // (negbTE (none x T)) orbF.
Qed.
End Defender.

(** * He moves on a named point and captures nothing: only the blocks beside it lose a liberty. *)
Section Beside.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem other_walls_but_those_beside : Statements.other_walls_but_those_beside B named defender.
Proof.
move=> S S' act sd st d p c z b k j ? _ _ _ [hd ->] zp eb fb gp ej /no_liberty np w; moved act st lg.
by case/(contact_apart sd lg eb np) => /fb h ew; apply: stays_strong_unless.
Qed.

Theorem other_walls_of_a_block_that_extends : Statements.other_walls_of_a_block_that_extends B named defender.
Proof.
move=> S S' act sd st d p c z b k j ? _ _ _ [hd ->] zp eb [_ _ all] bp fb gp ej w; moved act st lg.
case/(contact_joined sd lg (joins sd lg eb bp)) => ew h; apply: stays_strong_unless => //.
case: h => [pw|[a pa aw]]; first by case: gp => _ _ /(_ w pw) [?|]; [left; lia | right].
by rewrite -eb in pa; apply: fb; rewrite /contact -(touch_same w (all a pa)).
Qed.

Theorem guards_but_those_beside : Statements.guards_but_those_beside B named defender.
Proof.
move=> S S' act sd st d p c q k j ? _ _ _ [hd ->] qp [e all] gp ej; moved act st lg.
by split=> [|w /(beside_stood sd lg)[/all h ew]]; [apply: empty_stays | apply: stays_strong].
Qed.

Theorem other_guards_but_those_beside : Statements.other_guards_but_those_beside B named defender.
Proof.
move=> S S' act sd st d p c q z k j ? _ _ _ [hd ->] qp zp [e qz all] gp ej; moved act st lg.
by split=> // [|w /(beside_stood sd lg)[/all h ew]]; [apply: empty_stays | apply: stays_strong_unless].
Qed.

Theorem as_strong_apart : Statements.as_strong_apart B named defender.
Proof.
move=> S S' act sd st d p c q w k ? _ _ _ [hd ->] qp /besideP[qw ew] [k1 e hw _ le] [_ _ np] /not_open nq.
moved act st lg; have ew' := stays sd lg ew (lib_nb hw (eq_trans (nb_sym _ _) qw) e) qp.
split=> //; [exact: empty_stays | exact: stone_c ew' |].
apply: Z.le_trans le _; apply: many_le => x /andP[h xq]; apply/andP; split=> //.
have xp : x <> p by move=> xp; move: h; rewrite xp [liberty _ _ _](negbTE np) [beside _ _ _ _](negbTE nq).
by case/orP: h => h; apply/orP; [left; apply: liberty_stays | right; apply: open_stays].
Qed.

Theorem a_block_apart_keeps_its_liberties : Statements.a_block_apart_keeps_its_liberties B named defender.
Proof.
move=> S S' act sd st d p c b n ? _ _ _ [hd ->] _ eb gp bn /no_liberty np; moved act st lg.
by apply: apart_count => // w _; apply: none_taken.
Qed.

Theorem empty_points_beside_stay_apart : Statements.empty_points_beside_stay_apart B named defender.
Proof.
move=> S S' act sd st d p c q n ? _ _ _ [hd ->] _ e gp qn qp nq; moved act st lg.
by apply: open_count => // w _; apply: none_taken.
Qed.

Theorem an_empty_point_beside_is_played : Statements.an_empty_point_beside_is_played B named defender.
Proof.
move=> S S' act sd st d p c q n m ? _ _ _ [hd ->] _ e gp qp -> ->; moved act st lg.
rewrite /besides (many_eq _ _ _ (open_after sd lg (fun w _ => none_taken sd lg w gp))).
by rewrite (many_but _ (beside S q empty) p) qp; lia.
Qed.
End Beside.

(** * He moves anywhere: no block loses more than one liberty. *)
Section Anywhere.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem other_walls_lose_one : Statements.other_walls_lose_one B defender.
Proof.
move=> S S' act sd st d r z b k j ? _ _ zr eb fb k1 -> /no_liberty nr w; moved act st lg.
by case/(contact_apart sd lg eb nr) => /fb h ew; apply: less_strong_unless.
Qed.

Theorem guards_lose_one : Statements.guards_lose_one B defender.
Proof.
move=> S S' act sd st d r c q k j ? _ _ [hd ->] qr [e all] k1 ->; moved act st lg.
split=> [|w /(beside_stood sd lg)[/all h ew]]; first exact: empty_stays.
by have := loses_c sd lg ew; lia.
Qed.

Theorem other_guards_lose_one : Statements.other_guards_lose_one B defender.
Proof.
move=> S S' act sd st d r c q z k j ? _ _ [hd ->] qr zr [e qz all] k1 ->; moved act st lg.
by split=> // [|w /(beside_stood sd lg)[/all h ew]]; [apply: empty_stays | apply: less_strong_unless].
Qed.

(** A block of the attacker beside an empty point stays. *)
Lemma guard_stays (S : state B) d r q w : sound S -> legal_move S d r -> q <> r -> col S q = empty ->
  beside S q (other d) w -> col (put S d r) w = other d.
Proof.
move=> sd lg qr e /besideP[n ew]; apply: (stays sd lg ew _ qr); apply: lib_nb => //; last by rewrite nb_sym.
by rewrite /stone ew; have [] := player_other B (mover sd lg).
Qed.

Theorem one_less_strong : Statements.one_less_strong B defender.
Proof.
move=> S S' act sd st d r c q w k j ? _ _ [hd ->] qr qw [k1 e hw n le] k2 ->; moved act st lg.
have ew := guard_stays sd lg qr e qw; split=> //; [lia | exact: empty_stays | exact: stone_c ew |].
apply: (one_less (p := r)) le => x /andP[h xq] xr; apply/andP; split=> //.
by case/orP: h => h; apply/orP; [left; apply: liberty_stays | right; apply: open_stays].
Qed.

Theorem one_less_strong_through : Statements.one_less_strong_through B defender.
Proof.
move=> S S' act sd st d r q z k j ? _ _ qr zr [k1 eq ez n le] k2 ->; moved act st lg.
split=> //; [lia | exact: empty_stays | exact: empty_stays |].
apply: (one_less (p := r)) le => x /andP[/andP[h xz] xq] xr; apply/andP; split=> //; apply/andP; split=> //.
by case/orP: h => h; apply/orP; [left | right]; apply: open_stays.
Qed.

Theorem one_less_strong_through_with : Statements.one_less_strong_through_with B defender.
Proof.
move=> S S' act sd st d r c q z w k j ? _ _ [hd ->] qr zr zw [k1 eq ez qz [hw n le]] k2 ->; moved act st lg.
have ew := guard_stays sd lg zr ez zw; split=> //; [lia | exact: empty_stays | exact: empty_stays |].
split=> //; first exact: stone_c ew.
apply: (one_less (p := r)) le => x /andP[/andP[h xz] xq] xr; apply/andP; split=> //; apply/andP; split=> //.
by case/or3P: h => h; apply/or3P;
  [constructor 1; apply: liberty_stays | constructor 2; apply: open_stays | constructor 3; apply: open_stays].
Qed.

Theorem one_less_strong_with_two : Statements.one_less_strong_with_two B defender.
Proof.
move=> S S' act sd st d r c q w v k j ? _ _ [hd ->] qr qw [k1 e hw n [qv le]] k2 ->; moved act st lg.
have [_ ew] := besideP _ _ _ _ qw; rewrite ew in qv.
have ew' := guard_stays sd lg qr e qw; have ev' := guard_stays sd lg qr e qv.
split=> //; [lia | exact: empty_stays | exact: stone_c ew' |]; split.
  by rewrite ew'; apply/besideP; case/besideP: qv.
apply: (one_less (p := r)) le => x /andP[h xq] xr; apply/andP; split=> //.
by case/or3P: h => h; apply/or3P;
  [constructor 1; apply: liberty_stays | constructor 2; apply: liberty_stays | constructor 3; apply: open_stays].
Qed.

Theorem the_defenders_block_keeps_its_liberties :
  Statements.the_defenders_block_keeps_its_liberties B named defender.
Proof.
move=> S S' act sd st d r b n ? _ _ _ eb fb bn /no_liberty nr; moved act st lg.
apply: apart_count => // w /fb two; apply/negP => /(taken_one sd lg)[_]; lia.
Qed.

Theorem empty_points_beside_stay : Statements.empty_points_beside_stay B named defender.
Proof.
move=> S S' act sd st d r c q n ? _ _ [hd ->] _ qr [e all] qn nr; moved act st lg.
apply: open_count => // w /all two; apply/negP => /(taken_one sd lg)[_]; lia.
Qed.
End Anywhere.
