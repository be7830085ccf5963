(** The clauses of `opening`: which lines stay clear after a move, which open, and what stays unattacked. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

(** What was empty is empty after a move, but where a man arrives. *)
Lemma still_empty S c f t k B x :
  sound S -> makes S c f t k B -> S x = nothing -> x <> t -> (forall g r, ~ may_castle S c g f t r x) -> B x = nothing.
Proof.
  move=> sd m e nt nc; case: (x =P f) => [->|nf]; first exact: makes_from m.
  by case: (makes_square sd m nf nt) => [->//|[->]|[->]|[_ [_ [g [r h]]]]]; rewrite ?e //; case: (nc g r).
Qed.
Lemma still_clear S S' act c f t a b :
  sound S -> plays S act S' -> Words.moved S act S' c f t -> Words.clear S a b ->
  (forall x, between a b x -> x <> t /\ forall g r, ~ may_castle S c g f t r x) -> Words.clear S' a b.
Proof.
  move=> sd pl mv [al H] n; have [k [dn _]] := moved_done sd pl mv; have [m _] := done_makes dn.
  by split=> // x bx; have [nt nc] := n x bx; apply: still_empty m (H x bx) nt nc.
Qed.
Theorem a_line_stays_clear_when_the_king_stays : Statements.a_line_stays_clear_when_the_king_stays.
Proof.
  move=> S S' act sd pl c f t a b n [mv nk] cl _ _ H; apply: (still_clear sd pl mv cl) => x bx.
  by split=> [|g r [_ [_ [e _]]]]; [exact: H | apply: nk; rewrite /what e].
Qed.
Theorem a_line_stays_clear_when_the_king_steps : Statements.a_line_stays_clear_when_the_king_steps.
Proof.
  move=> S S' act sd pl c f t a b n [mv [_ st]] cl _ _ H; apply: (still_clear sd pl mv cl) => x bx.
  by split=> [|g r [ca _]]; [exact: H | apply: (castle_apart ca)].
Qed.
Theorem a_line_stays_clear_when_the_king_castles : Statements.a_line_stays_clear_when_the_king_castles.
Proof.
  move=> S S' act sd pl c f t r p a b n [mv [_ [g ca]]] cl _ _ H; apply: (still_clear sd pl mv cl) => x bx.
  have [nt np] := H x bx; split=> // g' r' [ca' _]; apply: np; clear -ca ca'.
  by case: c ca ca' => // ca ca'; case: g ca => ca; case: g' ca' => ca'; geo.
Qed.

(** What is left empty, but for corners. *)
Lemma leaves_unless S S' act c f t :
  sound S -> plays S act S' -> Words.moved S act S' c f t -> (forall v, ~ in_passing S c f t v) ->
    Words.leaves S act S' c f.
Proof.
  move=> sd pl mv np; split=> [|x o e]; first by exists t.
  have [k [dn _]] := moved_done sd pl mv; have [m [_ b]] := done_makes dn; have [nc of_] := makes_side m.
  case: (x =P f) => [|nf]; [by left | right].
  have nt : x <> t by move=> e'; rewrite e' (makes_to m) in e; case: e => e0; case: nc.
  case: (makes_square sd m nf nt) => [e'|[_ i]|[_ [g [p [ca _]]]]|[e' _]].
  - by case: o; rewrite /who -e' e.
  - by case: (np x).
  - by have [_ [_ [cr _]]] := castle_squares ca.
  by rewrite e' in e.
Qed.
Theorem nothing_was_passed : Statements.nothing_was_passed.
Proof.
  move=> S S' act sd pl c f t mv sh; apply: (leaves_unless sd pl mv) => v [_ [_ [ps _]]].
  by rewrite /Words.en_passant ps eqxx in sh.
Qed.
Theorem no_pawn_was_moved : Statements.no_pawn_was_moved.
Proof.
  move=> S S' act sd pl c f t k mv e np; apply: (leaves_unless sd pl mv) => v [e' _].
  by rewrite e in e'; case: e'.
Qed.

(** Who comes to attack a square without moving does so over the square that was left. *)
Lemma over_what_was_left S S' act c f x s :
  sound S -> Words.leaves S act S' c f -> S' x = S x -> Board.attacks S' x s -> Board.attacks S x s \/ between x s f.
Proof.
  move=> sd [_ H] e at_; case: (attacks_new at_ e) => [|[y [b [o e']]]]; [by left | right].
  have oy : who S y <> Nobody by apply/(occupied _ (sound_proper sd)).
  by case: (H y oy e') => [<-//|cr]; case: (between_corner b).
Qed.
Lemma empty_before S S' act c f a b y :
  sound S -> Words.leaves S act S' c f -> between a b y -> y <> f -> S' y = nothing -> S y = nothing.
Proof.
  move=> sd [_ H] m n e; case: (S y =P nothing) => // o.
  have oy : who S y <> Nobody by apply/(occupied _ (sound_proper sd)).
  by case: (H y oy e) => // cr; case: (between_corner m).
Qed.
Theorem sealed_off_every_line : Statements.sealed_off_every_line.
Proof.
  move=> S S' act sd pl d f c s lv nc l; split=> // x o e at_.
  case: (over_what_was_left sd lv e at_) => // /between_sym b; have [w [nw [_ [l' _]]]] := between_line b.
  by case: nw; apply: line_one l' l.
Qed.
Theorem sealed_where_nobody_aims : Statements.sealed_where_nobody_aims.
Proof.
  move=> S S' act sd pl d f s w c lv l [nc q]; split=> // x o e at_.
  case: (over_what_was_left sd lv e at_) => // b; have bs := iffLR (between_sym _ _ _) b.
  have [_ [v [sl l']]] := attacks_across at_ b; have nv := opposite_some (slides_some sl).
  have ls : line s x (opposite v) by apply/line_back.
  have [l1 l2] := between_on nv ls bs; have ew := line_one l l1; subst w.
  exfalso; apply: (q x) => //; last by rewrite /what -e; apply/slides_opposite.
  split=> //; split=> //; split; first by rewrite o.
  move=> y m; have [m1 m2] := between_far bs m; have [ny _] := between_apart m.
  apply: (empty_before sd lv m) => //; apply: attacks_clear at_ _; exact/between_sym.
Qed.
Theorem sealed_where_another_stands_before : Statements.sealed_where_another_stands_before.
Proof.
  move=> S S' act sd pl d f c s x e k lv nc b ex ne; split=> // y o e' at_.
  case: (over_what_was_left sd lv e' at_) => // /between_sym b'; have [b1 _] := between_near b' b.
  have [_ [nf _]] := between_apart b; have := attacks_clear at_ (iffLR (between_sym _ _ _) b1) => em.
  by have := empty_before sd lv b nf em; rewrite ex => -[e0]; case: ne.
Qed.
Theorem sealed_where_it_stood : Statements.sealed_where_it_stood.
Proof.
  move=> S S' act sd pl d f c lv nc; split=> // x o e at_.
  by case: (over_what_was_left sd lv e at_) => // /between_apart [_ [n _]].
Qed.

Theorem the_others_attack_no_more : Statements.the_others_attack_no_more.
Proof.
  move=> S S' act sd pl d f t c s mv [nd ec] [nc sl] [_ ua]; subst c; split=> // x o at_.
  have [k [dn _]] := moved_done sd pl mv; have [m _] := done_makes dn.
  have [e _] := makes_others sd m o; have ox : who S x = other d by rewrite /who -e.
  by apply: (ua x) => //; apply: sl.
Qed.
Theorem the_own_king_is_safe : Statements.the_own_king_is_safe.
Proof.
  move=> S S' act sd pl c f t d q mv [nc ed] [_ kq]; subst d; split=> [|x o at_]; first exact: other_player.
  by have [k [dn _]] := moved_done sd pl mv; have [_ [sf _]] := done_makes dn; apply: (sf q x).
Qed.
(** Another man than the king moved: the others of its side stay where they are. *)
Lemma own_men_stay S S' act c f t y :
  sound S -> plays S act S' -> Words.went S act S' c f t -> who S' y = c -> y <> t -> S' y = S y /\ y <> f.
Proof.
  move=> sd pl [mv nk] o nt; have [k [dn _]] := moved_done sd pl mv; have [m _] := done_makes dn.
  have [nc _] := makes_side m; have nf : y <> f.
    by move=> e; rewrite e /who (makes_from sd m) /= in o; case: nc.
  split=> //; case: (makes_square sd m nf nt) => [//|[e _]|[e _]|[_ [_ [g [r [_ [_ [e _]]]]]]]].
  - by rewrite /who e /= in o; case: nc.
  - by rewrite /who e /= in o; case: nc.
  by case: nk; rewrite /what e.
Qed.
Lemma mover_side S S' act c f t :
  sound S -> plays S act S' -> Words.moved S act S' c f t -> who S' t = c.
Proof.
  by move=> sd pl mv; have [k [dn _]] := moved_done sd pl mv; have [m _] := done_makes dn; rewrite /who (makes_to m).
Qed.
Theorem only_what_was_moved : Statements.only_what_was_moved.
Proof.
  move=> S S' act sd pl c f t s wt [_ sl] [_ ua] at_; split=> // y; have [mv _] := wt.
  rewrite (mover_side sd pl mv) => o aty; case: (y =P t) => // nt; have [e _] := own_men_stay sd pl wt o nt.
  by have oy : who S y = c by [rewrite /who -e]; case: (ua y) => //; apply: sl.
Qed.
Theorem still_only_what_was_moved : Statements.still_only_what_was_moved.
Proof.
  move=> S S' act sd pl c f t s wt [_ sl] [_ ua] at_; split=> // y; have [mv _] := wt.
  rewrite (mover_side sd pl mv) => o aty; case: (y =P t) => // nt; have [e nf] := own_men_stay sd pl wt o nt.
  have oy : who S y = c by rewrite /who -e.
  by case: nf; apply: ua; [rewrite oy; case: mv => _ [] | apply: sl].
Qed.
Theorem still_only_one_of_the_others : Statements.still_only_one_of_the_others.
Proof.
  move=> S S' act sd pl d f t c s x j mv [nd ec] [_ sl] [_ ua] ex at_; subst c; split=> // y.
  have [k [dn _]] := moved_done sd pl mv; have [m _] := done_makes dn.
  have ox : who S' x = other d by rewrite /who ex.
  rewrite ox => o aty; have [e1 _] := makes_others sd m ox; have [e2 _] := makes_others sd m o.
  have oy : who S y = other d by rewrite /who -e2.
  by apply: ua; [rewrite oy /who -e1 ex | apply: sl].
Qed.
