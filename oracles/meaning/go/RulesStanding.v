(** The clauses of `standing` and `moves`: what stands on each point after a move or a pass, what lies beside each
    point, and ko. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects RulesState.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** Two sets: what they have in common, and what only the one has, by their sizes and the size of their union. *)
Section Sets.
Variable T : finType.
Implicit Types P Q : pred T.

Lemma many_both P Q :
  Words.many (fun x => P x && Q x) = (Words.many P + Words.many Q - Words.many (fun x => P x || Q x))%Z.
Proof. by have := many_or _ P Q; lia. Qed.

Lemma many_apart P Q : (forall x, P x -> ~~ Q x) ->
  Words.many (fun x => P x || Q x) = (Words.many P + Words.many Q)%Z.
Proof.
move=> PQ; have := many_or _ P Q; have/many0-> : forall x, ~~ (P x && Q x); last by lia.
by move=> x; rewrite negb_and; case Px: (P x) => //=; apply: PQ.
Qed.

Lemma many_without P Q : Words.many (fun x => P x && ~~ Q x) = (Words.many (fun x => P x || Q x) - Words.many Q)%Z.
Proof.
have := @many_apart (fun x => P x && ~~ Q x) Q; rewrite (many_eq _ _ (fun x => P x || Q x)) => [-> | x]; first by lia.
  by move=> x /andP[].
by case: (P x); case: (Q x).
Qed.
End Sets.

Section After.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S c p).
Let S' := put S c p.
Implicit Types (q s t x l : B).

Lemma opponent_of d : Words.opponent c d -> d = other c.
Proof. by case. Qed.

Lemma none_taken : Words.takings S c p 0 -> forall x, taken S c p x = false.
Proof. by move=> /(takings_taken sd lg)/esym/many0 none x; apply/negbTE. Qed.

Lemma count_taken (P : pred B) :
  Words.many (fun x => P x || Words.takes S c p x) = Words.many (fun x => P x || taken S c p x).
Proof. by apply: many_eq => x; rewrite taken_takes. Qed.

Lemma taken_other x : taken S c p x -> col S x = other c.
Proof. by case/(takenP sd lg). Qed.

(** What is beside a point. *)
Lemma near_own q x : near S' q c x = near S q c x || (nb q x && (x == p)).
Proof.
rewrite /near; case: (nb q x) => //=; apply/eqP/orP => [cx | [/eqP cx | /eqP ->]].
- have [-> | np] := eqVneq x p; [by right | left; apply/eqP].
  by apply: (stood sd lg cx) => [e|]; [move: (mover sd lg); rewrite e | apply/eqP].
- exact: own_stays.
- exact: is_there.
Qed.

Lemma near_other q x : near S' q (other c) x = near S q (other c) x && ~~ taken S c p x.
Proof.
rewrite /near -andbA; case: (nb q x) => //=; apply/eqP/andP => [/(other_stood sd lg)[-> ->] | [/eqP dx]].
  by rewrite eqxx.
exact: other_stays.
Qed.

Lemma near_empty q x : near S' q empty x = (near S q empty x && (x != p)) || (near S q (other c) x && taken S c p x).
Proof.
rewrite /near -!andbA; case: (nb q x) => //=.
apply/eqP/orP; [case/(emptied sd lg)=> np [-> | gone] | case=> [/andP[/eqP ex np] | /andP[_]]].
- by left; rewrite eqxx; apply/eqP.
- by right; rewrite gone (taken_other gone) eqxx.
- by apply: empty_stays => //; apply/eqP.
- exact: taken_leaves.
Qed.

Lemma besides_other q : Words.many (near S' q (other c)) =
  (Words.many (fun x => near S q (other c) x || Words.takes S c p x) - Words.many (Words.takes S c p))%Z.
Proof. by rewrite (many_eq _ _ _ (near_other q)) many_without count_taken -(takings_taken sd lg erefl). Qed.

Lemma besides_empty q : Words.many (near S' q empty) =
  (Words.many (fun x => near S q empty x && (x != p)) + Words.many (near S q (other c)) + Words.many (Words.takes S c p)
    - Words.many (fun x => near S q (other c) x || Words.takes S c p x))%Z.
Proof.
rewrite (many_eq _ _ _ (near_empty q)) many_apart ?(many_both (near S q _) (taken S c p)) ?count_taken.
  by rewrite -(takings_taken sd lg erefl); lia.
move=> x /andP[/andP[_ /eqP ex] _]; apply/negP => /andP[/andP[_ /eqP]]; rewrite ex.
by case: (c) (mover sd lg).
Qed.

(** What simple ko forbids. *)
Lemma ko_put k s : reflect
  [/\ k = other c, Words.takes S c p s, Words.takings S c p 1 & forall q, nb p q -> col S q = other c]
  (ko_after S c p == Some (k, s)).
Proof.
have one : (#|[pred x | taken S c p x]| == 1) <-> Words.takings S c p 1.
  rewrite /Words.takings (many_eq _ _ _ (taken_takes sd lg)) /Words.many; split=> [/eqP e | e].
    by rewrite [#|_|]e.
  by apply/eqP; move: e; rewrite -[1%Z]/(Z.of_nat 1) => /Nat2Z.inj.
apply: (iffP eqP) => [|[-> ts /one on all]]; rewrite /ko_after.
  case: pickP => // t tt; case: ifP => // /andP[/one on /forallP all] [<- <-]; split=> //; first by rewrite taken_takes.
  by move=> q pq; apply/eqP/(implyP (all q)).
have gone : taken S c p s by rewrite -taken_takes.
case: pickP => [t tt | /(_ s)]; last by rewrite gone.
rewrite on; case: forallP => [_ | []]; last by move=> q; apply/implyP => /all->.
by move/one/esym/(many1 _ _ _ ts): on => /(_ t); rewrite taken_takes // tt => /esym/eqP->.
Qed.

Lemma free_from d s : Words.player d -> ko_after S c p <> Some (d, s) -> Words.ko S' d s free.
Proof. by move=> pd /eqP/negbTE no; split; rewrite ?no. Qed.
End After.

(** What stands where. *)
Theorem a_stone_appears (B : board) : Statements.a_stone_appears B.
Proof. by move=> S S' a sd st c p e _; moved; apply: is_there. Qed.

Theorem an_empty_point_stays_empty (B : board) : Statements.an_empty_point_stays_empty B.
Proof. by move=> S S' a sd st c p q e _ eq qp; moved; apply: empty_stays. Qed.

Theorem a_stone_of_the_player_stays (B : board) : Statements.a_stone_of_the_player_stays B.
Proof. by move=> S S' a sd st c p s e _ cs; moved; apply: own_stays. Qed.

Theorem a_block_with_a_liberty_elsewhere_stays (B : board) : Statements.a_block_with_a_liberty_elsewhere_stays B.
Proof.
by move=> S S' a sd st c p d s l e _ /opponent_of-> ds sl lp; moved; apply: with_another_liberty_stays sl lp.
Qed.

Theorem a_taken_stone_leaves_its_point_empty (B : board) : Statements.a_taken_stone_leaves_its_point_empty B.
Proof. by move=> S S' a sd st c p s e _; moved; rewrite taken_takes //; apply: taken_leaves. Qed.

Theorem all_stays_when_a_player_passes (B : board) : Statements.all_stays_when_a_player_passes B.
Proof. by move=> S S' a sd st c p k e; passing. Qed.

(** What is beside each point. *)
Theorem a_neighbour_is_beside_by_its_colour (B : board) : Statements.a_neighbour_is_beside_by_its_colour B.
Proof. by move=> S S' a sd st q x k qx kx; apply/andP; split=> //; apply/eqP. Qed.

Theorem one_more_of_the_player_beside_the_move (B : board) : Statements.one_more_of_the_player_beside_the_move B.
Proof.
move=> S S' a sd st c p q m n e _ pq -> ->; moved.
rewrite /Words.besides (many_eq _ _ _ (near_own sd lg q)) [RHS](many_but _ _ p) nb_sym [nb p q]pq eqxx orbT.
congr (_ + _)%Z.
apply: many_eq => x; have [-> | _] := eqVneq x p; last by rewrite !andbF orbF andbT.
rewrite andbF; apply/negbTE/negP => /andP[_ /eqP]; rewrite (was_empty sd lg).
by case: (c) (mover sd lg).
Qed.

Theorem elsewhere_as_many_of_the_player (B : board) : Statements.elsewhere_as_many_of_the_player B.
Proof.
move=> S S' a sd st c p q n e _ -> no; moved; apply: many_eq => x; rewrite /Words.beside near_own //.
by case qx: (nb q x); rewrite ?orbF //; case: eqP (no _ qx) => // _; rewrite orbF.
Qed.

Theorem as_many_of_the_opponent_where_none_is_taken (B : board) :
  Statements.as_many_of_the_opponent_where_none_is_taken B.
Proof.
move=> S S' a sd st c p d q n e _ none /opponent_of-> ->; moved; apply: many_eq => x.
by rewrite /Words.beside near_other // (none_taken sd lg none) andbT.
Qed.

Theorem fewer_of_the_opponent_by_those_taken (B : board) : Statements.fewer_of_the_opponent_by_those_taken B.
Proof. by move=> S S' a sd st c p t d q _ w n e _ -> _ /opponent_of-> _ -> ->; moved; apply/esym/besides_other. Qed.

Theorem fewer_empty_points_where_none_is_taken (B : board) : Statements.fewer_empty_points_where_none_is_taken B.
Proof.
move=> S S' a sd st c p q _ n e _ none _ ->; moved; apply: many_eq => x.
by rewrite /Words.beside near_empty // (none_taken sd lg none) andbF orbF.
Qed.

Theorem empty_points_and_those_of_taken_stones (B : board) : Statements.empty_points_and_those_of_taken_stones B.
Proof.
by move=> S S' a sd st c p t k q d u w n e _ -> _ -> /opponent_of-> -> -> ->; moved; apply/esym/besides_empty.
Qed.

Theorem neighbours_stay (B : board) : Statements.neighbours_stay B.
Proof. by move=> S S' a sd st c q k n e; passing. Qed.

(** Ko. *)
Theorem the_player_is_free (B : board) : Statements.the_player_is_free B.
Proof.
move=> S S' a sd st c p q _ e _ [pc _]; moved; apply: free_from => // /eqP/(ko_put sd lg)[].
by case: (c) pc.
Qed.

Theorem free_unless_one_stone_is_taken (B : board) : Statements.free_unless_one_stone_is_taken B.
Proof.
move=> S S' a sd st c p t d q _ e _ tk t1 _ [pd _]; moved; apply: free_from => // /eqP/(ko_put sd lg)[_ _ one _].
by case: t1; rewrite tk one.
Qed.

Theorem free_elsewhere (B : board) : Statements.free_elsewhere B.
Proof.
move=> S S' a sd st c p s d q _ e _ one ts _ [pd _] qs; moved; apply: free_from => // /eqP/(ko_put sd lg)[_ tq _ _].
by case: qs; move/esym/(many1 _ _ _ ts)/(_ q): one; rewrite tq => /esym/eqP.
Qed.

Lemma free_by_other_neighbours (B : board) (S : state B) c p d s k n :
  sound S -> legal_move S c p -> Words.opponent c d ->
  Words.besides S p k n -> (n > 0)%Z -> k <> other c -> Words.ko (put S c p) d s free.
Proof.
move=> sd lg [pc ->] -> /Z.gt_lt/many_gt0[x /andP[px /eqP kx]] ko.
apply: free_from; first by case: (player_other B pc).
by move=> /eqP/(ko_put sd lg)[_ _ _ /(_ _ px)]; rewrite kx.
Qed.

Theorem free_by_joining (B : board) : Statements.free_by_joining B.
Proof.
move=> S S' a sd st c p s d n e _ _ _ od bn n0; moved; apply: (free_by_other_neighbours _ sd lg od bn n0).
by case: (c) (mover sd lg).
Qed.

Theorem free_by_another_liberty (B : board) : Statements.free_by_another_liberty B.
Proof.
move=> S S' a sd st c p s d n e _ _ _ od bn n0; moved; apply: (free_by_other_neighbours _ sd lg od bn n0).
by case: (c) (mover sd lg).
Qed.

Theorem banned_by_the_capture_of_one_stone (B : board) : Statements.banned_by_the_capture_of_one_stone B.
Proof.
move=> S S' a sd st c p s d e _ one ts [pc ->] /esym/many0 no /esym/many0 ne; moved.
split; first by case: (player_other B pc).
case: ko_put => // -[]; split=> // q pq; move: (no q) (ne q); rewrite /Words.beside /near [nb p q]pq /=.
by case: (hue_cases B (col S q) pc) => ->; rewrite ?eqxx.
Qed.

Theorem a_pass_lifts_every_ban (B : board) : Statements.a_pass_lifts_every_ban B.
Proof. by move=> S S' a sd st c d p _ e [pd _]; passing; split. Qed.
