(** The clauses of `capture` on what the attacker's move leaves: his own stones and the new one, the defender's blocks
    that have another liberty, the empty points beside a point, and the blocks beside it. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** A move of the attacker: the position after it. *)
Ltac moves :=
  match goal with st : step _ _ _ |- _ => intros ->; destruct st as [lg ->]; intros _ [pl ->] _ end.

Section Lemmas.
Variable B : board.
Variables (S : state B) (c : hue) (p : B).
Hypothesis sd : sound S.
Hypothesis lg : legal_move S c p.
Let S' := put S c p.
Implicit Types (q b e s x l : B).

Lemma player_stone S0 k s : is_player k -> col S0 s = k -> @stone B S0 s.
Proof. by rewrite /stone => pl ->. Qed.

Lemma mover_other : is_player (other c).
Proof. by move: (mover sd lg); case: (c). Qed.

(** A block of the other with another liberty than the move stays. *)
Lemma not_taken s l : lib S s l -> l <> p -> ~~ taken S c p s.
Proof. by move=> sl lp; apply/negP => /(takenP sd lg)[_ /(_ l)]; rewrite sl => /esym/eqP. Qed.

(** Where nothing beside is taken, the points beside that are empty afterwards were empty before. *)
Lemma empty_beside q : Words.unharmed S q p (other c) -> forall x, near S' q empty x = near S q empty x && (x != p).
Proof.
move=> [_ safe] x; rewrite /near; case qx: (nb q x) => //=.
apply/eqP/andP => [x0 | [/eqP x0 /eqP xp]]; last exact: empty_stays.
case: (emptied sd lg x0) => xp [-> | tk]; first by split=> //; apply/eqP.
have [xd _] := takenP sd lg x tk; have [|l xl /eqP lp] := safe x; first by apply/andP; rewrite xd.
by case/negP: (not_taken xl lp).
Qed.

(** What of the other stands beside a point afterwards stood there before. *)
Lemma beside_stood q s : near S' q (other c) s -> near S q (other c) s.
Proof. by move=> /andP[qs /eqP sc]; apply/andP; case: (other_stood sd lg sc) => ->. Qed.

Lemma block_stays b s l : col S b = other c -> lib S b l -> l <> p -> same S' b s = same S b s.
Proof. by move=> bd bl lp; apply: same_other => //; apply: with_another_liberty_stays lp. Qed.

(** What remains of a block's liberties. *)
Lemma liberties_left b l : col S b = other c -> lib S b l -> l <> p ->
  Words.liberties S' b (Words.many (fun x => lib S b x && (x != p))).
Proof.
move=> bd bl lp; have bd' := with_another_liberty_stays sd lg bd bl lp; split.
  exact: player_stone mover_other bd'.
by apply: many_eq => x; rewrite /Words.liberty (lib_other sd lg).
Qed.

(** The new stone where none of its colour is beside. *)
Lemma lone_stone : (forall x, ~~ near S p c x) -> forall t, same S' p t = (t == p).
Proof.
move=> none t; rewrite (same_new sd lg); case: (t =P p) => //= _; apply/existsP => -[a /and3P[pa ac _]].
by case/negP: (none a); apply/andP.
Qed.
End Lemmas.

Unset Implicit Arguments.

Section AttackerEnd.
Variables (B : board) (named : B -> Prop) (defender : hue -> Prop).

Theorem an_attackers_new_stone_alone : Statements.an_attackers_new_stone_alone B defender.
Proof.
move=> S S' act sd st c p d; moves => /esym/many0 none; split.
  exact: player_stone pl (is_there sd lg).
by apply/esym/many1 => [|t]; rewrite /Words.same_block (lone_stone sd lg none) ?eqxx.
Qed.

Theorem its_only_liberties : Statements.its_only_liberties B defender.
Proof.
move=> S S' act sd st c p d n; moves => /esym/many0 none safe ->; split.
  exact: player_stone pl (is_there sd lg).
apply: many_eq => x; rewrite /Words.beside /Words.liberty.
have <- : near (put S c p) p empty x = near S p empty x.
  rewrite (empty_beside sd lg safe) andbC; case: eqP => //= ->; by rewrite /near nb_irr.
apply/andP/libP => [[px /eqP x0] | [x0 [t]]]; last first.
  by rewrite (lone_stone sd lg none) => /eqP-> px; split=> //; apply/eqP.
by split=> //; exists p => //; rewrite (lone_stone sd lg none).
Qed.

Theorem its_own_liberties : Statements.its_own_liberties B defender.
Proof.
move=> S S' act sd st c p d x; moves => /andP[px /eqP x0].
apply: lib_nb => //; first exact: player_stone pl (is_there sd lg).
by apply: empty_stays => // xp; rewrite xp nb_irr in px.
Qed.

Theorem an_attackers_block_stays : Statements.an_attackers_block_stays B named defender.
Proof. by move=> S S' act sd st c p d w; moves => _; apply: own_stays. Qed.

Theorem a_block_with_another_liberty_stays :
  Statements.a_block_with_another_liberty_stays B named defender.
Proof. by move=> S S' act sd st c p d b x; moves => _; apply: with_another_liberty_stays. Qed.

Theorem its_other_liberties_stay : Statements.its_other_liberties_stay B named defender.
Proof.
move=> S S' act sd st c p d b x; moves => _ bd bx xp; apply: lib_stays => //.
exact: player_stone (mover_other sd lg) (with_another_liberty_stays sd lg bd bx xp).
Qed.

Theorem one_liberty_less : Statements.one_liberty_less B named defender.
Proof.
move=> S S' act sd st c p d b n m; moves => _ bd bp [_ en] n1 ->.
have left_n : Words.many (fun x => lib S b x && (x != p)) = (n - 1)%Z.
  by rewrite en (@many_but _ (Words.liberty S b) p) /Words.liberty; move: bp; rewrite /Words.liberty => ->; lia.
have /many_gt0[l /andP[bl /eqP lp]] : (0 < Words.many (fun x => lib S b x && (x != p)))%Z by lia.
by rewrite -left_n; apply: (liberties_left sd lg bd bl lp).
Qed.

Theorem no_liberty_less : Statements.no_liberty_less B named defender.
Proof.
move=> S S' act sd st c p d b n; moves => _ bd [sb ->] apart.
have [l bl] := proj1 sd b sb.
rewrite -(_ : Words.many (fun x => lib S b x && (x != p)) = Words.many (Words.liberty S b)).
  exact: (liberties_left sd lg bd bl (apart l bl)).
by apply: many_eq => x; rewrite /Words.liberty; case bx: (lib S b x) => //=; apply/eqP; apply: apart.
Qed.

Theorem empty_points_beside_others : Statements.empty_points_beside_others B named defender.
Proof.
move=> S S' act sd st c p d q n; moves => _ _ safe -> apart; apply: many_eq => x.
rewrite /Words.beside (empty_beside sd lg safe); case qx: (near S q empty x) => //=.
by apply/esym/eqP/apart.
Qed.

Theorem one_empty_point_less : Statements.one_empty_point_less B named defender.
Proof.
move=> S S' act sd st c p d q n m; moves => _ safe qp -> ->.
rewrite (@many_but _ (Words.beside S q empty) p) qp; set left := fun x => _.
suff -> : Words.many left = Words.many (Words.beside (put S c p) q empty) by rewrite /Words.besides; lia.
by apply: many_eq => x; rewrite /Words.beside (empty_beside sd lg safe).
Qed.

Theorem other_empty_points_beside : Statements.other_empty_points_beside B named defender.
Proof.
move=> S S' act sd st c p d q x; moves => _ /andP[qx /eqP x0] xp.
by apply/andP; split=> //; apply/eqP/empty_stays.
Qed.

Theorem no_stone_beside_comes : Statements.no_stone_beside_comes B named defender.
Proof.
move=> S S' act sd st c p d q; moves => _ /esym/many0 none; apply/esym/many0 => s.
by apply: contra (none s); apply: beside_stood.
Qed.

Theorem one_block_beside_stays : Statements.one_block_beside_stays B defender.
Proof.
move=> S S' act sd st c p d b q x; moves => bd [q0 _ only_b] qp bx xp.
have bd' := with_another_liberty_stays sd lg bd bx xp.
split; [exact: empty_stays | exact: player_stone (mover_other sd lg) bd' | move=> s].
rewrite bd' /Words.same_block (block_stays sd lg _ bd bx xp) => /(beside_stood sd lg) qs.
by apply: only_b; rewrite bd.
Qed.

Theorem both_blocks_beside_stay : Statements.both_blocks_beside_stay B defender.
Proof.
move=> S S' act sd st c p d b q e x y; moves => bd [q0 _ eb both] qp bx xp ey yp.
rewrite bd in eb; have bd' := with_another_liberty_stays sd lg bd bx xp.
have ed' := with_another_liberty_stays sd lg eb ey yp.
split; [exact: empty_stays | exact: player_stone (mover_other sd lg) bd' | by rewrite ed' | move=> s].
rewrite bd' /Words.same_block (block_stays sd lg _ bd bx xp) (block_stays sd lg _ eb ey yp).
by move/(beside_stood sd lg) => qs; apply: both; rewrite bd.
Qed.

Theorem three_blocks_beside_stay : Statements.three_blocks_beside_stay B defender.
Proof.
move=> S S' act sd st c p d b q e f x y z; moves => bd [q0 _ eb fb all_three] qp bx xp ey yp fz zp.
rewrite bd in eb fb; have bd' := with_another_liberty_stays sd lg bd bx xp.
have [ed' fd'] := (with_another_liberty_stays sd lg eb ey yp, with_another_liberty_stays sd lg fb fz zp).
split; [exact: empty_stays | exact: player_stone (mover_other sd lg) bd' | by rewrite ed' | by rewrite fd' | move=> s].
rewrite bd' /Words.same_block (block_stays sd lg _ bd bx xp) (block_stays sd lg _ eb ey yp).
by rewrite (block_stays sd lg _ fb fz zp) => /(beside_stood sd lg) qs; apply: all_three; rewrite bd.
Qed.

Theorem other_named_points_stay_empty : Statements.other_named_points_stay_empty B named defender.
Proof. by move=> S S' act sd st c p d q; moves => _; apply: empty_stays. Qed.
End AttackerEnd.
