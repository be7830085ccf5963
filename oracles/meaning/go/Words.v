(** What the words of the theory `go` mean on a board. A word is read of a position, `S`.

    Words that say which points and stones stand somewhere are decided (`bool`), so that they can be counted; numbers
    are integers. Of what the theory concludes only the meaning counts here, and not how it is concluded:
    `guard S q c 2` says that every block of `c` beside `q` has two liberties, and each clause about `guard` is right or
    wrong by that. Some words ask for less than their comments in the theory, which makes what concludes them say less:
    `firm` is true of an empty point, `playable` says that the move is legal, and `pair` not that the blocks are two. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition many (T : finType) (P : pred T) : Z := Z.of_nat #|P|.

Section Words.
Variable B : board.
Implicit Types (S : state B) (c d k : hue) (p q s t v w x y z l b e f m : B) (n i j : Z).

(** The board. *)
Definition player c : Prop := is_player c.
Definition opponent c d : Prop := is_player c /\ d = other c.
Definition neighbour p q : bool := nb p q.
Definition neighbours p n : Prop := n = many (neighbour p).
Definition level n : Prop := (1 <= n <= 5)%Z.
Definition colour S p k : Prop := col S p = k.
Definition same_block S s t : bool := same S s t.
Definition stones S s n : Prop := stone S s /\ n = many (same_block S s).
Definition liberty S s x : bool := lib S s x.
Definition liberties S s n : Prop := stone S s /\ n = many (liberty S s).
Definition contact S s x : bool := touch S s x.
Definition contacts S s n : Prop := stone S s /\ n = many (contact S s).
Definition beside S p k x : bool := near S p k x.
Definition besides S p k n : Prop := n = many (beside S p k).
Definition ko S c p (v : ban) : Prop := player c /\ v = if forbidden S == Some (c, p) then banned else free.
Definition legal S c p : Prop := legal_move S c p.
Definition illegal S c p : Prop := player c /\ ~ legal S c p.
Definition airless S c q : Prop :=
  player c /\ (colour S q c /\ liberties S q 1 \/ colour S q (other c) /\ exists n, liberties S q n /\ (n > 1)%Z).

(** What a move would take. *)
Definition hangs S q s : bool := (libs S q == 1) && same S q s.
Definition hanging S q n : Prop := n = many (hangs S q).
Definition takes S c p s : bool :=
  [&& is_player c, col S p == empty & [exists q, near S p (other c) q && lib S q p && hangs S q s]].
Definition takings S c p n : Prop := n = many (takes S c p).

(** What a move makes of the player's blocks: these are read of the position after it. *)
Definition joined S' (a : action B) s : Prop := match a with Move c p => same S' p s | Pass _ => False end.
Definition apart S' (a : action B) s : Prop :=
  match a with Move c p => col S' s = c /\ ~~ same S' p s | Pass _ => False end.

(** Capture. *)
Definition firm S b n : Prop := forall w, contact S b w -> (n <= many (liberty S w))%Z.
Definition firm_unless S b p n : Prop := forall w, contact S b w -> (n <= many (liberty S w))%Z \/ liberty S w p.
Definition firm_but S b w n : Prop := forall v, contact S b v -> (n <= many (liberty S v))%Z \/ same_block S w v.
Definition firm_apart S b p : Prop := forall w, contact S b w -> ~~ liberty S w p.
Definition guard S q c n : Prop := colour S q empty /\ forall w, beside S q c w -> (n <= many (liberty S w))%Z.
Definition guard_unless S q c p n : Prop :=
  [/\ colour S q empty, q <> p & forall w, beside S q c w -> (n <= many (liberty S w))%Z \/ liberty S w p].
Definition guard_but S q c w n : Prop :=
  colour S q empty /\ forall v, beside S q c v -> (n <= many (liberty S v))%Z \/ same_block S w v.
Definition guard_apart S q c p : Prop := colour S p empty /\ forall w, beside S q c w -> ~~ liberty S w p.
Definition clear S w p : Prop := [/\ stone S w, colour S p empty & ~~ liberty S w p].
Definition strong_with S p w n : Prop :=
  [/\ (1 <= n)%Z, colour S p empty, stone S w, nb p w
    & (n <= many [pred x | (liberty S w x || beside S p empty x) && (x != p)])%Z].
Definition strong_with_two S p w v n : Prop :=
  [/\ (1 <= n)%Z, colour S p empty, stone S w, nb p w
    & beside S p (col S w) v
      /\ (n <= many [pred x | [|| liberty S w x, liberty S v x | beside S p empty x] && (x != p)])%Z].
Definition strong_through S q p n : Prop :=
  [/\ (1 <= n)%Z, colour S q empty, colour S p empty, nb q p
    & (n <= many [pred x | (beside S p empty x || beside S q empty x) && (x != p) && (x != q)])%Z].
Definition strong_through_with S q p w n : Prop :=
  [/\ (1 <= n)%Z, colour S q empty, colour S p empty, q <> p
    & [/\ stone S w, nb p w
        & (n <= many [pred x | [|| liberty S w x, beside S p empty x | beside S q empty x]
            && (x != p) && (x != q)])%Z]].
Definition strong S c p n : Prop :=
  [/\ player c, colour S p empty, forbidden S <> Some (c, p), (1 <= n)%Z & (n <= many (liberty (put S c p) p))%Z].
Definition spared S q c p n : Prop :=
  legal_move S c p ->
  forall w, beside (put S c p) q c w -> w = p \/ (n <= many (liberty S w))%Z -> (n <= many (liberty (put S c p) w))%Z.
Definition only S p b : Prop :=
  [/\ colour S p empty, stone S b & forall s, beside S p (col S b) s -> same_block S b s].
Definition pair S p b e : Prop :=
  [/\ colour S p empty, stone S b, col S e = col S b
    & forall s, beside S p (col S b) s -> same_block S b s || same_block S e s].
Definition three S p b e f : Prop :=
  [/\ colour S p empty, stone S b, col S e = col S b, col S f = col S b
    & forall s, beside S p (col S b) s -> [|| same_block S b s, same_block S e s | same_block S f s]].
Definition playable S c p : Prop := legal S c p.
Definition unharmed S q p d : Prop := player d /\ forall s, beside S q d s -> exists2 l, liberty S s l & l != p.

(** Safety. *)
Definition girt S p x d : Prop :=
  [/\ player d, colour S p empty, colour S x empty & forall w, beside S p d w -> liberty S w x].
Definition girt_or S p x y d : Prop :=
  [/\ player d, colour S p empty, colour S x empty, colour S y empty
    & x <> y /\ forall w, beside S p d w -> liberty S w x || liberty S w y].
Definition held S w x d : Prop :=
  [/\ player d, colour S w (other d), colour S x empty & forall s, contact S w s -> liberty S s x].
Definition held_or S w x y d : Prop :=
  [/\ player d, colour S w (other d), colour S x empty, colour S y empty
    & x <> y /\ forall s, contact S w s -> liberty S s x || liberty S s y].
Definition touching S q w m d : Prop :=
  [/\ player d, colour S q empty, colour S m empty, colour S w (other d)
    & forall s, beside S q d s -> contact S s w || liberty S s m].
Definition reaches S m x d : Prop :=
  [/\ player d, colour S m empty, colour S x empty, x <> m
    & nb m x \/ exists2 w, beside S m d w & liberty S w x].
Definition eye S p r d : Prop :=
  player d /\ colour S p empty /\
  [\/ r = p /\ (forall x, nb p x -> colour S x d),
      [/\ colour S r empty, nb p r, forall x, nb p x -> x = r \/ colour S x d
        & forall x, nb r x -> x = p \/ colour S x d]
    | [/\ colour S r (other d), nb p r, forall x, nb p x -> x = r \/ colour S x d & liberties S r 1]].
Definition edged S p x d : Prop :=
  player d /\
  [\/ colour S p empty /\ x = p, girt S p x d, held S p x d | colour S x (other d)].
Definition alive S b : Prop :=
  exists d p r q s,
    [/\ colour S b d, liberty S b p, eye S p r d, eye S q s d
      & [/\ p <> q, p <> s, r <> q, r <> s
          & forall x y, x \in [:: p; r; q; s] -> y \in [:: p; r; q; s] -> x = y \/ edged S x y d]].

(** The games. To take a block: there is a play that takes it, whatever its owner does, if the attacker plays first
    (`taken_first`), or second. To save it: it is never taken, however long the play is. *)
Inductive value := GI | IG | PI | IP.
Definition actor (a : action B) : hue := match a with Move c _ | Pass c => c end.
Inductive taken_first S b : Prop :=
  Attack a S' : is_player (col S b) -> actor a = other (col S b) -> step S a S' -> taken_second S' b -> taken_first S b
with taken_second S b : Prop :=
  | Gone : col S b = empty -> taken_second S b
  | Answered : (forall a S', actor a = col S b -> step S a S' -> taken_first S' b) -> taken_second S b.
CoInductive saved_first S b : Prop :=
  Defence a S' : is_player (col S b) -> actor a = col S b -> step S a S' -> saved_second S' b -> saved_first S b
with saved_second S b : Prop :=
  Survival : is_player (col S b) ->
    (forall a S', actor a = other (col S b) -> step S a S' -> col S' b = col S b /\ saved_first S' b) ->
    saved_second S b.

Definition take S b (v : value) : Prop :=
  is_player (col S b)
  /\ match v with
     | GI => taken_first S b
     | IG => taken_second S b
     | PI => ~ taken_first S b
     | IP => ~ taken_second S b
     end.
Definition take_by S b (a : action B) (v : value) : Prop :=
  match v with
  | GI => [/\ is_player (col S b), actor a = other (col S b) & exists2 S', step S a S' & taken_second S' b]
  | _ => False
  end.
Definition save S b (v : value) : Prop :=
  is_player (col S b) /\ match v with GI => saved_first S b | IG => saved_second S b | _ => False end.
Definition save_by S b (a : action B) (v : value) : Prop :=
  match v with
  | GI => [/\ is_player (col S b), actor a = col S b & exists2 S', step S a S' & saved_second S' b]
  | _ => False
  end.
(** To connect two stones: there is a play by which they become one block, whatever the other side does. On the way both
    stay where they are: who was taken is not connected any more, though a stone is put there again. *)
Inductive connected_first S (a b : B) : Prop :=
  Link act S' : is_player (col S a) -> col S b = col S a -> actor act = col S a -> step S act S' ->
    connected_second S' a b -> connected_first S a b
with connected_second S (a b : B) : Prop :=
  | Linked : same_block S a b -> connected_second S a b
  | Unprevented : is_player (col S a) -> col S b = col S a ->
      (forall act S', actor act = other (col S a) -> step S act S' ->
        [/\ col S' a = col S a, col S' b = col S b & connected_first S' a b]) ->
      connected_second S a b.

(** To gain so many stones from a position `S0` on: there is a play after which at least so many of the stones that the
    other side had in `S0` are not where they stood, whatever it does. What is taken of those that it put down
    meanwhile, or what it takes itself, is not counted. *)
Definition gone S0 S c s : bool := (col S0 s == other c) && (col S s != other c).
Inductive gained_first S0 c n S : Prop :=
  Raid act S' : actor act = c -> step S act S' -> gained_second S0 c n S' -> gained_first S0 c n S
with gained_second S0 c n S : Prop :=
  | Gained : (n <= many (gone S0 S c))%Z -> gained_second S0 c n S
  | Unrescued : (forall act S', actor act = other c -> step S act S' -> gained_first S0 c n S') ->
      gained_second S0 c n S.

Definition connect S (a b : B) (v : value) : Prop :=
  [/\ is_player (col S a), col S b = col S a
    & match v with
      | GI => connected_first S a b
      | IG => connected_second S a b
      | PI => ~ connected_first S a b
      | IP => ~ connected_second S a b
      end].
Definition connect_by S (a b : B) (act : action B) (v : value) : Prop :=
  match v with
  | GI => [/\ is_player (col S a), col S b = col S a, actor act = col S a
            & exists2 S', step S act S' & connected_second S' a b]
  | _ => False
  end.
Definition gain S c n (v : value) : Prop :=
  is_player c
  /\ match v with
     | GI => gained_first S c n S
     | IG => gained_second S c n S
     | PI => ~ gained_first S c n S
     | IP => ~ gained_second S c n S
     end.
Definition gain_by S c n (act : action B) (v : value) : Prop :=
  match v with
  | GI => [/\ is_player c, actor act = c & exists2 S', step S act S' & gained_second S c n S']
  | _ => False
  end.
End Words.
