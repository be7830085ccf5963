(** The games of `combinations`: a forced mate, a man that is taken for good, a pawn that becomes a queen or a rook.
    Each clause is true of them, what a side can reply is listed, and what is won after every reply is won. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Replies Games.
From Ahead Require Import Words.
From Ahead Require Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (f q s t x y : square) (c d e : side) (k j : kind).

(** * What recurs. *)
(** Nobody does what is against the rules. *)
Lemma move_legal S f t S' : sound S -> plays S (Move f t) S' -> legal_move S (who S f) f t.
Proof. by move=> so /Games.plays_move [_ _ dn]; apply: Replies.done_legal dn. Qed.
Lemma promotion_legal S f t k S' : sound S -> plays S (Promote f t k) S' ->
  legal_move S (who S f) f t /\ last (who S f) t.
Proof. by move=> so /Games.plays_promotion [_ [_ la] dn]; split=> //; apply: Replies.done_legal dn. Qed.
Lemma no_move S f t S' d k : sound S -> plays S (Move f t) S' -> illegal S d f t -> ~ at_ S f d k.
Proof. by move=> so /(move_legal so) le il ef; apply: il; rewrite -(Games.at_who ef). Qed.
Lemma no_promotion S f t j S' d k : sound S -> plays S (Promote f t j) S' -> illegal S d f t -> ~ at_ S f d k.
Proof. by move=> so /(promotion_legal so) [le _] il ef; apply: il; rewrite -(Games.at_who ef). Qed.
Lemma no_promotion_short S f t j S' d k : sound S -> plays S (Promote f t j) S' -> not_last d t -> ~ at_ S f d k.
Proof. by move=> so /(promotion_legal so) [_ [_ la]] [_ nl] ef; rewrite (Games.at_who ef) in la. Qed.
Lemma laid_down S q S' d : plays S (Lay_down q) S' -> king S d q -> Board.stands S' = Board.stands S /\ loser S' = d.
Proof. by move=> [e [k [_ [_ ->]]]] [_ k']; split=> //=; rewrite -(Games.at_who k') (Games.at_who k). Qed.
Lemma mover_arrives S f t S' : plays S (Move f t) S' -> who S' t = who S f /\ S' t <> nothing.
Proof.
  move=> /Games.plays_move [n _ dn]; have [m _] := done_makes dn; rewrite /who (makes_to m).
  by split=> // -[e _]; apply: n.
Qed.
Lemma awake_not_stalled S d : awake S d -> ~ stalled S d.
Proof. by move=> [_ [ch|[f [t le]]]] [no1 no2]; [apply: no1 | apply: no2 le]. Qed.
Lemma awake_gives_up S d q : king S d q -> awake S d -> exists S', plays S (Lay_down q) S'.
Proof. by move=> [n k] [_ aw]; exists (State S (kept S) (passed S) (turn S) d); exists d. Qed.
(** What stands elsewhere is not moved by the other side; it may be taken in passing. *)
Lemma others_stay S f t S' x : sound S -> plays S (Move f t) S' -> who S x = other (who S f) -> x <> t ->
  followed S (Move f t) x = x /\ (S' x = S x \/ S' x = nothing).
Proof.
  move=> so /Games.plays_move [n _ dn] o nt; have [m _] := done_makes dn.
  have nx : who S x <> Nobody by rewrite o; apply: other_player.
  have nc : who S x <> who S f by rewrite o; apply: other_not.
  have nf : x <> f by move=> e; apply: nc; rewrite e.
  split; last first.
    case: (makes_square so m nf nt) => [|[e _]|[e _]|[_ [e _]]]; [by left | by right | by right|].
    by case: nx; apply: who_nothing.
  rewrite /=; case: eqP => // _.
  case: andP => // -[/eqP ki /andP [/Z.eqb_spec far /andP [/Z.eqb_spec ry /Z.eqb_spec cx]]].
  case: m => [[_ [_]]|v [/Games.at_what]|w r p [cs [_ [_ [cr _]]]] _]; [|by rewrite ki|].
    by rewrite ki /Board.attacks ki => st; exfalso; clear -far st; geo.
  have xr : x = r by clear -cs cx ry; case: w cs; case: Z.eqb_spec cx => *; geo.
  by case: nc; rewrite xr; apply: Games.at_who cr.
Qed.

(** * Mate. *)
Theorem mate_by_leaving_no_move : Statements.mate_by_leaving_no_move.
Proof.
  move=> S S' act so pl f t c d e le /Games.opponent_of [n ec ed] be; subst act.
  by do 2 split=> //; [exact: etrans (Games.legal_who le) ec|]; exists S'; do 2 split=> //; left.
Qed.
Theorem mate_by_a_promotion_that_leaves_no_move : Statements.mate_by_a_promotion_that_leaves_no_move.
Proof.
  move=> S S' act so pl f t k c d e pk le /Games.opponent_of [n ec ed] be; subst act.
  by do 2 split=> //; [exact: etrans (Games.promotable_who le) ec|]; exists S'; do 2 split=> //; left.
Qed.
Theorem a_king_is_given_up_while_it_can_move : Statements.a_king_is_given_up_while_it_can_move.
Proof.
  move=> S S' act so pl q d e k _; subst act; have [_ lo] := laid_down pl k.
  by split; [case: k | left].
Qed.
Theorem no_such_move : Statements.no_such_move.
Proof. by move=> S S' act so pl f t d k e il ef; subst act; case: (no_move so pl il ef). Qed.
Theorem no_such_promotion : Statements.no_such_promotion.
Proof. by move=> S S' act so pl f t j d k e il ef; subst act; case: (no_promotion so pl il ef). Qed.
Theorem no_promotion_there : Statements.no_promotion_there.
Proof. by move=> S S' act so pl f t j d k e nl ef; subst act; case: (no_promotion_short so pl nl ef). Qed.
Theorem mate_against_every_reply : Statements.mate_against_every_reply.
Proof.
  move=> S S' act so pl f t c d e le /Games.opponent_of [n ec ed] [_ ma]; subst act.
  by do 2 split=> //; [exact: etrans (Games.legal_who le) ec|]; exists S'; do 2 split=> //; right.
Qed.
Theorem one_move_that_mates_is_enough : Statements.one_move_that_mates_is_enough.
Proof.
  by move=> S so d f t [n [ac [S' [pl [go ma]]]]]; split=> //; right; apply: (Mating n ac pl go ma).
Qed.

(** * A man is taken. *)
Theorem captured_where_nobody_takes_back : Statements.captured_where_nobody_takes_back.
Proof.
  move=> S S' act so pl f x c d k e le /Games.opponent_of [n ec ed] ex un; subst act; have o := Games.legal_who le.
  rewrite /= (Games.at_who ex) o; do 2 split=> //; exists S'; do 2 split=> //; left.
  by split=> //; left; rewrite (Games.at_who ex); apply: un; case: (mover_arrives pl).
Qed.
Theorem captured_by_one_worth_less : Statements.captured_by_one_worth_less.
Proof.
  move=> S so f x c j d k m n [S' pl] le ef /Games.opponent_of [nd ec ed] ex wm wn lt; have o := Games.legal_who le.
  rewrite /= (Games.at_who ex) o; do 2 split=> //; exists S'; do 2 split=> //; left.
  by split=> //; right; exists f, m, n; rewrite (Games.at_what ef) (Games.at_what ex).
Qed.
Theorem mate_captures_all : Statements.mate_captures_all.
Proof.
  move=> S S' act so pl f t c d x k e le /Games.opponent_of [n ec ed] ex be; subst act; have o := Games.legal_who le.
  rewrite /= (Games.at_who ex) o; do 2 split=> //; exists S'; do 2 split=> //.
  by right; left.
Qed.
Theorem it_is_followed : Statements.it_is_followed.
Proof.
  move=> S S' act so pl x t c k e ex ca; subst act; have [n _ dn] := Games.plays_move pl.
  have [m _] := done_makes dn; have [xt _] := makes_target so m; have [o nt] := mover_arrives pl.
  have nw : who S' t <> Nobody by rewrite o.
  have {}ca : capture S' t GI by case: ca => [//|[_ [_]]]; rewrite (Games.followed_here so pl xt nw).
  by right; rewrite /= eqxx.
Qed.
Theorem the_king_is_laid_down_while_it_can_move : Statements.the_king_is_laid_down_while_it_can_move.
Proof.
  move=> S S' act so pl q d x k e kq _ ex; subst act; have [st lo] := laid_down pl kq.
  have o : who S' x = d by rewrite /Board.who st; apply: Games.at_who ex.
  by left; split; [rewrite o; case: kq | left; rewrite o].
Qed.
Theorem no_move_that_saves_it : Statements.no_move_that_saves_it.
Proof. by move=> S S' act so pl f t d k x j e il ef _; subst act; case: (no_move so pl il ef). Qed.
Theorem no_promotion_that_saves_it : Statements.no_promotion_that_saves_it.
Proof. by move=> S S' act so pl f t j d k x i e il ef _; subst act; case: (no_promotion so pl il ef). Qed.
Theorem no_such_promotion_that_saves_it : Statements.no_such_promotion_that_saves_it.
Proof. by move=> S S' act so pl f t j d k x i e nl ef _; subst act; case: (no_promotion_short so pl nl ef). Qed.
Theorem captured_against_every_reply : Statements.captured_against_every_reply.
Proof.
  move=> S S' act so pl f t c d x k e le /Games.opponent_of [n ec ed] ex nt ca; subst act.
  have o := Games.legal_who le; have ox := Games.at_who ex; have oo : who S x = other (who S f) by rewrite ox o.
  have [fo st] := others_stay so pl oo nt.
  have {}ca : capture S' x IG by case: ca => [//|[_ [_]]]; rewrite fo.
  have sx : who S' x = who S x.
    by case: st => e; [rewrite /who e | case: (ca) => nx _; case: nx; apply: who_nothing].
  rewrite /capture_by ox /= o; do 2 split=> //; exists S'; do 2 split=> //.
  by right; right; rewrite sx ox; split=> //; case: ca.
Qed.
Theorem one_move_that_captures_is_enough : Statements.one_move_that_captures_is_enough.
Proof.
  by move=> S so x f t [n [ac [S' [pl [go ca]]]]]; split=> //; right; apply: (Capturing n ac pl go ca).
Qed.

(** * A pawn is promoted. *)
Theorem promoted_where_nobody_takes : Statements.promoted_where_nobody_takes.
Proof.
  move=> S S' act so pl x t k c d e pk nb nn le [nc ed] un aw; subst act; have o := Games.promotable_who le.
  have ex := Games.promotable_pawn le; have [_ _ dn] := Games.plays_promotion pl; have [m _] := done_makes dn.
  rewrite /ascend_by /= o; do 2 split=> //; exists S'; do 2 split=> //; left; exists t, k.
  rewrite -ed; split=> //; split; first by case: pk => [|[|[|]]]; [left | right | |].
  by split; [apply: un; rewrite (makes_to m) o => -[e _]; case: nc | apply: awake_not_stalled].
Qed.
Theorem a_king_is_laid_down_before_it_has_to_move : Statements.a_king_is_laid_down_before_it_has_to_move.
Proof.
  move=> S S' act so pl q d c x e kq _ [_ ed] ex; subst act; have [st lo] := laid_down pl kq.
  by split; [rewrite st | left; rewrite lo].
Qed.
Theorem no_move_that_stops_it : Statements.no_move_that_stops_it.
Proof. by move=> S S' act so pl f t d k c x e il ef _ _; subst act; case: (no_move so pl il ef). Qed.
Theorem no_promotion_that_stops_it : Statements.no_promotion_that_stops_it.
Proof. by move=> S S' act so pl f t j d k c x e il ef _ _; subst act; case: (no_promotion so pl il ef). Qed.
Theorem no_such_promotion_that_stops_it : Statements.no_such_promotion_that_stops_it.
Proof. by move=> S S' act so pl f t j d k c x e nl ef _ _; subst act; case: (no_promotion_short so pl nl ef). Qed.
Theorem a_move_of_its_own_against_every_reply : Statements.a_move_of_its_own_against_every_reply.
Proof.
  move=> S S' act so pl x t c e le ex [_ as_]; subst act; have o := Games.legal_who le.
  by rewrite /ascend_by /= o; do 2 split=> //; exists S'; do 2 split=> //; right; rewrite eqxx.
Qed.
Theorem a_move_of_another_against_every_reply : Statements.a_move_of_another_against_every_reply.
Proof.
  move=> S S' act so pl f t c x e le ex fx [ex' as_]; subst act; have [nc _] := legal_side (proj1 le).
  have nw : who S' x <> Nobody by rewrite (Games.at_who ex').
  rewrite /ascend_by /= (Games.legal_who le); do 2 split=> //; exists S'.
  do 2 split=> //; right.
  by have := Games.followed_here so pl fx nw; rewrite /= => ->.
Qed.
Theorem one_move_with_which_it_ascends_is_enough : Statements.one_move_with_which_it_ascends_is_enough.
Proof.
  by move=> S so c x f t [n [ac [S' [pl [go as_]]]]]; split=> //; right; apply: (Ascending n ac pl go as_).
Qed.
Theorem so_is_one_promotion : Statements.so_is_one_promotion.
Proof.
  by move=> S so c x f t k [n [ac [S' [pl [go as_]]]]]; split=> //; right; apply: (Ascending n ac pl go as_).
Qed.

(** * What follows for the games `take` and `crown`. *)
Fixpoint captured_taken S x (ca : captured_first S x) {struct ca} : taken_first S x
with captured_taken_second S x (ca : captured_second S x) {struct ca} : taken_second S x.
Proof.
  - case: ca => act S' n ac pl go won; apply: (Taking n ac pl go).
    by case: won => [tk|[ma|[o /captured_taken_second]]]; [left | right; left | right; right].
  case: ca => n ns all; apply: Replied => // act S' ac pl lo.
  exact: captured_taken (all act S' ac pl lo).
Qed.
Lemma ascends_crowns S act S' c x : ascends S act S' c x -> crowns S act S' c x.
Proof.
  move=> [t [j [e [k rest]]]]; exists t, j.
  by case: k e => -> e; [exists 9 | exists 5]; do 2 split=> //; split=> //; lia.
Qed.
Fixpoint ascended_crowned S c x (a : ascended_first S c x) {struct a} : crowned_first S c x
with ascended_crowned_second S c x (a : ascended_second S c x) {struct a} : crowned_second S c x.
Proof.
  - case: a => act S' ex ac pl go won; apply: (Crowning ex ac pl go).
    by case: won => [/ascends_crowns|/ascended_crowned_second]; [left | right; right].
  case: a => ex ns all; apply: (Withstood ex ns) => act S' ac pl lo.
  exact: ascended_crowned (all act S' ac pl lo).
Qed.
Theorem what_is_captured_is_taken : Statements.what_is_captured_is_taken.
Proof.
  move=> S so x f t [n [ac [S' [pl [go won]]]]]; do 2 split=> //; exists S'; do 2 split=> //.
  by case: won => [tk|[ma|[o /captured_taken_second]]]; [left | right; left | right; right].
Qed.
Lemma ascend_by_crown_by S c x act : ascend_by S c x act GI -> crown_by S c x act GI.
Proof.
  move=> [ex [ac [S' [pl [go won]]]]]; do 2 split=> //; exists S'; do 2 split=> //.
  by case: won => [/ascends_crowns|/ascended_crowned_second]; [left | right; right].
Qed.
Theorem what_ascends_is_crowned : Statements.what_ascends_is_crowned.
Proof. by move=> S so c x f t; apply: ascend_by_crown_by. Qed.
Theorem what_ascends_at_once_is_crowned : Statements.what_ascends_at_once_is_crowned.
Proof. by move=> S so c x t k; apply: ascend_by_crown_by. Qed.

(** Who plays for a game does not give up. *)
Theorem giving_up_plays_for_nothing S x d q v n : let act := Lay_down q in
  [/\ ~ take_by S x act v, ~ crown_by S d x act v, ~ gain_by S d n act v, ~ mate_by S d act v
    & ~ capture_by S x act v /\ ~ ascend_by S d x act v].
Proof. by case: v => /=; split=> //; try split=> //; case=> _ [_ [S' [_ [go _]]]]; apply: go. Qed.

(** * What can be replied. *)
Lemma a_reply S act S' d : sound S -> plays S act S' -> actor S act = d -> loser S' <> d ->
  (exists f t k, act = Move f t /\ site f /\ at_ S f d k /\ range d k f t /\ ~ illegal S d f t)
  \/ exists f t j, act = Promote f t j /\ promotion j /\ site f /\ at_ S f d Pawn /\ range d Pawn f t /\ last d t
     /\ ~ illegal S d f t.
Proof.
  move=> so; case: act => [f t|f t k|q] pl /= o lo.
  - have le := move_legal so pl; rewrite o in le; left; exists f, t, (what S f).
    split=> //; split; [exact: mem_enum | split; [by rewrite /at_ -o /who /what; case: (S f) | split]].
      exact: legal_range.
    by move=> /(_ le).
  - have [le la] := promotion_legal so pl; rewrite o in le la; right; exists f, t, k.
    have [_ [pw _] dn] := Games.plays_promotion pl; have [_ [_ [[_ pk]|[np _]]]] := done_makes dn; last first.
      by case: np; split=> //; rewrite o.
    have ef : S f = (d, Pawn) by rewrite -o -pw /who /what; case: (S f).
    have ra := legal_range so le; rewrite pw in ra.
    by do 2 split=> //; split; [exact: mem_enum | do 3 split=> //; move=> /(_ le)].
  by case: pl lo => e [k [_ [_ ->]]]; rewrite -o (Games.at_who k).
Qed.
Theorem replies_mate : Statements.replies_mate.
Proof. by move=> S S' act so pl d _ o lo; case: (a_reply so pl o lo) => ?; [left | right; left]. Qed.
Lemma at_itself S x : at_ S x (who S x) (what S x).
Proof. by rewrite /at_ /who /what; case: (S x). Qed.
Theorem replies_capture : Statements.replies_capture.
Proof.
  move=> S S' act so pl x _ o lo; case: (a_reply so pl o lo) => [[f [t [k [e H]]]]|[f [t [j [e [pj H]]]]]].
    by left; exists f, t, (who S x), (what S x), k; split=> //; split; first exact: at_itself.
  by right; left; exists f, t, j, (who S x), (what S x); split=> //; split; first exact: at_itself.
Qed.
Theorem replies_ascend : Statements.replies_ascend.
Proof.
  move=> S S' act so pl c x n o lo; case: (a_reply so pl o lo) => [[f [t [k [e H]]]]|[f [t [j [e [pj H]]]]]].
    by left; exists f, t, (other c), k.
  by right; left; exists f, t, j, (other c).
Qed.
Theorem open_mate_3 : Statements.open_mate_3.
Proof. by move=> S so d q; apply: awake_gives_up. Qed.
Theorem open_capture_3 : Statements.open_capture_3.
Proof. by move=> S so x d k q _; apply: awake_gives_up. Qed.
Theorem open_ascend_3 : Statements.open_ascend_3.
Proof. by move=> S so c d q _; apply: awake_gives_up. Qed.

(** * What is won after every reply, of which there is one, is won though the other side plays first. *)
Theorem reply_rule_mate : Statements.reply_rule_mate.
Proof.
  move=> S so d [S1 [act1 [pl1 c1]]] won; have [nd o1] : d <> Nobody /\ actor S act1 = d.
    case: c1 => [[f [t [k [-> [_ [/Games.at_who o [[n _] _]]]]]]]|[|]] //.
    - by move=> [f [t [j [-> [_ [_ [/Games.at_who o [[n _] _]]]]]]]].
    by move=> [q [-> [[n /Games.at_who k] _]]].
  split=> //; apply: Parried => //; first exact: Games.mover_not_stalled so pl1 o1.
  by move=> act S' ac pl lo; have [_ []] := won S' act pl (replies_mate so pl nd ac lo).
Qed.
Theorem reply_rule_capture : Statements.reply_rule_capture.
Proof.
  move=> S so x [S1 [act1 [pl1 c1]]] won; have [nx o1] : who S x <> Nobody /\ actor S act1 = who S x.
    case: c1 => [[f [t [d [i [k [-> [/Games.at_who -> [_ [/Games.at_who o [[n _] _]]]]]]]]]]|[|]] //.
    - by move=> [f [t [j [d [i [-> [/Games.at_who -> [_ [_ [/Games.at_who o [[n _] _]]]]]]]]]]].
    by move=> [q [d [i [-> [/Games.at_who -> [[n /Games.at_who k] _]]]]]].
  split=> //; apply: Fled => //; first exact: Games.mover_not_stalled so pl1 o1.
  move=> act S' ac pl lo; case: (won S' act pl (replies_capture so pl nx ac lo)) => [[nx' end_]|[_ [o [_ end_]]]].
    by have [-> o] := Games.own_stays so pl ac nx'; rewrite o in end_; case: end_.
  by rewrite o in end_; case: end_.
Qed.
Theorem reply_rule_ascend : Statements.reply_rule_ascend.
Proof.
  move=> S so c x [S1 [act1 [pl1 c1]]] won; have [nc o1] : c <> Nobody /\ actor S act1 = other c.
    case: (c1) => [[f [t [d [k [-> [[n <-] [_ [/Games.at_who o _]]]]]]]]|[|]] //.
    - by move=> [f [t [j [d [-> [[n <-] [_ [_ [/Games.at_who o _]]]]]]]]].
    by move=> [q [d [-> [[n <-] [[_ /Games.at_who k] _]]]]].
  have ex : S x = (c, Pawn) by have [e _] := won S1 act1 pl1 c1; apply: Games.enemy_stood so pl1 nc o1 e.
  split=> //; apply: Unstopped => //; first exact: Games.mover_not_stalled so pl1 o1.
  by move=> act S' ac pl lo; have [_ []] := won S' act pl (replies_ascend so pl x nc ac lo).
Qed.
