(** What is played for besides mate: that a man is taken for good, or by one worth less, and that a pawn is promoted and
    not taken then. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Statements Replies.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (B : board) (act : action) (f q r s t x y z p : square) (c d e : side) (k j : kind).

(** * What recurs. *)
Lemma at_who S s c k : S s = (c, k) -> who S s = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what S s c k : S s = (c, k) -> what S s = k.
Proof. by rewrite /what => ->. Qed.
Lemma opponent_of c d : opponent d c -> [/\ d <> Nobody, c = other d & d = other c].
Proof. by move=> [n ->]; rewrite otherK. Qed.
Lemma castle_empty S c (g : wing) f t r p : may_castle S c g f t r p -> S t = nothing.
Proof.
  move=> [cs [_ [_ [_ [way _]]]]]; apply: way; clear -cs.
  by case: g cs => cs; [exists East | exists West]; split=> //; geo.
Qed.
(** Taking a man, but in passing, is a plain move. *)
Lemma taking_plain S c f x k S' : sound S -> done S c f x k S' -> who S x <> Nobody ->
  plain S c f x k /\ S' = after S c f x k.
Proof.
  move=> so [B [m [sf [b ->]]]] nx; case: m sf => [g|v [_ [_ [_ [e _]]]]|g r p /castle_empty e] sf; first by [];
    by case: nx; apply: who_nothing.
Qed.
Lemma plays_move S f t S' : plays S (Move f t) S' ->
  [/\ who S f <> Nobody, ~ promoting S (who S f) f t & done S (who S f) f t (what S f) S'].
Proof. by move=> [c [no dn]]; have [m _] := done_makes dn; have [n ->] := makes_side m. Qed.
Lemma plays_promotion S f t k S' : plays S (Promote f t k) S' ->
  [/\ who S f <> Nobody, promoting S (who S f) f t & done S (who S f) f t k S'].
Proof. by move=> [c [no dn]]; have [m _] := done_makes dn; have [n ->] := makes_side m. Qed.
Lemma legal_who S c f t : legal S c f t -> who S f = c.
Proof. by move=> [/legal_side []]. Qed.
Lemma promotable_who S c f t : promotable S c f t -> who S f = c.
Proof. by move=> [/legal_side []]. Qed.
Lemma king_steps S c q s S' : sound S -> plays S (Move q s) S' -> S q = (c, King) -> step q s ->
  S' = after S c q s King.
Proof.
  move=> so /plays_move [_ _ [B [m [_ [_ ->]]]]] k st; rewrite (at_who k) (at_what k) in m *.
  by have [-> _] := makes_king_step so m (at_what k) st.
Qed.
Lemma promotable_pawn S c x t : promotable S c x t -> S x = (c, Pawn).
Proof. by move=> p; have [_ [k _]] := p; rewrite -(promotable_who p) -k /who /what; case: (S x). Qed.
(** A plain move is an action. *)
Lemma plain_played S c f t j : plain S c f t j -> exists act, [/\ plays S act (after S c f t j),
  target act = Some t, source act = Some f & actor S act = c].
Proof.
  move=> pl; have [n o] := makes_side (proj1 (done_makes (plain_done_after pl))).
  case: (pl) => _ [_ [[pr _]|[pr e]]].
    by exists (Promote f t j); split=> //; exists c; split=> //; apply: plain_done_after.
  by exists (Move f t); split=> //; exists c; split=> //; rewrite -e; apply: plain_done_after.
Qed.

(** Whoever stands elsewhere after a move, of the other side, stood there before. *)
Lemma others_remain S c f t k S' x : sound S -> done S c f t k S' -> who S x = other c -> x <> t ->
  who S' x <> Nobody -> who S' x = who S x.
Proof.
  move=> so dn o nt nx; have [m _] := done_makes dn; have [n of_] := makes_side m.
  have nf : x <> f by move=> e; apply: (other_not n); rewrite -o e.
  case: (makes_square so m nf nt) => [e|[e _]|[e _]|[_ [e _]]]; try by case: nx; apply: who_nothing.
    by rewrite /who e.
  by case: (other_player n); rewrite -o; apply: who_nothing.
Qed.

(** * A man is taken. *)
Theorem the_safe_taking : Statements.the_safe_taking.
Proof.
  move=> S so f x c k d _1 [S' pl] le at_f /opponent_of [n e1 e2] at_x sh; have o := legal_who le.
  rewrite /= (at_who at_x) o; do 2 split=> //; exists S'; do 2 split=> //; left; split=> //; left=> y.
  have [_ _ dn] := plays_move pl; rewrite o (at_what at_f) in dn.
  have [|p ->] := taking_plain so dn; first by rewrite (at_who at_x).
  by rewrite (at_who at_x) e2; have [] := sh _ p y.
Qed.
Theorem the_safe_taking_with_a_promotion : Statements.the_safe_taking_with_a_promotion.
Proof.
  move=> S so f x k c d _1 [S' pl] _ le /opponent_of [n e1 e2] at_x sh; have o := promotable_who le.
  rewrite /= (at_who at_x) o; do 2 split=> //; exists S'; do 2 split=> //; left; split=> //; left=> y.
  have [_ _ dn] := plays_promotion pl; rewrite o in dn.
  have [|p ->] := taking_plain so dn; first by rewrite (at_who at_x).
  by rewrite (at_who at_x) e2; have [] := sh _ p y.
Qed.
Theorem taken_by_one_worth_less : Statements.taken_by_one_worth_less.
Proof.
  move=> S so f x c j d k m n [S' pl] le at_f /opponent_of [nd e1 e2] at_x wj wk mn; have o := legal_who le.
  rewrite /= (at_who at_x) o; do 2 split=> //; exists S'; do 2 split=> //; left; split=> //; right; exists f, m, n.
  by rewrite (at_what at_f) (at_what at_x).
Qed.
Theorem taken_by_a_pawn_that_is_promoted : Statements.taken_by_a_pawn_that_is_promoted.
Proof.
  move=> S so f x j c d k n [S' pl] _ le /opponent_of [nd e1 e2] at_x wk n1; have o := promotable_who le.
  rewrite /= (at_who at_x) o; do 2 split=> //; exists S'; do 2 split=> //; left; split=> //; right; exists f, 1, n.
  by case: le => _ [-> _]; rewrite (at_what at_x); do 3 split=> //; lia.
Qed.
Theorem mate_takes_all : Statements.mate_takes_all.
Proof.
  move=> S S' act so pl f t c d x _1 e le /opponent_of [n e1 e2] at_x ma; subst act.
  rewrite /= (at_who at_x) (legal_who le); do 2 split=> //; exists S'; do 2 split=> //; right; left; exact: ma.
Qed.
Theorem mate_by_a_promotion_takes_all : Statements.mate_by_a_promotion_takes_all.
Proof.
  move=> S S' act so pl f t k c d x _1 e _ le /opponent_of [n e1 e2] at_x ma; subst act.
  rewrite /= (at_who at_x) (promotable_who le); do 2 split=> //; exists S'; do 2 split=> //; right; left; exact: ma.
Qed.

(** * A pawn is promoted. *)
Theorem the_safe_promotion : Statements.the_safe_promotion.
Proof.
  move=> S so x t k c n [S' pl] le wk n3 [nc o] sh li; have [_ _ dn] := plays_promotion pl; rewrite o in dn.
  rewrite /crown_by /= o (promotable_pawn le); do 2 split=> //; exists S'; do 2 split=> //; left.
  exists t, k, n; do 2 split=> //; have [p ->] : plain S c x t k /\ S' = after S c x t k.
    case: dn => B [m [sf [b ->]]]; have pk : promotion k by case: b => [[]//|[no _]]; case: no; case: le.
    by case: m sf => [g|v _ e|g r p _ e] sf //; rewrite e in pk; case: pk => [|[|[]]].
  split; [lia | split=> [y|[no1 no2]]; first by have [] := sh _ p y].
  by case: (li _ p) => [|[y [s L]]]; [exact: no1 | exact: no2 L].
Qed.
Theorem mate_crowns_all : Statements.mate_crowns_all.
Proof.
  move=> S S' act so pl f t c x d e le at_x /opponent_of [n e1 e2] ma; subst act.
  rewrite /crown_by /= (legal_who le) -e2; do 2 split=> //; exists S'; do 2 split=> //; by right; left.
Qed.
Theorem mate_by_a_promotion_crowns_all : Statements.mate_by_a_promotion_crowns_all.
Proof.
  move=> S S' act so pl f t k c x d e _ le at_x /opponent_of [n e1 e2] ma; subst act.
  rewrite /crown_by /= (promotable_who le) -e2; do 2 split=> //; exists S'; do 2 split=> //; by right; left.
Qed.

(** * Wherever the king steps, and whoever is mated. *)
Theorem a_man_is_left_to_be_taken : Statements.a_man_is_left_to_be_taken.
Proof.
  move=> S S' act so pl q s d x e [[n k] [st le]] [_ [_ ca]] _; subst act.
  rewrite (king_steps so pl k st); have [f [j [ox [p win]]]] := ca q s k st le; rewrite otherK in ox.
  split; first by rewrite ox.
  right; have [act [pl' tg src ac]] := plain_played p.
  apply: (Taking (act := act) _ _ pl' (goes_somewhere tg)); rewrite ?ox //; left; split=> //; rewrite ox.
  by case: win => [w|[m [i w]]]; [left=> y; have := w y; rewrite otherK | right; exists f, m, i].
Qed.
Theorem a_king_is_given_up : Statements.a_king_is_given_up.
Proof.
  move=> S S' act so pl q d x e [n k] [_ o] _; subst act; case: pl => d' [k' [_ [_ ->]]].
  have ed : d' = d by rewrite -(at_who k) -(at_who k').
  by subst d'; split; [rewrite /= -/(who S x) o | left; rewrite /= -/(who S x)].
Qed.
Theorem a_taking_against_every_reply : Statements.a_taking_against_every_reply.
Proof.
  move=> S S' act so pl f t c d x e le /opponent_of [n e1 e2] [_ o] nt [nx ta]; subst act.
  have [_ _ dn] := plays_move pl; rewrite (legal_who le) in dn.
  have o' := others_remain so dn (etrans o e2) nt nx.
  rewrite /= o (legal_who le); do 2 split=> //; exists S'; do 2 split=> //.
  by right; right; split=> //; rewrite o' o.
Qed.
Theorem a_promotion_against_every_reply : Statements.a_promotion_against_every_reply.
Proof.
  move=> S S' act so pl f t k c d x e _ le /opponent_of [n e1 e2] [_ o] nt [nx ta]; subst act.
  have [_ _ dn] := plays_promotion pl; rewrite (promotable_who le) in dn.
  have o' := others_remain so dn (etrans o e2) nt nx.
  rewrite /= o (promotable_who le); do 2 split=> //; exists S'; do 2 split=> //.
  by right; right; split=> //; rewrite o' o.
Qed.
Theorem a_king_is_given_up_for_a_pawn : Statements.a_king_is_given_up_for_a_pawn.
Proof.
  move=> S S' act so pl q d x c e [n k] ex [_ ed] _; subst act; case: pl => d' [k' [_ [_ ->]]].
  by split=> //; left; rewrite /= -ed -(at_who k) -(at_who k').
Qed.
Theorem a_push_against_every_reply : Statements.a_push_against_every_reply.
Proof.
  move=> S S' act so pl x t c e le [n o] [ex cr]; subst act; have [_ _ dn] := plays_move pl.
  have [m _] := done_makes dn; have {}ex : S x = (c, Pawn).
    by have := makes_to m; rewrite ex o => -[k]; rewrite k -o /who /what; case: (S x).
  by rewrite /crown_by /= o; do 2 split=> //; exists S'; do 2 split=> //; right; right; rewrite eqxx.
Qed.
(** Where the man on `x` stays, it is followed to `x`. *)
Lemma followed_here S f t S' x :
  sound S -> plays S (Move f t) S' -> f <> x -> who S' x <> Nobody -> followed S (Move f t) x = x.
Proof.
  move=> so /plays_move [n _ [B [m [_ [_ ->]]]]] fx; rewrite /=; case: eqP => [/esym//|_].
  case: andP => // -[/eqP ki /andP [/Z.eqb_spec far /andP [/Z.eqb_spec ry /Z.eqb_spec cx]]] ox; exfalso.
  case: m ox => [[_ [_]]|v [/at_what]|g r p [cs [_ [_ [_ [_ _]]]]] _]; [|by rewrite ki|].
    by rewrite ki /Board.attacks ki => -[st _] _; clear -far st; geo.
  have [xr [rt rp]] : x = r /\ r <> t /\ r <> p.
    by clear -cs cx ry; case: g cs; case: Z.eqb_spec cx => *; geo.
  by rewrite xr /castled_to /Board.who put_else // put_else // put_at.
Qed.
(** A man of the side that moves another stands as it stood. *)
Lemma own_stands S f t S' x : sound S -> plays S (Move f t) S' -> f <> x -> who S x = who S f -> who S' x <> Nobody ->
  S' x = S x.
Proof.
  move=> so /plays_move [n _ dn] fx o nx; have [m _] := done_makes dn; have [_ [nt _]] := makes_target so m.
  have xf : x <> f by move=> e; apply: fx.
  have xt : x <> t by move=> e; apply: nt; rewrite -e o.
  case: (makes_square so m xf xt) => [//|[e _]|[e _]|[_ [e _]]]; try by case: nx; apply: who_nothing.
  by case: n; rewrite -o; apply: who_nothing.
Qed.
Theorem another_move_against_every_reply : Statements.another_move_against_every_reply.
Proof.
  move=> S S' act so pl f t c x e [nf of_] le [n o] fx [ex cr]; subst act.
  have ox : who S' x <> Nobody by rewrite (at_who ex).
  have {}ex : S x = (c, Pawn) by rewrite -ex (own_stands so pl fx) // of_.
  rewrite /crown_by; do 2 split=> //; exists S'; do 2 split=> //; right; right.
  by rewrite (followed_here so pl fx ox).
Qed.
Theorem one_move_that_crowns_is_enough : Statements.one_move_that_crowns_is_enough.
Proof. by move=> S so c x f t [n [ac [S' [pl [go cr]]]]]; split=> //; right; apply: (Crowning n ac pl go). Qed.
Theorem so_is_a_promotion : Statements.so_is_a_promotion.
Proof. by move=> S so c x f t k [n [ac [S' [pl [go cr]]]]]; split=> //; right; apply: (Crowning n ac pl go). Qed.

(** * After a reply. *)
(** What has not left its square stands there still. *)
Lemma own_stays S act S' x : sound S -> plays S act S' -> actor S act = who S x -> who S' x <> Nobody ->
  followed S act x = x /\ who S' x = who S x.
Proof.
  move=> so pl ac nx.
  have stays f t k : actor S act = who S f -> done S (who S f) f t k S' -> f <> x /\ who S' x = who S x.
    move=> e dn; have [m _] := done_makes dn; have [_ [nt _]] := makes_target so m.
    have xf : x <> f by move=> xf; case: nx; rewrite xf; apply: who_nothing (makes_from so m).
    have xt : x <> t by move=> xt; apply: nt; rewrite -e ac xt.
    split; [by move=> fx; apply: xf | have ox : who S x = who S f by rewrite -ac].
    case: (makes_square so m xf xt) => [e'|[e' _]|[e' _]|[e' _]]; try by case: nx; apply: who_nothing.
      by rewrite /who e'.
    by rewrite ox /who e'.
  case: act pl ac stays => [f t|f t k|q] pl ac stays.
  - have [_ _ dn] := plays_move pl; have [fx o] := stays f t (what S f) erefl dn.
    by split=> //; apply: followed_here pl fx nx.
  - have [_ _ dn] := plays_promotion pl; have [fx o] := stays f t k erefl dn.
    by split=> //=; case: eqP => // e; case: fx.
  by case: pl => d [_ [_ [_ ->]]].
Qed.
(** A man stands after a move of the other side only where it stood before. *)
Lemma enemy_stood S act S' c x k : sound S -> plays S act S' -> c <> Nobody -> actor S act = other c ->
  S' x = (c, k) -> S x = (c, k).
Proof.
  move=> so pl nc ac ex.
  have stays f t j : actor S act = who S f -> done S (who S f) f t j S' -> S x = (c, k).
    move=> e dn; have [m _] := done_makes dn; have o : who S f = other c by rewrite -e.
    have xf : x <> f by move=> xf; rewrite xf (makes_from so m) in ex; case: ex => e' _; apply: nc.
    have xt : x <> t by move=> xt; rewrite xt (makes_to m) o in ex; case: ex => e' _; apply: (other_not nc).
    case: (makes_square so m xf xt) => [<- //|[e' _]|[e' _]|[e' _]]; rewrite e' in ex; case: ex.
    - by move=> e2; case: nc.
    - by move=> e2; case: nc.
    by rewrite o => e2; case: (other_not nc).
  case: act pl ac stays => [f t|f t j|q] pl ac stays.
  - by have [_ _ dn] := plays_move pl; apply: stays dn.
  - by have [_ _ dn] := plays_promotion pl; apply: stays dn.
  by case: pl ex => d [_ [_ [_ ->]]].
Qed.
(** Who makes a move had one to make. *)
Lemma mover_not_stalled S act S' d : sound S -> plays S act S' -> actor S act = d -> ~ stalled S d.
Proof.
  move=> so pl o [nch nl]; case: act pl o => [f t|f t k|q] /=.
  - by move=> /plays_move [_ _ dn] o; apply: (nl f t); rewrite -o; apply: Replies.done_legal dn.
  - by move=> /plays_promotion [_ _ dn] o; apply: (nl f t); rewrite -o; apply: Replies.done_legal dn.
  by move=> [e [k [_ [ok _]]]]; rewrite (at_who k) => ed; subst e; case: ok => [//|[f [t /nl]]].
Qed.
