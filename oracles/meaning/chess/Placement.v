(** What stands where after a move of either side: proofs of the clauses of placement. *)
From Chess Require Import Board Words Lines Effects.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (f o p q r s t v x : square) (c d : side) (k : kind).

(** A step that moved a man from `f` to `t`. *)
Lemma moved_makes S act S' c f t :
  sound S -> plays S act S' -> moved S act S' c f t -> exists k, makes S c f t k S' /\ becomes S c f t k.
Proof.
  move=> snd pl mv; have [k [dn _]] := moved_done snd pl mv.
  by have [mk [_ bc]] := done_makes dn; exists k.
Qed.
Lemma makes_still S c f t k B s :
  sound S -> makes S c f t k B -> s <> f -> s <> t -> ~ in_passing S c f t s -> what S f <> King -> B s = S s.
Proof.
  move=> snd mk n1 n2 np nk; case: (makes_square snd mk n1 n2) => [//|[_ /np []]|[_ [g [p mc]]]|[_ [_ [g [r mc]]]]].
    by case: nk; case: mc => _ [_ [e _]]; rewrite /what e.
  by case: nk; case: mc => _ [_ [e _]]; rewrite /what e.
Qed.
(** Another man of the side that moves stays, but for a rook when its king castles. *)
Lemma makes_own S c f t k B s :
  sound S -> makes S c f t k B -> s <> f -> who S s = c -> (forall g p, ~ may_castle S c g f t s p) -> B s = S s.
Proof.
  move=> snd mk n e nc; have [cp _] := makes_side mk; have [_ [et _]] := makes_target snd mk.
  have n2 : s <> t by move=> h; subst s.
  case: (makes_square snd mk n n2) => [//|[_ [_ [_ [_ [_ [ev _]]]]]]|[_ [g [p /nc []]]]|[_ [es _]]].
    by move: e; rewrite /who ev /= => h; case: (other_not cp).
  by move: e; rewrite /who es /= => h; subst c.
Qed.
Lemma makes_empty S c f t k B s :
  sound S -> makes S c f t k B -> S s = nothing -> s <> t -> (forall g r, ~ may_castle S c g f t r s) -> B s = nothing.
Proof.
  move=> snd mk e n nc; have [cp ef] := makes_side mk.
  have n2 : s <> f by move=> h; subst s; move: ef; rewrite /who e => h; subst c.
  case: (makes_square snd mk n2 n) => [->//|[-> //]|[-> //]|[_ [_ [g [r /nc []]]]]].
Qed.

(** The king steps, or it castles. *)
Lemma king_of S c f q : sound S -> S q = (c, King) -> who S f = c -> what S f = King -> f = q.
Proof. by move=> snd e e1 e2; apply: (sound_one_king snd) e; rewrite -e1 -e2 /who /what; case: (S f). Qed.
Lemma what_king S f c : who S f = c -> what S f = King -> S f = (c, King).
Proof. by rewrite /who /what; case: (S f) => a b /= -> ->. Qed.
Lemma castle_same c g g' (k t r p r' p' : square) : castle c g k t r p -> castle c g' k t r' p' -> r' = r /\ p' = p.
Proof. by case: g; case: g'; geo. Qed.
Lemma castled_makes S act S' c q t r p :
  sound S -> plays S act S' -> castled S act S' c q t r p ->
  stands S' = castled_to S c q t r p /\ exists g, may_castle S c g q t r p.
Proof.
  move=> snd pl [mv [ek [g cs]]]; have [k [[B [mk [sf [bc ->]]]] _]] := moved_done snd pl mv; rewrite /=.
  case: mk => [gs|v [ef _] _|g' r' p' mc _].
  - have nf : what S q <> Pawn by rewrite ek.
    have := goes_attacks snd gs nf; rewrite /Board.attacks ek => st; by case: (castle_apart cs).
  - by move: ek; rewrite /what ef.
  - by have [cs' _] := mc; have [e1 e2] := castle_same cs cs'; subst r' p'; split=> //; exists g'.
Qed.
Lemma castled_square c g (k t r p : square) :
  castle c g k t r p -> [/\ k <> t, k <> r, k <> p & t <> r] /\ t <> p /\ r <> p.
Proof. by case: g => H; (split; [split | split]) => e; subst; geo. Qed.
Lemma castled_else S c (q t r p s : square) :
  s <> q -> s <> r -> s <> t -> s <> p -> castled_to S c q t r p s = S s.
Proof. by move=> *; rewrite /castled_to !put_else. Qed.
Lemma stepping_castles S c f t r p g : step f t -> ~ may_castle S c g f t r p.
Proof. by move=> st [cs _]; case: (castle_apart cs). Qed.
Lemma no_castling_of_another S c f t r p g : what S f <> King -> ~ may_castle S c g f t r p.
Proof. by move=> n [_ [_ [e _]]]; case: n; rewrite /what e. Qed.

(** What was done. *)
Theorem a_legal_move : Statements.a_legal_move.
Proof.
  move=> S S' act snd pl f t c ea [lm _]; have [cn e] := legal_side lm.
  by split=> //; split=> //; left.
Qed.
Theorem a_legal_promotion : Statements.a_legal_promotion.
Proof.
  move=> S S' act snd pl f t k c ea pk [lm _]; have [cn e] := legal_side lm.
  by split=> //; split=> //; right; exists k.
Qed.
Theorem the_king_stays : Statements.the_king_stays.
Proof.
  move=> S S' act snd pl c f t k mv [_ ek] n; split=> // wk; case: n; symmetry; apply: (king_of snd ek) => //.
  by case: mv => _ [].
Qed.
Theorem the_king_steps : Statements.the_king_steps.
Proof. by move=> S S' act snd pl c k t mv [_ ek] st; split=> //; rewrite /what ek. Qed.
Theorem the_king_castles : Statements.the_king_castles.
Proof. by move=> S S' act snd pl c k t g r p mv [_ ek] cs; split=> //; rewrite /what ek; split=> //; exists g. Qed.

(** Where the man goes, and what it leaves. *)
Theorem the_man_arrives : Statements.the_man_arrives.
Proof.
  move=> S S' act snd pl f t c k ea [lm np] ek; have [cn e] := legal_side lm.
  have mv : moved S act S' c f t by split=> //; split=> //; left.
  have [j [dn [[_ [ej _]]|[ea' _]]]] := moved_done snd pl mv; last by rewrite ea in ea'.
  by have [mk _] := done_makes dn; rewrite /at_ (makes_to mk) ej /what ek.
Qed.
Theorem the_pawn_becomes_another : Statements.the_pawn_becomes_another.
Proof.
  move=> S S' act snd pl f t k c ea pk [lm [wp lt]]; have [cn e] := legal_side lm.
  have mv : moved S act S' c f t by split=> //; split=> //; right; exists k.
  have [j [dn [[ea' _]|[ea' _]]]] := moved_done snd pl mv; first by rewrite ea in ea'.
  by move: ea'; rewrite ea => - [ej]; subst j; have [mk _] := done_makes dn; exact: (makes_to mk).
Qed.
Theorem it_leaves_its_square : Statements.it_leaves_its_square.
Proof. move=> S S' act snd pl c f t mv; have [k [mk _]] := moved_makes snd pl mv; exact: (makes_from snd mk). Qed.

(** The other side's men. *)
Lemma leap_rank d h o s : leap d h o s -> rk s = home d + 2 * fwd d.
Proof. case: d; geo. Qed.
Lemma leap_under d h h' o o' s : leap d h o s -> leap d h' o' s -> o = o'.
Proof. case: d; geo. Qed.
Lemma others_stay S act S' c d f t k s : sound S -> plays S act S' -> moved S act S' c f t -> opponent d c ->
  S s = (d, k) -> s <> t -> ~ in_passing S c f t s -> S' s = (d, k).
Proof.
  move=> snd pl mv [dn ec] es n np; have [j [mk _]] := moved_makes snd pl mv; rewrite -es.
  by apply: (makes_others_stay snd mk) => //; rewrite ec otherK /who es.
Qed.
Theorem the_opponents_pieces_stay : Statements.the_opponents_pieces_stay.
Proof.
  move=> S S' act snd pl c f t d s k mv op es nk n; apply: (others_stay snd pl mv op es n).
  by move=> [_ [_ [_ [_ [e _]]]]]; move: e; rewrite es => - [].
Qed.
Theorem so_do_his_settled_pawns : Statements.so_do_his_settled_pawns.
Proof.
  move=> S S' act snd pl c f t d s mv op es [_ st] n; apply: (others_stay snd pl mv op es n).
  move=> [_ [_ [_ [_ [_ [h lp]]]]]]; case: op lp => dn ->; rewrite otherK => lp; case: st; exact: (leap_rank lp).
Qed.
Theorem and_those_that_did_not_just_pass : Statements.and_those_that_did_not_just_pass.
Proof.
  move=> S S' act snd pl c f t d s h o mv op es lp en n; apply: (others_stay snd pl mv op es n).
  move=> [_ [_ [ep [_ [_ [h' lp']]]]]]; move: en; rewrite /en_passant ep; case: eqP => // ne.
  by case: op lp' => dn ->; rewrite otherK => lp'; case: ne; rewrite (leap_under lp' lp).
Qed.
Theorem and_those_that_are_passed_by_no_pawn : Statements.and_those_that_are_passed_by_no_pawn.
Proof.
  move=> S S' act snd pl c f t d s m mv op es ef nm n; apply: (others_stay snd pl mv op es n).
  by move=> [e _]; move: e; rewrite ef => - [].
Qed.
Theorem and_those_behind_which_nobody_goes : Statements.and_those_behind_which_nobody_goes.
Proof.
  move=> S S' act snd pl c f t d s h o mv op es lp no n; apply: (others_stay snd pl mv op es n).
  move=> [_ [_ [_ [_ [_ [h' lp']]]]]]; case: no; case: op lp' => dn ->; rewrite otherK => lp'.
  exact: leap_under lp lp'.
Qed.
Theorem a_pawn_taken_in_passing_is_gone : Statements.a_pawn_taken_in_passing_is_gone.
Proof.
  move=> S S' act snd pl c f t v mv ip; have [k [mk _]] := moved_makes snd pl mv; rewrite /at_.
  have [ef [st [_ [et [ev [h lp]]]]]] := ip; have [cn e] := makes_side mk.
  have n1 : v <> f by move=> h'; subst v; move: ev; rewrite ef => - [e']; case: (other_not cn).
  have n2 : v <> t by move=> h'; subst t; move: et; rewrite ev.
  move: mk; move: (stands S') => B mk; case: mk => [gs|v' ip' _|g r p mc _].
  - by case: (in_passing_not_goes ip).
  - suff <- : v = v' by rewrite /passed_by put_else ?put_at.
    by have [_ [_ [_ [_ [_ [h' lp']]]]]] := ip'; have [_ ->] := leap_one lp lp'.
  - by have [_ [_ [e' _]]] := mc; rewrite ef in e'.
Qed.

(** Its own men. *)
Lemma own_stay S act S' c f t k s : sound S -> plays S act S' -> moved S act S' c f t ->
  S s = (c, k) -> s <> f -> (forall g p, ~ may_castle S c g f t s p) -> S' s = (c, k).
Proof.
  move=> snd pl mv es n nc; have [j [mk _]] := moved_makes snd pl mv; rewrite -es.
  by apply: (makes_own snd mk) => //; rewrite /who es.
Qed.
Theorem own_men_stay : Statements.own_men_stay.
Proof.
  move=> S S' act snd pl c f t s k mv es nk n; apply: (own_stay snd pl mv es n) => g p [_ [_ [_ [e _]]]].
  by move: e; rewrite es => - [].
Qed.
Theorem own_rooks_stay_when_the_king_does : Statements.own_rooks_stay_when_the_king_does.
Proof.
  move=> S S' act snd pl c f t s [mv nk] es n; apply: (own_stay snd pl mv es n) => g p.
  exact: no_castling_of_another.
Qed.
Theorem own_rooks_stay_when_the_king_steps : Statements.own_rooks_stay_when_the_king_steps.
Proof.
  move=> S S' act snd pl c f t s [mv [wk st]] es.
  apply: (own_stay snd pl mv es) => [e|g p]; last exact: stepping_castles.
  by subst s; move: wk; rewrite /what es.
Qed.
Theorem the_other_rook_stays : Statements.the_other_rook_stays.
Proof.
  move=> S S' act snd pl c f t r p s cl es n; have [_ [g' mc']] := castled_makes snd pl cl.
  have [mv [wk _]] := cl; apply: (own_stay snd pl mv es) => [e|g p' [cs _]].
    by subst s; move: wk; rewrite /what es.
  by case: mc' => cs' _; case: n; case: (castle_same cs' cs).
Qed.
Theorem the_rook_arrives : Statements.the_rook_arrives.
Proof.
  move=> S S' act snd pl c f t r p cl; have [e _] := castled_makes snd pl cl; by rewrite /at_ e /castled_to put_at.
Qed.
Theorem its_corner_is_left : Statements.its_corner_is_left.
Proof.
  move=> S S' act snd pl c f t r p cl; have [e [g [cs _]]] := castled_makes snd pl cl; rewrite /at_ e /castled_to.
  have [[_ _ _ n1] [_ n2]] := castled_square cs.
  by rewrite put_else // put_else ?put_at // => h; case: n1.
Qed.

(** Empty squares. *)
Lemma empty_stays S act S' c f t s : sound S -> plays S act S' -> moved S act S' c f t ->
  S s = nothing -> s <> t -> (forall g r, ~ may_castle S c g f t r s) -> S' s = nothing.
Proof. by move=> snd pl mv es n nc; have [j [mk _]] := moved_makes snd pl mv; apply: (makes_empty snd mk). Qed.
Theorem empty_squares_stay_so_when_the_king_stays : Statements.empty_squares_stay_so_when_the_king_stays.
Proof.
  move=> S S' act snd pl c f t s [mv nk] es n; apply: (empty_stays snd pl mv es n) => g r.
  exact: no_castling_of_another.
Qed.
Theorem and_when_it_steps : Statements.and_when_it_steps.
Proof.
  move=> S S' act snd pl c f t s [mv [_ st]] es n; apply: (empty_stays snd pl mv es n) => g r.
  exact: stepping_castles.
Qed.
Theorem and_when_it_castles_elsewhere : Statements.and_when_it_castles_elsewhere.
Proof.
  move=> S S' act snd pl c f t r p s cl es n1 n2; have [mv [_ [g cs]]] := cl.
  apply: (empty_stays snd pl mv es n1) => g' r' [cs' _].
  by case: n2; case: (castle_same cs cs').
Qed.

(** The kings. *)
Theorem the_opponents_king_stays : Statements.the_opponents_king_stays.
Proof.
  move=> S S' act snd pl c f t d k mv [dn ec] [_ ek]; split=> //; have [j [mk _]] := moved_makes snd pl mv.
  by move: (makes_other_king k snd mk); rewrite ec otherK => h; apply/h.
Qed.
Theorem the_own_king_stays : Statements.the_own_king_stays.
Proof.
  move=> S S' act snd pl c f t k [mv nk] [cn ek]; split=> //; have [j [mk bc]] := moved_makes snd pl mv.
  by apply/(makes_own_king k snd mk bc); right.
Qed.
Lemma own_king_goes S act S' c f t : sound S -> plays S act S' -> moved S act S' c f t -> what S f = King ->
  king S' c t.
Proof.
  move=> snd pl mv wk; have [j [mk bc]] := moved_makes snd pl mv; have [cn _] := makes_side mk; split=> //.
  by apply/(makes_own_king t snd mk bc); left.
Qed.
Theorem the_own_king_steps : Statements.the_own_king_steps.
Proof. move=> S S' act snd pl c f t [mv [wk _]]; exact: own_king_goes mv wk. Qed.
Theorem the_own_king_castles : Statements.the_own_king_castles.
Proof. move=> S S' act snd pl c f t r p [mv [wk _]]; exact: own_king_goes mv wk. Qed.
