(** Kinds, sides and ways, and the facts of the theory: proofs of the clauses of men, and of the facts. *)
From Chess Require Import Board Words.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (c : side) (w v : way).

Theorem a_queen_as_a_rook : Statements.a_queen_as_a_rook.
Proof. by case=> //=; auto; case. Qed.
Theorem and_as_a_bishop : Statements.and_as_a_bishop.
Proof. by case=> //=; auto; case. Qed.
Lemma not_both w : slides Rook w -> slides Bishop w -> False.
Proof. by case: w => //= -[] // _ []. Qed.
Theorem a_bishop_is_no_rook : Statements.a_bishop_is_no_rook.
Proof. by move=> w sl; split=> //; split=> [e|/(not_both sl)//]; subst w. Qed.
Theorem a_rook_is_no_bishop : Statements.a_rook_is_no_bishop.
Proof. by move=> w sl; split=> //; split=> [e|/not_both/(_ sl)//]; subst w. Qed.
Lemma does_not_slide k w v : k = King \/ k = Knight \/ k = Pawn -> reverse w v -> blunt k w.
Proof. by move=> h [n _]; case: h => [->|[->|->]]; do 2!split=> //; case: (w) => //= -[]. Qed.
Theorem a_king_does_not_slide : Statements.a_king_does_not_slide.
Proof. by move=> w v; apply: does_not_slide; left. Qed.
Theorem nor_a_knight : Statements.nor_a_knight.
Proof. by move=> w v; apply: does_not_slide; right; left. Qed.
Theorem nor_a_pawn : Statements.nor_a_pawn.
Proof. by move=> w v; apply: does_not_slide; right; right. Qed.
Theorem one_flank : Statements.one_flank.
Proof. by move=> c w v h; exists v; left. Qed.
Theorem the_other_flank : Statements.the_other_flank.
Proof. by move=> c w v h; exists w; right. Qed.
Theorem what_stands_there_is_a_man : Statements.what_stands_there_is_a_man.
Proof. by move=> S snd s c k e pc; split=> //; rewrite /who e. Qed.

(** The facts. *)
Theorem player_1 : Statements.player_1.
Proof. by []. Qed.
Theorem player_2 : Statements.player_2.
Proof. by []. Qed.
Theorem opponent_1 : Statements.opponent_1.
Proof. by split. Qed.
Theorem opponent_2 : Statements.opponent_2.
Proof. by split. Qed.
Theorem promotion_1 : Statements.promotion_1.
Proof. hnf; tauto. Qed.
Theorem promotion_2 : Statements.promotion_2.
Proof. hnf; tauto. Qed.
Theorem promotion_3 : Statements.promotion_3.
Proof. hnf; tauto. Qed.
Theorem promotion_4 : Statements.promotion_4.
Proof. hnf; tauto. Qed.
Theorem reverse_1 : Statements.reverse_1.
Proof. by split. Qed.
Theorem reverse_2 : Statements.reverse_2.
Proof. by split. Qed.
Theorem reverse_3 : Statements.reverse_3.
Proof. by split. Qed.
Theorem reverse_4 : Statements.reverse_4.
Proof. by split. Qed.
Theorem reverse_5 : Statements.reverse_5.
Proof. by split. Qed.
Theorem reverse_6 : Statements.reverse_6.
Proof. by split. Qed.
Theorem reverse_7 : Statements.reverse_7.
Proof. by split. Qed.
Theorem reverse_8 : Statements.reverse_8.
Proof. by split. Qed.
Theorem slides_1 : Statements.slides_1.
Proof. by hnf; auto. Qed.
Theorem slides_2 : Statements.slides_2.
Proof. by hnf; auto. Qed.
Theorem slides_3 : Statements.slides_3.
Proof. by hnf; auto. Qed.
Theorem slides_4 : Statements.slides_4.
Proof. by hnf; auto. Qed.
Theorem slides_5 : Statements.slides_5.
Proof. by hnf; auto. Qed.
Theorem slides_6 : Statements.slides_6.
Proof. by hnf; auto. Qed.
Theorem slides_7 : Statements.slides_7.
Proof. by hnf; auto. Qed.
Theorem slides_8 : Statements.slides_8.
Proof. by hnf; auto. Qed.
Theorem flanks_1 : Statements.flanks_1.
Proof. hnf; tauto. Qed.
Theorem flanks_2 : Statements.flanks_2.
Proof. hnf; tauto. Qed.
Theorem castle_1 : Statements.castle_1.
Proof. by do ![split=> //]; rewrite ?sq_fl ?sq_rk. Qed.
Theorem castle_2 : Statements.castle_2.
Proof. by do ![split=> //]; rewrite ?sq_fl ?sq_rk. Qed.
Theorem castle_3 : Statements.castle_3.
Proof. by do ![split=> //]; rewrite ?sq_fl ?sq_rk. Qed.
Theorem castle_4 : Statements.castle_4.
Proof. by do ![split=> //]; rewrite ?sq_fl ?sq_rk. Qed.
Theorem worth_1 : Statements.worth_1.
Proof. by []. Qed.
Theorem worth_2 : Statements.worth_2.
Proof. by []. Qed.
Theorem worth_3 : Statements.worth_3.
Proof. by []. Qed.
Theorem worth_4 : Statements.worth_4.
Proof. by []. Qed.
Theorem worth_5 : Statements.worth_5.
Proof. by []. Qed.
