(** The clauses of `taking`: what is taken for good, said of the position that the taking leaves. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Replies Games.
From Ahead Require Import Words.
From Ahead Require Statements.
From Ahead Require Combinations.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (f k q s t x : square) (c d : side).

Theorem taken_where_nobody_takes_back : Statements.taken_where_nobody_takes_back.
Proof.
  move=> S S' act so pl f x c d k e le /Games.opponent_of [n ec ed] ex un; subst act; have o := Games.legal_who le.
  rewrite /= (Games.at_who ex) o; do 2 split=> //; exists S'; do 2 split=> //; left.
  by split=> //; left; rewrite (Games.at_who ex); apply: un; case: (Combinations.mover_arrives pl).
Qed.
Theorem one_move_that_takes_is_enough : Statements.one_move_that_takes_is_enough.
Proof. by move=> S so x f t [n [ac [S' [pl [go ta]]]]]; split=> //; right; apply: (Taking n ac pl go ta). Qed.
Theorem a_step_against_the_rules : Statements.a_step_against_the_rules.
Proof. by move=> S S' act so pl q s d x e [_ kq] il _; subst act; case: (Combinations.no_move so pl il kq). Qed.

(** A check that nobody but the king can answer. *)
Theorem nobody_else_has_an_answer : Statements.nobody_else_has_an_answer.
Proof. by move=> S so d f t [_ none] _ [nk _]; apply: none. Qed.
Theorem nor_in_passing : Statements.nor_in_passing.
Proof. by move=> S so d f t [_ none] [v [ef _]]; apply: none; rewrite (Games.at_what ef). Qed.
Theorem nor_by_castling : Statements.nor_by_castling.
Proof.
  move=> S so d f t [[_ ch] _] [g [r [p ca]]] [_ kf] [B [m _]]; case: m => [[_ [_ at_]]|v [ef _] _|g' r' p' mc _].
  - by case: (castle_apart ca); move: at_; rewrite (Games.at_what kf) /Board.attacks (Games.at_what kf) => -[].
  - by rewrite kf in ef.
  exact: no_castling_in_check so mc ch.
Qed.

(** What a step of a king leaves unattacked by its side: who attacks it then stood there before, and attacked it. *)
Lemma stepped_attacks S S' act c f t s x : sound S -> plays S act S' -> stepped S act S' c f t ->
  sealed S act S' c s -> dist t s <> 1 -> who S' x = c -> Board.attacks S' x s ->
  [/\ x <> f, who S x = c & Board.attacks S x s].
Proof.
  move=> so pl [mv [kf st]] [nc se] far o at_; have [k [dn _]] := moved_done so pl mv.
  have [m [_ b]] := done_makes dn; have [e _] := makes_king_step so m kf st.
  have ek : k = King by case: b => [[[pw _] _]|[_ ->]] //; rewrite kf in pw.
  have xf : x <> f by move=> xf; move: o; rewrite xf /who (makes_from so m) => o; apply: nc.
  have xt : x <> t.
    by move=> xt; move: at_; rewrite xt /Board.attacks /what (makes_to m) ek => d; apply: far.
  have ex : S' x = S x by rewrite e gone_else.
  by have ox : who S x = c; [rewrite /who -ex | split=> //; apply: se].
Qed.
Theorem a_king_steps_where_it_attacks_nothing_more : Statements.a_king_steps_where_it_attacks_nothing_more.
Proof.
  move=> S S' act so pl c f t s n sp se [nc un] -> far; split=> // x o at_.
  by have [_ ox] := stepped_attacks so pl sp se far o at_; apply: un.
Qed.
Theorem a_king_steps_away : Statements.a_king_steps_away.
Proof.
  move=> S S' act so pl c f t s n sp se [_ on] -> far; have [[nc [of_ _]] _] := sp; split=> // x o at_.
  by have [xf ox ax] := stepped_attacks so pl sp se far o at_; case: xf; apply: on; rewrite ?of_.
Qed.
