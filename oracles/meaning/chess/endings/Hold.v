(** Against a king alone nobody is mated, and a king alone that takes the last pawn is not. *)
From Chess Require Import Board Lines Effects.
From Endings Require Import Table Sole.
From Endings Require Words Statements Alone.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k o p q s t x y : square) (j : kind).

(** A king alone stays alone, and gives no check. *)
Lemma bare_done S c d f t j S' : sound S -> done S d f t j S' -> Words.bare S c -> Words.bare S' c.
Proof.
  move=> so dn [nc al]; split=> // s; have [m [_ b]] := done_makes dn; have [nd of_] := makes_side m.
  case: (s =P t) => [->|nt]; first rewrite /who /what (makes_to m) /= => e.
    have kf : what S f = King by apply: al; rewrite of_.
    by case: b => [[[pw _] _]|[_ ->]] //; rewrite pw in kf.
  case: (s =P f) => [->|nf].
    by move=> w; have e := makes_from so m; move: w; rewrite /who e => h; case: nc.
  case: (makes_square so m nf nt) => [e|[e _]|[e _]|[e [_ [g [r [_ [_ [_ [er _]]]]]]]]].
  - by rewrite /who /what e; apply: al.
  - by rewrite /who e => h; case: nc.
  - by rewrite /who e => h; case: nc.
  rewrite /who e /= => h; have := al r; rewrite /who /what er /= => /(_ h); done.
Qed.
Lemma bare_plays S c act S' : sound S -> plays S act S' -> Words.bare S c -> Words.bare S' c.
Proof.
  move=> so; case: act => [f t|f t j|q] /=; [move=> [d [_ dn]] | move=> [d [_ dn]] | move=> [d [_ [_ [_ ->]]]] //].
  all: exact: (bare_done so dn).
Qed.
Lemma bare_no_check S c : sound S -> Words.bare S c -> ~ in_check S (other c).
Proof.
  move=> so [nc al] [q [x [kq [ox ax]]]]; rewrite otherK in ox; have kx := al x ox.
  have ex : S x = (c, King) by rewrite -ox -kx /who /what; case: (S x).
  by have := kings_apart so nc ex kq; move: ax; rewrite /attacks kx; clear; geo.
Qed.
(** What is legal can be played. *)
Lemma legal_played S c f t : sound S -> legal_move S c f t ->
  exists act S', [/\ Words.actor S act = c, plays S act S' & Words.target act <> None].
Proof.
  move=> so le; have [nc of_] := legal_side le.
  have [pr|np] : promoting S c f t \/ ~ promoting S c f t.
    apply: known_and; first exact: known_eq.
    by apply: known_and; [apply: known_not; exact: known_eq | exact: known_Z].
  - have pl : Chess.Words.plain S c f t Queen by apply: (promotable_plain so) => //; left.
    by exists (Promote f t Queen), (after S c f t Queen); split=> //; exists c; split=> //; apply: plain_done_after.
  case: (le) => B [m s]; exists (Move f t), (follow S c f t B); split=> //; exists c; split=> //.
  by exists B; split=> //; split=> //; split=> //; right.
Qed.
Lemma played_or_stuck S c : sound S ->
  (exists act S', [/\ Words.actor S act = c, plays S act S' & Words.target act <> None])
  \/ forall f t, ~ legal_move S c f t.
Proof.
  move=> so; have kn : known (exists f t, legal_move S c f t).
    by apply: known_some => f; apply: known_some => t; apply: legal_dec.
  by case: kn => [[f [t le]]|no]; [left; apply: (legal_played so le) | right=> f t le; apply: no; exists f, t].
Qed.
Lemma never_mated c : c <> Nobody -> forall S, sound S -> Words.bare S c -> Words.holds_first S (other c).
Proof.
  move=> nc; cofix IH => S so b; have nd := other_player nc.
  case: (played_or_stuck (other c) so) => [[act [S' [ac pl ta]]]|no].
    apply: (Words.Going nd ac pl ta); apply: (Words.Facing nd) => act' S'' _ pl' _.
    apply: IH; first exact: (plays_sound (plays_sound so pl) pl').
    exact: (bare_plays (plays_sound so pl) pl' (bare_plays so pl b)).
  exact: (Words.Holding nd (bare_no_check so b) no).
Qed.
Lemma never_mated_later c S : sound S -> Words.bare S c -> Words.holds_second S (other c).
Proof.
  move=> so b; have nc := proj1 b; apply: (Words.Facing (other_player nc)) => act S' _ pl _.
  by apply: (never_mated nc); [exact: plays_sound so pl | exact: bare_plays so pl b].
Qed.
Theorem held_without_a_pawn : Statements.held_without_a_pawn.
Proof.
  move=> S so c d m [nc ->]; split; first exact: other_player.
  by apply: (never_mated_later so); apply: Alone.one_man_is_the_king so _ m.
Qed.
Theorem held_without_a_pawn_by_either : Statements.held_without_a_pawn_by_either.
Proof.
  move=> S so c d m [nc ->]; split; first exact: other_player.
  by right; apply: (never_mated nc so); apply: Alone.one_man_is_the_king so _ m.
Qed.
Theorem held_by_taking : Statements.held_by_taking.
Proof.
  move=> S so c x d q k n sl [nc ->] [nd eq] st [_ ek] -> far_; split=> //; right.
  have sts := Alone.sole_stands so sl ek eq; have [a1 a2 a3 _ _] := stands_apart so sts; have ex := pawn_there sts.
  have le : legal_move S (other c) q x.
    apply/(may_step so sts st); rewrite /Table.free cd_inside near_cd /=; apply/andP; split.
      by unfold is_true; lia.
    by apply/(struck_cd _ _ nc); clear -nc; case: c nc => // _; geo.
  case: (le) => B [m s]; have [eB _] := makes_king_step so m (congr1 snd eq) st.
  have np : ~ promoting S (other c) q x by move=> [pw _]; move: pw; rewrite /what eq.
  have pl : plays S (Move q x) (follow S (other c) q x B).
    by exists (other c); split=> //; exists B; split=> //; split=> //; split=> //; right.
  apply: (Words.Going nd _ pl) => //; first by rewrite /Words.actor /who eq.
  apply: (never_mated_later (plays_sound so pl)); split=> // y; rewrite eB /what eq /=.
  case: (y =P x) => [->|ny]; first by rewrite /who gone_to /= => h; case: (other_not nc).
  case: (y =P q) => [->|nq]; first by rewrite /who gone_from; [move=> h; case: nc | auto].
  by rewrite /who gone_else // => h; case: (own_one sts h) => // ->; rewrite ek.
Qed.
