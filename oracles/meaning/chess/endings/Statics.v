(** What is said of squares alone. *)
From Chess Require Import Board Lines.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (b p s t : square) (c : side).

Ltac plain := hnf; intros;
  unfold Words.foot, Words.gap, Words.height, Words.rise, Words.abreast, Words.beyond, Words.inner, Words.outer,
    Words.high, Words.grown, Words.outpost, Words.reserve, Words.rel,
    Chess.Words.distance, Chess.Words.not_last in *; unfold Words.inner, Words.grown, Words.rel in *.
Ltac sided := plain; repeat match goal with c : side |- _ => destruct c end;
  repeat match goal with w : way |- _ => destruct w end;
  squares_apart; ranges_of; unfold edge, border, next, advance, last, line, dist, step, dx, dy, fwd, goal in *;
  cbn beta iota in *; repeat match goal with |- _ /\ _ => split end; try discriminate; try (intuition discriminate);
  try lia; try (intuition lia).

Theorem on_the_first_rank : Statements.on_the_first_rank.
Proof. sided. Qed.
Theorem above_it : Statements.above_it.
Proof. sided. Qed.
Theorem files_between : Statements.files_between.
Proof. sided. Qed.
Theorem ranks_above_the_first : Statements.ranks_above_the_first.
Proof. sided. Qed.
Theorem ranks_for_white : Statements.ranks_for_white.
Proof. sided. Qed.
Theorem ranks_for_black : Statements.ranks_for_black.
Proof. sided. Qed.
Theorem abreast_of_itself : Statements.abreast_of_itself.
Proof. by move=> s n _; split=> //; rewrite Z.sub_diag. Qed.
Theorem abreast_to_the_east : Statements.abreast_to_the_east.
Proof. sided. Qed.
Theorem abreast_to_the_west : Statements.abreast_to_the_west.
Proof. sided. Qed.
Theorem two_ahead : Statements.two_ahead.
Proof. sided. Qed.
Theorem farther_ahead : Statements.farther_ahead.
Proof. sided. Qed.
Theorem inner_file : Statements.inner_file.
Proof. sided. Qed.
Theorem outer_file_in_the_west : Statements.outer_file_in_the_west.
Proof. sided. Qed.
Theorem outer_file_in_the_east : Statements.outer_file_in_the_east.
Proof. sided. Qed.
Theorem high_on_the_last_rank : Statements.high_on_the_last_rank.
Proof. sided. Qed.
Theorem high_before_it : Statements.high_before_it.
Proof. sided. Qed.
Theorem grown_to_the_sixth : Statements.grown_to_the_sixth.
Proof. sided. Qed.
Theorem grown_to_the_fifth : Statements.grown_to_the_fifth.
Proof. sided. Qed.
Theorem two_ranks_ahead_of_the_pawn : Statements.two_ranks_ahead_of_the_pawn.
Proof. sided. Qed.
Theorem one_rank_ahead_of_a_pawn_that_is_grown : Statements.one_rank_ahead_of_a_pawn_that_is_grown.
Proof. sided. Qed.
Theorem beside_the_last_squares_of_an_outer_file : Statements.beside_the_last_squares_of_an_outer_file.
Proof. sided. Qed.
Theorem beside_the_next_square_of_an_outer_file : Statements.beside_the_next_square_of_an_outer_file.
Proof. sided. Qed.
Theorem the_other_king_must_be_as_far : Statements.the_other_king_must_be_as_far.
Proof. by move=> c p s n o -> h; split=> //; left; split=> //; lia. Qed.
Theorem and_farther_where_it_meets_the_king : Statements.and_farther_where_it_meets_the_king.
Proof. by move=> c p s o st; split=> //; right. Qed.
