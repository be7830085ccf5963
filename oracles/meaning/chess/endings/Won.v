(** What is won on points is won on the board, and each claim that a side wins is of such a position. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Table Claims Sole.
From Endings Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k p q s t x y : square) (j : kind).

Lemma cd_up1 c p e : c <> Nobody -> cd c e = up (cd c p) 1 <-> advance c p e.
Proof.
  move=> n; rewrite /cd /up /advance; cbn [fst snd]; split; case: c n => // n.
  - by move=> h; have e1 := congr1 fst h; have e2 := congr1 snd h;
    cbn [fst snd Words.rel fwd] in *; do 2!split=> //; lia.
  - by move=> h; have e1 := congr1 fst h; have e2 := congr1 snd h;
    cbn [fst snd Words.rel fwd] in *; do 2!split=> //; lia.
  - by move=> [_ [e1 e2]]; unfold Words.rel, fwd in *; f_equal; lia.
  by move=> [_ [e1 e2]]; unfold Words.rel, fwd in *; f_equal; lia.
Qed.
Lemma goal_rel c e : c <> Nobody -> last c e <-> Words.rel c e = 7.
Proof. by case: c => // _; unfold last, Words.rel, goal; (split=> [[_ h]|h]; [lia | split=> //; lia]). Qed.
(** The rook that the pawn becomes. *)
Section Promotion.
Variables (S : state) (c : side) (p k q e : square).
Hypotheses (so : sound S) (st : stands S c p k q) (la : last c e) (ad : advance c p e) (un : e <> k) (uq : e <> q).
Let S' := after S c p e Rook.
Let n : c <> Nobody := side_there st.
Let ep : e <> p.
Proof. by move=> h; move: ad; rewrite h; clear; case: c => -[] //; geo. Qed.
Let at_e : S' e = (c, Rook).
Proof. exact: gone_to. Qed.
Let at_k : S' k = (c, King).
Proof. by have [a1 a2 a3 _ _] := stands_apart so st; rewrite /S' /= gone_else ?(king_there st); auto. Qed.
Let at_q : S' q = (other c, King).
Proof. by have [a1 a2 a3 _ _] := stands_apart so st; rewrite /S' /= gone_else ?(other_there st); auto. Qed.
Let at_none s : s <> e -> s <> k -> s <> q -> S' s = nothing.
Proof.
  move=> a b d; rewrite /S' /=; case: (s =P p) => [->|h]; first by rewrite gone_from; auto.
  by rewrite gone_else //; apply: (nobody_else st).
Qed.
Let others s : who S' s = other c -> s = q.
Proof.
  move=> o; case: (s =P q) => // a; case: (s =P e) => [h|b].
    by case: (other_not n); rewrite -o /who h at_e.
  case: (s =P k) => [h|d]; first by case: (other_not n); rewrite -o /who h at_k.
  by case: (other_player n); rewrite -o /who at_none.
Qed.
Let done_ : plays S (Promote p e Rook) S' /\ sound S'.
Proof.
  have pw : what S p = Pawn by rewrite /what (pawn_there st).
  have g : goes S c p e.
    split=> //; split; first by rewrite /who (pawn_there st).
    by rewrite pw; left; split=> //; apply: (nobody_else st); auto.
  have pl : Words.plain S c p e Rook.
    by apply: (pawn_goes_safely so st g uq) => //; left; split; [|right; left].
  by split; [exists c; split=> //; apply: plain_done_after | apply: after_sound pl].
Qed.
Lemma promoted : ~ (dist q e <= 1 /\ 1 < dist k e) ->
  roomy_end (cd c k) (cd c q) (cd c e) -> Words.promotes S (Promote p e Rook) S' c /\ plays S (Promote p e Rook) S'.
Proof.
  move=> nt ro; have [pl so'] := done_; split=> //; exists p, e, Rook; split=> //; split; first by right.
  have on := other_player n; have ne : e <> q by [].
  have kq : 1 < dist k q by apply: (kings_apart so' n at_k at_q).
  split; last split.
  - move=> y le; have ey : y = q.
      by apply: others; case: le => B [m _]; have [_ ->] := makes_side m.
    subst y; have stp := lone_king_steps so' others at_q on le.
    have := iffLR (king_step_legal so' at_q on stp) le => - [_ _ h].
    have [far_|close_] : 1 < dist k e \/ dist k e <= 1 by lia.
      by apply: nt; split=> //; move: stp; clear; geo.
    apply: (h k); rewrite ?otherK /who ?at_k //; first by auto.
    rewrite /attacks /what put_else ?at_k /=; last by move=> hh; move: kq; rewrite hh; clear; geo.
    by move: un close_; clear; geo.
  - move=> [nc no]; apply: nc; have ae w : slides Rook w -> line e q w -> (forall x, between e q x -> x <> k) ->
        in_check S' (other c).
      move=> sl li bt; exists q, e; split=> //; split; first by rewrite /who at_e otherK.
      rewrite /attacks /what at_e /=; exists w; split=> //; split=> // x bx.
      have [a1 [a2 a3]] := between_apart bx; apply: at_none => //; exact: bt.
    case/orP: ro => [/orP [|]|].
    + move=> h; have [e1 e2] : fl q = fl e /\ fl k <> fl e by move: h; unfold cd, is_true; cbn [fst snd]; lia.
      have [lt|gt] : rk q < rk e \/ rk e < rk q by move: ne e1; clear; geo.
        apply: (ae South); [by left | by split | move=> x bx hx; subst x].
        have [_ l2] := between_on (ltac:(done) : South <> Nowhere) (conj e1 lt : line e q South) bx.
        by move: l2 => [l2 _]; apply: e2; rewrite -e1 l2.
      apply: (ae North); [by left | by split | move=> x bx hx; subst x].
      have [_ l2] := between_on (ltac:(done) : North <> Nowhere) (conj e1 gt : line e q North) bx.
      by move: l2 => [l2 _]; apply: e2; rewrite -e1 l2.
    + move=> h; have [e1 e2] : rk q = rk e /\ rk k <> rk e.
        by move: h; unfold cd, is_true, Words.rel; cbn [fst snd]; case: (c); lia.
      have [lt|gt] : fl q < fl e \/ fl e < fl q by move: ne e1; clear; geo.
        apply: (ae West); [by left | by split | move=> x bx hx; subst x].
        have [_ l2] := between_on (ltac:(done) : West <> Nowhere) (conj e1 lt : line e q West) bx.
        by move: l2 => [l2 _]; apply: e2; rewrite -e1 l2.
      apply: (ae East); [by left | by split | move=> x bx hx; subst x].
      have [_ l2] := between_on (ltac:(done) : East <> Nowhere) (conj e1 gt : line e q East) bx.
      by move: l2 => [l2 _]; apply: e2; rewrite -e1 l2.
    move=> /has_around [t [bt]] /andP [/andP [/andP [it nk] nf] nr]; exfalso.
    have [t' et] := cd_square c it; rewrite -et in bt nk nf nr.
    have stp := iffLR (beside_cd c q t') bt; rewrite near_cd in nk.
    have f1 : fl t' <> fl e by move: nf; unfold cd, is_true; cbn [fst snd]; lia.
    have f2 : rk t' <> rk e by move: nr; unfold cd, is_true, Words.rel; cbn [fst snd]; case: (c); lia.
    have f3 : 1 < dist k t' by move: nk; unfold is_true; lia.
    have f4 : t' <> k by move=> hh; move: f3; rewrite hh; clear; geo.
    have f5 : t' <> q by move=> hh; move: stp; rewrite hh; clear; geo.
    have f6 : t' <> e by move=> hh; apply: f1; rewrite hh.
    apply: (no q t'); apply/(king_step_legal so' at_q on stp).
    rewrite /who /what at_none //=; split=> //; first by move=> hh; apply: on.
    rewrite otherK => x ox nx; case: (x =P e) => [hx|nxe].
      have aR : put S' q nothing e = (c, Rook) by rewrite put_else.
      subst x; rewrite /attacks /what aR /= => - [w [sl [li _]]].
      by case: w sl li => /=; try (by case); move=> _; clear -f1 f2; geo.
    case: (x =P k) => [hx|nxk].
      have ak : put S' q nothing k = (c, King).
        by rewrite put_else // => hh; move: kq; rewrite hh; clear; geo.
      subst x; rewrite /attacks /what ak /=.
      by move=> hh; move: f3; clear -hh; geo.
    case: (x =P q) => [hx|nxq]; first by subst x; case: (other_not n); exact: (etrans (esym (congr1 fst at_q)) ox).
    by case: n; exact: (etrans (esym ox) (congr1 fst (at_none nxe nxk nxq))).
  by split=> // s /others ->; rewrite /what at_q.
Qed.
End Promotion.

(** What is won on points is won. *)
Definition first_won (P K Q : point) : Prop := forall S c p k q,
  sound S -> stands S c p k q -> cd c p = P -> cd c k = K -> cd c q = Q -> Words.won_first S c.
Definition second_won (P K Q : point) : Prop := forall S c p k q,
  sound S -> stands S c p k q -> cd c p = P -> cd c k = K -> cd c q = Q -> Words.won_second S c.
Lemma actor_of S c x t j : S x = (c, j) -> Words.actor S (Move x t) = c.
Proof. by rewrite /Words.actor /who => ->. Qed.
Lemma play_win S c f t j : c <> Nobody -> S f = (c, j) -> plays S (Move f t) (after S c f t j) ->
  Words.won_second (after S c f t j) c -> Words.won_first S c.
Proof. by move=> n e pl w; apply: (Words.Winning n (actor_of t e) pl) => //; right. Qed.
Lemma points_won : (forall P K Q, win1 P K Q -> first_won P K Q) /\ (forall P K Q, win2 P K Q -> second_won P K Q).
Proof.
  apply: win_ind.
  - move=> P K Q _ p6 un ro S c p k q so st eP eK eQ; have n := side_there st.
    have [e ad] : exists e, advance c p e.
      have ie : inside (up (cd c p) 1) by move: p6; rewrite -eP; have := cd_inside c p; points.
      by have [e ee] := cd_square c ie; exists e; apply/(cd_up1 _ _ n).
    have ee := iffRL (cd_up1 p e n) ad; rewrite -eP -eK -eQ -ee in un ro p6.
    have la : last c e by apply/(goal_rel _ n); have := congr1 snd ee; move: p6; unfold cd, up; cbn [fst snd]; lia.
    move: un => /andP [/andP [/same_cd nk /same_cd nq]]; rewrite !near_cd => un.
    have [pr pl] := promoted so st la ad (fun h => nk (esym h)) (fun h => nq (esym h))
      (ltac:(unfold is_true in un; lia)) ro.
    apply: (Words.Winning n _ pl) => //; last by left.
    by rewrite /Words.actor /who (pawn_there st).
  - move=> P K Q pl p6 w IH S c p k q so st eP eK eQ; have n := side_there st.
    have [e ad] : exists e, advance c p e.
      have ie : inside (up (cd c p) 1) by move: p6; rewrite -eP; have := cd_inside c p; points.
      by have [e ee] := cd_square c ie; exists e; apply/(cd_up1 _ _ n).
    have ee := iffRL (cd_up1 p e n) ad.
    have /andP [/andP [/negP n1 /negP n2] _] : placed (up P 1) K Q by case: w.
    have nk : e <> k by move=> h; apply: n1; rewrite -eP -eK -ee h; apply/same_cd.
    have nq : e <> q by move=> h; apply: n2; rewrite -eP -eQ -ee h; apply/same_cd.
    have np : e <> p by move=> h; move: ad; rewrite h; clear -n; case: c n => // _; geo.
    have nl : ~ last c e by move/(goal_rel _ n); have := congr1 snd ee; move: p6; rewrite -eP;
      unfold cd, up; cbn [fst snd]; lia.
    have g : goes S c p e.
      split=> //; split; first by rewrite /who (pawn_there st).
      rewrite /what (pawn_there st) /=; left; split=> //; apply: (nobody_else st) => //.
    have [pl' st'] := pawn_goes so st nk nq nl g.
    apply: (play_win n (pawn_there st) pl'); apply: (IH _ _ _ _ _ _ st') => //; last by rewrite ee eP.
    exact: plays_sound pl'.
  - move=> P K Q pl p1 a b w IH S c p k q so st eP eK eQ; have n := side_there st.
    have [o ad] : exists o, advance c p o.
      have ie : inside (up (cd c p) 1) by move: p1; rewrite -eP; have := cd_inside c p; points.
      by have [e ee] := cd_square c ie; exists e; apply/(cd_up1 _ _ n).
    have eo := iffRL (cd_up1 p o n) ad.
    have [e ad2] : exists e, advance c o e.
      have ie : inside (up (cd c o) 1) by move: p1; rewrite -eP eo; have := cd_inside c p; points.
      by have [e ee] := cd_square c ie; exists e; apply/(cd_up1 _ _ n).
    have ee : cd c e = up P 2.
      by rewrite (iffRL (cd_up1 o e n) ad2) eo -eP /up; cbn [fst snd]; f_equal; lia.
    have /andP [/andP [/negP n1 /negP n2] _] : placed (up P 2) K Q by case: w.
    have nk : e <> k by move=> h; apply: n1; rewrite -eK -ee h; apply/same_cd.
    have nq : e <> q by move=> h; apply: n2; rewrite -eQ -ee h; apply/same_cd.
    have ok : o <> k by move=> h; move/negP: a; apply; rewrite -eP -eK -eo h; apply/same_cd.
    have oq : o <> q by move=> h; move/negP: b; apply; rewrite -eP -eQ -eo h; apply/same_cd.
    have np : e <> p by move=> h; move: ad ad2; rewrite h; clear -n; case: c n => // _; geo.
    have op : o <> p by move=> h; move: ad; rewrite h; clear -n; case: c n => // _; geo.
    have nl : ~ last c e.
      by move/(goal_rel _ n); have := congr1 snd ee; move: p1; rewrite -eP; unfold cd, up; cbn [fst snd]; lia.
    have lp : leap c p o e.
      have hp : rk p = home c.
        by move: p1; rewrite -eP; unfold cd, Words.rel, home; cbn [fst snd]; case: (c) n => // _; lia.
      by case: ad => _ [f1 f2]; case: ad2 => _ [f3 f4]; do 2!split=> //; split=> //; split=> //; split=> //; congruence.
    have g : goes S c p e.
      split=> //; split; first by rewrite /who (pawn_there st).
      by rewrite /what (pawn_there st) /=; right; left; exists o; split=> //; split; apply: (nobody_else st).
    have [pl' st'] := pawn_goes so st nk nq nl g.
    apply: (play_win n (pawn_there st) pl'); apply: (IH _ _ _ _ _ _ st') => //.
    exact: plays_sound pl'.
  - move=> P K Q t pl bt it w IH S c p k q so st eP eK eQ; have n := side_there st.
    have [t' et] := cd_square c it.
    have /andP [/andP [/negP n1 n2] n3] : placed P t Q by case: w.
    have stp : step k t' by apply/(beside_cd c); rewrite eK et.
    have ntp : t' <> p by move=> h; apply: n1; rewrite -et -eP h; apply/same_cd.
    have far_ : 1 < dist t' q by move: n3; rewrite -et -eQ near_cd; unfold is_true; lia.
    have [pl' st'] := king_goes so st stp ntp far_.
    apply: (play_win n (king_there st) pl'); apply: (IH _ _ _ _ _ _ st') => //.
    exact: plays_sound pl'.
  move=> P K Q t pl bt ft np w IH S c p k q so st eP eK eQ; have n := side_there st; have on := other_player n.
  split=> //.
    have it : inside t by case/andP: ft => /andP [].
    have [t' et] := cd_square c it.
    have stp : step q t' by apply/(beside_cd c); rewrite eQ et.
    move=> [_ no]; apply: (no q t'); apply/(may_step so st stp); by rewrite eP eK et.
  move=> act S' ac pl' lo; have [s [ea stp fr es st']] := king_answers so st ac pl' lo.
  rewrite eP eK in fr; have bs : beside Q (cd c s) by rewrite -eQ; apply/beside_cd.
  have nsp : s <> p.
    by move=> h; move: (np _ bs fr); rewrite -eP h; move/negP; apply; apply/same_cd.
  apply: (IH _ bs fr _ _ _ _ _ _ (st' nsp)) => //; exact: plays_sound pl'.
Qed.
