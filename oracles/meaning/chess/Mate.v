(** Mate and stalemate: proofs of the clauses of mate. *)
From Chess Require Import Board Words Lines Effects.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (f h o p q r s t u v x y : square) (c d e : side) (k : kind).

(** Man by man. *)
Theorem without_a_move : Statements.without_a_move.
Proof.
  move=> S snd m c k n em [cn _] al; have wm : who S m = c by rewrite /who em.
  split=> //; split=> // t lm; apply: (al t) (lm); have := legal_range snd lm; by rewrite /what em.
Qed.
Theorem nobody_moves : Statements.nobody_moves.
Proof.
  move=> S snd c n [cn _] al; split=> // f t lm; have [_ wf] := legal_side lm.
  by have [_ [_ st]] := al f (conj cn wf); case: (st t).
Qed.
Lemma check_in S c x : check S c x -> in_check S c.
Proof. by move=> [cn [q [eq [ex at_x]]]]; exists q, x. Qed.
Theorem immobile_in_check : Statements.immobile_in_check.
Proof. by move=> S snd c x [cn im] /check_in. Qed.
Theorem immobile_without_check : Statements.immobile_without_check.
Proof. by move=> S snd c [cn im] [_ sf]; split=> //; split=> //; apply/safe_not_check. Qed.

(** The king has no step. *)
Theorem nowhere_to_step : Statements.nowhere_to_step.
Proof.
  by move=> S snd c k n [cn ek] _ al; split=> // q t eq st; rewrite (sound_one_king snd eq ek) in st *; apply: al.
Qed.

(** Nobody but the king takes on a square, or goes there by what it attacks. *)
Theorem nobody_attacks_it : Statements.nobody_attacks_it.
Proof. by move=> S snd c t _ [_ un] y wy _ /(un y wy). Qed.
Theorem only_the_king_does : Statements.only_the_king_does.
Proof.
  move=> S snd c t k _ [_ ek] [_ on] y wy nk ay; case: nk; have -> : y = k by apply: on => //; rewrite wy /who ek.
  by rewrite /what ek.
Qed.
Theorem only_a_pinned_man_does : Statements.only_a_pinned_man_does.
Proof.
  move=> S snd c t y x [x' [[[cn [q [eq [wx' ax']]]] _] ht]] [_ on] pn y' wy' _ ay' lm.
  have [_ [wy [wx [q' [eq' [bt ax]]]]]] := pn; rewrite (sound_one_king snd eq' eq) {q' eq'} in bt ax.
  have ey : y' = y by apply: on => //; rewrite wy.
  subst y'; have ny : S y <> nothing by move=> e; move: wy; rewrite /who e; case: (c) cn.
  have nx : S x <> nothing by move=> e; move: wx; rewrite /who e; case: (c) cn.
  have nx' : S x' <> nothing by move=> e; move: wx'; rewrite /who e; case: (c) cn.
  have n : x' <> x by move=> e; subst x'; case: ny; apply: attacks_clear ax' _; apply/between_sym.
  have no1 : ~ between q x' x by move=> b; case: nx; apply: attacks_clear ax' _; apply/between_sym.
  have no2 : ~ between q x x'.
    move=> b; case: nx'; have := attacks_clear ax (iffLR (between_sym _ _ _) b).
    rewrite /without put_else // => e; subst x'; move: wx' (other_not cn); rewrite wy => <- //.
  have := pinned_stays snd pn eq lm; case: ht => [->|[q' [eq' b]]] [e|b'] //.
  - rewrite (sound_one_king snd eq' eq) e in b; exact: no1.
  - rewrite (sound_one_king snd eq' eq) in b; have [w [sw [_ [l1 l2]]]] := between_line b.
    have [w' [sw' [_ [l1' l2']]]] := between_line b'; have ew := line_one l1 l1'; subst w'.
    by have [|[]] := line_two sw (line_trans sw l1 l2) (line_trans sw l1' l2').
Qed.
(** What another man than the king does: it goes, or takes in passing. *)
Lemma legal_goes S c f t : legal_move S c f t -> what S f <> King -> (forall v, ~ in_passing S c f t v) -> goes S c f t.
Proof.
  move=> [B [mk _]] nk np; case: mk => [//|v ip|g r p [_ [_ [e _]]]]; first by case: (np v).
  by case: nk; rewrite /what e.
Qed.
(** A pawn goes where it does not strike: by one step, or two. *)
Lemma pawn_goes S c f t : sound S -> S f = (c, Pawn) -> legal_move S c f t -> ~ strikes c f t ->
  S t = nothing /\ (advance c f t \/ exists o, leap c f o t /\ S o = nothing).
Proof.
  move=> snd ef lm ns; have : goes S c f t.
    by apply: legal_goes lm _ _ => [|v [_ [/ns]]]; rewrite /what ?ef.
  move=> [_ [_]]; rewrite /what ef => -[[ad et]|[[o [lp [eo et]]]|[/ns]]] //.
    by split=> //; left.
  by split=> //; right; exists o.
Qed.
Theorem only_a_pawn_that_has_nothing_to_take : Statements.only_a_pawn_that_has_nothing_to_take.
Proof.
  move=> S snd c t y _ [ay on] ey et en y' wy' _ ay' lm.
  have e : y' = y by apply: on => //; rewrite wy' /who ey.
  subst y'; have st : strikes c y t by move: ay; rewrite /Words.attacks /Board.attacks /what ey wy'.
  have : goes S c y t.
    by apply: legal_goes lm _ _ => [|v [_ [_ [e _]]]]; [rewrite /what ey | move: en; rewrite /en_passant e eqxx].
  move=> [cn [_]]; rewrite /what ey => -[[ad _]|[[o [lp _]]|[_ [wt _]]]].
  - by clear -st ad; case: (c) st ad; geo.
  - by clear -st lp; case: (c) st lp; geo.
  - by move: wt; rewrite /who et; case: (c) cn.
Qed.

(** Nor can a pawn advance there. *)
Theorem no_pawn_is_behind_the_first_rank : Statements.no_pawn_is_behind_the_first_rank.
Proof.
  move=> S snd c t d _ [cn ed] lt y ey ns lm; have [_ h] := pawn_goes snd ey lm ns; have := sound_pawns snd ey.
  clear -cn ed lt h; subst d; case: (c) cn lt h => // _ lt [ad|[o [lp _]]]; geo.
Qed.
Lemma advance_one c p p' t : advance c p t -> advance c p' t -> p = p'.
Proof. case: c; geo. Qed.
Lemma advance_leap c p h o t : advance c p t -> leap c h o t -> p = o.
Proof. case: c; geo. Qed.
Lemma settled_leap c h o t : settled c t -> ~ leap c h o t.
Proof. case: c => -[] //= _; geo. Qed.
Theorem no_pawn_is_behind : Statements.no_pawn_is_behind.
Proof.
  move=> S snd c t p _ st ad [_ np] y ey ns lm; have [_ [ad'|[o [lp _]]]] := pawn_goes snd ey lm ns.
    by case: np; rewrite (advance_one ad ad').
  by case: (settled_leap st lp).
Qed.
Theorem another_is_behind : Statements.another_is_behind.
Proof.
  move=> S snd c t p e k _ ad [_ np] ep pe y ey ns lm; have [_ [ad'|[o [lp eo]]]] := pawn_goes snd ey lm ns.
    by case: np; rewrite (advance_one ad ad').
  by move: ep; rewrite /at_ (advance_leap ad lp) eo => - [e']; case: pe.
Qed.
Theorem no_pawn_is_two_behind : Statements.no_pawn_is_two_behind.
Proof.
  move=> S snd c t h p _ lp [_ np] [_ nh] y ey ns lm; have [_ [ad|[o [lp' _]]]] := pawn_goes snd ey lm ns.
    by case: np; rewrite -(advance_leap ad lp).
  case: nh; suff -> : h = y by [].
  by clear -lp lp'; case: (c) lp lp'; geo.
Qed.

(** Who gives check is not taken in passing. *)
Theorem a_piece_lasts : Statements.a_piece_lasts.
Proof. by move=> S snd c x d k _ ex n f t [_ [_ [_ [_ [e _]]]]]; move: ex; rewrite /at_ e => - [_ e']; case: n. Qed.
Lemma passing_leap S c f t x d : in_passing S c f t x -> S x = (d, Pawn) -> passed S = Some t /\ exists h, leap d h t x.
Proof. by move=> [_ [_ [e [_ [ex lp]]]]] ed; move: ex lp; rewrite ed => - [->]. Qed.
Theorem a_settled_pawn_lasts : Statements.a_settled_pawn_lasts.
Proof.
  by move=> S snd c x d _ ex st f t ip; have [_ [h lp]] := passing_leap ip ex; case: (settled_leap st lp).
Qed.
Theorem a_pawn_that_did_not_just_pass_lasts : Statements.a_pawn_that_did_not_just_pass_lasts.
Proof.
  move=> S snd c x d h o _ ex lp en f t ip; have [e [h' lp']] := passing_leap ip ex.
  have et : t = o by clear -lp lp'; case: (d) lp lp'; geo.
  by move: en; rewrite /en_passant e et eqxx.
Qed.

(** Nobody but the king answers the one check. *)
Lemma helpless_not S c f t x : sound S -> who S x = other c -> helpless S c x -> what S f <> King -> t = x ->
  ~ legal_move S c f t.
Proof.
  move=> snd wx hp nk -> lm; have [cn wf] := legal_side lm; apply: (hp f) (lm) => //.
  have gs : goes S c f x.
    apply: legal_goes lm nk _ => v [_ [_ [_ [e _]]]]; move: wx; rewrite /who e; case: (c) cn => //.
  case ef: (what S f == Pawn); last by apply: goes_attacks gs _ => //; move/eqP: ef.
  have pf := eqP ef; move: gs => [_ [_]].
  rewrite /Words.attacks /Board.attacks pf wf => -[[_ e]|[[o [_ [_ e]]]|[st _]]] //.
    by move: wx; rewrite /who e; case: (c) cn.
  by move: wx; rewrite /who e; case: (c) cn.
Qed.
Theorem a_knights_check_unanswered : Statements.a_knights_check_unanswered.
Proof.
  move=> S snd c x k sg [cn ek] ln hp ls; split=> // f t nk lm.
  have [[_ [q [eq [wx ax]]]] _] := sg; rewrite (sound_one_king snd eq ek) {q eq} in ax.
  case: (legal_answers snd lm nk ek wx ax) => [e|[w [sw [l1 l2]]]|/ls //]; first by case: (helpless_not snd wx hp nk e).
  exact: sw (line_one (line_trans sw l1 l2) ln).
Qed.
Theorem a_check_on_a_line_unanswered : Statements.a_check_on_a_line_unanswered.
Proof.
  move=> S snd c x k n sg [cn ek] hp ls _ al; split=> // f t nk lm.
  have [[_ [q [eq [wx ax]]]] _] := sg; rewrite (sound_one_king snd eq ek) {q eq} in ax.
  case: (legal_answers snd lm nk ek wx ax) => [e|b|/ls //]; first by case: (helpless_not snd wx hp nk e).
  have [ht ut] := al t b; have [_ wf] := legal_side lm; case: (attacks_dec S f t) => [/ht|na]; first by case.
  case ef: (what S f == Pawn).
    have pf := eqP ef; apply: (ut f) (lm); first by move: wf pf; rewrite /who /what; case: (S f) => a b' /= -> ->.
    by move=> st; case: na; rewrite /Board.attacks pf wf.
  have nf : what S f <> Pawn by move/eqP: ef.
  by case: na; apply: (goes_attacks snd _ nf); apply: legal_goes lm nk _ => v [e]; case: nf; rewrite /what e.
Qed.

(** Mate. *)
Lemma cornered_stays S c f t : sound S -> in_check S c -> cornered S c -> what S f = King -> ~ legal_move S c f t.
Proof.
  move=> snd ic [cn co] wk lm; have [_ wf] := legal_side lm.
  have ef : S f = (c, King) by move: wf wk; rewrite /who /what; case: (S f) => a b /= -> ->.
  apply: (co f t ef) (lm); have [B [mk _]] := lm; case: mk => [gs|v [e]|g r p mc].
  - have nf : what S f <> Pawn by rewrite wk.
    by have := goes_attacks snd gs nf; rewrite /Board.attacks wk.
  - by move: e; rewrite ef.
  - by case: (no_castling_in_check snd mc).
Qed.
Theorem mate_by_one : Statements.mate_by_one.
Proof.
  move=> S snd c x [[ck _] un] co; have ic := check_in ck; split; first by case: co.
  by split=> // f t; case ef: (what S f == King); [apply: cornered_stays (eqP ef) | apply: un; apply/eqP; rewrite ef].
Qed.
Theorem mate_by_two : Statements.mate_by_two.
Proof.
  move=> S snd c x y cx cy n co; have ic := check_in cx; split; first by case: co.
  split=> // f t; case ef: (what S f == King); first exact: cornered_stays (eqP ef).
  by apply: two_checks cx cy n _ => //; apply/eqP; rewrite ef.
Qed.

(** It is played for at once. *)
Theorem mate_at_once : Statements.mate_at_once.
Proof.
  move=> S S' act snd pl f t c d ea [lm _] [nd ec] md; subst act; have [_ wf] := legal_side lm.
  do 2 split=> //; first by rewrite /actor wf.
  by exists S'; do 2 split=> //; left.
Qed.
Theorem mate_by_a_promotion : Statements.mate_by_a_promotion.
Proof.
  move=> S S' act snd pl f t k c d ea _ [lm _] [nd ec] md; subst act; have [_ wf] := legal_side lm.
  do 2 split=> //; first by rewrite /actor wf.
  by exists S'; do 2 split=> //; left.
Qed.
