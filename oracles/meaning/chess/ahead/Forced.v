(** What `replies`, `losses`, `promoting` and `conceding` say: what follows whatever a man, or a side, replies. *)
From Chess Require Import Board Lines Effects Words.
From Chess Require Replies Games.
From Ahead Require Import Words.
From Ahead Require Statements.
From Ahead Require Combinations.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (f g q t x y z : square) (c d e : side) (j k : kind).

(** * What recurs. *)
(** Whatever a man does it does within its range. *)
Lemma does_within S act S' d k y : sound S -> plays S act S' -> source act = Some y -> at_ S y d k ->
  exists t, range d k y t /\ (act = Move y t \/ exists j, act = Promote y t j).
Proof.
  move=> so pl sr ey; have [o w] := (Games.at_who ey, Games.at_what ey).
  case: act pl sr => [f t|f t j|q] pl //= [e]; subst f; exists t.
  - have le := Combinations.move_legal so pl; rewrite o in le; split; last by left.
    by have := legal_range so le; rewrite w.
  have [le _] := Combinations.promotion_legal so pl; rewrite o in le; split; last by right; exists j.
  by have := legal_range so le; rewrite w.
Qed.
Lemma source_actor S act y : source act = Some y -> actor S act = who S y.
Proof. by case: act => [f t|f t j|q] //= [->]. Qed.

Lemma legal_plays S c f t : legal S c f t -> exists S', plays S (Move f t) S'.
Proof.
  move=> [[B [m sf]] np]; exists (follow S c f t B), c; split=> //; exists B; do 2 split=> //.
  by split=> //; right.
Qed.
Lemma promotable_plays S c x z j : sound S -> promotable S c x z -> promotion j ->
  exists S', plays S (Promote x z j) S'.
Proof.
  move=> so pr pj; have [_ pw] := pr; exists (after S c x z j), c; split=> //.
  exact: plain_done_after (promotable_plain so pr pj).
Qed.

(** * Mate follows. *)
Theorem mate_follows : Statements.mate_follows.
Proof.
  move=> S so d y t c g k h _ [nd ec] ag _ _ lg be S' oy pl; have [S2 pl2] := legal_plays (lg S' pl).
  exists (Move g h), S2; rewrite /= (Games.at_who (ag S' pl)) ec; do 3 split=> //.
  exact: be pl S2 pl2.
Qed.
Theorem it_would_mate : Statements.it_would_mate.
Proof.
  move=> S so d c g k h /Games.opponent_of [nd ed ec] eg _ _ lg be; have [S' pl] := legal_plays lg.
  split; first by rewrite ed; apply: other_player.
  exists (Move g h), S'; rewrite -ec /= (Games.at_who eg) ed; do 3 split=> //.
  exact: be S' pl.
Qed.
Theorem it_may_not_go_there : Statements.it_may_not_go_there.
Proof. by move=> S so d y t il S' o /(Combinations.move_legal so) le; case: il; rewrite -o. Qed.
Theorem it_may_not_promote_there : Statements.it_may_not_promote_there.
Proof. by move=> S so d y t il j S' o /(Combinations.promotion_legal so) [le _]; case: il; rewrite -o. Qed.
Theorem it_is_no_pawn : Statements.it_is_no_pawn.
Proof.
  move=> S so d y e k t n _ ey np _ j S' o /Games.plays_promotion [_ [pw _] _]; apply: np.
  by rewrite -pw (Games.at_what ey).
Qed.
Theorem it_is_not_the_last_rank : Statements.it_is_not_the_last_rank.
Proof.
  by move=> S so d y t n [_ nl] _ j S' o /(Combinations.promotion_legal so) [_ [_ la]]; apply: nl; rewrite -o.
Qed.
Theorem none_of_its_men : Statements.none_of_its_men.
Proof. by move=> S so d y e k _ ey ne act S' /(source_actor S) -> o; case: ne; rewrite -o (Games.at_who ey). Qed.
Theorem whatever_it_does : Statements.whatever_it_does.
Proof.
  move=> S so d y k n ey _ al act S' sr o pl; have [t [ra does]] := does_within so pl sr ey.
  have [pa he] := al t ra; have oy := Games.at_who ey; case: does pl => [-> pl|[j -> pl]]; first exact: pa oy pl.
  by case: (he j S' oy pl).
Qed.
Lemma every_site s : site s.
Proof. exact: mem_enum. Qed.
Theorem whatever_anybody_does : Statements.whatever_anybody_does.
Proof. by move=> S so d q n ch _ _ _ al; split=> // y; apply/al/every_site. Qed.
Theorem whatever_it_does_besides : Statements.whatever_it_does_besides.
Proof. by move=> S so d q n aw _ _ _ al; split=> // y; apply/al/every_site. Qed.

(** * A man is lost. *)
Lemma mate_captures S d z : d <> Nobody -> who S z = d -> mated_next S d -> captured_first S z.
Proof.
  move=> nd oz [act [S' [ac [pl [tg ma]]]]].
  by apply: (Capturing (act := act) (S' := S')); rewrite ?oz //; right; left.
Qed.
Theorem it_stays : Statements.it_stays.
Proof.
  move=> S so x d k y t j ex ne st; split=> [|S' nd pl]; first exact: Games.at_who ex.
  have o := Games.at_who (st S' pl); split=> //; apply: Games.followed_here so pl _ _; last by rewrite o.
  by move=> e; apply: ne.
Qed.
Theorem it_goes_itself : Statements.it_goes_itself.
Proof.
  move=> S so x d k t j ex st; split=> [|S' nd pl]; first exact: Games.at_who ex.
  by rewrite /= eqxx; split=> //; apply: Games.at_who (st S' pl).
Qed.
Theorem it_is_taken_for_good : Statements.it_is_taken_for_good.
Proof.
  move=> S so d y t c x z g k _ [nd ec] [ox wh] ag _ lg un; split=> // S' oy pl; have [-> oz] := wh S' nd pl.
  have [S2 pl2] := legal_plays (lg S' pl).
  apply: (Capturing (act := Move g z) (S' := S2)); rewrite ?oz //=; first by rewrite (Games.at_who (ag S' pl)).
  have [_ n2] := Combinations.mover_arrives pl2.
  by left; split=> //; left; rewrite oz; apply: (un S' pl S2 pl2 n2).
Qed.
Theorem it_is_taken_by_one_worth_less : Statements.it_is_taken_by_one_worth_less.
Proof.
  move=> S so d y t c x z g k j m n _ [nd ec] [ox wh] ag _ az wk wj lt lg; split=> // S' oy pl.
  have [-> oz] := wh S' nd pl; have [S2 pl2] := legal_plays (lg S' pl).
  apply: (Capturing (act := Move g z) (S' := S2)); rewrite ?oz //=; first by rewrite (Games.at_who (ag S' pl)).
  left; split=> //; right; exists g, m, n.
  by rewrite (Games.at_what (ag S' pl)) (Games.at_what (az S' pl)).
Qed.
Lemma mate_gives_up S d x y t z : d <> Nobody -> parried S d y t -> whereabouts S d y t x z -> given_up S d x y t.
Proof.
  move=> nd pa [ox wh]; split=> // S' oy pl; have [-> oz] := wh S' nd pl.
  exact: mate_captures nd oz (pa S' oy pl).
Qed.
Theorem mate_follows_a_reply_to_a_check : Statements.mate_follows_a_reply_to_a_check.
Proof. by move=> S so d x y t z [nd _]; apply: mate_gives_up. Qed.
Theorem mate_follows_as_was_threatened : Statements.mate_follows_as_was_threatened.
Proof. by move=> S so d x y t c z [nd _] _; apply: mate_gives_up. Qed.
Theorem it_may_not_go : Statements.it_may_not_go.
Proof.
  move=> S so d x y t k ex il; split=> [|S' o /(Combinations.move_legal so) le]; first exact: Games.at_who ex.
  by case: il; rewrite -o.
Qed.
Theorem it_has_no_say : Statements.it_has_no_say.
Proof.
  move=> S so d x y k e i ex ey ne; split=> [|act S' /(source_actor S) -> o]; first exact: Games.at_who ex.
  by case: ne; rewrite -o (Games.at_who ey).
Qed.
Theorem whatever_it_replies : Statements.whatever_it_replies.
Proof.
  move=> S so d x y i k n ex ey _ al; split=> [|act S' sr o pl]; first exact: Games.at_who ex.
  have [t [ra does]] := does_within so pl sr ey; have oy := Games.at_who ey.
  have [[_ gi] he] := al t ra; case: does pl => [-> pl|[j -> pl]]; first exact: gi oy pl.
  by case: (he j S' oy pl).
Qed.
Theorem whatever_anybody_replies : Statements.whatever_anybody_replies.
Proof. by move=> S so d x k q n ex [nd _] _ _ _ al; split=> // y; apply/al/every_site. Qed.
Theorem it_could_be_taken_for_good : Statements.it_could_be_taken_for_good.
Proof.
  move=> S so x d j c g k ex [nd ec] eg _ lg un; have [S' pl] := legal_plays lg.
  split=> //; split; first exact: Games.at_who ex.
  have [_ n] := Combinations.mover_arrives pl.
  exists (Move g x), S'; rewrite /= (Games.at_who eg) ec; do 2 split=> //.
  by split=> //; left; rewrite (Games.at_who ex); apply: (un S' pl n).
Qed.
Theorem it_could_be_taken_by_one_worth_less : Statements.it_could_be_taken_by_one_worth_less.
Proof.
  move=> S so x d j n c g k m ex wj [nd ec] eg wk lt _ le; have [S' pl] := legal_plays le.
  split=> //; split; first exact: Games.at_who ex.
  exists (Move g x), S'; rewrite /= (Games.at_who eg) ec; do 2 split=> //.
  by split=> //; right; exists g, m, n; rewrite (Games.at_what eg) (Games.at_what ex).
Qed.

(** * A pawn is promoted. *)
Lemma it_ripens S c x z j d : sound S -> at_ S x c Pawn -> promotable S c x z -> opponent c d ->
  j = Queen \/ j = Rook -> untakeable_promoted_1 S x z j d z -> awake_promoted_1 S x z j d -> ripe S c x z j.
Proof.
  move=> so ex pr [nc ed] kj un aw; have pj : promotion j by case: kj => ->; rewrite /promotion; intuition.
  have [S' pl] := promotable_plays so pr pj; split=> //; exists S'; split=> //.
  exists z, j; rewrite -ed; do 2 split=> //.
  split; last exact: Combinations.awake_not_stalled (aw S' pl).
  have [n _ dn] := Games.plays_promotion pl; have [m _] := done_makes dn; apply: (un S' pl).
  by rewrite (makes_to m) => -[e _].
Qed.
Theorem it_becomes_a_queen : Statements.it_becomes_a_queen.
Proof. by move=> S so c x z d ex _ _ pr op un aw; apply: (it_ripens so ex pr op) un aw; left. Qed.
Theorem it_becomes_a_rook_where_a_queen_may_stalemate : Statements.it_becomes_a_rook_where_a_queen_may_stalemate.
Proof. by move=> S so c x z d ex _ _ pr op _ un aw; apply: (it_ripens so ex pr op) un aw; right. Qed.
Theorem it_is_ripe_then : Statements.it_is_ripe_then.
Proof.
  move=> S so x c i d y t z j _ [nc ed] _ ri S' oy pl; have [ex [S2 [pl2 as_]]] := ri S' pl.
  by exists (Promote x z j), S2; rewrite ed otherK; split=> //; apply: Games.at_who ex.
Qed.
Theorem one_move_before_the_last_rank : Statements.one_move_before_the_last_rank.
Proof. by move=> S so c x z ex ad la; split=> //; exists z. Qed.
Theorem it_may_not_go_to_stop_it : Statements.it_may_not_go_to_stop_it.
Proof. by move=> S so d x y t c k _ il S' o /(Combinations.move_legal so) le; case: il; rewrite -o. Qed.
Theorem it_has_no_say_in_it : Statements.it_has_no_say_in_it.
Proof.
  by move=> S so d x y c k e i _ _ ey ne act S' /(source_actor S) -> o; case: ne; rewrite -o (Games.at_who ey).
Qed.
Theorem whatever_it_replies_to_it : Statements.whatever_it_replies_to_it.
Proof.
  move=> S so d x y c i k n _ ey _ al act S' sr o pl; have [t [ra does]] := does_within so pl sr ey.
  have [th he] := al t ra; have oy := Games.at_who ey; case: does pl => [-> pl|[j -> pl]]; first exact: th oy pl.
  by case: (he j S' oy pl).
Qed.
Theorem whatever_anybody_replies_to_it : Statements.whatever_anybody_replies_to_it.
Proof.
  move=> S so c d x q n [_ ed] ne aw _ _ _ al; rewrite /conceded ed otherK; split=> //.
  by rewrite -ed; split=> // y; apply/al/every_site.
Qed.

(** * What these words come to: the game is won though that side replies. *)
Lemma a_man_replies S act S' d : sound S -> plays S act S' -> actor S act = d -> loser S' <> d ->
  exists y, source act = Some y.
Proof.
  move=> so; case: act => [f t|f t j|q] pl o lo; [by exists f | by exists f | case: pl lo => e [k [_ [_ ->]]]].
  by rewrite -o /= (Games.at_who k).
Qed.
Theorem what_is_stilled_is_mated S d : sound S -> stilled S d -> mate S d IG.
Proof.
  move=> so [aw al]; have [nd _] := aw; split=> //; apply: Parried => //; first exact: Combinations.awake_not_stalled.
  move=> act S' ac pl lo; have [y sr] := a_man_replies so pl ac lo.
  have [act2 [S2 [ac2 [pl2 [tg ma]]]]] := al y act S' sr ac pl.
  by apply: (Mating (act := act2) (S' := S2)) => //; left.
Qed.
Theorem what_is_lost_is_captured S d x : sound S -> awake S d -> lost S d x -> capture S x IG.
Proof.
  move=> so aw [nd al]; have [ox _] := al x; split; first by rewrite ox.
  apply: Fled; rewrite ox //; first exact: Combinations.awake_not_stalled.
  move=> act S' ac pl lo; have [y sr] := a_man_replies so pl ac lo.
  by have [_ ca] := al y; apply: ca sr ac pl.
Qed.
Theorem what_is_conceded_ascends S d x : sound S -> conceded S d x -> ascend S (other d) x IG.
Proof.
  move=> so [[ex _] [aw al]]; split=> //; apply: Unstopped; rewrite ?otherK //.
    exact: Combinations.awake_not_stalled.
  move=> act S' ac pl lo; have [y sr] := a_man_replies so pl ac lo.
  have [act2 [S2 [ac2 [pl2 as_]]]] := al y act S' sr ac pl; have [t [j [e _]]] := as_.
  have ex' : S' x = (other d, Pawn).
    by move: pl2 ac2; rewrite e => /Games.plays_promotion [_ [pw _] _] /= <-; rewrite -pw /who /what; case: (S' x).
  by apply: (Ascending ex' ac2 pl2) => //; [rewrite e | left].
Qed.
