(** The words of `combinations`: what nobody can take, who is beaten, which moves may give check, who can move. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words AheadStatements Games.
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
  by rewrite /attacks k o.
Qed.
Theorem nobody_attacks_what_took : AheadStatements.nobody_attacks_what_took.
Proof. by move=> S so d x [_ un] nx y /(taker_attacks so) /(_ nx) [o]; apply: un. Qed.
Theorem who_attacks_it_may_not_take_it : AheadStatements.who_attacks_it_may_not_take_it.
Proof.
  move=> S so y x d k [_ on] ey il nx z le; have [o at_] := taker_attacks so le nx.
  by case: il; rewrite -(on z) // o /who ey.
Qed.

Theorem somebody_gives_check : AheadStatements.somebody_gives_check.
Proof. by move=> S so c x [n [q [kq [o at_]]]]; split=> //; exists q, x. Qed.
Theorem another_stands_there : AheadStatements.another_stands_there.
Proof.
  move=> S so c y e k pc ey ne; split=> // t le; have [_ o] := legal_side le.
  by case: ne; rewrite -o /who ey.
Qed.
Theorem every_move_is_illegal : AheadStatements.every_move_is_illegal.
Proof.
  move=> S so y c k n ey [nc _] al; split=> // t le; apply: (al t) (le).
  by have := legal_range so le; rewrite /what ey.
Qed.
Theorem in_check_without_a_move : AheadStatements.in_check_without_a_move.
Proof.
  move=> S so c q n [nc ch] _ _ _ al; do 2 split=> //; move=> f t; apply: (proj2 (al f _)).
  by rewrite /Words.site mem_enum.
Qed.
Theorem within_its_range_by_kind : AheadStatements.within_its_range_by_kind.
Proof. by []. Qed.
Theorem by_the_man_itself : AheadStatements.by_the_man_itself.
Proof.
  move=> S so f c k d q t ef [nc ->] [_ kq] ra; do 2 split=> //; first by rewrite /who ef.
  by exists q; split=> //; left; rewrite /what ef.
Qed.
Theorem by_the_man_behind : AheadStatements.by_the_man_behind.
Proof.
  move=> S so f c k d q w x j t n ef [nc ->] [_ kq] li cl se ex sl _; do 2 split=> //; first by rewrite /who ef.
  by exists q; split=> //; right; exists x, w; rewrite /who /what ex.
Qed.
Theorem it_is_in_check : AheadStatements.it_is_in_check.
Proof. by move=> S so d [n ch]; split=> //; left. Qed.
Theorem it_can_move : AheadStatements.it_can_move.
Proof. by move=> S so d f t [le _]; have [n _] := legal_side le; split=> //; right; exists f, t. Qed.

(** Every square is looked at. *)
Theorem sites_1 : AheadStatements.sites_1.
Proof.
  exists (enum square); split; [exact: enum_uniq | split=> //].
  by rewrite -cardE card_prod card_ord.
Qed.
Theorem site_1 : AheadStatements.site_1.
Proof. exact: mem_enum. Qed.
Theorem site_2 : AheadStatements.site_2.
Proof. exact: mem_enum. Qed.
Theorem site_3 : AheadStatements.site_3.
Proof. exact: mem_enum. Qed.
Theorem site_4 : AheadStatements.site_4.
Proof. exact: mem_enum. Qed.
Theorem site_5 : AheadStatements.site_5.
Proof. exact: mem_enum. Qed.
Theorem site_6 : AheadStatements.site_6.
Proof. exact: mem_enum. Qed.
Theorem site_7 : AheadStatements.site_7.
Proof. exact: mem_enum. Qed.
Theorem site_8 : AheadStatements.site_8.
Proof. exact: mem_enum. Qed.
Theorem site_9 : AheadStatements.site_9.
Proof. exact: mem_enum. Qed.
Theorem site_10 : AheadStatements.site_10.
Proof. exact: mem_enum. Qed.
Theorem site_11 : AheadStatements.site_11.
Proof. exact: mem_enum. Qed.
Theorem site_12 : AheadStatements.site_12.
Proof. exact: mem_enum. Qed.
Theorem site_13 : AheadStatements.site_13.
Proof. exact: mem_enum. Qed.
Theorem site_14 : AheadStatements.site_14.
Proof. exact: mem_enum. Qed.
Theorem site_15 : AheadStatements.site_15.
Proof. exact: mem_enum. Qed.
Theorem site_16 : AheadStatements.site_16.
Proof. exact: mem_enum. Qed.
Theorem site_17 : AheadStatements.site_17.
Proof. exact: mem_enum. Qed.
Theorem site_18 : AheadStatements.site_18.
Proof. exact: mem_enum. Qed.
Theorem site_19 : AheadStatements.site_19.
Proof. exact: mem_enum. Qed.
Theorem site_20 : AheadStatements.site_20.
Proof. exact: mem_enum. Qed.
Theorem site_21 : AheadStatements.site_21.
Proof. exact: mem_enum. Qed.
Theorem site_22 : AheadStatements.site_22.
Proof. exact: mem_enum. Qed.
Theorem site_23 : AheadStatements.site_23.
Proof. exact: mem_enum. Qed.
Theorem site_24 : AheadStatements.site_24.
Proof. exact: mem_enum. Qed.
Theorem site_25 : AheadStatements.site_25.
Proof. exact: mem_enum. Qed.
Theorem site_26 : AheadStatements.site_26.
Proof. exact: mem_enum. Qed.
Theorem site_27 : AheadStatements.site_27.
Proof. exact: mem_enum. Qed.
Theorem site_28 : AheadStatements.site_28.
Proof. exact: mem_enum. Qed.
Theorem site_29 : AheadStatements.site_29.
Proof. exact: mem_enum. Qed.
Theorem site_30 : AheadStatements.site_30.
Proof. exact: mem_enum. Qed.
Theorem site_31 : AheadStatements.site_31.
Proof. exact: mem_enum. Qed.
Theorem site_32 : AheadStatements.site_32.
Proof. exact: mem_enum. Qed.
Theorem site_33 : AheadStatements.site_33.
Proof. exact: mem_enum. Qed.
Theorem site_34 : AheadStatements.site_34.
Proof. exact: mem_enum. Qed.
Theorem site_35 : AheadStatements.site_35.
Proof. exact: mem_enum. Qed.
Theorem site_36 : AheadStatements.site_36.
Proof. exact: mem_enum. Qed.
Theorem site_37 : AheadStatements.site_37.
Proof. exact: mem_enum. Qed.
Theorem site_38 : AheadStatements.site_38.
Proof. exact: mem_enum. Qed.
Theorem site_39 : AheadStatements.site_39.
Proof. exact: mem_enum. Qed.
Theorem site_40 : AheadStatements.site_40.
Proof. exact: mem_enum. Qed.
Theorem site_41 : AheadStatements.site_41.
Proof. exact: mem_enum. Qed.
Theorem site_42 : AheadStatements.site_42.
Proof. exact: mem_enum. Qed.
Theorem site_43 : AheadStatements.site_43.
Proof. exact: mem_enum. Qed.
Theorem site_44 : AheadStatements.site_44.
Proof. exact: mem_enum. Qed.
Theorem site_45 : AheadStatements.site_45.
Proof. exact: mem_enum. Qed.
Theorem site_46 : AheadStatements.site_46.
Proof. exact: mem_enum. Qed.
Theorem site_47 : AheadStatements.site_47.
Proof. exact: mem_enum. Qed.
Theorem site_48 : AheadStatements.site_48.
Proof. exact: mem_enum. Qed.
Theorem site_49 : AheadStatements.site_49.
Proof. exact: mem_enum. Qed.
Theorem site_50 : AheadStatements.site_50.
Proof. exact: mem_enum. Qed.
Theorem site_51 : AheadStatements.site_51.
Proof. exact: mem_enum. Qed.
Theorem site_52 : AheadStatements.site_52.
Proof. exact: mem_enum. Qed.
Theorem site_53 : AheadStatements.site_53.
Proof. exact: mem_enum. Qed.
Theorem site_54 : AheadStatements.site_54.
Proof. exact: mem_enum. Qed.
Theorem site_55 : AheadStatements.site_55.
Proof. exact: mem_enum. Qed.
Theorem site_56 : AheadStatements.site_56.
Proof. exact: mem_enum. Qed.
Theorem site_57 : AheadStatements.site_57.
Proof. exact: mem_enum. Qed.
Theorem site_58 : AheadStatements.site_58.
Proof. exact: mem_enum. Qed.
Theorem site_59 : AheadStatements.site_59.
Proof. exact: mem_enum. Qed.
Theorem site_60 : AheadStatements.site_60.
Proof. exact: mem_enum. Qed.
Theorem site_61 : AheadStatements.site_61.
Proof. exact: mem_enum. Qed.
Theorem site_62 : AheadStatements.site_62.
Proof. exact: mem_enum. Qed.
Theorem site_63 : AheadStatements.site_63.
Proof. exact: mem_enum. Qed.
Theorem site_64 : AheadStatements.site_64.
Proof. exact: mem_enum. Qed.
