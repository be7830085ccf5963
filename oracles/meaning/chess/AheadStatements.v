(** What the clauses of `combinations` that a person wrote say, in the form of `statements.py`; of those that read what
    is foretold, nothing. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Chess Require Import Board.
From Chess Require Words.

Definition nobody_attacks_what_took : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v_x : square),
    Words.unattacked S v_d v_x ->
    Words.untakeable S v_d v_x.

Definition who_attacks_it_may_not_take_it : Prop :=
  forall S : state, sound S ->
  forall (v_y : square) (v_x : square) (v_d : side) (v__1 : kind),
    Words.only S v_y v_x ->
    Words.at_ S v_y v_d v__1 ->
    Words.illegal S v_d v_y v_x ->
    Words.untakeable S v_d v_x.

Definition somebody_gives_check : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v__1 : square),
    Words.check S v_c v__1 ->
    Words.checked S v_c.

Definition another_stands_there : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_y : square) (v_e : side) (v__1 : kind),
    Words.player v_c ->
    Words.at_ S v_y v_e v__1 ->
    (v_e <> v_c) ->
    Words.bound S v_c v_y.

Definition every_move_is_illegal : Prop :=
  forall S : state, sound S ->
  forall (v_y : square) (v_c : side) (v_k : kind) (v__1 : Z),
    Words.at_ S v_y v_c v_k ->
    Words.ranges v_c v_k v_y v__1 ->
    (forall v_t : square, Words.range v_c v_k v_y v_t -> Words.illegal S v_c v_y v_t) ->
    Words.bound S v_c v_y.

Definition in_check_without_a_move : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_q : square) (v__1 : Z),
    Words.checked S v_c ->
    Words.king S v_c v_q ->
    Words.bound S v_c v_q ->
    Words.sites v__1 ->
    (forall v_y : square, Words.site v_y -> Words.bound S v_c v_y) ->
    Words.beaten S v_c.

Definition within_its_range_by_kind : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_k : kind) (v_f : square) (v_t : square),
    Words.range v_c v_k v_f v_t ->
    Words.within S v_c v_k v_f v_t.

Definition by_the_man_itself : Prop :=
  forall S : state, sound S ->
  forall (v_f : square) (v_c : side) (v_k : kind) (v_d : side) (v_q : square) (v_t : square),
    Words.at_ S v_f v_c v_k ->
    Words.opponent v_c v_d ->
    Words.king S v_d v_q ->
    Words.range v_c v_k v_t v_q ->
    Words.menaces S v_c v_f v_t.

Definition by_the_man_behind : Prop :=
  forall S : state, sound S ->
  forall (v_f : square) (v_c : side) (v__1 : kind) (v_d : side) (v_q : square) (v_w : way) (v_x : square) (v_j : kind)
    (v_t : square) (v__2 : Z),
    Words.at_ S v_f v_c v__1 ->
    Words.opponent v_c v_d ->
    Words.king S v_d v_q ->
    Words.line v_q v_f v_w ->
    Words.clear S v_q v_f ->
    Words.sees S v_f v_w v_x ->
    Words.at_ S v_x v_c v_j ->
    Words.slides v_j v_w ->
    Words.distance v_f v_t v__2 ->
    Words.menaces S v_c v_f v_t.

Definition it_is_in_check : Prop :=
  forall S : state, sound S ->
  forall (v_d : side),
    Words.checked S v_d ->
    Words.awake S v_d.

Definition it_can_move : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v__1 : square) (v__2 : square),
    Words.legal S v_d v__1 v__2 ->
    Words.awake S v_d.

Definition mate_by_leaving_no_move : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_c : side) (v_d : side),
    act = Move v_f v_t ->
    Words.legal S v_c v_f v_t ->
    Words.opponent v_d v_c ->
    Words.beaten S' v_d ->
    Words.mate_by S v_d (Move v_f v_t) Words.GI.

Definition a_king_is_given_up_while_it_can_move : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_q : square) (v_d : side),
    act = Lay_down v_q ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    Words.mate S' v_d Words.GI.

Definition no_such_move : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_d : side) (v__1 : kind),
    act = Move v_f v_t ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__1 ->
    Words.mate S' v_d Words.GI.

Definition no_such_promotion : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind),
    act = Promote v_f v_t v__1 ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.mate S' v_d Words.GI.

Definition no_promotion_there : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind),
    act = Promote v_f v_t v__1 ->
    Words.not_last v_d v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.mate S' v_d Words.GI.

Definition mate_against_every_reply : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_c : side) (v_d : side),
    act = Move v_f v_t ->
    Words.legal S v_c v_f v_t ->
    Words.opponent v_d v_c ->
    Words.mate S' v_d Words.IG ->
    Words.mate_by S v_d (Move v_f v_t) Words.GI.

Definition one_move_that_mates_is_enough : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v__1 : square) (v__2 : square),
    Words.mate_by S v_d (Move v__1 v__2) Words.GI ->
    Words.mate S v_d Words.GI.

Definition captured_where_nobody_takes_back : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_x : square) (v_c : side) (v_d : side) (v__1 : kind),
    act = Move v_f v_x ->
    Words.legal S v_c v_f v_x ->
    Words.opponent v_d v_c ->
    Words.at_ S v_x v_d v__1 ->
    Words.untakeable S' v_d v_x ->
    Words.capture_by S v_x (Move v_f v_x) Words.GI.

Definition captured_by_one_worth_less : Prop :=
  forall S : state, sound S ->
  forall (v_f : square) (v_x : square) (v_c : side) (v_j : kind) (v_d : side) (v_k : kind) (v_m : Z) (v_n : Z),
    (exists S' : state, plays S (Move v_f v_x) S') ->
    Words.legal S v_c v_f v_x ->
    Words.at_ S v_f v_c v_j ->
    Words.opponent v_d v_c ->
    Words.at_ S v_x v_d v_k ->
    Words.worth v_j v_m ->
    Words.worth v_k v_n ->
    (v_m < v_n)%Z ->
    Words.capture_by S v_x (Move v_f v_x) Words.GI.

Definition mate_captures_all : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_c : side) (v_d : side) (v_x : square) (v__1 : kind),
    act = Move v_f v_t ->
    Words.legal S v_c v_f v_t ->
    Words.opponent v_d v_c ->
    Words.at_ S v_x v_d v__1 ->
    Words.beaten S' v_d ->
    Words.capture_by S v_x (Move v_f v_t) Words.GI.

Definition it_is_followed : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_x : square) (v_t : square) (v__1 : side) (v__2 : kind),
    act = Move v_x v_t ->
    Words.at_ S v_x v__1 v__2 ->
    Words.captured S act S' v_t Words.GI ->
    Words.captured S act S' v_x Words.GI.

Definition the_king_is_laid_down_while_it_can_move : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_q : square) (v_d : side) (v_x : square) (v__1 : kind),
    act = Lay_down v_q ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    Words.at_ S v_x v_d v__1 ->
    Words.captured S act S' v_x Words.GI.

Definition no_move_that_saves_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_d : side) (v__1 : kind) (v_x : square) (v__2 : kind),
    act = Move v_f v_t ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__1 ->
    Words.at_ S v_x v_d v__2 ->
    Words.captured S act S' v_x Words.GI.

Definition no_promotion_that_saves_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind) (v_x : square) (v__3 : kind),
    act = Promote v_f v_t v__1 ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.at_ S v_x v_d v__3 ->
    Words.captured S act S' v_x Words.GI.

Definition no_such_promotion_that_saves_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind) (v_x : square) (v__3 : kind),
    act = Promote v_f v_t v__1 ->
    Words.not_last v_d v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.at_ S v_x v_d v__3 ->
    Words.captured S act S' v_x Words.GI.

Definition captured_against_every_reply : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_c : side) (v_d : side) (v_x : square) (v__1 : kind),
    act = Move v_f v_t ->
    Words.legal S v_c v_f v_t ->
    Words.opponent v_d v_c ->
    Words.at_ S v_x v_d v__1 ->
    (v_x <> v_t) ->
    Words.captured S act S' v_x Words.IG ->
    Words.capture_by S v_x (Move v_f v_t) Words.GI.

Definition one_move_that_captures_is_enough : Prop :=
  forall S : state, sound S ->
  forall (v_x : square) (v__1 : square) (v__2 : square),
    Words.capture_by S v_x (Move v__1 v__2) Words.GI ->
    Words.capture S v_x Words.GI.

Definition promoted_where_nobody_takes : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_x : square) (v_t : square) (v_k : kind) (v_c : side) (v_d : side),
    act = Promote v_x v_t v_k ->
    Words.promotion v_k ->
    (v_k <> Bishop) ->
    (v_k <> Knight) ->
    Words.promotable S v_c v_x v_t ->
    Words.opponent v_c v_d ->
    Words.untakeable S' v_d v_t ->
    Words.awake S' v_d ->
    Words.ascend_by S v_c v_x (Promote v_x v_t v_k) Words.GI.

Definition a_king_is_laid_down_before_it_has_to_move : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_q : square) (v_d : side) (v_c : side) (v_x : square),
    act = Lay_down v_q ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    Words.opponent v_c v_d ->
    Words.at_ S v_x v_c Pawn ->
    Words.ascend S' v_c v_x Words.GI.

Definition no_move_that_stops_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_d : side) (v__1 : kind) (v_c : side) (v_x : square),
    act = Move v_f v_t ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__1 ->
    Words.opponent v_c v_d ->
    Words.at_ S v_x v_c Pawn ->
    Words.ascend S' v_c v_x Words.GI.

Definition no_promotion_that_stops_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind) (v_c : side) (v_x : square),
    act = Promote v_f v_t v__1 ->
    Words.illegal S v_d v_f v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.opponent v_c v_d ->
    Words.at_ S v_x v_c Pawn ->
    Words.ascend S' v_c v_x Words.GI.

Definition no_such_promotion_that_stops_it : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v__1 : kind) (v_d : side) (v__2 : kind) (v_c : side) (v_x : square),
    act = Promote v_f v_t v__1 ->
    Words.not_last v_d v_t ->
    Words.at_ S v_f v_d v__2 ->
    Words.opponent v_c v_d ->
    Words.at_ S v_x v_c Pawn ->
    Words.ascend S' v_c v_x Words.GI.

Definition a_move_of_its_own_against_every_reply : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_x : square) (v_t : square) (v_c : side),
    act = Move v_x v_t ->
    Words.legal S v_c v_x v_t ->
    Words.at_ S v_x v_c Pawn ->
    Words.ascend S' v_c v_t Words.IG ->
    Words.ascend_by S v_c v_x (Move v_x v_t) Words.GI.

Definition a_move_of_another_against_every_reply : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_f : square) (v_t : square) (v_c : side) (v_x : square),
    act = Move v_f v_t ->
    Words.legal S v_c v_f v_t ->
    Words.at_ S v_x v_c Pawn ->
    (v_f <> v_x) ->
    Words.ascend S' v_c v_x Words.IG ->
    Words.ascend_by S v_c v_x (Move v_f v_t) Words.GI.

Definition one_move_with_which_it_ascends_is_enough : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_x : square) (v__1 : square) (v__2 : square),
    Words.ascend_by S v_c v_x (Move v__1 v__2) Words.GI ->
    Words.ascend S v_c v_x Words.GI.

Definition so_is_one_promotion : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_x : square) (v__1 : square) (v__2 : square) (v__3 : kind),
    Words.ascend_by S v_c v_x (Promote v__1 v__2 v__3) Words.GI ->
    Words.ascend S v_c v_x Words.GI.

Definition what_is_captured_is_taken : Prop :=
  forall S : state, sound S ->
  forall (v_x : square) (v_f : square) (v_t : square),
    Words.capture_by S v_x (Move v_f v_t) Words.GI ->
    Words.take_by S v_x (Move v_f v_t) Words.GI.

Definition what_ascends_is_crowned : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_x : square) (v_f : square) (v_t : square),
    Words.ascend_by S v_c v_x (Move v_f v_t) Words.GI ->
    Words.crown_by S v_c v_x (Move v_f v_t) Words.GI.

Definition what_ascends_at_once_is_crowned : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_x : square) (v_t : square) (v_k : kind),
    Words.ascend_by S v_c v_x (Promote v_x v_t v_k) Words.GI ->
    Words.crown_by S v_c v_x (Promote v_x v_t v_k) Words.GI.

Definition sites_1 : Prop :=
    Words.sites 64%Z.

Definition site_1 : Prop :=
    Words.site (sq 0 0).

Definition site_2 : Prop :=
    Words.site (sq 1 0).

Definition site_3 : Prop :=
    Words.site (sq 2 0).

Definition site_4 : Prop :=
    Words.site (sq 3 0).

Definition site_5 : Prop :=
    Words.site (sq 4 0).

Definition site_6 : Prop :=
    Words.site (sq 5 0).

Definition site_7 : Prop :=
    Words.site (sq 6 0).

Definition site_8 : Prop :=
    Words.site (sq 7 0).

Definition site_9 : Prop :=
    Words.site (sq 0 1).

Definition site_10 : Prop :=
    Words.site (sq 1 1).

Definition site_11 : Prop :=
    Words.site (sq 2 1).

Definition site_12 : Prop :=
    Words.site (sq 3 1).

Definition site_13 : Prop :=
    Words.site (sq 4 1).

Definition site_14 : Prop :=
    Words.site (sq 5 1).

Definition site_15 : Prop :=
    Words.site (sq 6 1).

Definition site_16 : Prop :=
    Words.site (sq 7 1).

Definition site_17 : Prop :=
    Words.site (sq 0 2).

Definition site_18 : Prop :=
    Words.site (sq 1 2).

Definition site_19 : Prop :=
    Words.site (sq 2 2).

Definition site_20 : Prop :=
    Words.site (sq 3 2).

Definition site_21 : Prop :=
    Words.site (sq 4 2).

Definition site_22 : Prop :=
    Words.site (sq 5 2).

Definition site_23 : Prop :=
    Words.site (sq 6 2).

Definition site_24 : Prop :=
    Words.site (sq 7 2).

Definition site_25 : Prop :=
    Words.site (sq 0 3).

Definition site_26 : Prop :=
    Words.site (sq 1 3).

Definition site_27 : Prop :=
    Words.site (sq 2 3).

Definition site_28 : Prop :=
    Words.site (sq 3 3).

Definition site_29 : Prop :=
    Words.site (sq 4 3).

Definition site_30 : Prop :=
    Words.site (sq 5 3).

Definition site_31 : Prop :=
    Words.site (sq 6 3).

Definition site_32 : Prop :=
    Words.site (sq 7 3).

Definition site_33 : Prop :=
    Words.site (sq 0 4).

Definition site_34 : Prop :=
    Words.site (sq 1 4).

Definition site_35 : Prop :=
    Words.site (sq 2 4).

Definition site_36 : Prop :=
    Words.site (sq 3 4).

Definition site_37 : Prop :=
    Words.site (sq 4 4).

Definition site_38 : Prop :=
    Words.site (sq 5 4).

Definition site_39 : Prop :=
    Words.site (sq 6 4).

Definition site_40 : Prop :=
    Words.site (sq 7 4).

Definition site_41 : Prop :=
    Words.site (sq 0 5).

Definition site_42 : Prop :=
    Words.site (sq 1 5).

Definition site_43 : Prop :=
    Words.site (sq 2 5).

Definition site_44 : Prop :=
    Words.site (sq 3 5).

Definition site_45 : Prop :=
    Words.site (sq 4 5).

Definition site_46 : Prop :=
    Words.site (sq 5 5).

Definition site_47 : Prop :=
    Words.site (sq 6 5).

Definition site_48 : Prop :=
    Words.site (sq 7 5).

Definition site_49 : Prop :=
    Words.site (sq 0 6).

Definition site_50 : Prop :=
    Words.site (sq 1 6).

Definition site_51 : Prop :=
    Words.site (sq 2 6).

Definition site_52 : Prop :=
    Words.site (sq 3 6).

Definition site_53 : Prop :=
    Words.site (sq 4 6).

Definition site_54 : Prop :=
    Words.site (sq 5 6).

Definition site_55 : Prop :=
    Words.site (sq 6 6).

Definition site_56 : Prop :=
    Words.site (sq 7 6).

Definition site_57 : Prop :=
    Words.site (sq 0 7).

Definition site_58 : Prop :=
    Words.site (sq 1 7).

Definition site_59 : Prop :=
    Words.site (sq 2 7).

Definition site_60 : Prop :=
    Words.site (sq 3 7).

Definition site_61 : Prop :=
    Words.site (sq 4 7).

Definition site_62 : Prop :=
    Words.site (sq 5 7).

Definition site_63 : Prop :=
    Words.site (sq 6 7).

Definition site_64 : Prop :=
    Words.site (sq 7 7).

Definition replies_mate : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_d : side),
    v_d <> Nobody -> Words.actor S act = v_d -> loser S' <> v_d ->
      (exists (v_f : square) (v_t : square) (v_k : kind), act = Move v_f v_t /\ Words.site v_f /\ Words.at_ S v_f v_d
        v_k /\ Words.range v_d v_k v_f v_t /\ ~ Words.illegal S v_d v_f v_t) \/
      (exists (v_f : square) (v_t : square) (v_j : kind), act = Promote v_f v_t v_j /\ Words.promotion v_j /\ Words.site
        v_f /\ Words.at_ S v_f v_d Pawn /\ Words.range v_d Pawn v_f v_t /\ Words.last v_d v_t /\ ~ Words.illegal S v_d
        v_f v_t) \/
      (exists (v_q : square), act = Lay_down v_q /\ Words.king S v_d v_q /\ Words.awake S v_d).

Definition open_mate_3 : Prop :=
  forall S : state, sound S ->
  forall (v_d : side) (v_q : square),
    v_d <> Nobody ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    (exists S' : state, plays S (Lay_down v_q) S').

Definition replies_capture : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_x : square),
    who S v_x <> Nobody -> Words.actor S act = who S v_x -> loser S' <> who S v_x ->
      (exists (v_f : square) (v_t : square) (v_d : side) (v__1 : kind) (v_k : kind), act = Move v_f v_t /\ Words.at_ S
        v_x v_d v__1 /\ Words.site v_f /\ Words.at_ S v_f v_d v_k /\ Words.range v_d v_k v_f v_t /\ ~ Words.illegal S
        v_d v_f v_t) \/
      (exists (v_f : square) (v_t : square) (v_j : kind) (v_d : side) (v__2 : kind), act = Promote v_f v_t v_j /\
        Words.at_ S v_x v_d v__2 /\ Words.promotion v_j /\ Words.site v_f /\ Words.at_ S v_f v_d Pawn /\ Words.range v_d
        Pawn v_f v_t /\ Words.last v_d v_t /\ ~ Words.illegal S v_d v_f v_t) \/
      (exists (v_q : square) (v_d : side) (v__3 : kind), act = Lay_down v_q /\ Words.at_ S v_x v_d v__3 /\ Words.king S
        v_d v_q /\ Words.awake S v_d).

Definition open_capture_3 : Prop :=
  forall S : state, sound S ->
  forall (v_x : square) (v_d : side) (v__3 : kind) (v_q : square),
    who S v_x <> Nobody ->
    Words.at_ S v_x v_d v__3 ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    (exists S' : state, plays S (Lay_down v_q) S').

Definition replies_ascend : Prop :=
  forall (S S' : state) (act : action), sound S -> plays S act S' ->
  forall (v_c : side) (v_x : square),
    v_c <> Nobody -> Words.actor S act = other v_c -> loser S' <> other v_c ->
      (exists (v_f : square) (v_t : square) (v_d : side) (v_k : kind), act = Move v_f v_t /\ Words.opponent v_c v_d /\
        Words.site v_f /\ Words.at_ S v_f v_d v_k /\ Words.range v_d v_k v_f v_t /\ ~ Words.illegal S v_d v_f v_t) \/
      (exists (v_f : square) (v_t : square) (v_j : kind) (v_d : side), act = Promote v_f v_t v_j /\ Words.opponent v_c
        v_d /\ Words.promotion v_j /\ Words.site v_f /\ Words.at_ S v_f v_d Pawn /\ Words.range v_d Pawn v_f v_t /\
        Words.last v_d v_t /\ ~ Words.illegal S v_d v_f v_t) \/
      (exists (v_q : square) (v_d : side), act = Lay_down v_q /\ Words.opponent v_c v_d /\ Words.king S v_d v_q /\
        Words.awake S v_d).

Definition open_ascend_3 : Prop :=
  forall S : state, sound S ->
  forall (v_c : side) (v_d : side) (v_q : square),
    v_c <> Nobody ->
    Words.opponent v_c v_d ->
    Words.king S v_d v_q ->
    Words.awake S v_d ->
    (exists S' : state, plays S (Lay_down v_q) S').
