(** Saving a block: what holds at any one moment. What the words about eyes mean is what the clauses that conclude them
    ask for; counts are turned into members. And which moves are illegal in an eye, or legal beside a block with another
    liberty. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Arguments many_but {T} P a.
Arguments many0 {T} P.
Arguments many1 {T P a}.

Lemma three_hues c k : is_player c -> [\/ k = c, k = other c | k = empty].
Proof. by case: c; case: k => // _; by [constructor 1 | constructor 2 | constructor 3]. Qed.
Lemma others c : is_player c -> is_player (other c) /\ other (other c) = c.
Proof. by case: c. Qed.
Lemma not_other c : is_player c -> c <> other c.
Proof. by case: c. Qed.

Section State.
Variable B : board.
Implicit Types (S : state B) (c d k : hue) (p q s t w x y : B).

(** A count that goes down when a point is left out, or two, has it, or one of them. *)
Lemma less_but (P : pred B) x : (many P - many (fun l => P l && (l != x)) >= 1)%Z -> P x.
Proof. by rewrite (many_but P x); case: (P x) => //; lia. Qed.

Lemma less_but_two (P : pred B) x y : (many P - many (fun l => P l && (l != x) && (l != y)) >= 1)%Z -> P x || P y.
Proof.
rewrite (many_but P x) (many_but (fun l => P l && (l != x)) y).
by case: (P x) => //; case Py: (P y) => //=; lia.
Qed.

Lemma surrounded S p d c :
  opponent d c -> besides S p empty 0 -> besides S p c 0 -> forall x, nb p x -> col S x = d.
Proof.
move=> [pl ->] /esym/many0 no_e /esym/many0 no_o x pn; case: (three_hues (col S x) pl) => // cx.
- by have := no_o x; rewrite /beside /near pn cx eqxx.
- by have := no_e x; rewrite /beside /near pn cx eqxx.
Qed.

(** The only point beside of a colour is that one. *)
Lemma only_beside S p k r : beside S p k r -> besides S p k 1 -> forall x, nb p x -> col S x = k -> x = r.
Proof.
move=> br /esym/(many1 br) one x pn cx; apply/eqP; have := one x.
by rewrite /beside /near /= pn cx eqxx /= => <-.
Qed.

(** A legal move has a liberty beside it, or by what it takes, or by what it joins. *)
Lemma legal_air S c p : sound S -> legal_move S c p ->
  exists l, [\/ near S p empty l, taken S c p l /\ nb p l
    | exists a, [/\ nb p a, col S a = c & lib S a l /\ l <> p \/ taken S c p l /\ touch S a l]].
Proof.
move=> sd lg; have /and4P[_ _ _ /existsP[l]] := lg; rewrite (lib_new sd lg) => H; exists l.
case/or3P: H => [ne | /andP[tk pn] | /existsP[a /and3P[pa /eqP ca H]]]; [by constructor 1 | by constructor 2 | ].
by constructor 3; exists a; split=> //; case/orP: H => /andP[u v]; [left; split=> //; apply/eqP | right].
Qed.

(** What is taken has no liberty but the move. *)
Lemma not_taken S c p s l : sound S -> legal_move S c p -> lib S s l -> l <> p -> ~ taken S c p s.
Proof. by move=> sd lg ls lp /(takenP sd lg)[_ /(_ l)]; rewrite ls => /esym/eqP. Qed.

(** A block of who moves keeps all its stones: this needs no liberty of the new one. *)
Lemma own_block S d p w t : is_player d -> col S p = empty -> col S w = d -> same S w t ->
  same (put S d p) w t /\ col (put S d p) t = d.
Proof.
move=> pl ep; have own x : col S x = d -> col (put S d p) x = d.
  move=> cx; rewrite /= /board_after /taken /=; case: (x =P p) => [xp | _]; first by move: pl; rewrite -cx xp ep.
  by rewrite cx; case: (d) pl.
have stn x : col S x = d -> stone (put S d p) x by move=> cx; rewrite /stone own.
move=> cw st; have ct : col S t = d by rewrite (same_col st).
split; last exact: own; case/andP: st => _ /connectP[pth pt lst]; apply/andP; split; first exact: stn.
elim: pth w cw pt lst => [|y pth IH] w cw /=; first by move=> _ ->; apply: connect0.
case/andP=> /andP[wy /eqP cy] py lst; have cyd : col S y = d by rewrite -cy.
by apply: connect_trans (connect1 _) (IH y cyd py lst); apply/andP; rewrite !own ?eqxx.
Qed.
End State.

Section Theorems.
Variables (B : board) (named : B -> Prop).
Implicit Types (S : state B) (c d : hue) (p r x : B).

Theorem all_around_have_the_point : Statements.all_around_have_the_point B named.
Proof. by move=> S _ p x d _ ep _ ex pl all; split. Qed.

Theorem all_around_have_one_of_two : Statements.all_around_have_one_of_two B named.
Proof.
move=> S _ p x y d _ ep _ ex _ ey xy pl all; split=> //; split=> // w /all[n [m [[_ ->] [-> le]]]].
exact: less_but_two le.
Qed.

Theorem all_around_a_block_have_the_point : Statements.all_around_a_block_have_the_point B named.
Proof. by move=> S _ w c d x _ cw [pl ->] _ ex all; have [po oo] := others pl; split; rewrite ?oo. Qed.

Theorem all_around_a_block_have_one_of_two : Statements.all_around_a_block_have_one_of_two B named.
Proof.
move=> S _ w c d x y _ cw [pl ->] _ ex _ ey xy all; have [po oo] := others pl; split; rewrite ?oo //; split=> // s.
by move=> /all[n [m [[_ ->] [-> le]]]]; apply: less_but_two le.
Qed.

Theorem all_around_touch_or_join : Statements.all_around_touch_or_join B named.
Proof.
move=> S _ q m w c d _ eq _ em _ cw [pl ->] all; have [po oo] := others pl; split; rewrite ?oo // => s.
move=> /all[k [n [j [i [[_ ->] [-> [[_ ->] [-> le]]]]]]]]; move: le.
rewrite (many_but (contact S s) w) (many_but (liberty S s) m).
by case: (contact S s w) => //=; case: (liberty S s m) => //=; lia.
Qed.

Theorem reaches_what_is_beside : Statements.reaches_what_is_beside B named.
Proof. by move=> S _ m x d _ em _ ex mx pl; split=> // [e | ]; [move: mx; rewrite e /neighbour nb_irr | left]. Qed.

Theorem reaches_by_joining : Statements.reaches_by_joining B named.
Proof. by move=> S _ m x d w _ em _ ex xm pl bw lw; split=> //; right; exists w. Qed.

Theorem an_eye_of_one_point : Statements.an_eye_of_one_point B named.
Proof.
move=> S _ p d c _ ep op ne no; split; first by case: op.
by split=> //; constructor 1; split=> // x; exact: (surrounded op ne no).
Qed.

(** All beside is the one empty point, or of the owner. *)
Lemma all_but_one S p r d c : opponent d c -> beside S p empty r -> besides S p empty 1 -> besides S p c 0 ->
  forall x, nb p x -> x = r \/ col S x = d.
Proof.
move=> [pl ->] br one /esym/many0 none x px; case: (three_hues (col S x) pl) => cx; [by right | | left].
- by have := none x; rewrite /beside /near px cx eqxx.
- exact: only_beside br one _ px cx.
Qed.

Theorem an_eye_of_two_points : Statements.an_eye_of_two_points B named.
Proof.
move=> S _ p r d c _ ep _ er op br ne no ne' no'; have pr : nb p r by case/andP: br.
have br' : beside S r empty p by rewrite /beside /near nb_sym pr ep eqxx.
split; first by case: op.
by split=> //; constructor 2; split=> // x; [exact: (all_but_one op br ne no) | exact: (all_but_one op br' ne' no')].
Qed.

Theorem an_eye_with_stones : Statements.an_eye_with_stones B named.
Proof.
move=> S _ p w c d _ ep _ cw [pl oc] bw /esym/many0 ne no lw; have pw : nb p w by case/andP: bw.
split=> //; split=> //; constructor 3; split=> //; first by rewrite -oc.
move=> x px; case: (three_hues (col S x) pl) => cx; [by right | left | ].
- by apply: only_beside bw no _ px _; rewrite oc.
- by have := ne x; rewrite /beside /near px cx eqxx.
Qed.

Theorem edged_at_itself : Statements.edged_at_itself B named.
Proof. by move=> S _ p d _ ep pl; split=> //; constructor 1. Qed.

Theorem edged_at_a_point : Statements.edged_at_a_point B.
Proof. by move=> S _ p x d g; split; [case: g | constructor 2]. Qed.

Theorem edged_at_stones : Statements.edged_at_stones B.
Proof. by move=> S _ w x d h; split; [case: h | constructor 3]. Qed.

Theorem stones_are_no_liberty : Statements.stones_are_no_liberty B named.
Proof. by move=> S _ p w c d _ _ cw [pl ->]; have [po oo] := others pl; split=> //; constructor 4; rewrite oo. Qed.

Theorem two_eyes : Statements.two_eyes B named.
Proof.
move=> S _ b d p r q s _ cb lb e1 e2 pq ps rq rs; do 12![move=> ?].
exists d, p, r, q, s; split=> //; split=> // x y; rewrite !inE.
by do 2![case/or4P => /eqP->]; first [by left | by right].
Qed.

Theorem illegal_in_an_eye : Statements.illegal_in_an_eye B named.
Proof.
move=> S sd p c d x _ ep [pl ->] ne no [_ _ ex all] xp; have [po oo] := others pl; split=> // lg.
have own := surrounded (conj po (esym oo)) ne no.
have kept l : nb p l -> ~ taken S c p l.
  by move=> pn; apply: (not_taken sd lg) (_ : lib S l x) xp; apply: all; rewrite /beside /near pn own ?eqxx.
case: (legal_air sd lg) => l [| [tk pn] | [a [pa ca _]]].
- by case/andP=> pn; rewrite own //; case: (c) pl.
- exact: kept tk.
- by move: (not_other pl); rewrite -(own a pa) ca.
Qed.

Theorem legal_beside_a_block_with_another_liberty : Statements.legal_beside_a_block_with_another_liberty B named.
Proof.
move=> S [_ sd] p d w x _ ep /andP[pw /eqP cw] pl /libP[ex [t st tx]] xp; apply/and4P; split=> //; first exact/eqP.
  by apply/eqP => /sd[_ [_ /(_ w pw)]]; rewrite cw; apply: not_other.
have [same ct] := own_block pl ep cw st.
have cp : col (put S d p) p = d.
  by rewrite /= /board_after /taken /= eqxx; case: (d) pl.
have cw' : col (put S d p) w = d by case/same_stone: st => sw _; have [] := own_block pl ep cw (same_refl sw).
apply/existsP; exists x; apply/libP; split.
  by rewrite /= /board_after /=; case: (taken S d p x) => //; case: eqP.
by exists t => //; apply: same_trans same; apply: same_nb (same_refl _) pw _; rewrite ?/stone ?cp.
Qed.
End Theorems.
