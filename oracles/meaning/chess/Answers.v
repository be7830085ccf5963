(** The replies that the theory lists for its games: nothing that the other side can do is missing but to give up, what
    is listed without exception can be done, and what is won after every reply is won though the other side plays
    first. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements Replies Games.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Theorem replies_take : Statements.replies_take.
Proof.
  move=> S S' act sd pl x nx e n; have o : Words.owner S x (who S x) by [].
  case: (Replies.no_reply_is_left_out sd pl e n) => [[q [s [-> [k w]]]]|[f [t [-> H]]]|[f [t [k [-> [p H]]]]]|].
  - by left; exists q, s, (who S x).
  - by right; left; exists f, t, (who S x).
  - case: p => [->|[->|[->|->]]]; [do 2!right; left | do 3!right; left | do 4!right; left | do 5!right; left];
      by exists f, t, (who S x).
  case=> [[f [t [-> H]]]|[q [s [-> H]]]]; first by do 6!right; left; exists f, t, (who S x).
  by do 7!right; left; exists q, s, (who S x).
Qed.
Theorem replies_crown : Statements.replies_crown.
Proof.
  move=> S S' act sd pl c x nc e n; have op : Words.opponent c (other c) by [].
  case: (Replies.no_reply_is_left_out sd pl e n) => [[q [s [-> [k w]]]]|[f [t [-> H]]]|[f [t [k [-> [p H]]]]]|].
  - left; exists q, s, (other c); have [_ [st lg]] := w.
    by do 5!split=> //; move/(_ lg).
  - by right; left; exists f, t, (other c).
  - case: p => [->|[->|[->|->]]]; [do 2!right; left | do 3!right; left | do 4!right; left | do 5!right; left];
      by exists f, t, (other c).
  case=> [[f [t [-> H]]]|[q [s [-> H]]]]; first by do 6!right; left; exists f, t, (other c).
  by do 7!right; left; exists q, s, (other c).
Qed.
Lemma walk_open S d q s : sound S -> Words.walks S d q s -> exists S', plays S (Move q s) S'.
Proof.
  move=> sd [[nd kq] [st [B [m sf]]]]; exists (follow S d q s B); exists d; split;
    first by rewrite /promoting /what kq => -[].
  exists B; split=> //; split=> //; split=> //; right; split=> //; by rewrite /promoting /what kq => -[].
Qed.
Theorem open_take_1 : Statements.open_take_1.
Proof. by move=> S sd x d q s _ _; apply: walk_open. Qed.
Theorem open_take_9 : Statements.open_take_9.
Proof.
  move=> S sd x d q _ [nd kq] [_ ch]; exists (State S (kept S) (passed S) (turn S) d); exists d.
  by do 2!split=> //; split=> //; left.
Qed.
Theorem open_crown_9 : Statements.open_crown_9.
Proof.
  move=> S sd c d q _ [nd kq] al; exists (State S (kept S) (passed S) (turn S) d); exists d.
  do 2!split=> //; split=> //; case: al => [[_ ch]|[r [s [_ [_ lg]]]]]; first by left.
  by right; exists r, s.
Qed.

Theorem reply_rule_take : Statements.reply_rule_take.
Proof.
  move=> S so x [S1 [act1 [pl1 c1]]] won; have [nx o1] : who S x <> Nobody /\ Words.actor S act1 = who S x.
    case: c1 => [H|[H|[H|[H|[H|[H|[H|[H|H]]]]]]]];
      try by case: H => f [t [d [-> [[n o] [[_ w] _]]]]]; rewrite o.
    - by case: H => q [s [d [-> [[n o] [[_ /Games.at_who k] _]]]]]; rewrite o.
    - by case: H => f [t [d [-> [[n o] [[v [/Games.at_who k _]] _]]]]]; rewrite o.
    - by case: H => q [s [d [-> [[n o] [[_ /Games.at_who k] _]]]]]; rewrite o.
    by case: H => q [d [-> [[n o] [[_ /Games.at_who k] _]]]]; rewrite o.
  split=> //; apply: Words.Replied => //; first exact: Games.mover_not_stalled so pl1 o1.
  move=> act S' ac pl lo; have [nx' end_] := won S' act pl (replies_take so pl nx ac lo).
  by have [-> o] := Games.own_stays so pl ac nx'; rewrite o in end_; case: end_.
Qed.
Theorem reply_rule_crown : Statements.reply_rule_crown.
Proof.
  move=> S so c x [S1 [act1 [pl1 c1]]] won; have [nc o1] : c <> Nobody /\ Words.actor S act1 = other c.
    case: (c1) => [H|[H|[H|[H|[H|[H|[H|[H|H]]]]]]]];
      try by case: H => f [t [d [-> [[n o] [[_ w] _]]]]]; rewrite -o.
    - by case: H => q [s [d [-> [[n o] [[_ /Games.at_who k] _]]]]]; rewrite -o.
    - by case: H => f [t [d [-> [[n o] [[v [/Games.at_who k _]] _]]]]]; rewrite -o.
    - by case: H => q [s [d [-> [[n o] [[_ /Games.at_who k] _]]]]]; rewrite -o.
    by case: H => q [d [-> [[n o] [[_ /Games.at_who k] _]]]]; rewrite -o.
  have ex : S x = (c, Pawn) by have [e _] := won S1 act1 pl1 c1; apply: Games.enemy_stood so pl1 nc o1 e.
  split=> //; apply: Words.Withstood => //; first exact: Games.mover_not_stalled so pl1 o1.
  by move=> act S' ac pl lo; have [_ []] := won S' act pl (replies_crown so pl x nc ac lo).
Qed.
