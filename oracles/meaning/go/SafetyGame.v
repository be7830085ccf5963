(** Saving a block: the game. Two eyes, each of whose walls has every empty point of both as a liberty, are two such
    eyes again after whatever the attacker does and a pass of the owner: elsewhere he takes none of their walls, each of
    which has a liberty in both; in an eye of two points he makes it one with a stone of his; in an eye of one point, or
    one with a stone, a move of his would have no liberty. So what is alive is saved without an answer, however long the
    play is. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words Counting Effects Statements SafetyState SafetyMoves.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Walls.
Variable B : board.
Implicit Types (S : state B) (c d : hue) (b m p q r s t w x y l : B).

(** A stone of a wall: it stands beside an empty point of an eye, or touches the stone in it. *)
Definition wall S x d w : Prop := beside S x d w \/ touch S x w.

(** It has every empty point as a liberty, also that where it stands. *)
Lemma wall_has S x y w d : is_player d -> x = y \/ edged S x y d -> col S y = empty -> wall S x d w -> lib S w y.
Proof.
move=> pd e ey; have itself z : z = y -> wall S z d w -> lib S w y.
  move=> -> [/andP[yw /eqP cw] | /touchP[]]; last by rewrite /stone ey.
  by apply: lib_nb; rewrite ?(nb_sym w) // /stone cw.
case: e => [/itself // | [_ [[_ yx] | [_ ex _ all] | [_ cx _ all] | cy]]]; first by apply: itself.
- by case=> [/all // | /touchP[]]; rewrite /stone ex.
- case=> [/andP[xw /eqP cw] | /all //]; apply: all; apply/touchP.
  have sx : stone S x by apply: (stone_of cx); case: (d) pd.
  by split=> //; rewrite cw cx; split; [case: (d) pd | exists x => //; apply: same_refl].
- by move: cy; rewrite /colour ey; case: (d) pd.
Qed.

Lemma block_has S b p y d :
  is_player d -> col S b = d -> lib S b p -> p = y \/ edged S p y d -> col S y = empty -> lib S b y.
Proof.
move=> pd cb /libP[ep [t bt tp]] e ey; rewrite -(lib_same _ bt).
by apply: (wall_has pd e ey); left; rewrite /beside /near nb_sym tp (same_col bt) cb eqxx.
Qed.
End Walls.

Section Attack.
Variables (B : board) (S : state B) (c : hue) (m : B).
Hypotheses (sd : sound S) (lg : legal_move S c m).
Let S' := put S c m.
Let d := other c.
Implicit Types (b p q r s w x y l : B).

(** At a place of an eye: if the move is there, it joins nothing; if a stone is there, the move does not join it. *)
Definition settled x : Prop := (x = m -> forall y, ~~ beside S m c y) /\ (col S x = c -> ~~ lib S x m).

Lemma edged_after x y : settled x -> x <> y -> edged S x y d -> edged S' x y d.
Proof.
have [pc pd oo _] := two_players sd lg; move=> [new old] xy [_ e].
case: (y =P m) => [-> | ym]; first by split=> //; constructor 4; rewrite oo; apply: (is_there sd lg).
split=> //; case: e => [[_ yx] | g | [_ cx ey all] | cy].
- by case: xy.
- have ey : col S y = empty by case: g.
  case: (x =P m) => [xm | xm]; last first.
    constructor 2; have st : step S (Move c m) S' by [].
    exact: (@girt_after_his_move B xpredT S S' _ sd st c m d x y erefl lg (conj pc erefl) isT xm ym g).
  constructor 3; rewrite xm; split=> //; last move=> w;
    [by rewrite oo; apply: (is_there sd lg) | exact: (empty_stays sd lg) | ].
  move=> /(touches_alone sd lg (new xm)) mw; apply: (keeps sd lg) ym; case: g => _ _ _; apply.
  by rewrite xm.
- rewrite /colour oo in cx; constructor 3; split=> //; last move=> w;
    [by rewrite oo; apply: (own_stays sd lg) | exact: (empty_stays sd lg) | ].
  by move=> /(touches_own sd lg cx (old cx))/all xw; apply: (keeps sd lg).
- by constructor 4; move: cy; rewrite oo; apply: (own_stays sd lg).
Qed.

(** What an eye is after the move, if no wall of it is taken: an eye, the empty point first. *)
Lemma eye_after p r : eye S p r d ->
  (forall w, wall S p d w \/ wall S r d w -> ~ taken S c m w) ->
  [/\ settled p, settled r & p <> m /\ eye S' p r d \/ [/\ m = p, r <> p, col S r = empty & eye S' r p d]].
Proof.
have [pc pd oo cd] := two_players sd lg; move=> [_ [ep e]] kept; have em := was_empty sd lg.
have theirs y : col S y = d -> col S y <> empty /\ col S y <> c.
  by move=> ->; rewrite /d; case: (c) pc.
have settled_if x : (x = m -> forall y, ~~ beside S m c y) -> col S x = empty -> settled x.
  by move=> new ex; split=> // cx; move: pc; rewrite -cx ex.
have closed x z : col S x = empty -> x <> m -> nb x z -> col S z = d -> col S' z = d.
  by move=> ex xm xz cz; rewrite (stays_beside sd lg ex xm xz) //; apply: (not_move sd lg cz pd).
case: e => [[-> own] | [er pr ownp ownr] | [cr pr own one]].
- (* one point: nobody can move there *)
  have pm : p <> m.
    move=> pm; rewrite pm in own kept; case: (legal_air sd lg) => l [| [tk ml] | [a [ma ca _]]].
    + by case/andP=> pl /eqP; case: (theirs l (own l pl)).
    + by apply: (kept l) tk; left; left; rewrite /beside /near ml own ?eqxx.
    + by case: (theirs a (own a ma)).
  split; [exact: settled_if | exact: settled_if | left].
  split=> //; split=> //; split; first exact: (empty_stays sd lg).
  by constructor 1; split=> // x px; apply: (closed p) (own x px).
- (* two points *)
  have none u v : (forall x, nb u x -> x = v \/ col S x = d) -> col S v = empty -> forall y, ~~ beside S u c y.
    move=> own ev y; apply/negP => /andP[uy /eqP cy]; case: (own y uy) => [yv | cy'].
      by move: pc; rewrite -cy yv ev.
    by case: (theirs y cy').
  have np := none p r ownp er; have nr := none r p ownr ep.
  (* the other point, when the one is filled *)
  have fill u v : u = m -> col S v = empty -> nb u v -> (forall x, nb u x -> x = v \/ col S x = d) ->
      (forall x, nb v x -> x = u \/ col S x = d) -> (forall w, wall S u d w -> ~ taken S c m w) -> eye S' v u d.
    move=> um ev uv ownu ownv keep; have vm : v <> m by move=> vm; move: uv; rewrite um vm nb_irr.
    split=> //; split; first exact: (empty_stays sd lg).
    constructor 3; rewrite nb_sym; split=> //; first by rewrite um oo; apply: (is_there sd lg).
      by move=> x vx; case: (ownv x vx) => cx; [left | right; apply: (closed v)].
    have nm : forall y, ~~ beside S m c y by rewrite -um; apply: none ownu ev.
    split; first by rewrite um; apply: stone_of (is_there sd lg) pc.
    have sl : liberty S' u =1 pred1 v.
      move=> l; rewrite um /liberty (lib_alone sd lg nm) /near -um /=.
      case ul: (nb u l); rewrite ?andbF ?orbF /=; last by case: eqP => // lv; rewrite -lv ul in uv.
      have -> : taken S c u l = false.
        apply/negP; rewrite um => tk; apply: (keep l) (tk); left; rewrite /beside /near ul.
        by case/(takenP sd lg): tk => -> _; rewrite eqxx.
      case: (ownu l ul) => [-> | cl]; first by rewrite ev !eqxx.
      have [ne _] := theirs l cl; case: eqP => [// | _]; rewrite orbF; case: eqP => // lv.
      by case: ne; rewrite lv.
    have uv' : liberty S' u v by rewrite sl /= eqxx.
    by apply/esym/(many1 uv').
  split; [by apply: settled_if => // <- | by apply: settled_if => // <- | ].
  case: (p =P m) => pm.
    right; split=> //; first by move=> rp; move: pr; rewrite rp nb_irr.
    by apply: fill => // w ww; apply: kept; left.
  left; split=> //; case: (r =P m) => rm.
    by apply: fill; rewrite ?(nb_sym r) // => w ww; apply: kept; right.
  split=> //; split; first exact: (empty_stays sd lg).
  constructor 2; split=> //; first exact: (empty_stays sd lg).
    by move=> x px; case: (ownp x px) => cx; [left | right; apply: (closed p)].
  by move=> x rx; case: (ownr x rx) => cx; [left | right; apply: (closed r)].
- (* a stone in it: nobody can move there *)
  rewrite /colour oo in cr; have [sr /esym one'] := one.
  have rp : lib S r p by apply: lib_nb; rewrite ?(nb_sym r).
  have only l : lib S r l = (l == p) := proj1 (many1 (rp : liberty S r p)) one' l.
  have rm : r <> m := not_move sd lg cr pc.
  have pm : p <> m.
    move=> pm; rewrite pm in own kept only; case: (legal_air sd lg) => l [| [tk ml] | [a [ma ca H]]].
    + case/andP=> pl /eqP el; case: (own l pl) => [lr | cl]; last by case: (theirs l cl).
      by move: pc; rewrite -cr -lr el.
    + by apply: (kept l) (tk); left; left; rewrite /beside /near ml; case/(takenP sd lg): tk => -> _; rewrite eqxx.
    + case: (own a ma) => [ar | ca']; last by case: (theirs a ca').
      case: H => [[al lp] | [tk ta]]; first by apply: lp; apply/eqP; rewrite -only -ar.
      by apply: (kept l) tk; right; right; rewrite -ar.
  have rm' : ~~ lib S r m by rewrite only; apply/eqP => mp; apply: pm.
  split; [exact: settled_if | by split=> // cx | left; split=> //; split=> //; split; first exact: (empty_stays sd lg)].
  constructor 3; split=> //; first by rewrite oo; apply: (own_stays sd lg).
    by move=> x px; case: (own x px) => cx; [left | right; apply: (closed p)].
  split; first exact: stone_of (own_stays sd lg cr) pc.
  rewrite -one'; apply: many_eq => l; rewrite /liberty (lib_apart sd lg _ cr rm').
  case tk: (taken S c m l); rewrite ?orbF //=; case tl: (touch S r l); rewrite ?orbF //.
  by case: (kept l _ tk); right; right.
Qed.
End Attack.

Section Alive.
Variable B : board.
Implicit Types (S : state B) (c d : hue) (b m p q r s w x y l : B).

(** After a move of the attacker what is alive is there, and alive. *)
Lemma alive_after S c m b : sound S -> legal_move S c m -> col S b = other c -> alive S b ->
  col (put S c m) b = other c /\ alive (put S c m) b.
Proof.
move=> sd lg cb [d0 [p [r [q [s [cb0 bp e1 e2 [pq ps rq rs walls]]]]]]].
have [pc pd oo _] := two_players sd lg; have {cb0} dd : d0 = other c by rewrite -cb.
subst d0; have ep : col S p = empty by case: e1 => _ [].
have eq : col S q = empty by case: e2 => _ [].
have [ip ir iq is_] : [/\ p \in [:: p; r; q; s], r \in [:: p; r; q; s], q \in [:: p; r; q; s] & s \in [:: p; r; q; s]].
  by rewrite !inE !eqxx /= !orbT.
(* a wall has a liberty that the move does not fill *)
have [y [ey iy ym]] : exists y, [/\ col S y = empty, y \in [:: p; r; q; s] & y <> m].
  by case: (p =P m) => pm; [exists q; split=> // qm; apply: pq; rewrite pm qm | exists p].
have kept x w : x \in [:: p; r; q; s] -> wall S x (other c) w -> ~ taken S c m w.
  by move=> ix /(wall_has pd (walls x y ix iy) ey) wy; apply: (not_taken sd lg wy ym).
have by_ : lib S b y := block_has pd cb bp (walls p y ip iy) ey.
split; first exact: (with_another_liberty_stays sd lg cb by_ ym).
have [sp sr H1] := eye_after sd lg e1 (fun w => or_ind (kept p w ip) (kept r w ir)).
have [sq ss H2] := eye_after sd lg e2 (fun w => or_ind (kept q w iq) (kept s w is_)).
have walls' x z : x \in [:: p; r; q; s] -> z \in [:: p; r; q; s] -> x = z \/ edged (put S c m) x z (other c).
  move=> ix iz; case: (walls x z ix iz) => [| e]; first by left.
  case: (x =P z) => xz; [by left | right; apply: edged_after xz e => //].
  by move: ix; rewrite !inE => /or4P[] /eqP->.
have b' l : l <> m -> l \in [:: p; r; q; s] -> col S l = empty -> lib (put S c m) b l.
  by move=> lm il el; apply: (keeps sd lg) lm; apply: block_has pd cb bp (walls p l ip il) el.
have [p' [r' [p'm ep' e1' i1 i1']]] : exists p' r', [/\ p' <> m, col S p' = empty, eye (put S c m) p' r' (other c),
    p' \in [:: p; r] & r' \in [:: p; r]].
  case: H1 => [[pm e'] | [mp rp er e']]; [exists p, r | exists r, p]; rewrite !inE !eqxx !orbT; split=> //.
  by rewrite mp.
have [q' [s' [e2' i2 i2']]] : exists q' s', [/\ eye (put S c m) q' s' (other c), q' \in [:: q; s] & s' \in [:: q; s]].
  by case: H2 => [[qm e'] | [mq sq' es e']]; [exists q, s | exists s, q]; rewrite !inE !eqxx !orbT.
have differ x z : x \in [:: p; r] -> z \in [:: q; s] -> x <> z.
  by rewrite !inE => /orP[] /eqP-> /orP[] /eqP->.
have among x : x \in [:: p'; r'; q'; s'] -> x \in [:: p; r; q; s].
  rewrite !inE in i1 i1' i2 i2' *.
  by case/or4P=> /eqP->; [move: i1 | move: i1' | move: i2 | move: i2'] => /orP[] ->; rewrite ?orbT.
have i1p : p' \in [:: p; r; q; s] by apply: among; rewrite inE eqxx.
exists (other c), p', r', q', s'; split=> //; first exact: (with_another_liberty_stays sd lg cb by_ ym).
  exact: b'.
by split=> [||||x z /among ix /among iz]; try exact: differ; apply: walls'.
Qed.

Lemma alive_player S b : alive S b -> is_player (col S b).
Proof. by case=> d [p [r [q [s [-> _ [pd _] _ _]]]]]. Qed.

(** Whatever the attacker does, and after a pass of the owner. *)
CoFixpoint alive_saved S b (sd : sound S) (al : alive S b) : saved_second S b.
Proof.
apply: Survival => [| a S' ea st]; first exact: alive_player.
have pb := alive_player al; have sd' := sound_step sd st.
have [cb al'] : col S' b = col S b /\ alive S' b.
  case: a ea st => [c m | c] /= ea [lg ->]; last by split.
  have cb : col S b = other c by rewrite ea; case: (col S b) pb.
  by rewrite [X in _ = X]cb; apply: alive_after.
split=> //; have st' : step S' (@Pass B (col S' b)) (passed S') by split=> //; rewrite cb.
by apply: (Defence _ _ st') => //; [rewrite cb | apply: alive_saved (sound_step sd' st') _].
Qed.
End Alive.

Section Theorems.
Variables (B : board) (named : B -> Prop).

Theorem what_is_alive_is_saved : Statements.what_is_alive_is_saved B.
Proof. by move=> S sd b al; split; [apply: alive_player | apply: alive_saved]. Qed.

Theorem one_saving_move_is_enough : Statements.one_saving_move_is_enough B.
Proof. by move=> S _ b c p [pb ac [S' st sv]]; split=> //; apply: Defence st sv. Qed.

Theorem so_is_a_pass : Statements.so_is_a_pass B.
Proof. by move=> S _ b c [pb ac [S' st sv]]; split=> //; apply: Defence st sv. Qed.

Theorem saved_against_every_reply : Statements.saved_against_every_reply B.
Proof.
move=> S S' act sd st d m b ea lg cb [pb sv]; have pd : is_player d by case/and4P: lg.
by move: ea st => -> st; split; rewrite ?cb //; exists S'.
Qed.

(** A step is the same step in the same position after a pass, but for ko, which forbids nothing then. *)
Lemma step_passed (S : state B) a S' : step S a S' -> step (passed S) a S'.
Proof. by case: a => [k m | k] //= [/and4P[pk em _ air] ->]; split=> //; apply/and4P. Qed.

Lemma step_unpassed (S : state B) a S' :
  (forall p, forbidden S <> Some (actor a, p)) -> step (passed S) a S' -> step S a S'.
Proof. by case: a => [k m | k] //= open [/and4P[pk em _ air] ->]; split=> //; apply/and4P; split=> //; apply/eqP. Qed.

Theorem a_pass_of_the_attacker_harms_nothing : Statements.a_pass_of_the_attacker_harms_nothing B.
Proof.
move=> S S' act sd st c b d ea cb [pd _] [pb sv]; move: ea st => -> [_ ->]; split=> //.
by case: sv => a S1 _ ac st sv; exact: (@Defence B (passed S) b a S1 pb ac (step_passed st) sv).
Qed.

(** What is saved though the attacker plays first is saved though the owner passes, if no ko forbids the attacker
    anything: a pass would end that. *)
Lemma saved_by_a_pass_unless_in_ko (S : state B) b :
  (forall p, forbidden S <> Some (other (col S b), p)) -> save S b IG -> save_by S b (@Pass B (col S b)) GI.
Proof.
move=> open [pb [_ all]]; split=> //; exists (passed S) => //; apply: Survival => // a S' ac st.
by apply: all (step_unpassed _ st) => //; rewrite ac.
Qed.

(** And it is saved if the owner plays first, ko or not: where one forbids the attacker a move, the owner has an answer
    to his pass. *)
Theorem what_is_saved_against_a_move_is_saved_before_it :
  Statements.what_is_saved_against_a_move_is_saved_before_it B.
Proof.
move=> S _ b sv; have [pb [_ all]] := sv; split=> //.
case ko: [exists p, forbidden S == Some (other (col S b), p)]; last first.
  have [|_ _ [S' st sv']] := saved_by_a_pass_unless_in_ko _ sv; last exact: Defence pb _ st sv'.
  by move=> p kop; move/existsP: ko; apply; exists p; apply/eqP.
have [po _] := others pb.
have [|_ [a S' _ ac st sv']] := all (@Pass B (other (col S b))) (passed S) erefl; first by split.
apply: (Defence pb ac (step_unpassed _ st) sv') => p; move/existsP: ko => [p' /eqP->] [co _].
by move: ac; rewrite -co => /esym/(not_other pb).
Qed.

Theorem what_is_alive_needs_no_move : Statements.what_is_alive_needs_no_move B.
Proof.
move=> S sd b d cb al; have pb := alive_player al.
have st : step S (@Pass B d) (passed S) by split=> //; rewrite -cb.
by split=> //; exists (passed S) => //; apply: (alive_saved (sound_step sd st) al).
Qed.
End Theorems.
