(** The clauses of `blocks`: which stones are of one block after a move or a pass, and how many it has. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects RulesState RulesStanding.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section After.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S c p).
Let S' := put S c p.
Implicit Types (s t a : B) (r : seq B).

Lemma lies_apart s : Words.apart S' (Move c p) s -> col S s = c /\ ~~ lib S s p.
Proof. by case=> /(joined_or_apart sd lg)[-> | [-> [-> _]]]. Qed.

Lemma apart_stone s : Words.apart S' (Move c p) s -> stone S' s.
Proof. by case=> e _; rewrite /stone e; apply: mover lg. Qed.

Lemma other_stone s : col S' s = other c -> stone S' s.
Proof. by move=> e; rewrite /stone e; case: (c) (mover sd lg). Qed.

Lemma new_stone : stone S' p.
Proof. by rewrite /stone is_there //; apply: mover lg. Qed.

Lemma beside_joins a : near S p c a -> same S' p a.
Proof.
case/andP=> pa /eqP ca; apply: joins => //; apply: lib_nb; rewrite ?(was_empty sd lg) 1?nb_sym //.
by rewrite /stone ca; apply: mover lg.
Qed.

(** What is so of some stone of the player's beside the move, when these are listed. *)
Lemma some_listed (P : pred B) r : uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  [exists a, [&& nb p a, col S a == c & P a]] = has P r.
Proof.
move=> ur ar br; apply/existsP/hasP => -[a].
  by case/and3P=> pa ca Pa; exists a => //; move: (all_listed ur ar br a); rewrite /near pa ca => /esym.
by move=> ra Pa; exists a; rewrite andbA Pa andbT; apply: (allP ar).
Qed.

Lemma stones_new r n : uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  n = (Words.many (fun s => has (same S ^~ s) r) + 1)%Z -> Words.stones S' p n.
Proof.
move=> ur ar br ->; split; first exact: new_stone.
rewrite -(proj2 (many1 _ (pred1 p) p (eqxx p))) // -many_apart; last first.
  move=> s /hasP[a _ /same_stone[_]]; apply: contraTN => /eqP->.
  by rewrite /stone (was_empty sd lg).
by apply: many_eq => s; rewrite /Words.same_block same_new // (some_listed _ ur ar br) orbC.
Qed.
End After.

(** Which stones the new one joins. *)
Theorem the_new_stone_is_of_its_block (B : board) : Statements.the_new_stone_is_of_its_block B.
Proof. by move=> S S' a sd st c p e _; moved; apply: same_refl; apply: new_stone. Qed.

Theorem so_is_what_it_lies_beside (B : board) : Statements.so_is_what_it_lies_beside B.
Proof.
move=> S S' act sd st c p a s e _ /andP[pa /eqP ca] as_; moved; rewrite /= same_new //; apply/orP; right.
by apply/existsP; exists a; rewrite pa ca eqxx.
Qed.

Theorem a_block_without_this_liberty_lies_apart (B : board) : Statements.a_block_without_this_liberty_lies_apart B.
Proof.
move=> S S' act sd st c p s e _ cs no; moved; split; first exact: own_stays.
have sp : ~~ lib S s p by apply/negP => /no.
apply/negP => /same_sym; rewrite same_apart // => /same_stone[_].
by rewrite /stone (was_empty sd lg).
Qed.

Theorem joined_stones_are_one_block (B : board) : Statements.joined_stones_are_one_block B.
Proof. by move=> S S' [c p | c] sd st s t //= ps pt; apply: same_trans (same_sym ps) pt. Qed.

Theorem stones_apart_stay_one_block (B : board) : Statements.stones_apart_stay_one_block B.
Proof.
move=> S S' [c p | c] sd // [lg ->] s t ap st; apply: same_grows => //.
exact: (apart_stone sd lg ap).
Qed.

Theorem stones_of_the_opponent_stay_one_block (B : board) : Statements.stones_of_the_opponent_stay_one_block B.
Proof.
move=> S S' act sd st c p d s t e /opponent_of-> ds; moved; apply: same_grows => //.
exact: (other_stone sd lg ds).
Qed.

(** How many stones the new block has. *)
Theorem stones_with_none (B : board) : Statements.stones_with_none B.
Proof.
move=> S S' act sd st c p e _ none; moved; apply: (stones_new sd lg (r := [::])) => //.
by rewrite (proj2 (many0 _ _)).
Qed.

Theorem stones_with_one (B : board) : Statements.stones_with_one B.
Proof.
move=> S S' act sd st c p a m n e _ one pa [_ ->] ->; moved.
apply: (stones_new sd lg (r := [:: a])); [distinct .. | congr (_ + _)%Z; counted].
Qed.

Theorem stones_with_two (B : board) : Statements.stones_with_two B.
Proof.
move=> S S' act sd st c p a b m n e _ two pa pb ab -> ->; moved.
apply: (stones_new sd lg (r := [:: a; b])); [distinct .. | congr (_ + _)%Z; counted].
Qed.

Theorem stones_with_three (B : board) : Statements.stones_with_three B.
Proof.
move=> S S' act sd st c p a b f m n e _ three pa pb pf ab af bf -> ->; moved.
apply: (stones_new sd lg (r := [:: a; b; f])); [distinct .. | congr (_ + _)%Z; counted].
Qed.

Theorem stones_with_four (B : board) : Statements.stones_with_four B.
Proof.
move=> S S' act sd st c p a b f g m n e _ four pa pb pf pg ab af bf ag bg fg -> ->; moved.
apply: (stones_new sd lg (r := [:: a; b; f; g])); [distinct .. | congr (_ + _)%Z; counted].
Qed.

Theorem a_joined_stone_has_as_many_stones (B : board) : Statements.a_joined_stone_has_as_many_stones B.
Proof.
move=> S S' act sd st c p s n e js _ [_ ->]; moved; split; first by case/same_stone: js.
by apply: many_eq => t; apply/esym/same_joined.
Qed.

Theorem apart_as_many_stones (B : board) : Statements.apart_as_many_stones B.
Proof.
move=> S S' [c p | c] sd // [lg ->] s n ap [_ ->]; split; first exact: (apart_stone sd lg ap).
by case/(lies_apart sd lg): ap => cs sp; apply: many_eq => t; apply/esym/same_apart.
Qed.

Theorem the_opponent_has_as_many_stones (B : board) : Statements.the_opponent_has_as_many_stones B.
Proof.
move=> S S' act sd st c p d s n e /opponent_of-> ds [_ ->]; moved; split; first exact: (other_stone sd lg ds).
by apply: many_eq => t; apply/esym/same_other.
Qed.

(** A pass. *)
Theorem blocks_stay (B : board) : Statements.blocks_stay B.
Proof. by move=> S S' act sd st c s t e; passing. Qed.

Theorem their_stones_stay (B : board) : Statements.their_stones_stay B.
Proof. by move=> S S' act sd st c s n e; passing. Qed.
