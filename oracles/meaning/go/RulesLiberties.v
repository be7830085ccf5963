(** The clauses of `liberties`: liberties after a move or a pass, and their numbers. *)
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
Implicit Types (s t a l x : B) (r : seq B).

(** How many of some are taken. *)
Lemma count_both (P : pred B) : Words.many (fun x => taken S c p x && P x) =
  (Words.many P + Words.many (Words.takes S c p) - Words.many (fun x => P x || Words.takes S c p x))%Z.
Proof.
rewrite (many_eq _ _ (fun x => P x && taken S c p x)) => [|x]; last exact: andbC.
by rewrite many_both count_taken // (takings_taken sd lg erefl).
Qed.

Lemma taken_stone x : taken S c p x -> stone S x.
Proof. by move=> /(taken_other sd lg) dx; rewrite /stone dx; case: (c) (mover sd lg). Qed.

(** A stone of the player's that touches what is taken has a liberty there. *)
Lemma taken_frees s t : taken S c p t -> touch S s t -> lib S' s t.
Proof.
move=> gone /touchP[hs [et [x sx xt]]]; apply/libP; split; first exact: taken_leaves.
have cs : col S s = c.
  by move: et hs (mover sd lg); rewrite (taken_other sd lg gone) /stone; case: (c); case: (col S s).
by exists x => //; apply: same_grows => //; rewrite /stone own_stays //; apply: mover lg.
Qed.

(** The liberties of the new block, where the stones beside the move that it joins are listed. *)
Lemma lib_listed r l : uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  lib S' p l = ((has (lib S ^~ l) r || near S p empty l) && (l != p))
    || (taken S c p l && (has (touch S ^~ l) r || near S p (other c) l)).
Proof.
move=> ur ar br; rewrite lib_new //.
rewrite (some_listed (fun a => (lib S a l && (l != p)) || (taken S c p l && touch S a l)) ur ar br).
have -> : taken S c p l && nb p l = taken S c p l && near S p (other c) l.
  by case gone: (taken S c p l); rewrite // /near (taken_other sd lg gone) eqxx andbT.
have -> : near S p empty l = near S p empty l && (l != p).
  by have [-> | _] := eqVneq l p; rewrite ?andbT // /near nb_irr.
have -> : has (fun a => (lib S a l && (l != p)) || (taken S c p l && touch S a l)) r
  = (has (lib S ^~ l) r && (l != p)) || (taken S c p l && has (touch S ^~ l) r).
  elim: r {ur ar br} => [|a r IH] /=; rewrite ?andbF // IH.
  by case: (lib S a l); case: (touch S a l); case: (l != p); case: (taken S c p l); case: (has (lib S ^~ l) r).
by case: (has (lib S ^~ l) r); case: (has (touch S ^~ l) r); case: (l != p); case: (taken S c p l);
  case: (near S p empty l); case: (near S p (other c) l).
Qed.

Lemma liberties_new r n : uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  let touched x := has (touch S ^~ x) r || near S p (other c) x in
  n = (Words.many (fun l => (has (lib S ^~ l) r || near S p empty l) && (l != p)) + Words.many touched
    + Words.many (Words.takes S c p) - Words.many (fun x => touched x || Words.takes S c p x))%Z ->
  Words.liberties S' p n.
Proof.
move=> ur ar br touched ->; split; first exact: (new_stone sd lg).
rewrite (many_eq _ _ _ (fun l => lib_listed l ur ar br)) [RHS]many_apart ?(count_both touched); first by lia.
move=> l; apply: contraTN => /andP[/taken_stone hl _]; apply/andP => -[/orP[/hasP[a _ /lib_stone[_]] | /andP[_ /eqP]]].
  by move: hl; rewrite /stone => /eqP.
by move: hl; rewrite /stone => /eqP.
Qed.

Lemma none_both (P : pred B) : Words.takings S c p 0 ->
  (Words.many P + Words.many (Words.takes S c p) - Words.many (fun x => P x || Words.takes S c p x) = 0)%Z.
Proof. by move=> none; rewrite -count_both; apply/many0 => x; rewrite (none_taken sd lg none). Qed.

Lemma liberties_new_only r n : Words.takings S c p 0 ->
  uniq r -> all (near S p c) r -> Words.besides S p c (Z.of_nat (size r)) ->
  n = Words.many (fun l => (has (lib S ^~ l) r || near S p empty l) && (l != p)) -> Words.liberties S' p n.
Proof.
move=> none ur ar br ->; apply: (liberties_new ur ar br).
have := none_both (fun x => has (touch S ^~ x) r || near S p (other c) x) none; lia.
Qed.
End After.

(** Which liberties there are. *)
Theorem a_liberty_elsewhere_stays (B : board) : Statements.a_liberty_elsewhere_stays B.
Proof.
move=> S S' act sd st c p s l e _ sl lp; moved; apply: lib_stays => //.
have [hs _] := lib_stone sl; rewrite /stone; case: (hue_cases B (col S s) (mover sd lg)) => es.
- by rewrite own_stays // -es.
- by rewrite (with_another_liberty_stays sd lg es sl lp) -es.
- by move: hs; rewrite /stone es.
Qed.

Theorem a_taken_stone_leaves_a_liberty (B : board) : Statements.a_taken_stone_leaves_a_liberty B.
Proof. by move=> S S' act sd st c p t s e _ + sx; moved; rewrite taken_takes // => /(taken_frees sd lg); apply. Qed.

Theorem an_empty_point_beside_it (B : board) : Statements.an_empty_point_beside_it B.
Proof.
move=> S S' act sd st c p l e _ /andP[pl /eqP el]; moved; apply: lib_nb => //; first exact: new_stone.
by apply: empty_stays => // lp; rewrite lp nb_irr in pl.
Qed.

Theorem a_taken_stone_beside_it (B : board) : Statements.a_taken_stone_beside_it B.
Proof.
move=> S S' act sd st c p t e _ + pt; moved; rewrite taken_takes // => gone; apply: lib_nb => //.
  exact: new_stone.
exact: taken_leaves.
Qed.

Theorem a_liberty_of_what_it_joins (B : board) : Statements.a_liberty_of_what_it_joins B.
Proof.
move=> S S' act sd st c p a l e _ pa; moved; rewrite /Words.liberty (lib_joined sd lg) //.
exact: beside_joins.
Qed.

Theorem a_joined_stone_has_its_liberties (B : board) : Statements.a_joined_stone_has_its_liberties B.
Proof. by move=> S S' act sd st c p s l e js; moved; rewrite /Words.liberty -(lib_joined sd lg _ js). Qed.

(** Their numbers, of blocks that are not the new one. *)
Theorem the_opponent_loses_the_liberty (B : board) : Statements.the_opponent_loses_the_liberty B.
Proof.
move=> S S' act sd st c p d s n e _ /opponent_of-> ds -> /Z.gt_lt/many_gt0[l /andP[sl /eqP lp]]; moved.
have ds' := with_another_liberty_stays sd lg ds sl lp; split; first exact: (other_stone sd lg ds').
by apply: many_eq => x; apply/esym/lib_other.
Qed.

Lemma liberties_apart (B : board) (S : state B) c p s :
  sound S -> legal_move S c p -> Words.apart (put S c p) (Move c p) s ->
  Words.liberties (put S c p) s (Words.many (Words.liberty S s) + Words.many (touch S s)
    + Words.many (Words.takes S c p) - Words.many (fun x => touch S s x || Words.takes S c p x))%Z.
Proof.
move=> sd lg ap; split; first exact: (apart_stone sd lg ap); case/(lies_apart sd lg): ap => cs sp.
rewrite (many_eq _ (Words.liberty _ s) _ (fun l => lib_apart sd lg l cs sp)) [RHS](@many_apart _ (Words.liberty S s)).
  by rewrite (count_both sd lg (touch S s)); lia.
by move=> l /lib_stone[_ el]; apply/andP => -[/(taken_stone sd lg)]; rewrite /stone el.
Qed.

Theorem apart_as_many_liberties_where_none_is_taken (B : board) :
  Statements.apart_as_many_liberties_where_none_is_taken B.
Proof.
move=> S S' act sd st c p s n e none ap [_ ->]; moved; have [hs e] := liberties_apart sd lg ap; split; rewrite -?e //.
by have := none_both sd lg (touch S s) none; lia.
Qed.

Theorem apart_more_liberties_by_those_taken (B : board) : Statements.apart_more_liberties_by_those_taken B.
Proof.
by move=> S S' act sd st c p t s k u w n e -> _ ap [_ ->] [_ ->] -> ->; moved; apply: liberties_apart.
Qed.

(** The numbers of the new block. *)
Theorem liberties_with_none (B : board) : Statements.liberties_with_none B.
Proof.
move=> S S' act sd st c p n e _ none no ->; moved; apply: (liberties_new_only sd lg (r := [::]) none) => //.
by apply: many_eq => l /=; have [-> | _] := eqVneq l p; rewrite ?andbT // /Words.beside /near nb_irr.
Qed.

Theorem liberties_with_one (B : board) : Statements.liberties_with_one B.
Proof.
move=> S S' act sd st c p a n e _ none one pa ->; moved.
apply: (liberties_new_only sd lg (r := [:: a]) none); [distinct .. | counted].
Qed.

Theorem liberties_with_two (B : board) : Statements.liberties_with_two B.
Proof.
move=> S S' act sd st c p a b n e _ none two pa pb ab ->; moved.
apply: (liberties_new_only sd lg (r := [:: a; b]) none); [distinct .. | counted].
Qed.

Theorem liberties_with_three (B : board) : Statements.liberties_with_three B.
Proof.
move=> S S' act sd st c p a b f n e _ none three pa pb pf ab af bf ->; moved.
apply: (liberties_new_only sd lg (r := [:: a; b; f]) none); [distinct .. | counted].
Qed.

Theorem liberties_with_four (B : board) : Statements.liberties_with_four B.
Proof.
move=> S S' act sd st c p a b f g n e _ none four pa pb pf pg ab af bf ag bg fg ->; moved.
apply: (liberties_new_only sd lg (r := [:: a; b; f; g]) none); [distinct .. | counted].
Qed.

(** The same by capture. *)
Ltac counted_all := congr (_ + _ + _ - _)%Z; counted.

Theorem liberties_with_none_by_capture (B : board) : Statements.liberties_with_none_by_capture B.
Proof.
move=> S S' act sd st c p t k d u w n e _ -> _ no -> /opponent_of-> -> -> ->; moved.
apply: (liberties_new sd lg (r := [::])) => //; congr (_ + _ + _ - _)%Z.
by apply: many_eq => l /=; have [-> | _] := eqVneq l p; rewrite ?andbT // /Words.beside /near nb_irr.
Qed.

Theorem liberties_with_one_by_capture (B : board) : Statements.liberties_with_one_by_capture B.
Proof.
move=> S S' act sd st c p t a k d u w n e _ -> _ one pa -> /opponent_of-> -> -> ->; moved.
apply: (liberties_new sd lg (r := [:: a])); [distinct .. | counted_all].
Qed.

Theorem liberties_with_two_by_capture (B : board) : Statements.liberties_with_two_by_capture B.
Proof.
move=> S S' act sd st c p t a b k d u w n e _ -> _ two pa pb ab -> /opponent_of-> -> -> ->; moved.
apply: (liberties_new sd lg (r := [:: a; b])); [distinct .. | counted_all].
Qed.

Theorem liberties_with_three_by_capture (B : board) : Statements.liberties_with_three_by_capture B.
Proof.
move=> S S' act sd st c p t a b f k d u w n e _ -> _ three pa pb pf ab af bf -> /opponent_of-> -> -> ->; moved.
apply: (liberties_new sd lg (r := [:: a; b; f])); [distinct .. | counted_all].
Qed.

Theorem a_joined_stone_has_as_many_liberties (B : board) : Statements.a_joined_stone_has_as_many_liberties B.
Proof.
move=> S S' act sd st c p s n e js _ [_ ->]; moved; split; first by case/same_stone: js.
by apply: many_eq => l; apply/esym/lib_joined.
Qed.

(** A pass. *)
Theorem their_liberties_stay (B : board) : Statements.their_liberties_stay B.
Proof. by move=> S S' act sd st c s l e; passing. Qed.

Theorem so_do_their_numbers (B : board) : Statements.so_do_their_numbers B.
Proof. by move=> S S' act sd st c s n e; passing. Qed.
