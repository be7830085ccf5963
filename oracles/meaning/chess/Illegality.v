(** The clauses of `illegality`: which moves are not legal. *)
From Chess Require Import Effects Legality.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

Lemma at_player S s c k : S s = (c, k) -> Words.player c -> S s <> nothing.
Proof. by move=> e pc E; apply: pc; rewrite -(at_who e) (who_nothing E). Qed.
(** A man but the king goes, or it is a pawn that takes in passing. *)
Lemma legal_goes S c f t : legal_move S c f t -> what S f <> King -> goes S c f t \/ exists v, in_passing S c f t v.
Proof.
  move=> [B [mk _]] nk; case: mk => [g|v P _|g r p _ E]; [by left | by right; exists v | by []].
Qed.
Lemma legal_pawn S c f t : S f = (c, Pawn) -> legal_move S c f t ->
  [\/ advance c f t /\ S t = nothing, exists o, leap c f o t /\ S o = nothing /\ S t = nothing,
      strikes c f t /\ who S t = other c | strikes c f t /\ S t = nothing
      /\ passed S = Some t /\ exists h v, leap (other c) h t v].
Proof.
  move=> e /legal_goes; rewrite (at_what e) => -[//|[_ [_]]|[v P]].
    rewrite (at_what e) => -[H|[H|[H [H' _]]]]; [by constructor 1 | by constructor 2 | by constructor 3].
  by have [_ [st [pa [et [_ [h L]]]]]] := P; constructor 4; split=> //; split=> //; split=> //; exists h, v.
Qed.
Lemma reaches_not_passing S c f t : Words.reaches S f t -> who S f = c -> forall v, ~ in_passing S c f t v.
Proof. by move=> [_ g] e v P; rewrite e in g; apply: (in_passing_not_goes P g). Qed.
(** A king that goes two squares castles. *)
Lemma legal_castle S c g q t r p : castle c g q t r p -> S q = (c, King) -> legal_move S c q t ->
  Board.may_castle S c g q t r p.
Proof.
  move=> C e [B [mk _]]; have nc : c <> Nobody by case: C.
  case: mk => [[_ [_]]|v [E _]|g' r' p' M _]; rewrite ?(at_what e); last first.
  - have [C' _] := M.
    have E : g' = g by move: C C'; clear; case: c; case: g; case: g' => //; geo.
    subst g'; suff [E1 E2] : r = r' /\ p = p' by subst r' p'.
    by move: C C'; clear; case: c; case: g; geo.
  - by rewrite e in E.
  - by move=> [at1 _]; case: (castle_apart C); move: at1; rewrite /attacks (at_what e).
Qed.

Theorem within_its_range : Statements.within_its_range.
Proof. by move=> S sd f c k t e R; rewrite /Words.range_of (at_who e) (at_what e). Qed.
Theorem onto_an_own_man : Statements.onto_an_own_man.
Proof.
  move=> S sd f c k t j e R et L; have [B [mk _]] := L.
  by have [_ [n _]] := makes_target sd mk; apply: n; apply: at_who et.
Qed.
Theorem onto_a_king : Statements.onto_a_king.
Proof.
  move=> S sd t d f c j et R e L; have [B [mk _]] := L.
  by have [_ [_ n]] := makes_target sd mk; apply: n; apply: at_what et.
Qed.
Theorem through_another : Statements.through_another.
Proof.
  move=> S sd f t c k x d j R e b ex pd [B [mk _]]; have full := at_player ex pd.
  case: mk => [[nc [_ g]]|v [_ [st _]] _|g r p M _].
  - have att : attacks S f t -> False by move=> a; apply: full; apply: attacks_clear a b.
    case: (what S f) g => [[/att []]|[/att []]|[/att []]|[/att []]|[/att []]|g|[/att []]].
    case: g => [[ad _]|[[o [L [eo _]]]|[st _]]]; first by case: (step_between (advance_step ad) b).
      by apply: full; rewrite (leap_over L b).
    by case: (step_between (strikes_step st) b).
  - by case: (step_between (strikes_step st) b).
  - have [C [_ [_ [_ [em _]]]]] := M; apply: full; apply: em.
    have bt : between f r t.
      case: (g) C => C; [exists East | exists West]; split=> //; move: C; clear; by case: c; geo.
    by have [] := between_near bt b.
Qed.
Theorem a_pawn_onto_another : Statements.a_pawn_onto_another.
Proof.
  move=> S sd f c t d k e ad et pd; move/(legal_pawn e) => H; have full := at_player et pd.
  by case: H => [[_ //]|[o [_ [_ //]]]|[st _]|[_ [//]]]; move: ad st; clear; case: c; geo.
Qed.
Theorem a_pawn_two_steps_onto_another : Statements.a_pawn_two_steps_onto_another.
Proof.
  move=> S sd f c o t d k e L et pd; move/(legal_pawn e) => H; have full := at_player et pd.
  by case: H => [[_ //]|[o' [_ [_ //]]]|[st _]|[_ [//]]]; move: L st; clear; case: c; geo.
Qed.
Theorem a_pawn_takes_nothing : Statements.a_pawn_takes_nothing.
Proof.
  move=> S sd f c t e st et sh; move/(legal_pawn e) => H; have nc : c <> Nobody by case: st.
  case: H => [[ad _]|[o [L _]]|[_ E]|[_ [_ [E _]]]].
  - by move: ad st; clear; case: c; geo.
  - by move: L st; clear; case: c; geo.
  - by apply: (other_player nc); rewrite -E (at_who et).
  - by move: sh; rewrite /Words.en_passant E eqxx.
Qed.
Theorem a_pawn_takes_no_own_in_passing : Statements.a_pawn_takes_no_own_in_passing.
Proof.
  move=> S sd f c t h v e st et L; move/(legal_pawn e) => H; have nc : c <> Nobody by case: st.
  case: H => [[ad _]|[o [L' _]]|[_ E]|[_ [_ [E [h' [v' L']]]]]].
  - by move: ad st; clear; case: c; geo.
  - by move: L' st; clear; case: c; geo.
  - by apply: (other_player nc); rewrite -E (at_who et).
  - by apply: (other_not nc); apply: leap_side L' L.
Qed.

(** Pinned men, and checks that stay. *)
Theorem a_pinned_man_leaves_its_line : Statements.a_pinned_man_leaves_its_line.
Proof.
  move=> S sd c f x t q w v P R [nc eq] l l' n L; apply: n.
  have [_ [_ [_ [q' [eq' [b _]]]]]] := P; have E := sound_one_king sd eq' eq; subst q'.
  have [u [su [l1 [l2 _]]]] := between_line b; have E := line_one l l2; subst u.
  case: (pinned_stays sd P eq L) => [E|b']; first by subst t; apply: line_one l' l1.
  by have [l3 _] := between_on su l1 b'; apply: line_one l' l3.
Qed.
Theorem a_pinned_man_answers_no_check : Statements.a_pinned_man_answers_no_check.
Proof.
  move=> S sd c f x t y P R [nc [q [eq [ey a]]]] L.
  have [_ [ef [ex [q' [eq' [b ax]]]]]] := P; have E := sound_one_king sd eq' eq; subst q'.
  have b2 := proj1 (between_sym _ _ _) b.
  have on := other_player nc.
  have full z : who S z <> Nobody -> S z <> nothing by move=> n E; apply: n; apply: who_nothing.
  have fx : S x <> nothing by apply: full; rewrite ex.
  have fy : S y <> nothing by apply: full; rewrite ey.
  have ff : S f <> nothing by apply: full; rewrite ef.
  have yf : y <> f by move=> E; subst y; apply: (other_not nc); rewrite -ey.
  have yx : y <> x by move=> E; subst y; apply: ff; apply: attacks_clear a b2.
  have nyx : ~ between q x y.
    by move=> /between_sym bb; have := attacks_clear ax bb; rewrite /Words.without put_else.
  have nxy : ~ between q y x by move=> /between_sym bb; apply: fx; apply: attacks_clear a bb.
  case: (pinned_stays sd P eq L) => Ht; case: (legal_answers sd L (proj1 R) eq ey a) => H.
  - by apply: yx; rewrite -Ht.
  - by subst t; apply: nxy.
  - exact (reaches_not_passing R ef H).
  - by subst t; apply: nyx.
  - case: (between_line Ht) => w [sw [l1 [l2 _]]]; case: (between_line H) => w' [_ [l3 [l4 _]]].
    have E := line_one l4 l2; subst w'.
    by case: (line_two sw l1 l3) => [E|[|]//]; apply: yx.
  - exact (reaches_not_passing R ef H).
Qed.
Theorem the_check_stays : Statements.the_check_stays.
Proof.
  move=> S sd f t c k x q R e [nc [q' [eq' [ex a]]]] [_ eq] n l L; have E := sound_one_king sd eq' eq; subst q'.
  case: (legal_answers sd L (proj1 R) eq ex a) => [//|b|P].
    by have [w [sw [l' _]]] := between_line b; apply: sw; apply: line_one l' l.
  exact (reaches_not_passing R (at_who e) P).
Qed.
Theorem the_check_stays_on_its_line : Statements.the_check_stays_on_its_line.
Proof.
  move=> S sd f t c k x q w R e [nc [q' [eq' [ex a]]]] [_ eq] n l sw nb L; have E := sound_one_king sd eq' eq; subst q'.
  case: (legal_answers sd L (proj1 R) eq ex a) => [//|b|P]; first by apply: (nb t b).
  exact (reaches_not_passing R (at_who e) P).
Qed.
Theorem two_checks : Statements.two_checks.
Proof. move=> S sd f t c k x y R e cx cy n; apply: (Effects.two_checks sd cx cy n); exact: (proj1 R). Qed.

(** The king. *)
Theorem a_king_into_an_attack : Statements.a_king_into_an_attack.
Proof.
  move=> S sd c q t d [nc eq] st [_ E] [x [ex a]] L; subst d.
  have [_ _ H] := proj1 (king_step_legal sd eq nc st) L.
  apply: (H x ex); first exact: attacks_apart a.
  by apply: cleared_attack_still a => E; subst x; apply: (other_not nc); rewrite -ex; apply: at_who eq.
Qed.
Theorem a_king_along_the_line_of_a_check : Statements.a_king_along_the_line_of_a_check.
Proof.
  move=> S sd c q t w r x d j [nc eq] st l [sw E] [sr [l' [px cl]]] e [_ E'] sl L; subst r d.
  have [_ _ H] := proj1 (king_step_legal sd eq nc st) L.
  have l2 := proj1 (line_back _ _ _) l'.
  have xq : x <> q by move=> E; subst x; case: (line_self l').
  have xt : x <> t by move=> E; subst x; apply: (line_self (line_trans sw l l2)).
  apply: (H x (at_who e) xt); apply/attacksP; constructor 1; exists w.
  rewrite /what put_else // e; split=> //; split; first exact: line_trans l2 l.
  move=> y b; case: (eqVneq y q) => [->|/eqP yq]; first by rewrite put_at.
  rewrite put_else //; apply: cl; have [l3 l4] := between_on sw (line_trans sw l2 l) b.
  case: (line_two sw l3 l2) => [//|[bb|bb]]; first by apply/between_sym.
  case: (step_between (x := y) st); exists w; split=> //; split=> //.
  by have [w' [_ [_ [l5 l6]]]] := between_line bb; rewrite -(line_one l5 l2).
Qed.
Theorem castling_lost : Statements.castling_lost.
Proof. by move=> S sd c g q t r p [_ K] C [_ eq] /(legal_castle C eq) [_ [E _]]; rewrite E in K. Qed.
Theorem castling_through_another : Statements.castling_through_another.
Proof.
  move=> S sd c g q t r p x e k C [_ eq] b ex pe /(legal_castle C eq) [_ [_ [_ [_ [em _]]]]].
  by apply: (at_player ex pe); apply: em.
Qed.
Theorem castling_in_check : Statements.castling_in_check.
Proof.
  move=> S sd c g q t r p x C [_ eq] [_ [q' [eq' [ex a]]]] /(legal_castle C eq) [_ [_ [_ [_ [_ un]]]]].
  have E := sound_one_king sd eq' eq; subst q'.
  by apply: (un q); [left | exists x].
Qed.
Theorem castling_through_an_attack : Statements.castling_through_an_attack.
Proof.
  move=> S sd c g q t r p d C [_ eq] [_ E] A /(legal_castle C eq) [_ [_ [_ [_ [_ un]]]]]; subst d.
  by apply: (un p _ A); right; left.
Qed.
Theorem castling_into_an_attack : Statements.castling_into_an_attack.
Proof.
  move=> S sd c g q t r p d C [_ eq] [_ E] A /(legal_castle C eq) [_ [_ [_ [_ [_ un]]]]]; subst d.
  by apply: (un t _ A); right; right.
Qed.

(** In passing. *)
Theorem unsafe_for_the_first : Statements.unsafe_for_the_first.
Proof.
  move=> S sd c f t v d s w x j P [nc E] T [sw [l [px cl]]] e sl nb; subst d; exists c; split=> //; exists x.
  have [ef [_ [_ [et [ev _]]]]] := P.
  have E : passed_by S c f t v x = S x.
    apply: passed_else => E; subst x; move: e; rewrite /Words.at_.
    - by rewrite ef; case=> E; case: (other_not nc).
    - by rewrite et; case=> E; case: (other_player nc).
    - by rewrite ev; case=> E; subst j; move: sl; case: (w) => //= -[].
  rewrite /who /what E e; split=> //; split=> //; split=> //; split; first by rewrite /who E e; apply: other_player.
  move=> y b; rewrite /passed_by put_else; last exact: nb.
  by rewrite /put; case: (y == v) => //; case: (y == f) => //; apply: cl.
Qed.
(** Beyond one of the two pawns, which is gone then. *)
Lemma unsafe_beyond S f t v s w x : (x = f \/ x = v) ->
  Words.sees S s w x -> Words.unsafe S f t v x w -> (forall b, between s x b -> b <> t) -> Words.unsafe S f t v s w.
Proof.
  move=> xs [sw [l [px cl]]] [c [P [y [[_ [l' [py cl']]] H]]]] nb; exists c; split=> //; exists y; split; last exact: H.
  split=> //; split; first exact: line_trans l l'.
  split=> // z bz; have [l1 l2] := between_on sw (line_trans sw l l') bz.
  case: (line_two sw l l1) => [E|[b|b]].
  - by subst z; case: xs => ->; [apply: passed_from P | apply: passed_taken P].
  - apply: cl'; exists w; split=> //; split=> //.
    by have [w' [_ [l3 [_ l4]]]] := between_line b; rewrite -(line_one l3 l1).
  - rewrite /passed_by put_else; last exact: nb.
    by rewrite /put; case: (z == v) => //; case: (z == f) => //; apply: cl.
Qed.
Theorem unsafe_beyond_the_pawn : Statements.unsafe_beyond_the_pawn.
Proof. by move=> S sd f t v s w _; apply: unsafe_beyond; left. Qed.
Theorem unsafe_beyond_the_taken : Statements.unsafe_beyond_the_taken.
Proof. by move=> S sd f t v s w _; apply: unsafe_beyond; right. Qed.
Theorem in_passing_opens_a_line : Statements.in_passing_opens_a_line.
Proof.
  move=> S sd c f t v q w P [nc eq] [d [P' [x [se [ex sl]]]]] /(passing_legal P) sa.
  have E := passing_side P P'; subst d.
  by apply: (sa q x _ ex); [apply/(passed_king P) | apply: sees_attacks se sl].
Qed.
Theorem in_passing_leaves_a_check : Statements.in_passing_leaves_a_check.
Proof.
  move=> S sd c f t v x d k P [nc [q [eq [ex a]]]] xv e [ne [_ b1]] [_ [_ b2]] /(passing_legal P) sa.
  have [ef [_ [_ [et _]]]] := P.
  have E : passed_by S c f t v x = S x.
    apply: passed_else => // E; subst x; first by apply: (other_not nc); rewrite -ex; apply: at_who ef.
    by apply: (other_player nc); rewrite -ex (who_nothing et).
  apply: (sa q x); [by apply/(passed_king P) | by rewrite /who E | ].
  have wx : what (passed_by S c f t v) x = what S x by rewrite /what E.
  move: a => /attacksP [[w [sl _]]|[h1 h2]|[h1 h2]|[h1 h2]]; apply/attacksP; rewrite wx.
  - by exfalso; move: sl b1 b2; rewrite (at_what e); clear; case: w => /=; tauto.
  - by constructor 2.
  - by constructor 3.
  - by constructor 4; rewrite /who E.
Qed.
