(** King and pawn against king on a board: its moves and replies are those of three points. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Table.
From Endings Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k p q s t x y : square) (j : kind).

(** A square as its side counts it. *)
Definition cd c s : point := (fl s, Words.rel c s).
Ltac points_of := unfold is_true, beside, placed, Table.free, near, same, struck, inside, up, cd, Words.rel in *;
  cbn [fst snd] in *; squares_apart; ranges_of; geo_unfold; cbn beta iota in *;
  first [lia | split; [discriminate|lia] | exfalso; lia].
Lemma cd_inside c s : inside (cd c s).
Proof. by case: c; points_of. Qed.
Lemma same_cd c s t : reflect (s = t) (same (cd c s) (cd c t)).
Proof. by apply: (iffP idP) => h; [case: c h => h; points_of | subst t; case: c; points_of]. Qed.
Lemma near_cd c s t : near (cd c s) (cd c t) = (dist s t <=? 1).
Proof. by unfold near, cd, dist; case: c; cbn [Words.rel fst snd]; lia. Qed.
Lemma struck_cd c s t : c <> Nobody -> reflect (strikes c s t) (struck (cd c s) (cd c t)).
Proof. by move=> n; apply: (iffP idP); case: c n => // _ h; points_of. Qed.
Lemma cd_square c (t : point) : inside t -> exists s, cd c s = t.
Proof.
  move=> /insideP [h1 h2]; case: c.
  - by have [s [e1 e2]] := square_at h1 h2; exists s; rewrite /cd /= e1 e2; destruct t.
  - have h3 : 0 <= 7 - t.2 <= 7 by lia.
    by have [s [e1 e2]] := square_at h1 h3; exists s; rewrite /cd /Words.rel e1 e2; destruct t as [a b];
      cbn [fst snd]; f_equal; lia.
  have h3 : 0 <= 7 - t.2 <= 7 by lia.
  by have [s [e1 e2]] := square_at h1 h3; exists s; rewrite /cd /Words.rel e1 e2; destruct t as [a b];
      cbn [fst snd]; f_equal; lia.
Qed.
Lemma beside_cd c s t : beside (cd c s) (cd c t) <-> step s t.
Proof. by rewrite /beside near_cd; split; case: c; points_of. Qed.

(** The three men. *)
Record stands S c p k q : Prop := Stands {
  side_there : c <> Nobody;
  pawn_there : S p = (c, Pawn);
  king_there : S k = (c, King);
  other_there : S q = (other c, King);
  nobody_else s : s <> p -> s <> k -> s <> q -> S s = nothing
}.
Lemma kings_apart S c k q : sound S -> c <> Nobody -> S k = (c, King) -> S q = (other c, King) -> 1 < dist k q.
Proof.
  move=> so n ek eq.
  have nkq : k <> q by move=> e; move: eq; rewrite -e ek => - [] h; case: (other_not n).
  have [//|h] : 1 < dist k q \/ dist k q <= 1 by lia.
  have st : step k q by move: nkq; geo.
  case: (sound_one_check so (c := c)).
    by exists k, q; split=> //; split; [rewrite /who eq | rewrite /attacks /what eq; apply/step_sym].
  by exists q, k; split=> //; split; [rewrite /who ek otherK | rewrite /attacks /what ek].
Qed.
Lemma stands_apart S c p k q : sound S -> stands S c p k q ->
  [/\ p <> k, p <> q, k <> q, 1 < dist k q & 1 <= Words.rel c p <= 6].
Proof.
  move=> so [n ep ek eq _]; split.
  - by move=> e; move: ek; rewrite -e ep.
  - by move=> e; move: eq; rewrite -e ep.
  - by move=> e; move: eq; rewrite -e ek => - [] h; case: (other_not n).
  - exact: kings_apart ek eq.
  by move: (sound_pawns so ep) n; unfold Words.rel; case: (c) => // ? _; lia.
Qed.
Lemma stands_placed S c p k q : sound S -> stands S c p k q -> placed (cd c p) (cd c k) (cd c q).
Proof.
  move=> so st; have [n1 n2 n3 d _] := stands_apart so st; rewrite /placed near_cd.
  by apply/andP; split; [apply/andP; split; apply/same_cd | unfold is_true; lia].
Qed.
Lemma one_of S c p k q x : stands S c p k q -> S x <> nothing -> [\/ x = p, x = k | x = q].
Proof.
  move=> [_ _ _ _ no] h; case: (x =P p) => [|a]; first exact: Or31; case: (x =P k) => [|b]; first exact: Or32.
  by case: (x =P q) => [|d]; [exact: Or33 | case: h; apply: no].
Qed.
Lemma other_one S c p k q x : stands S c p k q -> who S x = other c -> x = q.
Proof.
  move=> st o; have n := side_there st; case: (@one_of _ _ _ _ _ x st) => [e|e|e|//].
  - by case: (other_player n); rewrite -o /who e.
  - by subst x; case: (other_not n); rewrite -o /who (pawn_there st).
  by subst x; case: (other_not n); rewrite -o /who (king_there st).
Qed.
Lemma own_one S c p k q x : stands S c p k q -> who S x = c -> x = p \/ x = k.
Proof.
  move=> st o; have n := side_there st; case: (@one_of _ _ _ _ _ x st) => [e|e|e|e]; auto.
    by case: n; rewrite -o /who e.
  by subst x; case: (other_not n); move: o; rewrite /who (other_there st).
Qed.
Lemma no_passing S c p k q d f t v : stands S c p k q -> ~ in_passing S d f t v.
Proof.
  move=> st [ef [[n _] [_ [_ [ev _]]]]].
  have [a|[a|a]] : f = p \/ f = k \/ f = q by case: (@one_of _ _ _ _ _ f st); rewrite ?ef; auto; case: (d) n.
  - have ed : d = c by move: ef; rewrite a (pawn_there st) => - [].
    have : v = q by apply: (other_one st); rewrite /who ev ed.
    by move=> b; move: ev; rewrite b (other_there st).
  - by move: ef; rewrite a (king_there st).
  by move: ef; rewrite a (other_there st).
Qed.

(** What the pawn's side can do. *)
Lemma king_goes S c p k q t : sound S -> stands S c p k q -> step k t -> t <> p -> 1 < dist t q ->
  plays S (Move k t) (after S c k t King) /\ stands (after S c k t King) c p t q.
Proof.
  move=> so st stp np far_; have [n1 n2 n3 d _] := stands_apart so st; case: (st) => n ep ek eq no.
  have nkt : t <> k by move=> e; subst t; geo.
  have ntq : t <> q by move=> e; subst t; geo.
  have et : S t = nothing by apply: no.
  have le : legal_move S c k t.
    apply/(king_step_legal so ek n stp); rewrite /who /what et /=; split=> //; first by move=> e; case: n.
    move=> x ox _; rewrite (other_one st ox) /attacks /what put_else ?eq /=; last by move=> e; apply: n3.
    by move=> h; move: far_; clear -h; geo.
  have np' : ~ promoting S c k t by rewrite /promoting /what ek => - [].
  have pl : Words.plain S c k t King.
    have -> : King = what S k by rewrite /what ek.
    by apply: (legal_plain so le np'); [ | move=> v; apply: no_passing st].
  split; first by exists c; split=> //; rewrite /what ek; apply: plain_done_after.
  split=> //=.
  - by rewrite gone_else //; auto.
  - exact: gone_to.
  - by rewrite gone_else //; auto.
  move=> s a b d'; case: (s =P k) => [->|e]; first by rewrite gone_from //; auto.
  by rewrite gone_else //; apply: no.
Qed.
Lemma pawn_goes_safely S c p k q t j : sound S -> stands S c p k q -> goes S c p t -> t <> q -> becomes S c p t j ->
  t <> k -> Words.plain S c p t j.
Proof.
  move=> so st g ntq b ntk; have [n1 n2 n3 d _] := stands_apart so st; case: (st) => n ep ek eq no.
  split=> //; split=> // q' x kq' ox; move: kq'.
  have nj : j <> King by case: b => [[_ h] e|[_ ->]]; [rewrite e in h; case: h => [|[|[]]] | rewrite /what ep].
  have ex : x = q.
    apply: (other_one st); move: ox; rewrite /who /gone /put; case: eqP => [_ /= h|_].
      by case: (other_not n).
    by case: eqP => [_ /= h|//]; case: (other_player n).
  have eq' : gone S c p t j q = (other c, King) by rewrite gone_else //; auto.
  rewrite ex /attacks /what eq' /= => kq' h.
  have ekk : q' = k.
    move: kq'; rewrite /gone /put; case: eqP => [_ [] /nj//|_]; case: eqP => [_ []|_ h'] //.
    by apply: (sound_one_king so h' ek).
  by subst q'; move: d; clear -h; geo.
Qed.
Lemma pawn_stands S c p k q t : sound S -> stands S c p k q -> t <> p -> t <> q -> t <> k ->
  stands (after S c p t Pawn) c t k q.
Proof.
  move=> so st np ntq ntk; have [n1 n2 n3 d _] := stands_apart so st; case: (st) => n ep ek eq no; split=> //=.
  - exact: gone_to.
  - by rewrite gone_else //; auto.
  - by rewrite gone_else //; auto.
  move=> s a b d'; case: (s =P p) => [->|e]; first by rewrite gone_from //; auto.
  by rewrite gone_else //; apply: no.
Qed.
Lemma pawn_goes S c p k q t : sound S -> stands S c p k q -> t <> k -> t <> q -> ~ last c t ->
  goes S c p t ->
  plays S (Move p t) (after S c p t Pawn) /\ stands (after S c p t Pawn) c t k q.
Proof.
  move=> so st ntk ntq nl g; have [n1 n2 n3 d _] := stands_apart so st; case: (st) => n ep ek eq no.
  have [np _] := goes_target so g.
  have np' : ~ promoting S c p t by move=> [_ h].
  have pl : Words.plain S c p t Pawn by apply: (pawn_goes_safely so st g ntq) => //; right; rewrite /what ep.
  split; first by exists c; split=> //; rewrite /what ep; apply: plain_done_after.
  by apply: pawn_stands => //; auto.
Qed.

(** What the king alone can do: a step to where neither king nor pawn bars it, and so it takes the pawn. *)
Lemma lone_king_steps S d q t : sound S -> (forall s, who S s = d -> s = q) -> S q = (d, King) -> d <> Nobody ->
  legal_move S d q t -> step q t.
Proof.
  move=> so al eq n [B [m _]]; case: m => [[_ [_]]|v [e]|w r p [ca [_ [_ [er _]]]] _].
  - by rewrite /what eq /= => - [h _]; move: h; rewrite /attacks /what eq.
  - by rewrite eq in e.
  have e : r = q by apply: al; rewrite /who er.
  by rewrite e eq in er.
Qed.
Lemma may_step S c p k q t : sound S -> stands S c p k q -> step q t ->
  legal_move S (other c) q t <-> Table.free (cd c p) (cd c k) (cd c t).
Proof.
  move=> so st stp; have [n1 n2 n3 d rp] := stands_apart so st; case: (st) => n ep ek eq no.
  have nq : t <> q by move=> e; subst t; geo.
  have on : other c <> Nobody by apply: other_player.
  rewrite (king_step_legal so eq on stp) otherK /Table.free cd_inside /= near_cd; split.
    move=> [_ _ h]; apply/andP; split.
      unfold is_true; case: Z.leb_spec => //= far_; exfalso.
      have [e|ne] : t = k \/ t <> k by case: (t =P k); auto.
        by subst t; have := kings_apart so n ek eq; geo.
      apply: (h k); [by rewrite /who ek | by auto | ].
      rewrite /attacks /what put_else ?ek /=; last by auto.
      by move: ne; clear -far_; geo.
    apply/(struck_cd _ _ n) => sp; apply: (h p); first by rewrite /who ep.
      by move=> e; subst t; move: sp; clear -n; case: c n => //; geo.
    by rewrite /attacks /what put_else ?ep //= /who put_else ?ep; auto.
  move=> /andP [nk ns]; have far_ : 1 < dist k t by unfold is_true in nk; lia.
  have ntk : t <> k by move=> e; subst t; geo.
  split.
  - move=> o; have e := other_one st o; exact: nq.
  - have H : S t = nothing \/ t = p \/ t = k.
      case: (t =P p) => [|a]; auto; case: (t =P k) => [|b]; auto; left; exact: no.
    by case: H => [e|[e|e]]; [rewrite /what e | rewrite e /what ep | case: ntk].
  move=> x ox nx; have [e|e] := own_one st ox; subst x; rewrite /attacks /what put_else ?ep ?ek //=; try by auto.
    rewrite /who put_else ?ep /=; last by auto.
    by move=> h; move/negP: ns; apply; apply/(struck_cd _ _ n).
  by move=> h; move: far_; clear -h; geo.
Qed.
Lemma king_answers S c p k q act S' : sound S -> stands S c p k q ->
  Words.actor S act = other c -> plays S act S' -> loser S' <> other c ->
  exists t, [/\ act = Move q t, step q t, Table.free (cd c p) (cd c k) (cd c t), S' = after S (other c) q t King
    & t <> p -> stands S' c p k t].
Proof.
  move=> so st; have [n1 n2 n3 d rp] := stands_apart so st; case: (st) => n ep ek eq no.
  have on : other c <> Nobody by apply: other_player.
  have alone s : who S s = other c -> s = q by apply: (other_one st).
  case: act => [f t|f t j|f] /= o.
  - have ef := alone _ o; subst f => - [c' [np dn]] _; have [_ oc] := done_side dn.
    have ec : c' = other c by rewrite -oc /who eq.
    rewrite ec /what eq /= in dn.
    have [m [sf _]] := done_makes dn.
    have le : legal_move S (other c) q t.
      by case: (dn) => B [m' [s' _]]; exists B; split; last exact: s'; move: m'; rewrite /what eq.
    have stp := lone_king_steps so alone eq on le.
    have es : S' = after S (other c) q t King.
      case: (dn) => B [m' [_ [_ ->]]]; have [-> _] := makes_king_step so m' (congr1 snd eq) stp; by [].
    have fr := iffLR (may_step so st stp) le.
    exists t; split=> // ntp; rewrite es.
    have ntk : t <> k.
      by move=> e; subst t; move: fr => /andP [/andP [_]]; rewrite near_cd; unfold is_true; clear; geo.
    have ntq : t <> q by move=> e; subst t; geo.
    split=> //=.
    + by rewrite gone_else //; auto.
    + by rewrite gone_else //; auto.
    + exact: gone_to.
    move=> s a b d'; case: (s =P q) => [->|e]; first by rewrite gone_from //; auto.
    by rewrite gone_else //; apply: no.
  - have ef := alone _ o; subst f => - [c' [[pw _] _]]; by rewrite /what eq in pw.
  move=> [d' [ef [_ [_ ->]]]] /=; have := alone _ o => e; subst f.
  by move: ef; rewrite eq => - [<-].
Qed.
