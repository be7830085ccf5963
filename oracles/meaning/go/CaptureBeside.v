(** The defender's stones beside a point after a move of his, and a move of his that takes a stone that stands alone. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith Lia.
From Go Require Import Board Counting Effects.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

(** The beginning that all these clauses have in common: the move is played and legal, and is the defender's. *)
Ltac own st := let e := fresh in intros e; rewrite {}e in st; destruct st as [lg ->]; intros _ _.

(** Blocks beside a point that the move leaves empty. *)
Section Beside.
Variables (B : board) (S : state B) (d : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S d p).
Let S' := put S d p.
Implicit Types q b e s : B.

Lemma player_stone (T : state B) s : col T s = d -> stone T s.
Proof. by rewrite /stone => ->; apply: mover lg. Qed.

(** What is beside is the new stone or stood there before. *)
Lemma beside_stood q s : near S' q d s -> nb q s /\ (s = p \/ near S q d s).
Proof.
case/andP=> nqs /eqP cs; split=> //; case: (s =P p) => [|ne]; [by left | right].
by rewrite /near nqs (stood sd lg cs) ?eqxx // => none; move: (mover sd lg); rewrite none.
Qed.

Lemma only_after q b : col S q = empty -> q <> p -> col S' b = d ->
  (nb q p -> same S' b p) -> (forall s, near S q d s -> same S' b s) -> Words.only S' q b.
Proof.
move=> eq ne cb new old; split; [exact: empty_stays | exact: player_stone | rewrite cb => s].
by case/beside_stood=> nqs [sp | /old //]; apply: etrans (new _); rewrite -?sp.
Qed.

Lemma pair_after q b e : col S q = empty -> q <> p -> col S' b = d -> col S' e = d ->
  (nb q p -> same S' b p || same S' e p) -> (forall s, near S q d s -> same S' b s || same S' e s) ->
  Words.pair S' q b e.
Proof.
move=> eq ne cb ce new old; split; [exact: empty_stays | exact: player_stone | by rewrite ce | rewrite cb => s].
by case/beside_stood=> nqs [sp | /old //]; apply: etrans (new _); rewrite -?sp.
Qed.

Lemma grows b s : col S b = d -> same S b s -> same S' b s.
Proof. by move=> cb; apply: same_grows => //; apply: player_stone; apply: own_stays. Qed.

Lemma joins_it b : col S b = d -> lib S b p -> same S' b p.
Proof. by move=> cb lb; apply/same_sym/joins. Qed.


(** What was beside is of the block, or of one of two, and so it stays. *)
Lemma only_grows q b s : Words.only S q b -> col S b = d -> near S q d s -> same S' b s.
Proof. by case=> _ _ all cb; rewrite -{1}cb => /all; apply: grows. Qed.

Lemma pair_grows q b e s : Words.pair S q b e -> col S b = d -> near S q d s -> same S' b s || same S' e s.
Proof.
case=> _ _ ce all cb; rewrite -{1}cb => /all /orP[] /grows -> //; first by rewrite orbT.
by rewrite ce.
Qed.

Lemma not_beside q : (forall x, near S q empty x -> x <> p) -> nb q p -> False.
Proof. by move=> apart nqp; case: (apart p); rewrite // /near nqp (was_empty sd lg). Qed.

(** The new stone's block comes beside as a second one, whatever stone stands for it. *)
Lemma second_block q b e : col S b = d -> Words.only S q b -> q <> p -> col S' e = d -> same S' e p ->
  Words.pair S' q b e /\ Words.pair S' q e b.
Proof.
move=> cb only ne ce ep; have [eq _ _] := only; have cb' := own_stays sd lg cb.
by split; apply: pair_after; rewrite ?ep ?orbT // => s /(only_grows only cb) ->; rewrite ?orbT.
Qed.

(** A block that joins another stands for it. *)
Lemma joined_too b e s : col S b = d -> lib S b p -> col S e = d -> lib S e p -> same S' e s -> same S' b s.
Proof. by move=> cb lb ce le es; apply: same_trans (joins_it cb lb) (same_trans (joins sd lg ce le) es). Qed.

Lemma new_stone : same S' p p.
Proof. exact: same_refl (player_stone (is_there sd lg)). Qed.
End Beside.

(** A move that takes a stone that stands alone, where all others beside it have two liberties or more. *)
Section Taking.
Variables (B : board) (S : state B) (d : hue) (p w : B).
Hypotheses (sd : sound S) (lg : legal_move S d p) (cw : col S w = other d) (lone : Words.stones S w 1%Z)
  (weak : Words.liberties S w 1%Z) (lw : lib S w p) (others : Words.guard_but S p (other d) w 2%Z).
Let S' := put S d p.
Implicit Types b l s t : B.

Lemma all_of_it t : same S w t = (t == w).
Proof. by case: lone => sw /esym/(many1 _ _ _ (same_refl sw))/(_ t). Qed.

Lemma its_liberty l : lib S w l = (l == p).
Proof. by case: weak => _ /esym/(many1 _ _ _ lw)/(_ l). Qed.

Lemma is_taken : taken S d p w.
Proof. by apply/takenP => //; split=> // l; apply: its_liberty. Qed.

Lemma it_leaves : col S' w = empty.
Proof. by apply: taken_leaves is_taken. Qed.

Lemma its_only_liberty_beside : nb p w.
Proof. by case/libP: lw => _ [t]; rewrite all_of_it => /eqP->; rewrite nb_sym. Qed.

Lemma taken_alone t : taken S d p t = (t == w).
Proof.
apply/idP/eqP => [/(taken_near sd lg)[q [npq cq air sqt]] | ->]; last exact: is_taken.
have [_ /(_ q)] := others; rewrite /Words.beside /near npq cq eqxx => /(_ isT)[|sq].
  by rewrite (many_eq _ _ (pred1 p) air) /Words.many card1.
by have := same_trans sq sqt; rewrite all_of_it => /eqP.
Qed.

(** What else a block that the new stone is of can breathe by. *)
Lemma new_liberty l : lib S' p l ->
  l = w \/ l <> p /\ (near S p empty l \/ exists a, [/\ nb p a, col S a = d & lib S a l]).
Proof.
case: (l =P p) => [-> /lib_stone[_]|ne].
  by rewrite (is_there sd lg) => none; move: (mover sd lg); rewrite none.
rewrite lib_new // taken_alone => /or3P[->|/andP[/eqP-> _]|]; [by right; split; [|left] | by left |].
case/existsP=> a /and3P[npa /eqP ca] /orP[/andP[la _]|/andP[/eqP-> _]]; last by left.
by right; split=> //; right; exists a.
Qed.

Lemma breathes_there b : same S' b p -> lib S' b w.
Proof.
move=> bp; rewrite -(lib_same _ bp); apply: (lib_nb _ its_only_liberty_beside it_leaves).
exact: (player_stone sd lg (is_there sd lg)).
Qed.

(** A block that breathes there has one liberty more than the others that it has. *)
Lemma and_there (F : pred B) s n : stone S' s -> n = Words.many (fun l => F l && (l != p)) ->
  (forall l, F l -> col S l = empty) -> (forall l, lib S' s l = (l == w) || F l && (l != p)) ->
  Words.liberties S' s (n + 1)%Z.
Proof.
move=> ss -> empties each; split=> //; rewrite (many_but _ (Words.liberty S' s) w) /Words.liberty each eqxx /=.
congr (_ + _)%Z; apply: many_eq => l; rewrite each; case: (l =P w) => [->|_]; last by rewrite andbT.
by apply/negbTE/negP => /andP[/empties ew _]; case: lone; rewrite /stone ew.
Qed.

Lemma joined_and_there (F : pred B) b n : same S' b p -> n = Words.many (fun l => F l && (l != p)) ->
  (forall l, F l -> col S l = empty) -> (forall l, l <> p -> F l -> lib S' b l) ->
  (forall l, near S p empty l -> F l) -> (forall a l, near S p d a -> lib S a l -> F l) ->
  Words.liberties S' b (n + 1)%Z.
Proof.
move=> bp number empties stay bare own; apply: and_there number empties _ => [|l]; first by case/same_stone: bp.
apply/idP/orP => [|[/eqP->|/andP[Fl /eqP/stay->]//]]; last exact: breathes_there.
rewrite -(lib_same _ bp) => /new_liberty[->|[/eqP -> [/bare->|[a [npa ca la]]]]]; [by left | by right |].
by right; rewrite (own a) // /near npa ca eqxx.
Qed.

Lemma bare_breathes b l : same S' b p -> near S p empty l -> lib S' b l.
Proof.
move=> bp /andP[npl /eqP el]; rewrite -(lib_same _ bp); apply: lib_nb => //.
  exact: (player_stone sd lg (is_there sd lg)).
by apply: empty_stays => // lp; move: npl; rewrite lp nb_irr.
Qed.

Lemma own_breathes b s l : same S' b s -> col S s = d -> lib S s l -> l <> p -> lib S' b l.
Proof. by move=> bs cs ls ne; rewrite -(lib_same _ bs) lib_stays //; case/same_stone: bs. Qed.
End Taking.

Lemma none_beside (B : board) (S : state B) q c s : Words.besides S q c 0%Z -> near S q c s = false.
Proof. by move/esym/many0/(_ s)/negbTE. Qed.


Unset Implicit Arguments.
Section Theorems.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem no_other_block_beside : Statements.no_other_block_beside B defender.
Proof.
move=> S S' act sd st d r b q; own st => cb only ne apart; have [eq _ _] := only.
by apply: only_after => //; [apply: own_stays | move/(not_beside sd lg apart) | move=> s; apply: only_grows].
Qed.

Theorem the_block_comes_beside : Statements.the_block_comes_beside B defender.
Proof.
move=> S S' act sd st d p b q; own st => cb only ne _ lb; have [eq _ _] := only.
by apply: only_after => //; [apply: own_stays | move=> _; apply: joins_it | move=> s; apply: only_grows].
Qed.

Theorem a_first_stone_beside : Statements.a_first_stone_beside B named defender.
Proof.
move=> S S' act sd st d p q; own st => _ _ eq ne none; have cp := is_there sd lg.
apply: only_after => // [_ | s]; last by rewrite (none_beside _ none).
exact: same_refl (player_stone sd lg cp).
Qed.

Theorem two_blocks_stay_beside : Statements.two_blocks_stay_beside B defender.
Proof.
move=> S S' act sd st d r b q e; own st => cb two ne apart; have [eq _ ce _] := two; rewrite cb in ce.
by apply: pair_after => //; try exact: own_stays; [move/(not_beside sd lg apart) | move=> s; apply: pair_grows].
Qed.

Theorem a_second_block_comes_beside : Statements.a_second_block_comes_beside B named defender.
Proof.
move=> S S' act sd st d p b q; own st => _ cb only ne _.
by have [] := second_block sd lg cb only ne (is_there sd lg) (new_stone sd lg).
Qed.

Theorem a_second_block_extends_beside : Statements.a_second_block_extends_beside B named defender.
Proof.
move=> S S' act sd st d p e b q; own st => _ _ cb ce _ only ne _ le.
by have [] := second_block sd lg cb only ne (own_stays sd lg ce) (joins_it sd lg ce le).
Qed.

Theorem two_blocks_are_one : Statements.two_blocks_are_one B defender.
Proof.
move=> S S' act sd st d p b q e; own st => cb two ne lb le; have [eq _ ce _] := two; rewrite cb in ce.
apply: only_after => // [|_|s /(pair_grows sd lg two cb)/orP[] //]; [exact: own_stays | exact: joins_it |].
exact: joined_too.
Qed.

Theorem a_second_block_comes_beside_as_the_first : Statements.a_second_block_comes_beside_as_the_first B named defender.
Proof.
move=> S S' act sd st d p b q; own st => _ cb only ne _.
by have [] := second_block sd lg cb only ne (is_there sd lg) (new_stone sd lg).
Qed.

Theorem a_second_block_extends_beside_as_the_first :
  Statements.a_second_block_extends_beside_as_the_first B named defender.
Proof.
move=> S S' act sd st d p e b q; own st => _ _ cb ce _ only ne _ le.
by have [] := second_block sd lg cb only ne (own_stays sd lg ce) (joins_it sd lg ce le).
Qed.

Theorem the_block_is_the_first_beside : Statements.the_block_is_the_first_beside B named defender.
Proof.
move=> S S' act sd st d p q b; own st => _ _ _ eq ne cb none lb.
apply: only_after => // [|_|s]; [exact: own_stays | exact: joins_it | by rewrite (none_beside _ none)].
Qed.

Theorem a_block_joins_the_one_beside : Statements.a_block_joins_the_one_beside B named defender.
Proof.
move=> S S' act sd st d p q b e; own st => _ ne _ cb lb le ce _ only; have [eq _ _] := only.
apply: only_after => // [|_|s /(only_grows sd lg only ce)]; [exact: own_stays | exact: joins_it | exact: joined_too].
Qed.

Theorem a_block_joins_the_first_of_two : Statements.a_block_joins_the_first_of_two B named defender.
Proof.
move=> S S' act sd st d p q b e f; own st => _ ne _ cb lb le ce _ two; have [eq _ cf _] := two; rewrite ce in cf.
apply: pair_after => // [|||s /(pair_grows sd lg two ce)/orP[es|->]]; try exact: own_stays; rewrite ?orbT //.
  by rewrite joins_it.
by rewrite (joined_too sd lg cb lb ce le es).
Qed.

Theorem a_block_joins_the_second_of_two : Statements.a_block_joins_the_second_of_two B named defender.
Proof.
move=> S S' act sd st d p q b e f; own st => _ ne _ cb lb le ce _ two; have [eq _ cf _] := two; rewrite ce in cf.
apply: pair_after => // [|||s /(pair_grows sd lg two (esym cf))/orP[->|es]]; try exact: own_stays; rewrite ?orbT //.
  by rewrite (joins_it sd lg cb lb) orbT.
by rewrite (joined_too sd lg cb lb ce le es) orbT.
Qed.

Theorem a_taken_stone_leaves_its_point : Statements.a_taken_stone_leaves_its_point B named defender.
Proof. by move=> S S' act sd st d p c w; own st => _ [_ ->] _ cw *; apply: it_leaves. Qed.

Theorem a_block_that_takes_extends : Statements.a_block_that_takes_extends B named defender.
Proof.
move=> S S' act sd st d p c w b n m; own st => _ [_ ->] _ cw lone weak lw others _ cb lb [_ _ all] number ->.
have bp := joins_it sd lg cb lb; have bb := same_trans bp (same_sym bp); rewrite cb in all.
apply: (joined_and_there sd lg cw lone weak lw others bp number) => [l|l ne|l bl|a l /all ba la].
- by case/orP=> [/lib_stone[]|/andP[_ /eqP]].
- by case/orP=> [lb'|]; [apply: (own_breathes sd lg bb cb lb' ne) | apply: bare_breathes].
- by apply/orP; right.
- by rewrite /Words.liberty -(lib_same _ ba) la.
Qed.

Theorem two_blocks_that_take_join : Statements.two_blocks_that_take_join B named defender.
Proof.
move=> S S' act sd st d p c w b e n m; own st => _ [_ ->] _ cw lone weak lw others cb [_ _ ce all] lb le number ->.
have bp := joins_it sd lg cb lb; have bb := same_trans bp (same_sym bp).
rewrite cb in all ce; have ep := joins sd lg ce le.
apply: (joined_and_there sd lg cw lone weak lw others bp number) => [l|l ne|l bl|a l /all].
- by case/orP=> [/orP[]/lib_stone[]|/andP[_ /eqP]].
- case/orP=> [/orP[] l_|]; last exact: bare_breathes.
    exact: (own_breathes sd lg bb cb l_ ne).
  exact: (own_breathes sd lg (same_trans bp ep) ce l_ ne).
- by apply/orP; right.
- by case/orP=> same_a la; rewrite /Words.liberty -?(lib_same _ same_a) la ?orbT.
Qed.

Theorem a_block_that_takes_breathes_there : Statements.a_block_that_takes_breathes_there B named defender.
Proof.
move=> S S' act sd st d p c w b; own st => _ [_ ->] _ cw lone weak lw others _ cb lb.
by apply: breathes_there; last exact: joins_it.
Qed.

Theorem a_block_beside_breathes_there : Statements.a_block_beside_breathes_there B named defender.
Proof.
move=> S S' act sd st d p c w b; own st => _ [_ ->] _ cw lone weak lw others _ cb touches.
have ew := it_leaves sd lg cw weak lw; case/touchP: touches => _ [_ [t bt ntw]].
apply/libP; split=> //; exists t => //; exact: grows.
Qed.

Theorem a_block_beside_has_one_liberty_more : Statements.a_block_beside_has_one_liberty_more B named defender.
Proof.
move=> S S' act sd st d p c w b n m; own st => _ [_ ->] _ cw lone weak lw others _ cb touches apart [sb number] ->.
have nlb : ~~ lib S b p by apply/negP => /apart.
apply: (and_there lone (F := lib S b)) => // [||l /lib_stone[] //|l].
- exact: (player_stone sd lg (own_stays sd lg cb)).
- by rewrite number; apply: many_eq => l; case: eqP => [->|_]; rewrite ?andbT ?andbF //; apply/negbTE.
- rewrite lib_apart // (taken_alone sd lg cw lone weak lw others) orbC.
  case: (l =P w) => [->|_] /=; first by rewrite (touches : touch S b w).
  by case: eqP => [->|_]; rewrite ?andbT ?andbF //; apply/negbTE.
Qed.

Theorem a_stone_alone_that_takes : Statements.a_stone_alone_that_takes B named defender.
Proof.
move=> S S' act sd st d p c w n m; own st => _ [_ ->] _ cw lone weak lw others none number ->.
have pp := new_stone sd lg.
apply: (joined_and_there sd lg cw lone weak lw others (F := near S p empty) pp) => [|l /andP[_ /eqP]|l _|l|a l] //.
- rewrite number; apply: many_eq => l; case: eqP => [->|_]; rewrite ?andbT ?andbF //.
  by rewrite /Words.beside /near nb_irr.
- exact: bare_breathes.
- by rewrite (none_beside _ none).
Qed.

Theorem a_stone_that_takes_breathes_there : Statements.a_stone_that_takes_breathes_there B named defender.
Proof.
move=> S S' act sd st d p c w; own st => _ [_ ->] _ cw lone weak lw others.
by apply: breathes_there; last exact: new_stone.
Qed.

Theorem no_ban_where_a_block_takes : Statements.no_ban_where_a_block_takes B named defender.
Proof.
move=> S S' act sd st d p c w s; own st => _ [pd ->] _ cw lone weak lw others /andP[nps /eqP cs].
split; first by rewrite /Words.player; case: (d) pd.
rewrite /= /ko_after; case: pickP => // t _; case: andP => // -[_ /forallP/(_ s)].
by rewrite nps cs /=; case: (d) pd.
Qed.

Theorem no_empty_point_is_beside_where_it_was : Statements.no_empty_point_is_beside_where_it_was B named defender.
Proof.
move=> S S' act sd st d p c w; own st => _ [_ ->] _ cw lone weak lw others.
apply/esym/many0 => x; apply/negP => /andP[nwx /eqP/(emptied sd lg)[ne [ex|]]].
  have /lib_nb/(_ nwx ex) : stone S w by case: lone.
  by rewrite (its_liberty weak lw) => /eqP.
by rewrite (taken_alone sd lg cw lone weak lw others) => /eqP xw; move: nwx; rewrite xw nb_irr.
Qed.
End Theorems.
