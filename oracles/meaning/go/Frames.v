(** The frames: what a move or a pass does not change. A fact that holds on one side of it holds on both, or a case of
    its frame holds. A pass changes nothing but ko; of a move the lemmas say what stays as it was. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Counting Effects RulesState.
From Go Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Moves.
Variables (B : board) (S : state B) (c : hue) (p : B).
Hypotheses (sd : sound S) (lg : legal_move S c p).
Let S' := put S c p.
Implicit Types (k : hue) (q s t x l : B).

(** A point stands as it stood, but where the move is played and where a stone is taken. *)
Lemma col_kept q : q <> p -> ~~ taken S c p q -> col S' q = col S q.
Proof using Type. by move=> /eqP/negbTE qp /negbTE nt; rewrite /= /board_after nt /= qp. Qed.

(** So what is of a colour on one side of the move only is the move's point, or one where a stone is taken. *)
Lemma col_frame q k : col S q = k \/ col S' q = k ->
  [\/ col S q = k /\ col S' q = k, q = p /\ (k = c \/ k = empty) | taken S c p q /\ (col S q = k \/ k = empty)].
Proof using sd lg.
case: (q =P p) => [-> | qp].
  by rewrite (is_there sd lg) (was_empty sd lg) => -[] <-; constructor 2; split; [| right | | left].
case tk: (taken S c p q); last by rewrite col_kept ?tk // => -[] ->; constructor 1.
by rewrite (taken_leaves sd lg tk) => -[] <-; constructor 3; split; [| left | | right].
Qed.

(** Whoever is taken had a liberty at the move. *)
Lemma taken_lib s : taken S c p s -> lib S s p.
Proof using sd lg. by case/(takenP sd lg) => _ ->. Qed.

(** Who stands there afterwards, and not on the move's point, is one of three. *)
Lemma kinds s : s <> p -> ~~ taken S c p s ->
  [\/ col S s = empty /\ col S' s = empty, col S s = other c /\ col S' s = other c | col S s = c /\ col S' s = c].
Proof using sd lg.
move=> sp nt; rewrite (col_kept sp nt).
by case: (hue_cases B (col S s) (mover sd lg)) => ->; [constructor 3 | constructor 2 | constructor 1].
Qed.

Lemma no_same (T : state B) s t : col T s = empty -> same T s t = false.
Proof using Type. by rewrite /same /stone => ->. Qed.
Lemma no_lib (T : state B) s l : col T s = empty -> lib T s l = false.
Proof using Type. by move=> e; apply/negP => /lib_stone[]; rewrite /stone e. Qed.
Lemma no_touch (T : state B) s x : col T s = empty -> touch T s x = false.
Proof using Type. by rewrite /touch /stone => ->. Qed.

(** A block that is not joined and not taken. *)
Lemma same_kept s : s <> p -> ~~ taken S c p s -> ~ (lib S s p /\ col S s = c) -> same S' s =1 same S s.
Proof using sd lg.
move=> sp nt nj t; case: (kinds sp nt) => -[e e']; first by rewrite !no_same.
  exact: (same_other sd lg).
by apply: (same_apart sd lg) => //; apply/negP => sl; apply: nj.
Qed.

(** A block that the move does not touch gains liberties where a stone beside it is taken, and loses these contacts. *)
Lemma lib_kept s l : s <> p -> ~~ lib S s p -> lib S' s l = lib S s l || (taken S c p l && touch S s l).
Proof using sd lg.
move=> sp nl; have nt : ~~ taken S c p s by apply: contra nl; apply: taken_lib.
case: (kinds sp nt) => -[e e']; first by rewrite !no_lib // no_touch // andbF.
  rewrite (lib_other sd lg) //; have -> : taken S c p l && touch S s l = false.
    apply/andP => -[/(takenP sd lg)[dl _] /touchP[_ [cl _]]]; move: cl; rewrite dl e.
    by case: (c) (mover sd lg).
  by rewrite orbF; case: (l =P p) => [-> | _]; rewrite ?andbT // (negbTE nl).
exact: (lib_apart sd lg).
Qed.

Lemma touch_kept s x : s <> p -> ~~ lib S s p -> touch S' s x = touch S s x && ~~ taken S c p x.
Proof using sd lg.
move=> sp nl; have nt : ~~ taken S c p s by apply: contra nl; apply: taken_lib.
case: (kinds sp nt) => -[e e']; first by rewrite !no_touch.
  rewrite (touch_other sd lg) // (negbTE nl) andbF orbF; case xs: (touch S s x) => //=.
  apply/esym/negP => /(takenP sd lg)[dx _]; move/touchP: xs => [_ [cx _]]; move: cx; rewrite dx e.
  by case: (c) (mover sd lg).
exact: (touch_apart sd lg).
Qed.

Lemma stone_kept s : s <> p -> ~~ taken S c p s -> stone S' s = stone S s.
Proof using Type. by move=> sp nt; rewrite /stone col_kept. Qed.
End Moves.

(** For a pass nothing is to be shown where it changes nothing; for a move what is taken is said by the rules. *)
Ltac framed := move=> S S' [c p | c] sd /= [lg ->];
  last by intros; left; match goal with h : _ \/ _ |- _ => case: h end.

Section Theorems.
Variable B : board.

Theorem frame_colour_1 : Statements.frame_colour_1 B.
Proof.
framed; move=> q k /(col_frame sd lg)[| [-> [-> | ->]] | [tk E]]; first by left.
- by right; left.
- by do 2!right; left; exists c.
by case: E => E; do 3!right; [left | right]; exists c, p; rewrite (taken_takes sd lg).
Qed.

Theorem frame_beside_1 : Statements.frame_beside_1 B.
Proof.
framed; move=> x k q; rewrite /Words.beside /near => h.
have xq : nb x q by case: h => /andP[].
have {h} : col S q = k \/ col (put S c p) q = k by case: h => /andP[_ /eqP]; [left | right].
rewrite xq !andTb; case/(col_frame sd lg) => [[-> ->] | [-> [-> | ->]] | [tk E]]; first by left; rewrite eqxx.
- by right; left.
- by do 2!right; left; exists c.
by case: E => E; do 3!right; [left | right]; exists c, p; rewrite (taken_takes sd lg).
Qed.

(** A number changes only where the set does. *)
Lemma many_differ (P Q : pred B) n (C : Prop) :
  (forall x, P x <> Q x -> C) -> n = Words.many P \/ n = Words.many Q ->
  (n = Words.many P /\ n = Words.many Q) \/ C.
Proof.
move=> differ; case: (pickP (fun x => P x != Q x)) => [x /eqP/differ | same]; first by right.
have -> : Words.many Q = Words.many P by apply: many_eq => x; move/negbFE/eqP: (same x).
by case=> ->; left.
Qed.

Theorem frame_besides_1 : Statements.frame_besides_1 B.
Proof.
framed; move=> x k n; apply: many_differ => q; rewrite /Words.beside /near; case xq: (nb x q) => //= ne.
have qx : Words.neighbour q x by rewrite /Words.neighbour nb_sym.
have {ne} [h ne] : (col S q = k \/ col (put S c p) q = k) /\ ~ (col S q = k /\ col (put S c p) q = k).
  case: (col S q =P k) ne => e; case: (col (put S c p) q =P k) => e' // _.
    by split=> [|[]]; first by left.
  by split=> [|[]]; first by right.
case/(col_frame sd lg): h => [// | [e [-> | ->]] | [tk E]].
- by left; exists q; rewrite -e.
- by right; left; exists c, q; rewrite -e.
by case: E => E; do 2!right; [left | right]; exists c, p, q; rewrite (taken_takes sd lg).
Qed.

Theorem frame_same_block_1 : Statements.frame_same_block_1 B.
Proof.
framed; move=> s t h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case: (t =P p) => [-> | tp]; first by do 2!right; left; exists c.
case tk: (taken S c p s); first by do 4!right; exists c, p; rewrite (taken_takes sd lg).
have e : col (put S c p) s = col S s by apply: (col_kept sp); rewrite tk.
case J: (lib S s p && (col S s == c)); last first.
  left; move: h; rewrite /Words.same_block (same_kept sd lg sp) ?tk //; first by case.
  by case=> sl sc; move: J; rewrite sl sc eqxx.
have {J} [sl /eqP sc] := andP J; have ps := joins sd lg sc sl.
do 3!right; left; exists c, p; rewrite /Words.liberty /Words.colour sl sc.
have: same (put S c p) p t.
  by apply: same_trans (ps) _; case: h => // /(same_grows sd lg); apply; case: (same_stone ps).
rewrite (same_new sd lg) (negbTE (introN eqP tp)) /= => /existsP[a /and3P[pa /eqP ca at_]].
have [ha _] := same_stone at_; split=> //; split=> //; split=> //; split; last by rewrite (same_col at_).
by rewrite (lib_same _ at_); apply: lib_nb; rewrite 1?nb_sym // (was_empty sd lg).
Qed.

Theorem frame_stones_1 : Statements.frame_stones_1 B.
Proof.
framed; move=> s n h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case tk: (taken S c p s); first by do 3!right; exists c, p; rewrite (taken_takes sd lg).
case J: (lib S s p && (col S s == c)).
  by have {J} [sl /eqP sc] := andP J; do 2!right; left; exists c, p.
have nt := negbT tk; left; move: h; rewrite /Words.stones (stone_kept sp nt).
have -> : Words.many (Words.same_block (put S c p) s) = Words.many (Words.same_block S s).
  by apply: many_eq; apply: (same_kept sd lg sp nt) => -[sl sc]; move: J; rewrite sl sc eqxx.
by case.
Qed.

Theorem frame_liberty_1 : Statements.frame_liberty_1 B.
Proof.
framed; move=> s l; rewrite /Words.liberty => h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case sl: (lib S s p); last first.
  move: h; rewrite (lib_kept sd lg _ sp) ?sl //; case: (lib S s l) => /=; first by left.
  by case=> // /andP[tk ts]; do 4!right; exists c, p; rewrite (taken_takes sd lg).
case: (l =P p) => [-> | lp]; first by do 2!right; left; exists c; rewrite sl.
case: (col S s =P c) => [sc | sc]; first by do 3!right; left; exists c, p.
have [hs _] := lib_stone sl.
have ds : col S s = other c.
  by case: (hue_cases B (col S s) (mover sd lg)) => // e; move: hs; rewrite /stone e.
case tk: (taken S c p s).
  case: h; first by case/(takenP sd lg): tk => _ -> /eqP.
  by rewrite no_lib // (taken_leaves sd lg).
by left; move: h; rewrite (lib_other sd lg) ?(other_stays sd lg) ?tk // (introN eqP lp) andbT; case.
Qed.

Theorem frame_liberties_1 : Statements.frame_liberties_1 B.
Proof.
framed; move=> s n; rewrite /Words.liberties => h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case sl: (lib S s p); first by do 2!right; left; exists c, p.
have nt : ~~ taken S c p s by apply/negP => /(taken_lib sd lg); rewrite sl.
move: h; rewrite (stone_kept sp nt) => h; have hs : stone S s by case: h => -[].
have {h} : n = Words.many (Words.liberty S s) \/ n = Words.many (Words.liberty (put S c p) s).
  by case: h => -[_]; [left | right].
case/(many_differ (C := exists2 t, taken S c p t & touch S s t)) => [t | [] | [t tk ts]].
- rewrite /Words.liberty (lib_kept sd lg _ sp) ?sl //; case: (lib S s t) => //=.
  by case E: (_ && _) => // _; case/andP: E => tk ts; exists t.
- by left.
by do 3!right; exists c, p, t; rewrite (taken_takes sd lg).
Qed.

Theorem frame_contact_1 : Statements.frame_contact_1 B.
Proof.
framed; move=> s t; rewrite /Words.contact => h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case tks: (taken S c p s); first by do 4!right; left; exists c, p; rewrite (taken_takes sd lg).
case tkt: (taken S c p t); first by do 5!right; exists c, p; rewrite (taken_takes sd lg).
case sl: (lib S s p); last by left; move: h; rewrite (touch_kept sd lg _ sp) ?sl // tkt andbT; case.
case: (t =P p) => [-> | tp]; first by do 2!right; left; exists c.
case: (col S s =P c) => [sc | sc]; first by do 3!right; left; exists c, p.
have [hs _] := lib_stone sl.
have ds : col S s = other c.
  by case: (hue_cases B (col S s) (mover sd lg)) => // e; move: hs; rewrite /stone e.
left; move: h; rewrite (touch_other sd lg) ?(other_stays sd lg) ?tks //.
by rewrite (negbTE (introN eqP tp)) orbF; case.
Qed.

Theorem frame_contacts_1 : Statements.frame_contacts_1 B.
Proof.
framed; move=> s n; rewrite /Words.contacts => h; case: (s =P p) => [-> | sp]; first by right; left; exists c.
case sl: (lib S s p); first by do 2!right; left; exists c, p.
have nt : ~~ taken S c p s by apply/negP => /(taken_lib sd lg); rewrite sl.
move: h; rewrite (stone_kept sp nt) => h; have hs : stone S s by case: h => -[].
have {h} : n = Words.many (Words.contact S s) \/ n = Words.many (Words.contact (put S c p) s).
  by case: h => -[_]; [left | right].
case/(many_differ (C := exists2 t, taken S c p t & touch S s t)) => [t | [] | [t tk ts]].
- rewrite /Words.contact (touch_kept sd lg _ sp) ?sl //; case ts: (touch S s t) => //=.
  by case tk: (taken S c p t) => // _; exists t.
- by left.
by do 3!right; exists c, p, t; rewrite (taken_takes sd lg).
Qed.

(** Whom ko forbids a point after a move: a stone among the other's alone took one stone there. *)
Lemma ko_made (S : state B) c p d s : sound S -> legal_move S c p -> ko_after S c p = Some (d, s) ->
  [/\ Words.takings S c p 1%Z, Words.takes S c p s, Words.besides S p c 0%Z, Words.besides S p empty 0%Z
    & Words.opponent c d].
Proof.
move=> sd lg; rewrite /ko_after; case: pickP => // t tk; case: ifP => // /andP[/eqP one /forallP all] [<- <-].
have pc := mover sd lg; have none k : k <> other c -> Words.besides S p k 0%Z.
  move=> kd; apply/esym/many0 => q; apply/andP => -[pq /eqP e].
  by apply: kd; rewrite -e; apply/eqP; move/implyP: (all q); apply.
have [_ [dc _]] := player_other B pc; split=> //; last 2 first.
- by apply: none => /esym.
- by apply: none; case: (c) pc.
- by rewrite /Words.takings (many_eq _ _ _ (taken_takes sd lg)) /Words.many -[1%Z]/(Z.of_nat 1) -one.
by rewrite (taken_takes sd lg).
Qed.

Theorem frame_ko_1 : Statements.frame_ko_1 B.
Proof.
move=> S S' act sd st d s v h; have pd : Words.player d by case: h => -[].
case: (forbidden S =P Some (d, s)) => ko.
  have now : Words.ko S d s banned by split; rewrite ?ko ?eqxx.
  by case: act {st h} => [c p | c]; right; [left; exists c, p | right; left; exists c].
case: act st => [c p | c] [lg e].
  case: (ko_after S c p =P Some (d, s)) => ko'.
    by do 3!right; exists c, p; case: (ko_made sd lg ko').
  by left; move: h; rewrite e /Words.ko /= !(negbTE (introN eqP _)) //; case.
by left; move: h; rewrite e /Words.ko /= (negbTE (introN eqP ko)); case.
Qed.
End Theorems.
