(** A pawn runs past a king alone, whatever else its side has: kings and pawns that stay where they are. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Sole Won Hold.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k p q r s t x y : square) (j : kind) (i m : Z).

(** No man of that side but the one on `x` attacks the square. *)
Definition quiet (B : board) c x t : Prop := forall y, who B y = c -> y <> x -> ~ attacks B y t.
(** So far from where the pawn on `x` is promoted; and so far from the file and the rank of that square. *)
Definition far c x s i : Prop := i <= Z.abs (fl s - fl x) \/ i <= 7 - Words.rel c s.
Definition aside c x s i : Prop := i <= Z.abs (fl s - fl x) /\ i <= 7 - Words.rel c s.
(** The pawn on `x` has `i` pushes left, and the king alone, on `q`, may go to `r`. The pawn's side is to move, and `m`
    is 0; or the other is, and `m` is 1. *)
Record past S c x q r i m : Prop := Past {
  past_side : c <> Nobody;
  past_pawn : S x = (c, Pawn);
  past_king : S q = (other c, King);
  past_alone s : who S s = other c -> s = q;
  past_men y : who S y = c -> what S y = King \/ what S y = Pawn;
  past_left : Words.rel c x = 1 /\ i = 5 \/ 1 < Words.rel c x <= 6 /\ i = 7 - Words.rel c x;
  past_open y : fl y = fl x -> Words.rel c x < Words.rel c y -> S y = nothing;
  past_step : step q r;
  past_empty : S r = nothing;
  past_here : quiet S c x q;
  past_there : quiet S c x r;
  past_far : far c x q (i + 1 + m);
  past_far_there : far c x r (i + m);
  past_aside : aside c x q (i - 1 + m)
}.
(** Kings and pawns attack as before when others move. *)
Lemma attacks_simply (B B' : board) y t :
  what B y = King \/ what B y = Pawn -> B' y = B y -> attacks B' y t -> attacks B y t.
Proof. by move=> kp e; rewrite /attacks /what /who e -/(what B y); case: kp => ->. Qed.
Lemma rel_near c s t : dist s t <= 1 -> Z.abs (fl t - fl s) <= 1 /\ Z.abs (Words.rel c t - Words.rel c s) <= 1.
Proof. by case: c; unfold dist, Words.rel; lia. Qed.
Lemma rel_strikes c s t : strikes c s t -> Z.abs (fl t - fl s) = 1 /\ Words.rel c t = Words.rel c s + 1.
Proof. by move=> [n [h1 h2]]; split=> //; move: n h1; case: c => // _; unfold fwd, Words.rel; lia. Qed.
Lemma rel_range c s : 0 <= Words.rel c s <= 7.
Proof. by case: c; unfold Words.rel; have := rk_range s; lia. Qed.
Lemma ahead_of c x i : 0 <= Words.rel c x + i <= 7 -> exists t, fl t = fl x /\ Words.rel c t = Words.rel c x + i.
Proof.
  move=> h; have it : Table.inside (fl x, Words.rel c x + i).
    by apply/Table.insideP; split=> //; apply: fl_range.
  by have [t et] := cd_square c it; exists t; case: et.
Qed.
Lemma advance_rel c x t : c <> Nobody -> fl t = fl x -> Words.rel c t = Words.rel c x + 1 -> advance c x t.
Proof. by move=> n h1 h2; split=> //; split=> //; move: n h2; case: c => // _; unfold fwd, Words.rel; lia. Qed.

(** The push. *)
Lemma goes_on S c x q r i m : past S c x q r i m -> 1 <= i ->
  exists t, [/\ fl t = fl x, Words.rel c t = 8 - i, Words.rel c x < Words.rel c t & goes S c x t].
Proof.
  move=> pa i1; have n := past_side pa; have wx : who S x = c by rewrite /who (past_pawn pa).
  have kx : what S x = Pawn by rewrite /what (past_pawn pa).
  case: (past_left pa) => [[rx ei]|[rx ei]]; last first.
    have [|t [t1 t2]] := @ahead_of c x 1; first by lia.
    exists t; split=> //; try lia; split=> //; split=> //; rewrite kx; left; split.
      exact: advance_rel.
    by apply: (past_open pa) => //; lia.
  have [|o [o1 o2]] := @ahead_of c x 1; first by lia.
  have [|t [t1 t2]] := @ahead_of c x 2; first by lia.
  exists t; split=> //; try lia; split=> //; split=> //; rewrite kx; right; left; exists o; split; last first.
    by split; apply: (past_open pa) => //; lia.
  have [_ [a1 a2]] := advance_rel n o1 o2.
  have [_ [b1 b2]] := @advance_rel c o t n (ltac:(lia)) (ltac:(lia)).
  do 2!split=> //.
  by move: n rx; case: (c) => // _; unfold home, Words.rel; lia.
Qed.
Lemma goes_plainly S c x q r i m t j : sound S -> past S c x q r i m -> goes S c x t -> S t = nothing ->
  becomes S c x t j -> Words.plain S c x t j.
Proof.
  move=> so pa g et b; have n := past_side pa; split=> //; split=> // k y kk oy.
  have nj : j <> King.
    by case: b => [[_ h] e|[_ ->]]; [rewrite e in h; case: h => [|[|[]]] | rewrite /what (past_pawn pa)].
  have nqx : q <> x.
    by move=> e; move: (past_king pa); rewrite e (past_pawn pa) => -[h]; case: (other_not n).
  have nqt : q <> t by move=> e; move: (past_king pa); rewrite e et => -[h]; case: (other_player n).
  have ey : y = q.
    apply: (past_alone pa); move: oy; rewrite /who /gone /put; case: eqP => [_ /= h|_].
      by case: (other_not n).
    by case: eqP => [_ /= h|//]; case: (other_player n).
  have eq' : gone S c x t j q = (other c, King) by rewrite gone_else ?(past_king pa).
  have ek : S k = (c, King).
    by move: kk; rewrite /gone /put; case: eqP => [_ [] /nj//|_]; case: eqP => [_ []|].
  have kq := kings_apart so n ek (past_king pa).
  by rewrite ey /attacks /what eq' /=; move: kq; clear; geo.
Qed.
(** After the push all others are where they were, and attack no more than before. *)
Lemma after_push S c x q r i m t j : past S c x q r i m -> S t = nothing -> x <> t ->
  [/\ after S c x t j q = (other c, King), forall s, who (after S c x t j) s = other c -> s = q,
      forall y, who (after S c x t j) y = c -> y <> t -> [/\ after S c x t j y = S y, who S y = c & y <> x]
    & forall s, quiet S c x s -> quiet (after S c x t j) c t s].
Proof.
  move=> pa et nxt; have n := past_side pa.
  have nqx : q <> x.
    by move=> e; move: (past_king pa); rewrite e (past_pawn pa) => -[h]; case: (other_not n).
  have nqt : q <> t by move=> e; move: (past_king pa); rewrite e et => -[h]; case: (other_player n).
  have own y : who (after S c x t j) y = c -> y <> t -> [/\ after S c x t j y = S y, who S y = c & y <> x].
    move=> oy nt; have nx : y <> x by move=> e; move: oy; rewrite e /who /= gone_from //= => h; case: n.
    have e : after S c x t j y = S y by rewrite /= gone_else.
    by split=> //; move: oy; rewrite /who e.
  split=> //.
  - by rewrite /= gone_else ?(past_king pa).
  - move=> s; rewrite /who /= /gone /put; case: eqP => [_ /= h|_]; first by case: (other_not n).
    by case: eqP => [_ /= h|_ h]; [case: (other_player n) | apply: (past_alone pa)].
  move=> s qs y oy nt; have [e oy' nx] := own y oy nt.
  by move=> at_; apply: (qs y oy' nx); apply: (attacks_simply (past_men pa oy') e).
Qed.
Lemma pushes_on S c x q r i : sound S -> past S c x q r i 0 -> 2 <= i ->
  exists t, [/\ plays S (Move x t) (after S c x t Pawn), past (after S c x t Pawn) c t q r (i - 1) 1 & 1 < dist q t].
Proof.
  move=> so pa i2; have n := past_side pa; have [|t [t1 t2 t3 g]] := goes_on pa; first by lia.
  have et : S t = nothing by apply: (past_open pa).
  have nl : ~ last c t by move/(goal_rel _ n); lia.
  have np : ~ promoting S c x t by case.
  have nxt : x <> t by move=> e; move: t3; rewrite e; lia.
  have pl : Words.plain S c x t Pawn by apply: (goes_plainly so pa) => //; right; rewrite /what (past_pawn pa).
  have [a1 a2 a3 a4] := after_push Pawn pa et nxt.
  exists t; split.
  - by exists c; split=> //; rewrite /what (past_pawn pa); apply: plain_done_after.
  - have lf := past_left pa; have nrt : r <> t.
      by move=> e; move: (past_far_there pa); rewrite e /far t1; lia.
    have nrx : r <> x by move=> e; move: (past_empty pa); rewrite e (past_pawn pa).
    split=> //.
    + exact: gone_to.
    + move=> y oy; case: (y =P t) => [->|nt]; first by right; rewrite /what /= gone_to.
      by have [e oy' _] := a3 y oy nt; rewrite /what e; apply: (past_men pa).
    + by right; lia.
    + move=> y h1 h2; rewrite /= gone_else; first by apply: (past_open pa); [rewrite h1 | lia].
        by move=> e; move: h2; rewrite e; lia.
      by move=> e; move: h2; rewrite e; lia.
    + exact: (past_step pa).
    + by rewrite /= gone_else ?(past_empty pa).
    + exact: a4 (past_here pa).
    + exact: a4 (past_there pa).
    + by move: (past_far pa); rewrite /far t1; lia.
    + by move: (past_far_there pa); rewrite /far t1; lia.
    by move: (past_aside pa); rewrite /aside t1; lia.
  have : ~ dist q t <= 1.
    by move=> /(@rel_near c) [h1 h2]; move: (past_far pa); rewrite /far -t1; lia.
  by lia.
Qed.

(** The reply. *)
Lemma quiet_step S c x q t : sound S -> c <> Nobody -> S q = (other c, King) -> step q t -> S t = nothing ->
  (forall y, who S y = c -> ~ attacks (put S q nothing) y t) -> legal_move S (other c) q t.
Proof.
  move=> so n kq st et h; apply/(king_step_legal so kq (other_player n) st); rewrite otherK /who /what et /=.
  by split=> //; [move=> e; case: (other_player n) | move=> y oy _; apply: h].
Qed.
Lemma not_stalled_past S c x q r i : sound S -> past S c x q r i 1 -> 1 <= i -> ~ Words.stalled S (other c).
Proof.
  move=> so pa i1 [_ no]; have n := past_side pa; apply: (no q r).
  apply: (quiet_step x so n (past_king pa) (past_step pa) (past_empty pa)) => y oy at_.
  have nyq : y <> q.
    by move=> e; move: oy; rewrite e /who (past_king pa) => h; case: (other_not n).
  have at' : attacks S y r by apply: (attacks_simply (past_men pa oy) _ at_); rewrite put_else.
  case: (y =P x) => [e|nx]; last by apply: (past_there pa oy nx).
  move: at'; rewrite e /attacks /what /who (past_pawn pa) /= => /rel_strikes [h1 h2].
  by move: (past_far_there pa) (past_left pa); rewrite /far; lia.
Qed.
Lemma replies_past S c x q r i act S' : sound S -> past S c x q r i 1 -> 1 <= i -> 1 < dist q x ->
  Words.actor S act = other c -> plays S act S' -> loser S' <> other c ->
  exists t, past S' c x t q i 0 /\ aside c x q i.
Proof.
  move=> so pa i1 dx_; have n := past_side pa; have on := other_player n; have kq := past_king pa.
  case: act => [f t|f t j|f] /= o.
  - have ef := past_alone pa o; subst f => - [c' [np dn]] _; have [_ oc] := done_side dn.
    have ec : c' = other c by rewrite -oc.
    rewrite ec /what kq /= in dn.
    have [m [sf _]] := done_makes dn.
    have le : legal_move S (other c) q t.
      by case: (dn) => B [m' [s' _]]; exists B; split; last exact: s'; move: m'; rewrite /what kq.
    have stp := lone_king_steps so (past_alone pa) kq on le.
    have es : S' = after S (other c) q t King.
      case: (dn) => B [m' [_ [_ ->]]]; have [-> _] := makes_king_step so m' (congr1 snd kq) stp; by [].
    have [l1 l2 l3] := iffLR (king_step_legal so kq on stp) le; rewrite otherK in l3.
    have ntq : t <> q by move=> e; move: stp; rewrite e; clear; geo.
    have ntx : x <> t by move=> e; move: stp dx_; rewrite e; clear; geo.
    have nxq : x <> q by move=> e; move: kq; rewrite -e (past_pawn pa) => -[h]; case: (other_not n).
    have [n1 n2] := @rel_near c q t (ltac:(move: stp; clear; unfold step; lia)).
    have own y : who S' y = c -> [/\ S' y = S y, who S y = c, y <> t & y <> q].
      move=> oy; have nt : y <> t by move=> e; move: oy; rewrite es e /who /= gone_to /=; exact: other_not.
      have nq : y <> q.
        by move=> e; move: oy; rewrite es e /who /= gone_from /=; [move=> h; case: n | auto].
      have e : S' y = S y by rewrite es /= gone_else.
      by split=> //; move: oy; rewrite /who e.
    have hf := past_far pa; have ha := past_aside pa; have lf := past_left pa.
    exists t; split; last by move: ha; rewrite /aside; lia.
    split=> //.
    + by rewrite es /= gone_else ?(past_pawn pa).
    + by rewrite es /= gone_to.
    + move=> s; rewrite es /who /= /gone /put; case: eqP => [//|_].
      by case: eqP => [_ /= h|nq h]; [case: on | case: nq; apply: (past_alone pa)].
    + by move=> y /own [e oy _ _]; rewrite /what e; apply: (past_men pa).
    + move=> y h1 h2; rewrite es /=; case: (y =P q) => [->|nq]; first by rewrite gone_from; auto.
      rewrite gone_else //; first exact: (past_open pa).
      move=> e; subst y; move: hf n1 n2 h1 h2 lf; clear -i1; rewrite /far; have := rel_range c t; lia.
    + exact/step_sym.
    + by rewrite es /= gone_from; auto.
    + move=> y oy nx at_; have [e oy' nt nq] := own y oy; apply: (l3 y oy' nt).
      have at' : attacks S y t by apply: (attacks_simply (past_men pa oy') e).
      exact: cleared_attack_still.
    + move=> y oy nx at_; have [e oy' nt nq] := own y oy; apply: (past_here pa oy' nx).
      by apply: (attacks_simply (past_men pa oy') e).
    + by move: hf; rewrite /far; lia.
    + by move: hf; rewrite /far; lia.
    by move: ha; rewrite /aside; lia.
  - have ef := past_alone pa o; subst f => - [c' [[pw _] _]]; by rewrite /what kq in pw.
  move=> [d' [ef [_ [_ ->]]]] /=; have := past_alone pa o => e; subst f.
  by move: ef; rewrite kq => - [<-].
Qed.

(** The promotion. *)
Lemma promotes_past S c x q r : sound S -> past S c x q r 1 0 -> aside c x r 1 -> Words.won_first S c.
Proof.
  move=> so pa as_; have n := past_side pa; have on := other_player n.
  have [|t [t1 t2 t3 g]] := goes_on pa; first by lia.
  have et : S t = nothing by apply: (past_open pa).
  have la : last c t by apply/(goal_rel _ n); lia.
  have nxt : x <> t by move=> e; move: t3; rewrite e; lia.
  have pw : what S x = Pawn by rewrite /what (past_pawn pa).
  have pl : Words.plain S c x t Rook.
    by apply: (goes_plainly so pa) => //; left; split=> //; right; left.
  have [a1 a2 a3 a4] := after_push Rook pa et nxt.
  have dn : plays S (Promote x t Rook) (after S c x t Rook).
    by exists c; split=> //; apply: plain_done_after.
  have so' := plays_sound so dn.
  apply: (Words.Winning n _ dn) => //; first by rewrite /Words.actor /who (past_pawn pa).
  left; exists x, t, Rook; split=> //; split; first by right.
  split; last split.
  - move=> y le; have ey : y = q by apply: a2; have [_ ->] := legal_side le.
    subst y; have stp := lone_king_steps so' a2 a1 on le.
    have [|h1 h2] := @rel_near c q t; first by move: stp; clear; unfold step; lia.
    by move: (past_far pa); rewrite /far; lia.
  - move=> [_ no]; apply: (no q r).
    have nrt : r <> t by move=> e; move: as_; rewrite e /aside t1; lia.
    have nrx : r <> x by move=> e; move: (past_empty pa); rewrite e (past_pawn pa).
    apply: (quiet_step x so' n a1 (past_step pa)); first by rewrite /= gone_else ?(past_empty pa).
    move=> y oy at_; have nyq : y <> q.
      by move=> e; move: oy; rewrite e /who a1 => h; case: (other_not n).
    case: (y =P t) => [e|nt].
      move: at_; rewrite e /attacks /what put_else; last by rewrite -e.
      rewrite /= gone_to /= => -[w [sl [li _]]].
      have f1 : fl r <> fl t by move: as_; rewrite /aside; lia.
      have f2 : rk r <> rk t.
        move=> h; have h' : Words.rel c r = Words.rel c t by rewrite /Words.rel h.
        by move: as_; rewrite /aside; lia.
      by case: w sl li => /=; try (by case); move=> _; clear -f1 f2; geo.
    have [e oy' nx] := a3 y oy nt; apply: (past_there pa oy' nx).
    by apply: (attacks_simply (past_men pa oy') _ at_); rewrite put_else.
  by split=> // s /a2 ->; rewrite /what a1.
Qed.

(** The run. *)
Lemma runs_past (a : nat) : forall S c x q r i, sound S -> past S c x q r i 0 -> i = Z.of_nat a + 1 ->
  (2 <= i \/ aside c x r 1) -> Words.won_first S c.
Proof.
  elim: a => [|a IH] S c x q r i so pa ei h.
    have e1 : i = 1 by lia.
    by subst i; apply: (promotes_past so pa); case: h; [lia|]; rewrite e1 in pa *.
  have n := past_side pa; have [|t [pl pa' dt]] := pushes_on so pa; first by lia.
  have so' := plays_sound so pl.
  apply: (play_win n (past_pawn pa) pl); apply: Words.Resisted => //.
    by apply: (not_stalled_past so' pa'); lia.
  move=> act S' ac pl' lo; have [|u [pa2 as_]] := replies_past so' pa' _ dt ac pl' lo; first by lia.
  apply: (IH _ _ _ _ _ _ _ pa2); [exact: plays_sound pl' | lia | ].
  by right; move: as_; rewrite /aside; lia.
Qed.

(** The start. *)
Lemma starts_past S c x e i q m n' : sound S -> Words.runs S c x e i -> Words.bare S (other c) ->
  Words.alive S (other c) -> S q = (other c, King) -> Words.unattacked S c q -> i + 1 + m <= dist q e ->
  0 <= m -> n' = Z.abs (fl x - fl q) -> i <= n' + 1 - m -> i <= fwd c * (rk e - rk q) + 1 - m ->
  exists r, past S c x q r i m.
Proof.
  move=> so ru [_ ba] [q' [r [kq' [st [er le]]]]] kq [n un] h m0 -> g hh.
  have eq := sound_one_king so kq' kq; subst q'; exists r.
  have [[ex [li no]] [la [_ [_ ln]]]] := ru; have sp := sound_pawns so ex.
  have he : fl e = fl x /\ Words.rel c e = 7.
    by move: la li; clear -n; case: c n => // _; unfold last, goal; cbn [ahead line Words.rel]; lia.
  case: he => e1 e2.
  have hr : fwd c * (rk e - rk q) = 7 - Words.rel c q.
    by move: e2; clear -n; case: c n => // _; unfold fwd, Words.rel; lia.
  have dq : dist q e = Z.max (Z.abs (fl q - fl x)) (7 - Words.rel c q).
    by move: (rel_range c q) e1 e2; clear -n; case: c n => // _; unfold dist, Words.rel; lia.
  have [l1 l2 l3] := iffLR (king_step_legal so kq (other_player n) st) le; rewrite otherK in l3.
  have [|n1 n2] := @rel_near c q r; first by move: st; clear; unfold step; lia.
  split=> //.
  - move=> s o; have ks := ba s o; apply: (sound_one_king so (c := other c)) => //.
    by rewrite -ks -o /who /what; case: (S s).
  - by move=> y oy; have [] := un y oy.
  - move: ln sp li e1 e2; clear -n; case: c n => // _; unfold dist, home, Words.rel; cbn [ahead line]; lia.
  - move=> y h1 h2; apply: no.
      by move: h1 h2; clear -n; case: c n => // _; unfold Words.rel; cbn [ahead line]; lia.
    move: h1 h2 e1 e2 (rel_range c y); clear -n; case: c n => // _; unfold dist, Words.rel; lia.
  - by move=> y oy _; have [] := un y oy.
  - move=> y oy _ at_; have nyq : y <> q.
      by move=> e'; move: oy; rewrite e' /who kq => h'; case: (other_not n).
    have nyr : y <> r by move=> e'; move: oy; rewrite e' /who er => h'; case: n.
    by apply: (l3 y oy nyr); apply: cleared_attack_still.
  - by rewrite /far; lia.
  - by rewrite /far; lia.
  by rewrite /aside; lia.
Qed.
Theorem won_with_more_by_running : Statements.won_with_more_by_running.
Proof.
  move=> S so c x e i d q m g h ru i1 [n ->] ba al [_ kq] un -> hm -> hg [_ ->] hh; split=> //; right.
  have [||||r pa] := @starts_past S c x e i q 0 _ so ru ba al kq un _ _ erefl; try by lia.
  by apply: (@runs_past (Z.to_nat (i - 1)) _ _ _ _ _ _ so pa); [lia | left; lia].
Qed.
Theorem won_with_more_by_running_though_the_other_moves : Statements.won_with_more_by_running_though_the_other_moves.
Proof.
  move=> S so c x e i d q m r' g h ru [n ->] ba al [_ kq] un -> hm -> hr -> hg [_ ->] hh; split=> //.
  have [||||r pa] := @starts_past S c x e i q 1 _ so ru ba al kq un _ _ erefl; try by lia.
  have i1 : 1 <= i by have := past_left pa; lia.
  apply: Words.Resisted => //; first exact: (not_stalled_past so pa i1).
  move=> act S' ac pl lo; have [u [pa2 as_]] := replies_past so pa i1 (ltac:(lia)) ac pl lo.
  apply: (@runs_past (Z.to_nat (i - 1)) _ _ _ _ _ _ _ pa2); [exact: plays_sound pl | lia | ].
  by right; move: as_; rewrite /aside; lia.
Qed.
