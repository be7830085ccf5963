(** Capture, what a move of the defender changes where one block of the attacker is weak; and the liberties of his own
    blocks, where his stone joins one, two, three or none. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects CaptureState CaptureDefender.
From Go Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** * One block is weak, and all its liberties are spoken of. *)
Section Weak.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).
Implicit Types (S : state B) (d : hue) (q r s w x : B).

(** The weak block is not taken if the move is no liberty of it. *)
Lemma not_last S d r w s : sound S -> legal_move S d r -> ~~ lib S w r ->
  (2 <= many (liberty S s))%Z \/ same_block S w s -> ~~ taken S d r s.
Proof.
move=> sd lg nr h; apply/negP => t; have [_ one] := taken_one sd lg t; case: h => [|ws]; first by lia.
by case/(takenP sd lg): t => _ /(_ r); rewrite (lib_same r ws) (negbTE nr) eqxx.
Qed.

(** A stone of the attacker that is not beside the move keeps its liberties, and the block of one that is loses one. *)
Lemma liberties_left S d r w n : sound S -> legal_move S d r -> col S w = other d -> liberties S w n ->
  ~ (liberty S w r /\ n = 1%Z) -> liberties (put S d r) w (n - if liberty S w r then 1 else 0)%Z.
Proof.
move=> sd lg ew [hw en] more; have ew' : col (put S d r) w = other d.
  apply: other_stays => //; apply/negP => t; have [_ one] := taken_one sd lg t; apply: more; rewrite en one.
  by split=> //; case/(takenP sd lg): t => _ /(_ r); rewrite eqxx.
split; first exact: stone_c ew'.
have -> : many (liberty (put S d r) w) = many (fun x => liberty S w x && (x != r)).
  by apply: many_eq => x; apply: lib_other.
by rewrite en (many_but _ _ r); lia.
Qed.

Theorem walls_but_a_weak_one_lose_one : Statements.walls_but_a_weak_one_lose_one B defender.
Proof.
move=> S S' act sd st d r b w k j n ? _ _ eb fb k1 -> [hw ->] le /no_liberty wr /no_liberty br v; moved act st lg.
case/(contact_apart sd lg eb br) => /fb[h|wv] ev; first by have := loses_c sd lg ev; lia.
rewrite -(many_same wv) in le; have := keeps sd lg (stone_c sd lg ev); rewrite (lib_same r wv) => /(_ wr); lia.
Qed.

Theorem guards_but_a_weak_one_lose_one : Statements.guards_but_a_weak_one_lose_one B defender.
Proof.
move=> S S' act sd st d r c q w k j n ? _ _ [hd ->] qr [e all] k1 -> [hw ->] le /no_liberty wr; moved act st lg.
split=> [|v /(beside_stood sd lg)[/all[h|wv] ev]]; first exact: empty_stays.
  by have := loses_c sd lg ev; lia.
rewrite -(many_same wv) in le; have := keeps sd lg (stone_c sd lg ev); rewrite (lib_same r wv) => /(_ wr); lia.
Qed.

Theorem walls_stay_but_for_a_weak_one : Statements.walls_stay_but_for_a_weak_one B named defender.
Proof.
move=> S S' act sd st d r b w n ? _ _ _ eb fb /no_liberty wr bn /no_liberty br; moved act st lg.
by apply: apart_count => // v /fb; apply: not_last.
Qed.

Theorem empty_points_beside_a_weak_one_stay : Statements.empty_points_beside_a_weak_one_stay B named defender.
Proof.
move=> S S' act sd st d r c q w n ? _ _ [hd ->] _ qr [e all] /no_liberty wr qn nr; moved act st lg.
by apply: open_count => // v /all; apply: not_last.
Qed.

Theorem a_weak_block_apart : Statements.a_weak_block_apart B named defender.
Proof.
move=> S S' act sd st d r c w n ? _ _ [hd ->] _ ew wn /no_liberty/negbTE wr; moved act st lg.
by have := liberties_left sd lg ew wn; rewrite [liberty _ _ _]wr Z.sub_0_r; apply; case.
Qed.

Theorem a_weak_block_loses_a_liberty : Statements.a_weak_block_loses_a_liberty B named defender.
Proof.
move=> S S' act sd st d r c w n m ? _ _ [hd ->] _ ew wr wn n1 ->; moved act st lg.
by have := liberties_left sd lg ew wn; rewrite wr; apply; lia.
Qed.

Theorem a_weak_block_keeps_a_liberty : Statements.a_weak_block_keeps_a_liberty B named defender.
Proof.
move=> S S' act sd st d r c w x ? _ _ [hd ->] _ ew wx xr; moved act st lg.
exact: (liberty_stays sd lg (stays sd lg ew wx xr)).
Qed.

Theorem a_weak_stone_stays_alone : Statements.a_weak_stone_stays_alone B named defender.
Proof.
move=> S S' act sd st d r c w n x ? _ _ [hd ->] _ ew [hw ->] wx xr; moved act st lg.
have ew' := stays sd lg ew wx xr; split; first exact: stone_c ew'.
by apply: many_eq => s; rewrite [RHS](same_other sd lg _ ew').
Qed.

Theorem a_weak_block_stays : Statements.a_weak_block_stays B named defender.
Proof. by move=> S S' act sd st d r c w x ? _ _ [hd ->] _ ew wx xr; moved act st lg; apply: stays wx xr. Qed.

(** Who is of the weak block still is. *)
Lemma still_weak S d r w v : sound S -> legal_move S d r -> col (put S d r) v = other d -> same_block S w v ->
  same_block (put S d r) w v.
Proof. by move=> sd lg ev /same_sym wv; apply: same_sym; rewrite (same_other sd lg _ ev). Qed.

Theorem other_walls_than_a_weak_one_lose_one : Statements.other_walls_than_a_weak_one_lose_one B named defender.
Proof.
move=> S S' act sd st d r w b x k j ? _ _ _ eb wx xr fb k1 -> /no_liberty br v; moved act st lg.
case/(contact_apart sd lg eb br) => /fb[h|wv] ev; last by right; apply: still_weak.
by left; have := loses_c sd lg ev; lia.
Qed.

Theorem other_guards_than_a_weak_one_lose_one : Statements.other_guards_than_a_weak_one_lose_one B defender.
Proof.
move=> S S' act sd st d r c q w k j ? _ _ [hd ->] qr [e all] k1 ->; moved act st lg.
split=> [|v /(beside_stood sd lg)[/all[h|wv] ev]]; [exact: empty_stays | left | by right; apply: still_weak].
by have := loses_c sd lg ev; lia.
Qed.

Theorem no_liberty_comes : Statements.no_liberty_comes B named defender.
Proof.
move=> S S' act sd st d r c z q w ? _ _ [hd ->] zr _ qr e qw [hw ez nz]; moved act st lg.
have ew := guard_stays sd lg qr e qw; split; [exact: stone_c ew | exact: empty_stays |].
by rewrite [liberty _ _ _](lib_other sd lg z ew) -/(liberty S w z) (negbTE nz).
Qed.

Theorem no_guard_comes_beside : Statements.no_guard_comes_beside B defender.
Proof.
move=> S S' act sd st d r c q z ? _ _ [hd ->] qr zr [e all] _; moved act st lg.
split=> [|w /(beside_stood sd lg)[/all nz ew]]; first exact: empty_stays.
by rewrite [liberty _ _ _](lib_other sd lg z ew) -/(liberty S w z) (negbTE nz).
Qed.
End Weak.

(** * His stone joins one block, two, three or none. *)
Section Joining.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).
Implicit Types (S : state B) (d : hue) (a b e p x : B).

(** His block that the move joins has what liberties the move has. *)
Lemma liberties_joined S d p b m : sound S -> legal_move S d p -> col S b = d -> lib S b p ->
  m = many (liberty (put S d p) p) -> liberties (put S d p) b m.
Proof.
move=> sd lg eb bp ->; have pb := joins sd lg eb bp; have [_ hb] := same_stone pb; split=> //.
by apply: many_eq => x; rewrite [RHS](lib_joined sd lg x pb).
Qed.

Lemma liberty_joined S d p b x : sound S -> legal_move S d p -> col S b = d -> lib S b p -> lib S b x -> x <> p ->
  lib (put S d p) p x.
Proof.
move=> sd lg eb bp bx xp; have pb := joins sd lg eb bp; have [_ hb] := same_stone pb.
by rewrite -(lib_joined sd lg x pb); apply: lib_stays.
Qed.

(** Where nothing is taken the move has the liberties of the blocks that it joins, and the empty points beside it. *)
Lemma its_liberties S d p (L : pred B) : sound S -> legal_move S d p -> guard S p (other d) 2 ->
  (forall a x, beside S p d a -> lib S a x -> L x) ->
  (forall x, L x -> exists b, [/\ col S b = d, lib S b p & lib S b x]) ->
  liberty (put S d p) p =1 (fun x => (L x || beside S p empty x) && (x != p)).
Proof.
move=> sd lg gp of_joined joined_has x; apply/idP/andP => [|[/orP[/joined_has[b [eb bp bx]]|px] /eqP xp]].
- rewrite [liberty _ _ _](lib_new sd lg) (negbTE (none_taken sd lg x gp)) /=.
  case/orP=> [px|/existsP[a /and3P[pa ea]]]; first split; first by rewrite [beside _ _ _ _]px orbT.
    by apply/eqP => xp; case/besideP: px => n _; move: n; rewrite xp nb_irr.
  by rewrite orbF => /andP[ax xp]; split=> //; rewrite (of_joined a) // /beside /near pa.
- exact: (liberty_joined sd lg eb bp bx).
- exact: (gets_open (mover sd lg)).
Qed.

Theorem one_block_extends : Statements.one_block_extends B named defender.
Proof.
move=> S S' act sd st d p c b m ? _ _ _ [hd ->] _ eb bp [_ _ all] gp ->; moved act st lg; rewrite eb in all.
apply: liberties_joined => //; apply/many_eq/fsym/its_liberties => // [a x /all ba|x bx]; last by exists b.
by rewrite (lib_same x ba).
Qed.

Theorem its_new_liberties : Statements.its_new_liberties B named defender.
Proof.
move=> S S' act sd st d p b x ? _ _ _ _ eb bp px; moved act st lg.
by rewrite /liberty (lib_joined sd lg x (joins sd lg eb bp)); apply: (gets_open (mover sd lg)).
Qed.

Theorem two_blocks_join : Statements.two_blocks_join B named defender.
Proof.
move=> S S' act sd st d p c b e m ? _ _ _ [hd ->] eb [_ _ ee all] bp ep gp ->; moved act st lg; rewrite eb in ee all.
apply: liberties_joined => //; apply/many_eq/fsym/its_liberties => // [a x /all/orP[] h|x /orP[] h].
- by rewrite (lib_same x h) => h'; apply/orP; left.
- by rewrite (lib_same x h) => h'; apply/orP; right.
- by exists b.
- by exists e.
Qed.

Theorem liberties_of_the_other : Statements.liberties_of_the_other B named defender.
Proof.
move=> S S' act sd st d p b e x ? _ _ _ _ _ eb ee bp ep ex xp; moved act st lg.
by rewrite /liberty (lib_joined sd lg x (joins sd lg eb bp)); apply: (liberty_joined sd lg ee ep ex).
Qed.

Theorem other_walls_of_both : Statements.other_walls_of_both B named defender.
Proof.
move=> S S' act sd st d p c z b e k j ? _ _ _ [hd ->] zp eb [_ _ ee all] bp ep fb fe gp ej w; moved act st lg.
rewrite eb in ee all.
case/(contact_joined sd lg (joins sd lg eb bp)) => ew h; apply: stays_strong_unless => //.
case: h => [pw|[a /all/orP[] ba aw]]; first by case: gp => _ _ /(_ w pw) [?|]; [left; lia | right].
- by apply: fb; rewrite /contact -(touch_same w ba).
- by apply: fe; rewrite /contact -(touch_same w ba).
Qed.

Theorem three_blocks_join : Statements.three_blocks_join B named defender.
Proof.
move=> S S' act sd st d p c b e f m ? _ _ _ [hd ->] eb [_ _ ee ef all] bp ep fp gp ->; moved act st lg.
rewrite eb in ee ef all.
apply: liberties_joined => //; apply/many_eq/fsym/its_liberties => // [a x /all/or3P[] h|x /orP[/orP[]|] h].
- by rewrite (lib_same x h) => h'; apply/orP; left; apply/orP; left.
- by rewrite (lib_same x h) => h'; apply/orP; left; apply/orP; right.
- by rewrite (lib_same x h) => h'; apply/orP; right.
- by exists b.
- by exists e.
- by exists f.
Qed.

Theorem a_stone_alone : Statements.a_stone_alone B named defender.
Proof.
move=> S S' act sd st d p c n ? _ _ _ [hd ->] alone gp ->; moved act st lg.
split; first exact: (stone_put (mover sd lg) (is_there sd lg)).
rewrite [RHS](many_eq _ _ _ (its_liberties (L := pred0) sd lg gp _ _)) // => [|a x /besideP[pa ea]].
  apply/esym/many_not; apply/besideP => -[]; by rewrite nb_irr.
by case: (besides0 alone pa ea).
Qed.

Theorem liberties_of_a_stone : Statements.liberties_of_a_stone B named defender.
Proof. by move=> S S' act sd st d p x ? _ _ _ px; moved act st lg; apply: (gets_open (mover sd lg)). Qed.

Theorem other_walls_of_a_stone_alone : Statements.other_walls_of_a_stone_alone B named defender.
Proof.
move=> S S' act sd st d p c z j k ? _ _ _ [hd ->] alone gp -> k1 w; moved act st lg.
have [_ pz all] := gp; have pp := same_refl (stone_put (mover sd lg) (is_there sd lg)).
case/(contact_joined sd lg pp) => ew [/all h|[a /besideP[pa ea] _]]; last by case: (besides0 alone pa ea).
by apply: less_strong_unless => // zp; case: pz.
Qed.

Theorem no_new_stone_beside : Statements.no_new_stone_beside B named defender.
Proof.
move=> S S' act sd st d r q ? _ _ _ alone nr; moved act st lg.
apply/esym/many0 => x; apply/besideP => -[n e]; have hd := mover sd lg.
have [xr|xr] := x =P r; last by apply: (besides0 alone n); apply: (stood sd lg e) xr; case: (d) hd.
by case: (nr x) => //; apply/besideP; rewrite xr in n *; split=> //; apply: (was_empty sd lg).
Qed.
End Joining.
