(** A king alone is not stalemated by the rook that a pawn becomes in time. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects Alone Escort Nooks Stalemate.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (b f k p q s t x y : square) (c d : side) (j : kind).
Local Arguments Z.sub : simpl never.
Local Arguments Z.add : simpl never.

Lemma up_last c t : last c t <-> c <> Nobody /\ up c t = 7.
Proof. by case: c => //=; rewrite /last /=; split=> -[s1 e]; split=> //; geo. Qed.
Lemma up_file c t q k : c <> Nobody -> up c t = 7 -> fl q = fl t -> up c q < 7 ->
  between t q k <-> fl k = fl t /\ up c q < up c k < 7.
Proof.
  move=> s1 e ef l; split=> [[w [sw [l1 l2]]]|h].
    by move: e ef l l1 l2; case: (c) s1 => // _; case: w sw => //= _; geo.
  exists (opposite (ahead c)); move: e ef l h; case: (c) s1 => //= _ *; split=> //; geo.
Qed.
Lemma up_rank c t q k : c <> Nobody -> up c t = 7 -> up c q = 7 ->
  between t q k <-> up c k = 7 /\ (fl q < fl k < fl t \/ fl t < fl k < fl q).
Proof.
  move=> s1 e e'; split=> [[w [sw [l1 l2]]]|[e2 h]].
    by move: e e' l1 l2; case: (c) s1 => // _; case: w sw => //= _; geo.
  have ek : rk k = rk t /\ rk q = rk t by move: e e' e2; case: (c) s1 => //= _; lia.
  by case: h => h; [exists West | exists East]; split=> //=; lia.
Qed.
(** What `rook_hits` says. *)
Lemma rook_hitsP c t q k : c <> Nobody -> up c t = 7 ->
  rook_hits (fl t) (fl k) (up c k) (fl q) (up c q)
  <-> (fl q = fl t /\ up c q < 7 \/ up c q = 7 /\ fl q <> fl t) /\ ~ between t q k.
Proof.
  move=> s1 e; have rq := up_range c q; have uf := @up_file c t q k s1 e; have ur := @up_rank c t q k s1 e.
  rewrite /rook_hits /is_true; split=> h.
    split; first lia.
    by move=> /[dup]/uf u /ur v; lia.
  by move: h => [[[h1 h2]|[h1 h2]] n]; [rewrite uf // in n | rewrite ur // in n]; lia.
Qed.
Lemma rook_attacks c B k t q : alone B c k t Rook q -> up c t = 7 ->
  attacks B t q <-> rook_hits (fl t) (fl k) (up c k) (fl q) (up c q).
Proof.
  move=> a e; have s1 := al_side a; have n := al_pq a; rewrite (rook_hitsP q k s1 e) /attacks /what (al_p a) /=.
  split=> [[w [sl [l cl]]]|[h nb]].
    split; last by move=> /cl; rewrite (al_k a) => -[]; case: (c) s1.
    by move: sl l n e; case: (c) s1 => //= _; case: w => //= sl; try (by case: sl); geo.
  have cl y : between t q y -> B y = nothing.
    by move=> b; have [n1 [n2 _]] := between_apart b; apply: (al_else a) => // h'; subst y.
  case: h => -[h1 h2].
    exists (opposite (ahead c)); split; first by case: (c) s1 => //= _; left.
    by split=> //; move: e h1 h2; case: (c) s1 => //= _; geo.
  have er : rk q = rk t by move: h1 e; case: (c) s1 => //= _; lia.
  case: (Z_lt_ge_dec (fl q) (fl t)) => h; [exists West | exists East]; split; try by left.
    by split.
  by split=> //=; lia.
Qed.

Lemma rook_leaves c (k q t : square) :
  1 < dist k q -> t <> q -> t <> k -> up c t = 7 -> (1 < dist q t \/ dist k t <= 1) ->
  ~~ rook_hits (fl t) (fl k) (up c k) (fl q) (up c q) ->
  (exists s, [/\ step q s, s <> t, 1 < dist k s & ~~ rook_hits (fl t) (fl k) (up c k) (fl s) (up c s)])
  \/ rook_cramped (fl q) (up c q) (fl t).
Proof.
  move=> kq tq tk e7 kt nh.
  have := everyP (everyP (everyP (everyP (everyP rook_cases (fl_range t)) (fl_range q)) (up_range c q))
    (fl_range k)) (up_range c k).
  rewrite /rook_case -e7 !up_dist; case: ifP => [h _|_ /has_some [o]]; last first.
    move=> /and5P[/(up_square c) [s [<- <-]]]; rewrite !up_dist => /Z.eqb_eq st /Z.ltb_lt fk nt ns; left; exists s.
    by split=> // e; subst s; move: nt; rewrite e7 !Z.eqb_refl.
  right; have n1 : ~ (fl q = fl t /\ up c q = up c t) by move=> h'; apply: tq; apply/(up_eq c); lia.
  have n2 : ~ (fl k = fl t /\ up c k = up c t) by move=> h'; apply: tk; apply/(up_eq c); lia.
  move: h nh; case: (rook_cramped _ _ _) => //; case: (rook_hits _ _ _ _ _) => //=; rewrite /is_true; lia.
Qed.
Lemma rook_cramped_one c (q t a : square) : last c t -> rook_cramped (fl q) (up c q) (fl t) ->
  ~ Words.roomy c t /\ (Words.cramps c t a -> a = q).
Proof.
  move=> /up_last [s1 e] h; have {}h : up c q = 0 /\ (fl t = 1 /\ fl q = 0 \/ fl t = 6 /\ fl q = 7).
    by move: h; rewrite /rook_cramped /is_true; lia.
  have la : last c t by apply/up_last.
  split=> [[[[_ nl] _]|[_ ro]]|[co [[[_ nl] _]|[_ ca]]]]; try by case: nl; case: la.
    by lia.
  by move: h co ca e; case: (c) s1 => //= _; geo.
Qed.

Theorem a_rook_stalemates_no_king : Statements.a_rook_stalemates_no_king.
Proof.
  move=> S so c x t r _ ad la [[_ [n [l out]]] [[_ [n' [l' ai]]] et]] d pl.
  have [s1 [ep _]] := r; have ed := plain_side ep pl; subst d.
  have en : n = 1 by case: l => _ [_]; move: ad la; case: (c) s1; geo.
  have en' := lane_one l' l; subst n n'.
  have [k [q [a a']]] := promoted_alone Rook so r et; have kq := alone_apart so a; have [_ e7] := (up_last c t).1 la.
  case: (safe_or_check (Board.after S c x t Rook) (other c)) => [sf|]; [right; exists q | by left].
  have na : ~ attacks (Board.after S c x t Rook) t q.
    by apply: sf; rewrite ?(al_q a') // /who (al_p a') otherK.
  have nh : ~~ rook_hits (fl t) (fl k) (up c k) (fl q) (up c q) by apply/negP => /(rook_attacks a' e7).
  have kt : 1 < dist q t \/ dist k t <= 1.
    case: out => [[k' [ek' st]]|[q' [eq' g]]]; last by left; rewrite -(alone_other_king a eq').
    by right; rewrite -(alone_king a _ ek') // st.
  suff [s [st nt fk ns]] : exists s,
    [/\ step q s, s <> t, 1 < dist k s & ~~ rook_hits (fl t) (fl k) (up c k) (fl s) (up c s)].
    exists s; apply: (alone_step a' st nt fk).
    have em : Board.after S c x t Rook s = nothing.
      by apply: (al_else a') => // h; subst s; move: fk st; rewrite /step /dist; lia.
    by move=> /(rook_attacks (alone_stepped a' em) e7); apply/negP.
  case: (rook_leaves kq (al_pq a') (not_eq_sym (al_kp a')) e7 kt nh) => // cr.
  case: ai => [ro|[[k' [ek' [a1 [s [[ca [st us]] fk]]]]]|[a1 [q' [ca [eq' g]]]]]].
  - by have [] := rook_cramped_one t la cr.
  - have [_ /(_ ca) e] := rook_cramped_one a1 la cr; subst a1; rewrite (alone_king a _ ek') // in fk.
    case: us => [[[_ nl] _]|[_ [n1 n2]]]; first by case: nl; case: la.
    exists s; split=> //; first by move=> h; subst s.
    apply/negP => /(rook_hitsP _ _ s1 e7) [[[h _]|[h _]] _] //.
    by case: n2; move: h e7; case: (c) s1 => //= _; lia.
  - have [_ /(_ ca) e] := rook_cramped_one a1 la cr; subst a1; move: g.
    rewrite (alone_other_king a eq') /dist; lia.
Qed.
