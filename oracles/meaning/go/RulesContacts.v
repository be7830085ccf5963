(** The clauses of `contacts`: the opponent's stones beside a block after a move or a pass, and their numbers. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects RulesState RulesStanding RulesBlocks.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section After.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S c p).
Let S' := put S c p.
Implicit Types (s t a x : B) (r : seq B).

(** How many of some are not taken. *)
Lemma count_left (P : pred B) : Words.many (fun x => P x && ~~ taken S c p x) =
  (Words.many (fun x => P x || Words.takes S c p x) - Words.many (Words.takes S c p))%Z.
Proof. by rewrite many_without count_taken // -(takings_taken sd lg erefl). Qed.

(** The contacts of the new block, where the stones beside the move that it joins are listed. *)
Lemma contacts_new r n : uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  n = (Words.many (fun x => has (touch S ^~ x) r || near S p (other c) x || Words.takes S c p x)
    - Words.many (Words.takes S c p))%Z -> Words.contacts S' p n.
Proof.
move=> ur ar br ->; split; first exact: (new_stone sd lg).
rewrite -(count_left (fun x => has (touch S ^~ x) r || near S p (other c) x)); apply: many_eq => x.
by rewrite /Words.contact touch_new // (some_listed (touch S ^~ x) ur ar br) andbC (orbC (near _ _ _ _)).
Qed.

Lemma contacts_new_only r n : Words.takings S c p 0 ->
  uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  n = Words.many (fun x => has (touch S ^~ x) r || near S p (other c) x) -> Words.contacts S' p n.
Proof.
move=> none ur ar br ->; apply: (contacts_new ur ar br).
rewrite -(count_left (fun x => has (touch S ^~ x) r || near S p (other c) x)); apply: many_eq => x.
by rewrite (none_taken sd lg none) andbT.
Qed.

Lemma contacts_apart s : Words.apart S' (Move c p) s -> Words.contacts S' s
  (Words.many (fun x => touch S s x || Words.takes S c p x) - Words.many (Words.takes S c p))%Z.
Proof.
move=> ap; split; first exact: (apart_stone sd lg ap); case/(lies_apart sd lg): ap => cs sp.
by rewrite -count_left; apply: many_eq => x; apply/esym/touch_apart.
Qed.

Lemma other_touch s t : touch S s t -> col S' s = other c -> col S t = c.
Proof.
case/touchP=> _ [-> _] /(other_stood sd lg)[-> _].
by have [_ [_ ->]] := player_other B (mover sd lg).
Qed.

Lemma own_touch s t : touch S s t -> col S s = c -> col S t = other c.
Proof. by case/touchP=> _ [-> _] ->. Qed.

(** A stone that touches what is not taken touches it still. *)
Lemma touch_stays s t : touch S s t -> stone S' s -> stone S' t -> touch S' s t.
Proof.
move=> /touchP[hs [et [x sx xt]]] hs' ht'; have stays y : stone S y -> stone S' y -> col S' y = col S y.
  move=> hy hy'; have yp : y <> p by move=> e; move: hy; rewrite e /stone (was_empty sd lg).
  by rewrite (stood sd lg (erefl (col S' y)) _ yp) // => e; move: hy'; rewrite /stone e.
apply/touchP; split=> //; split; last by exists x => //; apply: same_grows.
by rewrite !stays // /stone et; move: hs; rewrite /stone; case: (col S s).
Qed.
End After.

(** What touches what. *)
Theorem the_new_stone_is_beside_what_it_presses (B : board) : Statements.the_new_stone_is_beside_what_it_presses B.
Proof.
move=> S S' act sd st c p d s e _ /opponent_of-> _ sp ds; moved.
by rewrite /Words.contact touch_other // eqxx [lib S s p]sp orbT.
Qed.

Theorem a_stone_stays_beside_the_opponent (B : board) : Statements.a_stone_stays_beside_the_opponent B.
Proof.
by move=> S S' act sd st c p d s t e /opponent_of-> ds xt; moved; rewrite /Words.contact touch_other // [touch S s t]xt.
Qed.

Theorem a_stone_of_the_opponent_stays_beside (B : board) : Statements.a_stone_of_the_opponent_stays_beside B.
Proof.
move=> S S' act sd st c p s t d e cs xt /opponent_of-> dt; moved; apply: touch_stays => //.
  by rewrite /stone own_stays //; apply: mover lg.
exact: (other_stone sd lg dt).
Qed.

Theorem what_stays_beside_the_new_stone (B : board) : Statements.what_stays_beside_the_new_stone B.
Proof.
move=> S S' act sd st c p d t e _ /opponent_of-> pt dt; moved; have [dt' no] := other_stood sd lg dt.
by rewrite /Words.contact touch_new // no /near [nb p t]pt dt' eqxx.
Qed.

Theorem what_stays_beside_what_it_joins (B : board) : Statements.what_stays_beside_what_it_joins B.
Proof.
move=> S S' act sd st c p a t e _ pa; moved; rewrite /Words.contact (touch_joined sd lg) //.
exact: beside_joins.
Qed.

Theorem a_joined_stone_has_its_contacts (B : board) : Statements.a_joined_stone_has_its_contacts B.
Proof. by move=> S S' act sd st c p s t e js; moved; rewrite /Words.contact (touch_joined sd lg _ js). Qed.

(** The numbers, of blocks that are not the new one. *)
Theorem one_more_beside_the_opponent (B : board) : Statements.one_more_beside_the_opponent B.
Proof.
move=> S S' act sd st c p d s m n e _ /opponent_of-> sp ds [_ ->] ->; moved; split; first exact: (other_stone sd lg ds).
rewrite -(proj2 (many1 _ (pred1 p) p (eqxx p))) // -many_apart => [|x xs]; last first.
  by apply/eqP => e; move: (other_touch sd lg xs ds) (mover sd lg); rewrite e (was_empty sd lg) => <-.
by apply: many_eq => x; rewrite /Words.contact touch_other // [lib S s p]sp andbT.
Qed.

Theorem elsewhere_as_many_beside_the_opponent (B : board) : Statements.elsewhere_as_many_beside_the_opponent B.
Proof.
move=> S S' act sd st c p d s n e /opponent_of-> ds no [_ ->]; moved; split; first exact: (other_stone sd lg ds).
have sp : lib S s p = false by apply/negP => /no.
by apply: many_eq => x; rewrite /Words.contact touch_other // sp andbF orbF.
Qed.

Theorem apart_as_many_contacts_where_none_is_taken (B : board) :
  Statements.apart_as_many_contacts_where_none_is_taken B.
Proof.
move=> S S' act sd st c p s n e none ap [_ ->]; moved; have [hs e] := contacts_apart sd lg ap; split; rewrite -?e //.
by rewrite -(count_left sd lg); apply: many_eq => x; rewrite (none_taken sd lg none) andbT.
Qed.

Theorem apart_fewer_contacts_by_those_taken (B : board) : Statements.apart_fewer_contacts_by_those_taken B.
Proof. by move=> S S' act sd st c p t s w n e -> _ ap -> ->; moved; apply: contacts_apart. Qed.

(** The numbers of the new block. *)
Theorem contacts_with_none (B : board) : Statements.contacts_with_none B.
Proof.
move=> S S' act sd st c p d n e _ none no /opponent_of-> ->; moved.
exact: (contacts_new_only sd lg (r := [::]) none).
Qed.

Theorem contacts_with_one (B : board) : Statements.contacts_with_one B.
Proof.
move=> S S' act sd st c p a d n e _ none one pa /opponent_of-> ->; moved.
apply: (contacts_new_only sd lg (r := [:: a]) none); [distinct .. | counted].
Qed.

Theorem contacts_with_two (B : board) : Statements.contacts_with_two B.
Proof.
move=> S S' act sd st c p a b d n e _ none two pa pb ab /opponent_of-> ->; moved.
apply: (contacts_new_only sd lg (r := [:: a; b]) none); [distinct .. | counted].
Qed.

Theorem contacts_with_three (B : board) : Statements.contacts_with_three B.
Proof.
move=> S S' act sd st c p a b f d n e _ none three pa pb pf ab af bf /opponent_of-> ->; moved.
apply: (contacts_new_only sd lg (r := [:: a; b; f]) none); [distinct .. | counted].
Qed.

Theorem contacts_with_four (B : board) : Statements.contacts_with_four B.
Proof.
move=> S S' act sd st c p a b f g d n e _ none four pa pb pf pg ab af bf ag bg fg /opponent_of-> ->; moved.
apply: (contacts_new_only sd lg (r := [:: a; b; f; g]) none); [distinct .. | counted].
Qed.

(** The same by capture. *)
Ltac counted_left := congr (_ - _)%Z; counted.

Theorem contacts_with_none_by_capture (B : board) : Statements.contacts_with_none_by_capture B.
Proof.
move=> S S' act sd st c p t d w n e _ -> _ no /opponent_of-> -> ->; moved.
exact: (contacts_new sd lg (r := [::])).
Qed.

Theorem contacts_with_one_by_capture (B : board) : Statements.contacts_with_one_by_capture B.
Proof.
move=> S S' act sd st c p t a d w n e _ -> _ one pa /opponent_of-> -> ->; moved.
apply: (contacts_new sd lg (r := [:: a])); [distinct .. | counted_left].
Qed.

Theorem contacts_with_two_by_capture (B : board) : Statements.contacts_with_two_by_capture B.
Proof.
move=> S S' act sd st c p t a b d w n e _ -> _ two pa pb ab /opponent_of-> -> ->; moved.
apply: (contacts_new sd lg (r := [:: a; b])); [distinct .. | counted_left].
Qed.

Theorem contacts_with_three_by_capture (B : board) : Statements.contacts_with_three_by_capture B.
Proof.
move=> S S' act sd st c p t a b f d w n e _ -> _ three pa pb pf ab af bf /opponent_of-> -> ->; moved.
apply: (contacts_new sd lg (r := [:: a; b; f])); [distinct .. | counted_left].
Qed.

Theorem a_joined_stone_has_as_many_contacts (B : board) : Statements.a_joined_stone_has_as_many_contacts B.
Proof.
move=> S S' act sd st c p s n e js _ [_ ->]; moved; split; first by case/same_stone: js.
by apply: many_eq => x; apply/esym/touch_joined.
Qed.

(** A pass. *)
Theorem contacts_stay (B : board) : Statements.contacts_stay B.
Proof. by move=> S S' act sd st c s t e; passing. Qed.

Theorem so_does_their_number (B : board) : Statements.so_does_their_number B.
Proof. by move=> S S' act sd st c s n e; passing. Qed.
