(** The frame: what stands on a square before a step or after it does at both, unless the step is one of those that the
    frame lists. *)
From Chess Require Import Board Lines Effects.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Theorem frame_at_1 : Statements.frame_at_1.
Proof.
  move=> S S' act so pl s c k h.
  have still : S' s = S s -> Words.at_ S s c k /\ Words.at_ S' s c k.
    by move=> es; move: h; rewrite /Words.at_ es => -[].
  case: act pl => [f t|f t j|q] /= pl; last by left; apply: still; case: pl => [d [_ [_ [_ ->]]]].
  - case: pl => [d [_ dn]]; have [m _] := done_makes dn.
    case: (s =P f) => [->|nf]; first by right; left; exists t.
    case: (s =P t) => [->|nt]; first by right; right; left; exists f.
    case: (makes_square so m nf nt) =>
      [e|[_ [_ [_ [ep [_ [_ [o lp]]]]]]]|[_ [g [q [ca [_ [kf _]]]]]]|[_ [_ [g [r [ca [_ [kf _]]]]]]]].
    + by left; apply: still.
    + do 3!right; left; exists f, t, (other d), o; split=> //; split; last exact: lp.
      by rewrite /Chess.Words.en_passant ep eqxx.
    + by do 4!right; left; exists f, t, d, g, q.
    by do 5!right; left; exists f, t, d, g, r.
  case: pl => [d [pr dn]]; have [m [_ b]] := done_makes dn.
  case: (s =P f) => [->|nf]; first by do 6!right; left; exists t, j.
  case: (s =P t) => [->|nt]; first by do 7!right; exists f, j.
  left; apply: still; have pj : promotion j by case: b => [[]|[]].
  case: (makes_square so m nf nt) =>
    [//|[_ [_ [st [_ [_ [_ [o lp]]]]]]]|[_ [g [q [ca [_ [kf _]]]]]]|[_ [_ [g [r [ca [_ [kf _]]]]]]]].
  - exfalso; case: pr => _ la; move: st lp la; clear; case: d => -[] // _; unfold leap, last, home, goal; cbn; lia.
  - by exfalso; case: pr => pw _; move: pw; rewrite /what kf.
  by exfalso; case: pr => pw _; move: pw; rewrite /what kf.
Qed.
