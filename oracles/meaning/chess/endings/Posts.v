(** A king alone is never mated where its post is: it comes back to where it is firm, takes what is promoted, or is
    stalemated. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Chess Require Games.
From Endings Require Import Table Claims Sole Won Kept Hold.
From Endings Require Words Statements Alone.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k o p q s t x y : square) (j : kind).
Local Opaque lost wins.

(** What the pawn's side does: a step of its king, a push, or a promotion. *)
Lemma king_stands S c p k q t S' : sound S -> stands S c p k q -> step k t -> t <> p -> t <> q ->
  S' =1 gone S c k t King -> Sole.stands S' c p t q.
Proof.
  move=> so st stp np nq e; have [n1 n2 n3 _ _] := stands_apart so st; case: (st) => n ep ek eq no.
  have nk : t <> k by move=> h; subst t; geo.
  split=> //; rewrite ?e.
  - by rewrite gone_else //; auto.
  - exact: gone_to.
  - by rewrite gone_else //; auto.
  move=> s a b d; rewrite e; case: (s =P k) => [->|h]; first by rewrite gone_from //; auto.
  by rewrite gone_else //; apply: no.
Qed.
Inductive moved S c p k q S' : Prop :=
  | Stepped t : step k t -> Sole.stands S' c p t q -> moved S c p k q S'
  | Pushed t : advance c p t -> ~ last c t -> Sole.stands S' c t k q -> moved S c p k q S'
  | Leapt o t : leap c p o t -> o <> k -> o <> q -> Sole.stands S' c t k q -> moved S c p k q S'
  | Promoted t j : advance c p t -> last c t -> t <> k -> t <> q -> promotion j -> S' = after S c p t j ->
      moved S c p k q S'.
Lemma pawns_side_moves S c p k q act S' : sound S -> Sole.stands S c p k q ->
  Words.actor S act = c -> plays S act S' -> loser S' <> c -> moved S c p k q S'.
Proof.
  move=> so st; have [n1 n2 n3 far_ rp] := stands_apart so st; case: (st) => n ep ek eq no.
  have no_rook w f t r x : ~ may_castle S c w f t r x.
    move=> [_ [_ [_ [er _]]]]; have [h|h] : r = p \/ r = k by apply: (own_one st); rewrite /who er.
      by move: er; rewrite h ep.
    by move: er; rewrite h ek.
  have pawn_to t : goes S c p t -> [/\ S t = nothing, t <> p, t <> k & t <> q].
    move=> g; have [a _] := goes_target so g; case: g => _ [_]; rewrite {1}/what ep /= => h.
    have et : S t = nothing.
      case: h => [[_ //]|[[o [_ [_ //]]]|[_ [w nk]]]].
      by case: nk; rewrite (other_one st w) /what eq.
    by split=> // h'; move: et; rewrite h' ?ep ?ek ?eq.
  case: act => [f t|f t j|f] /= o pl lo.
  - have [_ np dn] := Games.plays_move pl; rewrite o in np dn; case: dn => B [m [_ [_ eS]]].
    have [e|e] : f = p \/ f = k by apply: own_one st o.
      subst f; rewrite /what ep /= in m; case: m eS => [g|v ip _|w r x ca _] eS; last by case: (no_rook _ _ _ _ _ ca).
        have [et tp tk tq] := pawn_to t g.
        have st' : Sole.stands S' c t k q by rewrite eS; apply: (pawn_stands so st).
        case: (g) => _ [_]; rewrite /what ep /= => -[[ad _]|[[o' [lp [eo _]]]|[_ [w _]]]].
        + by apply: (@Pushed _ _ _ _ _ _ t ad _ st') => la; apply: np; split=> //; rewrite /what ep.
        + by apply: (@Leapt _ _ _ _ _ _ o' t lp _ _ st') => h; move: eo; rewrite h ?ek ?eq.
        by case: n; rewrite -[c]otherK -w /who et.
      by case: (no_passing st ip).
    subst f; rewrite /what ek /= in m.
    case: m eS => [g|v [ek' _] _|w r x ca _] eS; last by case: (no_rook _ _ _ _ _ ca).
      have stp : step k t by case: g => _ [_]; rewrite /attacks /what ek /= => -[].
      have [_ [wt kt]] := goes_target so g.
      apply: (@Stepped _ _ _ _ _ _ t stp); apply: (king_stands so st stp) => [h|h|s].
      + by apply: wt; rewrite h /who ep.
      + by apply: kt; rewrite h /what eq.
      by rewrite eS.
    by rewrite ek in ek'.
  - have [_ pr dn] := Games.plays_promotion pl; rewrite o in pr dn; case: dn => B [m [_ [b eS]]].
    have [e|e] : f = p \/ f = k by apply: own_one st o.
      subst f; have pj : promotion j by case: b => [[]|[]].
      case: m eS => [g|v ip _|w r x ca _] eS; last by case: (no_rook _ _ _ _ _ ca).
        have [et tp tk tq] := pawn_to t g; case: (pr) => _ la.
        case: (g) => _ [_]; rewrite /what ep /= => -[[ad _]|[[o' [lp _]]|[_ [w _]]]].
        + exact: (@Promoted _ _ _ _ _ _ t j ad la tk tq pj).
        + by move: lp la; clear -n; case: c n => // _; unfold leap, last, advance, home, goal; cbn; lia.
        by case: n; rewrite -[c]otherK -w /who et.
      by case: (no_passing st ip).
    by case: pr; rewrite e /what ek.
  case: pl => [d [ef [_ [_ eS]]]]; case: lo; rewrite eS /=; move: o; by rewrite /who ef.
Qed.

(** What holds a draw: something that each move of the other side leads to again, or to no move and no check. *)
Definition answers (P : state -> Prop) S d : Prop :=
  ~ in_check S d /\ (forall f t, ~ legal_move S d f t)
  \/ exists act S', [/\ Words.actor S act = d, plays S act S', Words.target act <> None & P S'].
Lemma held_by (P : state -> Prop) d : d <> Nobody ->
  (forall S act S', P S -> Words.actor S act = other d -> plays S act S' -> loser S' <> other d -> answers P S' d) ->
  forall S, P S -> Words.holds_second S d.
Proof.
  move=> nd h; cofix IH => S pS; apply: (Words.Facing nd) => act S' ac pl lo.
  case: (h _ _ _ pS ac pl lo) => [[nc no]|[act' [S'' [ac' pl' ta pS'']]]]; first exact: (Words.Holding nd nc no).
  exact: (Words.Going nd ac' pl' ta (IH _ pS'')).
Qed.
Definition firm S c : Prop :=
  sound S
  /\ (Words.bare S c \/ exists p k q, Sole.stands S c p k q /\ firm1 (cd c p) (cd c k) (cd c q)).

Lemma square_of S c p k q : sound S -> Sole.stands S c p k q -> pawn_square (cd c p).
Proof.
  move=> so st; have [_ _ _ _ r] := stands_apart so st; have := cd_inside c p; rewrite /pawn_square /cd.
  by move: r; cbn [snd]; move=> r ->; unfold is_true; lia.
Qed.
(** The king alone goes, and may take the pawn. *)
Lemma other_goes S c p k q t : sound S -> Sole.stands S c p k q -> step q t ->
  Table.free (cd c p) (cd c k) (cd c t) ->
  plays S (Move q t) (after S (other c) q t King) /\ legal_move S (other c) q t.
Proof.
  move=> so st stp fr; have le := iffRL (may_step so st stp) fr; split=> //; case: (le) => B [m s].
  have eq := other_there st; have [eB _] := makes_king_step so m (congr1 snd eq) stp.
  have np : ~ promoting S (other c) q t by move=> [pw _]; move: pw; rewrite /what eq.
  rewrite eB /what eq /= in s m *; exists (other c); split=> //; exists (gone S (other c) q t King).
  by rewrite /what eq /=; split=> //; split=> //; split=> //; right; rewrite /what eq.
Qed.
Lemma taken_bare S c p k q : sound S -> Sole.stands S c p k q -> step q p ->
  Words.bare (after S (other c) q p King) c.
Proof.
  move=> so st stp; have [n1 n2 n3 _ _] := stands_apart so st; case: (st) => n ep ek eq no.
  split=> // s; rewrite /who /what /=.
  case: (s =P p) => [->|np]; first by rewrite gone_to /= => h; case: (other_not n).
  case: (s =P q) => [->|nq]; first by rewrite gone_from /=; [move=> h; case: n | auto].
  by rewrite gone_else // => h; case: (own_one st h) => // ->; rewrite ek.
Qed.
Lemma it_answers S c p k q : sound S -> Sole.stands S c p k q -> firm2 (cd c p) (cd c k) (cd c q) ->
  answers (fun S => firm S c) S (other c).
Proof.
  move=> so st fi; have [n1 n2 n3 far_ rp] := stands_apart so st; case: (st) => n ep ek eq no.
  have on := other_player n; have ps := square_of so st; have pl := stands_placed so st.
  have alone s : who S s = other c -> s = q by apply: (other_one st).
  case: (firm_stays ps (cd_inside c k) (cd_inside c q) pl fi) => [[s' [bs fs h]]|[none ns]].
    right; have is_ : inside s' by case/andP: fs => /andP [].
    have [s es] := cd_square c is_; rewrite -es in bs fs h; have stp := iffLR (beside_cd c q s) bs.
    have [pls le] := other_goes so st stp fs.
    exists (Move q s), (after S (other c) q s King); split=> //; first by rewrite /Words.actor /who eq.
    split; first exact: (plays_sound so pls).
    case: (s =P p) => [e|np]; first by left; rewrite e in stp *; apply: taken_bare so st stp.
    right; exists p, k, s; split; last by case/orP: h => [/same_cd e|]; [case: np; rewrite e|].
    have nk : s <> k.
      by move=> e; move: fs; rewrite e /Table.free near_cd => /andP [/andP [_]]; unfold is_true; clear; geo.
    have nq : s <> q by move=> e; subst s; geo.
    split=> //=.
    - by rewrite gone_else //; auto.
    - by rewrite gone_else //; auto.
    - exact: gone_to.
    move=> x a b d; case: (x =P q) => [->|e]; first by rewrite gone_from //; auto.
    by rewrite gone_else //; apply: no.
  left; split.
    move=> [r [x [kr [ox ax]]]]; have er := sound_one_king so kr eq; subst r; rewrite otherK in ox.
    have [e|e] := own_one st ox; subst x; move: ax; rewrite /attacks /what ?ep ?ek /=.
      by rewrite /who ep /= => h; case/negP: ns; apply/(struck_cd _ _ n).
    by clear -far_; geo.
  move=> f t le; have [_ of_] := legal_side le; have ef := alone _ of_; subst f.
  have stp := lone_king_steps so alone eq on le; have fr := iffLR (may_step so st stp) le.
  by case/negP: (none (cd c t) (iffRL (beside_cd c q t) stp)).
Qed.
(** What is promoted is taken at once, or nothing is. *)
Lemma promoted_taken S c p k q t j S' : sound S -> Sole.stands S c p k q -> advance c p t -> last c t ->
  t <> k -> t <> q -> promotion j -> sound S' -> S' = after S c p t j -> ~~ untaken (cd c k) (cd c q) (cd c t) ->
  answers (fun S => firm S c) S' (other c).
Proof.
  move=> so st ad la tk tq pj so' eS un; case: (st) => n ep ek eq no; have on := other_player n.
  have [n1 n2 n3 far_ rp] := stands_apart so st.
  have tp : t <> p by move=> h; move: ad; rewrite h; clear -n; case: c n => // _; geo.
  have at_t : S' t = (c, j) by rewrite eS; exact: gone_to.
  have at_k : S' k = (c, King) by rewrite eS /= gone_else //; auto.
  have at_q : S' q = (other c, King) by rewrite eS /= gone_else //; auto.
  have at_none s : s <> t -> s <> k -> s <> q -> S' s = nothing.
    move=> a b d; rewrite eS /=; case: (s =P p) => [->|h]; first by rewrite gone_from; auto.
    by rewrite gone_else //; apply: no.
  move: un; rewrite /untaken !near_cd.
  have -> : same (cd c k) (cd c t) = false by apply/same_cd => h; apply: tk.
  have -> : same (cd c q) (cd c t) = false by apply/same_cd => h; apply: tq.
  rewrite /= negbK => /andP [d1 d2]; have stp : step q t by move: d1 tq; unfold is_true; clear; geo.
  have jk : j <> King by case: pj => [->|[->|[->|->]]].
  have le : legal_move S' (other c) q t.
    apply/(king_step_legal so' at_q on stp); rewrite /who /what at_t otherK /=; split=> //.
      exact: nesym (other_not n).
    move=> x ox nx; have ex : x = k.
      case: (x =P k) => // nk; case: (x =P q) => [h|nq]; first by move: ox; rewrite h at_q => h'; case: (other_not n).
      by move: ox; rewrite at_none // => h'; case: n.
    rewrite ex /attacks /what put_else ?at_k /=; last by auto.
    by move: d2; unfold is_true; clear; geo.
  right; case: (le) => B [m s]; have [eB _] := makes_king_step so' m (congr1 snd at_q) stp.
  have np : ~ promoting S' (other c) q t by move=> [pw _]; move: pw; rewrite /what at_q.
  have pls : plays S' (Move q t) (follow S' (other c) q t B).
    by exists (other c); split=> //; exists B; split=> //; split=> //; split=> //; right.
  exists (Move q t), (follow S' (other c) q t B); split=> //; first by rewrite /Words.actor /who at_q.
  split; first exact: plays_sound pls; left; split=> // y; rewrite eB /what at_q /who /=.
  case: (y =P t) => [->|nt]; first by rewrite gone_to /= => h; case: (other_not n).
  case: (y =P q) => [->|nq]; first by rewrite gone_from; [move=> h; case: n | auto].
  rewrite gone_else //; case: (y =P k) => [->|nk]; first by rewrite at_k.
  by rewrite at_none // => h; case: n.
Qed.
Lemma firm_holds c S : c <> Nobody -> firm S c -> Words.holds_second S (other c).
Proof.
  move=> n; have on := other_player n; apply: (@held_by (fun S => firm S c) _ on) => {}S act S' [so fi].
  rewrite otherK => ac pl lo.
  have so' := plays_sound so pl; case: fi => [b|[p [k [q [st fi]]]]].
    have b' := bare_plays so pl b; case: (played_or_stuck (other c) so') => [[a [T [aa pa ta]]]|none].
      by right; exists a, T; split=> //; split; [exact: plays_sound pa | left; exact: bare_plays pa b'].
    by left; split=> //; exact: bare_no_check.
  have ps := square_of so st; have pd := stands_placed so st.
  have [ik iq] := (cd_inside c k, cd_inside c q).
  case: (pawns_side_moves so st ac pl lo) => [t stp st'|t ad la st'|o t lp ok oq st'|t j ad la tk tq pj eS].
  - apply: (it_answers so' st'); apply: (firm_steps ps ik iq pd fi); first exact/beside_cd.
      exact: cd_inside.
    exact: stands_placed so' st'.
  - have et := iffRL (cd_up1 p t n) ad; have [m1 m2 m3 _ _] := stands_apart so' st'.
    apply: (it_answers so' st'); rewrite et; apply: (proj1 (firm_ahead ps ik iq pd fi _ _ _)).
    + have := iffRL (goal_rel t n); have [_ _ _ _ [_ r]] := stands_apart so' st'.
      by move: r; have := congr1 snd et; unfold cd, up; cbn [fst snd]; lia.
    + by rewrite -et; apply/same_cd; auto.
    by rewrite -et; apply/same_cd; auto.
  - have [ad ad2] : advance c p o /\ advance c o t.
      by move: lp; clear -n; case: c n => // _; unfold leap, advance; cbn; intuition (try lia).
    have eo := iffRL (cd_up1 p o n) ad; have et : cd c t = up (cd c p) 2.
      by rewrite (iffRL (cd_up1 o t n) ad2) eo /up; cbn [fst snd]; f_equal; lia.
    have [m1 m2 m3 _ r] := stands_apart so' st'.
    have e1 : (cd c p).2 = 1.
      by move: lp; clear -n; case: c n => // _; unfold leap, home, cd, Words.rel; cbn [fst snd]; intuition lia.
    apply: (it_answers so' st'); rewrite et; apply: (proj2 (firm_ahead ps ik iq pd fi _ _ _)) => //.
    + by rewrite e1.
    + by rewrite -eo; apply/same_cd; auto.
    + by rewrite -eo; apply/same_cd; auto.
    + by rewrite -et; apply/same_cd; auto.
    by rewrite -et; apply/same_cd; auto.
  apply: (promoted_taken so st ad la tk tq pj so' eS); have et := iffRL (cd_up1 p t n) ad; rewrite et.
  apply: (firm_last ps ik iq pd fi); have := iffLR (goal_rel t n) la; have := congr1 snd et.
  by unfold cd, up; cbn [fst snd]; lia.
Qed.

(** * The clauses. *)
Theorem three_moves_or_more_to_go : Statements.three_moves_or_more_to_go.
Proof.
  move=> c p b [n [e h]] [_ nl]; split=> //; have := rk_range b; move: h nl.
  by clear -n; case: c n => // _; unfold goal, Words.rel; cbn [fwd]; lia.
Qed.
Lemma rel_up c p s : advance c p s -> fl s = fl p /\ Words.rel c s = Words.rel c p + 1.
Proof. by move=> [n [e h]]; split=> //; move: h; clear -n; case: c n => // _; cbn [fwd Words.rel]; lia. Qed.
Lemma rel_rise c p s n : Words.rise c p s n -> n = Words.rel c s - Words.rel c p.
Proof. by move=> [nc ->]; clear -nc; case: c nc => // _; cbn [fwd Words.rel]; lia. Qed.
Lemma outer_not p w : Words.outer p w -> ~ Words.inner p.
Proof. by rewrite /Words.inner => -[] [-> _]; lia. Qed.
Lemma rel_range c s : 0 <= Words.rel c s <= 7.
Proof. by have := rk_range s; case: c; cbn [Words.rel]; lia. Qed.
Theorem right_before_the_pawn : Statements.right_before_the_pawn.
Proof.
  move=> p c s e i ad ad'; have [e1 e2] := rel_up ad; have [_ e4] := rel_up ad'; case: (ad) => n _; split=> //; left.
  by have := rel_range c e; split=> //; split=> //; lia.
Qed.
Theorem one_square_farther : Statements.one_square_farther.
Proof.
  move=> p c a s i y ad ad'; have [e1 e2] := rel_up ad; have [e3 e4] := rel_up ad'; case: (ad) => n _; split=> //; left.
  by split=> //; split; [congruence | right; split=> //; lia].
Qed.
Theorem before_a_pawn_of_an_outer_file : Statements.before_a_pawn_of_an_outer_file.
Proof.
  move=> p w c s o ad; have [e1 e2] := rel_up ad; case: (ad) => n _; split=> //; right.
  by split; [exact: outer_not o | left; lia].
Qed.
Theorem farther_before_it : Statements.farther_before_it.
Proof.
  move=> p w c s o [n [e h]]; split=> //; right; split; first exact: outer_not o.
  by left; split=> //; move: h; clear -n; case: c n => // _; cbn [fwd Words.rel]; lia.
Qed.
Theorem near_its_corner : Statements.near_its_corner.
Proof.
  move=> p w c s n g o ri n2 eg g2; have e := rel_rise ri; case: ri => nc _; split=> //; right.
  by split; [exact: outer_not o | right; move: eg; unfold Words.gap; lia].
Qed.
Lemma post_cd c x q : Words.post c x q -> posted (cd c x) (cd c q).
Proof.
  move=> [n h]; rewrite /posted /inner_file /cd; cbn [fst snd]; unfold Words.inner, Words.young in h.
  by case: ifP; unfold is_true; lia.
Qed.
Section Post.
Variables (S : state) (c : side) (x q : square).
Hypotheses (so : sound S) (sl : Words.sole S c x) (eq : S q = (other c, King)) (po : Words.post c x q).
Let nc : c <> Nobody := proj1 sl.
Lemma post_holds : exists k, [/\ Sole.stands S c x k q, firm1 (cd c x) (cd c k) (cd c q)
  & firm2 (cd c x) (cd c k) (cd c q)].
Proof.
  have [k ek] := sound_king so nc; have st := Alone.sole_stands so sl ek eq; exists k.
  have [a b] := post_firm (square_of so st) (cd_inside c k) (cd_inside c q) (stands_placed so st) (post_cd po).
  by split.
Qed.
End Post.
Theorem held_from_a_post : Statements.held_from_a_post.
Proof.
  move=> S so c x d q sl [nc ->] [nd eq] po; split=> //; apply: (firm_holds nc); split=> //; right.
  by have [k [st f _]] := post_holds so sl eq po; exists x, k, q.
Qed.
Theorem held_from_a_post_by_either : Statements.held_from_a_post_by_either.
Proof.
  move=> S so c x d q sl [nc ->] [nd eq] po; split=> //; right; have [k [st _ f]] := post_holds so sl eq po.
  case: (it_answers so st f) => [[no none]|[act [S' [ac pl ta fi]]]]; first exact: (Words.Holding nd no none).
  exact: (Words.Going nd ac pl ta (firm_holds nc fi)).
Qed.
