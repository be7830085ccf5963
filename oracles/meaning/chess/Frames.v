(** The frames: what holds before a step or after it holds at both, unless the step is one of those that the frame
    lists. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements Counting.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** A step is a move, a promotion, or that a side gives up, which leaves all as it is. *)
Lemma plays_cases S act S' : plays S act S' ->
  [\/ exists c f t, act = Move f t /\ done S c f t (what S f) S' /\ ~ promoting S c f t,
      exists c f t k, act = Promote f t k /\ done S c f t k S' /\ promoting S c f t /\ promotion k
    | stands S' = stands S /\ kept S' = kept S /\ passed S' = passed S].
Proof.
  case: act => [f t|f t k|q] /=.
  - by move=> [c [n dn]]; apply: Or31; exists c, f, t.
  - move=> [c [pr dn]]; apply: Or32; exists c, f, t, k; split=> //; split=> //; split=> //.
    by have [_ [_ [[_ p]|[n _]]]] := done_makes dn.
  by move=> [d [_ [_ [_ ->]]]]; apply: Or33.
Qed.
(** A promotion takes nothing in passing, and is no castling. *)
Lemma promoted_goes S c f t k S' : done S c f t k S' -> promotion k -> goes S c f t /\ stands S' = gone S c f t k.
Proof.
  move=> dn p; have [m _] := done_makes dn.
  by case: m p => [g|v _ ->|g r q _ ->] // -[|[|[]]].
Qed.

Theorem frame_at_1 : Statements.frame_at_1.
Proof.
  move=> S S' act sd pl s c k e.
  have still : S' s = S s -> Words.at_ S s c k /\ Words.at_ S' s c k.
    by move=> es; move: e; rewrite /Words.at_ es => -[].
  case: (plays_cases pl) => [[d [f [t [-> [dn _]]]]]|[d [f [t [j [-> [dn [_ p]]]]]]]|[es _]].
  - have [m _] := done_makes dn.
    case: (s =P f) => [->|nf]; first by right; left; exists t.
    case: (s =P t) => [->|nt]; first by right; right; left; exists f.
    case: (makes_square sd m nf nt) => [e'|[_ i]|[_ [g [q [ca [_ [kf _]]]]]]|[_ [_ [g [r [ca [_ [kf _]]]]]]]].
    + by left; apply: still.
    + by right; right; right; left; exists f, t, d.
    + by right; right; right; right; left; exists f, t, d, g, q.
    by right; right; right; right; right; left; exists f, t, d, g, r.
  - have [g e'] := promoted_goes dn p.
    case: (s =P f) => [->|nf]; first by do 6!right; left; exists t, j.
    case: (s =P t) => [->|nt]; first by do 7!right; exists f, j.
    by left; apply: still; rewrite e' gone_else.
  by left; apply: still; rewrite es.
Qed.
Theorem frame_king_1 : Statements.frame_king_1.
Proof.
  have stays S S' d f t j c q : sound S -> done S d f t j S' -> Words.king S c q -> q <> f -> Words.king S' c q.
    move=> sd dn [nc kq] n; split=> //; have [m _] := done_makes dn; have [nd od] := makes_side m.
    case: (c =P d) => [e|e]; last by rewrite (one_of_two nd nc e) in kq *; apply/(makes_other_king _ sd m).
    rewrite -e in m od; have nk : what S f <> King; last exact: (makes_king_stays sd m nk kq).
    move=> kf; apply: n; apply: (sound_one_king sd kq).
    by rewrite -kf /what -{1}od /who; case: (S f).
  have both S S' d f t j c q : sound S -> done S d f t j S' -> Words.king S c q \/ Words.king S' c q ->
      ~ Words.king S c f -> Words.king S c q /\ Words.king S' c q.
    move=> sd dn h nf; have nc : c <> Nobody by case: h => -[].
    have [r kr] := sound_king sd nc; have kc : Words.king S c r by [].
    have kr' : Words.king S' c r by apply: (stays _ _ _ _ _ _ _ _ sd dn kc) => e; apply: nf; rewrite -e.
    suff -> : q = r by [].
    case: h => -[_ kq]; first exact: (sound_one_king sd kq kr).
    by have [_ _ one _ _] := done_nearly_sound sd dn; apply: (one _ _ _ kq (proj2 kr')).
  move=> S S' act sd pl c q kq; case: (plays_cases pl) =>
    [[d [f [t [-> [dn _]]]]]|[d [f [t [j [-> [dn [p _]]]]]]]|[es _]].
  - case: (S f =P (c, King)) => [e|n]; last by left; apply: (both _ _ _ _ _ _ _ _ sd dn kq) => -[].
    by right; exists f, t; split=> //; split=> //; case: kq => -[].
  - by left; apply: (both _ _ _ _ _ _ _ _ sd dn kq) => -[_ e]; move: p; rewrite /promoting /what e => -[].
  by left; move: kq; rewrite /Words.king es => -[].
Qed.
Theorem frame_men_1 : Statements.frame_men_1.
Proof.
  move=> S S' act sd pl d n mn; have nd : d <> Nobody by case: mn => -[].
  have same : Counting.count S' d = Counting.count S d -> Words.men S d n /\ Words.men S' d n.
    by move=> e; case: mn => mn; split=> //; apply: (Counting.same_men _ mn).
  case: (plays_cases pl) => [[c [f [t [-> [dn _]]]]]|[c [f [t [j [-> [dn [p pj]]]]]]]|[es _]].
  - have [m _] := done_makes dn; have [nc _] := makes_side m.
    case: (Counting.makes_men sd m nd) => [[_ e]|[[v i] e]].
      case: (who S t =P d) e => [o _|n' e].
        by right; left; exists f, t, (what S t); split=> //; split=> //; rewrite /Words.at_ -o /who /what; case: (S t).
      by left; apply: same; rewrite addn0 in e.
    case: (other c =P d) e => [o _|n' e].
      by right; right; left; exists f, t, c, v; split=> //; split=> //; split.
    by left; apply: same; rewrite addn0 in e.
  - have [m _] := done_makes dn; have [g _] := promoted_goes dn pj.
    case: (Counting.makes_men sd m nd) => [[_ e]|[[v i] e]]; last by case: (in_passing_not_goes i g).
    case: (who S t =P d) e => [o _|n' e].
      by do 3!right; exists f, t, j, (what S t); split=> //; split=> //; rewrite /Words.at_ -o /who /what; case: (S t).
    by left; apply: same; rewrite addn0 in e.
  by left; apply: same; rewrite es.
Qed.
Lemma castle_some c g : c <> Nobody -> exists k t r p : square, castle c g k t r p.
Proof.
  move=> nc; have hb : 0 <= base c <= 7 by case: (c) => /=; lia.
  have at_ i : 0 <= i <= 7 -> exists s : square, fl s = i /\ rk s = base c by move=> h; apply: square_at.
  case: g.
    have [[k [? ?]] [t [? ?]]] := conj (at_ 4 ltac:(lia)) (at_ 6 ltac:(lia)).
    by have [[r [? ?]] [p [? ?]]] := conj (at_ 7 ltac:(lia)) (at_ 5 ltac:(lia)); exists k, t, r, p.
  have [[k [? ?]] [t [? ?]]] := conj (at_ 4 ltac:(lia)) (at_ 2 ltac:(lia)).
  by have [[r [? ?]] [p [? ?]]] := conj (at_ 0 ltac:(lia)) (at_ 3 ltac:(lia)); exists k, t, r, p.
Qed.
Theorem frame_castling_1 : Statements.frame_castling_1.
Proof.
  move=> S S' act sd pl c g v h; have nc : c <> Nobody by case: h => -[].
  have [k [u [r [p ca]]]] := castle_some g nc.
  have same : kept S' c g = kept S c g -> Words.castling S c g v /\ Words.castling S' c g v.
    by rewrite /Words.castling => e; move: h; rewrite /Words.castling e => -[].
  case: (plays_cases pl) => [[d [f [t [-> [dn _]]]]]|[d [f [t [j [-> [dn [pr _]]]]]]]|[_ [es _]]].
  - case th : (touched f t c g); last by left; apply: same; rewrite (done_kept c g dn) th andbT.
    right; case: (iffLR (touchedP f t ca) th) => [e|[e|e]]; subst.
    + by left; exists k, t, u, r, p.
    + by right; left; exists r, t, k, u, p.
    by right; right; left; exists f, r, k, u, p.
  - case th : (touched f t c g); last by left; apply: same; rewrite (done_kept c g dn) th andbT.
    have [m _] := done_makes dn; have [nd od] := makes_side m.
    have pf : S f = (d, Pawn) by case: pr => pf _; rewrite -pf /what -{1}od /who; case: (S f).
    have rf := sound_pawns sd pf.
    right; case: (iffLR (touchedP f t ca) th) => [e|[e|e]]; subst.
    + by exfalso; clear -ca rf; case: c ca => //=; geo.
    + by exfalso; clear -ca rf; case: c ca => //=; geo.
    by do 3!right; exists f, r, j, k, u, p.
  by left; apply: same; rewrite es.
Qed.
Theorem frame_en_passant_1 : Statements.frame_en_passant_1.
Proof.
  move=> S S' act sd pl s v; rewrite /Words.en_passant => h.
  case: (plays_cases pl) => [[c [f [t [-> [dn _]]]]]|[c [f [t [j [-> [dn [pr _]]]]]]]|[_ [_ es]]].
  - case: (passed S =P Some s) h => [e|n] h; first by right; right; left; exists f, t.
    case: (passed S' =P Some s) h => [/(done_passed _ sd dn) [_ le] _|n' h]; last by left; case: h.
    by right; left; exists f, t, c.
  - case: (passed S =P Some s) h => [e|n] h; first by do 3!right; exists f, t, j.
    case: (passed S' =P Some s) h => [/(done_passed _ sd dn) [_ le] _|n' h]; last by left; case: h.
    by case: pr => _ la; exfalso; clear -le la; case: c le la => // *; geo.
  by left; move: h; rewrite es => -[].
Qed.
