(** The replies that the theory lists for its games: nothing that the other side can do is missing but to give up, and
    what is listed without exception can be done. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements Replies.
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
  move=> S S' act sd pl x nx e n; have o : Words.owner S x (who S x) by [].
  have op : Words.opponent (who S x) (other (who S x)) by [].
  case: (Replies.no_reply_is_left_out sd pl e n) => [[q [s [-> [k w]]]]|[f [t [-> H]]]|[f [t [k [-> [p H]]]]]|].
  - left; exists q, s, (who S x), (other (who S x)); have [_ [st lg]] := w.
    by do 6!split=> //; move/(_ lg).
  - by right; left; exists f, t, (who S x), (other (who S x)).
  - case: p => [->|[->|[->|->]]]; [do 2!right; left | do 3!right; left | do 4!right; left | do 5!right; left];
      by exists f, t, (who S x), (other (who S x)).
  case=> [[f [t [-> H]]]|[q [s [-> H]]]]; first by do 6!right; left; exists f, t, (who S x), (other (who S x)).
  by do 7!right; left; exists q, s, (who S x), (other (who S x)).
Qed.
Lemma walk_open S d q s : sound S -> Words.walks S d q s -> exists S', plays S (Move q s) S'.
Proof.
  move=> sd [[nd kq] [st [B [m sf]]]]; exists (follow S d q s B); exists d; split;
    first by rewrite /promoting /what kq => -[].
  exists B; split=> //; split=> //; split=> //; right; split=> //; by rewrite /promoting /what kq => -[].
Qed.
Theorem open_take_1 : Statements.open_take_1.
Proof. by move=> S sd x d q s _ _ _; apply: walk_open. Qed.
Theorem open_take_9 : Statements.open_take_9.
Proof.
  move=> S sd x d q _ _ [nd kq] [_ ch]; exists (State S (kept S) (passed S) (turn S) d); exists d.
  by do 2!split=> //; split=> //; left.
Qed.
Theorem open_crown_9 : Statements.open_crown_9.
Proof.
  move=> S sd x c d q _ _ _ [nd kq] al; exists (State S (kept S) (passed S) (turn S) d); exists d.
  do 2!split=> //; split=> //; case: al => [[_ ch]|[r [s [_ [_ lg]]]]]; first by left.
  by right; exists r, s.
Qed.
