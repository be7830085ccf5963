(** The clauses of `board`, `taking` and `go`: which moves are legal, what a move would take, how taking and saving fit.

    First, what a move `takes` in the words of the theory is what is taken by the rules. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** For what holds after a move or a pass: the action is replaced by it, and the position by the one that it makes. *)
Ltac moved :=
  let lg := fresh "lg" in
  match goal with st : step _ ?a _, e : ?a = Move _ _ |- _ => subst a; destruct st as [lg ->] end.
Ltac passing := match goal with st : step _ ?a _, e : ?a = Pass _ _ |- _ => subst a; destruct st as [_ ->] end.

(** If so many have a property as a list has different members, all with that property, no others have it. *)
Lemma all_listed (T : finType) (P : pred T) (r : seq T) :
  uniq r -> all P r -> Z.of_nat (size r) = Words.many P -> P =1 mem r.
Proof.
move=> ur /allP aP /Nat2Z.inj e x; suff /(_ x) : r =i P by rewrite !inE.
by apply/subset_cardP; [rewrite -e (card_uniqP ur) | apply/subsetP].
Qed.
Ltac distinct := rewrite /= ?inE ?negb_or ?andbT; repeat first [done | by apply/eqP | apply/andP; split].
(** What is counted is any of such a list. *)
Ltac counted := by apply: many_eq => ? /=; rewrite ?orbF ?orbA.

Section Helpers.
Variable B : board.
Implicit Types (S : state B) (c d : hue) (p q s t x l : B).

(** A block in atari has the liberty that is known, and no other. *)
Lemma only_liberty S s p : lib S s p -> reflect (forall l, lib S s l = (l == p)) (libs S s == 1).
Proof.
move=> sp; apply: (iffP idP) => [/eqP one | only]; last first.
  by rewrite /libs (@eq_card1 _ p) // => x; rewrite !inE only.
by apply/(many1 _ _ _ sp); rewrite /Words.many -[1%Z]/(Z.of_nat 1) -one.
Qed.

Lemma some_liberties S s n : Words.liberties S s n -> n = Z.of_nat (libs S s).
Proof. by case. Qed.

Lemma has_one S s : Words.liberties S s 1%Z -> libs S s == 1.
Proof. by move/some_liberties => e; apply/eqP; lia. Qed.

Lemma has_more S s n p : Words.liberties S s n -> (n > 1)%Z -> exists2 l, lib S s l & l != p.
Proof.
case=> _ -> more; have := many_but _ (Words.liberty S s) p; set rest := Words.many _ in more * => e.
have /many_gt0[l /andP[sl lp]] : (0 < Words.many (fun x => Words.liberty S s x && (x != p)))%Z.
  by move: e; case: ifP => _; lia.
by exists l.
Qed.

Lemma taken_takes S c p : sound S -> legal_move S c p -> Words.takes S c p =1 taken S c p.
Proof.
move=> sd lg s; have e := was_empty sd lg; apply/idP/idP.
  case/and3P=> _ _ /existsP[q /andP[/andP[/andP[pq /eqP dq] qp] /andP[/(only_liberty qp) one qs]]].
  by apply/(taken_near sd lg); exists q.
case/(taken_near sd lg) => q [pq dq only qs]; apply/and3P; split; rewrite ?e ?(mover sd lg) //.
have qp : lib S q p by rewrite only.
by apply/existsP; exists q; rewrite /near pq dq eqxx qp /Words.hangs qs (introT (only_liberty qp) only).
Qed.

Lemma takings_taken S c p n : sound S -> legal_move S c p -> Words.takings S c p n -> n = Words.many (taken S c p).
Proof. by move=> sd lg ->; apply: many_eq; apply: taken_takes. Qed.

(** What is not known to be legal: stones of one's own stay, and empty points stay empty. *)
Lemma same_mono S S1 s t : (forall x, col S x = col S s -> col S1 x = col S s) -> same S s t -> same S1 s t.
Proof.
move=> stay; case/andP=> h /connectP[r pr ->]; have e := stay s erefl.
have go y : same S1 s y -> col S y = col S s -> path (link S) y r -> same S1 s (last y r).
  elim: {pr} r y => [|z r IH] y //= sy ey /andP[/andP[yz /eqP ez]]; have ezs : col S z = col S s by rewrite -ez.
  by apply: IH => //; apply: (same_nb sy yz); rewrite e; apply: stay.
by apply: go => //; apply: same_refl; rewrite /stone e.
Qed.

Lemma own_on S c p x : is_player c -> col S x = c -> col (put S c p) x = c.
Proof. by rewrite /= /board_after /taken /= => pc ->; case: (x == p); case: c pc. Qed.

Lemma there S c p : is_player c -> col (put S c p) p = c.
Proof. by rewrite /= /board_after /taken /= eqxx; case: c. Qed.

Lemma bare S c p x : is_player c -> col S x = empty -> x != p -> col (put S c p) x = empty.
Proof. by rewrite /= /board_after /taken /= => pc -> /negbTE->; case: c pc. Qed.

Lemma atari_goes S c p q :
  is_player c -> col S p = empty -> col S q = other c -> (forall l, lib S q l -> l = p) -> taken S c p q.
Proof.
move=> pc ep dq only; have [_ [oc _]] := player_other B pc.
have ce : empty <> c by move=> e; move: pc; rewrite -e.
have qp : q != p by apply/eqP => e; move: dq; rewrite e ep; case: (c) pc.
have pn : col (down S c p) p = c by rewrite /= eqxx.
have dn x : x != p -> col (down S c p) x = col S x by rewrite /=; case: eqP.
have [dx dy] : (forall x, col (down S c p) x = other c -> x != p) /\ (forall x, col (down S c p) x = empty -> x != p).
  by split=> x ex; apply/eqP => e; move: ex; rewrite e pn // => /esym.
rewrite /taken dn // dq eqxx; apply/existsP => -[l /libP[el [t qt tl]]].
have lp := dy _ el; case/eqP: (lp); apply: only; apply/libP; split; first by rewrite -dn.
by exists t => //; apply: same_mono qt => x; rewrite (dn q) // dq => ex; rewrite -ex dn ?dx.
Qed.

Lemma legal_with S c p l : is_player c -> col S p = empty -> forbidden S <> Some (c, p) ->
  lib (put S c p) p l -> legal_move S c p.
Proof. by move=> pc e /eqP f pl; rewrite /legal_move pc e f /=; apply/existsP; exists l. Qed.

(** Who has a point that is not the other's beside it is not banned from there. *)
Lemma not_banned S c p q : sound S -> nb p q -> col S q <> other c -> forbidden S <> Some (c, p).
Proof. by case=> _ ban pq nd /ban[_ [_ /(_ _ pq)]]. Qed.
End Helpers.

(** Which moves are legal. *)
Theorem legal_by_an_empty_neighbour (B : board) : Statements.legal_by_an_empty_neighbour B.
Proof.
move=> S sd c p q pc ep pq eq; apply: (@legal_with _ _ _ _ q) => //.
  by apply: (not_banned sd pq); rewrite [col S q]eq; case: (c) pc.
have qp : q != p by apply/eqP => e; move: pq; rewrite e /Words.neighbour nb_irr.
by apply: lib_nb => //; [rewrite /stone there | apply: bare].
Qed.

Theorem legal_by_joining (B : board) : Statements.legal_by_joining B.
Proof.
move=> S sd p q c n ep pq cq qn more; have pc : is_player c by rewrite -cq; case: qn.
have [l /libP[el [t qt tl]] lp] := has_more p qn more; apply: (@legal_with _ _ _ _ l) => //.
  by apply: (not_banned sd pq); rewrite [col S q]cq; case: (c) pc.
apply/libP; split; first by apply: bare.
exists t => //; apply: same_trans (same_mono _ qt); last by move=> x; rewrite [col S q]cq; apply: own_on.
apply: (same_nb (same_refl _) pq); last by rewrite there // own_on.
by rewrite /stone there.
Qed.

Theorem legal_by_capture (B : board) : Statements.legal_by_capture B.
Proof.
move=> S sd c p q d [pc ko] ep pq [_ ->] dq /has_one one; apply: (@legal_with _ _ _ _ q) => //.
  by move=> e; move: ko; rewrite e eqxx.
have qp : lib S q p by apply: lib_nb => //; [rewrite /stone dq; case: (c) pc | rewrite nb_sym].
have gone : taken S c p q by apply: atari_goes => // l; rewrite (elimT (only_liberty qp) one) => /eqP.
by apply: lib_nb => //; [rewrite /stone there | rewrite /= /board_after gone].
Qed.

Theorem illegal_on_a_stone (B : board) : Statements.illegal_on_a_stone B.
Proof. by move=> S sd c p d pc dp pd; split=> // lg; move: pd; rewrite -dp [col S p](was_empty sd lg). Qed.

Theorem illegal_by_ko (B : board) : Statements.illegal_by_ko B.
Proof. by move=> S sd c p [pc]; case: eqP => // e _; split=> // /and4P[_ _]; rewrite e eqxx. Qed.

Theorem illegal_by_suicide (B : board) : Statements.illegal_by_suicide B.
Proof.
move=> S sd c p pc ep air; split=> // lg; have [_ [dc _]] := player_other B pc.
have gone q : nb p q -> col S q = other c -> ~ (forall l, lib S q l = (l == p)).
  move=> pq dq only; case: (air _ pq) => _ [[cq] | [_ [n [qn more]]]]; first by case: dc; rewrite -dq.
  by have [l] := has_more p qn more; rewrite only => ->.
have none t : ~~ taken S c p t by apply/(taken_near sd lg) => -[q [pq dq /(gone _ pq dq)]].
case/and4P: (lg) => _ _ _ /existsP[l]; rewrite (lib_new sd lg) (negbTE (none l)) /= => /orP[/andP[pl /eqP el] | ].
  by case: (air _ pl) => _ []; rewrite /Words.colour el => -[e _]; move: e pc; case: (c).
case/existsP=> a /and3P[pa /eqP ca]; rewrite orbF => /andP[al lp].
case: (air _ pa) => _ [[_ /has_one one] | [da _]]; last by case: dc; apply: etrans (esym da) ca.
have ap : lib S a p by apply: lib_nb => //; rewrite /stone ?ca // nb_sym.
by move: al; rewrite (elimT (only_liberty ap) one) (negbTE lp).
Qed.

Theorem airless_beside_a_last_liberty (B : board) : Statements.airless_beside_a_last_liberty B.
Proof. by move=> S sd q c cq one; split; [rewrite -cq; case: one | left]. Qed.

Theorem airless_beside_an_uncapturable_block (B : board) : Statements.airless_beside_an_uncapturable_block B.
Proof. by move=> S sd c d q n [pc ->] dq qn more; split=> //; right; split=> //; exists n. Qed.

(** What a move would take. *)
Theorem with_one_liberty_a_block_hangs (B : board) : Statements.with_one_liberty_a_block_hangs B.
Proof. by move=> S sd q s /has_one one qs; rewrite /Words.hangs one. Qed.

Theorem all_of_its_stones_hang (B : board) : Statements.all_of_its_stones_hang B.
Proof. by move=> S sd q n /has_one one [_ ->]; apply: many_eq => s; rewrite /Words.hangs one. Qed.

Theorem with_more_none_does (B : board) : Statements.with_more_none_does B.
Proof.
move=> S sd q n /some_liberties -> more; apply/esym/many0 => s; rewrite /Words.hangs.
by case: eqP => // e; move: more; rewrite e.
Qed.

Section Takings.
Variables (B : board) (S : state B).
Implicit Types (c d : hue) (p q s : B).

Lemma takes_of c d p q s :
  Words.opponent c d -> col S p = empty -> near S p d q -> Words.hangs S q s -> Words.takes S c p s.
Proof.
case=> pc -> ep pq hs; apply/and3P; split; rewrite ?ep //; apply/existsP; exists q; rewrite pq hs andbT /=.
case/andP: pq => pq /eqP dq; apply: lib_nb => //; last by rewrite nb_sym.
by rewrite /stone dq; case: c pc {dq}.
Qed.

Lemma takings_beside c d p (r : seq B) : Words.opponent c d -> col S p = empty -> uniq r -> all (near S p d) r ->
  Words.besides S p d (Z.of_nat (size r)) -> Words.takings S c p (Words.many (fun s => has (Words.hangs S ^~ s) r)).
Proof.
move=> od ep ur ar br; apply: many_eq => s; apply/hasP/idP => [[q qr] | ].
  by apply: takes_of od ep (allP ar _ qr).
case/and3P=> _ _ /existsP[q /andP[/andP[pq _] hs]]; exists q => //.
by case: od pq => _ <-; rewrite (all_listed ur ar).
Qed.
End Takings.

Theorem a_block_without_another_liberty_is_taken (B : board) : Statements.a_block_without_another_liberty_is_taken B.
Proof. by move=> S sd q s d c p hs dq od pq ep; apply: takes_of od ep pq hs. Qed.

Theorem nothing_beside_it_hangs (B : board) : Statements.nothing_beside_it_hangs B.
Proof.
move=> S sd p c d ep [_ ->] none; apply/esym/many0 => s; apply/and3P => -[_ _ /existsP[q /andP[/andP[pq _]]]].
by apply/negP; move/esym/many0: (none _ pq).
Qed.

Theorem takings_beside_one (B : board) : Statements.takings_beside_one B.
Proof.
move=> S sd p c d a n ep od one pa -> _.
apply: etrans (takings_beside (r := [:: a]) od ep _ _ one); [counted | distinct ..].
Qed.

Theorem takings_beside_two (B : board) : Statements.takings_beside_two B.
Proof.
move=> S sd p c d a b h n ep od two pa pb _ _ ab ->.
apply: etrans (takings_beside (r := [:: a; b]) od ep _ _ two); [counted | distinct ..].
Qed.

Theorem takings_beside_three (B : board) : Statements.takings_beside_three B.
Proof.
move=> S sd p c d a b e h n ep od many pa pb pe _ _ ab ae be ->.
apply: etrans (takings_beside (r := [:: a; b; e]) od ep _ _ many); [counted | distinct ..].
Qed.

Theorem takings_beside_four (B : board) : Statements.takings_beside_four B.
Proof.
move=> S sd p c d a b e f h n ep od many pa pb pe pf _ _ ab ae be af bf ef ->.
apply: etrans (takings_beside (r := [:: a; b; e; f]) od ep _ _ many); [counted | distinct ..].
Qed.

(** To take and to save. *)
Section Games.
Variables (B : board) (b : B).

Fixpoint no_saving_first (S : state B) (g : Words.taken_first S b) : ~ Words.saved_second S b
with no_saving_second (S : state B) (g : Words.taken_second S b) : ~ Words.saved_first S b.
Proof.
- by case: g => a S' _ act st g' [_ /(_ _ _ act st)[_]]; apply: no_saving_second.
- case: g => [gone | all] [a S' pb act st sv]; first by move: pb; rewrite gone.
  by case: (no_saving_first _ (all _ _ act st)).
Qed.
End Games.

Theorem what_is_saved_is_not_taken (B : board) : Statements.what_is_saved_is_not_taken B.
Proof. by move=> S sd b [pb sv]; split=> // /no_saving_first. Qed.

Theorem nor_is_what_its_owner_saves_first (B : board) : Statements.nor_is_what_its_owner_saves_first B.
Proof. by move=> S sd b [pb sv]; split=> // /no_saving_second. Qed.
