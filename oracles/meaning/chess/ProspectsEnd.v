(** The end of the part `prospects`: that there is an answer to a promotion, and mate by a move of which enough was said
    before it was made. *)
From Chess Require Import Board Lines Effects Prospects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** Close to the other king. *)
Theorem close_is_the_king : Statements.close_is_the_king.
Proof. by move=> S so c f t d q pr [_ ->] [_ qk]; exists c, t, q; split=> //; split=> //; left. Qed.
Theorem close_is_a_step : Statements.close_is_a_step.
Proof. by move=> S so c f t d q s pr [_ ->] [_ qk] st; exists c, t, q; split=> //; split=> //; right. Qed.

(** What it becomes does not attack a square. *)
Lemma slider_misses S c f t k s w :
  sound S -> Words.plain S c f t k -> slides k w ->
  (forall q (v : way), S q = (other c, King) -> slides k v -> line t s v ->
     (forall x, between t s x -> put (gone S c f t k) q nothing x = nothing) -> False) -> Words.misses S f t k s.
Proof.
  move=> so pl sl h c' q pl' qk; have g := plain_so so pl; have g' := plain_so so pl'.
  have e : c' = c by rewrite -(so_from g) -(so_from g').
  rewrite {}e {c' g'} in pl' qk *; move/attacksP; rewrite /what /who (goer_at g qk) /=.
  case=> [[v [sv [l cl]]]|[e]|[e]|[e]]; first exact: h qk sv l cl.
  all: by case: (slides_kind sl) => [|[|]]; rewrite e.
Qed.
Theorem it_misses_off_its_lines : Statements.it_misses_off_its_lines.
Proof.
  move=> S so c f t k s w pl _ sl l; apply: slider_misses (pl) (sl) _ => // q v _ sv l' _.
  by case: (slides_some sv); apply: line_one l' l.
Qed.
Theorem it_misses_beside_its_lines : Statements.it_misses_beside_its_lines.
Proof.
  move=> S so c f t k s w u pl _ sl l [_ [_ n]]; apply: slider_misses (pl) (sl) _ => // q v _ sv l' _.
  by apply: n; rewrite (line_one l l').
Qed.
Lemma man_there S b e j : S b = (e, j) -> e <> Nobody -> S b <> nothing.
Proof. by move=> -> n []. Qed.
(** Where a man stood, but on the square that was left, one stands. *)
Lemma gone_full S c f t k b : c <> Nobody -> S b <> nothing -> b <> f -> gone S c f t k b <> nothing.
Proof.
  move=> nc nb nf; rewrite /gone /put; case: eqP => _; first by case.
  by case: eqP.
Qed.
Theorem it_misses_behind_another : Statements.it_misses_behind_another.
Proof.
  move=> S so c f t k s w d q b e j pl _ sl [nc ed] [_ qk] m bj ne nf nq; subst d.
  apply: slider_misses (pl) (sl) _ => // q' v qk' _ _ /(_ b m).
  rewrite (one_king so qk' qk) put_else //; apply: gone_full => //; exact: man_there bj ne.
Qed.

(** No line to a square is opened at the square that was left. *)
Lemma shuts_unless S c f t s :
  sound S -> Words.promotable S c f t ->
  (forall j x, who S x = c -> x <> f -> x <> t -> Board.attacks (gone S c f t j) x s -> between x s f ->
     attacks S x s) ->
  Words.shuts S f t s.
Proof.
  move=> so [lg _] h c' j x pl xc nf at_; have g := plain_so so pl.
  have e : c' = c by rewrite -(so_from g); case: (legal_side lg).
  rewrite {}e {c'} in pl xc at_ g; have [nt _] := own_man_stays g xc nf.
  by have [_ [//|m]] := gone_attack (so_side g) (so_apart g) nt at_; apply: h xc nf nt at_ m.
Qed.
Theorem shut_off_every_line : Statements.shut_off_every_line.
Proof.
  move=> S so c f t s pr _ l; apply: shuts_unless (pr) _ => // j x xc nf nt at_ m.
  have [w [n [_ [_ l']]]] := between_line m; case: (opposite_some n).
  by apply: line_one (line_opposite l') l.
Qed.
Theorem shut_where_nobody_aims : Statements.shut_where_nobody_aims.
Proof.
  move=> S so c f t s w pr _ l [nc qu]; apply: shuts_unless (pr) _ => // j x xc nf nt at_ m.
  have [_ [v [sl lv]]] := attacks_across at_ m; have [l1 l2] := between_on (slides_some sl) lv m.
  have e : w = opposite v by apply: line_one l (line_opposite l2).
  subst w; case: (qu x) => //; last first.
    by apply/slides_opposite; move: sl; rewrite /what gone_else.
  split; first exact: opposite_some (slides_some sl).
  split; first exact: line_opposite.
  split; first by rewrite xc.
  move=> y /between_sym my; have [n [ny _]] := between_apart my; have [my' _] := between_near m my.
  have := attacks_clear at_ my'; rewrite /gone /put; case: eqP => _; first by case=> e; case: nc.
  by case: eqP.
Qed.
Theorem shut_by_another : Statements.shut_by_another.
Proof.
  move=> S so c f t s d q b e k pr _ [nc _] _ m bk ne _; apply: shuts_unless (pr) _ => // j x xc nf nt at_ mf.
  have [mb _] := between_far mf (proj1 (between_sym _ _ _) m).
  have [_ [nb _]] := between_apart m.
  by case: (@gone_full S c f t j b nc (man_there bk ne) nb); apply: attacks_clear at_ mb.
Qed.

(** Answers to a promotion. *)
Lemma reply_legal S c f t k y z q :
  let A := after S c f t k in let B := gone A (other c) y z (what A y) in
  sound S -> Words.plain S c f t k -> goes A (other c) y z ->
  (forall r, B r = (other c, King) -> r = q) -> ~ Board.attacks B t q ->
  (forall x, who S x = c -> x <> f -> B x = gone S c f t k x -> x <> z -> ~ Board.attacks B x q) ->
  legal_move A (other c) y z.
Proof.
  move=> A B so pl go one nt others; exists B; split; first exact: Goes.
  have g := plain_so so pl; have nc := so_side g; have nd := other_not nc.
  move=> r x /one -> {r}; rewrite otherK => xc.
  have nz : x <> z by move=> e; move: xc; rewrite e /B /who gone_to.
  have ny : x <> y by move=> e; subst x; move: xc; rewrite /B /who gone_from //= => /esym.
  have ex : B x = gone S c f t k x by rewrite /B gone_else.
  case: (x =P t) => [->//|ntx]; move: xc; rewrite /who ex.
  case: (x =P f) => [e|nf]; first by rewrite e gone_from => [/esym/nc|]; [done | exact: so_apart g].
  by rewrite gone_else // => xc; apply: others.
Qed.
(** The other king stands where it stood. *)
Lemma after_king S c f t k r : goes_so S c f t k -> gone S c f t k r = (other c, King) -> S r = (other c, King).
Proof.
  move=> g; rewrite /gone /put; case: eqP => _; first by case=> e; case: (other_not (so_side g)).
  by case: eqP => // _ [e]; case: (other_player (so_side g)).
Qed.
(** A square of another man than the two moved stands as before to what attacks along a line across neither. *)
Lemma attacks_back B c y z j x s :
  y <> z -> x <> z -> x <> y -> ~ between x s y -> c <> Nobody ->
  Board.attacks (gone B c y z j) x s -> Board.attacks B x s.
Proof. by move=> n nz ny nb nc /(gone_attack nc n nz) [_ []]. Qed.
Theorem the_king_can_step : Statements.the_king_can_step.
Proof.
  move=> S so c f t k d q s w r pr pl [nc e] [nd qk] st [_ [ns nk]] nst un sh mi sq lw [_ er] [_ qu]; subst d r.
  have g := plain_so so pl; have [nqf [nqt qg]] := other_king_apart g qk.
  have qA : what (after S c f t k) q = King by rewrite /what /= qg.
  have nqs : q <> s by move=> e; subst s; case: (line_self lw).
  exists c; split=> //; split; first by case: pr => _ [].
  exists q, s; apply: (reply_legal (q := s) so pl).
  - split=> //; split; first by rewrite /who /= qg.
    rewrite qA; split; first by rewrite /Board.attacks qA.
    rewrite /who /what /=; case: (s =P f) => [->|nsf]; last by rewrite gone_else.
    by rewrite gone_from; [split=> // /esym | exact: so_apart g].
  - move=> r; case: (r =P s) => // n; case: (r =P q) => [->|n']; first by rewrite gone_from // => -[] /esym.
    by rewrite gone_else // => /(after_king g) rk; case: n'; apply: one_king so rk qk.
  - move=> at_; apply: (mi c q pl qk); apply: attacks_still at_ _ _ => [|x m].
      by rewrite [in RHS]/gone [in RHS]put_else //; apply: not_eq_sym.
    by have [_ [n _]] := between_apart m; rewrite {1}/gone put_else.
  - move=> x xc nf ex nxs at_; have [nt ex'] := own_man_stays g xc nf.
    have nq : x <> q by move=> e; subst x; move: xc; rewrite (at_who qk) => /(other_not nc).
    have [_ [a|m]] := gone_attack nd nqs nxs at_; first by apply: (proj2 un x xc); apply: sh pl xc nf a.
    have [_ [v [sl lv]]] := attacks_across at_ m; have nv := slides_some sl; have [l1 l2] := between_on nv lv m.
    have e := line_one lw l2; subst w; have sx : slides (what S x) v by move: sl; rewrite /what ex ex'.
    have aq : attacks S x q.
      apply: sq pl xc nf _; apply/attacksP; constructor 1; exists v; rewrite /what ex'; split=> //; split=> // y my.
      have [_ [ny _]] := between_apart my; have [my' _] := between_near m my; have := attacks_clear at_ my'.
      by have [_ [nys _]] := between_apart my'; rewrite gone_else.
    have se : Board.sees S q (opposite v) x.
      by apply: line_piece_sees aq _ _; [rewrite xc | apply/slides_opposite | apply: line_opposite].
    by apply: (qu x se xc); apply/slides_opposite.
Qed.
Theorem a_pawn_can_advance : Statements.a_pawn_can_advance.
Proof.
  move=> S so c f t k d q y z pr pl [nc e] [_ ca] [nd qk] sh mi yp l nyt ad ze nzt; subst d.
  have g := plain_so so pl; have [nqf [nqt qg]] := other_king_apart g qk.
  have nyf : y <> f by move=> e; subst y; move: (so_from g); rewrite (at_who yp) => /(other_not nc).
  have yA : after S c f t k y = (other c, Pawn) by rewrite /= gone_else.
  have nyz : y <> z by move=> e; subst z; case: (other c) nd ad => //; geo.
  have zA : after S c f t k z = nothing by apply: gone_empty nzt _; right.
  have nb x : ~ between x q y.
    by move=> /between_line [w [n [_ [_ l']]]]; apply: (opposite_some n); apply: line_one (line_opposite l') l.
  exists c; split=> //; split; first by case: pr => _ [].
  exists y, z; apply: (reply_legal (q := q) so pl).
  - split=> //; split; first exact: at_who yA.
    by rewrite (at_what yA); left.
  - move=> r; rewrite (at_what yA); case: (r =P z) => [->|n]; first by rewrite gone_to.
    case: (r =P y) => [->|n']; first by rewrite gone_from // => -[] /esym.
    by rewrite gone_else // => /(after_king g) rk; apply: one_king so rk qk.
  - move=> at_; have a := attacks_back nyz (not_eq_sym nzt) (not_eq_sym nyt) (nb t) nd at_.
    by apply: (mi c q pl qk); apply: cleared_attack_still a; apply: not_eq_sym.
  - move=> x xc nf ex nxz at_; have nxy : x <> y.
      by move=> e; subst x; move: xc; rewrite (at_who yp) => /(other_not nc).
    have a := attacks_back nyz nxz nxy (nb x) nd at_.
    by apply: (ca q x qk _ (sh c k x pl xc nf a)); rewrite otherK.
Qed.

(** Mate: the king has no step, no other man an answer, and nobody castles out of check. *)
Lemma mate_after S c f t k q x :
  sound S -> Words.plain S c f t k -> S q = (other c, King) -> who (after S c f t k) x = c ->
  Board.attacks (after S c f t k) x q -> Words.hems S f t k ->
  (forall y s, what S y <> King -> ~ legal_move (after S c f t k) (other c) y s) ->
  Words.mated (after S c f t k) (other c).
Proof.
  move=> so pl qk xc at_ he no; have g := plain_so so pl; have nd := other_player (so_side g).
  have [_ [_ qg]] := other_king_apart g qk.
  have qw : what (after S c f t k) q = King by rewrite /what /= qg.
  have ch : in_check (after S c f t k) (other c) by exists q, x; rewrite otherK.
  split=> //; split=> // y s lg; case: (what S y =P King) => [yk|/no]; last by move=> n; apply: (n s).
  have [_ yd] := legal_side lg; have ey : y = q.
    have yA : after S c f t k y = S y.
      move: yd; rewrite /who /= /gone /put; case: eqP => [_ /= /esym /(other_not (so_side g))//|_].
      by case: eqP => // _ /= /esym /nd.
    by apply: one_king so _ qk; move: yd yk; rewrite /who /what yA; case: (S y) => ? ? /= -> ->.
  subst y; case: (lg) => B [mk _]; case: mk => [go|v [e _]|w r p [_ [_ [_ [_ [_ /(_ q (or_introl erefl))]]]]]].
  - have st : step q s by case: go => _ [_]; rewrite (qw) => -[+ _]; rewrite /Board.attacks (qw).
    by move: (he s q); rewrite (so_from g) => /(_ qk st).
  - by move: e; rewrite /= qg.
  - by case; exists x; rewrite otherK.
Qed.
Theorem mate_by_what_was_moved : Statements.mate_by_what_was_moved.
Proof.
  move=> S S' act so pa c f t k d mv tk [nd ed] he [c' [q [pl [qk at_]]]] sc.
  have ec : c' = c by case: mv pl => _ [fc _] [[_ [fc' _]] _]; rewrite -fc -fc'.
  rewrite {}ec {c'} in pl qk at_; have -> : d = other c by rewrite ed otherK.
  have [_ ->] := plain_done so pa mv tk (ex_intro _ k pl).
  have xc : who (after S c f t k) t = c by rewrite /who /= gone_to.
  exact: mate_after so pl qk xc at_ he (sc c k q pl qk xc at_).
Qed.
Theorem mate_by_what_was_unveiled : Statements.mate_by_what_was_unveiled.
Proof.
  move=> S S' act so pa c f t k d a mv tk [nd ed] he [c' [j [q [pl' [qk [ac [nf [bf at_]]]]]]]] sc.
  have ec : c' = c by case: mv pl' => _ [fc _] [[_ [fc' _]] _]; rewrite -fc -fc'.
  rewrite {}ec {c'} in pl' qk at_ ac; have -> : d = other c by rewrite ed otherK.
  have [pl ->] := plain_done so pa mv tk (ex_intro _ j pl').
  have [nt ea] := own_man_stays (plain_so so pl) ac nf; have [_ ea'] := own_man_stays (plain_so so pl') ac nf.
  have xc : who (after S c f t k) a = c by rewrite /who /= ea.
  have at' : Board.attacks (after S c f t k) a q.
    apply: attacks_still at_ _ _ => [|x _]; first by rewrite ea' /= ea.
    by rewrite /= /gone /put; case: eqP => // _ [e]; case: (so_side (plain_so so pl)).
  exact: mate_after so pl qk xc at' he (sc c k q pl qk xc at').
Qed.
