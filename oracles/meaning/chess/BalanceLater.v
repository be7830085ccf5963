(** What is gained a move later: by a check that only the king can answer, whose step takes nothing, and then by taking
    what it cannot save. *)
From Chess Require Import Board Lines Effects ForksEnd ForksLost Balance.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** The other side's men stay, but for the one that was taken. *)
Lemma stayed S c f t k y : who S f = c -> c <> Nobody -> who (after S c f t k) y = other c ->
  [/\ y <> f, y <> t & after S c f t k y = S y].
Proof.
  move=> wf nc; case: (y =P t) => [->|nt]; first by rewrite (at_who (after_to _ _ _ _ _)) => /esym /(other_not nc).
  case: (y =P f) => [->|nf wy]; last by split=> //; exact: gone_else.
  have -> : after S c f t k f = gone S c f t k f by [].
  rewrite /who /after /= /gone /put eqxx; case: eqP => [e|_] /= e'; first by case: (other_not nc).
  by case: (other_player nc).
Qed.
Lemma other_king_stays S c f t k q : sound S -> Words.plain S c f t k -> S q = (other c, King) ->
  [/\ q <> f, q <> t & after S c f t k q = (other c, King)].
Proof.
  move=> so pn kq; have [nc wf] := plain_side pn; have [n [wt kt]] := plain_away so pn.
  have nt : q <> t by move=> e; subst q; rewrite (at_what kq) in kt.
  have nf : q <> f by move=> e; subst q; rewrite (at_who kq) in wf; case: (other_not nc).
  by split=> //; rewrite -kq; apply: gone_else.
Qed.

Theorem answered_where_it_hits : Statements.answered_where_it_hits.
Proof.
  move=> S so f t k [c [q [pn [kq at_]]]] sc; have [_ _ kq'] := other_king_stays so pn kq; exists c; split=> //.
  have wt := at_who (after_to S c f t k); have [nc _] := plain_side pn.
  split; first by exists q, t; rewrite otherK.
  exact: (sc c k q pn kq wt at_).
Qed.
Theorem answered_where_it_is_unveiled : Statements.answered_where_it_is_unveiled.
Proof.
  move=> S so c' f t k a pn [c [j [q [pj [kq [wa [naf [bt at_]]]]]]]] sc; have [nc wf] := plain_side pj.
  have e : c' = c by have [_ w] := plain_side pn; congruence.
  rewrite {}e in pn; have [_ _ kq'] := other_king_stays so pn kq; have [_ [wt _]] := plain_away so pn.
  have nt : a <> t by move=> e'; subst a.
  have ea : after S c f t k a = S a by apply: gone_else.
  have at' : attacks (after S c f t k) a q.
    apply: (attacks_still at_) => [|y _]; first by rewrite ea gone_else.
    by rewrite /after /= /gone /put; case: eqP => // _ [e']; case: nc.
  have wa' : who (after S c f t k) a = c by rewrite /who ea.
  exists c; split=> //; split; first by exists q, a; rewrite otherK.
  exact: (sc c k q pn kq wa' at').
Qed.
(** Nobody but the king can answer two checks. *)
Lemma leap_beside c f u t a q : leap c f u t -> between a q u -> between a q f -> [\/ t = a, t = q | between a q t].
Proof.
  move=> le m m'; have [w [sw [l [l1 l2]]]] := between_line m; have [l3 l4] := between_on sw l m'.
  have H : t = a \/ t = q \/ line a t w /\ line t q w.
    by move: le; clear m m'; case: c; case: w sw l l1 l2 l3 l4 => //= *; geo.
  by case: H => [|[|[l5 l6]]]; [exact: Or31 | exact: Or32 | apply: Or33; exists w].
Qed.
Theorem answered_where_both_give_check : Statements.answered_where_both_give_check.
Proof.
  move=> S so f t k a [c [q [pn [kq at_]]]] [c' [j [q' [pj [kq' [wa [naf [bt at']]]]]]]]; have [nc wf] := plain_side pn.
  have e : c' = c by have [_ w] := plain_side pj; congruence.
  rewrite {}e in pj kq' wa at'; have e := sound_one_king so kq' kq; subst q'.
  have [qf qt kq1] := other_king_stays so pn kq; have [_ [wt _]] := plain_away so pn; have no := other_player nc.
  have nat_ : a <> t by move=> e; subst a.
  set S1 := after S c f t k.
  have ea : S1 a = S a by apply: gone_else.
  have ta : attacks S1 t q by [].
  have aa : attacks S1 a q.
    apply: (attacks_still at') => [|y _]; first by rewrite ea gone_else.
    by rewrite /S1 /after /= /gone /put; case: eqP => // _ [e']; case: nc.
  have St : S1 t = (c, k) := after_to _ _ _ _ _.
  have wa1 : who S1 a = c by rewrite /who ea.
  have full z : who S1 z = c -> S1 z <> nothing by move=> w e; apply: nc; rewrite -w; exact: who_nothing.
  have at_q : in_check S1 (other c) by exists q, t; rewrite otherK (at_who St).
  exists c; split=> //; split=> // y s nk lg; have [_ wy] := legal_side lg.
  have [yf yt ey] := stayed wf nc wy; have nk1 : what S1 y <> King by rewrite /what ey.
  have yq : y <> q by move=> e; subst y; rewrite (at_what kq) in nk.
  have own z : who S1 z = c -> z <> y by move=> w e; subst z; rewrite w in wy; case: (other_not nc).
  have clear_ z z' : attacks S1 z q -> who S1 z' = c -> ~ between z q z'.
    by move=> h w m; apply: (full z' w); apply: attacks_clear h m.
  have [B [m sf]] := lg; case: m sf => [g|v [Sy [st [ps [s0 [Sv [h le]]]]]] _|g r p ca e]; last first.
  - by move=> _; case: nk1; case: ca => _ [_ [e' _]]; rewrite (at_what e').
  - have dn := plain_done_after pn; have [pf le'] := iffLR (done_passed s so dn) ps.
    rewrite otherK in Sv le; have [eh ev] := leap_one le le'; subst h v => sf.
    have qs : q <> s by move=> e; subst s; rewrite kq1 in s0.
    case: (known_between a q s) => [m|nm].
      case: (leap_beside le' m bt) => [e|e|m']; [by case: nat_ | by case: qt | exact: clear_ aa (at_who St) m'].
    have as_ : a <> s by move=> e; apply: (full a wa1); rewrite e.
    have ea' : passed_by S1 (other c) y s t a = S1 a by rewrite /passed_by !put_else //; apply: own.
    apply: (sf q a); first by rewrite /passed_by !put_else // => e; apply: yq.
      by rewrite /who ea' otherK.
    apply: (attacks_still aa) => // z mz ez; rewrite /passed_by /put; case: eqP => [e|_]; first by subst z.
    by case: eqP => // _; case: eqP.
  move=> sf; have [_ [_ g']] := g; have qs : q <> s.
    move=> e; subst s; have n : S1 q <> nothing by rewrite kq1.
    by case: (goes_no_king g n); exact: at_what kq1.
  have blocks z : who S1 z = c -> attacks S1 z q -> s = z \/ between z q s.
    move=> wz az; case: (s =P z) => [e|n]; first by left.
    case: (known_between z q s) => [m|nm]; [by right | case: (sf q z)].
    - by rewrite gone_else // => e; apply: yq.
    - by rewrite /who gone_else ?otherK //; [apply: own | move=> e; apply: n].
    by apply: gone_attack_still => //; [move=> e; apply: n | apply: own].
  case: (blocks t (at_who St) ta) => [e|m]; case: (blocks a wa1 aa) => [e'|m'].
  - by case: nat_; rewrite -e -e'.
  - by rewrite e in m'; exact: clear_ aa (at_who St) m'.
  - by rewrite e' in m; exact: clear_ ta wa1 m.
  have [w [sw [l [l1 l2]]]] := between_line (iffLR (between_sym _ _ _) m).
  have [w' [sw' [l' [l1' l2']]]] := between_line (iffLR (between_sym _ _ _) m').
  have e := line_one l1 l1'; subst w'.
  case: (line_two sw l l') => [e|[/between_sym b|/between_sym b]]; first by case: nat_.
    exact: clear_ aa (at_who St) b.
  exact: clear_ ta wa1 b.
Qed.

(** The steps of the king. *)
Theorem spares_an_empty_square : Statements.spares_an_empty_square.
Proof.
  move=> S so f t k c k' d q s _ /at_who wf _ _ _ s0 nst c' p _ _ _.
  by rewrite /after /= /gone /put; case: eqP => // _; case: eqP.
Qed.
Theorem spares_where_its_own_man_stands : Statements.spares_where_its_own_man_stands.
Proof.
  move=> S so f t k c k' d q s k2 _ /at_who wf [nc ed] _ _ Ss nst c' p _ _ [B [m _]].
  have es : after S c' f t k s = (d, k2).
    rewrite -Ss; apply: gone_else => // e; subst s; rewrite (at_who Ss) ed in wf; by case: (other_not nc).
  have ed' : other c' = d by rewrite ed /c' wf.
  have n : after S c' f t k s <> nothing by rewrite es => -[e _]; move: ed' nc; rewrite e /c' wf; case: (c).
  by have [_ g] := onto_goes n m; case: (goes_no_own g n); rewrite (at_who es).
Qed.
Theorem spares_what_it_may_not_take : Statements.spares_what_it_may_not_take.
Proof. by move=> S so f t k s _ de c q kq st lg; case: (de q kq st). Qed.
Theorem harmless_wherever_it_steps : Statements.harmless_wherever_it_steps.
Proof.
  move=> S so f t k c k' d q n an /at_who wf [nc ed] [_ kq] _ H; split=> // s c' p kp st; apply: (H s) => //.
  by rewrite /c' wf -ed in kp; rewrite -(sound_one_king so kp kq).
Qed.
Theorem nobody_but_the_king_could_take_back : Statements.nobody_but_the_king_could_take_back.
Proof.
  move=> S so f t k x c k' d q n am sh un none /at_who wf [nc ed] [_ kq] _ yi; have [po [nt [wx [nk _]]]] := am.
  do 4 split=> //; move=> p s kp st lg; exists k.
  have e : p = q by apply: (sound_one_king so kp); rewrite wf -ed.
  subst p; have ys : Words.yields S f t k x s by apply: yi.
  have [gi sx] := ys; have [n1 n2] := gi q kp st lg.
  split; first exact: (lost_plain so erefl erefl am kp st lg n1 n2 sh un).
  by apply: (lost_for_good so erefl erefl am kp st lg n1 none); apply: sx.
Qed.

(** The king's step changes nothing of the balance, and then the man takes: that is paid, but for what is taken back. *)
Section Later.
Variables (S : state) (c : side) (f t x q s : square) (k i : kind).
Hypotheses (so : sound S) (pn : Words.plain S c f t k) (kq : S q = (other c, King)).
Hypotheses (wx : who S x = other c) (nx : what S x <> King) (xt : x <> t).
Let S1 := after S c f t k.
Let S2 := after S1 (other c) q s King.
Hypotheses (s0 : S1 s = nothing) (pn2 : Words.plain S2 c t x i).
Let S3 := after S2 c t x i.

Lemma later_side : c <> Nobody. Proof. by have [] := plain_side pn. Qed.
Lemma later_apart : [/\ s <> t, q <> t, x <> s, x <> q & q <> s].
Proof.
  have nc := later_side; have [_ qt kq1] := other_king_stays so pn kq; have [_ w2] := plain_side pn2.
  have xq : x <> q by move=> e; apply: nx; rewrite e (at_what kq).
  have st : s <> t by move=> e; move: s0; rewrite e /S1 after_to => -[].
  split=> // [e|e]; last by move: s0; rewrite -e /S1 kq1 => -[e' _]; case: (other_player nc).
  have e1 : S1 x = S x.
    by apply: gone_else => // e'; have [_ wf] := plain_side pn; rewrite -e' wx in wf; case: (other_not nc).
  by move: s0; rewrite -e e1 => /who_nothing; rewrite wx; exact: other_player.
Qed.
Lemma later_man : S2 t = (c, k).
Proof.
  have [st qt _ _ _] := later_apart.
  by rewrite /S2 /after /= gone_else ?gone_to //; [move=> e; apply: qt | move=> e; apply: st].
Qed.
Lemma later_target : S2 x = S x.
Proof.
  have [_ _ xs xq _] := later_apart; have [_ wf] := plain_side pn; rewrite /S2 /after /= gone_else //.
  by apply: gone_else => // e; apply: (other_not later_side); rewrite -wx e.
Qed.
Lemma later_step : Words.balance S2 c = Words.balance S1 c.
Proof.
  have nc := later_side; have [_ _ _ _ qs] := later_apart; have [_ _ kq1] := other_king_stays so pn kq.
  have -> : Words.balance S2 c = _ := balance_gone S1 _ King nc qs.
  by rewrite s0 /S1 kq1 !weight_other ?weight_nothing //=; lia.
Qed.
Lemma later_becomes : Words.value_of k <= Words.value_of i.
Proof.
  have [_ [_ be]] := pn2; case: be => [[[e _] /promotion_value v]|[_ ->]]; last by rewrite (at_what later_man); lia.
  by move: e; rewrite (at_what later_man) => -> /=; lia.
Qed.
Lemma later_balance :
  Words.balance S3 c = Words.balance S1 c + Words.value_of (what S x) + Words.value_of i - Words.value_of k.
Proof.
  have nc := later_side; have nt : t <> x by move=> e; apply: xt.
  have -> : Words.balance S3 c = _ := balance_gone S2 _ i nc nt.
  rewrite later_step later_man later_target (at_both S x) wx weight_other // !weight_own; lia.
Qed.
Lemma later_not_passed y u : ~ in_passing S3 (other c) y u x.
Proof.
  move=> [_ [_ [ps _]]]; move: ps; rewrite /S3 /after /= /leaping; case: andP => // -[/eqP pt /Z.eqb_spec two] _.
  have [[nc [_ g]] _] := pn2; rewrite pt in g.
  have n : S2 x <> nothing by rewrite later_target => /who_nothing; rewrite wx; exact: other_player.
  case: g => [[_ e]|[[o [_ [_ e]]]|[st _]]]; try by case: n.
  by case: (c) st nc => // *; geo.
Qed.
Lemma later_pays_for_good n act : Words.target act = Some x -> (forall y, ~ legal_move S3 (other c) y x) ->
  n <= Words.balance S1 c + Words.value_of (what S x) -> Words.pays S2 act S3 c n.
Proof.
  move=> tg none le; exists x; split=> //; split=> [|act' S4 ac pl rt].
    by rewrite later_balance; have := later_becomes; lia.
  by case: (not_retaken later_side (at_who (after_to S2 c t x i)) none later_not_passed ac pl rt).
Qed.
Lemma later_pays_for_less n act : Words.target act = Some x -> ~ last (other c) x ->
  n <= Words.balance S1 c + Words.value_of (what S x) - Words.value_of k -> Words.pays S2 act S3 c n.
Proof.
  move=> tg nl le; exists x; split=> //; have v := @value_least i; split=> [|act' S4 ac pl rt].
    by rewrite later_balance; lia.
  by rewrite (retaken_balance later_side (after_to S2 c t x i) nl ac pl rt) -/S3 later_balance; lia.
Qed.
End Later.

Lemma done_legal S c f t k S' : done S c f t k S' -> legal_move S c f t.
Proof.
  move=> [B [m [sf [be _]]]]; case: m sf => [g sf|v ip e sf|w r p ca e sf].
  - exact: by_a_man_legal g sf be.
  - by exists (passed_by S c f t v); split=> //; apply: Passes => //; case: ip => /at_what.
  have e' : what S f = King by case: ca => _ [_ [/at_what]].
  by exists (castled_to S c f t r p); split=> //; exact: Castles ca e'.
Qed.
(** After a check that only the king can answer, whose step takes nothing. *)
Lemma gains_later S c f t k n : sound S -> Words.plain S c f t k -> Words.harmless S f t k ->
  (forall q s, S q = (other c, King) -> step q s -> legal_move (after S c f t k) (other c) q s ->
   after S c f t k s = nothing ->
   exists act2 S3, let S2 := after (after S c f t k) (other c) q s King in
   Words.actor S2 act2 = c /\ plays S2 act2 S3 /\ Words.pays S2 act2 S3 c n) ->
  Words.gained_second (after S c f t k) c n.
Proof.
  move=> so pn [[c' [pn' [ch none]]] sp] H; have [nc wf] := plain_side pn.
  have e : c' = c by have [_ w] := plain_side pn'; congruence.
  rewrite {}e in ch none; split=> // [[nch _]|act S2 ac pl lo]; first exact: nch.
  set S1 := after S c f t k in ch none H pl ac *.
  have moved y s j : who S1 y = other c -> done S1 (other c) y s j S2 ->
    what S1 y = King /\ (j = King -> exists q, [/\ y = q, S q = (other c, King), step q s, legal_move S1 (other c) q s
                        & S2 = after S1 (other c) q s King]).
    move=> wy dn; have lg := done_legal dn; have [_ _ ey] := stayed wf nc wy.
    have Ky : what S1 y = King.
      case K : (what S y == King); first by rewrite /what ey -/(what S y); apply/eqP.
      by case: (none y s) => // e; rewrite e eqxx in K.
    split=> // ej; subst j; have Sy : S1 y = (other c, King) by rewrite (at_both S1 y) wy Ky.
    have Sy0 : S y = (other c, King) by rewrite -ey.
    have [B [m [_ [_ eS]]]] := dn; case: m eS => [[_ [_]]|v [e _] _ _|w r p [_ [_ [_ [_ [_ na]]]]] _ _].
    - rewrite Ky /attacks Ky => -[st _] eS; exists y; split=> //.
    - by rewrite Sy in e.
    have [q [z [kq [oz az]]]] := ch; case: (na y); first by left.
    exists z; rewrite oz; split=> //; suff -> : y = q by [].
    have wq : who S1 q = other c := at_who kq.
    have [_ _ eq] := stayed wf nc wq; apply: (sound_one_king so Sy0); by rewrite -eq.
  case: act ac pl => [y s|y s j|y] wy; have {}wy : who S1 y = other c := wy.
  - move=> [d [np dn]]; have [_ w] := done_side dn; have ed : d = other c by congruence.
    rewrite ed in dn; have [Ky /(_ Ky) [p [ey kp st lg eS]]] := moved _ _ _ wy dn; subst y S2.
    have s1 : S1 s = nothing by have := sp s; rewrite /Words.spares wf => /(_ p kp st lg).
    have [act2 [S3 [ac2 [pl2 pa]]]] := H p s kp st lg s1.
    have [z [tg _]] := pa; by apply: (Words.Gaining nc ac2 pl2 (goes_somewhere tg)); left.
  - move=> [d [[pw _] dn]]; have [_ w] := done_side dn; have ed : d = other c by congruence.
    by rewrite ed in dn; have [Ky _] := moved _ _ _ wy dn; rewrite Ky in pw.
  move=> [d [kd [_ [_ eS]]]]; case: lo; rewrite eS -wy; exact: esym (at_who kd).
Qed.
Lemma gains_by S c f t k act S' n : sound S -> Words.plain S c f t k -> S' = after S c f t k ->
  plays S act S' -> Words.target act <> None -> Words.actor S act = c ->
  Words.gained_second (after S c f t k) c (Words.balance S c + n) -> Words.gain_by S c n act Words.GI.
Proof.
  move=> so pn -> pl go ac H; have [nc _] := plain_side pn; split=> //; split=> //.
  by exists (after S c f t k); do 2 split=> //; right; right.
Qed.
Lemma gains_what_is_lone S c f t k x i m : sound S -> who S f = c -> Words.harmless S f t k -> Words.lone S f t k x ->
  Words.worth (what S x) m -> Words.earns S f t k i ->
  Words.gained_second (after S c f t k) c (Words.balance S c + (i + m)).
Proof.
  move=> so wf ha [_ [xt [wx [nx H]]]] /worth_value [em _] ea; have [pn eb] := earned so wf ea.
  rewrite wf in wx H; apply: gains_later => // q s kq st lg s0; have [i' [pn2 none]] := H q s kq st lg.
  set S2 := after (after S c f t k) (other c) q s King in pn2 none *; have [_ w2] := plain_side pn2.
  exists (act_of S2 c t x i'), (after S2 c t x i'); split; first by rewrite act_actor.
  split; first exact: plain_plays.
  apply: (later_pays_for_good so pn kq wx nx xt s0 pn2 (act_target _ _ _ _ _) none).
  by rewrite eb em; lia.
Qed.

Theorem a_man_a_move_later : Statements.a_man_a_move_later.
Proof.
  move=> S so x f t c k d j m i n [_ [_ [S' [pl _]]]] ef ha lo ex wm ea ->; have wf := at_who ef.
  have [pn eb] := earned so wf ea; apply: (gains_by so pn (move_after pn ef pl) pl) => //.
  by apply: gains_what_is_lone lo _ ea => //; rewrite (at_what ex).
Qed.
Theorem a_man_a_move_after_a_promotion : Statements.a_man_a_move_after_a_promotion.
Proof.
  move=> S so x f t k c d j m i n [_ [_ [S' [pl _]]]] [nc wf] ha lo ex wm ea ->.
  have [pn eb] := earned so wf ea; apply: (gains_by so pn (promote_after pn pl) pl) => //.
  by apply: gains_what_is_lone lo _ ea => //; rewrite (at_what ex).
Qed.
Theorem a_man_for_less_a_move_later : Statements.a_man_for_less_a_move_later.
Proof.
  move=> S so x f t c k d j m o i n [_ [_ [S' [pl _]]]] ef ha [_ [xt [wx [nx H]]]] ex [nd nl] /worth_value [em _]
    /worth_value [eo _] _ ea ->; have wf := at_who ef.
  have [pn eb] := earned so wf ea; apply: (gains_by so pn (move_after pn ef pl) pl) => //.
  rewrite wf in wx H; have ed : d = other c by rewrite -wx (at_who ex).
  apply: gains_later => // q s kq st lg s0; have [i' [_ [pn2 _]]] := H q s kq st lg.
  set S2 := after (after S c f t k) (other c) q s King in pn2 *; have [_ w2] := plain_side pn2.
  exists (act_of S2 c t x i'), (after S2 c t x i'); split; first by rewrite act_actor.
  split; first exact: plain_plays.
  have nl' : ~ last (other c) x by case=> _ e; apply: nl; rewrite ed.
  apply: (later_pays_for_less so pn kq wx nx xt s0 pn2 (act_target _ _ _ _ _) nl').
  by rewrite eb (at_what ex); lia.
Qed.
