(** A pawn runs past a king that has pawns: nothing of theirs comes in its way, nor is their side stalemated. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Moves Sole.
From Endings Require Import Words.
From Endings Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (e f k q s t x y z : square) (c d : side) (j : kind) (n i m u : Z).

(** A pawn of the other side: it strikes neither the pawn that runs nor the king, and is young in the end. *)
Definition tame u n c x k y : Prop :=
  (u <= files x y \/ ranks c x y <= 0)
  /\ (u <= files k y \/ ranks c k y <= 0 \/ 3 + n <= ranks c k y \/ 2 + n <= ranks c k y /\ rel (other c) y <> 1)
  /\ (rel (other c) y = 1 /\ n <= 2 \/ 2 <= rel (other c) y /\ rel (other c) y + n <= 4).
(** Their king does not keep the loose pawn. *)
Definition apart n c x e q y : Prop :=
  ranks (other c) y q + n <= 0
  \/ n < files y q
     /\ (files x y < ranks c y e \/ 1 < files x y - ranks c y e - n
         \/ 0 < files x y - ranks c y e - n /\ rel (other c) y <> 1).
Record inv S c x k q e y n : Prop := Inv {
  inv_sound : sound S;
  inv_side : c <> Nobody;
  inv_last : last c e;
  inv_file : fl e = fl x;
  inv_x : S x = (c, Pawn) \/ S x = (c, Queen) /\ x = e;
  inv_k : S k = (c, King);
  inv_q : S q = (other c, King);
  inv_y : S y = (other c, Pawn);
  inv_few : count S (other c) <= 3;
  inv_path s : fl s = fl x -> 0 < ranks c x s -> S s = nothing;
  inv_far : n < dist q e;
  inv_own z : who S z = c ->
    (z = x \/ what S z = King \/ what S z = Pawn) /\ (1 < files y z \/ ranks (other c) y z <= 0);
  inv_men z : who S z = other c -> z <> q ->
    [/\ S z = (other c, Pawn), tame (count S c) n c x k z
      & z = y \/ 0 < files y z /\ count S c <= files y z + 1];
  inv_apart : apart n c x e q y
}.

(** Arithmetic of squares. *)
Ltac ar := intros; ranges_of; unfold tame, apart, files, ranks, rel, strikes, step, dist, last, goal, advance,
  leap, home, line, ahead in *;
  cbn [fwd other] in *; cbv beta iota in *; lia.
Lemma tame_stay u u' n c x k y : tame u n c x k y -> u' <= u -> tame u' (n - 1) c x k y.
Proof. by ar. Qed.
Lemma tame_go u u' n c x k y t : c <> Nobody -> 2 <= u' -> tame u n c x k y -> u' + files y t <= u ->
  ranks (other c) y t = 1 \/ ranks (other c) y t = 2 /\ rel (other c) y = 1 -> tame u' (n - 1) c x k t.
Proof. by case: c => // _; ar. Qed.
Lemma tame_push u n c x t k y : c <> Nobody -> fl t = fl x -> 0 <= ranks c x t -> tame u n c x k y -> tame u n c t k y.
Proof. by case: c => // _; ar. Qed.
Lemma apart_stay n c x e q y q' : c <> Nobody -> apart n c x e q y -> dist q q' <= 1 -> apart (n - 1) c x e q' y.
Proof. by case: c => // _; ar. Qed.
Lemma apart_go n c x e q y t : c <> Nobody -> apart n c x e q y -> fl t = fl y -> 1 <= rel (other c) y ->
  ranks (other c) y t = 1 \/ ranks (other c) y t = 2 /\ rel (other c) y = 1 -> apart (n - 1) c x e q t.
Proof. by case: c => // _; ar. Qed.
Lemma apart_push n c x e q y t : fl t = fl x -> apart n c x e q y -> apart n c t e q y.
Proof. by ar. Qed.

(** Men, as many. *)
Lemma count_gone S d f t j c : c <> Nobody -> who S f = d -> d <> Nobody -> f <> t -> who S t <> d ->
  count (after S d f t j) c + (if who S t == c then 1 else 0) = count S c.
Proof.
  move=> nc of_ nd nft nt; rewrite /count.
  have a := Moves.count_put S f nothing c.
  have b := Moves.count_put (put S f nothing) t (d, j) c.
  have e : who (put S f nothing) t = who S t by rewrite /who put_else // => h; apply: nft.
  rewrite e of_ in a b; rewrite -/(Moves.count S c).
  have -> : #|[pred s | who (after S d f t j) s == c]| = Moves.count (put (put S f nothing) t (d, j)) c by [].
  move: a b; rewrite -!plusE /=; case: (Nobody =P c) => [h|_]; case: (d =P c) => h'; case: (who S t =P c) => h2;
    cbn [nat_of_bool]; try congruence; lia.
Qed.
Lemma two_men S c x k : x <> k -> who S x = c -> who S k = c -> 2 <= count S c.
Proof.
  move=> n ex ek; rewrite /count.
  have h : (#|pred2 x k| <= #|[pred s | who S s == c]|)%N.
    by apply: subset_leq_card; apply/subsetP => s; rewrite !inE => /orP [] /eqP ->; apply/eqP.
  by move: h; rewrite card2; case: eqP => // _ /leP; cbn; lia.
Qed.

Section Inv.
Variables (S : state) (c : side) (x k q e y : square) (n : Z).
Hypothesis I : inv S c x k q e y n.
Let so := inv_sound I.
Let nc := inv_side I.
Let on : other c <> Nobody.
Proof. exact: other_player. Qed.
Lemma inv_whox : who S x = c.
Proof. by rewrite /who; case: (inv_x I) => [->|[-> _]]. Qed.
Lemma inv_xk : x <> k.
Proof. by move=> h; case: (inv_x I) => [|[]]; rewrite h (inv_k I). Qed.
Lemma inv_two : 2 <= count S c.
Proof. by apply: (two_men inv_xk inv_whox); rewrite /who (inv_k I). Qed.
Lemma inv_kings : 1 < dist k q.
Proof. exact: (Sole.kings_apart so nc (inv_k I) (inv_q I)). Qed.
Lemma inv_yq : y <> q.
Proof. by move=> h; have := inv_y I; rewrite h (inv_q I). Qed.
Lemma inv_n2 : n <= 2.
Proof.
  have [] := inv_men I _ inv_yq; first by rewrite /who (inv_y I).
  by move=> _ [_ [_ h]] _; lia.
Qed.
Lemma inv_only_pawns z : who S z = other c -> what S z = King \/ what S z = Pawn.
Proof.
  move=> o; case: (z =P q) => [->|h]; first by rewrite /what (inv_q I); left.
  by have [e1 _ _] := inv_men I o h; rewrite /what e1; right.
Qed.
Lemma inv_unattacked : 0 <= n -> Words.unattacked S (other c) k.
Proof.
  move=> n0; split=> // z o; split; first exact: inv_only_pawns.
  case: (z =P q) => [->|h].
    by rewrite /attacks /what (inv_q I) /= => h; have := inv_kings; move: h; clear; ar.
  have [e1 [_ [h1 _]] _] := inv_men I o h; have u2 := inv_two; rewrite /attacks /what /who e1 /=.
  by move: u2 h1 n0; clear -nc; case: c nc => // _; ar.
Qed.
(** The queens' game. *)
Lemma inv_end : n = 0 -> S x = (c, Queen) -> queens S c.
Proof.
  move=> n0 ex; have [_ un] := inv_unattacked (ltac:(lia)); split.
    move=> [k' [z [ek [oz az]]]]; have [_] := un z oz; apply.
    by rewrite -(sound_one_king so ek (inv_k I)).
  split; first by exists x.
  split; first by apply/leP; have := inv_few I; rewrite /count; lia.
  move=> z o; case: (z =P q) => [->|h]; first by rewrite /what (inv_q I); left.
  have [e1 [_ [_ h3]] _] := inv_men I o h; right; rewrite /what e1; split=> //; split=> //; lia.
Qed.
(** Their side is not stalemated. *)
Lemma inv_moves : 1 <= n -> ~ stalled S (other c).
Proof.
  move=> n1 [nch no].
  have oy : who S y = other c by rewrite /who (inv_y I).
  have [_ [_ [_ yr]] _] := inv_men I oy inv_yq.
  have [t ad] : exists t, advance (other c) y t.
    have := square_at (i := fl y) (j := rk y + fwd (other c)) (fl_range y) _; case.
      by move: yr n1; clear -nc; case: c nc => // _; ar.
    by move=> t [e1 e2]; exists t.
  have st : S t = nothing.
    have pr := sound_proper so; case: (S t =P nothing) => // /(occupied t pr) ot.
    case: (who S t =P c) => [h|h].
      have [_ h2] := inv_own I h; exfalso; move: ad h2; clear -nc; case: c nc => // _; ar.
    have h' := one_of_two nc ot h; exfalso; case: (t =P q) => [h2|h2].
      by have := inv_apart I; move: ad n1; rewrite -h2; clear -nc; case: c nc => // _; ar.
    have [_ _ [h3|h3]] := inv_men I h' h2; move: ad h3; last by clear -nc; case: c nc => // _; ar.
    by move=> ad h3; move: ad; rewrite h3; clear -nc; case: c nc => // _; ar.
  have py : what S y = Pawn by rewrite /what (inv_y I).
  have g : goes S (other c) y t by split=> //; split=> //; rewrite py; left.
  have nyt : y <> t by have [] := goes_target so g.
  apply: (no y t); apply/(goes_legal so g _ (inv_q I)); first by rewrite py.
  rewrite otherK py => z oz nz at_.
  have [nzy [at2|bt]] := gone_attack on nyt nz at_.
    by apply: nch; exists q, z; rewrite otherK; split=> //; exact: inv_q I.
  have zs : what (gone S (other c) y t Pawn) z = what S z by rewrite /what gone_else.
  have zx : z = x /\ what S z = Queen /\ x = e.
    have [w [sl l]] : exists w, slides (what S z) w /\ line z q w.
      move: at_; rewrite /attacks zs.
      have [nk np _] : [/\ ~ step z q, ~ strikes (who (gone S (other c) y t Pawn) z) z q & True] by
        split=> //; [move=> h; exact: step_between h bt | move=> /strikes_step h; exact: step_between h bt].
      case: (what S z) => //.
      - by move=> [w [sl [l _]]]; exists w.
      - by move=> [w [sl [l _]]]; exists w.
      - by move=> [w [sl [l _]]]; exists w.
      by move=> h; case: (hop_between h bt).
    have [a _] := inv_own I oz; have kd := slides_kind sl.
    case: a => [a|[a|a]]; try by rewrite a in kd; case: kd => [|[]].
    subst z; split=> //; case: (inv_x I) => [ex|[ex xe]]; last by rewrite /what ex.
    by rewrite /what ex in kd; case: kd => [|[]].
  have [ez [_ ee]] := zx; subst z; rewrite ee in bt; have [w [nw [l [l1 l2]]]] := between_line bt.
  have ap := inv_apart I; have la := inv_last I; rewrite ee in ap.
  by move: l1 l2 ap la n1 yr; clear -nc nw; case: c nc => // _; case: w nw => // _; ar.
Qed.
End Inv.

(** What the other side does. *)
Definition reply S c f t : Prop :=
  S f = (other c, King) /\ step f t /\ who S t <> other c /\ what S t <> King
  \/ S f = (other c, Pawn) /\ (fl t = fl f /\ S t = nothing \/ files f t = 1 /\ who S t = c /\ what S t <> King)
     /\ (ranks (other c) f t = 1 \/ ranks (other c) f t = 2 /\ fl t = fl f /\ rel (other c) f = 1).
Lemma made S c x k q e y n f t j B : inv S c x k q e y n -> 1 <= n -> makes S (other c) f t j B ->
  reply S c f t /\ B = gone S (other c) f t j.
Proof.
  move=> I n1 mk; have [on of_] := makes_side mk; have nc := inv_side I.
  have young_ : f <> q -> S f = (other c, Pawn) /\ rel (other c) f <= 3 /\ 1 <= rel (other c) f.
    by move=> h; have [e1 [_ [_ a]] _] := inv_men I of_ h; split=> //; lia.
  case: mk => [[_ [_ g]]|v [ef [st [_ [_ [ev [h le]]]]]] _|g r p [_ [_ [_ [er _]]]] _].
  - split=> //; case: (f =P q) => [h|h].
      subst f; move: g; rewrite /attacks /what (inv_q I) /= => - [s [a b]]; left.
      exact: (conj (inv_q I) (conj s (conj a b))).
    have [ef yf] := young_ h; move: g; rewrite /what ef /=.
    case=> [[a b]|[[o [a [_ b]]]|[a [b b']]]]; right; split=> //.
    + split; first by left; split=> //; case: a => _ [].
      by left; move: a; clear -nc; case: c nc => // _; ar.
    + split; first by left; split=> //; move: a; clear -nc; case: c nc => // _; ar.
      by right; move: a; clear -nc; case: c nc => // _; ar.
    rewrite otherK in b; split; last by left; move: a; clear -nc; case: c nc => // _; ar.
    by right; split; last (by split); move: a; clear -nc; case: c nc => // _; ar.
  - have [|_ yf] := young_; first by move=> h'; move: ef; rewrite h' (inv_q I).
    by exfalso; move: st le yf; rewrite otherK; clear -nc; case: c nc => // _; ar.
  have [|e1 _ _] := inv_men I (z := r) (ltac:(by rewrite /who er)); last by rewrite e1 in er.
  by move=> h; move: er; rewrite h (inv_q I).
Qed.
Lemma replied S c x k q e y n act S' :
  inv S c x k q e y n -> 1 <= n -> actor S act = other c -> plays S act S' -> loser S' <> other c ->
  exists f t, f <> t /\ reply S c f t /\ S' = after S (other c) f t (what S f).
Proof.
  move=> I n1 ac pl lo; have so := inv_sound I; have nc := inv_side I; have on := other_player nc.
  case: act ac pl => [f t|f t j|p] ac pl.
  - case: pl => d [_ [B [mk [_ [_ es]]]]]; have [_ of_] := makes_side mk; rewrite /= in ac.
    move: of_; rewrite ac => ed; subst d; have [nft _] := makes_target so mk; exists f, t.
    by have [r eB] := made I n1 mk; rewrite es eB.
  - case: pl => d [[pf la] [B [mk _]]]; have [_ of_] := makes_side mk; rewrite /= in ac.
    move: of_; rewrite ac => ed; subst d; have [r _] := made I n1 mk; exfalso.
    case: r => [[ef _]|[ef [_ rr]]]; first by rewrite /what ef in pf.
    have [|_ [_ [_ a]] _] := inv_men I ac; first by move=> h; rewrite h (inv_q I) in ef.
    by move: la rr a n1; clear -nc; case: c nc => // _; ar.
  case: pl => d [ep [nd [_ es]]]; exfalso; apply: lo; rewrite es /=.
  by move: ac; rewrite /= /who ep.
Qed.
Lemma replied_inv S c x k q e y n f t S' :
  inv S c x k q e y n -> 1 <= n -> n = ranks c x e + 1 -> f <> t -> reply S c f t ->
  S' = after S (other c) f t (what S f) -> sound S' -> exists q' y', inv S' c x k q' e y' (n - 1).
Proof.
  move=> I n1 en nft r es so'; have so := inv_sound I; have nc := inv_side I; have on := other_player nc.
  have onc := other_not nc.
  have of_ : who S f = other c by case: r => -[ef _]; rewrite /who ef.
  have ot : who S t <> other c.
    case: r => [[_ [_ [//]]]|[_ [[[_ h]|[_ [h _]]] _]]]; last by rewrite h => h'; apply: onc.
    by rewrite /who h => h'; apply: on.
  have wx := inv_whox I; have u2 := inv_two I; have fx := inv_file I; have far_ := inv_far I; have la := inv_last I.
  have ok : who S k = c by rewrite /who (inv_k I).
  have nxf : x <> f by move=> h; apply: onc; rewrite -of_ -h.
  have nkf : k <> f by move=> h; apply: onc; rewrite -of_ -h.
  have pawn_ : S f = (other c, Pawn) -> f <> q by move=> ef h; rewrite h (inv_q I) in ef.
  have king_ : S f = (other c, King) -> f = q by move=> ef; exact: (sound_one_king so ef (inv_q I)).
  have nxt : x <> t.
    move=> h; case: r => [[ef [st _]]|[ef [[[_ h2]|[h2 _]] h3]]].
    - have h1 := king_ ef; subst f t; move: st far_ la en fx; clear -nc; case: c nc => // _; ar.
    - by apply: nc; rewrite -wx /who h h2.
    have [_ [h4 _] _] := inv_men I of_ (pawn_ ef); subst t.
    by move: h2 h3 h4 u2; clear -nc; case: c nc => // _; ar.
  have nkt : k <> t.
    move=> h; case: r => [[_ [_ [_ h2]]]|[_ [[[_ h2]|[_ [_ h2]]] _]]].
    - by apply: h2; rewrite -h /what (inv_k I).
    - by apply: nc; rewrite -ok /who h h2.
    by apply: h2; rewrite -h /what (inv_k I).
  have els z : z <> f -> z <> t -> S' z = S z by move=> a b; rewrite es /= gone_else.
  have eft : S' f = nothing by rewrite es /= gone_from.
  have ett : S' t = (other c, what S f) by rewrite es /= gone_to.
  have sx : S' x = S x by apply: els.
  have sk : S' k = S k by apply: els.
  have ownz z : who S' z = c -> who S z = c /\ S' z = S z.
    move=> oz; have a : z <> f by move=> h; apply: nc; rewrite -oz /who h eft.
    have b : z <> t by move=> h; apply: onc; move: oz; rewrite /who h ett.
    by have h := els z a b; rewrite -oz /who h.
  have menz z : who S' z = other c -> z <> t -> [/\ who S z = other c, S' z = S z & z <> f].
    move=> oz b; have a : z <> f by move=> h; apply: on; rewrite -oz /who h eft.
    by have h := els z a b; rewrite -oz /who h.
  have cc := count_gone (what S f) nc of_ on nft ot; rewrite -es in cc.
  have cd_ := count_gone (what S f) on of_ on nft ot; rewrite -es in cd_.
  have u2' : 2 <= count S' c by apply: (two_men (inv_xk I)); rewrite /who ?sx ?sk.
  have le_u : count S' c <= count S c by move: cc; case: eqP; lia.
  have few' : count S' (other c) <= 3 by have := inv_few I; move: cd_; case: eqP; lia.
  have path' s : fl s = fl x -> 0 < ranks c x s -> S' s = nothing.
    move=> fs rs; have h := inv_path I fs rs; case: (s =P f) => [->//|a]; rewrite els // => h2; subst s.
    case: r => [[ef [st _]]|[ef [[[h2 _]|[_ [h2 _]]] h3]]].
    - have h1 := king_ ef; subst f; move: st far_ la en fx fs rs; clear -nc; case: c nc => // _; ar.
    - have h4 : S f = nothing.
        by apply: (inv_path I); [rewrite -h2 | move: rs h3; clear -nc; case: c nc => // _; ar].
      by rewrite h4 in ef.
    by apply: nc; rewrite -h2 /who h.
  have oy : who S y = other c by rewrite /who (inv_y I).
  have nyt : y <> t by move=> h; apply: ot; rewrite -h.
  have [ys yt _] := inv_men I oy (inv_yq I).
  have ry : 1 <= rel (other c) y by case: yt => _ [_]; lia.
  case: r => [[ef [st _]]|[ef rp]].
    have h1 := king_ ef; subst f; exists t, y; split=> //.
    - by rewrite sx; exact: inv_x I.
    - by rewrite sk; exact: inv_k I.
    - by rewrite ett /what ef.
    - by rewrite els //; exact: inv_yq I.
    - by move: far_ st; clear; ar.
    - by move=> z /ownz [oz ez]; have := inv_own I oz; rewrite /what ez.
    - move=> z oz nz; have [oz' ez nzq] := menz z oz nz; have [a b h] := inv_men I oz' nzq; split.
      + by rewrite ez.
      + exact: tame_stay b le_u.
      by case: h => [h|h]; [left | right; lia].
    by apply: apart_stay (inv_apart I) _ => //; move: st; clear; ar.
  have nfq := pawn_ ef; have [_ tf lf] := inv_men I of_ nfq.
  have ntq : t <> q by move=> h; apply: ot; rewrite h /who (inv_q I).
  have sq_ : S' q = (other c, King) by rewrite els ?(inv_q I) //; auto.
  have uf : count S' c + files f t <= count S c.
    case: rp => [[[h _]|[h [h' _]]] _]; last by move: cc; rewrite h' eqxx h; lia.
    by move: le_u h; clear; ar.
  have rr : ranks (other c) f t = 1 \/ ranks (other c) f t = 2 /\ rel (other c) f = 1.
    by case: rp => _; lia.
  have tt : tame (count S' c) (n - 1) c x k t := tame_go nc u2' tf uf rr.
  have sst : S' t = (other c, Pawn) by rewrite ett /what ef.
  have far' : n - 1 < dist q e by lia.
  case: (f =P y) => [h|nfy].
    subst f; exists q, t.
    have ft : fl t = fl y.
      case: rp => [[[//]|[h [h2 _]]] h3]; have [_ h4] := inv_own I h2; exfalso.
      by move: h h3 h4; clear -nc; case: c nc => // _; ar.
    split=> //.
    - by rewrite sx; exact: inv_x I.
    - by rewrite sk; exact: inv_k I.
    - move=> z /ownz [oz ez]; have [a b] := inv_own I oz; rewrite /what ez; split=> //.
      by move: b ft rr; clear -nc; case: c nc => // _; ar.
    - move=> z oz nz; case: (z =P t) => [->|nzt]; first by split=> //; left.
      have [oz' ez nzf] := menz z oz nzt; have [a b h] := inv_men I oz' nz; split.
      + by rewrite ez.
      + exact: tame_stay b le_u.
      by right; case: h => [//|]; rewrite /files ft; lia.
    exact: apart_go (inv_apart I) ft ry rr.
  exists q, y; split=> //.
  - by rewrite sx; exact: inv_x I.
  - by rewrite sk; exact: inv_k I.
  - by rewrite els //; auto.
  - by move=> z /ownz [oz ez]; have := inv_own I oz; rewrite /what ez.
  - move=> z oz nz; case: (z =P t) => [->|nzt].
      by split=> //; right; case: lf => [//|]; move: u2' uf; clear; ar.
    have [oz' ez nzf] := menz z oz nzt; have [a b h] := inv_men I oz' nz; split.
    + by rewrite ez.
    + exact: tame_stay b le_u.
    by case: h => [h|h]; [left | right; lia].
  by apply: apart_stay (inv_apart I) _ => //; clear; ar.
Qed.
(** What its own side does. *)
Lemma pushed S c x k q e y n :
  inv S c x k q e y n -> n = ranks c x e -> S x = (c, Pawn) ->
  exists act t S', [/\ actor S act = c, plays S act S', target act <> None, inv S' c t k q e y n
    & n = ranks c t e + 1].
Proof.
  move=> I en ex; have so := inv_sound I; have nc := inv_side I; have onc := other_not nc.
  have rx := sound_pawns so ex; have la := inv_last I; have fx := inv_file I; have n2 := inv_n2 I.
  have [t [ft rt]] : exists t, fl t = fl x /\ ranks c x t = 1.
    have [|t [e1 e2]] := square_at (i := fl x) (j := rk x + fwd c) (fl_range x) _.
      by move: rx; clear -nc; case: c nc => // _; ar.
    by exists t; split=> //; move: e2; clear -nc; case: c nc => // _; ar.
  have st : S t = nothing by apply: (inv_path I) => //; lia.
  have px : what S x = Pawn by rewrite /what ex.
  have ox : who S x = c by rewrite /who ex.
  have n1 : 1 <= n by move: en la rx; clear -nc; case: c nc => // _; ar.
  have ad : advance c x t by do 2!split=> //; move: ft rt; clear -nc; case: c nc => // _; ar.
  have g : goes S c x t by split=> //; split=> //; rewrite px; left.
  have [nxt _] := goes_target so g.
  have s0 : safe (gone S c x t Pawn) c.
    have [B [mk s]] := Moves.pushed_safely so ex g st nc (inv_k I) (inv_unattacked I (ltac:(lia))).
    have [|eB _] := makes_goes so mk _ (fun v ip => in_passing_not_goes ip g); first by rewrite px.
    by rewrite eB px in s.
  have lt : last c t <-> n = 1.
    split=> [|h]; first by move: en la rt; clear -nc; case: c nc => // _; ar.
    by split=> //; move: en la rt h; clear -nc; case: c nc => // _; ar.
  have [j [act [ej ea pl ta]]] : exists j act, [/\ n = 1 /\ j = Queen \/ n <> 1 /\ j = Pawn, actor S act = c,
      plays S act (after S c x t j) & target act <> None].
    have [h|h] : n = 1 \/ n <> 1 by lia.
      exists Queen, (Promote x t Queen); split=> //; first by left.
      have pr : promoting S c x t by split=> //; apply/lt.
      exists c; split=> //; exists (gone S c x t Queen); split; first exact: Goes.
      split; first by apply/(safe_whatever _ _ _ nc (k := Queen) (j := Pawn)).
      by split=> //; left; split=> //; left.
    exists Pawn, (Move x t); split=> //; first by right.
    have pr : ~ promoting S c x t by move=> [_ /lt].
    exists c; split=> //; exists (gone S c x t Pawn); rewrite px; split; first exact: Goes.
    by do 2!split=> //; right; rewrite px.
  have so' := plays_sound so pl; exists act, t, (after S c x t j); split=> //; last first.
    by move: en rt; clear -nc; case: c nc => // _; ar.
  have els z : z <> x -> z <> t -> after S c x t j z = S z by move=> a b; rewrite /= gone_else.
  have exx : after S c x t j x = nothing by rewrite /= gone_from.
  have ett : after S c x t j t = (c, j) by rewrite /= gone_to.
  have nt z d j0 : S z = (d, j0) -> d <> Nobody -> z <> t by move=> a b h; apply: b; rewrite h st in a; case: a.
  have tc d : d <> Nobody -> count (after S c x t j) d = count S d.
    move=> nd; have := count_gone j nd ox nc nxt; rewrite /who st => a; move: (a (ltac:(by move=> h; apply: nc))).
    by case: eqP => [h|]; [case: nd | lia].
  have on := other_player nc; have nqx : q <> x by move=> h; have := inv_q I; rewrite h ex.
  have nyx : y <> x by move=> h; have := inv_y I; rewrite h ex; case=> h'; case: onc.
  have nkx : k <> x by move=> h; apply: (inv_xk I).
  split=> //.
  - by rewrite ft.
  - rewrite ett; case: ej => -[h ->]; [right | by left].
    by split=> //; apply/sqE; move: en rt h ft fx; clear -nc; case: c nc => // _; ar.
  - by rewrite els ?(inv_k I) //; apply: nt (inv_k I) _.
  - by rewrite els ?(inv_q I) //; apply: nt (inv_q I) _.
  - by rewrite els ?(inv_y I) //; apply: nt (inv_y I) _.
  - by rewrite tc //; exact: inv_few I.
  - move=> s fs rs; case: (s =P x) => [->//|a].
    rewrite els //; last by move=> h; move: rs; rewrite h; clear -nc; case: c nc => // _; ar.
    by apply: (inv_path I); [rewrite fs | move: rs rt; clear -nc; case: c nc => // _; ar].
  - exact: inv_far I.
  - move=> z oz; case: (z =P t) => [->|nzt].
      split; first by left.
      by have [_] := inv_own I ox; move: ft rt; clear -nc; case: c nc => // _; ar.
    have nzx : z <> x by move=> h; apply: nc; rewrite -oz /who h exx.
    move: oz; rewrite /who /what els // => oz; have [a b] := inv_own I oz; split=> //.
    by case: a => [//|a]; right.
  - move=> z oz nzq.
    have nzt : z <> t by move=> h; apply: onc; rewrite -oz /who h ett.
    have nzx : z <> x by move=> h; apply: on; rewrite -oz /who h exx.
    move: oz; rewrite /who els // => oz; have [a b h] := inv_men I oz nzq; rewrite tc //; split=> //.
    by apply: tame_push b => //; lia.
  exact: apart_push (inv_apart I).
Qed.
(** In turn. *)
Lemma run_second (m : nat) : forall S c x k q e y n,
  inv S c x k q e y n -> n = ranks c x e + 1 -> n <= Z.of_nat m.+1 -> won_second S c.
Proof.
  elim: m => [|m IH] S c x k q e y n I en le.
  all: have nc := inv_side I; have so := inv_sound I; have la := inv_last I.
  all: have n1 : 1 <= n by move: en la; clear -nc; case: c nc => // _; ar.
  all: split=> //; first exact: inv_moves I n1.
  all: move=> act S' ac pl lo; have so' := plays_sound so pl.
  all: have [f [t [nft [r es]]]] := replied I n1 ac pl lo.
  all: have [q' [y' I']] := replied_inv I n1 en nft r es so'.
  all: have ix := inv_x I'; have fx := inv_file I'.
  all: have dn : n - 1 = ranks c x e by lia.
  all: case: ix => [ex|[ex xe]].
  - have rx := sound_pawns so' ex; exfalso.
    by move: rx la dn le; clear -nc; case: c nc => // _; ar.
  - by apply: Queening => //; apply: (inv_end I') => //; rewrite dn xe /ranks; lia.
  - have [act' [t' [S2 [a2 p2 ta I2 e2]]]] := pushed I' dn ex.
    by apply: (Winning nc a2 p2 ta); right; apply: (IH _ _ _ _ _ _ _ _ I2 e2); lia.
  by apply: Queening => //; apply: (inv_end I') => //; rewrite dn xe /ranks; lia.
Qed.
Lemma run_first S c x k q e y n : inv S c x k q e y n -> n = ranks c x e -> S x = (c, Pawn) -> won_first S c.
Proof.
  move=> I en ex; have [act [t [S2 [a2 p2 ta I2 e2]]]] := pushed I en ex; have nc := inv_side I.
  by apply: (Winning nc a2 p2 ta); right; apply: (run_second (m := Z.to_nat n) I2 e2); lia.
Qed.
Lemma started S c x e i n q y :
  sound S -> runs S c x e i -> n = i \/ n = i + 1 -> S q = (other c, King) -> n < dist q e -> few S (other c) ->
  loose S (other c) x y n -> (forall z, man S (other c) z -> harmless S c x z n) ->
  exists k, inv S c x k q e y n /\ i = ranks c x e.
Proof.
  move=> so [[ex [li pa]] [la [_ [_ lan]]]] hn eq far_ [_ fw] [on [_ [ey [own men]]]] harm.
  have nc : c <> Nobody by case: la.
  have [k ek] := sound_king so nc; exists k.
  have rx := sound_pawns so ex.
  have young_ z : late S (other c) z n ->
      rel (other c) z = 1 /\ n <= 2 \/ 2 <= rel (other c) z /\ rel (other c) z + n <= 4.
    move=> [_ [ez [e' [j [la' [[_ [li' ln]] le]]]]]]; have rz := sound_pawns so ez.
    by move: la' li' ln le rz; clear -nc; case: c nc => // _; ar.
  have tame_ z : who S z = other c -> z <> q -> S z = (other c, Pawn) /\ tame (count S c) n c x k z.
    move=> oz nz; have [_ [hk|[[_ [ez us]] [[_ [_ [k' [ek' uc]]]] lz]]]] := harm z (conj on oz).
      by case: nz; exact (sound_one_king so hk eq).
    split=> //; split=> //; split; last exact: young_.
    rewrite -(sound_one_king so ek' ek); case: uc => [a|[a|a]]; [by left | by right; left | right; right; left].
    by lia.
  have oy : who S y = other c by rewrite /who ey.
  have nyq : y <> q by move=> h; rewrite h eq in ey.
  have [_ [_ [_ yy]]] := tame_ y oy nyq.
  have ei : i = ranks c x e by move: la li lan rx yy hn; clear -nc; case: c nc => // _; ar.
  split=> //; split=> //.
  - by move: li; clear -nc; case: c nc => // _; ar.
  - by left.
  - move=> s fs rs; apply: pa; first by move: fs rs; clear -nc; case: c nc => // _; ar.
    by move: fs rs la li; clear -nc; case: c nc => // _; ar.
  - move=> z oz; have [_ [[_ [_ a]] b]] := own z (ltac:(by rewrite otherK)); split=> //; by right.
  - move=> z oz nz; have [ez tz] := tame_ z oz nz; split=> //.
    have [_ [_ [_ [h|[[_ h]|[h _]]]]]] := men z oz; [by left | by right; rewrite otherK in h | ].
    by rewrite ez in h.
  have [_ [_ [_ [h|[[h _]|[_ h]]]]]] := men q (ltac:(by rewrite /who eq)).
  - by case: nyq.
  - by rewrite eq in h.
  case: h => [h|[h [e' [la' [fe un]]]]]; [by left | right; split=> //].
  have ee : ranks c y e' = ranks c y e by rewrite otherK in la'; move: la la'; clear -nc; case: c nc => // _; ar.
  by rewrite otherK ee in un; lia.
Qed.

Theorem won_past_others : Statements.won_past_others.
Proof.
  move=> S so c x e i d q m y n ru [nc ->] [_ eq] -> lt fw lo _ al; split=> //; right.
  have [k [I ei]] := started so ru (or_introl erefl) eq (ltac:(lia)) fw lo al.
  by apply: run_first I ei _; case: ru => [[]].
Qed.
Theorem won_past_others_though_they_move : Statements.won_past_others_though_they_move.
Proof.
  move=> S so c x e i d q m r n y n' ru [nc ->] [_ eq] -> lt _ _ fw en lo _ al; split=> //.
  have [k [I ei]] := started so ru (or_intror en) eq (ltac:(lia)) fw lo al.
  by apply: (run_second (m := Z.to_nat n) I); lia.
Qed.
