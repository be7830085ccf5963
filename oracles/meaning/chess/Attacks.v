(** The clauses of `attacks`: lines, what attacks what along them, and that nobody attacks a square. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma slides_of k w : slides k w -> k <> King /\ k <> Knight /\ k <> Pawn /\ k <> Empty.
Proof. by move/slides_kind; case=> [->|[->|->]]. Qed.

Theorem clear_where_every_square_between_is_empty : Statements.clear_where_every_square_between_is_empty.
Proof. by move=> S sd a b n [al _] H; split. Qed.
Theorem sees_the_first : Statements.sees_the_first.
Proof.
  move=> S sd x c k s w e nc [al H] l; split; last by split=> //; split=> //; rewrite /who e.
  by case: al => v [nv lv]; rewrite (line_one l lv).
Qed.
Theorem open_to_the_edge : Statements.open_to_the_edge.
Proof.
  move=> S sd s w e [l b] em [al H]; have nw : w <> Nowhere by case: b.
  split=> // x lx; case: (line_two nw lx l) => [->//|[m|m]]; first exact: H.
  by have [_ lex] := between_on nw lx m; case: (border_line b lex).
Qed.
Theorem a_line_piece_attacks : Statements.a_line_piece_attacks.
Proof. by move=> S sd a d k w b e sl l [_ H]; apply/attacksP/Or41; exists w; rewrite /what e. Qed.
Theorem a_knight_attacks : Statements.a_knight_attacks.
Proof. by move=> S sd a d b e h; apply/attacksP/Or42; rewrite /what e. Qed.
Theorem a_king_attacks : Statements.a_king_attacks.
Proof. by move=> S sd a d b e h; apply/attacksP/Or43; rewrite /what e. Qed.
Theorem a_pawn_attacks : Statements.a_pawn_attacks.
Proof. by move=> S sd a d b e h; apply/attacksP/Or44; rewrite /what /who e. Qed.
Theorem attacked_by_somebody : Statements.attacked_by_somebody.
Proof. by move=> S sd a b c k at_ e; exists a; rewrite /who e. Qed.

Theorem quiet_at_the_border : Statements.quiet_at_the_border.
Proof. by move=> S sd c s w nc b; split=> // x [_ [/(border_line b)]]. Qed.
Theorem quiet_where_nobody_stands : Statements.quiet_where_nobody_stands.
Proof. by move=> S sd c s w nc [_ H]; split=> // x [_ [/H /who_nothing e [n _]]]; case: n. Qed.
Theorem quiet_behind_the_opponent : Statements.quiet_behind_the_opponent.
Proof.
  move=> S sd s w x d k c see e [nd ->]; split=> [|y see' o]; first exact: other_player.
  by have ey := sees_one see see'; subst y; rewrite /who e /= in o; case: (other_not nd).
Qed.
Theorem quiet_behind_a_blunt_man : Statements.quiet_behind_a_blunt_man.
Proof.
  move=> S sd s w x c k see e [_ [_ n]]; have nc : c <> Nobody by case: see => _ [_ []]; rewrite /who e.
  by split=> // y see' o; rewrite -(sees_one see see') /what e.
Qed.
Theorem unaimed_from_everywhere : Statements.unaimed_from_everywhere.
Proof.
  move=> S sd c s q1 q2 q3 q4 q5 q6 q7 q8; have [nc _] := q1; split=> //; case=> //.
  by split=> // x [].
Qed.
Theorem no_knight_but_nothing : Statements.no_knight_but_nothing.
Proof. by move=> S sd c s nc e; split=> //; rewrite e. Qed.
Theorem no_knight_but_the_opponent : Statements.no_knight_but_the_opponent.
Proof. by move=> S sd s d k c e [nd ->]; split; [exact: other_player | rewrite e => -[o _]; case: (other_not nd)]. Qed.
Theorem no_knight_but_another : Statements.no_knight_but_another.
Proof. by move=> S sd s c k e nc n; split=> //; rewrite e => -[]. Qed.
Theorem no_pawn_but_nothing : Statements.no_pawn_but_nothing.
Proof. by move=> S sd c s nc e; split=> //; rewrite e. Qed.
Theorem no_pawn_but_the_opponent : Statements.no_pawn_but_the_opponent.
Proof. by move=> S sd s d k c e [nd ->]; split; [exact: other_player | rewrite e => -[o _]; case: (other_not nd)]. Qed.
Theorem no_pawn_but_another : Statements.no_pawn_but_another.
Proof. by move=> S sd s c k e nc n; split=> //; rewrite e => -[]. Qed.
Theorem no_knight_beyond_the_border : Statements.no_knight_beyond_the_border.
Proof.
  move=> S sd c s l nc n; split=> // h [e1 e2]; exfalso; apply: n; rewrite -e1 -e2.
  by split; [exact: fl_range | exact: rk_range].
Qed.
Theorem no_knight_at_its_end : Statements.no_knight_at_its_end.
Proof.
  move=> S sd c h s l [nc n] [e1 e2]; split=> // x [e3 e4].
  by rewrite (_ : x = h) //; apply/sqE; rewrite e1 e2.
Qed.
Theorem no_knight_hops_there : Statements.no_knight_hops_there.
Proof.
  move=> S sd c s [nc u1] [_ u2] [_ u3] [_ u4] [_ u5] [_ u6] [_ u7] [_ u8]; split=> // h hp.
  have : [\/ Words.leg s Nne h \/ Words.leg s Ene h, Words.leg s Ese h \/ Words.leg s Sse h,
    Words.leg s Ssw h \/ Words.leg s Wsw h | Words.leg s Wnw h \/ Words.leg s Nnw h].
    rewrite /Words.leg; clear -hp.
    have : (fl h - fl s = 1 \/ fl h - fl s = -1) /\ (rk h - rk s = 2 \/ rk h - rk s = -2)
      \/ (fl h - fl s = 2 \/ fl h - fl s = -2) /\ (rk h - rk s = 1 \/ rk h - rk s = -1) by geo.
    case=> -[[e1|e1] [e2|e2]]; solve
      [ apply: Or41; (left + right); split; simpl; lia | apply: Or42; (left + right); split; simpl; lia
      | apply: Or43; (left + right); split; simpl; lia | apply: Or44; (left + right); split; simpl; lia].
  by case=> -[]; [apply: u1 | apply: u2 | apply: u3 | apply: u4 | apply: u5 | apply: u6 | apply: u7 | apply: u8].
Qed.
Lemma flank_side c w : Words.flank c w -> c <> Nobody.
Proof. by case=> v [] [[->]|[->]]. Qed.
Theorem no_pawn_beyond_the_border : Statements.no_pawn_beyond_the_border.
Proof. by move=> S sd c w s /flank_side nc b; split=> // p /next_line /(border_line b). Qed.
Theorem no_pawn_there : Statements.no_pawn_there.
Proof.
  move=> S sd c p w s [nc n] _ [_ [e1 e2]]; split=> // x [_ [e3 e4]].
  by rewrite (_ : x = p) //; apply/sqE; rewrite e1 e2.
Qed.
Theorem no_pawn_strikes_there : Statements.no_pawn_strikes_there.
Proof.
  move=> S sd c w v s fl_ [nc u1] [_ u2]; split=> // p st.
  have [n|n] : next s w p \/ next s v p; last by [apply: u2]; last by [apply: u1].
  case: fl_ => -[ec [ew ev]]; subst c w v; rewrite /next; clear -st.
    have : fl p - fl s = -1 \/ fl p - fl s = 1 by geo.
    by case=> e; [left | right]; split=> //; geo.
  have : fl p - fl s = -1 \/ fl p - fl s = 1 by geo.
  by case=> e; [left | right]; split=> //; geo.
Qed.
Theorem the_king_is_far : Statements.the_king_is_far.
Proof.
  move=> S sd c q s n nc [_ kq] -> far; split=> // r kr st.
  by rewrite (sound_one_king sd kr kq) in st.
Qed.
Theorem nobody_attacks : Statements.nobody_attacks.
Proof.
  move=> S sd c s [nc ua] [_ uh] [_ us] [_ kl]; split=> // x o at_.
  have e k : what S x = k -> S x = (c, k) by move=> ek; rewrite -o -ek /who /what; case: (S x).
  move/attacksP: (at_) => [[w [sl [l _]]]|[ek h]|[ek h]|[ek h]].
  - have [_ q] := ua (opposite w); apply: (q x) => //; last by apply/slides_opposite.
    apply: line_piece_sees at_ _ _; [by rewrite o | by apply/slides_opposite | by apply/line_back].
  - exact: uh (e _ ek).
  - exact: kl (e _ ek) h.
  by rewrite o in h; apply: us (e _ ek).
Qed.
