(** After a move, whose turn it is, who may still castle, and what may be taken in passing: proofs of the clauses of
    rights. *)
From Chess Require Import Board Words Lines Effects Placement.
From Chess Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (f h o p q r s t u v x : square) (c d e : side) (k : kind) (g : wing).

Theorem the_other_is_to_move : Statements.the_other_is_to_move.
Proof.
  by move=> S S' act snd pl c f t d mv [_ ->]; have [k [dn _]] := moved_done snd pl mv; rewrite /to_move (done_turn dn).
Qed.

(** Castling. *)
Lemma kept_after S act S' c f t e g :
  sound S -> plays S act S' -> moved S act S' c f t -> kept S' e g = kept S e g && ~~ touched f t e g.
Proof. move=> snd pl mv; have [k [dn _]] := moved_done snd pl mv; exact: done_kept dn. Qed.
Lemma lost_after S act S' c f t e g (k u r p : square) (v : right) :
  sound S -> plays S act S' -> moved S act S' c f t ->
  castle e g k u r p -> castling S e g v -> f = k \/ f = r \/ t = r -> castling S' e g Lost.
Proof.
  move=> snd pl mv cs [en _] h; split=> //; rewrite (kept_after _ _ snd pl mv).
  by have -> := iffRL (touchedP _ _ cs) h; rewrite andbF.
Qed.
Lemma kept_still S act S' c f t e g (k u r p : square) : sound S -> plays S act S' -> moved S act S' c f t ->
  castle e g k u r p -> castling S e g Kept -> f <> k -> f <> r -> t <> r -> castling S' e g Kept.
Proof.
  move=> snd pl mv cs [en ek] n1 n2 n3; split=> //; rewrite (kept_after _ _ snd pl mv).
  move: ek; case: (kept S e g) => //= _; case et: (touched f t e g) => //=.
  by case: (iffLR (touchedP f t cs) et) => [|[|]].
Qed.
Theorem what_is_lost_stays_lost : Statements.what_is_lost_stays_lost.
Proof.
  move=> S S' act snd pl c f t e g mv [en ek]; split=> //; rewrite (kept_after _ _ snd pl mv).
  by move: ek; case: (kept S e g).
Qed.
Theorem lost_by_the_kings_move : Statements.lost_by_the_kings_move.
Proof. move=> S S' act snd pl c f t g u r p v mv cs ca; apply: (lost_after snd pl mv cs ca); by left. Qed.
Theorem lost_by_the_rooks_move : Statements.lost_by_the_rooks_move.
Proof. move=> S S' act snd pl c f t g k u p v mv cs ca; apply: (lost_after snd pl mv cs ca); by right; left. Qed.
Theorem lost_with_the_rook : Statements.lost_with_the_rook.
Proof. move=> S S' act snd pl c f t d g k u p v mv _ cs ca; apply: (lost_after snd pl mv cs ca); by right; right. Qed.
(** Where a right is kept, king and rook stand there. *)
Lemma kept_men S e g (k u r p : square) :
  sound S -> castling S e g Kept -> castle e g k u r p -> S k = (e, King) /\ S r = (e, Rook).
Proof. by move=> snd [_ ek] cs; apply: (sound_kept snd) cs; move: ek; case: (kept S e g). Qed.
Theorem kept_where_neither_moves : Statements.kept_where_neither_moves.
Proof.
  move=> S S' act snd pl c f t g k u r p mv ca cs n1 n2; apply: (kept_still snd pl mv cs ca n1 n2) => e.
  have [_ er] := kept_men snd ca cs; have [j [mk _]] := moved_makes snd pl mv.
  by have [_ [n _]] := makes_target snd mk; case: n; rewrite e /who er.
Qed.
Theorem kept_where_the_rook_is_not_taken : Statements.kept_where_the_rook_is_not_taken.
Proof.
  move=> S S' act snd pl c f t d g k u r p mv [cn ed] ca cs n; have [ek er] := kept_men snd ca cs.
  have [_ [ef _]] := mv; have n' := other_not cn.
  by apply: (kept_still snd pl mv cs ca) n => e; subst f d; move: ef; rewrite /who ?ek ?er.
Qed.

(** What may be taken in passing. *)
Lemma open_after S act S' c f t o : sound S -> plays S act S' -> moved S act S' c f t ->
  passed S' = Some o <-> what S f = Pawn /\ leap c f o t.
Proof. move=> snd pl mv; have [k [dn _]] := moved_done snd pl mv; exact: done_passed snd dn. Qed.
Lemma shut_after S act S' c f t o : sound S -> plays S act S' -> moved S act S' c f t ->
  (what S f = Pawn -> ~ leap c f o t) -> en_passant S' o Shut.
Proof.
  move=> snd pl mv n; rewrite /en_passant; case: eqP => // /(open_after _ snd pl mv) [ef lp].
  by case: (n ef).
Qed.
Theorem just_passed : Statements.just_passed.
Proof.
  move=> S S' act snd pl c f t o mv ef lp; rewrite /en_passant.
  have -> : passed S' = Some o by apply/(open_after _ snd pl mv); rewrite /what ef.
  by rewrite eqxx.
Qed.
Theorem shut_where_no_pawn_moves : Statements.shut_where_no_pawn_moves.
Proof.
  move=> S S' act snd pl c f t k s v mv ef n _; apply: (shut_after snd pl mv).
  by rewrite /what ef => e.
Qed.
Theorem shut_where_nobody_is_passed : Statements.shut_where_nobody_is_passed.
Proof.
  move=> S S' act snd pl c f t s mv [_ n]; apply: (shut_after snd pl mv) => _ [_ [e1 [_ [e2 _]]]].
  by case: n; rewrite e2 e1.
Qed.
Theorem shut_where_another_moves : Statements.shut_where_another_moves.
Proof.
  move=> S S' act snd pl c f t h s u mv lp n; apply: (shut_after snd pl mv) => _ lp'.
  by case: n; case: (leap_one lp lp').
Qed.
Theorem shut_after_one_step : Statements.shut_after_one_step.
Proof.
  move=> S S' act snd pl c f t h s u mv lp n; apply: (shut_after snd pl mv) => _ lp'.
  by case: n; case: (leap_one lp lp').
Qed.
