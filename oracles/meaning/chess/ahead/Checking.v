(** The words of `combinations`: what nobody can take, who is beaten, which moves may give check, who can move. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Replies Games.
From Ahead Require Import Words.
From Ahead Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (f q s t x y : square) (c d e : side) (k j : kind) (w : way).

(** Who goes where a man stands attacks it. *)
Lemma taker_attacks S d y x : sound S -> legal_move S d y x -> S x <> nothing -> who S y = d /\ attacks S y x.
Proof.
  move=> so le nx; have [_ o] := legal_side le; split=> //; case: le => B [m _].
  case: m => [g|v [_ [_ [_ [e _]]]] _|w r p mc _] //; last by case: nx; apply: Games.castle_empty mc.
  have [k|k] := altP (what S y =P Pawn); last by apply: goes_attacks so g _; apply/eqP.
  case: g => _ [_]; rewrite k => -[[_ //]|[[z [_ [_ //]]]|[st _]]].
  by rewrite /attacks /Board.attacks k o.
Qed.
Theorem nobody_attacks_what_took : Statements.nobody_attacks_what_took.
Proof. by move=> S so d x [_ un] nx y /(taker_attacks so) /(_ nx) [o]; apply: un. Qed.
Theorem who_attacks_it_may_not_take_it : Statements.who_attacks_it_may_not_take_it.
Proof.
  move=> S so y x d k [_ on] ey il nx z le; have [o at_] := taker_attacks so le nx.
  by case: il; rewrite -(on z) // o /who ey.
Qed.

Theorem somebody_gives_check : Statements.somebody_gives_check.
Proof. by move=> S so c x [n [q [kq [o at_]]]]; split=> //; exists q, x. Qed.
Theorem another_stands_there : Statements.another_stands_there.
Proof.
  move=> S so c y e k pc ey ne; split=> // t le; have [_ o] := legal_side le.
  by case: ne; rewrite -o /who ey.
Qed.
Theorem every_move_is_illegal : Statements.every_move_is_illegal.
Proof.
  move=> S so y c k n ey [nc _] al; split=> // t le; apply: (al t) (le).
  by have := legal_range so le; rewrite /what ey.
Qed.
Theorem in_check_without_a_move : Statements.in_check_without_a_move.
Proof.
  move=> S so c q n [nc ch] _ _ _ al; do 2 split=> //; move=> f t; apply: (proj2 (al f _)).
  by rewrite /site mem_enum.
Qed.
Theorem within_its_range_by_kind : Statements.within_its_range_by_kind.
Proof. by []. Qed.
Theorem by_the_man_itself : Statements.by_the_man_itself.
Proof.
  move=> S so f c k d q t ef [nc ->] [_ kq] ra; do 2 split=> //; first by rewrite /who ef.
  by exists q; split=> //; left; rewrite /what ef.
Qed.
Theorem by_the_man_behind : Statements.by_the_man_behind.
Proof.
  move=> S so f c k d q w x j t n ef [nc ->] [_ kq] li cl se ex sl _; do 2 split=> //; first by rewrite /who ef.
  by exists q; split=> //; right; exists x, w; rewrite /who /what ex.
Qed.
Theorem it_is_in_check : Statements.it_is_in_check.
Proof. by move=> S so d [n ch]; split=> //; left. Qed.
Theorem it_can_move : Statements.it_can_move.
Proof. by move=> S so d f t [le _]; have [n _] := legal_side le; split=> //; right; exists f, t. Qed.

(** Every square is looked at. *)
Theorem sites_1 : Statements.sites_1.
Proof.
  exists (enum square); split; [exact: enum_uniq | split=> //].
  by rewrite -cardE card_prod card_ord.
Qed.
Theorem site_1 : Statements.site_1.
Proof. exact: mem_enum. Qed.
Theorem site_2 : Statements.site_2.
Proof. exact: mem_enum. Qed.
Theorem site_3 : Statements.site_3.
Proof. exact: mem_enum. Qed.
Theorem site_4 : Statements.site_4.
Proof. exact: mem_enum. Qed.
Theorem site_5 : Statements.site_5.
Proof. exact: mem_enum. Qed.
Theorem site_6 : Statements.site_6.
Proof. exact: mem_enum. Qed.
Theorem site_7 : Statements.site_7.
Proof. exact: mem_enum. Qed.
Theorem site_8 : Statements.site_8.
Proof. exact: mem_enum. Qed.
Theorem site_9 : Statements.site_9.
Proof. exact: mem_enum. Qed.
Theorem site_10 : Statements.site_10.
Proof. exact: mem_enum. Qed.
Theorem site_11 : Statements.site_11.
Proof. exact: mem_enum. Qed.
Theorem site_12 : Statements.site_12.
Proof. exact: mem_enum. Qed.
Theorem site_13 : Statements.site_13.
Proof. exact: mem_enum. Qed.
Theorem site_14 : Statements.site_14.
Proof. exact: mem_enum. Qed.
Theorem site_15 : Statements.site_15.
Proof. exact: mem_enum. Qed.
Theorem site_16 : Statements.site_16.
Proof. exact: mem_enum. Qed.
Theorem site_17 : Statements.site_17.
Proof. exact: mem_enum. Qed.
Theorem site_18 : Statements.site_18.
Proof. exact: mem_enum. Qed.
Theorem site_19 : Statements.site_19.
Proof. exact: mem_enum. Qed.
Theorem site_20 : Statements.site_20.
Proof. exact: mem_enum. Qed.
Theorem site_21 : Statements.site_21.
Proof. exact: mem_enum. Qed.
Theorem site_22 : Statements.site_22.
Proof. exact: mem_enum. Qed.
Theorem site_23 : Statements.site_23.
Proof. exact: mem_enum. Qed.
Theorem site_24 : Statements.site_24.
Proof. exact: mem_enum. Qed.
Theorem site_25 : Statements.site_25.
Proof. exact: mem_enum. Qed.
Theorem site_26 : Statements.site_26.
Proof. exact: mem_enum. Qed.
Theorem site_27 : Statements.site_27.
Proof. exact: mem_enum. Qed.
Theorem site_28 : Statements.site_28.
Proof. exact: mem_enum. Qed.
Theorem site_29 : Statements.site_29.
Proof. exact: mem_enum. Qed.
Theorem site_30 : Statements.site_30.
Proof. exact: mem_enum. Qed.
Theorem site_31 : Statements.site_31.
Proof. exact: mem_enum. Qed.
Theorem site_32 : Statements.site_32.
Proof. exact: mem_enum. Qed.
Theorem site_33 : Statements.site_33.
Proof. exact: mem_enum. Qed.
Theorem site_34 : Statements.site_34.
Proof. exact: mem_enum. Qed.
Theorem site_35 : Statements.site_35.
Proof. exact: mem_enum. Qed.
Theorem site_36 : Statements.site_36.
Proof. exact: mem_enum. Qed.
Theorem site_37 : Statements.site_37.
Proof. exact: mem_enum. Qed.
Theorem site_38 : Statements.site_38.
Proof. exact: mem_enum. Qed.
Theorem site_39 : Statements.site_39.
Proof. exact: mem_enum. Qed.
Theorem site_40 : Statements.site_40.
Proof. exact: mem_enum. Qed.
Theorem site_41 : Statements.site_41.
Proof. exact: mem_enum. Qed.
Theorem site_42 : Statements.site_42.
Proof. exact: mem_enum. Qed.
Theorem site_43 : Statements.site_43.
Proof. exact: mem_enum. Qed.
Theorem site_44 : Statements.site_44.
Proof. exact: mem_enum. Qed.
Theorem site_45 : Statements.site_45.
Proof. exact: mem_enum. Qed.
Theorem site_46 : Statements.site_46.
Proof. exact: mem_enum. Qed.
Theorem site_47 : Statements.site_47.
Proof. exact: mem_enum. Qed.
Theorem site_48 : Statements.site_48.
Proof. exact: mem_enum. Qed.
Theorem site_49 : Statements.site_49.
Proof. exact: mem_enum. Qed.
Theorem site_50 : Statements.site_50.
Proof. exact: mem_enum. Qed.
Theorem site_51 : Statements.site_51.
Proof. exact: mem_enum. Qed.
Theorem site_52 : Statements.site_52.
Proof. exact: mem_enum. Qed.
Theorem site_53 : Statements.site_53.
Proof. exact: mem_enum. Qed.
Theorem site_54 : Statements.site_54.
Proof. exact: mem_enum. Qed.
Theorem site_55 : Statements.site_55.
Proof. exact: mem_enum. Qed.
Theorem site_56 : Statements.site_56.
Proof. exact: mem_enum. Qed.
Theorem site_57 : Statements.site_57.
Proof. exact: mem_enum. Qed.
Theorem site_58 : Statements.site_58.
Proof. exact: mem_enum. Qed.
Theorem site_59 : Statements.site_59.
Proof. exact: mem_enum. Qed.
Theorem site_60 : Statements.site_60.
Proof. exact: mem_enum. Qed.
Theorem site_61 : Statements.site_61.
Proof. exact: mem_enum. Qed.
Theorem site_62 : Statements.site_62.
Proof. exact: mem_enum. Qed.
Theorem site_63 : Statements.site_63.
Proof. exact: mem_enum. Qed.
Theorem site_64 : Statements.site_64.
Proof. exact: mem_enum. Qed.
