(** The first half of the part `prospects`: plain and steady moves, where the other king may not step after one, the
    check that a move gives, and the squares that matter after it. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** What a plain move supposes. *)
Record goes_so S c f t k : Prop := GoesSo {
  so_side : c <> Nobody; so_from : who S f = c; so_apart : f <> t; so_taken : who S t <> c; so_king : what S t <> King
}.
Lemma plain_so S c f t k : sound S -> Words.plain S c f t k -> goes_so S c f t k.
Proof. by move=> so [g _]; have [n [m l]] := goes_target so g; case: g => ? []. Qed.
Lemma at_who S x c k : S x = (c, k) -> who S x = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what S x c k : S x = (c, k) -> what S x = k.
Proof. by rewrite /what => ->. Qed.
Lemma other_king_apart S c f t k q :
  goes_so S c f t k -> S q = (other c, King) -> q <> f /\ q <> t /\ gone S c f t k q = (other c, King).
Proof.
  move=> [n fc _ _ nk] qk; have nf : q <> f.
    by move=> e; subst q; move: fc; rewrite (at_who qk) => /(other_not n).
  have nt : q <> t by move=> e; subst q; apply: nk; apply: at_what qk.
  by rewrite gone_else.
Qed.
Lemma own_man_stays S c f t k x :
  goes_so S c f t k -> who S x = c -> x <> f -> x <> t /\ gone S c f t k x = S x.
Proof.
  move=> [n fc _ nc nk] xc nf; have nt : x <> t by move=> e; subst x.
  by rewrite gone_else.
Qed.
Lemma gone_empty S c f t k x : x <> t -> x = f \/ S x = nothing -> gone S c f t k x = nothing.
Proof.
  move=> nt h; case: (x =P f) => [e|nf]; first by subst x; apply: gone_from.
  by rewrite gone_else //; case: h.
Qed.

(** Squares of a line: what lies between is before, at or behind a square between. *)
Lemma between_parts a b x y : between a b x -> between a b y -> [\/ y = x, between a x y | between x b y].
Proof.
  move=> bx by_; have [e|[m|m]] := between_two bx by_; first by constructor 1.
    by constructor 3; have [_] := between_near by_ m.
  by constructor 2.
Qed.
Lemma line_on a b s w : line a b w -> next b w s -> line a s w /\ between a s b.
Proof.
  move=> l nx; have n : w <> Nowhere by case: nx.
  by split; [apply: line_trans n l (next_line nx) | apply: between_of n l (next_line nx)].
Qed.
Lemma between_behind a b s y w :
  line a b w -> next b w s -> between a s y -> y = b \/ between a b y.
Proof.
  move=> l nx m; have [_ m'] := line_on l nx; have [|?|] := between_parts m' m; [by left | by right |].
  by move/(step_between (next_step nx)).
Qed.

(** A king may not step where another man attacks, once it has left. *)
Lemma king_step B S c q s :
  makes S c q s (what S q) B -> S q = (c, King) -> step q s -> goes S c q s /\ B = gone S c q s King.
Proof.
  move=> mk qk st; case: mk => [g||].
  - by split; [|rewrite (at_what qk)].
  - by move=> v [e _] _; move: e; rewrite qk.
  - by move=> w r p [/castle_apart].
Qed.
Lemma denied S d q s x :
  S q = (d, King) -> d <> Nobody -> step q s -> who S x = other d -> x <> s ->
  Board.attacks (put S q nothing) x s -> ~ legal_move S d q s.
Proof.
  move=> qk nd st xd ns at_ [B [mk sf]]; have [g e] := king_step mk qk st; subst B.
  have nq : x <> q by move=> e; subst x; move: xd; rewrite (at_who qk); apply: not_eq_sym; apply: other_not.
  have xB : gone S d q s King x = S x by rewrite gone_else.
  apply: (sf s x (gone_to _ _ _ _ _)); first by rewrite /who xB.
  apply: attacks_still at_ _ _ => [|y m]; first by rewrite xB put_else.
  by move=> e; have [_ [ny _]] := between_apart m; rewrite /gone put_else.
Qed.
Lemma denied_by S c f t k s x :
  sound S -> Words.plain S c f t k ->
  (forall q, S q = (other c, King) -> step q s -> who (gone S c f t k) x = c /\ x <> s
     /\ Board.attacks (put (gone S c f t k) q nothing) x s) ->
  Words.denies S f t k s.
Proof.
  move=> so pl h; have g := plain_so so pl; rewrite /Words.denies (so_from g) => q qk st.
  have [xc [ns at_]] := h q qk st; have [nf [nt qg]] := other_king_apart g qk.
  by apply: (@denied (after S c f t k) (other c) q s x) => //; [apply: other_player (so_side g) | rewrite otherK].
Qed.
(** The man that goes is on its new square then, and attacks from there. *)
Lemma goer_denies S c f t k s :
  sound S -> Words.plain S c f t k ->
  (forall q, S q = (other c, King) -> Board.attacks (put (gone S c f t k) q nothing) t s) -> Words.denies S f t k s.
Proof.
  move=> so pl h; apply: (denied_by (x := t) so pl) => q qk st; rewrite /who gone_to; split=> //.
  by split; [apply: attacks_apart (h q qk) | apply: h].
Qed.
Lemma goer_at S c f t k q :
  goes_so S c f t k -> S q = (other c, King) -> put (gone S c f t k) q nothing t = (c, k).
Proof.
  by move=> g qk; have [_ [nt _]] := other_king_apart g qk; rewrite put_else ?gone_to //; apply: not_eq_sym.
Qed.
Lemma goer_slides S c f t k s q w :
  goes_so S c f t k -> S q = (other c, King) -> slides k w -> line t s w ->
  (forall x, between t s x -> [\/ x = f, x = q | S x = nothing]) ->
  Board.attacks (put (gone S c f t k) q nothing) t s.
Proof.
  move=> g qk sl l h; apply/attacksP; constructor 1; exists w; rewrite /what goer_at //; split=> //; split=> // x m.
  case: (x =P q) => [->|nq]; first exact: put_at.
  rewrite put_else //; have [nt _] := between_apart m; apply: gone_empty nt _.
  by case: (h x m) => [->|//|]; [left | right].
Qed.
Lemma one_king S c q r : sound S -> S q = (c, King) -> S r = (c, King) -> q = r.
Proof. by move=> so; apply: sound_one_king. Qed.
(** A man of its side that stays attacks as before, but through the square where the other goes. *)
Lemma stayer_denies S c f t k s a :
  sound S -> Words.plain S c f t k -> who S a = c -> a <> f -> Board.attacks (gone S c f t k) a s ->
  Words.denies S f t k s.
Proof.
  move=> so pl ac nf at_; have g := plain_so so pl; have [nt e] := own_man_stays g ac nf.
  apply: (denied_by (x := a) so pl) => q qk st; split; first by rewrite /who e.
  split; first exact: attacks_apart at_.
  apply: cleared_attack_still at_ => e'; subst a.
  by move: ac; rewrite (at_who qk) => /(other_not (so_side g)).
Qed.

(** Plain and steady. *)
Theorem a_piece_goes_plainly : Statements.a_piece_goes_plainly.
Proof.
  move=> S so c f t k [lg nl] fk np nk; rewrite -(at_what fk); apply: legal_plain => //.
  - by move=> e; move: nk; rewrite -e (at_what fk).
  - by move=> v [e _]; move: np; rewrite fk in e; case: e.
Qed.
Theorem a_king_goes_plainly : Statements.a_king_goes_plainly.
Proof.
  move=> S so c f t [lg nl] [_ fk] st; rewrite -(at_what fk); apply: legal_plain => //.
  by move=> v [e _]; rewrite fk in e.
Qed.
Theorem a_pawn_goes_plainly : Statements.a_pawn_goes_plainly.
Proof.
  move=> S so c f t [lg nl] fk sh; rewrite -(at_what fk); apply: legal_plain => //.
  - by rewrite (at_what fk).
  - by move=> v [_ [_ [e _]]]; move: sh; rewrite /Words.en_passant e eqxx.
Qed.
Theorem a_pawn_is_promoted : Statements.a_pawn_is_promoted.
Proof. by move=> S so c f t k p pr; apply: promotable_plain. Qed.

Lemma plain_steady S c f t k :
  Words.plain S c f t k ->
  (forall o y, what S f = Pawn -> leap c f o t -> S y = (other c, Pawn) -> ~ strikes (other c) y o) ->
  Words.steady S f t.
Proof. by case=> [[_ [e _]]] _ h o y; rewrite e; apply: h. Qed.
Lemma no_leap_to_last S c f o t : sound S -> S f = (c, Pawn) -> leap c f o t -> ~ promoting S c f t.
Proof. by move=> so _ l [_ la]; case: c l la; geo. Qed.
Theorem steady_piece : Statements.steady_piece.
Proof.
  move=> S so c f t k pl np; apply: plain_steady (pl) _ => o y fp l.
  have g := plain_so so pl; have fk : S f = (c, Pawn).
    by move: fp (so_from g); rewrite /what /who; case: (S f) => ? ? /= -> ->.
  case: pl => _ [_ [[pr _]|[_ e]]]; [by case: (no_leap_to_last so fk l) | by rewrite e fp in np].
Qed.
Theorem steady_step : Statements.steady_step.
Proof. by move=> S so c f t pl ad; apply: plain_steady (pl) _ => o y _ l; case: c pl ad l; geo. Qed.
Theorem steady_strike : Statements.steady_strike.
Proof. by move=> S so c f t pl st; apply: plain_steady (pl) _ => o y _ l; case: c pl st l; geo. Qed.
Lemma leap_same_over c a o o' b : leap c a o b -> leap c a o' b -> o = o'.
Proof. case: c; geo. Qed.
Theorem steady_leap : Statements.steady_leap.
Proof.
  move=> S so c f t o d pl l [nc e] [_ un]; subst d; apply: plain_steady (pl) _ => o' y _ l' yp.
  by rewrite -(leap_same_over l l') => /un; apply.
Qed.

(** Pressing. *)
Theorem it_presses_by_a_check : Statements.it_presses_by_a_check.
Proof. by move=> S so c f t k pl h; split=> //; left. Qed.
Theorem it_presses_by_a_discovery : Statements.it_presses_by_a_discovery.
Proof. by move=> S so c f t k a pl h; split=> //; right; left; exists a. Qed.
Theorem it_presses_beside_the_king : Statements.it_presses_beside_the_king.
Proof. by move=> S so c f t k d q pl [_ ->] [_ qk] st; split=> //; right; right; exists q. Qed.

(** Where the other king may not step. *)
Theorem its_own_man_is_there : Statements.its_own_man_is_there.
Proof.
  move=> S so c f t k d q s j [pl _] [nc e] [_ qk] st sj nt; subst d; have g := plain_so so pl.
  rewrite /Words.denies (so_from g) => q' qk' st' [B [mk _]]; have [_ [_ qg]] := other_king_apart g qk'.
  have [[_ [_ +]] _] := king_step mk qg st'; rewrite (at_what (S := after S c f t k) qg) => -[_ [+ _]]; apply.
  have nf : s <> f by move=> e; subst s; move: (so_from g); rewrite (at_who sj) => /(other_not nc).
  by rewrite /who /= gone_else // sj.
Qed.
Theorem a_line_piece_arrives : Statements.a_line_piece_arrives.
Proof.
  move=> S so c f t k d q s w [pl _] _ _ _ sl l [_ cl]; apply: goer_denies (pl) _ => // q' qk.
  by apply: goer_slides (plain_so so pl) qk sl l _ => x m; constructor 3; apply: cl.
Qed.
Theorem a_line_piece_arrives_on_the_line_it_left : Statements.a_line_piece_arrives_on_the_line_it_left.
Proof.
  move=> S so c f t k d q s w [pl _] _ _ _ sl l bf [_ cl] [_ cl']; apply: goer_denies (pl) _ => // q' qk.
  apply: goer_slides (plain_so so pl) qk sl l _ => x m.
  have [->|m'|m'] := between_parts bf m; [by constructor 1 | constructor 3; exact: cl | constructor 3; exact: cl'].
Qed.
Theorem a_line_piece_goes_on_behind_the_king : Statements.a_line_piece_goes_on_behind_the_king.
Proof.
  move=> S so c f t k d q w s [pl _] [_ e] [_ qk] sl l [_ cl] nx; subst d; apply: goer_denies (pl) _ => // q' qk'.
  have e := one_king so qk' qk; subst q'; have [l' _] := line_on l nx.
  apply: goer_slides (plain_so so pl) qk sl l' _ => x /(between_behind l nx) [->|m]; first by constructor 2.
  by constructor 3; apply: cl.
Qed.
Theorem a_line_piece_goes_on_behind_the_king_on_the_line_it_left :
  Statements.a_line_piece_goes_on_behind_the_king_on_the_line_it_left.
Proof.
  move=> S so c f t k d q w s [pl _] [_ e] [_ qk] sl l bf [_ cl] [_ cl'] nx; subst d.
  apply: goer_denies (pl) _ => // q' qk'; have e := one_king so qk' qk; subst q'; have [l' _] := line_on l nx.
  apply: goer_slides (plain_so so pl) qk sl l' _ => x /(between_behind l nx) [->|m]; first by constructor 2.
  have [->|m'|m'] := between_parts bf m; [by constructor 1 | constructor 3; exact: cl | constructor 3; exact: cl'].
Qed.
Theorem a_knight_arrives : Statements.a_knight_arrives.
Proof.
  move=> S so c f t d q s [pl _] _ _ _ ho; apply: goer_denies (pl) _ => // q' qk.
  by rewrite /Board.attacks /what (goer_at (plain_so so pl) qk).
Qed.
Theorem the_king_comes_near : Statements.the_king_comes_near.
Proof.
  move=> S so c f t d q s [pl _] _ _ _ ho; apply: goer_denies (pl) _ => // q' qk.
  by rewrite /Board.attacks /what (goer_at (plain_so so pl) qk).
Qed.
Theorem a_pawn_arrives : Statements.a_pawn_arrives.
Proof.
  move=> S so c f t d q s [pl _] _ _ _ ho; apply: goer_denies (pl) _ => // q' qk.
  by rewrite /Board.attacks /who /what (goer_at (plain_so so pl) qk).
Qed.
Theorem another_attacks_it : Statements.another_attacks_it.
Proof.
  move=> S so c f t k d q s a j n [pl _] _ _ _ at_ aj nf _ nb.
  have [nt _] := own_man_stays (plain_so so pl) (at_who aj) nf.
  by apply: stayer_denies (pl) (at_who aj) (nf) _ => //; apply: gone_attack_still => // m; apply: nb m erefl.
Qed.
Theorem another_knight_attacks_it : Statements.another_knight_attacks_it.
Proof.
  move=> S so c f t k d q s a [pl _] _ _ _ ho aj nf; have [nt e] := own_man_stays (plain_so so pl) (at_who aj) nf.
  apply: stayer_denies (pl) (at_who aj) (nf) _ => //.
  by rewrite /Board.attacks /what e aj; apply/hop_sym.
Qed.
(** A man that stays slides over the square that was left. *)
Lemma stayer_slides S c f t k a s j w :
  goes_so S c f t k -> S a = (c, j) -> slides j w -> line a s w -> a <> f ->
  (forall x, between a s x -> x <> t /\ (x = f \/ S x = nothing)) -> Board.attacks (gone S c f t k) a s.
Proof.
  move=> g aj sl l nf h; have [nt e] := own_man_stays g (at_who aj) nf; apply/attacksP; constructor 1; exists w.
  by rewrite /what e aj; split=> //; split=> // x /h [? ?]; apply: gone_empty.
Qed.
Theorem a_line_opens_to_it : Statements.a_line_opens_to_it.
Proof.
  move=> S so c f t k d q s v a j w n [pl _] _ _ _ [nv [lv [_ cl]]] aj [_ e] sl l [_ cl'] l' _ nb.
  have la : line a f w by subst w; apply/line_back.
  have nf : a <> f by move=> e'; subst a; case: (line_self la).
  have bf : between a s f by apply: between_of la l; apply: slides_some sl.
  apply: stayer_denies (pl) (at_who aj) (nf) _ => //; apply: stayer_slides (plain_so so pl) aj sl l' nf _ => x m.
  split; first exact: nb.
  have [->|m'|m'] := between_parts bf m; [by left | right; apply: cl; exact/between_sym | right; exact: cl'].
Qed.
Theorem a_line_opens_behind_the_king : Statements.a_line_opens_behind_the_king.
Proof.
  move=> S so f t a c k d q w s [c' [k' [q' [pl' [qk' [ac [nf [bf at_]]]]]]]] [pl _] [_ e] [_ qk] l nx; subst d.
  have g := plain_so so pl; have g' := plain_so so pl'.
  have e : c' = c by rewrite -(so_from g) -(so_from g').
  rewrite {}e {c'} in pl' qk' ac at_ g'.
  have e := one_king so qk' qk; subst q'; have [nt ea] := own_man_stays g ac nf.
  have [_ ea'] := own_man_stays g' ac nf.
  have [_ [w' [sl l2]]] := attacks_across at_ bf; have e := line_one l l2; subst w'.
  have [l' _] := line_on l nx; apply: (denied_by (x := a) so pl) => q' qk2 st; have e := one_king so qk2 qk; subst q'.
  have nq : a <> q by move=> e; subst a; case: (line_self l).
  split; first by rewrite /who ea.
  split; first by move=> e; subst a; case: (line_self l').
  apply/attacksP; constructor 1; exists w; rewrite {1}/what put_else // ea -ea'; split=> //; split=> // x m.
  case: (between_behind l nx m) => [->|m']; first exact: put_at.
  have [_ [nxq _]] := between_apart m'; rewrite put_else //.
  have := attacks_clear at_ m'; rewrite /gone /put; case: eqP => // _.
  by case=> e; case: (so_side g).
Qed.
Theorem nowhere_left_to_step : Statements.nowhere_left_to_step.
Proof.
  move=> S so c f t k d q n pl [_ e] [_ qk] _ h s; subst d; move: (plain_so so pl) => g.
  rewrite /Words.denies (so_from g) => q' qk' st; have e := one_king so qk' qk; subst q'.
  by move: (h s st); rewrite /Words.denies (so_from g); apply.
Qed.

(** Check. *)
Lemma goer_hits S c f t k q :
  Words.plain S c f t k -> S q = (other c, King) -> Board.attacks (put (gone S c f t k) q nothing) t q ->
  t <> q -> Words.hits S f t k.
Proof.
  move=> pl qk at_ nq; exists c, q; split=> //; split=> //; apply: attacks_still at_ _ _ => [|x m].
    by rewrite put_else.
  by have [_ [n _]] := between_apart m; rewrite put_else.
Qed.
Lemma goer_not_on_king S c f t k q : sound S -> Words.plain S c f t k -> S q = (other c, King) -> t <> q.
Proof. by move=> so /(plain_so so) g qk; have [_ [n _]] := other_king_apart g qk; apply: not_eq_sym. Qed.
Theorem it_hits_along_a_line : Statements.it_hits_along_a_line.
Proof.
  move=> S so c f t k d q w pl [_ e] [_ qk] sl l [_ cl]; subst d.
  apply: goer_hits (pl) (qk) _ (goer_not_on_king so pl qk).
  by apply: goer_slides (plain_so so pl) qk sl l _ => x m; constructor 3; apply: cl.
Qed.
Theorem it_hits_along_the_line_it_left : Statements.it_hits_along_the_line_it_left.
Proof.
  move=> S so c f t k d q w pl [_ e] [_ qk] sl l bf [_ cl] [_ cl']; subst d.
  apply: goer_hits (pl) (qk) _ (goer_not_on_king so pl qk); apply: goer_slides (plain_so so pl) qk sl l _ => x m.
  have [->|m'|m'] := between_parts bf m; [by constructor 1 | constructor 3; exact: cl | constructor 3; exact: cl'].
Qed.
Theorem it_hits_as_a_knight : Statements.it_hits_as_a_knight.
Proof.
  move=> S so c f t d q pl [_ e] [_ qk] ho; subst d; exists c, q; split=> //; split=> //.
  by rewrite /Board.attacks /what gone_to.
Qed.
Theorem it_hits_as_a_pawn : Statements.it_hits_as_a_pawn.
Proof.
  move=> S so c f t d q pl [_ e] [_ qk] ho; subst d; exists c, q; split=> //; split=> //.
  by rewrite /Board.attacks /who /what gone_to.
Qed.
Theorem it_unveils : Statements.it_unveils.
Proof.
  move=> S so c f t k d q w a j n pl [_ e] [_ qk] [nw [l1 [_ cl1]]] [_ [l2 [_ cl2]]] aj sl _ nb; subst d.
  have m1 : line a f (opposite w) by apply/line_back.
  have m2 : line f q (opposite w) by apply/line_back.
  have nw' := opposite_some nw; have nf : a <> f by move=> e; subst a; case: (line_self m1).
  have bf : between a q f by apply: between_of nw' m1 m2.
  have ac := at_who aj; exists c, k, q; do 5!split=> //.
  apply: stayer_slides (plain_so so pl) (aj) _ (line_trans nw' m1 m2) nf _ => [|x m].
    exact/slides_opposite.
  split; first exact: nb.
  have [->|m'|m'] := between_parts bf m; [by left | right; apply: cl2; exact/between_sym |].
  by right; apply: cl1; apply/between_sym.
Qed.

(** Squares that matter. *)
Theorem where_it_hits : Statements.where_it_hits.
Proof. by move=> S so f t k [c [q [pl _]]]; exists c, k. Qed.
Theorem where_it_is_unveiled : Statements.where_it_is_unveiled.
Proof. by move=> S so f t a [c [j [q [pl _]]]]; exists c, j. Qed.
Theorem between_it_and_the_king : Statements.between_it_and_the_king.
Proof. by move=> S so f t k c j d q s [e [r [pl _]]] _ _ _ _; exists e, k. Qed.
Theorem between_the_unveiled_and_the_king : Statements.between_the_unveiled_and_the_king.
Proof. by move=> S so f t a c j d q s [e [k [r [pl _]]]] _ _ _ _; exists e, k. Qed.
Theorem where_it_takes : Statements.where_it_takes.
Proof. by move=> S so c f t k d j pl _ _; exists c, k. Qed.
Theorem where_it_is_promoted : Statements.where_it_is_promoted.
Proof. by move=> S so c f t p; exists c, Queen; apply: promotable_plain => //; left. Qed.
