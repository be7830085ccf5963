(** Saving a block: what a move of either player changes of what stands beside empty points, of stones and of their
    liberties, and of what is around an eye: first when the owner moves, and when he takes a stone that stands alone,
    then when the attacker moves. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects Statements SafetyState.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Arguments many_gt0 {T} P.

Section Move.
Variables (B : board) (S : state B) (c : hue) (m : B).
Hypotheses (sd : sound S) (lg : legal_move S c m).
Let S' := put S c m.
Let d := other c.
Implicit Types (k : hue) (q s w x y l : B) (n : Z).

Lemma two_players : [/\ is_player c, is_player d, other d = c & c <> d].
Proof. by have pl := mover sd lg; have [po oo] := others pl; split=> //; apply: not_other. Qed.

Lemma not_move s k : col S s = k -> is_player k -> s <> m.
Proof. by move=> cs pl e; move: pl; rewrite -cs e (was_empty sd lg). Qed.

Lemma stone_of S0 s k : col S0 s = k -> is_player k -> @stone B S0 s.
Proof. by rewrite /stone => ->. Qed.

(** What stands beside another empty point stays. *)
Lemma stays_beside q x : col S q = empty -> q <> m -> nb q x -> x <> m -> col S' x = col S x.
Proof.
have [pc pd _ _] := two_players; move=> eq qm qx xm; case: (three_hues (col S x) pc) => cx; rewrite cx.
- exact: (own_stays sd lg).
- apply: (with_another_liberty_stays sd lg cx _ qm); apply: lib_nb; rewrite ?(nb_sym x) //.
  exact: stone_of cx pd.
- exact: (empty_stays sd lg).
Qed.

Lemma beside_after q k x : col S q = empty -> q <> m ->
  beside S' q k x = if x == m then nb q m && (k == c) else beside S q k x.
Proof.
move=> eq qm; rewrite /beside /near; case: (x =P m) => [-> | xm]; first by rewrite (is_there sd lg) (eq_sym k).
by apply: andb_id2l => qx; rewrite (stays_beside eq qm qx xm).
Qed.

Lemma beside_move q k : beside S q k m = nb q m && (k == empty).
Proof. by rewrite /beside /near (was_empty sd lg) eq_sym. Qed.

(** The new stone has what it reaches, and so has what it joins; what else it had it keeps. *)
Lemma new_reaches x : reaches S m x c -> lib S' m x.
Proof.
case=> pc em ex /eqP xm H; rewrite (lib_new sd lg); case: H => [mx | [w /andP[mw cw] lw]].
  by rewrite /near mx ex eqxx.
by apply/or3P; constructor 3; apply/existsP; exists w; rewrite mw cw; rewrite /liberty in lw; rewrite lw xm.
Qed.

Lemma joined_reaches s x : col S s = c -> lib S s m -> reaches S m x c -> lib S' s x.
Proof. by move=> cs sm r; rewrite (lib_joined sd lg) ?new_reaches //; apply: (joins sd lg). Qed.

Lemma keeps s x : lib S s x -> x <> m -> lib S' s x.
Proof.
have [pc pd _ _] := two_players; move=> sx xm; have [ss _] := lib_stone sx; apply: (lib_stays sd lg) => //.
case: (three_hues (col S s) pc) => cs; first exact: stone_of (own_stays sd lg cs) pc.
  exact: stone_of (with_another_liberty_stays sd lg cs sx xm) pd.
by rewrite /stone cs in ss.
Qed.

(** Where the mover's stones stand beside: the new one, or an old one. *)
Lemma own_beside q w : beside S' q c w -> w = m \/ beside S q c w.
Proof.
have [pc _ _ _] := two_players; case/andP=> qw /eqP cw; case: (w =P m) => [| wm]; [by left | right].
by rewrite /beside /near qw (stood sd lg cw _ wm) ?eqxx //; case: (c) pc.
Qed.

(** A stone of the other's with another liberty. *)
Lemma other_with_another w l : col S w = d -> lib S w l -> l <> m -> col S' w = d.
Proof. exact: (with_another_liberty_stays sd lg). Qed.

Lemma a_liberty w : stone S w -> (forall l, lib S w l -> l <> m) -> exists2 l, lib S w l & l <> m.
Proof. by case: sd => air _ /air[l wl] no; exists l => //; apply: no. Qed.

(** What touches a block of the other's that stays: what did, or the new stone. *)
Lemma touches_other w s : col S' w = d -> touch S' w s -> touch S w s \/ s = m /\ lib S w m.
Proof. by move=> cw; rewrite (touch_other sd lg) // => /orP[|/andP[/eqP]]; [left | right]. Qed.
End Move.

(** The position after the move of a clause. *)
Ltac moved st := match type of st with step ?S ?act ?S' => subst act; case: st => _ -> end.

Section Theorems.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem another_point_stays_empty : Statements.another_point_stays_empty B named.
Proof. by move=> S S' act sd st k m q ea lg _ eq qm; moved st; apply: (empty_stays sd lg). Qed.

Theorem what_is_beside_an_empty_point_stays : Statements.what_is_beside_an_empty_point_stays B named.
Proof.
by move=> S S' act sd st a m q k x ea lg _ eq qm bx /eqP/negbTE xm; moved st; rewrite (beside_after sd lg) ?xm.
Qed.

Theorem the_new_stone_is_beside : Statements.the_new_stone_is_beside B named.
Proof.
move=> S S' act sd st k m q ea lg _ /andP[qm _] eq; moved st.
by rewrite /beside /near qm (is_there sd lg) eqxx.
Qed.

Theorem as_many_of_a_colour_beside : Statements.as_many_of_a_colour_beside B named.
Proof.
move=> S S' act sd st a m q k n ea lg _ eq qm -> no; moved st; apply: many_eq => x.
rewrite (beside_after sd lg) //; case: (x =P m) => [-> | //]; rewrite (beside_move sd lg).
have -> // : nb q m = false; apply/negP => bm; apply: (no m) => //; rewrite (beside_move sd lg) bm //.
Qed.

(** A neighbour is another point. *)
Lemma apart_of q m : @nb B q m -> q <> m.
Proof. by move=> qm e; move: qm; rewrite e nb_irr. Qed.

Theorem one_empty_point_less_beside : Statements.one_empty_point_less_beside B named.
Proof.
move=> S S' act sd st a m q k n ea lg _ eq bm -> ->; moved st; have pa := mover sd lg.
have /andP[/apart_of qm _] := bm; rewrite /besides (many_but (beside S q empty) m) bm Z.add_simpl_r.
apply: many_eq => x; rewrite (beside_after sd lg) //; case: (x =P m) => _; last by rewrite andbT.
by rewrite andbF; case: (a) pa => // _; rewrite andbF.
Qed.

Theorem one_more_of_who_moves : Statements.one_more_of_who_moves B named.
Proof.
move=> S S' act sd st a m q k n ea lg _ eq bm -> ->; moved st; have pa := mover sd lg.
have /andP[nm _] := bm; have qm := apart_of nm; rewrite /besides (many_but (beside (put S a m) q a) m).
rewrite (beside_after sd lg) // eqxx nm eqxx /=; congr (_ + _)%Z; apply: many_eq => x.
rewrite (beside_after sd lg) //; case: (x =P m) => [-> | _]; last by rewrite andbT.
by rewrite (beside_move sd lg) andbF; case: (a) pa => // _; rewrite andbF.
Qed.

Theorem as_many_of_who_does_not_move : Statements.as_many_of_who_does_not_move B named.
Proof.
move=> S S' act sd st a m e q n ea lg [pa ->] _ eq qm ->; moved st; apply: many_eq => x.
by rewrite (beside_after sd lg) //; case: (x =P m) => [-> | //]; rewrite (beside_move sd lg); case: (a) pa.
Qed.

Theorem a_stone_of_who_moves_stays : Statements.a_stone_of_who_moves_stays B named.
Proof. by move=> S S' act sd st a m b ea lg _ cb; moved st; apply: (own_stays sd lg). Qed.

Theorem a_stone_with_another_liberty_stays : Statements.a_stone_with_another_liberty_stays B named.
Proof.
move=> S S' act sd st a m e b x ea lg [pa ->] _ cb bx xm; moved st.
exact: (with_another_liberty_stays sd lg) bx xm.
Qed.

Theorem other_liberties_stay : Statements.other_liberties_stay B.
Proof. by move=> S S' act sd st a m b x ea lg bx xm; moved st; apply: (keeps sd lg). Qed.

Theorem the_new_stone_has_what_it_reaches : Statements.the_new_stone_has_what_it_reaches B.
Proof. by move=> S S' act sd st d m x ea lg r; moved st; apply: (new_reaches sd lg). Qed.

Theorem so_has_what_it_joins : Statements.so_has_what_it_joins B named.
Proof. by move=> S S' act sd st d m b x ea lg _ cb bm r; moved st; apply: (joined_reaches sd lg). Qed.

(** The owner moves: no stone of his is taken. *)
Theorem girt_as_before : Statements.girt_as_before B defender.
Proof.
move=> S S' act sd st d m q x ea lg _ qm xm [pd eq ex all] no; moved st.
split=> //; try exact: (empty_stays sd lg); move=> w bw; case: (own_beside sd lg bw) => [wm | bw'].
  by case: (no m) => //; move: bw; rewrite wm (beside_move sd lg) /beside /near => /andP[->].
exact: (keeps sd lg) (all w bw') xm.
Qed.

Theorem girt_with_the_new_stone : Statements.girt_with_the_new_stone B defender.
Proof.
move=> S S' act sd st d m q x ea lg _ qm xm [pd eq ex all] r; moved st.
split=> //; try exact: (empty_stays sd lg); move=> w /(own_beside sd lg)[-> | bw].
  exact: (new_reaches sd lg).
exact: (keeps sd lg) (all w bw) xm.
Qed.

Theorem girt_by_joining : Statements.girt_by_joining B defender.
Proof.
move=> S S' act sd st d m q x ea lg _ qm xm [pd eq ex em [_ all]] r; moved st.
split=> //; try exact: (empty_stays sd lg); move=> w /(own_beside sd lg)[-> | bw].
  exact: (new_reaches sd lg).
have /andP[_ /eqP cw] := bw; case/orP: (all w bw) => lw; first exact: (keeps sd lg) lw xm.
exact: (joined_reaches sd lg) r.
Qed.

Theorem girt_or_as_before : Statements.girt_or_as_before B defender.
Proof.
move=> S S' act sd st d m q x y ea lg _ qm xm ym [pd eq ex ey [xy all]] no; moved st.
split=> //; try exact: (empty_stays sd lg); split=> // w bw; case: (own_beside sd lg bw) => [wm | bw'].
  by case: (no m) => //; move: bw; rewrite wm (beside_move sd lg) /beside /near => /andP[->].
by case/orP: (all w bw') => lw; apply/orP; [left | right]; apply: (keeps sd lg).
Qed.

Theorem girt_or_with_the_new_stone : Statements.girt_or_with_the_new_stone B defender.
Proof.
move=> S S' act sd st d m q x y ea lg _ qm xm ym [pd eq ex ey [xy all]] r; moved st.
split=> //; try exact: (empty_stays sd lg); split=> // w /(own_beside sd lg)[-> | bw].
  by apply/orP; left; apply: (new_reaches sd lg).
by case/orP: (all w bw) => lw; apply/orP; [left | right]; apply: (keeps sd lg).
Qed.

Theorem held_as_before : Statements.held_as_before B defender.
Proof.
move=> S S' act sd st d m x w ea lg _ xm [pd cw ex all] no; moved st; have [_ po _ _] := two_players sd lg.
have [l wl lm] := a_liberty sd (stone_of cw po) no; have cw' := other_with_another sd lg cw wl lm.
split=> //; try exact: (empty_stays sd lg); move=> s /(touches_other sd lg cw')[/all lx | [_ /no]] //.
exact: (keeps sd lg).
Qed.

Theorem held_with_the_new_stone : Statements.held_with_the_new_stone B defender.
Proof.
move=> S S' act sd st d m x w l ea lg _ xm [pd cw ex all] wl lm r; moved st.
have cw' := other_with_another sd lg cw wl lm.
split=> //; try exact: (empty_stays sd lg); move=> s /(touches_other sd lg cw')[/all lx | [-> _]].
  exact: (keeps sd lg).
exact: (new_reaches sd lg).
Qed.

Theorem held_by_joining : Statements.held_by_joining B defender.
Proof.
move=> S S' act sd st d m x w l ea lg _ xm [pd cw ex em [_ all]] wl lm r; moved st.
have [_ _ oo _] := two_players sd lg.
have cw' := other_with_another sd lg cw wl lm.
split=> //; try exact: (empty_stays sd lg); move=> s.
case/(touches_other sd lg cw') => [ts | [-> _]]; last exact: (new_reaches sd lg).
have cs : col S s = d by case/touchP: ts => _ [-> _]; rewrite cw oo.
by case/orP: (all s ts) => lx; [apply: (keeps sd lg) | apply: (joined_reaches sd lg)].
Qed.

Theorem held_or_as_before : Statements.held_or_as_before B defender.
Proof.
move=> S S' act sd st d m x y w ea lg _ xm ym [pd cw ex ey [xy all]] no; moved st; have [_ po _ _] := two_players sd lg.
have [l wl lm] := a_liberty sd (stone_of cw po) no; have cw' := other_with_another sd lg cw wl lm.
split=> //; try exact: (empty_stays sd lg); split=> // s /(touches_other sd lg cw')[/all lx | [_ /no]] //.
by case/orP: lx => lx; apply/orP; [left | right]; apply: (keeps sd lg).
Qed.

Theorem what_is_shut_in_loses_a_liberty : Statements.what_is_shut_in_loses_a_liberty B named defender.
Proof.
move=> S S' act sd st d m c w k n ea lg _ [pd ->] _ cw wm [sw ->]; rewrite (many_but (liberty S w) m) wm => k1 ->.
moved st; have /many_gt0[l /andP[wl /eqP lm]] : (0 < many (fun l => liberty S w l && (l != m)))%Z by lia.
have cw' := other_with_another sd lg cw wl lm; have [_ po _ _] := two_players sd lg.
split; first exact: stone_of cw' po.
by rewrite Z.add_simpl_r; apply: many_eq => x; rewrite /liberty (lib_other sd lg).
Qed.

Theorem what_is_shut_in_keeps_its_liberties : Statements.what_is_shut_in_keeps_its_liberties B named defender.
Proof.
move=> S S' act sd st d m c w n ea lg _ [pd ->] _ cw [sw ->] no; moved st.
have [l wl lm] := a_liberty sd sw no; have cw' := other_with_another sd lg cw wl lm.
have [_ po _ _] := two_players sd lg; split; first exact: stone_of cw' po.
apply: many_eq => x; rewrite /liberty (lib_other sd lg) //; case wx: (lib S w x) => //=.
by apply/esym/eqP/no.
Qed.
End Theorems.

(** The owner takes a stone that stands alone. *)
Section Lone.
Variables (B : board) (S : state B) (c : hue) (m w : B).
Hypotheses (sd : sound S) (lg : legal_move S c m) (cw : col S w = other c).
Hypotheses (alone : stones S w 1) (short : liberties S w 1) (wm : lib S w m).
Let S' := put S c m.

Lemma lone_block t : same S w t = (t == w).
Proof.
have [sw one] := alone; have ww : same_block S w w by apply: same_refl.
exact: (proj1 (many1 ww) (esym one) t).
Qed.

Lemma lone_liberty l : lib S w l = (l == m).
Proof. by have [_ one] := short; apply: (proj1 (many1 (wm : liberty S w m)) (esym one) l). Qed.

Lemma lone_taken : taken S c m w.
Proof. by apply/(takenP sd lg); split=> // l; apply: lone_liberty. Qed.

Lemma lone_leaves : col S' w = empty.
Proof. exact: (taken_leaves sd lg lone_taken). Qed.

Lemma lone_nb : nb m w.
Proof. by case/libP: wm => _ [t]; rewrite lone_block nb_sym => /eqP->. Qed.

(** All beside it is the owner's afterwards, and what of it is not new touched it. *)
Lemma around_lone x : nb w x -> col S' x = c.
Proof.
have [pc _ _ _] := two_players sd lg; move=> wx; have [sw _] := alone.
case: (three_hues (col S x) pc) => cx; first exact: (own_stays sd lg).
- have := same_nb (same_refl sw) wx; rewrite cx cw lone_block => /(_ erefl)/eqP xw.
  by move: wx; rewrite xw nb_irr.
- by have := lib_nb sw wx cx; rewrite lone_liberty => /eqP->; apply: (is_there sd lg).
Qed.

Lemma lone_touches x : nb w x -> x <> m -> touch S w x.
Proof.
have [pc _ oo _] := two_players sd lg; have [sw _] := alone; move=> wx xm.
apply/touchP; split=> //; rewrite cw oo; split; last by exists w => //; apply: same_refl.
by apply: (stood sd lg (around_lone wx)) xm; case: (c) pc.
Qed.

Lemma touched_lone b : touch S b w -> lib S' b w.
Proof.
have [pc _ oo cd] := two_players sd lg; case/touchP=> sb [cwb [t bt tw]].
have cb : col S b = c.
  by move: cwb; rewrite cw; move: sb; rewrite /stone; case: (c) pc; case: (col S b).
apply/libP; split; first exact: lone_leaves.
by exists t => //; apply: (same_grows sd lg) bt; apply: stone_of (own_stays sd lg cb) pc.
Qed.

Lemma joined_lone b : col S b = c -> lib S b m -> lib S' b w.
Proof.
move=> cb bm; rewrite (lib_joined sd lg); last exact: (joins sd lg).
by rewrite (lib_new sd lg) lone_taken lone_nb orbT.
Qed.
End Lone.

(** The attacker moves: the other's stones stood there before; a block that has not the move as a liberty stays as it
    is, and what touches it touched it. *)
Section Attack.
Variables (B : board) (S : state B) (c : hue) (m : B).
Hypotheses (sd : sound S) (lg : legal_move S c m).
Let S' := put S c m.

Lemma other_beside q w : beside S' q (other c) w -> beside S q (other c) w.
Proof. by rewrite /beside /near => /andP[-> /eqP/(other_stood sd lg)[-> _]]; rewrite eqxx. Qed.

Lemma unfilled w : (forall l, lib S w l -> l <> m) -> ~~ lib S w m.
Proof. by move=> no; apply/negP => /no. Qed.

Lemma touches_own w s : col S w = c -> ~~ lib S w m -> touch S' w s -> touch S w s.
Proof. by move=> cw wm; rewrite (touch_apart sd lg) // => /andP[]. Qed.

(** A new stone with none of its colour beside it is a block of its own. *)
Hypothesis none : forall x, ~~ beside S m c x.

Lemma no_friend (Q : pred B) : [exists a, [&& nb m a, col S a == c & Q a]] = false.
Proof. by apply/existsP => -[a /and3P[ma ca _]]; have := none a; rewrite /beside /near ma ca. Qed.

Lemma same_alone t : same S' m t = (t == m).
Proof. by rewrite (same_new sd lg) no_friend orbF. Qed.

Lemma lib_alone l : lib S' m l = near S m empty l || taken S c m l && nb m l.
Proof. by rewrite (lib_new sd lg) no_friend orbF. Qed.

Lemma touches_alone s : touch S' m s -> beside S m (other c) s.
Proof. by rewrite (touch_new sd lg) no_friend orbF => /andP[]. Qed.
End Attack.

Section Theorems.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem a_lone_stone_taken_leaves_its_point : Statements.a_lone_stone_taken_leaves_its_point B named defender.
Proof. by move=> S S' act sd st d m c w ea lg _ [_ ->] _ cw al sh wm; moved st; apply: (lone_leaves sd lg cw). Qed.

Theorem nothing_empty_is_beside_that : Statements.nothing_empty_is_beside_that B named defender.
Proof.
move=> S S' act sd st d m c w ea lg _ [pd ->] _ cw al sh wm; moved st; apply/esym/many0 => x.
by apply/negP => /andP[wx]; rewrite (around_lone sd lg cw al sh wm wx); case: (d) pd.
Qed.

Theorem nor_a_stone_of_the_attacker : Statements.nor_a_stone_of_the_attacker B named defender.
Proof.
move=> S S' act sd st d m c w ea lg _ [pd ->] _ cw al sh wm; moved st; apply/esym/many0 => x.
by apply/negP => /andP[wx]; rewrite (around_lone sd lg cw al sh wm wx); case: (d) pd.
Qed.

Theorem what_touched_it_has_a_liberty_there : Statements.what_touched_it_has_a_liberty_there B named defender.
Proof.
by move=> S S' act sd st d m c w b ea lg _ [_ ->] _ cw al sh wm tb; moved st; apply: (touched_lone sd lg cw).
Qed.

Theorem so_has_what_joins_the_move : Statements.so_has_what_joins_the_move B named defender.
Proof.
by move=> S S' act sd st d m c w b ea lg _ [_ ->] _ cw al sh wm _ cb bm; moved st; apply: (joined_lone sd lg cw).
Qed.

Theorem girt_where_a_stone_was : Statements.girt_where_a_stone_was B named defender.
Proof.
move=> S S' act sd st d m c w x ea lg _ [pd ->] _ cw al sh wm xm [_ _ ex all] r; moved st.
split=> //; [exact: (lone_leaves sd lg cw) | exact: (empty_stays sd lg) | move=> s /andP[ws _]].
case: (s =P m) => [-> | sm]; first exact: (new_reaches sd lg).
exact: (keeps sd lg) (all s (lone_touches sd lg cw al sh wm ws sm)) xm.
Qed.

Theorem girt_by_joining_where_a_stone_was : Statements.girt_by_joining_where_a_stone_was B named defender.
Proof.
move=> S S' act sd st d m c w x ea lg _ [pd ->] _ cw al sh wm xm [_ _ ex _ [_ all]] r; moved st.
split=> //; [exact: (lone_leaves sd lg cw) | exact: (empty_stays sd lg) | move=> s /andP[ws /eqP cs]].
case: (s =P m) => [-> | sm]; first exact: (new_reaches sd lg).
case/orP: (all s (lone_touches sd lg cw al sh wm ws sm)) => lx; first exact: (keeps sd lg) lx xm.
by apply: (joined_reaches sd lg) r => //; apply: (stood sd lg cs) sm; case: (d) pd.
Qed.

Theorem girt_with_where_a_stone_was : Statements.girt_with_where_a_stone_was B named defender.
Proof.
move=> S S' act sd st d m c w q ea lg _ [pd ->] _ cw al sh wm qm [_ eq em _ all]; moved st.
split=> //; [exact: (empty_stays sd lg) | exact: (lone_leaves sd lg cw) | move=> s /(own_beside sd lg)[-> | bs]].
  by rewrite /liberty (lib_new sd lg) (lone_taken sd lg cw sh wm) (lone_nb al wm) orbT.
have /andP[_ /eqP cs] := bs; case/orP: (all s bs) => [ts | sm]; first exact: (touched_lone sd lg cw).
exact: (joined_lone sd lg cw).
Qed.

(** The attacker moves: what is around an eye has another liberty, so it is not taken. *)
Theorem girt_after_his_move : Statements.girt_after_his_move B defender.
Proof.
move=> S S' act sd st c m d q x ea lg [_ ->] _ qm xm [pd eq ex all]; moved st.
split=> //; try exact: (empty_stays sd lg); move=> w /(other_beside sd lg)/all wx; exact: (keeps sd lg).
Qed.

Theorem girt_or_after_his_move : Statements.girt_or_after_his_move B defender.
Proof.
move=> S S' act sd st c m d q x y ea lg [_ ->] _ qm xm ym [pd eq ex ey [xy all]]; moved st.
split=> //; try exact: (empty_stays sd lg); split=> // w /(other_beside sd lg)/all/orP[] wx; apply/orP; [left | right].
  exact: (keeps sd lg).
exact: (keeps sd lg).
Qed.

Theorem held_after_his_move : Statements.held_after_his_move B defender.
Proof.
move=> S S' act sd st c m d x w ea lg [pc ->] _ xm [pd cw ex all] no; moved st; have [_ _ oo _] := two_players sd lg.
rewrite /colour oo in cw.
split=> //; rewrite /colour ?oo; [exact: (own_stays sd lg) | exact: (empty_stays sd lg) | move=> s].
by move=> /(touches_own sd lg cw (unfilled no))/all sx; apply: (keeps sd lg).
Qed.

Theorem held_or_after_his_move : Statements.held_or_after_his_move B defender.
Proof.
move=> S S' act sd st c m d x y w ea lg [pc ->] _ xm ym [pd cw ex ey [xy all]] no; moved st.
have [_ _ oo _] := two_players sd lg; rewrite /colour oo in cw.
split=> //; rewrite ?oo; try exact: (empty_stays sd lg); [exact: (own_stays sd lg) | split=> // s].
by move=> /(touches_own sd lg cw (unfilled no))/all/orP[] sx; apply/orP; [left | right]; apply: (keeps sd lg).
Qed.

Theorem what_is_shut_in_stays_as_it_is : Statements.what_is_shut_in_stays_as_it_is B named defender.
Proof.
move=> S S' act sd st c m d w x n ea lg [pc ->] _ _ [pd cw ex all] xm [sw ->] no; moved st.
have [_ _ oo _] := two_players sd lg; rewrite /colour oo in cw; split; first exact: stone_of (own_stays sd lg cw) pc.
apply: many_eq => l; rewrite /liberty (lib_apart sd lg) ?(unfilled no) //.
case tk: (taken S c m l); rewrite ?orbF //=; case wl: (touch S w l); rewrite ?orbF //.
by case: (not_taken sd lg (all l wl) xm).
Qed.

Theorem a_lone_stone_inside : Statements.a_lone_stone_inside B defender.
Proof.
move=> S S' act sd st c m d x n ea lg [pc ->] _ [pd em ex all] xm /esym/many0 none ->; moved st.
split; first exact: stone_of (is_there sd lg) pc.
apply: many_eq => l; rewrite /liberty (lib_alone sd lg none); case tk: (taken S c m l && nb m l); rewrite ?orbF //.
have /andP[tl ml] := tk; case: (not_taken sd lg (all l _) xm tl); rewrite /beside /near ml.
by case/(takenP sd lg): tl => -> _; rewrite eqxx.
Qed.

Theorem it_is_there : Statements.it_is_there B named.
Proof. by move=> S S' act sd st c m ea lg _; moved st; apply: (is_there sd lg). Qed.

Theorem it_is_held : Statements.it_is_held B defender.
Proof.
move=> S S' act sd st c m d x ea lg [pc ->] _ [pd em ex all] xm /esym/many0 none; moved st.
have [_ _ oo _] := two_players sd lg.
split=> //; rewrite ?oo; [exact: (is_there sd lg) | exact: (empty_stays sd lg) | move=> s].
by move=> /(touches_alone sd lg none)/all sx; apply: (keeps sd lg).
Qed.

Theorem it_is_held_or : Statements.it_is_held_or B defender.
Proof.
move=> S S' act sd st c m d x y ea lg [pc ->] _ [pd em ex ey [xy all]] xm ym /esym/many0 none; moved st.
have [_ _ oo _] := two_players sd lg.
split=> //; rewrite ?oo; try exact: (empty_stays sd lg); [exact: (is_there sd lg) | split=> // s].
by move=> /(touches_alone sd lg none)/all/orP[] sx; apply/orP; [left | right]; apply: (keeps sd lg).
Qed.

Theorem it_is_alone : Statements.it_is_alone B named.
Proof.
move=> S S' act sd st c m ea lg _ /esym/many0 none; moved st; have [pc _ _ _] := two_players sd lg.
have sm := stone_of (is_there sd lg) pc; split=> //; apply/esym/(many1 (same_refl sm : same_block _ m m)) => t.
by rewrite /same_block (same_alone sd lg none).
Qed.

Theorem it_is_touched : Statements.it_is_touched B named.
Proof.
move=> S S' act sd st c m d b x ea lg [pc ->] _ cb bm bx xm; moved st.
rewrite /liberty in bm; rewrite /contact (touch_other sd lg _ (other_with_another sd lg cb bx xm)).
by rewrite eqxx bm orbT.
Qed.

Theorem it_is_touched_by_all_around : Statements.it_is_touched_by_all_around B defender.
Proof.
move=> S S' act sd st c m d q z ea lg [pc ->] _ qm zm [pd eq em ez [mz all]]; moved st.
have [_ _ oo _] := two_players sd lg.
split=> //; rewrite ?oo; try exact: (empty_stays sd lg); [exact: (is_there sd lg) | move=> s bs].
have /andP[_ /eqP cs] := bs; case/orP: (all s (other_beside sd lg bs)) => sl; apply/orP; [left | right].
  by rewrite /contact (touch_other sd lg _ cs) eqxx orbC; rewrite /liberty in sl; rewrite sl.
exact: (keeps sd lg).
Qed.

Theorem touching_after_his_move : Statements.touching_after_his_move B defender.
Proof.
move=> S S' act sd st c m d q z w ea lg [pc ->] _ qm zm [pd eq ez cw all]; moved st.
have [_ _ oo _] := two_players sd lg.
rewrite /colour oo in cw.
split=> //; rewrite ?oo; try exact: (empty_stays sd lg); [exact: (own_stays sd lg) | move=> s bs].
have /andP[_ /eqP cs] := bs; case/orP: (all s (other_beside sd lg bs)) => sl; apply/orP; [left | right].
  by rewrite /contact (touch_other sd lg _ cs); rewrite /contact in sl; rewrite sl.
exact: (keeps sd lg).
Qed.

Theorem touched_after_his_move : Statements.touched_after_his_move B named.
Proof.
move=> S S' act sd st c m d w b x ea lg [pc ->] _ cb bw bx xm; moved st.
by rewrite /contact (touch_other sd lg _ (other_with_another sd lg cb bx xm)); rewrite /contact in bw; rewrite bw.
Qed.

Theorem a_lone_stone_elsewhere : Statements.a_lone_stone_elsewhere B named.
Proof.
move=> S S' act sd st c m w ea lg _ cw [sw one] no; moved st; have [pc _ _ _] := two_players sd lg.
split; first exact: stone_of (own_stays sd lg cw) pc.
by rewrite one; apply: many_eq => t; rewrite /same_block (same_apart sd lg _ cw) ?(unfilled no).
Qed.
End Theorems.
