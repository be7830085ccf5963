(** Prospects, the answers of the other side: which of its men cannot go to a square that matters, that nobody but its
    king can answer a check, and that a man cannot be taken where it goes. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (B : board) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** * What recurs. *)

(** A man of the other side, no king, goes from `y` to `s` after `c` went from `f` to `t`; `B` is the board then. *)
Record answer S c f t j y s B : Prop := Answer {
  answer_side : c <> Nobody;
  answer_own : who S f = c;
  answer_target : who S t <> c;
  answer_who : who S y = other c;
  answer_from : y <> f;
  answer_not_it : y <> t;
  answer_goal : who (gone S c f t j) s <> other c;
  answer_safe : safe B (other c);
  answer_board x : x <> s -> x <> t -> B x = if (x == y) || (x == f) then nothing else S x;
  answer_way :
    goes (gone S c f t j) (other c) y s /\ what (gone S c f t j) y = what S y /\ (s <> t -> B t = (c, j))
    \/ what S y = Pawn /\ strikes (other c) y s /\ what S f = Pawn /\ leap c f s t
}.

Lemma plain_target S c f t j : sound S -> plain S c f t j -> f <> t /\ who S t <> c /\ what S t <> King.
Proof. by move=> so [g _]; apply: goes_target so g. Qed.
Lemma plain_side S c f t j : plain S c f t j -> c <> Nobody /\ who S f = c.
Proof. by case=> -[n [o _]] _. Qed.
Lemma plain_one S c d f t j : plain S d f t j -> who S f = c -> d = c.
Proof. by move=> /plain_side [_ ->]. Qed.
Lemma plain_is_done S c f t j : plain S c f t j -> done S c f t j (after S c f t j).
Proof. by case=> g [s b]; exists (gone S c f t j); split=> //; apply: Goes. Qed.
Lemma at_who S s c k : S s = (c, k) -> who S s = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what S s c k : S s = (c, k) -> what S s = k.
Proof. by rewrite /what => ->. Qed.
Lemma who_and_what S s : S s = (who S s, what S s).
Proof. by rewrite /who /what; case: (S s). Qed.

(** The men of the other side that stand after it stood there before. *)
Lemma stood S c f t j y k : c <> Nobody -> gone S c f t j y = (other c, k) -> [/\ S y = (other c, k), y <> f & y <> t].
Proof.
  move=> n; rewrite /gone /put; case: eqP => [_|nt]; first by case: c n.
  by case: eqP => [_|nf]; [case: c n | split].
Qed.

(** Nobody goes in passing unless a pawn went by two steps. *)
Lemma passing_after S c f t j y s v :
  sound S -> plain S c f t j -> Board.in_passing (after S c f t j) (other c) y s v ->
  [/\ S y = (other c, Pawn), strikes (other c) y s, what S f = Pawn, leap c f s t & v = t].
Proof.
  move=> so pl [at_y [st [pa [_ [_ [h]]]]]]; have [n o] := plain_side pl; rewrite otherK => l.
  have [e _ _] := stood n at_y.
  have [pw l'] : what S f = Pawn /\ leap c f s t by apply/(done_passed _ so (plain_is_done pl)).
  by have [_ ->] := leap_one l l'.
Qed.
Lemma steady_passing S c f t j y s v :
  sound S -> plain S c f t j -> steady S f t -> ~ Board.in_passing (after S c f t j) (other c) y s v.
Proof.
  move=> so pl st p; have [e str pw l _] := passing_after so pl p; have [_ o] := plain_side pl.
  by rewrite -o in l e str; apply: (st s y).
Qed.

Lemma answered S c f t j y s :
  sound S -> plain S c f t j -> what S y <> King -> legal_move (after S c f t j) (other c) y s ->
  exists B, answer S c f t j y s B.
Proof.
  move=> so pl nk [B [m sf]]; exists B; have [n o] := plain_side pl; have [ft [ta _]] := plain_target so pl.
  have [m1 m2] := makes_side m.
  have [e yf yt] := @stood S c f t j y (what (gone S c f t j) y) n
    (etrans (who_and_what _ _) (congr1 (fun c => (c, _)) m2)).
  have wy := at_what e; have oy := at_who e.
  case: m sf => [g|v p k|g r p mc k] sf.
  - split=> // [|x xs xt|].
    + have no m : m = Nobody \/ m = other (other c) -> m <> other c by case=> -> e'; [case: m1 | case: (other_not m1)].
      case: g => _ [_]; case: (what _ y) => [[_ []]|[_ []]|[_ []]|[_ []]|[_ []]|H|[_ []]] //; apply: no.
      by case: H => [[_ /who_nothing->]|[[o' [_ [_ /who_nothing->]]]|[_ [-> _]]]]; auto.
    + by rewrite {1}/gone put_else // {1}/put; case: (x =P y) => //= _; rewrite /gone /put; case: (x =P t).
    left; do 2 split=> //; move=> st; rewrite /gone put_else; last by move=> ts; apply: st.
    by rewrite put_else; [exact: gone_to | move=> ty; apply: yt].
  - have [e' str pw l v_t] := passing_after so pl p; subst v.
    split=> // [|x xs xt|]; last by right; rewrite (at_what e').
      by case: p => _ [_ [_ [/who_nothing /= -> _]]] /esym.
    by rewrite /passed_by put_else // put_else // {1}/put; case: (x =P y) => //= _; rewrite /gone /put; case: (x =P t).
  - by case: mc => _ [_ [/= e' _]]; case: nk; have [/at_what] := stood n e'.
Qed.

(** What it asks of the man that goes, by its kind. *)
Lemma answer_slides S c f t j y s B i :
  answer S c f t j y s B -> slides (what S y) i -> exists w, slides (what S y) w /\ line y s w.
Proof.
  move=> A /slides_kind sl; case: (answer_way A) => [[[_ [_ g]] [e _]]|[p _]]; last first.
    by rewrite p in sl; case: sl => [|[]].
  by move: g; rewrite /Board.attacks !e; case: sl => [|[]] -> [[w [sw [l _]]] _]; exists w.
Qed.
Lemma answer_hops S c f t j y s B : answer S c f t j y s B -> what S y = Knight -> hop y s.
Proof.
  move=> A k; case: (answer_way A) => [[[_ [_ g]] [e _]]|[p _]]; last by rewrite p in k.
  by move: g; rewrite /Board.attacks !e k => -[].
Qed.
Lemma answer_pawn S c f t j y s B : answer S c f t j y s B -> what S y = Pawn ->
  [\/ advance (other c) y s /\ gone S c f t j s = nothing,
      exists o, leap (other c) y o s /\ gone S c f t j s = nothing /\ gone S c f t j o = nothing,
      strikes (other c) y s /\ who (gone S c f t j) s = c
    | strikes (other c) y s /\ what S f = Pawn /\ leap c f s t].
Proof.
  move=> A p; case: (answer_way A) => [[[_ [_ g]] [e _]]|[_ q]]; last by apply: Or44.
  move: g; rewrite e p; case=> [g|[[o [l [e1 e2]]]|[g1 [g2 _]]]]; [by apply: Or41 | by apply: Or42; exists o |].
  by apply: Or43; rewrite otherK in g2.
Qed.
(** Nothing stands in its way then. *)
Lemma answer_clear S c f t j y s B x : answer S c f t j y s B -> between y s x -> gone S c f t j x = nothing.
Proof.
  move=> A b; case: (answer_way A) => [[[_ [_ g]] _]|[_ [/strikes_step st _]]]; last by case: (step_between st b).
  move: g; case: (what _ y) => [[at_ _]|[at_ _]|[at_ _]|[at_ _]|[at_ _]| |[at_ _]]; try exact: attacks_clear at_ b.
  case=> [[/advance_step st _]|[[o [l [e _]]]|[/strikes_step st _]]]; try by case: (step_between st b).
  by rewrite (leap_over l b).
Qed.

Lemma bars_by S c d f t y s k : sound S -> S f = (c, k) -> opponent c d ->
  (forall j B, d = other c -> plain S c f t j -> what S y <> King -> answer S c f t j y s B -> False) -> bars S f t y s.
Proof.
  move=> so at_f [_ e] no c' j pl nk L; have [_ o] := plain_side pl; rewrite (at_who at_f) in o; subst c'.
  by have [B A] := answered so pl nk L; apply: no e pl nk A.
Qed.

(** * The king, and what was taken. *)
Theorem the_king_is_asked_elsewhere : Statements.the_king_is_asked_elsewhere.
Proof. by move=> S so f t s c _1 d y sp at_f opp [_ /at_what k] c' j pl. Qed.
Theorem it_was_taken_itself : Statements.it_was_taken_itself.
Proof. by move=> S so f t s c _1 d _2 sp at_f opp _; apply: (bars_by so at_f opp) => j B e pl nk /answer_not_it. Qed.

(** * Where no man of its kind goes. *)
Theorem off_its_lines : Statements.off_its_lines.
Proof.
  move=> S so f t s c _1 d y j w sp at_f opp /at_what <- sl l; apply: (bars_by so at_f opp) => i B e pl nk A.
  by have [v [sv lv]] := answer_slides A sl; move: sv; rewrite (line_one lv l).
Qed.
Theorem not_its_line : Statements.not_its_line.
Proof.
  move=> S so f t s c _1 d y j v w sp at_f opp /at_what <- sl l [_ [_ no]].
  apply: (bars_by so at_f opp) => i B e pl nk A; have [u [su lu]] := answer_slides A sl.
  by apply: no; rewrite (line_one l lu).
Qed.
Theorem no_hop_along_a_line : Statements.no_hop_along_a_line.
Proof.
  move=> S so f t s c _1 d y w sp at_f opp /at_what k l n; apply: (bars_by so at_f opp) => i B e pl nk A.
  exact: n (line_one l (hop_line (answer_hops A k))).
Qed.
Theorem no_hop_so_far : Statements.no_hop_so_far.
Proof.
  move=> S so f t s c _1 d y n sp at_f opp /at_what k _ -> no; apply: (bars_by so at_f opp) => i B e pl nk A.
  by have := answer_hops A k; clear -no; geo.
Qed.
Lemma pawn_near S c f t j y s B : answer S c f t j y s B -> what S y = Pawn -> dist y s <= 2 /\ ~ line y s Nowhere.
Proof.
  by move=> A /(answer_pawn A) [[g _]|[o [g _]]|[g _]|[g _]]; clear -g; case: c g; geo.
Qed.
Theorem no_pawn_goes_so_far : Statements.no_pawn_goes_so_far.
Proof.
  move=> S so f t s c _1 d y n sp at_f opp /at_what k -> far; apply: (bars_by so at_f opp) => i B e pl nk A.
  by have [near _] := pawn_near A k; lia.
Qed.
Theorem no_pawn_goes_so_aside : Statements.no_pawn_goes_so_aside.
Proof.
  move=> S so f t s c _1 d y sp at_f opp /at_what k l; apply: (bars_by so at_f opp) => i B e pl nk A.
  by have [_] := pawn_near A k.
Qed.

(** * Where a pawn can only take. *)
Lemma pawn_takes S c f t j y s B : answer S c f t j y s B -> what S y = Pawn -> gone S c f t j s <> nothing ->
  strikes (other c) y s.
Proof. by move=> A /(answer_pawn A) [[_ e]|[o [_ [e _]]]|[]|[]]. Qed.
Lemma strikes_flanks d y s w (v u : way) : strikes d y s -> line s y w -> flanks d v u -> w = v \/ w = u.
Proof.
  move=> st l [[e [-> ->]]|[e [-> ->]]]; subst d.
    have [m|m] : line s y South_west \/ line s y South_east by clear -st; geo.
      by left; apply: line_one l m.
    by right; apply: line_one l m.
  have [m|m] : line s y North_west \/ line s y North_east by clear -st; geo.
    by left; apply: line_one l m.
  by right; apply: line_one l m.
Qed.
Lemma arrived S c f t j : c <> Nobody -> gone S c f t j t <> nothing.
Proof. by move=> n; rewrite gone_to => -[]. Qed.
Lemma unveils_stays S c f t a k j : sound S -> unveils S f t a -> S a = (c, k) -> c <> Nobody ->
  [/\ a <> f, a <> t & gone S c f t j a = S a].
Proof.
  move=> so [c' [i [q [pl [_ [wa [af _]]]]]]] at_a n; have [_ [ta _]] := plain_target so pl.
  have at_ : a <> t by move=> e; apply: ta; rewrite -e.
  by split=> //; rewrite gone_else.
Qed.
Lemma unveils_side S c f t a k : unveils S f t a -> S a = (c, k) -> who S f = c.
Proof. by move=> [c' [i [q [/plain_side [_ ->] [_ [<- _]]]]]] /at_who. Qed.
Theorem no_pawn_strikes_so_far : Statements.no_pawn_strikes_so_far.
Proof.
  move=> S so f t c _1 d y n sp at_f opp /at_what k -> far; apply: (bars_by so at_f opp) => i B e pl nk A.
  exact: far (strikes_step (pawn_takes A k (@arrived _ _ _ _ _ (answer_side A)))).
Qed.
Theorem no_pawn_strikes_it : Statements.no_pawn_strikes_it.
Proof.
  move=> S so f t c _1 d y w v u sp at_f opp /at_what k l fl wv wu; apply: (bars_by so at_f opp) => i B e pl nk A.
  subst d; have := strikes_flanks (pawn_takes A k (@arrived _ _ _ _ _ (answer_side A))) l fl; by case.
Qed.
Theorem no_pawn_strikes_the_unveiled_so_far : Statements.no_pawn_strikes_the_unveiled_so_far.
Proof.
  move=> S so f t a c _1 d y n un at_a opp /at_what k -> far.
  have at_f := who_and_what S f; rewrite (unveils_side un at_a) in at_f.
  apply: (bars_by so at_f opp) => i B e pl nk A; have [_ _ st] := unveils_stays i so un at_a (answer_side A).
  apply: far (strikes_step (pawn_takes A k _)); rewrite st at_a => -[h _]; exact: answer_side A h.
Qed.
Theorem no_pawn_strikes_the_unveiled : Statements.no_pawn_strikes_the_unveiled.
Proof.
  move=> S so f t a c _1 d y w v u un at_a opp /at_what k l fl wv wu.
  have at_f := who_and_what S f; rewrite (unveils_side un at_a) in at_f.
  apply: (bars_by so at_f opp) => i B e pl nk A; have [_ _ st] := unveils_stays i so un at_a (answer_side A).
  subst d; case: (strikes_flanks (pawn_takes A k _) l fl) => // e; move: e.
  rewrite st at_a => -[h _]; exact: answer_side A h.
Qed.

(** * Where a pawn can only be pushed. *)
Lemma pushed_along d y z s (v w : way) : advance d y z -> line y z v -> line y s w -> w <> v ->
  ~ advance d y s /\ forall o, ~ leap d y o s.
Proof.
  move=> ad l m n; have [av pv] : v = ahead d /\ d <> Nobody.
    split; last by case: ad.
    by apply: line_one l _; clear -ad; case: d ad; geo.
  subst v; split=> [g|o g]; apply: n; apply: line_one m _; clear -g; case: d g; geo.
Qed.
Theorem no_pawn_is_pushed_there : Statements.no_pawn_is_pushed_there.
Proof.
  move=> S so f t s c _1 d y z v w sp at_s s_t st at_f opp /at_what k ad lv lw wv.
  apply: (bars_by so at_f opp) => i B e pl nk A; subst d; have [no1 no2] := pushed_along ad lv lw wv.
  case: (answer_pawn A k) => [[/no1//]|[o [/no2//]]|[_]|[str [pw l]]].
    rewrite /who /gone /put; case: (s =P t) => // _.
    by case: (s =P f) => [_|_]; rewrite ?at_s => h; exact: answer_side A (esym h).
  have o := answer_own A; apply: (st s y); rewrite ?o // -k; by have := who_and_what S y; rewrite (answer_who A) k.
Qed.
Theorem no_pawn_is_pushed_where_it_left : Statements.no_pawn_is_pushed_where_it_left.
Proof.
  move=> S so f t c _1 d y z v w sp st at_f opp /at_what k ad lv lw wv.
  apply: (bars_by so at_f opp) => i B e pl nk A; subst d; have [no1 no2] := pushed_along ad lv lw wv.
  have [ft _] := plain_target so pl.
  case: (answer_pawn A k) => [[/no1//]|[o [/no2//]]|[_]|[str [pw l]]]; last by clear -l; case: c l; geo.
  rewrite /who gone_from // => h; exact: answer_side A (esym h).
Qed.
Theorem no_pawn_is_pushed_two_steps_there : Statements.no_pawn_is_pushed_two_steps_there.
Proof.
  move=> S so f t s c _1 d y sp at_f opp /at_what k far se; apply: (bars_by so at_f opp) => i B e pl nk A; subst d.
  by case: (answer_pawn A k) => [[g _]|[o [g _]]|[g _]|[g _]]; clear -g far se; rewrite /settled /distance in far se;
    case: c g se; geo.
Qed.

(** * What stands in the way. *)
Theorem another_is_in_its_way : Statements.another_is_in_its_way.
Proof.
  move=> S so f t s c _1 d y _2 b e _3 sp at_f opp at_y bt at_b pe bf; apply: (bars_by so at_f opp) => i B _ pl nk A.
  have := answer_clear A bt; rewrite /gone /put; case: eqP => [_ [h _]|_]; first exact: answer_side A h.
  by case: eqP => // _; rewrite at_b => -[].
Qed.
Theorem it_came_in_its_way : Statements.it_came_in_its_way.
Proof.
  move=> S so f t s c _1 d y _2 sp at_f opp at_y bt; apply: (bars_by so at_f opp) => i B _ pl nk A.
  exact: arrived (answer_side A) (answer_clear A bt).
Qed.

(** * What leaves the king in check. *)
Lemma answer_king S c f t j y s B q : sound S -> plain S c f t j -> what S y <> King -> answer S c f t j y s B ->
  S q = (other c, King) -> B q = (other c, King) /\ q <> s.
Proof.
  move=> so pl nk A k; have [_ [_ tk]] := plain_target so pl; have n := answer_side A.
  have qt : q <> t by move=> e; apply: tk; rewrite -e (at_what k).
  have qf : q <> f by move=> e; have := answer_own A; rewrite -e (at_who k); apply: other_not.
  have qy : q <> y by move=> e; apply: nk; rewrite -e (at_what k).
  have qs : q <> s by move=> e; apply: (answer_goal A); rewrite -e /who gone_else // k.
  by rewrite (answer_board A) //; move/eqP/negbTE: qy => ->; move/eqP/negbTE: qf => ->.
Qed.
Lemma still_in_check S c f t j y s B q a w :
  sound S -> plain S c f t j -> what S y <> King -> answer S c f t j y s B ->
  S q = (other c, King) -> who S a = c -> a <> f -> a <> s -> slides (what S a) w -> line a q w ->
  (forall x, between a q x -> [/\ x <> s, x <> t & [\/ x = y, x = f | S x = nothing]]) -> False.
Proof.
  move=> so pl nk A k oa af as_ sl l way; have [kB _] := answer_king so pl nk A k; have n := answer_side A.
  have at_ : a <> t by move=> e; apply: (answer_target A); rewrite -e.
  have ay : a <> y by move=> e; apply: (other_not n); rewrite -(answer_who A) -e.
  have aB : B a = S a by rewrite (answer_board A) //; move/eqP/negbTE: ay => ->; move/eqP/negbTE: af => ->.
  apply: (answer_safe A kB (_ : who B a = _)); first by rewrite otherK /who aB.
  apply/attacksP; apply: Or41; exists w; rewrite /what aB; do 2 split=> //.
  by move=> x /way [xs xt H]; rewrite (answer_board A) //; case: eqP => // xy; case: eqP => // xf; case: H.
Qed.
Lemma king_one S c q r : sound S -> S q = (c, King) -> S r = (c, King) -> q = r.
Proof. by move=> so; apply: (sound_one_king so). Qed.

Theorem it_is_pinned : Statements.it_is_pinned.
Proof.
  move=> S so f t s c _1 d y a q w v _2 sp at_f opp [_ [oy [oa [q' [k' [bt at_]]]]]] af [_ k] lw lv vw _ no.
  have e := king_one so k' k; subst q'; have [w' [s' [la [ly l2]]]] := between_line bt.
  have ew := line_one ly lw; subst w'.
  have [_ [u [sl l]]] := attacks_across at_ (proj1 (between_sym _ _ _) bt).
  have ay : a <> y by have [_ []] := between_apart bt => /nesym.
  have oac : who S a = c by case: opp oa => _ ->; rewrite otherK.
  apply: (bars_by so at_f opp) => i B e pl nk A; rewrite e in k; rewrite /what /without put_else // in sl.
  apply: (still_in_check so pl nk A k oac af _ sl l) => [as_|x b].
    by apply: vw; rewrite -as_ in lv; apply: line_one lv la.
  have b' := proj1 (between_sym _ _ _) b; have [lx _] := between_on s' la b'; split.
  - by move=> xs; apply: vw; rewrite -xs in lv; exact: line_one lv lx.
  - exact: no.
  - by have := attacks_clear at_ b; rewrite /without /put; case: eqP => [-> _|_ ->]; [apply: Or31 | apply: Or33].
Qed.
Theorem it_comes_to_be_pinned : Statements.it_comes_to_be_pinned.
Proof.
  move=> S so f t s c _1 d q w y a j v _2 sp at_f opp [_ k] [sw [ly [oy cl1]]] [_ [lf [of_ cl2]]] [_ [la [oa cl3]]].
  move=> at_a sl lv vw _ no.
  apply: (bars_by so at_f opp) => i B e pl nk A; subst d.
  have l1 := line_trans sw ly lf; have l2 := line_trans sw l1 la.
  have af : a <> f by move=> af; rewrite af in la; case: (line_self la).
  apply: (still_in_check (w := opposite w) so pl nk A k (at_who at_a) af).
  - by move=> as_; apply: vw; rewrite -as_ in lv; exact: line_one lv l2.
  - by rewrite (at_what at_a) slides_opposite.
  - by rewrite line_back.
  move=> x b; have b' := proj1 (between_sym _ _ _) b; have [lx lxa] := between_on sw l2 b'; split.
  - by move=> xs; apply: vw; rewrite -xs in lv; exact: line_one lv lx.
  - exact: no.
  case: (line_two sw lx ly) => [->|[m|m]]; [by apply: Or31 | by apply/Or33/cl1 |].
  have [_ lyx] := between_on sw lx m.
  case: (line_two sw lyx lf) => [->|[m'|m']]; [by apply: Or32 | by apply/Or33/cl2 |].
  have [_ lfx] := between_on sw lyx m'; apply/Or33/cl3; exact: between_of lfx lxa.
Qed.
Theorem the_unveiled_still_gives_check : Statements.the_unveiled_still_gives_check.
Proof.
  move=> S so f t s a c _1 d y _2 q _3 sp un sa at_a opp at_y [_ k] _ no.
  have at_f := who_and_what S f; rewrite (unveils_side un at_a) in at_f.
  apply: (bars_by so at_f opp) => i B e pl nk A; subst d; have n := answer_side A.
  case: un => c' [j [q' [pl' [k' [oa [af [bt at_]]]]]]].
  have ec : c' = c by rewrite -oa (at_who at_a).
  rewrite ec in k' pl' at_; rewrite ec in oa; have eq := king_one so k' k; subst q'.
  have at_t : a <> t by move=> e; apply: (answer_target A); rewrite -e.
  have [_ [w [sl l]]] := attacks_across at_ bt; rewrite /what gone_else // in sl.
  apply: (still_in_check so pl nk A k oa af _ sl l) => [as_|x b]; first exact/sa/esym.
  have := attacks_clear at_ b; rewrite /gone /put; case: eqP => [_ [h _]|xt H]; first by case: n.
  split=> //; first exact: no.
  by move: H; case: eqP => [xf _|_ ->]; [apply: Or32 | apply: Or33].
Qed.

(** * Nobody but the king. *)
Theorem nobody_but_the_king : Statements.nobody_but_the_king.
Proof.
  move=> S so f t s c _1 d _2 sp at_f [n e] _ all y c' j pl nk L; subst d; have ec := plain_one pl (at_who at_f).
  subst c'; have [B A] := answered so pl nk L.
  have M : man S (other c) y by split; [apply: other_player; apply: (answer_side A) | apply: (answer_who A)].
  exact: (all y M c j pl nk L).
Qed.

(** * The check stays. *)
Lemma screened_by S f t x c q k : sound S -> idle S f t x -> steady S f t -> S f = (c, k) -> opponent c (other c) ->
  S q = (other c, King) -> (forall b, between x q b -> idle S f t b) -> screened S f t x.
Proof.
  move=> so id st at_f _ kq way c' j q' pl kq' ox at_ y s nk L; have ec := plain_one pl (at_who at_f).
  subst c'; have [n o] := plain_side pl; have eq := king_one so kq' kq; subst q'; have [B A] := answered so pl nk L.
  have [kB _] := answer_king so pl nk A kq.
  have x_s : x <> s by move=> e; apply: (id y _ _ pl nk); rewrite e.
  have no_p : ~ (what S y = Pawn /\ strikes (other c) y s /\ what S f = Pawn /\ leap c f s t).
    move=> [py [str [pf l]]]; rewrite -o in l str.
    by apply: (st s y) str; rewrite // o -(answer_who A) -py -who_and_what.
  have Bt : s <> t -> B t = (c, j) by case: (answer_way A) => [[_ []]|/no_p].
  have Bx : B x = gone S c f t j x.
    case: (x =P t) => [e|xt]; first by rewrite e gone_to Bt // => e'; apply: x_s; rewrite e e'.
    rewrite (answer_board A) // /gone {1}/put; move: ox; rewrite /Board.who /after /= /gone {1}/put.
    move/eqP/negbTE: (xt) => ->; rewrite /put; case: (x =P f) => [_ /esym|_]; first by [].
    by case: (x =P y) => // ->; rewrite -/(who S y) (answer_who A) => /(other_not n).
  apply: (answer_safe A kB (_ : who B x = _)); first by rewrite /Board.who Bx otherK.
  apply: attacks_still at_ Bx _ => z bt e; have zt : z <> t by move=> zt; move: e; rewrite zt /= gone_to => -[].
  have zs : z <> s by move=> zs; rewrite zs in bt; exact: way _ bt y _ _ pl nk L.
  rewrite (answer_board A) //; move: e; rewrite /= /gone /put; move/eqP/negbTE: zt => ->.
  by case: (z =P y) => //= _; case: (z =P f).
Qed.
Theorem screened_beside : Statements.screened_beside.
Proof.
  move=> S so f t x c _1 d q id st at_f [n e] [_ k] l; subst d; apply: (screened_by so id st at_f _ k) => // b bt.
  by have [w [s [m _]]] := between_line (proj1 (between_sym _ _ _) bt); case: s; rewrite (line_one m l).
Qed.
Theorem screened_on_a_line : Statements.screened_on_a_line.
Proof.
  by move=> S so f t x c _1 d q _2 id st at_f [n e] [_ k] _ way; subst d; apply: (screened_by so id st at_f _ k).
Qed.

(** * It is not taken. *)
Lemma sheltered_by S c f t k : sound S -> plain S c f t k -> steady S f t -> idle S f t t ->
  (forall q, S q = (other c, King) -> step q t -> ~ legal_move (after S c f t k) (other c) q t) -> sheltered S f t k.
Proof.
  move=> so pl st id no c' pl' y; have [n o] := plain_side pl; have ec := plain_one pl' o.
  subst c'; split; last by move=> s; apply: steady_passing so pl st.
  case: (what S y =P King) => [ky L|ny]; last exact: id pl ny.
  have [_ oy] := legal_side L; have [k' at_y] : exists k', gone S c f t k y = (other c, k').
    by exists (what (gone S c f t k) y); rewrite -oy -who_and_what.
  have [at_y' yf yt] := stood n at_y; have ek : k' = King by rewrite -ky (at_what at_y').
  subst k'; case: (L) => B [m _]; case: m => [[_ [_ g]]|v [p _] _|g r p [cs [_ [_ [_ [way _]]]]] _].
  - have ey : what (after S c f t k) y = King := at_what (S := after S c f t k) at_y.
    by move: g; rewrite /Board.attacks ey => -[s _]; apply: no at_y' s L.
  - by move: p; rewrite /= at_y.
  - have bt : between y r t by clear -cs; case: g cs => cs; [exists East | exists West]; split=> //; geo.
    by have := way _ bt; rewrite /= gone_to => -[].
Qed.
Theorem sheltered_far_from_the_king : Statements.sheltered_far_from_the_king.
Proof.
  move=> S so c f t k d q n pl st id [_ e] [_ kq] -> far; subst d; apply: (sheltered_by so pl st id) => q' kq' s.
  by case: far; rewrite (king_one so kq kq').
Qed.
Theorem sheltered_from_the_king : Statements.sheltered_from_the_king.
Proof.
  move=> S so c f t k pl st id de; apply: (sheltered_by so pl st id) => q kq s.
  by have [_ o] := plain_side pl; have := de q; rewrite o; apply.
Qed.
