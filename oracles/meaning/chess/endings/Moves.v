(** What a move leaves, what is barred, the replies, and when a move wins. *)
From Chess Require Import Board Lines Effects.
From Chess Require Games Replies.
From Endings Require Import Sole.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k o p q s t x y : square) (j : kind) (w : way).

(** * What is attacked and barred. *)
Theorem its_men : Statements.its_men.
Proof. by []. Qed.
Theorem nobody_else_moves : Statements.nobody_else_moves.
Proof. by move=> S so d y b o; split. Qed.
Theorem barred_by_the_border : Statements.barred_by_the_border.
Proof.
  move=> S so d q w [n kq] b; case: (b) => nw no; split=> //; split=> // s nx; exfalso; apply: (border_line b).
  exact: next_line nx.
Qed.
Theorem barred_by_the_king : Statements.barred_by_the_king.
Proof.
  move=> S so d q w s c k n [nd kq] nx [_ ->] [nc kk] -> h; have st := next_step nx; case: (nx) => nw _.
  split=> //; split=> // s' nx' le.
  have e : s' = s by apply/sqE; case: nx nx' => _ [-> ->] [_ [-> ->]].
  subst s'; have [a b fr] := iffLR (king_step_legal so kq nd st) le.
  have nkq : k <> q by move=> e; move: kk; rewrite e kq => -[] e'; case: (other_not nd).
  have [e|ne] : k = s \/ k <> s by case: (k =P s); auto.
    by case: b; rewrite -e /what kk.
  apply: (fr k) => //; first by rewrite /who kk.
  rewrite /attacks /what put_else ?kk //=.
  by clear -ne h; move: ne h; geo.
Qed.
Theorem barred_by_a_pawn : Statements.barred_by_a_pawn.
Proof.
  move=> S so d q w s c y [nd kq] nx [_ ->] ey sy; have st := next_step nx; case: (nx) => nw _.
  split=> //; split=> // s' nx' le.
  have e : s' = s by apply/sqE; case: nx nx' => _ [-> ->] [_ [-> ->]].
  subst s'; have [a b fr] := iffLR (king_step_legal so kq nd st) le.
  have nyq : y <> q by move=> e; move: ey; rewrite /Words.at_ e kq.
  apply: (fr y); [by rewrite /who ey | exact: strikes_apart sy | ].
  by rewrite /attacks /what put_else ?ey //= /who put_else ?ey.
Qed.
Lemma at_who S s c j : S s = (c, j) -> who S s = c.
Proof. by rewrite /who => ->. Qed.
Lemma at_what S s c j : S s = (c, j) -> what S s = j.
Proof. by rewrite /what => ->. Qed.
Theorem a_king_is_not_near : Statements.a_king_is_not_near.
Proof.
  move=> S so c k s n [nc kk] -> h; split=> //; rewrite (at_who kk) (at_what kk); split=> //; split; first by left.
  by rewrite /attacks (at_what kk).
Qed.
Theorem a_pawn_is_on_another_file : Statements.a_pawn_is_on_another_file.
Proof.
  move=> S so y c s g ey -> h; have nc : c <> Nobody.
    by move=> e; have := iffLR (sound_proper so y); rewrite (at_who ey) (at_what ey) => /(_ e).
  split=> //; rewrite (at_who ey) (at_what ey); split=> //; split; first by right.
  by rewrite /attacks (at_what ey) => -[_ [_]].
Qed.
Theorem a_pawn_is_on_another_rank : Statements.a_pawn_is_on_another_rank.
Proof.
  move=> S so y c s g ey [nc ->] h; split=> //; rewrite (at_who ey) (at_what ey); split=> //; split; first by right.
  by rewrite /attacks (at_what ey) (at_who ey) => -[_ [e _]]; apply: h; rewrite e;
     case: (c) nc => // _; unfold fwd; lia.
Qed.
Theorem nobody_attacks : Statements.nobody_attacks.
Proof.
  move=> S so c n k s m [nc _] _ _ al; split=> // y oy.
  by have [|_ [_ [h1 h2]]] := al y; first by split.
Qed.
(** Kings and pawns attack as before when a king leaves its square. *)
Lemma unattacked_put S c q s y : Words.unattacked S c s -> q <> y ->
  who S y = c -> ~ attacks (put S q nothing) y s.
Proof.
  move=> [nc al] nq oy; have [kp na] := al y oy; have e : put S q nothing y = S y by rewrite put_else; auto.
  move=> h; apply: na; move: h; rewrite /attacks /what /who e -/(what S y).
  by case: kp => ->.
Qed.
Theorem a_king_steps : Statements.a_king_steps.
Proof.
  move=> S so c k s d [nc kk] st es [_ ->] un; split=> //; split=> //; split=> //.
  apply/(king_step_legal so kk nc st); rewrite (at_who es) (at_what es); split=> //; first by move=> e; apply: nc.
  move=> x ox _; apply: (unattacked_put un) => // e.
  by move: ox; rewrite -e (at_who kk) => h; case: (other_not nc).
Qed.
Lemma pushed_safely S c x t k : sound S -> S x = (c, Pawn) -> goes S c x t -> S t = nothing -> c <> Nobody ->
  S k = (c, King) -> Words.unattacked S (other c) k -> legal_move S c x t.
Proof.
  move=> so ex g et nc kk [_ al]; apply/(goes_legal so g _ kk); rewrite (at_what ex) // => y oy nt.
  have nx : y <> x by move=> e; move: oy; rewrite e (at_who ex) => h; case: (other_not nc).
  have [kp na] := al y oy; have e : gone S c x t Pawn y = S y by rewrite gone_else.
  move=> h; apply: na; move: h; rewrite /attacks /what /who e -/(what S y).
  by case: kp => ->.
Qed.
Theorem a_pawn_is_pushed : Statements.a_pawn_is_pushed.
Proof.
  move=> S so x c t d k ex ad [nc nl] et [_ ->] [_ kk] un.
  have g : goes S c x t by split=> //; rewrite (at_who ex) (at_what ex); split=> //; left.
  split=> //; split; first by case: ad => _ [].
  split=> //; split; first by case.
  exact: (pushed_safely so ex g et nc kk un).
Qed.
Theorem a_pawn_is_pushed_twice : Statements.a_pawn_is_pushed_twice.
Proof.
  move=> S so x c o t d k ex lp eo et [nc ->] [_ kk] un.
  have g : goes S c x t by split=> //; rewrite (at_who ex) (at_what ex); split=> //; right; left; exists o.
  split=> //; split; first by case: lp => _ [_ [_ [_ []]]].
  split=> //; split; last exact: (pushed_safely so ex g et nc kk un).
  by move: lp; clear -nc; case: c nc => // _; unfold leap, last, home, goal, fwd; lia.
Qed.
Theorem it_has_a_step : Statements.it_has_a_step.
Proof. by move=> S so d q s h; exists q, s. Qed.

(** * What a move leaves. *)
Lemma plays_move S f t S' c : plays S (Move f t) S' -> who S f = c -> done S c f t (what S f) S'.
Proof. by move=> [c' [_ dn]] o; have [_ o'] := done_side dn; rewrite -o o'. Qed.
Theorem a_king_goes : Statements.a_king_goes.
Proof.
  move=> S S' act so pl f t c e [nc kf] st et; subst act; have dn := plays_move pl (at_who kf).
  rewrite (at_what kf) in dn; split=> //; split=> //; split; first by left.
  split=> //; case: dn => B [m [_ [_ ->]]]; by have [-> _] := makes_king_step so m (at_what kf) st.
Qed.
Theorem a_pawn_goes : Statements.a_pawn_goes.
Proof.
  move=> S S' act so pl f t c e [ef [fl_ [et _]]]; subst act; have dn := plays_move pl (at_who ef).
  rewrite (at_what ef) in dn; split=> //; split=> //; split; first by right.
  split=> //; case: dn => B [m [_ [_ ->]]]; case: m => [//|v [_ [[_ [_ h]] _]] _|w r p _ //].
  by exfalso; lia.
Qed.
Lemma went_parts S act S' c j f t : sound S -> plays S act S' -> Words.went S act S' c j f t ->
  [/\ f <> t, c <> Nobody, S f = (c, j), S t = nothing & S' = after S c f t j].
Proof.
  move=> so pl [_ [ef [kp [et ->]]]]; split=> //.
    by move=> e; have := et; rewrite -e ef => -[_ h]; case: kp; rewrite h.
  by move=> e; have := iffLR (sound_proper so f); rewrite (at_who ef) (at_what ef) => /(_ e) h; case: kp; rewrite h.
Qed.
Theorem it_stands_there : Statements.it_stands_there.
Proof. by move=> S S' act so pl c j f t /(went_parts so pl) [n _ _ _ ->]; rewrite /Words.at_ /= gone_to. Qed.
Theorem its_square_is_left : Statements.its_square_is_left.
Proof. by move=> S S' act so pl c j f t /(went_parts so pl) [n _ _ _ ->]; rewrite /Words.at_ /= gone_from. Qed.
Theorem all_others_stay : Statements.all_others_stay.
Proof.
  by move=> S S' act so pl c j f t s d k /(went_parts so pl) [n _ _ _ ->] es a b; rewrite /Words.at_ /= gone_else.
Qed.
Theorem the_king_is_there : Statements.the_king_is_there.
Proof. by move=> S S' act so pl c f t /(went_parts so pl) [n nc _ _ ->]; split=> //=; rewrite gone_to. Qed.
Theorem the_other_king_stays : Statements.the_other_king_stays.
Proof.
  move=> S S' act so pl c f t d s /(went_parts so pl) [n nc ef et ->] [nd ec] [_ ks]; split=> //=.
  rewrite gone_else // => e; subst s; last by rewrite et in ks.
  by move: ks; rewrite ef => -[h]; case: (other_not nd); rewrite -ec h.
Qed.
Theorem kings_stay_where_a_pawn_goes : Statements.kings_stay_where_a_pawn_goes.
Proof.
  move=> S S' act so pl c f t d s /(went_parts so pl) [n nc ef et ->] [nd ks]; split=> //=.
  by rewrite gone_else // => e; subst s; [rewrite ef in ks | rewrite et in ks].
Qed.
(** How many men there are on a board. *)
Definition count (B : board) c : nat := #|[pred s | who B s == c]|.
Lemma count_put (B : board) s (m : side * kind) c :
  (count (put B s m) c + (who B s == c) = count B c + (m.1 == c))%N.
Proof.
  rewrite /count (cardD1 s) [in RHS](cardD1 s) !inE /who put_at.
  set a := #|_|; set b := #|_|; have -> : a = b.
    by apply: eq_card => x; rewrite !inE /who /put; case: eqP.
  rewrite -!plusE; lia.
Qed.
Theorem nobody_is_taken : Statements.nobody_is_taken.
Proof.
  move=> S S' act so pl c j f t d n /(went_parts so pl) [nft nc ef et ->] [nd ->]; split=> //; congr Z.of_nat.
  have := count_put S f nothing d; have := count_put (put S f nothing) t (c, j) d.
  have nn : (Nobody == d) = false by case: (d) nd.
  have -> : who (put S f nothing) t = Nobody by rewrite /who put_else ?et //; auto.
  by rewrite (at_who ef) /= !nn !addn0 => h1 h2; apply: etrans (esym h2) (esym h1).
Qed.

(** * What wins, and the replies. *)
Theorem won_by_a_step : Statements.won_by_a_step.
Proof.
  move=> S S' act so pl k t c e [kk _] [nc w]; subst act; split=> //; split; first exact: at_who kk.
  by exists S'; split=> //; split=> //; right.
Qed.
Theorem won_by_a_push : Statements.won_by_a_push.
Proof.
  move=> S S' act so pl k t c e [kk _] [nc w]; subst act; split=> //; split; first exact: at_who kk.
  by exists S'; split=> //; split=> //; right.
Qed.
Theorem won_when_given_up : Statements.won_when_given_up.
Proof.
  move=> S S' act so pl q d c e [nd kq] [nc ed]; subst act d; split=> //; left.
  by case: pl => d' [kq' [_ [_ ->]]] /=; move: kq'; rewrite kq => -[].
Qed.
Lemma next_way q s : step q s -> exists w, Words.next q w s.
Proof.
  move=> st; have [w [nw l]] := step_line st; exists w; split=> //.
  by case: w nw l => //= _ l; move: st l; clear; unfold step, dist; lia.
Qed.
Theorem replies_win : Statements.replies_win.
Proof.
  move=> S S' act so pl c pc ac lo; have nd := other_player pc; have op : Words.opponent c (other c) by [].
  have bared f : who S f = other c -> Words.alone S (other c) f -> what S f = King by move=> o [_ [_]]; apply.
  case: (Replies.no_reply_is_left_out so pl ac lo).
  - move=> [q [s [-> [kq [_ [st le]]]]]]; have [w nx] := next_way st.
    have nb : ~ Words.barred S (other c) q w by move=> [_ [_ h]]; exact: (h s).
    case: w nx nb => nx nb; last by case: nx.
    + by left; exists q, s, (other c).
    + by right; left; exists q, s, (other c).
    + by do 2!right; left; exists q, s, (other c).
    + by do 3!right; left; exists q, s, (other c).
    + by do 4!right; left; exists q, s, (other c).
    + by do 5!right; left; exists q, s, (other c).
    + by do 6!right; left; exists q, s, (other c).
    by do 7!right; left; exists q, s, (other c).
  - move=> [f [t [-> [[n o] [[nk _] _]]]]]; do 8!right; left; exists f, t, (other c).
    by split=> //; split=> //; split=> // al; apply: nk; apply: bared.
  - move=> [f [t [j [e [pj [[n o] [[nk _] _]]]]]]]; subst act.
    have na : ~ Words.alone S (other c) f by move=> al; apply: nk; apply: bared.
    case: pj => [->|[->|[->|->]]].
    + by do 9!right; left; exists f, t, (other c).
    + by do 10!right; left; exists f, t, (other c).
    + by do 11!right; left; exists f, t, (other c).
    by do 12!right; left; exists f, t, (other c).
  case=> [[f [t [-> [[v ip] _]]]]|[q [s [e [[_ kq] [[g [r [p ca]]] _]]]]]].
    do 8!right; left; exists f, t, (other c); case: ip => ef _.
    split=> //; split=> //; split; first by split=> //; rewrite (at_who ef).
    by move=> [_ [_ al]]; have := al f (at_who ef); rewrite (at_what ef).
  subst act; do 8!right; left; exists q, s, (other c); split=> //; split=> //; split.
    by split=> //; rewrite (at_who kq).
  move=> [_ [_ al]]; have dn := plays_move pl (at_who kq); rewrite (at_what kq) in dn.
  have [m _] := done_makes dn; case: dn => B [m' _]; case: m' => [[_ [_]]|v [e]|g' r' p' [ca' [_ [_ [er _]]]] _].
  - rewrite (at_what kq) => -[h _]; move: h; rewrite /attacks (at_what kq) => st.
    exact: (castle_apart ca).
  - by rewrite kq in e.
  by have := al r' (at_who er); rewrite (at_what er).
Qed.
Theorem open_win_14 : Statements.open_win_14.
Proof.
  move=> S so c d q op [nd kq] [k [s [kk [st [_ le]]]]].
  by exists (State S (kept S) (passed S) (turn S) d), d; do 2!split=> //; split=> //; right; exists k, s.
Qed.

Theorem reply_rule_win : Statements.reply_rule_win.
Proof.
  move=> S so c [S1 [act1 [pl1 c1]]] won; have [nc o1] : c <> Nobody /\ Words.actor S act1 = other c.
    do 8![case: c1 => [[q [s [d [-> [[n o] [[_ /at_who k] _]]]]]]|c1]; first by rewrite -o].
    do 5![case: c1 => [[y [z [d [-> [[n o] [[_ w] _]]]]]]|c1]; first by rewrite -o].
    by case: c1 => [q [d [-> [[n o] [[_ /at_who k] _]]]]]; rewrite -o.
  split=> //; apply: Words.Resisted => //; first exact: Games.mover_not_stalled so pl1 o1.
  by move=> act S' ac pl lo; have [_ []] := won S' act pl (replies_win so pl nc ac lo).
Qed.
