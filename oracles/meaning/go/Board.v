(** The rules of Go on any board: what stands where, blocks and their liberties, what a move takes, which moves are
    legal.

    Suicide is illegal, and ko is simple ko. A board is a finite set of points with neighbours; nothing else is said of
    it. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** What stands on a point. *)
Inductive hue := black | white | empty.
Definition hue_eqb (a b : hue) : bool :=
  match a, b with black, black | white, white | empty, empty => true | _, _ => false end.
Lemma hue_eqP : Equality.axiom hue_eqb.
Proof. by case; case; constructor. Qed.
Canonical hue_eqType := EqType hue (EqMixin hue_eqP).
Definition is_player (c : hue) : bool := c != empty.
Definition other (c : hue) : hue := match c with black => white | white => black | empty => empty end.

Inductive ban := free | banned.

Structure board := Board { point :> finType; nb : rel point; nb_sym : symmetric nb; nb_irr : irreflexive nb }.

(** A position: what stands on each point, and the point that simple ko forbids to a player. *)
Structure state (B : board) := State { col : B -> hue; forbidden : option (hue * B) }.

Inductive action (B : board) := Move (c : hue) (p : B) | Pass (c : hue).

Section Rules.
Variable B : board.
Implicit Types (S : state B) (c d k : hue) (p q s t x l : B).

Definition stone S s : bool := col S s != empty.
(** Two neighbours of one colour, and the block of a stone. *)
Definition link S : rel B := [rel x y | nb x y && (col S x == col S y)].
Definition same S s t : bool := stone S s && connect (link S) s t.
Definition lib S s x : bool := (col S x == empty) && [exists t, same S s t && nb t x].
Definition touch S s x : bool := stone S s && (col S x == other (col S s)) && [exists t, same S s t && nb t x].
Definition near S p k x : bool := nb p x && (col S x == k).
Definition libs S s : nat := #|[pred x | lib S s x]|.

(** A stone is put down; then the other's blocks without a liberty are taken. *)
Definition down S c p : state B := State (fun x => if x == p then c else col S x) None.
Definition taken S c p x : bool := (col (down S c p) x == other c) && ~~ [exists l, lib (down S c p) x l].
Definition board_after S c p : B -> hue := fun x => if taken S c p x then empty else col (down S c p) x.
(** Simple ko: a stone that lies among the other's alone took one stone; the other may not take it back at once. *)
Definition ko_after S c p : option (hue * B) :=
  if [pick t | taken S c p t] is Some t then
    if (#|[pred x | taken S c p x]| == 1) && [forall q, nb p q ==> (col S q == other c)]
    then Some (other c, t) else None
  else None.
Definition put S c p : state B := State (board_after S c p) (ko_after S c p).
Definition legal_move S c p : bool :=
  [&& is_player c, col S p == empty, forbidden S != Some (c, p) & [exists l, lib (put S c p) p l]].
Definition passed S : state B := State (col S) None.

(** What is so of every position that play reaches from an empty board. *)
Definition sound S : Prop :=
  (forall s, stone S s -> exists l, lib S s l)
  /\ (forall c p, forbidden S = Some (c, p) -> is_player c /\ col S p = empty /\ forall q, nb p q -> col S q = other c).

Definition step S (a : action B) S' : Prop :=
  match a with
  | Move c p => legal_move S c p /\ S' = put S c p
  | Pass c => is_player c /\ S' = passed S
  end.

End Rules.
