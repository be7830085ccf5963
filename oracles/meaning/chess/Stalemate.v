(** A king alone is not stalemated by a pawn that is pushed in time. *)
From Chess Require Import Board Lines Effects Alone Escort Nooks.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (b f k p q s t x y : square) (c d : side) (j : kind).

(** A rank as a side sees it. *)
Local Arguments Z.sub : simpl never.
Local Arguments Z.add : simpl never.
Definition up c s : Z := match c with White => rk s | _ => 7 - rk s end.
Lemma up_range c s : 0 <= up c s <= 7.
Proof. by case: c => /=; geo. Qed.
Lemma up_dist c s t : far (fl s) (up c s) (fl t) (up c t) = dist s t.
Proof. by case: c; rewrite /far /dist /=; lia. Qed.
Lemma up_square c i n : on i n -> exists s : square, fl s = i /\ up c s = n.
Proof.
  rewrite /on => /and4P[/Z.leb_le h1 /Z.leb_le h2 /Z.leb_le h3 /Z.leb_le h4].
  have h : 0 <= (if c is White then n else 7 - n) <= 7 by case: (c); lia.
  have [s [e1 e2]] := square_at (conj h1 h2) h.
  by exists s; split=> //; move: e2; case: (c) => /=; lia.
Qed.
Lemma up_eq c s t : s = t <-> fl s = fl t /\ up c s = up c t.
Proof. by rewrite sqE; case: c => /=; lia. Qed.
Lemma up_strikes c s t : strikes c s t -> up c t = up c s + 1 /\ Z.abs (fl t - fl s) = 1.
Proof. by case: c; geo. Qed.
Lemma up_advance c s t : advance c s t -> up c t = up c s + 1 /\ fl t = fl s.
Proof. by case: c; geo. Qed.

Lemma pawn_leaves c (k q t b : square) :
  1 < dist k q -> t <> q -> b <> q -> advance c t b -> 2 <= up c t ->
  (exists s, [/\ step q s, s <> t, 1 < dist k s & ~ strikes c t s]) \/ cramped (fl q) (up c q) (fl t) (up c t).
Proof.
  move=> kq tq bq ad r; have := everyP (everyP pawn_cases (fl_range t)) (up_range c t).
  have [eb fb] := up_advance ad; have rb := up_range c b.
  case: ifP => [/orP[/Z.ltb_lt|/Z.eqb_eq]|_ h]; try lia.
  have := everyP (everyP (everyP (everyP h (fl_range q)) (up_range c q)) (fl_range k)) (up_range c k).
  rewrite /pawn_case; case: ifP => [|_ /has_some [o]].
    rewrite up_dist => /or3P[/andP[/Z.eqb_eq h1 /orP[]/Z.eqb_eq h2]|/Z.leb_le h1|->] _; [| | lia | by right].
      by case: tq; apply/(up_eq c).
    by case: bq; apply/(up_eq c); lia.
  move=> /and5P[/(up_square c) [s [<- <-]]]; rewrite !up_dist => /Z.eqb_eq st /Z.ltb_lt fk nt ns; left; exists s.
  split=> // [e|/up_strikes [e1 e2]]; first by subst s; move: nt; rewrite !Z.eqb_refl.
  by move: ns; rewrite e1 e2 !Z.eqb_refl.
Qed.

(** There the square beside the corner that the pawn strikes is one, and the corner too. *)
Lemma cramped_one c (q t a : square) : c <> Nobody -> cramped (fl q) (up c q) (fl t) (up c t) ->
  [/\ ~ Words.roomy c t, Words.cramps c t a -> a = q & dist q t = 2].
Proof.
  move=> s1 h.
  have {}h : up c q = 7 /\ (up c t = 5 /\ (fl t = 1 /\ fl q = 0 \/ fl t = 6 /\ fl q = 7)
                            \/ up c t = 6 /\ (fl t = 2 /\ fl q = 0 \/ fl t = 5 /\ fl q = 7)).
    move: h => /andP[/Z.eqb_eq e /orP[]/andP[/Z.eqb_eq e' /orP[]/andP[/Z.eqb_eq e1 /Z.eqb_eq e2]]]; lia.
  have nl : ~ last c t by move: h; case: (c) s1 => //= _; geo.
  split=> [[[_ ro]|[//]]|[co [[_ [z [sz [mz st]]]]|[//]]]|]; last by move: h; rewrite /dist; case: (c) s1 => //= _; lia.
    2: by move: h co sz mz st; rewrite /Words.margins; case: (c) s1 => //= _; geo.
  have [i hi] : exists i : Z, fl q = 0 /\ i = fl t - 1 \/ fl q = 7 /\ i = fl t + 1.
    by case: (Z.eq_dec (fl q) 0) => e; [exists (fl t - 1) | exists (fl t + 1)]; lia.
  have [z [e1 e2]] : exists z : square, fl z = i /\ up c z = up c t + 1.
    by apply/up_square/and4P; split; apply/Z.leb_le; lia.
  apply: (ro z); first (split=> //; split); move: h hi e1 e2; rewrite /Words.margins; case: (c) s1 => //= _; geo.
Qed.

Theorem a_step_is_left_after_a_push_in_time : Statements.a_step_is_left_after_a_push_in_time.
Proof.
  move=> S so c x t b k [_ [[r [n [l ai]]] et]] l1 ad [_ [_ eb]] [s1 ek].
  have e1 := lane_one l l1; subst n.
  have [k' [q a]] := runner_alone so r; have e : k = k' by apply: (alone_king a _ ek).
  subst k'; have kq := alone_apart so a; exists q.
  have tq : t <> q by move=> h; subst t; move: et; rewrite (al_q a) => -[]; case: (c) s1.
  have bq : b <> q by move=> h; subst b; move: eb; rewrite (al_q a) => -[]; case: (c) s1.
  have r2 : 2 <= up c t by case: l => _ [l h]; move: l h; case: (c) s1 => //= _; geo.
  case: (pawn_leaves kq tq bq ad r2) => [[s [st nt fk ns]]|cr].
    by exists s; split; first exact: al_q a.
  have nl : ~ last c t by move: ad; case: (c) s1 => //= _; geo.
  case: ai => [ro|[[k' [ek' [a' [s [[ca [st us]] fk]]]]]|[a' [q' [ca [eq' g]]]]]].
  - by case: (cramped_one t s1 cr).
  - have [_ /(_ ca) e far] := cramped_one a' s1 cr; subst a'; rewrite (alone_king a _ ek') // in fk.
    case: us => [[_ ns]|[//]]; exists s; split; first exact: al_q a.
    by split=> //; split=> // h; subst s; move: st; geo.
  - have [_ /(_ ca) e far] := cramped_one a' s1 cr; subst a'; move: g; rewrite (alone_other_king a eq') /dist; lia.
Qed.
