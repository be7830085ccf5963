(** Chess: the geometry of the board, what stands on it, what attacks what, which moves are legal and what they lead
    to.

    A square has a file and a rank, 0 to 7, as integers, so what is said of places is linear arithmetic once the way
    is known (`geo`). A board tells what stands on each square: a side and a kind, or nothing. Rules speak of either
    side as if it were to move. *)
From Coq Require Export ZArith Lia.
From mathcomp Require Export all_ssreflect.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Global Open Scope Z_scope.

Inductive side := White | Black | Nobody.
Inductive kind := King | Queen | Rook | Bishop | Knight | Pawn | Empty.
Inductive way := North | North_east | East | South_east | South | South_west | West | North_west | Nowhere.
Inductive leg := Nne | Ene | Ese | Sse | Ssw | Wsw | Wnw | Nnw.
Inductive wing := King_side | Queen_side.

Definition side_eqb (a b : side) : bool :=
  match a, b with White, White | Black, Black | Nobody, Nobody => true | _, _ => false end.
Lemma side_eqP : Equality.axiom side_eqb.
Proof. by case; case; constructor. Qed.
Canonical side_eqType := EqType side (EqMixin side_eqP).
Definition kind_eqb (a b : kind) : bool :=
  match a, b with
  | King, King | Queen, Queen | Rook, Rook | Bishop, Bishop | Knight, Knight | Pawn, Pawn | Empty, Empty => true
  | _, _ => false
  end.
Lemma kind_eqP : Equality.axiom kind_eqb.
Proof. by case; case; constructor. Qed.
Canonical kind_eqType := EqType kind (EqMixin kind_eqP).

Definition player (c : side) : Prop := c <> Nobody.
Definition other (c : side) : side := match c with White => Black | Black => White | Nobody => Nobody end.

(** Squares. *)
Definition square : finType := [finType of 'I_8 * 'I_8].
Definition fl (s : square) : Z := Z.of_nat s.1.
Definition rk (s : square) : Z := Z.of_nat s.2.
Definition sq (i j : Z) : square := (inord (Z.to_nat i), inord (Z.to_nat j)).

Definition opposite (w : way) : way :=
  match w with
  | North => South | North_east => South_west | East => West | South_east => North_west | South => North
  | South_west => North_east | West => East | North_west => South_east | Nowhere => Nowhere
  end.
Definition dx (w : way) : Z :=
  match w with North_east | East | South_east => 1 | South_west | West | North_west => -1 | _ => 0 end.
Definition dy (w : way) : Z :=
  match w with North | North_east | North_west => 1 | South | South_east | South_west => -1 | _ => 0 end.

Definition line (a b : square) (w : way) : Prop :=
  match w with
  | North => fl b = fl a /\ rk a < rk b
  | North_east => fl b - fl a = rk b - rk a /\ fl a < fl b
  | East => rk b = rk a /\ fl a < fl b
  | South_east => fl b - fl a = rk a - rk b /\ fl a < fl b
  | South => fl b = fl a /\ rk b < rk a
  | South_west => fl b - fl a = rk b - rk a /\ fl b < fl a
  | West => rk b = rk a /\ fl b < fl a
  | North_west => fl b - fl a = rk a - rk b /\ fl b < fl a
  | Nowhere => fl b <> fl a /\ rk b <> rk a /\ fl b - fl a <> rk b - rk a /\ fl b - fl a <> rk a - rk b
  end.
Definition aligned (a b : square) : Prop := exists w, w <> Nowhere /\ line a b w.
Definition between (a b x : square) : Prop := exists w, w <> Nowhere /\ line a x w /\ line x b w.
Definition next (a : square) (w : way) (b : square) : Prop :=
  w <> Nowhere /\ fl b = fl a + dx w /\ rk b = rk a + dy w.
Definition border (a : square) (w : way) : Prop :=
  w <> Nowhere /\ ~ (0 <= fl a + dx w <= 7 /\ 0 <= rk a + dy w <= 7).
Definition edge (a : square) (w : way) (b : square) : Prop := line a b w /\ border b w.
Definition dist (a b : square) : Z := Z.max (Z.abs (fl b - fl a)) (Z.abs (rk b - rk a)).
Definition step (a b : square) : Prop := dist a b = 1.
Definition hop (a b : square) : Prop := fl a <> fl b /\ rk a <> rk b /\ Z.abs (fl b - fl a) + Z.abs (rk b - rk a) = 3.
Definition lx (l : leg) : Z :=
  match l with Nne | Sse => 1 | Ene | Ese => 2 | Ssw | Nnw => -1 | Wsw | Wnw => -2 end.
Definition ly (l : leg) : Z :=
  match l with Nne | Nnw => 2 | Ene | Wnw => 1 | Ese | Wsw => -1 | Sse | Ssw => -2 end.
Definition corner (s : square) : Prop := (fl s = 0 \/ fl s = 7) /\ (rk s = 0 \/ rk s = 7).

(** Of a side: a pawn's way, the rank where its pawns begin, where they are promoted, and where its pieces begin. *)
Definition fwd (c : side) : Z := match c with White => 1 | Black => -1 | Nobody => 0 end.
Definition home (c : side) : Z := match c with White => 1 | _ => 6 end.
Definition goal (c : side) : Z := match c with White => 7 | _ => 0 end.
Definition base (c : side) : Z := match c with White => 0 | _ => 7 end.
Definition ahead (c : side) : way := match c with White => North | Black => South | Nobody => Nowhere end.
Definition strikes (c : side) (a b : square) : Prop :=
  c <> Nobody /\ rk b = rk a + fwd c /\ Z.abs (fl b - fl a) = 1.
Definition advance (c : side) (a b : square) : Prop := c <> Nobody /\ fl b = fl a /\ rk b = rk a + fwd c.
Definition leap (c : side) (a o b : square) : Prop :=
  c <> Nobody /\ rk a = home c /\ fl o = fl a /\ rk o = rk a + fwd c /\ fl b = fl a /\ rk b = rk o + fwd c.
Definition last (c : side) (a : square) : Prop := c <> Nobody /\ rk a = goal c.
(** Castling: the king goes from `k` to `t`, the rook from `r` to `p`. *)
Definition castle (c : side) (w : wing) (k t r p : square) : Prop :=
  c <> Nobody /\ rk k = base c /\ rk t = base c /\ rk r = base c /\ rk p = base c /\ fl k = 4
  /\ match w with King_side => fl t = 6 /\ fl r = 7 /\ fl p = 5 | Queen_side => fl t = 2 /\ fl r = 0 /\ fl p = 3 end.

Definition slides (k : kind) (w : way) : Prop :=
  match w with
  | North | East | South | West => k = Rook \/ k = Queen
  | North_east | South_east | South_west | North_west => k = Bishop \/ k = Queen
  | Nowhere => False
  end.
Definition promotion (k : kind) : Prop := k = Queen \/ k = Rook \/ k = Bishop \/ k = Knight.

(** What stands on each square. *)
Notation board := (square -> side * kind).
Definition nothing : side * kind := (Nobody, Empty).
Definition put (B : board) (s : square) (m : side * kind) : board := fun x => if x == s then m else B x.

Section Attacks.
Variable B : board.
Definition who (s : square) : side := (B s).1.
Definition what (s : square) : kind := (B s).2.
(** Two squares of a line, and nothing between them; the first man that way. *)
Definition clear (a b : square) : Prop := aligned a b /\ forall x, between a b x -> B x = nothing.
Definition sees (s : square) (w : way) (x : square) : Prop :=
  w <> Nowhere /\ line s x w /\ who x <> Nobody /\ forall y, between s x y -> B y = nothing.
Definition attacks (a b : square) : Prop :=
  match what a with
  | King => step a b
  | Knight => hop a b
  | Pawn => strikes (who a) a b
  | Empty => False
  | k => exists w, slides k w /\ line a b w /\ forall x, between a b x -> B x = nothing
  end.
Definition attacked (c : side) (s : square) : Prop := exists x, who x = c /\ attacks x s.
Definition in_check (c : side) : Prop := exists q x, B q = (c, King) /\ who x = other c /\ attacks x q.
Definition safe (c : side) : Prop := forall q x, B q = (c, King) -> who x = other c -> ~ attacks x q.
(** What stands there has a side, and where nothing stands there is none. *)
Definition proper : Prop := forall s, who s = Nobody <-> what s = Empty.
(** A man goes or takes, were it not for its king; castling and taking in passing are told apart. *)
Definition goes (c : side) (f t : square) : Prop :=
  c <> Nobody /\ who f = c
  /\ match what f with
     | Pawn =>
         (advance c f t /\ B t = nothing)
         \/ (exists o, leap c f o t /\ B o = nothing /\ B t = nothing)
         \/ (strikes c f t /\ who t = other c /\ what t <> King)
     | _ => attacks f t /\ who t <> c /\ what t <> King
     end.
End Attacks.

(** The board after a man goes from `f` to `t`, where `k` of side `c` stands then; after it takes in passing, and
    after castling. *)
Definition gone (B : board) (c : side) (f t : square) (k : kind) : board := put (put B f nothing) t (c, k).
Definition passed_by (B : board) (c : side) (f t v : square) : board :=
  put (put (put B f nothing) v nothing) t (c, Pawn).
Definition castled_to (B : board) (c : side) (k t r p : square) : board :=
  put (put (put (put B k nothing) r nothing) t (c, King)) p (c, Rook).

(** A position. `passed` is the square over which a pawn has just gone by two steps, `kept` the rights to castle,
    `loser` who has given up. *)
Record state := State {
  stands :> square -> side * kind;
  kept : side -> wing -> bool;
  passed : option square;
  turn : side;
  loser : side
}.

Inductive action := Move (f t : square) | Promote (f t : square) (k : kind) | Lay_down (q : square).

Section Rules.
Implicit Types (S : state) (c d : side) (f t v r p : square) (k : kind).

(** A pawn takes in passing: `v` is what it takes. *)
Definition in_passing S c f t v : Prop :=
  S f = (c, Pawn) /\ strikes c f t /\ passed S = Some t /\ S t = nothing
  /\ S v = (other c, Pawn) /\ exists h, leap (other c) h t v.
Definition may_castle S c (w : wing) f t r p : Prop :=
  castle c w f t r p /\ kept S c w /\ S f = (c, King) /\ S r = (c, Rook)
  /\ (forall x, between f r x -> S x = nothing)
  /\ forall x, x = f \/ x = p \/ x = t -> ~ attacked S (other c) x.

(** What a man of `c` may do but for its king, and the board that comes of it, where it stands as `k`. *)
Inductive makes S c f t k : board -> Prop :=
  | Goes : goes S c f t -> makes S c f t k (gone S c f t k)
  | Passes v : in_passing S c f t v -> k = Pawn -> makes S c f t k (passed_by S c f t v)
  | Castles w r p : may_castle S c w f t r p -> k = King -> makes S c f t k (castled_to S c f t r p).

Definition legal_move S c f t : Prop := exists B, makes S c f t (what S f) B /\ safe B c.
Definition promoting S c f t : Prop := what S f = Pawn /\ last c t.
(** What stands there after the move: a pawn on the last rank becomes another. *)
Definition becomes S c f t k : Prop :=
  promoting S c f t /\ promotion k \/ ~ promoting S c f t /\ k = what S f.

(** Rights are lost when the king or the rook moves, or the rook is taken. *)
Definition touched (f t : square) c (w : wing) : bool :=
  let r := sq (if w is King_side then 7 else 0) (base c) in [|| f == sq 4 (base c), f == r | t == r].
Definition leaping S f t : bool := (what S f == Pawn) && (Z.abs (rk t - rk f) =? 2).
Definition follow S c f t (B : board) : state :=
  State B (fun e w => kept S e w && ~~ touched f t e w)
    (if leaping S f t then Some (sq (fl f) ((rk f + rk t) / 2)) else None) (other c) (loser S).
(** The position after a man goes to `t`, as what is said. *)
Definition after S c f t k : state := follow S c f t (gone S c f t k).

Definition done S c f t k S' : Prop :=
  exists B, makes S c f t k B /\ safe B c /\ becomes S c f t k /\ S' = follow S c f t B.
Definition plays S (a : action) S' : Prop :=
  match a with
  | Move f t => exists c, ~ promoting S c f t /\ done S c f t (what S f) S'
  | Promote f t k => exists c, promoting S c f t /\ done S c f t k S'
  | Lay_down q =>
      exists d, S q = (d, King) /\ d <> Nobody /\ (in_check S d \/ exists f t, legal_move S d f t)
      /\ S' = State S (kept S) (passed S) (turn S) d
  end.

(** What is so of every position that play reaches, whoever is to move. *)
Record sound S : Prop := Sound {
  sound_proper : proper S;
  sound_king c : c <> Nobody -> exists q, S q = (c, King);
  sound_one_king c q r : S q = (c, King) -> S r = (c, King) -> q = r;
  sound_pawns c s : S s = (c, Pawn) -> 1 <= rk s <= 6;
  sound_kept c w (k t r p : square) : kept S c w -> castle c w k t r p -> S k = (c, King) /\ S r = (c, Rook);
  (* A pawn that has just passed stands there. *)
  sound_passed t : passed S = Some t ->
    exists d h v, leap d h t v /\ S h = nothing /\ S t = nothing /\ S v = (d, Pawn);
  sound_one_check c : in_check S c -> ~ in_check S (other c)
}.
End Rules.

(** Arithmetic of squares. *)
Lemma fl_range (s : square) : 0 <= fl s <= 7.
Proof. rewrite /fl; have := ltn_ord s.1; move/ltP; lia. Qed.
Lemma rk_range (s : square) : 0 <= rk s <= 7.
Proof. rewrite /rk; have := ltn_ord s.2; move/ltP; lia. Qed.
Lemma sqE (a b : square) : a = b <-> fl a = fl b /\ rk a = rk b.
Proof.
  split=> [->//|]; rewrite /fl /rk; case: a b => [a1 a2] [b1 b2] /= [e1 e2].
  by congr pair; apply: val_inj => /=; lia.
Qed.
Lemma sq_fl i j : 0 <= i <= 7 -> fl (sq i j) = i.
Proof. by move=> h; rewrite /fl /= inordK; [lia | apply/ltP; lia]. Qed.
Lemma sq_rk i j : 0 <= j <= 7 -> rk (sq i j) = j.
Proof. by move=> h; rewrite /rk /= inordK; [lia | apply/ltP; lia]. Qed.
Lemma square_at i j : 0 <= i <= 7 -> 0 <= j <= 7 -> exists s : square, fl s = i /\ rk s = j.
Proof. by move=> hi hj; exists (sq i j); rewrite sq_fl // sq_rk. Qed.
Global Opaque fl rk sq.

(** `geo` decides what is said of places where each way and side is known: linear arithmetic over files and ranks. *)
Ltac ranges_of := repeat match goal with
  | s : Finite.sort square |- _ =>
      lazymatch goal with _ : 0 <= fl s <= 7 |- _ => fail | _ => pose proof (fl_range s); pose proof (rk_range s) end
  end.
Ltac squares_apart :=
  rewrite -> ?sqE;
  repeat match goal with H : context [@eq (Finite.sort square) _ _] |- _ => rewrite -> sqE in H end.
Ltac geo_unfold :=
  unfold edge, border, next, step, hop, strikes, advance, leap, last, castle, corner, line, dist, dx, dy, lx, ly,
    fwd, home,
    goal, base, ahead, opposite, player in *.
Ltac geo := intros; squares_apart; ranges_of; geo_unfold; simpl in *; first [lia | exfalso; intuition congruence].

Lemma line_opposite a b w : line a b w -> line b a (opposite w).
Proof. case: w => /=; geo. Qed.
Lemma line_one a b w v : line a b w -> line a b v -> w = v.
Proof. by case: w; case: v => //= h h'; exfalso; geo. Qed.
