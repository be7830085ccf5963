(** Capture, what holds at one moment: of walls and guards, of how strong a move would be, of the blocks beside a point
    and of moves that are illegal; then the clauses that say what the game of taking a block is worth. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects.
From Go Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** * What recurs. *)
Section Helpers.
Variable B : board.
Implicit Types (S : state B) (c d k : hue) (p q s t x l : B).

Lemma besideP S p k x : reflect (nb p x /\ col S x = k) (beside S p k x).
Proof. by apply: (iffP andP) => -[n /eqP]. Qed.

Lemma many_same S s t : same S s t -> many (liberty S t) = many (liberty S s).
Proof. by move=> st; apply: many_eq => x; apply: lib_same. Qed.

(** A member is counted or not. *)
Lemma not_counted (P : pred B) a : many P = many (fun x => P x && (x != a)) -> ~~ P a.
Proof. by rewrite (many_but _ P a); case: (P a) => //; lia. Qed.

Lemma but_one (P : pred B) a (n k : Z) : (1 <= k)%Z ->
  (n + k * (many P - many (fun x => P x && (x != a))) >= k)%Z -> (k <= n)%Z /\ ~~ P a \/ P a.
Proof. by move=> k1; rewrite (many_but _ P a); case: (P a); [right | left; split=> //; lia]. Qed.

Lemma many_not (P : pred B) a : ~~ P a -> many (fun x => P x && (x != a)) = many P.
Proof. by rewrite (many_but _ P a) => /negbTE->; lia. Qed.

(** All members but perhaps one are members of another set. *)
Lemma one_less (P Q : pred B) p (k : Z) : (forall x, P x -> x <> p -> Q x) -> (k <= many P)%Z -> (k - 1 <= many Q)%Z.
Proof.
move=> sub; have : (many (fun x => P x && (x != p)) <= many Q)%Z by apply: many_le => x /andP[Px /eqP]; apply: sub.
by rewrite (many_but _ P p); case: (P p); lia.
Qed.

Lemma at_least (P Q : pred B) (k : Z) : (many P >= k)%Z -> P =1 Q -> (k <= many Q)%Z.
Proof. by move=> le e; rewrite -(many_eq _ _ _ e); lia. Qed.

(** One liberty: which it is. *)
Lemma one_liberty S s p : liberties S s 1 -> liberty S s p -> forall l, lib S s l = (l == p).
Proof. by case=> _ one sp l; have /(many1 _ _ _ sp) := esym one; apply. Qed.

Lemma one_many S s p : (forall l, lib S s l = (l == p)) -> many (liberty S s) = 1%Z.
Proof. by move=> L; apply/(many1 _ _ p); rewrite ?[liberty _ _ _]L => // l; apply: L. Qed.

Lemma besides0 S p k : besides S p k 0 -> forall x, nb p x -> col S x = k -> False.
Proof. by move=> /esym/many0 no x n e; have /negP := no x; apply; apply/besideP. Qed.

(** A block is still one block where its colour stays. *)
Lemma same_into S S' s t : stone S' s -> (forall x, col S x = col S s -> col S' x = col S' s) ->
  same S s t -> same S' s t.
Proof.
move=> hs into /andP[_ /connectP[q + ->]]; rewrite /same hs /=.
elim/last_ind: q => [|q y IH]; first by rewrite connect0.
rewrite rcons_path last_rcons => /andP[pq /andP[n /eqP e]].
have eq : col S (last s q) = col S s.
  by elim: (q) (s) pq => //= a r IHr b /andP[/andP[_ /eqP ->] /IHr].
by apply: (connect_trans (IH pq)); apply: connect1; rewrite /link /= n !into -?e //= eqxx.
Qed.

Section Move.
Variables (S : state B) (c : hue) (p : B).
Hypotheses (player_c : is_player c) (empty_p : col S p = empty).
Let d := other c.

Lemma own_put s : col S s = c -> col (put S c p) s = c.
Proof.
by have [_ [/eqP/negbTE dc _]] := player_other B player_c => e; rewrite /= /board_after /taken /= e if_same eq_sym dc.
Qed.

Lemma move_put : col (put S c p) p = c.
Proof.
by have [_ [/eqP/negbTE dc _]] := player_other B player_c; rewrite /= /board_after /taken /= eqxx eq_sym dc.
Qed.

Lemma empty_put x : col S x = empty -> x <> p -> col (put S c p) x = empty.
Proof. by move=> e /eqP/negbTE n; rewrite /= /board_after /= n e if_same. Qed.

Lemma stone_put s : col (put S c p) s = c -> stone (put S c p) s.
Proof. by rewrite /stone => ->. Qed.

Lemma lib_put x : nb p x -> col (put S c p) x = empty -> lib (put S c p) p x.
Proof. by move=> n e; apply: lib_nb => //; apply/stone_put/move_put. Qed.

(** Which liberties a move gets in any case, though it were illegal. *)
Lemma gets_open x : beside S p empty x -> lib (put S c p) p x.
Proof. by case/besideP=> n e; apply: lib_put => //; apply: empty_put => // xp; move: n; rewrite xp nb_irr. Qed.

Lemma gets_joined w x : beside S p c w -> liberty S w x -> x <> p -> lib (put S c p) p x.
Proof.
case/besideP=> n ew /libP[e [t wt tx]] xp; apply/libP; split; first exact: empty_put.
exists t => //; have pw : same (put S c p) p w.
  by apply: (same_nb (same_refl (stone_put move_put)) n); rewrite move_put own_put.
apply: (same_trans pw); apply: same_into wt; first by apply/stone_put/own_put.
by move=> y; rewrite ew (own_put ew) => /own_put.
Qed.

Lemma gets_taken s : beside S p d s -> liberties S s 1 -> lib (put S c p) p s.
Proof.
have [/eqP d0 [dc _]] := player_other B player_c.
case/besideP=> n es one; apply: lib_put => //.
have sp : (s == p) = false by apply/eqP => sp; move: n; rewrite sp nb_irr.
have hs : stone S s by case: one.
have only := one_liberty one (lib_nb hs (eq_trans (nb_sym _ _) n) empty_p).
rewrite /= /board_after /taken /= sp es eqxx /=; case: ifP => // /negbFE/existsP[l /libP[/= el [t st tl]]].
have lp : (l == p) = false by apply/eqP => lp; move: el player_c; rewrite lp eqxx => ->.
have : lib S s l.
  apply/libP; rewrite lp in el; split=> //; exists t => //; apply: same_into st => // x /=; rewrite sp es.
  by case: eqP => // _ /esym.
by rewrite only lp.
Qed.

(** So a move is so strong if so many points are among these. *)
Lemma strongI n (P : pred B) : forbidden S <> Some (c, p) -> (1 <= n <= many P)%Z ->
  (forall x, P x -> lib (put S c p) p x) -> strong S c p n.
Proof. by move=> nf [n1 le] sub; split=> //; apply: Z.le_trans le _; apply: many_le. Qed.

Lemma strong_legal n : strong S c p n -> legal_move S c p.
Proof.
case=> _ _ nf n1 le; rewrite /legal_move player_c empty_p eqxx /=.
have /many_gt0[l hl] : (0 < many (liberty (put S c p) p))%Z by lia.
by apply/andP; split; [apply/eqP | apply/existsP; exists l].
Qed.

Hypothesis sound_S : sound S.
(** Ko forbids only a point among the other's stones. *)
Lemma no_ban x k : beside S p k x -> k <> d -> forbidden S <> Some (c, p).
Proof. by case/besideP=> n e kd /sound_S.2[_ [_ all]]; apply: kd; rewrite -e all. Qed.
End Move.
End Helpers.

(** * What a legal move does in any case. *)
Section Legal.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sound_S : sound S) (legal_p : legal_move S c p).
Let S' := put S c p.
Implicit Types (s w x : B).

(** Who stays loses one liberty at most, and none if the move is no liberty of his. *)
Lemma keeps w : stone S' w -> ~~ lib S w p -> (many (liberty S w) <= many (liberty S' w))%Z.
Proof.
move=> hw np; apply: many_le => x wx; apply: (lib_stays sound_S legal_p) => // xp.
by case/negP: np; rewrite -xp.
Qed.

Lemma loses w : stone S' w -> (many (liberty S w) - 1 <= many (liberty S' w))%Z.
Proof.
by move=> hw; apply: (one_less (p := p)) => [x wx xp|]; [apply: (lib_stays sound_S legal_p) | apply: Z.le_refl].
Qed.

(** What is taken has one liberty. *)
Lemma taken_one s : taken S c p s -> col S s = other c /\ many (liberty S s) = 1%Z.
Proof. by case/(takenP sound_S legal_p) => e L; split=> //; apply: one_many L. Qed.

(** Where every one of the other's blocks beside the move has two liberties, nothing is taken. *)
Lemma none_taken s : guard S p (other c) 2 -> ~~ taken S c p s.
Proof.
case=> e two; apply/(taken_near sound_S legal_p) => -[q [pq eq L _]].
have := two q (introT (besideP _ _ _ _) (conj pq eq)).
by rewrite (one_many L).
Qed.
End Legal.

(** * Walls and guards. *)
Section Walls.
Variables (B : board) (named : B -> Prop).
Implicit Types (S : state B) (c d : hue) (b p s t w x l : B).

Theorem every_wall_has_so_many_liberties : Statements.every_wall_has_so_many_liberties B named.
Proof. by move=> S _ b k _ _ all w /all[n [[_ ->]]]; lia. Qed.

Theorem every_other_wall_has : Statements.every_other_wall_has B named.
Proof.
move=> S _ b p k _ _ _ [k1 _] all w /all[n [m [[_ ->] [-> le]]]].
by case: (but_one k1 le) => [[h /many_not<-]|]; [left | right].
Qed.

Theorem every_guard_has_so_many_liberties : Statements.every_guard_has_so_many_liberties B named.
Proof. by move=> S _ p c k _ e _ _ all; split=> // w /all[n [[_ ->]]]; lia. Qed.

Theorem every_other_guard_has : Statements.every_other_guard_has B named.
Proof.
move=> S _ q p c k _ e _ _ qp _ [k1 _] all; split=> // w /all[n [m [[_ ->] [-> le]]]].
by case: (but_one k1 le) => [[h /many_not<-]|]; [left | right].
Qed.

Theorem every_wall_but_one_has : Statements.every_wall_but_one_has B named.
Proof.
move=> S _ b w d c k _ _ _ _ _ [k1 _] all v /all[n [t [u [[_ ->] [[_ ->] [-> le]]]]]].
by case: (but_one k1 le) => [[h _]|/same_sym]; [left | right].
Qed.

Theorem every_guard_but_one_has : Statements.every_guard_but_one_has B named.
Proof.
move=> S _ q w c k _ e _ _ _ [k1 _] all; split=> // v /all[n [t [u [[_ ->] [[_ ->] [-> le]]]]]].
by case: (but_one k1 le) => [[h _]|/same_sym]; [left | right].
Qed.

Theorem no_wall_beside_the_point : Statements.no_wall_beside_the_point B named.
Proof. by move=> S _ b p _ _ _ all w /all[n [[_ ->] /not_counted]]. Qed.

Theorem no_guard_beside_the_point : Statements.no_guard_beside_the_point B named.
Proof. by move=> S _ q p c _ _ _ e _ _ all; split=> // w /all[n [[_ ->] /not_counted]]. Qed.

Theorem no_liberty_of_the_block : Statements.no_liberty_of_the_block B named.
Proof. by move=> S _ p q c w n _ e _ _ _ _ [hw ->] /not_counted; split. Qed.
End Walls.

(** * How strong a move would be. *)
Section Strength.
Variables (B : board) (named : B -> Prop).
Implicit Types (S : state B) (c d : hue) (b p s t w x l : B).

Theorem strong_with_a_block : Statements.strong_with_a_block B named.
Proof.
move=> S _ p c w k n _ e /besideP[pw ew] hc [k1 _] -> le; split; rewrite /stone ?ew //.
exact: (at_least le).
Qed.

Theorem strong_with_two_blocks : Statements.strong_with_two_blocks B named.
Proof.
move=> S _ p c w v k n _ e /besideP[pw ew] pv _ hc [k1 _] -> le; split; rewrite /stone ?ew //.
by split=> //; apply: (at_least le) => x /=; rewrite orbA.
Qed.

Theorem strong_through_a_move : Statements.strong_through_a_move B named.
Proof. by move=> S _ q p k n _ eq /besideP[qp _] _ ep [k1 _] -> le; split=> //; apply: (at_least le). Qed.

Theorem strong_through_a_move_with_a_block : Statements.strong_through_a_move_with_a_block B named.
Proof.
move=> S _ q p c w k n _ eq _ ep qp /besideP[pw ew] hc [k1 _] -> le; split; rewrite /stone ?ew //.
by split; rewrite // ?ew //; apply: (at_least le) => x /=; rewrite orbA.
Qed.

Theorem strong_by_its_own_liberties : Statements.strong_by_its_own_liberties B named.
Proof.
move=> S sd c p k n hc _ e [k1 _] -> le; apply: (strongI hc e (P := beside S p empty)) => //; last first.
- by move=> x; apply: gets_open.
- by lia.
have /many_gt0[x px] : (0 < many (beside S p empty))%Z by lia.
by apply: (no_ban sd px); case: (c) hc.
Qed.

Theorem strong_by_joining : Statements.strong_by_joining B named.
Proof.
move=> S sd p c w k _ e pw hc [k1 _ _ _ le]; apply: (strongI hc e _ (conj k1 le)) => //.
- by apply: (no_ban sd pw); case: (c) hc.
- by move=> x /andP[/orP[wx|px] /eqP xp]; [exact: (gets_joined hc pw wx xp) | exact: (gets_open hc px)].
Qed.

Theorem strong_by_connecting : Statements.strong_by_connecting B named.
Proof.
move=> S sd p c w v k _ e pw hc [k1 _ _ _ [pv le]]; apply: (strongI hc e _ (conj k1 le)) => //.
- by apply: (no_ban sd pw); case: (c) hc.
- have /besideP[_ ew] := pw; rewrite ew in pv; move=> x /andP[/or3P[wx|vx|px] /eqP xp].
  + exact: (gets_joined hc pw wx xp).
  + exact: (gets_joined hc pv vx xp).
  + exact: (gets_open hc px).
Qed.

(** A stone that is taken is one liberty more. *)
Lemma one_more (P : pred B) s : ~~ P s -> many (fun x => P x || (x == s)) = (many P + 1)%Z.
Proof.
move=> ns; rewrite (many_but _ _ s) eqxx orbT; congr (_ + _)%Z; apply: many_eq => x.
by case: (x =P s) => [->|]; rewrite ?(negbTE ns) ?andbF ?orbF ?andbT.
Qed.

Theorem strong_by_taking : Statements.strong_by_taking B named.
Proof.
move=> S sd p c d s n k _ e [hc ->] ps one [_ free_p] -> [k1 _] le.
apply: (strongI hc e (P := fun x => beside S p empty x || (x == s))).
- by move=> ban; rewrite ban eqxx in free_p.
- rewrite one_more; first by lia.
  by case/besideP: ps => _ es; apply/besideP => -[_]; rewrite es; case: (c) hc.
- by move=> x /orP[px|/eqP->]; [apply: gets_open | apply: gets_taken].
Qed.

Theorem strong_by_taking_and_joining : Statements.strong_by_taking_and_joining B named.
Proof.
move=> S sd p c d s w j k _ e [hc ->] ps one pw [j1 _ _ _ le] ->.
have {le} := proj1 (Z.add_le_mono_r _ _ 1) le; rewrite -(one_more (s := s)) => [le|]; last first.
  rewrite negb_and negb_or; apply/orP; left; apply/andP; split; [apply/negP => /lib_stone[_] | apply/besideP => -[_]];
    by case/besideP: ps => _ ->; case: (c) hc.
apply: (strongI hc e _ (conj _ le)); first by apply: (no_ban sd pw); case: (c) hc.
  by lia.
by move=> x /orP[/andP[/orP[wx|px] /eqP xp]|/eqP->];
  [apply: (gets_joined hc pw wx xp) | apply: gets_open | apply: gets_taken].
Qed.

Theorem spared_by_a_move_apart : Statements.spared_by_a_move_apart B.
Proof.
move=> S sd k q c p _ [e apart_p] others lg w /besideP[qw ew].
have wp : w <> p by move=> wp; case: (others p) => //; apply/besideP; rewrite -wp in e *.
case=> // le; apply: Z.le_trans le _; have hc := mover sd lg; apply: keeps => //; first exact: stone_put.
by apply: apart_p; apply/besideP; split=> //; apply: (stood sd lg ew) => //; case: (c) hc.
Qed.

Theorem spared_by_a_strong_move : Statements.spared_by_a_strong_move B named.
Proof.
move=> S sd q p c k _ e _ [hc _ _ _ le] lg w /besideP[qw ew].
case: (joined_or_apart sd lg ew) => [pw _|[es [np wp]] [//|h]]; first by rewrite (many_same pw).
by apply: Z.le_trans h _; apply: keeps => //; apply: stone_put.
Qed.
End Strength.

(** * Blocks beside a point, and moves that are illegal. *)
Section Beside.
Variables (B : board) (named : B -> Prop).
Implicit Types (S : state B) (c d : hue) (b p s t w x l : B).

Theorem only_one_block_beside : Statements.only_one_block_beside B named.
Proof. by move=> S _ p b d _ e _ <- hb _ all. Qed.

(** Whether a stone is of a block, by the stones of the block but that one. *)
Lemma of_block S b s (n : Z) : (many (same_block S b) - many (fun x => same_block S b x && (x != s)) + n >= 1)%Z ->
  same_block S b s \/ (n >= 1)%Z.
Proof. by rewrite (many_but _ _ s); case: (same_block S b s); [left | right; lia]. Qed.

Theorem two_blocks_beside : Statements.two_blocks_beside B named.
Proof.
move=> S _ p b e d t _ ep _ _ _ _ _ eb ee hd [hb ->] _ all; split; rewrite ?eb //.
move=> s /all[u [v [w [-> [[_ ->] [-> le]]]]]]; apply/orP.
case: (@of_block S b s (many (same_block S e) - many (fun x => same_block S e x && (x != s)) + 0)); first by lia.
  by left.
by case/of_block=> //; right.
Qed.

Theorem three_blocks_beside : Statements.three_blocks_beside B named.
Proof.
move=> S _ p b e f d t v _ ep _ _ _ _ _ _ _ _ _ eb ee ef hd [hb ->] _ _ [he ->] _ all; split; rewrite ?eb //.
move=> s /all[u [w [y [z [-> [-> [[_ ->] [-> le]]]]]]]]; apply/or3P.

case: (@of_block S b s (many (same_block S e) - many (fun x => same_block S e x && (x != s))
  + (many (same_block S f) - many (fun x => same_block S f x && (x != s)) + 0))); first by lia.
  by constructor 1.
case/of_block; first by constructor 2.
by case/of_block=> //; constructor 3.
Qed.

Theorem playable_with_a_liberty : Statements.playable_with_a_liberty B.
Proof. by move=> S _ c p st; have [hc e _ _ _] := st; apply: strong_legal st. Qed.

(** A move without a liberty of its own that takes nothing and joins only blocks whose last liberty it is. *)
Lemma no_way S d p : sound S -> is_player d -> besides S p empty 0 -> guard S p (other d) 2 ->
  (forall s, beside S p d s -> forall l, liberty S s l = (l == p)) -> illegal S d p.
Proof.
move=> sd hd open0 [e strong_c] last_d; split=> // lg; have /and4P[_ _ _ /existsP[l]] := lg.
rewrite (lib_new sd lg) => /or3P[/besideP[pl el]|/andP[t _]|/existsP[a /and3P[pa /eqP ea]]].
- exact: (besides0 open0 pl el).
- by move: t; rewrite (negbTE (none_taken sd lg _ (conj e strong_c))).
have -> : lib S a l = (l == p) by apply: last_d; apply/besideP.
case/orP=> [|/andP[t _]]; first by rewrite andbN.
by move: t; rewrite (negbTE (none_taken sd lg _ (conj e strong_c))).
Qed.

Theorem illegal_alone : Statements.illegal_alone B named.
Proof.
move=> S sd p d c _ _ open0 [hd ->] strong_c alone; apply: no_way => // s /besideP[n es].
by case: (besides0 alone n es).
Qed.

Theorem illegal_as_its_last_liberty : Statements.illegal_as_its_last_liberty B named.
Proof.
move=> S sd p b d c _ _ open0 eb [hd ->] strong_c [_ _ all] one bp; apply: no_way => // s.
by rewrite -eb => /all bs l; rewrite [liberty _ _ _](lib_same _ bs) (one_liberty one bp).
Qed.

Theorem illegal_as_the_last_liberty_of_three : Statements.illegal_as_the_last_liberty_of_three B named.
Proof.
move=> S sd p b d c e f _ _ open0 eb [hd ->] strong_c [_ _ _ _ all] one1 bp one2 ep one3 fp; apply: no_way => // s.
rewrite -eb => /all/or3P[] bs l; rewrite [liberty _ _ _](lib_same _ bs).
- exact: (one_liberty one1 bp).
- exact: (one_liberty one2 ep).
- exact: (one_liberty one3 fp).
Qed.

Theorem illegal_as_the_last_liberty_of_both : Statements.illegal_as_the_last_liberty_of_both B named.
Proof.
move=> S sd p b d c e _ _ open0 eb [hd ->] strong_c [_ _ _ all] one1 bp one2 ep; apply: no_way => // s.
by rewrite -eb => /all/orP[] bs l; rewrite [liberty _ _ _](lib_same _ bs);
  [apply: one_liberty one1 bp _ | apply: one_liberty one2 ep _].
Qed.

Theorem nothing_to_capture : Statements.nothing_to_capture B named.
Proof. by move=> S _ q p d _ _ _ hd no; split=> // s /besideP[n es]; case: (besides0 no n es). Qed.

(** A block's other liberty is its stones' too. *)
Lemma another S b s x p : same S b s -> liberty S b x -> x <> p -> exists2 l, liberty S s l & l != p.
Proof. by move=> bs bx /eqP xp; exists x; rewrite // [liberty _ _ _](lib_same _ bs). Qed.

Theorem a_block_with_another_liberty : Statements.a_block_with_another_liberty B named.
Proof.
move=> S _ p q b d x _ _ [_ hb all] <- bx xp; split=> // s /all bs; exact: (another bs bx xp).
Qed.

Theorem three_blocks_with_another_liberty : Statements.three_blocks_with_another_liberty B named.
Proof.
move=> S _ p q b e f d x y z _ _ [_ hb _ _ all] <- bx xp ey yp fz zp; split=> // s /all/or3P[] bs.
- exact: (another bs bx xp).
- exact: (another bs ey yp).
- exact: (another bs fz zp).
Qed.

Theorem two_blocks_with_another_liberty : Statements.two_blocks_with_another_liberty B named.
Proof.
move=> S _ p q b e d x y _ _ [_ hb _ all] <- bx xp ey yp; split=> // s /all/orP[] bs.
- exact: (another bs bx xp).
- exact: (another bs ey yp).
Qed.
End Beside.

(** * The game. *)
Section Game.
Variables (B : board) (named : B -> Prop).
Implicit Types (S : state B) (c d : hue) (b p s t w x l : B).

Theorem a_last_liberty_is_filled : Statements.a_last_liberty_is_filled B named.
Proof.
move=> S sd b d c p _ eb [hd ->] one bp [hc free_p]; have [_ [_ dd]] := player_other B hd.
have [_ ep] := lib_stone bp; have /libP[_ [t bt tp]] := bp; have [_ ht] := same_stone bt.
have lg : legal_move S (other d) p.
  rewrite /legal_move (hc : is_true (is_player _)) ep eqxx /=; apply/andP; split.
    by apply/eqP => ban; rewrite ban eqxx in free_p.
  apply/existsP; exists t; apply: gets_taken => //; first by apply/besideP; rewrite nb_sym dd (same_col bt).
  by split=> //; rewrite (many_same bt); case: one.
split; rewrite ?eb //; exists (put S (other d) p) => //; apply/Gone/(taken_leaves sd lg)/(takenP sd lg).
by rewrite eb dd; split=> //; apply: one_liberty one bp.
Qed.

Theorem one_winning_move_is_enough : Statements.one_winning_move_is_enough B.
Proof. by move=> S _ b c p [hb eb [S' st ta]]; split=> //; apply: Attack hb eb st ta. Qed.

Theorem a_win_against_every_reply : Statements.a_win_against_every_reply B.
Proof. by move=> S S' act sd st c p b d ? _ eb [hd ec] [_ ta]; subst; split; rewrite ?eb //; exists S'. Qed.
End Game.
