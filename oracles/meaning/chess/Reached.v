(** Every position that play reaches from the beginning of a game is sound: so what is proved of sound positions is so
    of all positions of games. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition officer (i : Z) : kind :=
  if i =? 0 then Rook else if i =? 1 then Knight else if i =? 2 then Bishop else if i =? 3 then Queen
  else if i =? 4 then King else if i =? 5 then Bishop else if i =? 6 then Knight else Rook.
Definition array (s : square) : side * kind :=
  if rk s =? 0 then (White, officer (fl s)) else if rk s =? 1 then (White, Pawn)
  else if rk s =? 6 then (Black, Pawn) else if rk s =? 7 then (Black, officer (fl s)) else nothing.
Definition beginning : state := State array (fun c _ => c != Nobody) None White Nobody.

Lemma officer_king i : officer i = King -> i = 4.
Proof. by rewrite /officer; do 7!(case: Z.eqb_spec => // ?). Qed.
Lemma officer_man i : officer i <> Empty /\ officer i <> Pawn.
Proof. by rewrite /officer; do 7!(case: Z.eqb_spec => // ?). Qed.
(** Who stands where at the beginning. *)
Lemma array_side s :
  [\/ (rk s = 0 \/ rk s = 1) /\ who array s = White, 2 <= rk s <= 5 /\ array s = nothing
    | (rk s = 6 \/ rk s = 7) /\ who array s = Black].
Proof.
  have r := rk_range s; rewrite /who /array.
  case: Z.eqb_spec => [e|n0]; first by apply: Or31; auto.
  case: Z.eqb_spec => [e|n1]; first by apply: Or31; auto.
  case: Z.eqb_spec => [e|n6]; first by apply: Or33; auto.
  case: Z.eqb_spec => [e|n7]; first by apply: Or33; auto.
  by apply: Or32; split=> //; lia.
Qed.
Lemma array_king c q : array q = (c, King) <-> c <> Nobody /\ fl q = 4 /\ rk q = base c.
Proof.
  rewrite /array; split.
    case: Z.eqb_spec => [e [<- /officer_king]|n0] //; case: Z.eqb_spec => // n1; case: Z.eqb_spec => // n6.
    by case: Z.eqb_spec => [e [<- /officer_king]|n7].
  by case=> nc [-> ->]; case: c nc.
Qed.
Lemma array_pawn c s : array s = (c, Pawn) -> rk s = 1 \/ rk s = 6.
Proof.
  rewrite /array; case: Z.eqb_spec => [_ [_ e]|n0]; first by case: (officer_man (fl s)).
  case: Z.eqb_spec => [|n1]; first by left.
  case: Z.eqb_spec => [|n6]; first by right.
  by case: Z.eqb_spec => [_ [_ e]|n7] //; case: (officer_man (fl s)).
Qed.
Lemma array_safe c : safe array c.
Proof.
  move=> q x /array_king [nc [fq rq]] o at_.
  have far : 6 <= Z.abs (rk x - rk q).
    rewrite rq; clear -nc o; case: (array_side x) => [[r e]|[_ /who_nothing e]|[r e]]; rewrite e in o;
      case: c nc o => //= _ _; lia.
  move/attacksP: (at_) => [[w [sl [l H]]]|[_ h]|[_ h]|[_ h]].
  - have nw := opposite_some (slides_some sl); have l' : line q x (opposite w) by apply/line_back.
    have [n [nx b]] := line_next nw l'; have st := next_step nx.
    case: b => [e|/between_sym /H e]; first by subst n; clear -far st; geo.
    have near : Z.abs (rk n - rk q) <= 1 by clear -st; geo.
    case: (array_side n) => [[_ oe]|[r _]|[_ oe]]; try by rewrite (who_nothing e) in oe.
    by clear -near r rq nc; rewrite rq in near; case: c nc near {rq} => //= _; lia.
  - by clear -far h; geo.
  - by clear -far h; geo.
  by have st := strikes_step h; clear -far st; geo.
Qed.
Theorem beginning_sound : sound beginning.
Proof.
  split=> /=.
  - move=> s; rewrite /who /what /= /array; case: Z.eqb_spec => _; last case: Z.eqb_spec => _ //; last first.
      case: Z.eqb_spec => _ //; case: Z.eqb_spec => _ //=.
      by split=> // e; case: (officer_man (fl s)).
    by split=> // e; case: (officer_man (fl s)).
  - move=> c nc; have h4 : 0 <= 4 <= 7 by lia. have hb : 0 <= base c <= 7 by case: (c) => /=; lia.
    by have [q [fq rq]] := square_at h4 hb; exists q; apply/array_king.
  - by move=> c q r /array_king [_ [f1 r1]] /array_king [_ [f2 r2]]; apply/sqE; lia.
  - by move=> c s /array_pawn; lia.
  - move=> c w k t r p _ [nc [e1 [_ [e2 [_ [e3 e4]]]]]]; split; first by apply/array_king.
    have f : fl r = 7 \/ fl r = 0 by case: w e4 => -[_ []]; auto.
    by rewrite /array e2; case: c nc {e1 e2} => //= _; case: f => ->.
  - by [].
  by move=> c ch; have /safe_not_check n := @array_safe c; case: (n ch).
Qed.

(** Play: the sides take turns until one gives up. *)
Inductive reached : state -> Prop :=
  | Begin : reached beginning
  | Play S act S' : reached S -> Words.actor S act = turn S -> plays S act S' -> reached S'.
Theorem reached_sound S : reached S -> sound S.
Proof. by elim=> [|{}S act S' _ sd _ pl]; [exact: beginning_sound | exact: plays_sound pl]. Qed.
