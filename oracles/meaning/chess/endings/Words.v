(** What the words of the theory `endings` mean in a position. Those of `men` are as in chess; a word is read of a
    position, `S`, and what speaks of squares alone, of no position. *)
From Chess Require Import Board.
From Chess Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (a b f k p q s t x y z : square) (c d : side) (j : kind) (w : way) (n i : Z).

(** The board, as chess has it. *)
Notation player := Words.player.
Notation opponent := Words.opponent.
Notation border := Words.border.
Notation edge := Words.edge.
Notation next := Words.next.
Notation distance := Words.distance.
Notation step := Words.step.
Notation steps := Words.steps.
Notation strikes := Words.strikes.
Notation advance := Words.advance.
Notation leap := Words.leap.
Notation last := Words.last.
Notation not_last := Words.not_last.
Notation lane := Words.lane.
Notation cramps := Words.cramps.
Notation roomy := Words.roomy.
Notation castle := Words.castle.
Notation en_passant := Words.en_passant.
Notation Open := Words.Open.
Notation Shut := Words.Shut.
Notation at_ := Words.at_.
Notation king := Words.king.
Notation man := Words.man.
Notation men := Words.men.
Notation value := Words.value.
Notation GI := Words.GI.
Notation IG := Words.IG.
Notation actor := Words.actor.
Notation target := Words.target.
Notation stalled := Words.stalled.

(** Squares: by how much they are apart, and which stand how to a pawn. *)
Definition foot s t : Prop := fl t = fl s /\ rk t = 0.
Definition gap s t n : Prop := n = Z.abs (fl t - fl s).
Definition height s n : Prop := n = rk s.
Definition rise c s t n : Prop := c <> Nobody /\ n = fwd c * (rk t - rk s).
Definition abreast s t : Prop := rk t = rk s /\ Z.abs (fl t - fl s) <= 1.
Definition beyond c p b : Prop := c <> Nobody /\ fl b = fl p /\ 2 <= fwd c * (rk b - rk p).
Definition inner p : Prop := 1 <= fl p <= 6.
Definition outer p w : Prop := fl p = 0 /\ w = East \/ fl p = 7 /\ w = West.
(** The rank as that side counts it. *)
Definition rel c s : Z := match c with White => rk s | _ => 7 - rk s end.
Definition high c s : Prop := c <> Nobody /\ 6 <= rel c s.
Definition grown c p : Prop := 4 <= rel c p <= 5.
Definition outpost c p s : Prop :=
  c <> Nobody
  /\ (inner p /\ Z.abs (fl s - fl p) <= 1 /\ (2 <= rel c s - rel c p \/ grown c p /\ rel c s = rel c p + 1)
      \/ ~ inner p /\ Z.abs (fl s - fl p) = 1 /\ 6 <= rel c s
         /\ (2 <= rel c s - rel c p \/ grown c p /\ rel c s = rel c p + 1)).
Definition reserve c p s n : Prop :=
  outpost c p s /\ (n = dist s p /\ 1 < n \/ n = 3 /\ dist s p = 1).
Definition young c p : Prop := c <> Nobody /\ rel c p <= 4.
Definition post c p s : Prop :=
  c <> Nobody
  /\ (inner p /\ fl s = fl p /\ (rel c s = rel c p + 1 /\ rel c s <= 6 \/ young c p /\ rel c s = rel c p + 2)
      \/ ~ inner p /\ (fl s = fl p /\ rel c p < rel c s \/ 2 < rel c s - rel c p /\ Z.abs (fl s - fl p) <= 2)).

(** A king alone, and a pawn with its king against it. *)
Definition bare S d : Prop := d <> Nobody /\ forall s, who S s = d -> what S s = King.
Definition sole S c x : Prop :=
  c <> Nobody /\ S x = (c, Pawn) /\ (forall s, who S s = c -> s = x \/ what S s = King) /\ bare S (other c).
Definition roam S c x n : Prop :=
  sole S c x /\ (roomy c x \/ exists a q, cramps c x a /\ S q = (other c, King) /\ n < dist q a).

Definition freeway S c x a : Prop :=
  S x = (c, Pawn) /\ line x a (ahead c)
  /\ forall y, line x y (ahead c) -> dist x y <= dist x a -> S y = nothing.
Definition runs S c x e n : Prop := freeway S c x e /\ last c e /\ lane c x e n.

(** What is attacked, where only kings and pawns are. *)
Definition owns S d y : Prop := d <> Nobody /\ who S y = d.
Definition alone S d y : Prop := owns S d y /\ bare S d.
(** The king of that side on the square does not go that way to the next. *)
Definition barred S d q w : Prop :=
  w <> Nowhere /\ S q = (d, King) /\ forall s, next q w s -> ~ legal_move S d q s.
Definition misses S c y s : Prop :=
  c <> Nobody /\ who S y = c /\ (what S y = King \/ what S y = Pawn) /\ ~ attacks S y s.
Definition unattacked S c s : Prop :=
  c <> Nobody /\ forall y, who S y = c -> (what S y = King \/ what S y = Pawn) /\ ~ attacks S y s.
Definition steps_to S c k s : Prop :=
  S k = (c, King) /\ step k s /\ S s = nothing /\ legal_move S c k s.
Definition pushes S c x t : Prop :=
  S x = (c, Pawn) /\ fl t = fl x /\ S t = nothing /\ ~ last c t /\ legal_move S c x t.
Definition alive S d : Prop := exists q s, steps_to S d q s.
Definition went S (act : action) S' c j f t : Prop :=
  act = Move f t /\ S f = (c, j) /\ (j = King \/ j = Pawn) /\ S t = nothing /\ S' = after S c f t j.

(** * More men. *)
Definition count S c : Z := Z.of_nat #|[pred s | who S s == c]|.
Definition files s t : Z := Z.abs (fl t - fl s).
(** By so many ranks the second square is ahead. *)
Definition ranks c s t : Z := fwd c * (rk t - rk s).

Definition tempi S c x n : Prop := exists e i, runs S c x e i /\ (n = i \/ n = i + 1).
Definition simple S c z : Prop := c <> Nobody /\ who S z = c /\ (what S z = King \/ what S z = Pawn).
Definition few S d : Prop := d <> Nobody /\ count S d <= 3.
(** What a man of the other side does while a pawn runs, within so many moves of the other side. *)
Definition unstruck S c x y n : Prop :=
  tempi S c x n /\ S y = (other c, Pawn) /\ (count S c <= files x y \/ ranks c x y <= 0).
Definition unchecked S c x y n : Prop :=
  tempi S c x n /\ S y = (other c, Pawn)
  /\ exists k, S k = (c, King) /\ (count S c <= files k y \/ ranks c k y <= 0 \/ 3 <= ranks c k y - n).
Definition late S d y n : Prop :=
  d <> Nobody /\ S y = (d, Pawn) /\ exists e (i : Z), last d e /\ lane d y e i /\ 3 <= i - n.
Definition harmless S c x y n : Prop :=
  tempi S c x n
  /\ (S y = (other c, King) \/ unstruck S c x y n /\ unchecked S c x y n /\ late S (other c) y n).
(** A pawn that always has a move. *)
Definition passed_by S d y z : Prop :=
  S y = (d, Pawn) /\ simple S (other d) z /\ (1 < files y z \/ ranks d y z <= 0).
Definition unpinned c x y n : Prop :=
  exists e, last c e /\ fl e = fl x /\ (files x y < ranks c y e \/ 1 < files x y - ranks c y e - n).
Definition avoids S d x y z n : Prop :=
  d <> Nobody /\ tempi S (other d) x n /\ S y = (d, Pawn)
  /\ (z = y
      \/ S z = (d, Pawn) /\ 0 < files y z /\ count S (other d) <= files y z + 1
      \/ S z = (d, King) /\ (ranks d y z + n <= 0 \/ n < files y z /\ unpinned (other d) x y n)).
Definition loose S d x y n : Prop :=
  d <> Nobody /\ tempi S (other d) x n /\ S y = (d, Pawn)
  /\ (forall z, who S z = other d -> passed_by S d y z) /\ forall z, who S z = d -> avoids S d x y z n.
(** Of a side that has a queen. *)
Definition calm S c y : Prop :=
  (exists s, S s = (c, Queen)) /\ who S y = other c
  /\ (what S y = King \/ what S y = Pawn /\ young (other c) y /\ exists k, S k = (c, King) /\ ~ attacks S y k).

(** A side is never mated, however long the play is; who is stalemated is not. GI: that side moves first, or the other
    gives up; IG: the other side does. Who plays for it moves or promotes. *)
CoInductive holds_first S d : Prop :=
  | Holding : d <> Nobody -> ~ in_check S d -> (forall f t, ~ legal_move S d f t) -> holds_first S d
  | Going act S' :
      d <> Nobody -> actor S act = d -> plays S act S' -> target act <> None -> holds_second S' d -> holds_first S d
with holds_second S d : Prop :=
  | Facing :
      d <> Nobody ->
      (forall act S', actor S act = other d -> plays S act S' -> loser S' <> other d -> holds_first S' d) ->
      holds_second S d.
Definition hold S d (v : value) : Prop :=
  d <> Nobody /\ match v with GI => loser S = other d \/ holds_first S d | IG => holds_second S d end.

(** A pawn becomes a queen or a rook that is not taken, against a king alone that is not stalemated; or a queen is to
    move, its king is not in check, and the other side has two pawns at most, each with three moves or more to go; or
    the other side gives up. Who plays for it moves or promotes. *)
Definition queens S c : Prop :=
  ~ in_check S c /\ (exists s, S s = (c, Queen)) /\ (#|[pred s | who S s == other c]| <= 3)%N
  /\ forall y, who S y = other c -> what S y = King \/ what S y = Pawn /\ young (other c) y.
Definition promotes S (act : action) S' c : Prop :=
  exists f t j, act = Promote f t j /\ (j = Queen \/ j = Rook)
  /\ (forall y, ~ legal_move S' (other c) y t) /\ ~ stalled S' (other c) /\ bare S' (other c).
Inductive won_first S c : Prop :=
  | Queening : c <> Nobody -> queens S c -> won_first S c
  | Winning act S' :
      c <> Nobody -> actor S act = c -> plays S act S' -> target act <> None ->
      promotes S act S' c \/ won_second S' c -> won_first S c
with won_second S c : Prop :=
  | Resisted :
      c <> Nobody -> ~ stalled S (other c) ->
      (forall act S', actor S act = other c -> plays S act S' -> loser S' <> other c -> won_first S' c) ->
      won_second S c.
Definition win S c (v : value) : Prop :=
  c <> Nobody /\ match v with GI => loser S = other c \/ won_first S c | IG => won_second S c end.
Definition win_by S c (act : action) (v : value) : Prop :=
  match v with
  | GI => c <> Nobody /\ actor S act = c
          /\ exists S', plays S act S' /\ target act <> None /\ (promotes S act S' c \/ won_second S' c)
  | IG => False
  end.
