(** Lines, steps and hops: the geometry of the board by arithmetic. *)
From Chess Require Export Board.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** Sides and ways. *)
Lemma otherK c : other (other c) = c.
Proof. by case: c. Qed.
Lemma other_player c : c <> Nobody -> other c <> Nobody.
Proof. by case: c. Qed.
Lemma other_not c : c <> Nobody -> other c <> c.
Proof. by case: c. Qed.
Lemma one_of_two c d : c <> Nobody -> d <> Nobody -> d <> c -> d = other c.
Proof. by case: c; case: d. Qed.
Lemma opposite_some w : w <> Nowhere -> opposite w <> Nowhere.
Proof. by case: w. Qed.
Lemma oppositeK w : opposite (opposite w) = w.
Proof. by case: w. Qed.
Lemma slides_opposite k w : slides k (opposite w) <-> slides k w.
Proof. by case: w. Qed.
Lemma slides_some k w : slides k w -> w <> Nowhere.
Proof. by case: w. Qed.
Lemma slides_kind k w : slides k w -> k = Queen \/ k = Rook \/ k = Bishop.
Proof. by case: w => //=; case: k => //=; auto; case. Qed.

(** Lines. *)
Lemma and_dec (P Q : Prop) : {P} + {~ P} -> {Q} + {~ Q} -> {P /\ Q} + {~ (P /\ Q)}.
Proof. by case=> p [] q; (left + (right; tauto)). Qed.
Lemma not_dec (P : Prop) : {P} + {~ P} -> {~ P} + {~ ~ P}.
Proof. by case=> p; [right | left]. Qed.
Lemma line_dec a b w : {line a b w} + {~ line a b w}.
Proof.
  by case: w => /=; repeat apply: and_dec; try apply: not_dec; try apply: Z.eq_dec; try apply: Z_lt_dec.
Qed.
Lemma search (P : square -> Prop) : (forall s, {P s} + {~ P s}) -> (exists s, P s) \/ forall s, ~ P s.
Proof.
  move=> dec; case: (pickP (fun s => if dec s then true else false)) => [s|none].
    by case: (dec s) => // yes _; left; exists s.
  by right=> s; have := none s; case: (dec s).
Qed.
Lemma way_search (P : way -> Prop) : (forall w, {P w} + {~ P w}) -> {exists w, P w} + {forall w, ~ P w}.
Proof.
  move=> dec.
  case: (dec North) => [?|n1]; first by left; eexists; eassumption.
  case: (dec North_east) => [?|n2]; first by left; eexists; eassumption.
  case: (dec East) => [?|n3]; first by left; eexists; eassumption.
  case: (dec South_east) => [?|n4]; first by left; eexists; eassumption.
  case: (dec South) => [?|n5]; first by left; eexists; eassumption.
  case: (dec South_west) => [?|n6]; first by left; eexists; eassumption.
  case: (dec West) => [?|n7]; first by left; eexists; eassumption.
  case: (dec North_west) => [?|n8]; first by left; eexists; eassumption.
  case: (dec Nowhere) => [?|n9]; first by left; eexists; eassumption.
  by right; case.
Qed.
Lemma line_self a w : ~ line a a w.
Proof. case: w => /=; lia. Qed.
Lemma line_back a b w : line a b (opposite w) <-> line b a w.
Proof. case: w => /=; lia. Qed.
Lemma line_some a b : a <> b -> exists w, line a b w.
Proof.
  move=> n.
  case: (@way_search (line a b)) => [w|//|none]; first exact: line_dec.
  have := none North; have := none North_east; have := none East; have := none South_east.
  have := none South; have := none South_west; have := none West; have := none North_west; have := none Nowhere.
  by move=> /= *; exfalso; geo.
Qed.
Lemma line_trans a b x w : w <> Nowhere -> line a x w -> line x b w -> line a b w.
Proof. case: w => //= _; lia. Qed.
Lemma between_of a b x w : w <> Nowhere -> line a x w -> line x b w -> between a b x.
Proof. by move=> *; exists w. Qed.
Lemma between_dec a b x : {between a b x} + {~ between a b x}.
Proof.
  case: (@way_search (fun w => w <> Nowhere /\ line a x w /\ line x b w)) => [w||none]; try by [left | right; case].
  case: (line_dec a x w) => [|n]; last by right; case=> _ [].
  case: (line_dec x b w) => [|n]; last by right; case=> _ [].
  by case: w; (left + (right; case; done)).
Qed.
Lemma between_sym a b x : between a b x <-> between b a x.
Proof.
  split; move=> [w [s [l m]]]; exists (opposite w); rewrite !line_back; split=> //; by case: (w) s.
Qed.
Lemma between_on a b x w : w <> Nowhere -> line a b w -> between a b x -> line a x w /\ line x b w.
Proof. move=> s l [v [s' [l1 l2]]]; have e := line_one l (line_trans s' l1 l2); by subst v. Qed.
Lemma between_line a b x : between a b x -> exists w, w <> Nowhere /\ line a b w /\ line a x w /\ line x b w.
Proof. move=> [w [s [l1 l2]]]; exists w; split=> //; split=> //; exact: line_trans l1 l2. Qed.
Lemma between_apart a b x : between a b x -> x <> a /\ x <> b /\ a <> b.
Proof.
  move=> /between_line [w [s [l [l1 l2]]]]; split=> [e|]; first by subst x; case: (line_self l1).
  by split=> e; [subst x; case: (line_self l2) | subst b; case: (line_self l)].
Qed.
Lemma between_near a b x y : between a b x -> between a x y -> between a b y /\ between y b x.
Proof.
  move=> [w [s [l1 l2]]] m; have [l3 l4] := between_on s l1 m.
  by split; exists w => //; split=> //; split=> //; apply: line_trans l4 l2.
Qed.
Lemma between_far a b x y : between a b x -> between x b y -> between a b y /\ between a y x.
Proof.
  move=> [w [s [l1 l2]]] m; have [l3 l4] := between_on s l2 m.
  by split; exists w => //; split=> //; split=> //; apply: line_trans l1 l3.
Qed.
Lemma line_two a x y w : w <> Nowhere -> line a x w -> line a y w -> x = y \/ between a y x \/ between a x y.
Proof.
  move=> s l1 l2; have H : x = y \/ line x y w \/ line y x w by case: w s l1 l2 => //= _; geo.
  case: H => [->|[m|m]]; [by left | right; left; exists w | right; right; exists w] => //.
Qed.
Lemma between_two a b x y : between a b x -> between a b y -> x = y \/ between a y x \/ between a x y.
Proof. move=> [w [s [l1 l2]]] m; have [l3 l4] := between_on s (line_trans s l1 l2) m; exact: line_two l1 l3. Qed.
Lemma between_beyond a b x w : w <> Nowhere -> line a b w -> line b x w -> between a x b.
Proof. exact: between_of. Qed.
Lemma between_corner a b x : between a b x -> ~ corner x.
Proof. move=> [w [s [l1 l2]]]; case: w s l1 l2 => //= _; geo. Qed.
Lemma hop_sym a b : hop a b <-> hop b a.
Proof. geo. Qed.
Lemma step_sym a b : step a b <-> step b a.
Proof. geo. Qed.
Lemma dist_sym a b : dist a b = dist b a.
Proof. geo. Qed.
Lemma hop_line a b : hop a b -> line a b Nowhere.
Proof. geo. Qed.
Lemma step_line a b : step a b -> exists w, w <> Nowhere /\ line a b w.
Proof.
  move=> st; have n : a <> b by move=> e; subst; geo.
  have [w l] := line_some n; exists w; split=> // e; subst w; geo.
Qed.
Lemma step_between a b x : step a b -> ~ between a b x.
Proof. move=> st [w [s [l1 l2]]]; case: w s l1 l2 => //= _; geo. Qed.
Lemma hop_between a b x : hop a b -> ~ between a b x.
Proof. move=> st [w [s [l1 l2]]]; case: w s l1 l2 => //= _; geo. Qed.
Lemma strikes_step c a b : strikes c a b -> step a b.
Proof. case: c; geo. Qed.
Lemma advance_step c a b : advance c a b -> step a b.
Proof. case: c; geo. Qed.
Lemma leap_between c a o b : leap c a o b -> between a b o.
Proof. by case: c => H; [exists North; split=> // | exists South; split=> // | ]; geo. Qed.
Lemma leap_over c a o b x : leap c a o b -> between a b x -> x = o.
Proof. by move=> H [w [s [l1 l2]]]; case: c H; case: w s l1 l2 => // *; geo. Qed.
Lemma leap_one c a o b a' b' : leap c a o b -> leap c a' o b' -> a = a' /\ b = b'.
Proof. case: c; geo. Qed.
Lemma leap_side c d a o b a' b' : leap c a o b -> leap d a' o b' -> c = d.
Proof. case: c; case: d => //; geo. Qed.
Lemma next_step a w b : next a w b -> step a b.
Proof. case: w; geo. Qed.
Lemma next_line a w b : next a w b -> line a b w.
Proof. case: w; geo. Qed.
Lemma border_line a b w : border a w -> ~ line a b w.
Proof. case: w; geo. Qed.
Lemma next_or_border a w : w <> Nowhere -> border a w \/ exists b, next a w b.
Proof.
  move=> s; have [[hx hy]|n] : 0 <= fl a + dx w <= 7 /\ 0 <= rk a + dy w <= 7 \/ ~ (0 <= fl a + dx w <= 7
    /\ 0 <= rk a + dy w <= 7) by lia.
    by right; have [b [e1 e2]] := square_at hx hy; exists b.
  by left.
Qed.
Lemma line_next a b w : w <> Nowhere -> line a b w -> exists n, next a w n /\ (n = b \/ between a b n).
Proof.
  move=> s l; case: (next_or_border a s) => [/(@border_line _ b)//|[n nx]]; exists n; split=> //.
  have := line_two s (next_line nx) l; case=> [|[m|m]]; [by left | by right | ].
  by case: (step_between (next_step nx) m).
Qed.
Lemma castle_apart c g (k t r p : square) : castle c g k t r p -> ~ step k t.
Proof. case: c; case: g; geo. Qed.
Lemma between_dist a b x : between a b x -> dist a x < dist a b.
Proof. move=> [w [s [l1 l2]]]; case: w s l1 l2 => //= _; geo. Qed.
Lemma strikes_apart c a b : strikes c a b -> a <> b.
Proof. by case: c; geo. Qed.
Lemma advance_apart c a b : advance c a b -> a <> b.
Proof. by case: c; geo. Qed.
Lemma leap_apart c a o b : leap c a o b -> a <> b /\ o <> a /\ o <> b.
Proof. by case: c; geo. Qed.
Lemma castle_squares c g (k t r p : square) :
  castle c g k t r p ->
  [/\ k <> t, k <> r, k <> p, t <> r & t <> p] /\ r <> p /\ corner r /\ between k r t /\ between k r p /\ between k t p.
Proof.
  have bt a b x w : w <> Nowhere -> line a x w -> line x b w -> between a b x by exact: between_of.
  case: c => //; case: g => H; (split; [by split; geo | split; [by geo | split; [by geo | ]]]);
    by repeat split; solve [apply: (bt _ _ _ East) => //; geo | apply: (bt _ _ _ West) => //; geo].
Qed.
