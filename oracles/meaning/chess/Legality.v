(** The clauses of `legality`: which moves are legal, for either side as if it were to move. *)
From Chess Require Import Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

Lemma at_who B s c k : B s = (c, k) -> who B s = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what B s c k : B s = (c, k) -> what B s = k.
Proof. by rewrite /what => ->. Qed.
Lemma what_at B s k : what B s = k -> B s = (who B s, k).
Proof. by rewrite /what /who; case: (B s) => ? ? /= ->. Qed.

(** Where nothing stands, and what a man does there. *)
Theorem free_where_nobody_stands : Statements.free_where_nobody_stands.
Proof.
  by move=> S sd c t pc e; split=> //; rewrite (at_who e) (at_what e); split=> // E; apply: pc; rewrite -E.
Qed.
Theorem free_where_an_opponent_stands : Statements.free_where_an_opponent_stands.
Proof.
  move=> S sd t d k c e [nd ->] nk; rewrite /Words.free (at_who e) (at_what e).
  by split; first exact: other_player; split=> // E; apply: (other_not nd).
Qed.
Lemma it_reaches S c k f t : S f = (c, k) -> k <> King -> goes S c f t -> Words.reaches S f t.
Proof. by move=> e nk g; rewrite /Words.reaches (at_what e) (at_who e). Qed.
Theorem a_piece_goes : Statements.a_piece_goes.
Proof.
  move=> S sd f t c k at1 e nk np [nc [n1 n2]].
  apply: (it_reaches e nk); split=> //; split; first exact: at_who e.
  by case: (what S f) (at_what e) => // E; case: np.
Qed.
Theorem a_pawn_takes : Statements.a_pawn_takes.
Proof.
  move=> S sd f t c d k at1 e e2 [nc E] nk; subst d.
  apply: (it_reaches e) => //; split=> //; split; first exact: at_who e.
  rewrite (at_what e); right; right; rewrite (at_who e2) (at_what e2); split=> //.
  by move: at1; rewrite /Words.attacks /attacks (at_what e) (at_who e).
Qed.
Theorem a_pawn_goes : Statements.a_pawn_goes.
Proof.
  move=> S sd f c t e [nc ad] e2.
  apply: (it_reaches e) => //; split=> //; split; first exact: at_who e.
  by rewrite (at_what e); left.
Qed.
Theorem a_pawn_goes_two_steps : Statements.a_pawn_goes_two_steps.
Proof.
  move=> S sd f c o t e L e1 e2; have nc : c <> Nobody by case: L.
  apply: (it_reaches e) => //; split=> //; split; first exact: at_who e.
  by rewrite (at_what e); right; left; exists o.
Qed.

(** What attacks the king when a man has gone elsewhere attacks it when that man is off the board. *)
Lemma gone_cleared B c f t k x s :
  c <> Nobody -> x <> t -> who B x = other c -> who B f = c -> attacks (gone B c f t k) x s ->
  x <> f /\ attacks (put B f nothing) x s /\ ~ between x s t.
Proof.
  move=> nc xt ex ef a.
  have xf : x <> f by move=> E; subst x; apply: (other_not nc); rewrite -ex.
  have nt : ~ between x s t by move=> /(attacks_clear a); rewrite gone_to; case=> E _; apply: nc.
  split=> //; split=> //; apply: (attacks_still a); first by rewrite gone_else // put_else.
  move=> y b; have yt : y <> t by move=> E; subst y.
  by rewrite /gone put_else.
Qed.
(** Two men behind the same one, seen from the king: they are one. *)
Lemma behind_one S c f x y q :
  c <> Nobody -> x <> f -> y <> f -> who S x = other c -> who S y = other c -> between q x f -> between q y f ->
  attacks (put S f nothing) x q -> attacks (put S f nothing) y q -> x = y.
Proof.
  move=> nc xf yf ex ey bx byy ax ay.
  have full z : z <> f -> who S z = other c -> put S f nothing z <> nothing.
    by move=> n e; rewrite put_else // => E; apply: (other_player nc); rewrite -e (who_nothing E).
  have [w [sw [l1 [l2 _]]]] := between_line bx.
  have [w' [_ [l3 [l4 _]]]] := between_line byy.
  have E := line_one l4 l2; subst w'.
  case: (line_two sw l1 l3) => [//|[b|b]]; exfalso.
    by apply: (full x) => //; apply: (attacks_clear ay); apply/between_sym.
  by apply: (full y) => //; apply: (attacks_clear ax); apply/between_sym.
Qed.
Lemma reaches_legal S c f t q :
  sound S -> who S f = c -> Words.reaches S f t -> S q = (c, King) ->
  (forall x, who S x = other c -> x <> t -> ~ attacks (gone S c f t (what S f)) x q) -> legal_move S c f t.
Proof. by move=> sd e [nk g] eq H; rewrite e in g; apply/(goes_legal sd g nk eq). Qed.

Theorem a_loose_man_when_there_is_no_check : Statements.a_loose_man_when_there_is_no_check.
Proof.
  move=> S sd f t c R [nc [ef lo]] [_ ca]; have [q eq] := sound_king sd nc.
  apply: (reaches_legal sd ef R eq) => x ex xt a.
  have [xf [a' _]] := gone_cleared nc xt ex ef a.
  exact: (ca q x eq ex (lo q x eq ex a')).
Qed.
(** When a pinned man has gone along its line, none but who pins it attacks the king. *)
Lemma pinned_gone S c f t x y q :
  sound S -> Words.pinned S c f x -> S q = (c, King) -> safe S c ->
  who S y = other c -> y <> t -> attacks (gone S c f t (what S f)) y q -> y = x /\ ~ between x q t.
Proof.
  move=> sd [nc [ef [ex [q' [eq' [b a]]]]]] eq ca ey yt ay.
  have E := sound_one_king sd eq' eq; subst q'.
  have [yf [a' nb]] := gone_cleared nc yt ey ef ay.
  have xf : x <> f by move=> E; subst x; apply: (other_not nc); rewrite -ex.
  have [_ [z|b']] := cleared_attack a'; first by case: (ca q y eq ey).
  by have E := behind_one nc yf xf ey ex (proj1 (between_sym _ _ _) b') b a' a; subst y.
Qed.
Theorem a_pinned_man_takes : Statements.a_pinned_man_takes.
Proof.
  move=> S sd c f x P R [nc ca]; have [q eq] := sound_king sd nc.
  have ef : who S f = c by case: P => _ [].
  apply: (reaches_legal sd ef R eq) => y ey yx a.
  by have [] := pinned_gone sd P eq ca ey yx a.
Qed.
Theorem a_pinned_man_on_its_line : Statements.a_pinned_man_on_its_line.
Proof.
  move=> S sd c f x t q P R [nc ca] [_ eq] b; have ef : who S f = c by case: P => _ [].
  apply: (reaches_legal sd ef R eq) => y ey yx a.
  by have [_ []] := pinned_gone sd P eq ca ey yx a; apply/between_sym.
Qed.
Theorem a_loose_man_answers_a_check : Statements.a_loose_man_answers_a_check.
Proof.
  move=> S sd f t c R [x [[_ one] an]] [nc [ef lo]]; have [q eq] := sound_king sd nc.
  apply: (reaches_legal sd ef R eq) => y ey yt a.
  have [yf [a' nb]] := gone_cleared nc yt ey ef a.
  have E : y = x by apply: one; split=> //; exists q; do 2!split=> //; apply: lo.
  subst y; case: an => [E|[q' [eq' b]]]; first by apply: yt.
  by have E := sound_one_king sd eq' eq; subst q'; apply: nb; apply/between_sym.
Qed.

(** What attacks the square to which the king has stepped, and did not before, slides onto the king from behind. *)
Lemma from_behind S q t w x :
  proper S -> w <> Nowhere -> line q t w -> who S x <> Nobody ->
  attacks (put S q nothing) x t -> between x t q -> sees S q (opposite w) x /\ slides (what S x) (opposite w).
Proof.
  move=> pr sw l px a b.
  have [_ [v [sl lx]]] := attacks_across a b.
  have [v' [sv' [l1 [l2 l3]]]] := between_line b.
  have E := line_one l1 lx; subst v'; have E := line_one l3 l; subst v.
  have xq : x <> q by have [] := between_apart b; congruence.
  rewrite /what put_else // in sl; split; last by apply/slides_opposite.
  split; first exact: opposite_some; split; first by apply/line_back.
  split=> // y /between_sym by_; have [b' b2] := between_near b by_.
  have := attacks_clear a b'; rewrite put_else // => E; subst y; by have [_ []] := between_apart by_.
Qed.
Theorem a_king_steps : Statements.a_king_steps.
Proof.
  move=> S sd c q t d w r [nc eq] st [_ [n1 n2]] [_ ->] [_ un] l [sw ->] [_ qu].
  apply/(king_step_legal sd eq nc st); split=> // x ex xt a.
  have px : who S x <> Nobody by rewrite ex; apply: other_player.
  have [_ [/un []//|b]] := cleared_attack a.
  have [se sl] := from_behind (sound_proper sd) sw l px a b.
  exact: (qu x se ex sl).
Qed.

(** Castling. *)
Lemma castled_nothing S c g q t r p x :
  may_castle S c g q t r p -> castled_to S c q t r p x = nothing -> x = q \/ x = r \/ S x = nothing.
Proof.
  move=> [C [_ [eq [er _]]]] E; have nc : c <> Nobody by case: C.
  case: (eqVneq x q) => [|/eqP n1]; [by left | right]; case: (eqVneq x r) => [|/eqP n2]; [by left | right].
  move: E; rewrite /castled_to /put; case: (x == p); first by case.
  by case: (x == t); [case | move/eqP: n1; move/eqP: n2 => /negbTE -> /negbTE ->].
Qed.
Theorem a_king_castles : Statements.a_king_castles.
Proof.
  move=> S sd c g q t [r [p M]]; have [C [_ [eq [er [em un]]]]] := M.
  have nc : c <> Nobody by case: C.
  have wq := at_what eq.
  have mk := Castles (k := what S q) M wq.
  have bk : becomes S c q t (what S q) by right; split=> // [[E _]]; rewrite wq in E.
  exists (castled_to S c q t r p); split=> // q' x e ex a.
  have E : q' = t by move/(makes_own_king q' sd mk bk): e; case; case.
  subst q'; have [sx [xt xq]] := makes_others sd mk ex.
  have ex' : who S x = other c by rewrite -ex /who sx.
  have rc : corner r by move: C; clear; case: c; case: g; geo.
  case: (attacks_new a sx) => [a'|[y [b [full E]]]]; first by apply: (un t); [auto | exists x].
  case: (castled_nothing M E) => [Ey|[Ey|//]]; subst y; last by case: (between_corner b).
  apply: (un q); [by left | exists x; split=> //; apply/attacksP; constructor 1].
  have [_ [w [sl l]]] := attacks_across a b.
  have [l1 _] := between_on (slides_some sl) l b.
  exists w; split; first by rewrite /what -sx.
  split=> // z bz; have [bt bz2] := between_near b bz.
  have [Ez|[Ez|//]] := castled_nothing M (attacks_clear a bt); subst z.
    by have [_ []] := between_apart bz.
  by case: (between_corner bt).
Qed.
Theorem may_castle : Statements.may_castle.
Proof.
  move=> S sd c g q t r p d [_ K] C [nc eq] er [_ cl] [_ ca] [_ E] [_ up] [_ ut]; subst d.
  exists r, p; split=> //; split; first by case: (kept S c g) K.
  split=> //; split=> //; split=> // x xs [y [ey ay]].
  by case: xs ay => [->|[->|->]] ay; [apply: (ca q y) | apply: (up y) | apply: (ut y)].
Qed.

Theorem legal_but_for_pawns : Statements.legal_but_for_pawns.
Proof. by move=> S sd c f t k L e nk; split=> // [[E _]]; apply: nk; rewrite -E (at_what e). Qed.
Theorem legal_short_of_the_last_rank : Statements.legal_short_of_the_last_rank.
Proof. by move=> S sd c f t L e [_ nl]; split=> // [[_ [_ E]]]. Qed.
Theorem legal_with_a_promotion : Statements.legal_with_a_promotion.
Proof. by move=> S sd c f t L e la; split=> //; rewrite (at_what e). Qed.

(** Taking in passing: what stands where. *)
Theorem a_pawn_may_be_taken_in_passing : Statements.a_pawn_may_be_taken_in_passing.
Proof.
  move=> S sd t c d h v f P e [nc E] L ev st ef; subst d.
  split=> //; split; first by split=> //; move: st; clear; case: c; geo.
  split; first by move: P; rewrite /Words.en_passant; case: eqP.
  by split=> //; split=> //; exists h.
Qed.
Theorem from_the_king : Statements.from_the_king.
Proof. by move=> S sd c f t v q P [_ e]; exists c; split=> //; left. Qed.
Theorem from_the_pawn : Statements.from_the_pawn.
Proof. by move=> S sd c f t v P; exists c; split=> //; right; left. Qed.
Theorem from_the_taken : Statements.from_the_taken.
Proof. by move=> S sd c f t v P; exists c; split=> //; right; right. Qed.

Section Passed.
Variables (S : state) (c : side) (f t v : square).
Hypothesis P : in_passing S c f t v.
Lemma passing_player : c <> Nobody.
Proof. by case: P => _ [[]]. Qed.
Lemma passing_apart : f <> t /\ f <> v /\ v <> t.
Proof.
  have nc := passing_player; have [ef [_ [_ [et [ev _]]]]] := P.
  split=> [E|]; first by move: ef; rewrite E et; case=> E'; case: nc.
  split=> E; move: ev; first by rewrite -E ef; case=> E'; case: (other_not nc).
  by rewrite E et; case=> E'; case: (other_player nc).
Qed.
Lemma passed_at : passed_by S c f t v t = (c, Pawn).
Proof. by rewrite /passed_by put_at. Qed.
Lemma passed_from : passed_by S c f t v f = nothing.
Proof. by have [n1 [n2 n3]] := passing_apart; rewrite /passed_by put_else // put_else // put_at. Qed.
Lemma passed_taken : passed_by S c f t v v = nothing.
Proof. by have [n1 [n2 n3]] := passing_apart; rewrite /passed_by put_else ?put_at. Qed.
Lemma passed_else x : x <> f -> x <> t -> x <> v -> passed_by S c f t v x = S x.
Proof. by move=> *; rewrite /passed_by !put_else. Qed.
(** A man of the other side stood there, and is neither pawn. *)
Lemma passed_other x : who (passed_by S c f t v) x = other c ->
  [/\ passed_by S c f t v x = S x, x <> f, x <> t & x <> v].
Proof.
  move=> e; have nc := passing_player; have on := other_player nc.
  have xf : x <> f by move=> E; subst x; apply: on; rewrite -e (who_nothing passed_from).
  have xv : x <> v by move=> E; subst x; apply: on; rewrite -e (who_nothing passed_taken).
  have xt : x <> t by move=> E; subst x; apply: (other_not nc); rewrite -e (at_who passed_at).
  by split=> //; apply: passed_else.
Qed.
Lemma passing_one v' : in_passing S c f t v' -> v' = v.
Proof.
  have [_ [_ [_ [_ [_ [h L]]]]]] := P; move=> [_ [_ [_ [_ [_ [h' L']]]]]].
  by have [] := leap_one L L'.
Qed.
Lemma passing_side d v' : in_passing S d f t v' -> d = c.
Proof. by case: P => e _ [e' _]; move: e'; rewrite e; case. Qed.
(** The move is legal if the king is safe on the board after it. *)
Lemma passing_legal : legal_move S c f t <-> safe (passed_by S c f t v) c.
Proof.
  split=> [[B [mk sa]]|sa]; last first.
    by exists (passed_by S c f t v); split=> //; apply: Passes => //; case: P => e _; apply: at_what e.
  case: mk sa => [g|v' P' _|g r p [_ [_ [e _]]] _] sa; first by case: (in_passing_not_goes P g).
    by rewrite (passing_one P') in sa.
  by case: P => e' _; rewrite e in e'.
Qed.
Lemma passed_king q : S q = (c, King) <-> passed_by S c f t v q = (c, King).
Proof.
  have [ef [_ [_ [et [ev _]]]]] := P; have nc := passing_player.
  split=> e.
    rewrite passed_else // => E; subst q; [by rewrite e in ef | by move: et; rewrite e; case | by rewrite e in ev].
  move: e; case: (eqVneq q t) => [->|/eqP n1]; first by rewrite passed_at.
  case: (eqVneq q f) => [->|/eqP n2]; first by rewrite passed_from; case=> E; case: nc.
  case: (eqVneq q v) => [->|/eqP n3]; first by rewrite passed_taken; case=> E; case: nc.
  by rewrite passed_else.
Qed.
(** Whom of the other side one sees after it: only the two pawns stood before him, and `t` is not between. *)
Lemma passed_sees s w x : sees (passed_by S c f t v) s w x -> who (passed_by S c f t v) x = other c ->
  [/\ w <> Nowhere, line s x w, who S x = other c /\ x <> f /\ x <> v, ~ between s x t
    & forall y, between s x y -> y <> f -> y <> v -> S y = nothing].
Proof.
  move=> [sw [l [_ cl]]] e; have [E xf xt xv] := passed_other e.
  split=> //; first by rewrite /who -E.
    by move=> b; have := cl _ b; rewrite passed_at; case=> Ec; case: passing_player.
  move=> y b yf yv; rewrite -passed_else //; first exact: cl.
  by move=> Ey; subst y; have := cl _ b; rewrite passed_at; case=> Ec; case: passing_player.
Qed.
End Passed.

(** No line that way gives check: how that is shown, and what follows from it. *)
Lemma it_is_covered S f t v s w : Words.turns S f t v s ->
  (forall c x, in_passing S c f t v -> sees (passed_by S c f t v) s w x -> who (passed_by S c f t v) x = other c ->
   slides (what S x) w -> False) ->
  Words.covered S f t v s w.
Proof.
  move=> [c [P _]] H; exists c; split=> //; split; first exact: other_player (passing_player P).
  move=> x se ex; have [E _ _ _] := passed_other P ex; rewrite /what E => sl; exact: (H c x).
Qed.
Lemma covered_none S c f t v s w x : in_passing S c f t v -> Words.covered S f t v s w ->
  sees (passed_by S c f t v) s w x -> who (passed_by S c f t v) x = other c -> ~ slides (what S x) w.
Proof.
  move=> P [d [P' [_ H]]] se ex sl; have E := passing_side P P'; subst d.
  by apply: (H x se ex); have [E _ _ _] := passed_other P ex; rewrite /what E.
Qed.
Theorem covered_at_the_border : Statements.covered_at_the_border.
Proof. by move=> S sd f t v s w T b; apply: it_is_covered => // c x _ [_ [l _]]; case: (border_line b l). Qed.
Theorem covered_where_nobody_stands : Statements.covered_where_nobody_stands.
Proof.
  move=> S sd f t v s w T [_ o]; apply: it_is_covered => // c x P se ex _.
  have [_ l [e _] _ _] := passed_sees P se ex.
  by apply: (other_player (passing_player P)); rewrite -e (who_nothing (o x l)).
Qed.
Theorem covered_by_the_pawn_that_takes : Statements.covered_by_the_pawn_that_takes.
Proof.
  move=> S sd f t v s w T l [_ cl]; apply: it_is_covered => // c x P se ex _.
  have [sw l' [e [xf xv]] nb _] := passed_sees P se ex.
  have [_ _ xt _] := passed_other P ex.
  case: (line_two sw l' l) => [//|[b|//]].
  by apply: (other_player (passing_player P)); rewrite -e (who_nothing (cl x b)).
Qed.
Theorem covered_by_another : Statements.covered_by_another.
Proof.
  move=> S sd c f t v d s w x P [nc E] T [sw [l [px cl]]] xf xv [_ qu]; subst d.
  apply: it_is_covered => // d y P' se ey sl; have E := passing_side P P'; subst d.
  have [_ l' [e _] _ em] := passed_sees P se ey.
  case: (line_two sw l l') => [E|[b|b]]; first by subst y; apply: (qu x).
    by apply: px; apply: who_nothing; apply: em.
  by apply: (other_player nc); rewrite -e (who_nothing (cl y b)).
Qed.
(** Beyond one of the two pawns, which is gone then. *)
Lemma covered_beyond S f t v s w x : (x = f \/ x = v) ->
  Words.turns S f t v s -> Words.sees S s w x -> Words.covered S f t v x w -> Words.covered S f t v s w.
Proof.
  move=> xs T [sw [l [px cl]]] co; apply: it_is_covered => // c y P se ey sl.
  have [_ l' [e [yf yv]] nb em] := passed_sees P se ey.
  case: (line_two sw l l') => [E|[b|b]]; first by subst y; case: xs.
    apply: (covered_none P co _ ey sl); have [_ [_ [py clp]]] := se.
    split=> //; split; last by split=> // z bz; apply: clp; have [] := between_far b bz.
    by have [w' [_ [l1 [l2 l3]]]] := between_line b; rewrite -(line_one l1 l').
  by apply: (other_player (passing_player P)); rewrite -e (who_nothing (cl y b)).
Qed.
Theorem covered_beyond_the_pawn : Statements.covered_beyond_the_pawn.
Proof. by move=> S sd f t v s w; apply: covered_beyond; left. Qed.
Theorem covered_beyond_the_taken : Statements.covered_beyond_the_taken.
Proof. by move=> S sd f t v s w; apply: covered_beyond; right. Qed.
Theorem no_pawn_stood_there : Statements.no_pawn_stood_there.
Proof.
  move=> S sd c f t v d s P [nc E] [_ np]; subst d; exists c; split=> //; split=> // e.
  by have [E _ _ _] := passed_other P (at_who e); apply: np; rewrite -E.
Qed.
Theorem it_was_taken : Statements.it_was_taken.
Proof.
  move=> S sd c f t v d P [nc E]; subst d; exists c; split=> //; split=> //; rewrite (passed_taken P).
  by case=> E; case: (other_player nc).
Qed.
Theorem a_pawn_is_taken_in_passing : Statements.a_pawn_is_taken_in_passing.
Proof.
  move=> S sd c f t v d q P [nc E] [_ eq] [_ nh] n ne e se s sw w nw np; subst d; apply/(passing_legal P).
  move=> q' x /(passed_king P) e' ex a; have E := sound_one_king sd e' eq; subst q' => {e'}.
  have [ea xf xt xv] := passed_other P ex; have wa : what (passed_by S c f t v) x = what S x by rewrite /what ea.
  have ex' : who S x = other c by rewrite -ex /who ea.
  have st : S x = (other c, King) -> step x q -> False.
    move=> k st; apply: (sound_one_check sd (c := c)).
      by exists q, x; split=> //; split=> //; apply/attacksP; constructor 3; rewrite (at_what k).
    exists x, q; split=> //; rewrite otherK; split; first exact: at_who eq.
    by apply/attacksP; constructor 3; rewrite (at_what eq) step_sym.
  case/attacksP: a => [[v' [sl [l cl]]]|[k h]|[k h]|[k h]]; [rewrite wa in sl | rewrite wa in k ..].
  - have co : Words.covered S f t v q (opposite v') by case: (v') sl.
    apply: (covered_none P co _ ex); last by apply/slides_opposite.
    split; first by apply: opposite_some; apply: slides_some sl.
    split; first by apply/line_back.
    by split; [rewrite ex; apply: other_player | move=> y /between_sym; apply: cl].
  - by apply: (nh x h); rewrite (what_at k) ex'.
  - by apply: st h; rewrite (what_at k) ex'.
  - have [c' [P' [_ no]]] : Words.passing_pawn S (other c) f t v x.
      by apply: np; rewrite ex in h; split=> //; move: h; clear; case: c; geo.
    have E := passing_side P P'; subst c'.
    by apply: no; rewrite (what_at (B := passed_by S c f t v) (s := x) (k := Pawn)) ?ex // wa.
Qed.
