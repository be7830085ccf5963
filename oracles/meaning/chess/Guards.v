(** The clauses of `guards`: who alone attacks a square. *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma same_side S x y c k : who S y = who S x -> S x = (c, k) -> who S y = c.
Proof. by move=> o e; rewrite o /who e. Qed.
Lemma man_of S y c k : who S y = c -> what S y = k -> S y = (c, k).
Proof. by rewrite /who /what; case: (S y) => a b /= -> ->. Qed.

Theorem spared_where_it_is_quiet : Statements.spared_where_it_is_quiet.
Proof. by move=> S sd x s c k v w at_ e _ [_ q] y see o sl; case: (q y see (same_side o e)). Qed.
Theorem spared_on_its_own_line : Statements.spared_on_its_own_line.
Proof.
  move=> S sd x s c k v w at_ e sl l y see o _; apply: (sees_one see).
  have ek : what S x = k by rewrite /what e.
  have ox : who S x <> Nobody by case: see => _ [_ [n _]]; rewrite -o.
  move/attacksP: (at_) => [[u [slu [lu _]]]|[n _]|[n _]|[n _]]; try by rewrite -ek n in sl;
    case: (slides_kind sl) => [|[]].
  have eu : w = opposite u by apply: (line_one l); apply/line_back.
  by apply: line_piece_sees at_ _ l; rewrite // eu; apply/slides_opposite.
Qed.
Theorem no_other_knight : Statements.no_other_knight.
Proof. by move=> S sd x c s e [_ n] e'; case: n; rewrite e' /who e. Qed.
Theorem no_knight_but_itself : Statements.no_knight_but_itself.
Proof. by move=> S sd x c e. Qed.
Theorem no_other_pawn : Statements.no_other_pawn.
Proof. by move=> S sd x c s e [_ n] e'; case: n; rewrite e' /who e. Qed.
Theorem no_pawn_but_itself : Statements.no_pawn_but_itself.
Proof. by move=> S sd x c e. Qed.

(** Nobody else slides onto the square from any way. *)
Lemma no_line_piece S c s y :
  Words.unaimed S c s -> who S y = c -> Board.attacks S y s -> ~ exists w, slides (what S y) w /\ line y s w.
Proof.
  move=> [nc ua] o at_ [w [sl l]]; have [_ q] := ua (opposite w).
  have sl' : slides (what S y) (opposite w) by apply/slides_opposite.
  by apply: (q y) => //; apply: line_piece_sees at_ sl' _; [rewrite o | apply/line_back].
Qed.
Theorem only_a_line_piece : Statements.only_a_line_piece.
Proof.
  move=> S sd x s c k at_ e p1 p2 p3 p4 p5 p6 p7 p8 [nc uh] [_ us] [_ kl]; split=> // y o aty.
  have oc := same_side o e; move/attacksP: (aty) => [[w [sl [l _]]]|[ek h]|[ek h]|[ek h]].
  - have sl' : slides (what S y) (opposite w) by apply/slides_opposite.
    have see : sees S s (opposite w) y by apply: line_piece_sees aty sl' _; [rewrite oc | apply/line_back].
    by case: (opposite w) see sl' => // see sl'; [apply: p1 | apply: p2 | apply: p3 | apply: p4 | apply: p5
      | apply: p6 | apply: p7 | apply: p8].
  - by case: (uh y h); apply: man_of.
  - by case: (kl y (man_of oc ek) h).
  by rewrite oc in h; case: (us y h); apply: man_of.
Qed.
Theorem only_a_knight : Statements.only_a_knight.
Proof.
  move=> S sd x s c at_ e ua [_ us] [_ kl] H; split=> // y o aty; have oc := same_side o e.
  move/attacksP: (aty) => [[w [sl [l _]]]|[ek h]|[ek h]|[ek h]].
  - by case: (no_line_piece ua oc aty); exists w.
  - by apply: (H y); [apply/hop_sym | rewrite -o; apply: man_of].
  - by case: (kl y (man_of oc ek) h).
  by rewrite oc in h; case: (us y h); apply: man_of.
Qed.
Theorem only_a_pawn : Statements.only_a_pawn.
Proof.
  move=> S sd x s c d at_ e [nc ->] ua [_ uh] [_ kl] H; split=> // y o aty; have oc := same_side o e.
  move/attacksP: (aty) => [[w [sl [l _]]]|[ek h]|[ek h]|[ek h]].
  - by case: (no_line_piece ua oc aty); exists w.
  - by case: (uh y h); apply: man_of.
  - by case: (kl y (man_of oc ek) h).
  apply: (H y); last by rewrite -o; apply: man_of.
  by rewrite oc in h; clear -h nc; case: c nc h => // _ h; split=> //; geo.
Qed.
Theorem only_the_king : Statements.only_the_king.
Proof.
  move=> S sd x s c at_ e ua [_ uh] [_ us]; split=> // y o aty; have oc := same_side o e.
  move/attacksP: (aty) => [[w [sl [l _]]]|[ek h]|[ek h]|[ek h]].
  - by case: (no_line_piece ua oc aty); exists w.
  - by case: (uh y h); apply: man_of.
  - exact: (sound_one_king sd (man_of oc ek) e).
  by rewrite oc in h; case: (us y h); apply: man_of.
Qed.
