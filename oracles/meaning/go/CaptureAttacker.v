(** What the attacker's moves change: of the blocks around the one to be captured, and of what is beside points. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith Lia.
From Go Require Import Board Counting Effects CaptureBeside.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

(** The beginning that all these clauses have in common: the move is played and legal, and is the attacker's. *)
Ltac attack st := let e := fresh in intros e; rewrite {}e in st; destruct st as [lg ->]; intros _ [pc ->] _.

Section Attack.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S c p).
Let d := other c.
Let S' := put S c p.
Implicit Types (b q s v w x z : B) (k : Z).

Lemma own_stone w : col S w = c -> stone S' w.
Proof. by move=> cw; apply: (player_stone sd lg); apply: own_stays. Qed.

Lemma own_lib_stays w x : col S w = c -> lib S w x -> x <> p -> lib S' w x.
Proof. by move=> cw lw ne; apply: lib_stays => //; apply: own_stone. Qed.

Lemma bare_stays q x : near S q empty x -> x <> p -> near S' q empty x.
Proof. by case/andP=> nqx /eqP ex ne; rewrite /near nqx /S' empty_stays. Qed.

Lemma untaken z : col S z = empty -> taken S c p z = false.
Proof. by move=> ez; apply/negP => /(takenP sd lg)[]; rewrite ez; case: (c) (mover sd lg). Qed.

(** A block that the move does not join keeps what it has, and gets no liberty at an empty point. *)
Lemma apart_keeps w k : col S w = c -> ~~ lib S w p -> (k <= Words.many (lib S w))%Z -> (k <= Words.many (lib S' w))%Z.
Proof.
move=> cw nlw; suff: (Words.many (lib S w) <= Words.many (lib S' w))%Z by lia.
by apply: many_le => x lx; apply: own_lib_stays => // xp; move: nlw; rewrite -xp lx.
Qed.

Lemma apart_clear w z : col S w = c -> ~~ lib S w p -> ~~ lib S w z -> col S z = empty -> ~~ lib S' w z.
Proof. by move=> cw nlw nlz ez; rewrite lib_apart // untaken // orbF. Qed.

(** What the move joins has its liberties, and an empty point is one of them only if it was one of something beside. *)
Lemma joined_strong w k : same S' p w -> Words.strong S c p k -> (k <= Words.many (lib S' w))%Z.
Proof. by move=> pw [_ _ _ _ le]; rewrite (many_eq _ _ (lib S' p)) // => l; apply: lib_joined. Qed.

Lemma joined_clear w z : same S' p w -> (forall a, near S p c a -> ~~ lib S a z) -> col S z = empty ->
  (forall y, near S z empty y -> y <> p) -> ~~ lib S' w z.
Proof.
move=> pw all ez apart; rewrite (lib_joined sd lg z pw) lib_new // untaken //= !negb_or.
apply/andP; split; first by apply/negP => /andP[npz _]; apply: (not_beside sd lg apart); rewrite nb_sym.
apply/existsPn => a; apply/negP => /and3P[npa ca]; rewrite orbF => /andP[la _].
by have := all a; rewrite /near npa ca la => /(_ isT).
Qed.

(** What is beside a point, or touches a block of the other, is joined to the move, or it was there and is apart. *)
Lemma guard_after q w : near S' q c w -> same S' p w \/ near S q c w /\ ~~ lib S w p.
Proof.
move=> near'; have /andP[_ /eqP/(joined_or_apart sd lg)] := near'.
by case=> [|[cw [nlw ne]]]; [left | right; case: (beside_stood sd lg near') => _ []].
Qed.

Lemma touch_own b w : col S b = d -> touch S b w -> col S w = c.
Proof. by move=> cb /touchP[_ [-> _]]; rewrite cb /d; case: (c) (mover sd lg). Qed.

Lemma wall_after b x w : col S b = d -> lib S b x -> x <> p -> touch S' b w ->
  same S' p w \/ [/\ touch S b w, col S w = c & ~~ lib S w p].
Proof.
move=> cb lb ne; rewrite touch_other //; last exact: with_another_liberty_stays lb ne.
case/orP=> [tw|/andP[/eqP-> _]]; last by left; apply: new_stone.
have cw := touch_own cb tw; case: (joined_or_apart sd lg (own_stays sd lg cw)) => [|[_ [nlw _]]]; first by left.
by right.
Qed.

Lemma wall_apart_after b w : col S b = d -> (forall l, lib S b l -> l <> p) -> touch S' b w -> touch S b w.
Proof.
move=> cb apart; have sb : stone S b by rewrite /stone cb /d; case: (c) (mover sd lg).
have [l lb] := sd.1 b sb; rewrite touch_other //; last exact: with_another_liberty_stays lb (apart l lb).
by case/orP=> // /andP[_ /apart].
Qed.

(** Where all but the move stay, at most one is lost. *)
Lemma less_one (P Q : pred B) k :
  (k <= Words.many P)%Z -> (forall x, P x -> x <> p -> Q x) -> (k - 1 <= Words.many Q)%Z.
Proof.
rewrite (many_but _ P p) => le sub; suff: (Words.many (fun x => P x && (x != p)) <= Words.many Q)%Z.
  by move: le; case: (P p); lia.
by apply: many_le => x /andP[Px /eqP]; apply: sub.
Qed.

(** A move that joins the new stone's block, by whatever stone of it, has what was counted. *)
Lemma strong_joined q w v k : q <> p -> nb q v -> same S' v p -> near S p c w -> Words.strong_through_with S q p w k ->
  Words.strong_with S' q v k.
Proof.
move=> ne nqv vp /andP[npw /eqP cw] [k1 eq ep _ [sw _ le]].
have vw : same S' v w by apply: same_trans vp (joins sd lg cw _); apply: lib_nb => //; rewrite nb_sym.
split=> //; [exact: empty_stays | by case/same_stone: vp | apply: Z.le_trans le (many_le _ _ _ _) => x].
case/andP=> /andP[has /eqP xp] xq; apply/andP; split=> //; case/or3P: has => bx; apply/orP; [left | left | right].
- exact: (own_breathes sd lg vw cw bx xp).
- exact: bare_breathes.
- exact: bare_stays.
Qed.
End Attack.

Unset Implicit Arguments.
Section Theorems.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem the_attackers_stone : Statements.the_attackers_stone B defender.
Proof. by move=> S S' act sd st c p d; attack st; apply: is_there. Qed.

Theorem walls_apart_from_the_move : Statements.walls_apart_from_the_move B defender.
Proof.
move=> S S' act sd st c p d b k; attack st => cb firm apart nlb w /(wall_apart_after sd lg cb nlb) tw.
exact: (apart_keeps sd lg (touch_own sd lg cb tw) (apart w tw) (firm w tw)).
Qed.

Theorem other_walls_apart_from_the_move : Statements.other_walls_apart_from_the_move B defender.
Proof.
move=> S S' act sd st c p d b z k; attack st => cb ne firm apart nlb w /(wall_apart_after sd lg cb nlb) tw.
have cw := touch_own sd lg cb tw; have [le|lz] := firm w tw; [left | right].
  exact: (apart_keeps sd lg cw (apart w tw) le).
exact: own_lib_stays.
Qed.

Theorem guards_apart_from_the_move : Statements.guards_apart_from_the_move B defender.
Proof.
move=> S S' act sd st c p d q k; attack st => ne [eq guard] [_ clear] apart.
split=> [|w near']; first exact: empty_stays.
have [nqw [wp|near_w]] := beside_stood sd lg near'; first by case: (not_beside sd lg apart); rewrite -wp.
apply: apart_keeps (clear w near_w) (guard w near_w) => //; by case/andP: near_w => _ /eqP.
Qed.

Theorem other_guards_that_the_move_leaves_strong : Statements.other_guards_that_the_move_leaves_strong B defender.
Proof.
move=> S S' act sd st c p d q z k; attack st => ne nz [eq qz guard] spared.
split=> // [|w near']; first exact: empty_stays.
have [_ [wp|near_w]] := beside_stood sd lg near'; first by left; apply: spared => //; left.
have [le|lz] := guard w near_w; first by left; apply: spared => //; right.
by right; apply: own_lib_stays => //; case/andP: near_w => _ /eqP.
Qed.

Theorem guards_but_a_weak_one_that_the_move_leaves_strong :
  Statements.guards_but_a_weak_one_that_the_move_leaves_strong B defender.
Proof.
move=> S S' act sd st c p d q w k; attack st => ne [eq guard] spared; split=> [|v near']; first exact: empty_stays.
have [_ [vp|near_v]] := beside_stood sd lg near'; first by left; apply: spared => //; left.
have [le|wv] := guard v near_v; first by left; apply: spared => //; right.
by right; apply: (grows sd lg) => //; rewrite -(same_col wv); case/andP: near_v => _ /eqP.
Qed.

Theorem no_liberty_of_a_block_apart : Statements.no_liberty_of_a_block_apart B defender.
Proof.
move=> S S' act sd st c p d z w; attack st => ne [sw ez nlz] [_ _ nlp] cw.
by split; [apply: own_stone | apply: empty_stays | apply: apart_clear].
Qed.

Theorem no_liberty_of_a_block_that_grows : Statements.no_liberty_of_a_block_that_grows B defender.
Proof.
move=> S S' act sd st c p d z w; attack st => ne [sw ez nlz] cw [_ clear] apart.
split; [exact: own_stone | exact: empty_stays |].
by have [pw|[_ [nlp _]]] := joined_or_apart sd lg (own_stays sd lg cw); [apply: joined_clear | apply: apart_clear].
Qed.

Theorem no_liberty_of_the_new_stone : Statements.no_liberty_of_the_new_stone B defender.
Proof.
move=> S S' act sd st c p d z; attack st => ne [ez clear] apart; have pp := new_stone sd lg.
by split; [case/same_stone: pp | apply: empty_stays | apply: joined_clear].
Qed.

Theorem walls_as_strong_as_the_move : Statements.walls_as_strong_as_the_move B defender.
Proof.
move=> S S' act sd st c p d b x k; attack st => cb lx ne firm strong w.
case/(wall_after sd lg cb lx ne) => [pw|[tw cw nlw]]; first exact: joined_strong pw strong.
by have [le|] := firm w tw; [apply: apart_keeps | rewrite /Words.liberty (negbTE nlw)].
Qed.

Theorem other_walls_as_strong_as_the_move : Statements.other_walls_as_strong_as_the_move B defender.
Proof.
move=> S S' act sd st c p d z b x k; attack st => nz cb lx ne firm strong w.
case/(wall_after sd lg cb lx ne) => [pw|[tw cw nlw]]; first by left; apply: joined_strong pw strong.
by have [le|lz] := firm w tw; [left; apply: apart_keeps | right; apply: own_lib_stays].
Qed.

Theorem walls_but_a_weak_one_as_strong : Statements.walls_but_a_weak_one_as_strong B named defender.
Proof.
move=> S S' act sd st c p d w b x k; attack st => _ cb lx ne firm strong v.
case/(wall_after sd lg cb lx ne) => [pv|[tv cv nlv]]; first by left; apply: joined_strong pv strong.
have [le|wv] := firm v tv; [by left; apply: apart_keeps | right].
by apply: (grows sd lg) => //; rewrite -(same_col wv).
Qed.

Theorem guards_as_strong_as_the_move : Statements.guards_as_strong_as_the_move B defender.
Proof.
move=> S S' act sd st c p d q k; attack st => [[eq qp guard]] strong; split=> [|w]; first exact: empty_stays.
case/(guard_after sd lg) => [pw|[near_w nlw]]; first exact: joined_strong pw strong.
have cw : col S w = c by case/andP: near_w => _ /eqP.
by have [le|] := guard w near_w; [apply: apart_keeps | rewrite /Words.liberty (negbTE nlw)].
Qed.

Theorem another_move_as_strong : Statements.another_move_as_strong B defender.
Proof.
move=> S S' act sd st c p d q w k; attack st => ne /andP[_ /eqP cw] [k1 eq sw nqw le] [_ _ nlp] apart.
split=> //; [exact: empty_stays | exact: own_stone | apply: Z.le_trans le (many_le _ _ _ _) => x /andP[has xq]].
apply/andP; split=> //; case/orP: has => [lx|nx]; apply/orP; [left | right].
  by apply: own_lib_stays => // xp; move: nlp; rewrite -xp => /negP.
exact: bare_stays (apart x nx).
Qed.

Theorem another_move_through_this_one : Statements.another_move_through_this_one B defender.
Proof.
move=> S S' act sd st c p d q k; attack st => [[k1 eq ep nqp le]]; have pp := new_stone sd lg.
have ne : q <> p by move=> qp; move: nqp; rewrite qp nb_irr.
split=> //; [exact: empty_stays | by case/same_stone: pp | apply: Z.le_trans le (many_le _ _ _ _) => x].
case/andP=> /andP[has /eqP xp] xq; apply/andP; split=> //; case/orP: has => bx; apply/orP; [left | right].
  exact: bare_breathes.
exact: bare_stays.
Qed.

Theorem another_move_through_this_one_with_a_block :
  Statements.another_move_through_this_one_with_a_block B defender.
Proof.
move=> S S' act sd st c p d q w k; attack st => ne /andP[nqp _] strong near_w.
exact: strong_joined (new_stone sd lg) near_w strong.
Qed.

Theorem another_move_with_a_block_that_grew : Statements.another_move_with_a_block_that_grew B defender.
Proof.
move=> S S' act sd st c p d q w k; attack st => ne /andP[nqw _] strong near_w.
have /andP[npw /eqP cw] := near_w; apply: strong_joined near_w strong => //; apply: (joins_it sd lg cw).
by apply: lib_nb (was_empty sd lg); [rewrite /stone cw; apply: mover lg | rewrite nb_sym].
Qed.

Theorem a_later_move_through_another_one_less : Statements.a_later_move_through_another_one_less B defender.
Proof.
move=> S S' act sd st c p d q z k j; attack st => ne nz [k1 eq ez nqz le] k2 ->.
split; [lia | exact: empty_stays | exact: empty_stays | done | apply: (less_one (p := p) le) => x].
case/andP=> /andP[has xz] xq xp; rewrite /= xz xq !andbT.
by case/orP: has => /(bare_stays sd lg)/(_ xp); rewrite /Words.beside => ->; rewrite ?orbT.
Qed.

Theorem another_move_one_less_strong : Statements.another_move_one_less_strong B defender.
Proof.
move=> S S' act sd st c p d q w k j; attack st => ne /andP[_ /eqP cw] [k1 eq sw nqw le] k2 ->.
split; [lia | exact: empty_stays | exact: own_stone | done | apply: (less_one (p := p) le) => x].
case/andP=> has xq xp; apply/andP; split=> //; case/orP: has => bx; apply/orP; [left | right].
  exact: own_lib_stays.
exact: bare_stays.
Qed.

Theorem another_move_one_less_strong_with_two : Statements.another_move_one_less_strong_with_two B defender.
Proof.
move=> S S' act sd st c p d q w v k j; attack st => ne /andP[_ /eqP cw] [k1 eq sw nqw [/andP[nqv /eqP cv] le]] k2 ->.
rewrite cw in cv; have cw' := own_stays sd lg cw; have cv' := own_stays sd lg cv.
split; [lia | exact: empty_stays | exact: own_stone | done | split].
  by rewrite /Words.beside /near nqv cw' cv' eqxx.
apply: (less_one (p := p) le) => x /andP[has xq] xp; apply/andP; split=> //.
case/or3P: has => bx; apply/or3P; [apply: Or31 | apply: Or32 | apply: Or33]; try exact: own_lib_stays.
exact: bare_stays.
Qed.

Theorem guard_apart_elsewhere : Statements.guard_apart_elsewhere B defender.
Proof.
move=> S S' act sd st c p d q z; attack st => ne nz [ez clear] [_ clear_p] apart.
split=> [|w near']; first exact: empty_stays.
have [nqw [wp|near_w]] := beside_stood sd lg near'; first by case: (not_beside sd lg apart); rewrite -wp.
by apply: apart_clear (clear_p w near_w) (clear w near_w) ez => //; case/andP: near_w => _ /eqP.
Qed.

Theorem guard_apart_though_one_comes : Statements.guard_apart_though_one_comes B defender.
Proof.
move=> S S' act sd st c p d q z; attack st => ne nz [ez clear] [_ clear_p] apart.
split=> [|w]; first exact: empty_stays.
case/(guard_after sd lg) => [pw|[near_w nlp]]; first exact: joined_clear pw clear_p ez apart.
by apply: apart_clear nlp (clear w near_w) ez => //; case/andP: near_w => _ /eqP.
Qed.

Theorem walls_but_the_new_stone : Statements.walls_but_the_new_stone B defender.
Proof.
move=> S S' act sd st c p d b x k; attack st => cb lx ne firm w.
case/(wall_after sd lg cb lx ne) => [pw|[tw cw nlw]]; [by right | left].
by have [le|] := firm w tw; [apply: apart_keeps | rewrite /Words.liberty (negbTE nlw)].
Qed.

Theorem guards_but_the_new_stone : Statements.guards_but_the_new_stone B defender.
Proof.
move=> S S' act sd st c p d q k; attack st => [[eq qp guard]] _; split=> [|w]; first exact: empty_stays.
case/(guard_after sd lg) => [pw|[near_w nlw]]; [by right | left].
have cw : col S w = c by case/andP: near_w => _ /eqP.
by have [le|] := guard w near_w; [apply: apart_keeps | rewrite /Words.liberty (negbTE nlw)].
Qed.

Theorem the_defenders_stones_beside_stay : Statements.the_defenders_stones_beside_stay B named defender.
Proof.
move=> S S' act sd st c p d q s; attack st => _ ne eq [_ other] near_s; have [l ls lp] := other s near_s.
have /andP[nqs /eqP cs] := near_s; apply/andP; split=> //; apply/eqP.
by apply: with_another_liberty_stays ls _ => //; apply/eqP.
Qed.

Theorem an_attackers_stone_beside : Statements.an_attackers_stone_beside B named defender.
Proof.
move=> S S' act sd st c p d q; attack st => _ ne /andP[nqp _].
by rewrite /Words.beside /near nqp is_there // eqxx.
Qed.

Theorem attackers_stones_beside_stay : Statements.attackers_stones_beside_stay B named defender.
Proof.
move=> S S' act sd st c p d q w; attack st => _ /andP[nqw /eqP cw].
by rewrite /Words.beside /near nqw own_stays // eqxx.
Qed.

Theorem an_attackers_block_apart : Statements.an_attackers_block_apart B named defender.
Proof.
move=> S S' act sd st c p d w n; attack st => _ cw [_ other] [sw ->] apart.
have nlw : ~~ lib S w p by apply/negP => /apart.
split; first exact: own_stone; apply: many_eq => l; rewrite /Words.liberty lib_apart //.
case: (boolP (taken S c p l)) => [/(taken_near sd lg)[q [npq cq air _]]|_]; last by rewrite orbF.
have [|l' ll' l'p] := other q; first by rewrite /Words.beside /near npq cq eqxx.
by move: ll' l'p; rewrite /Words.liberty air => ->.
Qed.

Theorem an_attackers_block_keeps_its_liberties : Statements.an_attackers_block_keeps_its_liberties B named defender.
Proof. by move=> S S' act sd st c p d w x; attack st => _ cw lx ne; apply: own_lib_stays. Qed.

Theorem an_attackers_lone_stone_stays_alone : Statements.an_attackers_lone_stone_stays_alone B named defender.
Proof.
move=> S S' act sd st c p d w; attack st => _ cw [sw ->] apart; split; first exact: own_stone.
by apply: many_eq => t; rewrite /Words.same_block same_apart //; apply/negP => /apart.
Qed.
End Theorems.
