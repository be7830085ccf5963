(** A king and one other man against a king alone: what stands on such a board, which moves there are, and what they
    lead to. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (b f k p q s t x y : square) (c d : side) (j : kind).

(** `c` has its king on `k` and a man on `p`, the other side its king on `q`. *)
Record alone B c k p j q : Prop := Alone {
  al_side : c <> Nobody;
  al_kp : k <> p;
  al_kq : k <> q;
  al_pq : p <> q;
  al_k : B k = (c, King);
  al_p : B p = (c, j);
  al_q : B q = (other c, King);
  al_else s : s <> k -> s <> p -> s <> q -> B s = nothing
}.

Lemma sq_dec (a b : square) : a = b \/ a <> b.
Proof. by case: (@eqP _ a b); [left | right]. Qed.

(** What stands on a square of it. *)
Lemma alone_at B c k p j q s : alone B c k p j q ->
  [\/ s = k /\ B s = (c, King), s = p /\ B s = (c, j), s = q /\ B s = (other c, King)
    | [/\ s <> k, s <> p, s <> q & B s = nothing]].
Proof.
  move=> a; case: (sq_dec s k) => [->|n1]; first by constructor 1; rewrite (al_k a).
  case: (sq_dec s p) => [->|n2]; first by constructor 2; rewrite (al_p a).
  case: (sq_dec s q) => [->|n3]; first by constructor 3; rewrite (al_q a).
  by constructor 4; rewrite (al_else a).
Qed.
Lemma alone_empty B c k p j q s : alone B c k p j q -> B s = nothing <-> [/\ s <> k, s <> p & s <> q].
Proof.
  move=> a; split=> [e|[n1 n2 n3]]; last exact: (al_else a).
  have s1 := al_side a; case: (alone_at s a) => [] []; rewrite e => // _ []; [by move/esym.. | ].
  by case: (c) s1.
Qed.
Lemma alone_other B c k p j q s : alone B c k p j q -> who B s = other c -> s = q.
Proof.
  move=> a; have n := other_not (al_side a); have m := other_player (al_side a).
  rewrite /who; case: (alone_at s a) => [] [] // => [_ -> /= h|_ -> /= h|_ _ _ -> /= h]; [by case: n.. | by case: m].
Qed.
Lemma alone_own B c k p j q s : alone B c k p j q -> who B s = c -> s = k \/ s = p.
Proof.
  move=> a; have n := other_not (al_side a); have m := al_side a.
  rewrite /who; case: (alone_at s a) => [] [] // => [->|->|_ -> /= h|_ _ _ -> /= h]; [by left | by right | done | ].
  by case: m.
Qed.
Lemma alone_king B c k p j q s : alone B c k p j q -> j <> King -> B s = (c, King) -> s = k.
Proof.
  move=> a nj e; have := @alone_own _ _ _ _ _ _ s a; rewrite /who e => /(_ erefl) [//|e']; subst s.
  by case: nj; move: e; rewrite (al_p a) => -[].
Qed.
Lemma alone_other_king B c k p j q s : alone B c k p j q -> B s = (other c, King) -> s = q.
Proof. by move=> a e; apply: (alone_other a); rewrite /who e. Qed.

(** Of a runner. *)
Lemma runner_alone S c x : sound S -> Words.runner S c x -> exists k q, alone S c k x Pawn q.
Proof.
  move=> so [s1 [e [own [s2 oth]]]].
  have [k ek] := sound_king so s1; have [q eq] := sound_king so s2; exists k, q.
  have nkq : k <> q by move=> h; subst q; move: eq; rewrite ek => -[h]; case: (other_not s1).
  split=> //; [by move=> h; subst k; move: e; rewrite ek | by move=> h; subst q; move: e; rewrite eq | ].
  move=> s n1 n2 n3; have pr := sound_proper so s.
  have w1 : who S s <> c.
    move=> h; case: (own _ h) => // h2; case: n1; apply: (sound_one_king so _ ek).
    by move: h h2; rewrite /who /what; case: (S s) => ? ? /= -> ->.
  have w2 : who S s <> other c.
    move=> h; case: n3; apply: (sound_one_king so _ eq).
    by move: h (oth _ h); rewrite /who /what; case: (S s) => ? ? /= -> ->.
  have w3 : who S s = Nobody by case: (who S s) (c) s1 w1 w2 => [] [].
  by move: w3 (pr.1 w3); rewrite /who /what /nothing; case: (S s) => ? ? /= -> ->.
Qed.
Lemma alone_bare S c k p j q : alone S c k p j q -> Words.bare S (other c).
Proof.
  move=> a; split; first exact: other_player (al_side a).
  by move=> s /(alone_other a) ->; rewrite /what (al_q a).
Qed.
Lemma alone_runner S c k x q : alone S c k x Pawn q -> Words.runner S c x.
Proof.
  move=> a; split; first exact: al_side a.
  split; first exact: al_p a.
  split; last exact: alone_bare a.
  by move=> s /(alone_own a) [->|->]; [right; rewrite /what (al_k a) | left].
Qed.

(** Who is in check. *)
Lemma dist_step (a b : square) : a <> b -> ~ step a b -> 1 < dist a b.
Proof. move=> n h; geo. Qed.
Lemma alone_apart S c k p j q : sound S -> alone S c k p j q -> 1 < dist k q.
Proof.
  move=> so a; apply: dist_step; first exact: al_kq a.
  move=> h; have c1 : in_check S c.
    by exists k, q; rewrite /who /attacks /what (al_k a) (al_q a); split=> //; split=> //=; apply/step_sym.
  apply: (sound_one_check so c1); exists q, k; rewrite /who /attacks /what (al_k a) (al_q a) otherK.
  by split.
Qed.
Lemma alone_safe B c k p j q : alone B c k p j q -> j <> King -> 1 < dist k q -> safe B c.
Proof.
  move=> a nj h y x ey /(alone_other a) ->; rewrite (alone_king a nj ey) /attacks /what (al_q a) /=; geo.
Qed.
Lemma alone_safe_other B c k p j q : alone B c k p j q -> 1 < dist k q -> ~ attacks B p q -> safe B (other c).
Proof.
  move=> a h n y x ey; rewrite otherK (alone_other_king a ey) => /(alone_own a) [->|->] //.
  by rewrite /attacks /what (al_k a) /=; geo.
Qed.

(** The boards after a move. *)
Lemma alone_pushed B c k p j q t i : alone B c k p j q -> B t = nothing -> alone (gone B c p t i) c k t i q.
Proof.
  move=> a e; have [n1 n2 n3] := (alone_empty t a).1 e; have s1 := al_side a.
  split=> //; try exact: not_eq_sym; try exact: al_kq a; try exact: gone_to.
  - by rewrite gone_else; [exact: al_k a | exact: al_kp a | exact: not_eq_sym].
  - by rewrite gone_else; [exact: al_q a | exact/not_eq_sym/(al_pq a) | exact: not_eq_sym].
  - move=> s m1 m2 m3; case: (sq_dec s p) => [->|m4]; first by rewrite gone_from //; exact: not_eq_sym.
    by rewrite gone_else // (al_else a).
Qed.
Lemma alone_walked B c k p j q t : alone B c k p j q -> B t = nothing -> alone (gone B c k t King) c t p j q.
Proof.
  move=> a e; have [n1 n2 n3] := (alone_empty t a).1 e; have s1 := al_side a.
  split=> //; try exact: al_pq a; try exact: gone_to.
  - by rewrite gone_else; [exact: al_p a | exact/not_eq_sym/(al_kp a) | exact: not_eq_sym].
  - by rewrite gone_else; [exact: al_q a | exact/not_eq_sym/(al_kq a) | exact: not_eq_sym].
  - move=> s m1 m2 m3; case: (sq_dec s k) => [->|m4]; first by rewrite gone_from //; exact: not_eq_sym.
    by rewrite gone_else // (al_else a).
Qed.
Lemma alone_stepped B c k p j q t : alone B c k p j q -> B t = nothing -> alone (gone B (other c) q t King) c k p j t.
Proof.
  move=> a e; have [n1 n2 n3] := (alone_empty t a).1 e; have s1 := al_side a.
  split=> //; try exact: not_eq_sym; try exact: al_kp a; try exact: gone_to.
  - by rewrite gone_else; [exact: al_k a | exact: al_kq a | exact: not_eq_sym].
  - by rewrite gone_else; [exact: al_p a | exact: al_pq a | exact: not_eq_sym].
  - move=> s m1 m2 m3; case: (sq_dec s q) => [->|m4]; first by rewrite gone_from //; exact: not_eq_sym.
    by rewrite gone_else // (al_else a).
Qed.

(** The moves of the king alone. *)
Lemma alone_moves S c k p j q y s i B : alone S c k p j q -> makes S (other c) y s i B -> safe B (other c) ->
  [/\ y = q, step q s, s <> k, B = gone S (other c) q s i & i = King -> 1 < dist k s].
Proof.
  move=> a m sf; have s1 := other_player (al_side a).
  have e : y = q by apply: (alone_other a); have [] := makes_side m.
  subst y; case: m sf => [g|v [] h _|w r u [_ [_ [_ [h _]]]] _] sf.
  - case: g => _ []; rewrite /attacks /what (al_q a) /= => _ [st [nw nk]].
    have n : s <> k by move=> h; subst s; case: nk; rewrite (al_k a).
    split=> // ei; subst i; apply: dist_step; first exact: not_eq_sym.
    have ek : gone S (other c) q s King k = (c, King).
      by rewrite gone_else; [exact: al_k a | exact: al_kq a | exact: not_eq_sym].
    move=> h; apply: (sf s k); rewrite ?gone_to //; first by rewrite /who ek otherK.
    by rewrite /attacks /what ek.
  - by move: h; rewrite (al_q a).
  - have er : r = q by apply: (alone_other a); rewrite /who h.
    by subst r; move: h; rewrite (al_q a).
Qed.
Lemma alone_legal S c k p j q y s : alone S c k p j q -> legal_move S (other c) y s ->
  [/\ y = q, step q s, s <> k & 1 < dist k s].
Proof.
  move=> a [B [m sf]]; have [e st n _ far] := alone_moves a m sf; subst y; split=> //.
  by apply: far; rewrite /what (al_q a).
Qed.
(** A step that is none onto the other man, nor under its attack. *)
Lemma alone_step S c k p j q s : alone S c k p j q -> step q s -> s <> p -> 1 < dist k s ->
  ~ attacks (gone S (other c) q s King) p s -> legal_move S (other c) q s.
Proof.
  move=> a st n far na; have e : S s = nothing by apply: (al_else a) => // h; subst s; move: far st; geo.
  exists (gone S (other c) q s King); split; last exact: alone_safe_other (alone_stepped a e) far na.
  rewrite /what (al_q a); constructor; split; first exact: other_player (al_side a).
  rewrite /attacks /who /what (al_q a) e /=; split=> //; split=> //; split=> //.
  exact/not_eq_sym/other_player/(al_side a).
Qed.
Lemma alone_pawn_step S c k p q s : alone S c k p Pawn q -> step q s -> s <> p -> 1 < dist k s ->
  ~ strikes c p s -> legal_move S (other c) q s.
Proof.
  move=> a st n far ns; apply: (alone_step a) => //.
  have ep : gone S (other c) q s King p = (c, Pawn).
    by rewrite gone_else; [exact: al_p a | exact: al_pq a | exact: not_eq_sym].
  by rewrite /attacks /who /what ep.
Qed.
Lemma alone_pawn_struck S c k p q s : alone S c k p Pawn q -> legal_move S (other c) q s -> s <> p -> ~ strikes c p s.
Proof.
  move=> a [B [m sf]] n h; have [_ _ _ e _] := alone_moves a m sf; move: sf; rewrite e /what (al_q a) /= => sf.
  have ep : gone S (other c) q s King p = (c, Pawn).
    by rewrite gone_else; [exact: al_p a | exact: al_pq a | exact: not_eq_sym].
  apply: (sf s p); rewrite ?gone_to //; first by rewrite /who ep otherK.
  by rewrite /attacks /who /what ep.
Qed.

(** The moves of the side with a pawn. *)
Lemma alone_own_moves S c k p q f t i B : alone S c k p Pawn q -> makes S c f t i B ->
  S t = nothing /\ B = gone S c f t i /\ (f = p \/ f = k /\ step k t).
Proof.
  move=> a m; have [s1 w] := makes_side m.
  have np x : S x <> (other c, Pawn).
    move=> h; have e : x = q by apply: (alone_other a); rewrite /who h.
    by subst x; move: h; rewrite (al_q a).
  have nr x : S x <> (c, Rook).
    move=> h; have [e|e] : x = k \/ x = p by apply: (alone_own a); rewrite /who h.
      by subst x; move: h; rewrite (al_k a).
    by subst x; move: h; rewrite (al_p a).
  have f1 x : who S x = other c -> what S x <> King -> False.
    by move=> /(alone_other a) ->; rewrite /what (al_q a).
  case: m => [g|v [_ [_ [_ [_ [h _]]]]] _|g r u [_ [_ [_ [h _]]]] _]; last 2 first.
  - by case: (np _ h).
  - by case: (nr _ h).
  case: (alone_own a w) => e; subst f; case: g => _ [_]; rewrite /attacks /what ?(al_k a) ?(al_p a) /=.
  - move=> [st [nw nk]]; split; last by split=> //; right.
    apply: (al_else a) => h; subst t; first by case: nk; rewrite (al_k a).
      by case: nw; rewrite /who (al_p a).
    by case: nk; rewrite (al_q a).
  - case=> [[_ e]|[[o [_ [_ e]]]|[_ [h1 h2]]]]; [by split=> //; split=> //; left.. | ].
    by case: (f1 _ h1 h2).
Qed.
