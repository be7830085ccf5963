(** What the words of `combinations` and `taking` mean that `chess` does not have; all others are those of `chess`. Where
    both have one, as `harmless`, which `balance` has too, that of this file is meant. What is foretold (`at_in_1`) is so
    in the position that the moves lead to, if they can be played: that is what its lemmas say. *)
From Chess Require Import Board Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (f t x y z s : square) (c d : side) (j : kind) (w : way).

Definition site s : Prop := s \in enum square.
Definition sites n : Prop := many site n.
Definition bound S c y : Prop := c <> Nobody /\ forall t, ~ legal_move S c y t.
Definition beaten S c : Prop := mated S c.
Definition in_check S c : Prop := Words.checked S c.
Definition goes S c j f t : Prop := range c j f t.
(** The man on `f` may give check by going to `t`, by its kind alone, or leaves a line on which another looks at the
    king. *)
Definition menaces S c f t : Prop :=
  c <> Nobody /\ who S f = c
  /\ exists q, S q = (other c, King)
     /\ (range c (what S f) t q
         \/ exists x w, line q f w /\ Board.clear S q f /\ Board.sees S f w x /\ who S x = c /\ slides (what S x) w).
Definition awake S d : Prop := d <> Nobody /\ (Board.in_check S d \/ exists f t, legal_move S d f t).
(** Who stands on `x` is not taken there. *)
Definition untakeable S d x : Prop := S x <> nothing -> forall y, ~ legal_move S d y x.

(** The man on `x`, wherever it goes, is taken where nobody takes back, or by one worth less, even if that stalemates;
    or its side is mated, or gives up. Who plays for it moves or promotes. *)
Inductive captured_first S x : Prop :=
  | Capturing act S' :
      who S x <> Nobody -> actor S act = other (who S x) -> plays S act S' -> target act <> None ->
      takes S act S' x \/ mated S' (who S x) \/ who S' x = who S x /\ captured_second S' x ->
      captured_first S x
with captured_second S x : Prop :=
  | Fled :
      who S x <> Nobody -> ~ stalled S (who S x) ->
      (forall act S', actor S act = who S x -> plays S act S' -> loser S' <> who S x ->
       captured_first S' (followed S act x)) ->
      captured_second S x.
Definition capture S x (v : value) : Prop :=
  who S x <> Nobody /\ match v with GI => loser S = who S x \/ captured_first S x | IG => captured_second S x end.
Definition capture_by S x (act : action) (v : value) : Prop :=
  match v with
  | GI => who S x <> Nobody /\ actor S act = other (who S x)
          /\ exists S', plays S act S' /\ target act <> None
             /\ (takes S act S' x \/ mated S' (who S x) \/ who S' x = who S x /\ captured_second S' x)
  | IG => False
  end.
(** After a step: of the man that stands on `x` then, or that stood there before. *)
Definition captured S (act : action) S' x (v : value) : Prop :=
  capture S' x v
  \/ who S x <> Nobody /\ who S' (followed S act x) = who S x /\ capture S' (followed S act x) v.

(** The pawn of `c` on `x`, wherever it goes until then, becomes a queen or a rook that nobody takes, and the other side
    is not stalemated; or that gives up. Who plays for it moves or promotes. *)
Definition ascends S (act : action) S' c x : Prop :=
  exists t j, act = Promote x t j /\ (j = Queen \/ j = Rook)
  /\ (forall y, ~ legal_move S' (other c) y t) /\ ~ stalled S' (other c).
Inductive ascended_first S c x : Prop :=
  | Ascending act S' :
      S x = (c, Pawn) -> actor S act = c -> plays S act S' -> target act <> None ->
      ascends S act S' c x \/ ascended_second S' c (followed S act x) -> ascended_first S c x
with ascended_second S c x : Prop :=
  | Unstopped :
      S x = (c, Pawn) -> ~ stalled S (other c) ->
      (forall act S', actor S act = other c -> plays S act S' -> loser S' <> other c -> ascended_first S' c x) ->
      ascended_second S c x.
Definition ascend S c x (v : value) : Prop :=
  S x = (c, Pawn)
  /\ match v with GI => loser S = other c \/ ascended_first S c x | IG => ascended_second S c x end.
Definition ascend_by S c x (act : action) (v : value) : Prop :=
  match v with
  | GI => S x = (c, Pawn) /\ actor S act = c
          /\ exists S', plays S act S' /\ target act <> None
             /\ (ascends S act S' c x \/ ascended_second S' c (followed S act x))
  | IG => False
  end.

(** Whatever the man on `y` does, the other side mates then. `parried` says that of one move, and `held_back` that it
    is no promotion. *)
Definition mated_next S d : Prop :=
  exists act S', actor S act = other d /\ plays S act S' /\ target act <> None /\ mated S' d.
Definition parried S d y t : Prop := forall S', who S y = d -> plays S (Move y t) S' -> mated_next S' d.
Definition held_back S d y t : Prop := forall j S', who S y = d -> ~ plays S (Promote y t j) S'.
Definition harmless S d y : Prop :=
  forall act S', source act = Some y -> actor S act = d -> plays S act S' -> mated_next S' d.
Definition doomed S d : Prop := in_check S d /\ forall y, harmless S d y.
Definition stilled S d : Prop := awake S d /\ forall y, harmless S d y.
Definition threat S c : Prop := c <> Nobody /\ mated_next S (other c).

(** Whatever the man on `y` does, the one on `x` is lost. `given_up` says that of one move; `whereabouts` says where the
    man on `x` is after it. *)
Definition whereabouts S d y t x z : Prop :=
  who S x = d
  /\ forall S', d <> Nobody -> plays S (Move y t) S' -> followed S (Move y t) x = z /\ who S' z = d.
Definition given_up S d x y t : Prop :=
  who S x = d
  /\ forall S', who S y = d -> plays S (Move y t) S' -> captured_first S' (followed S (Move y t) x).
Definition deserted S d x y : Prop :=
  who S x = d
  /\ forall act S', source act = Some y -> actor S act = d -> plays S act S' -> captured_first S' (followed S act x).
Definition lost S d x : Prop := d <> Nobody /\ forall y, deserted S d x y.
(** Were it to move, the other side would take the man on `x` for good. *)
Definition takeable S d x : Prop :=
  d <> Nobody /\ who S x = d /\ exists act S', actor S act = other d /\ plays S act S' /\ takes S act S' x.

(** Whatever the man on `y` does, the pawn of the other side on `x` becomes a queen or a rook then, which is not taken.
    `let_through` says that of one move. *)
Definition ascends_next S c x : Prop :=
  exists act S', actor S act = c /\ plays S act S' /\ ascends S act S' c x.
Definition ripe S c x z j : Prop :=
  S x = (c, Pawn) /\ exists S', plays S (Promote x z j) S' /\ ascends S (Promote x z j) S' c x.
Definition near S c x : Prop := S x = (c, Pawn) /\ exists z, advance c x z /\ last c z.
Definition let_through S d x y t : Prop :=
  forall S', who S y = d -> plays S (Move y t) S' -> ascends_next S' (other d) x.
Definition ignored S d x y : Prop :=
  forall act S', source act = Some y -> actor S act = d -> plays S act S' -> ascends_next S' (other d) x.
Definition conceded S d x : Prop := near S (other d) x /\ awake S d /\ forall y, ignored S d x y.

(** What is foretold. *)
Definition at_in_1 S y t x c j : Prop := forall S', plays S (Move y t) S' -> at_ S' x c j.
Definition legal_in_1 S y t c f s : Prop := forall S', plays S (Move y t) S' -> legal S' c f s.
Definition menaces_in_1 S y t c f s : Prop := forall S', plays S (Move y t) S' -> menaces S' c f s.
Definition beaten_in_1 S y t d : Prop := forall S', plays S (Move y t) S' -> beaten S' d.
Definition untakeable_in_1 S y t d x : Prop := forall S', plays S (Move y t) S' -> untakeable S' d x.
Definition ripe_in_1 S y t c x z j : Prop := forall S', plays S (Move y t) S' -> ripe S' c x z j.
Definition beaten_in_2 S y t f s d : Prop := forall S', plays S (Move y t) S' -> beaten_in_1 S' f s d.
Definition untakeable_in_2 S y t f s d x : Prop := forall S', plays S (Move y t) S' -> untakeable_in_1 S' f s d x.
Definition untakeable_promoted_1 S y t j d x : Prop := forall S', plays S (Promote y t j) S' -> untakeable S' d x.
Definition awake_promoted_1 S y t j d : Prop := forall S', plays S (Promote y t j) S' -> awake S' d.
Definition cornered_promoted_1 S y t j d : Prop := forall S', plays S (Promote y t j) S' -> cornered S' d.
