(** What a legal move changes: of what stands where, of blocks, of liberties, of what touches them. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith Lia.
From Go Require Import Board.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Blocks.
Variable B : board.
Implicit Types (S : state B) (c d k : hue) (p q s t x y l : B).

Lemma player_other c : is_player c -> is_player (other c) /\ other c <> c /\ other (other c) = c.
Proof using B. by case: c. Qed.

Lemma hue_cases c k : is_player c -> [\/ k = c, k = other c | k = empty].
Proof using B. by case: c; case: k => // _; constructor. Qed.

Lemma same_refl S s : stone S s -> same S s s.
Proof. by rewrite /same connect0 andbT. Qed.

Lemma same_col S s t : same S s t -> col S t = col S s.
Proof. by case/andP=> _ /connectP[q + ->]; elim: q s => //= y q IH s /andP[/andP[_ /eqP->] /IH]. Qed.

Lemma same_stone S s t : same S s t -> stone S s /\ stone S t.
Proof. by move=> st; case/andP: (st) => h _; rewrite /stone (same_col st). Qed.

Lemma same_sym S s t : same S s t -> same S t s.
Proof.
move=> st; have [_ h] := same_stone st; rewrite /same h sym_connect_sym; first by case/andP: st.
by move=> x y; rewrite /link /= nb_sym eq_sym.
Qed.

Lemma same_trans S s t x : same S s t -> same S t x -> same S s x.
Proof. by case/andP=> h st /andP[_ tx]; rewrite /same h (connect_trans st tx). Qed.

Lemma same_nb S s t x : same S s t -> nb t x -> col S x = col S s -> same S s x.
Proof.
move=> st n e; have [_ h] := same_stone st; apply: (same_trans st).
by rewrite /same h connect1 // /link /= n e (same_col st) eqxx.
Qed.

(** What holds of a stone, and goes on to neighbours of its colour, holds of its whole block. *)
Lemma same_ind S s (P : B -> Prop) :
  P s -> (forall x y, same S s x -> P x -> nb x y -> col S y = col S s -> P y) -> forall t, same S s t -> P t.
Proof.
move=> Ps go t /andP[h /connectP[q]]; elim/last_ind: q t => [|q y IH] t /=; first by move=> _ ->.
rewrite rcons_path last_rcons => /andP[pq /andP[n /eqP e]] ->.
have sq : same S s (last s q) by rewrite /same h; apply/connectP; exists q.
by apply: (go _ _ sq (IH _ pq erefl) n); rewrite -e (same_col sq).
Qed.

(** A block is the same block in another position if its stones stand there, and no new ones of its colour beside it. *)
Lemma same_eq S S1 s : stone S s -> (forall x, same S s x -> col S1 x = col S s) ->
  (forall x y, same S s x -> nb x y -> col S1 y = col S s -> col S y = col S s) -> same S1 s =1 same S s.
Proof.
move=> h stay no t; have e := stay s (same_refl h).
have h1 : stone S1 s by rewrite /stone e.
apply/idP/idP; move: t; apply: same_ind => [|x y xs sx n]; rewrite ?same_refl //.
  by rewrite e => /(no _ _ sx n); apply: (same_nb sx n).
by move=> ey; apply: (same_nb sx n); rewrite e; apply: stay; apply: (same_nb xs n).
Qed.

Lemma same_eql S s t : same S s t -> same S t =1 same S s.
Proof. by move=> st x; apply/idP/idP; apply: same_trans => //; apply: same_sym. Qed.

Lemma lib_same S s t x : same S s t -> lib S t x = lib S s x.
Proof. by move=> st; congr (_ && _); apply: eq_existsb => y; rewrite (same_eql st). Qed.

Lemma libs_same S s t : same S s t -> libs S t = libs S s.
Proof. by move=> st; apply: eq_card => x; rewrite !inE (lib_same x st). Qed.

Lemma touch_same S s t x : same S s t -> touch S t x = touch S s x.
Proof.
move=> st; have [hs ht] := same_stone st; rewrite /touch hs ht (same_col st).
by congr (_ && _); apply: eq_existsb => y; rewrite (same_eql st).
Qed.

Lemma libP S s x : reflect (col S x = empty /\ exists2 t, same S s t & nb t x) (lib S s x).
Proof.
by apply: (iffP andP) => -[/eqP e]; [case/existsP=> t /andP[] | case=> t st n]; split=> //;
  [exists t | apply/existsP; exists t; rewrite st].
Qed.

Lemma lib_nb S s x : stone S s -> nb s x -> col S x = empty -> lib S s x.
Proof. by move=> h n e; apply/libP; split=> //; exists s => //; apply: same_refl. Qed.

Lemma lib_stone S s x : lib S s x -> stone S s /\ col S x = empty.
Proof. by case/libP=> e [t /same_stone[]]. Qed.

Lemma touchP S s x : reflect (stone S s /\ col S x = other (col S s) /\ exists2 t, same S s t & nb t x) (touch S s x).
Proof.
rewrite /touch -andbA.
apply: (iffP and3P) => [[h /eqP e /existsP[t /andP[st n]]]|[h [e [t st n]]]]; first by do 2!split=> //; exists t.
by split=> //; [apply/eqP | apply/existsP; exists t; rewrite st].
Qed.

(** Who touches a block is touched by it: some stone of the one's block stands beside. *)
Lemma touch_back S s x : touch S s x -> exists2 t, same S s t & touch S x t.
Proof.
case/touchP=> h [e [t st n]]; have [h1 [_ ee]] := player_other h.
have hx : stone S x by rewrite /stone e.
exists t => //; apply/touchP; rewrite e ee (same_col st); do 2!split=> //.
by exists x; [apply: same_refl | rewrite nb_sym].
Qed.
End Blocks.

(* Every statement below is about a legal move in a sound position, whether or not its proof needs both. *)
Set Default Proof Using "All".
Section Moves.
Variable B : board.
Variables (S : state B) (c : hue) (p : B).
Hypothesis sound_S : sound S.
Hypothesis legal_p : legal_move S c p.
Let d := other c.
Let S' := put S c p.
Implicit Types (k : hue) (q s t x y l : B).

Lemma mover : is_player c. Proof. by case/and4P: legal_p. Qed.
Lemma was_empty : col S p = empty. Proof. by case/and4P: legal_p => _ /eqP. Qed.

(** The mover's colour, the other's and none are three. *)
Lemma hues : [/\ c <> empty, d <> empty, d <> c & other d = c].
Proof. by have [/eqP h1 [h2 h3]] := player_other B mover; have /eqP := mover; split. Qed.

Lemma own_stone s : col S s = c -> stone S s.
Proof. by rewrite /stone => ->; apply: mover. Qed.

Lemma other_stone s : col S s = d -> stone S s.
Proof. by have [_ /eqP de _ _] := hues; rewrite /stone => ->. Qed.

(** Who stands on a point other than the move's before, of either colour. *)
Lemma not_p s : col S s <> empty -> s <> p.
Proof. by move=> h e; apply: h; rewrite e was_empty. Qed.

Lemma own_untaken s : col S s = c -> ~~ taken S c p s.
Proof.
have [_ _ /eqP/negbTE dc _] := hues => e.
by rewrite /taken /= e if_same eq_sym -/d dc.
Qed.

Lemma p_untaken : ~~ taken S c p p.
Proof. by have [_ _ /eqP/negbTE dc _] := hues; rewrite /taken /= eqxx eq_sym -/d dc. Qed.

Lemma is_there : col S' p = c.
Proof. by rewrite /= /board_after (negbTE p_untaken) /= eqxx. Qed.

Lemma own_stays s : col S s = c -> col S' s = c.
Proof. by move=> e; rewrite /= /board_after (negbTE (own_untaken e)) /= e if_same. Qed.

Lemma empty_stays x : col S x = empty -> x <> p -> col S' x = empty.
Proof. by move=> e /eqP/negbTE n; rewrite /= /board_after /= n e if_same. Qed.

(** The other's blocks, while nothing is taken yet: they lose the one liberty. *)
Lemma same_down s : col S s = d -> same (down S c p) s =1 same S s.
Proof.
have [_ de dc _] := hues => e; apply: same_eq => [|x /same_col|x y _ _]; rewrite ?e /=.
- exact: other_stone.
- by move=> ex; case: eqP => // xp; move: ex; rewrite xp was_empty => /esym.
- by case: eqP => // _ /esym.
Qed.

Lemma lib_down s l : col S s = d -> lib (down S c p) s l = lib S s l && (l != p).
Proof.
move=> e; rewrite /lib /= andbAC; congr (_ && _); last by apply: eq_existsb => t; rewrite same_down.
by case: (l =P p) => _; rewrite ?andbT ?andbF //; apply/eqP; case: hues.
Qed.

(** What is taken: the other's blocks beside the move whose last liberty it was. *)
Lemma takenP s : reflect (col S s = d /\ forall l, lib S s l = (l == p)) (taken S c p s).
Proof.
have [_ de dc _] := hues; apply: (iffP andP) => [[/eqP/= e N]|[e L]].
  have {}e : col S s = d by move: e; case: eqP => // _ /esym.
  have only l : lib S s l -> l = p.
    by move=> sl; apply/eqP; apply: contraNT N => lp; apply/existsP; exists l; rewrite lib_down ?sl.
  have [l0 sl] := sound_S.1 s (other_stone e).
  by split=> // l; apply/idP/eqP => [/only|->] //; rewrite -(only l0 sl).
have /eqP/negbTE sp : s <> p by apply: not_p; rewrite e.
by rewrite /= sp e; split=> //; apply/existsP=> -[l]; rewrite lib_down // L; case: eqP.
Qed.

(** A block is taken as a whole. *)
Lemma taken_same s t : same S s t -> taken S c p t = taken S c p s.
Proof.
by move=> st; apply/takenP/takenP => -[<- L]; split=> [|l]; rewrite ?(same_col st) // -L (lib_same l st).
Qed.

Lemma taken_near s :
  reflect (exists q, [/\ nb p q, col S q = d, (forall l, lib S q l = (l == p)) & same S q s]) (taken S c p s).
Proof.
apply: (iffP idP) => [T|[q [_ e L qs]]]; last by rewrite (taken_same qs); apply/takenP.
have [e L] := takenP s T; have /libP[_ [q sq n]] : lib S s p by rewrite L.
exists q; split; [by rewrite nb_sym | by rewrite (same_col sq) | | exact: same_sym].
by move=> l; rewrite (lib_same l sq).
Qed.

Lemma taken_leaves s : taken S c p s -> col S' s = empty.
Proof. by rewrite /= /board_after => ->. Qed.

Lemma other_stays s : col S s = d -> ~~ taken S c p s -> col S' s = d.
Proof.
have [_ de _ _] := hues => e /negbTE nt; have /eqP/negbTE sp : s <> p by apply: not_p; rewrite e.
by rewrite /= /board_after nt /= sp.
Qed.

Lemma with_another_liberty_stays s l : col S s = d -> lib S s l -> l <> p -> col S' s = d.
Proof.
by move=> e sl lp; apply: other_stays => //; apply/takenP=> -[_ L]; apply: lp; apply/eqP; rewrite -L.
Qed.

(** Where something stands afterwards it stood before, but for the new stone. *)
Lemma stood x k : col S' x = k -> k <> empty -> x <> p -> col S x = k.
Proof. by rewrite /= /board_after /=; case: ifP => _; [move=> <- | case: eqP]. Qed.

Lemma other_stood x : col S' x = d -> col S x = d /\ ~~ taken S c p x.
Proof.
have [_ de dc _] := hues => e; split.
  by apply: stood => // xp; move: e; rewrite xp is_there => /esym.
by apply/negP=> /taken_leaves; rewrite e.
Qed.

Lemma emptied x : col S' x = empty -> x <> p /\ (col S x = empty \/ taken S c p x).
Proof.
have [ce _ _ _] := hues => e.
have xp : x <> p by move=> xp; apply: ce; rewrite -is_there -xp.
split=> //; move: e; rewrite /= /board_after; case: ifP => /= _; first by right.
by case: eqP => // _; left.
Qed.

(** Blocks. *)
Lemma same_other s t : col S' s = d -> same S' s t = same S s t.
Proof.
have [_ de _ _] := hues => /other_stood[e nt]; apply: same_eq; rewrite ?e.
- exact: other_stone.
- by move=> x sx; apply: other_stays; rewrite ?(same_col sx) ?(taken_same sx).
- by move=> x y _ _ /other_stood[].
Qed.

Lemma same_apart s t : col S s = c -> ~~ lib S s p -> same S' s t = same S s t.
Proof.
have [ce _ _ _] := hues => e np; apply: same_eq; rewrite ?e.
- exact: own_stone.
- by move=> x sx; apply: own_stays; rewrite (same_col sx).
- move=> x y sx n ey; apply: stood => // yp; case/negP: np; apply/libP.
  by split; [apply: was_empty | exists x; rewrite -?yp].
Qed.

Lemma same_joined s t : same S' p s -> same S' s t = same S' p t.
Proof. by move=> ps; apply: same_eql. Qed.

Lemma p_stone : stone S' p.
Proof. by rewrite /stone is_there; apply: mover. Qed.

Lemma joins s : col S s = c -> lib S s p -> same S' p s.
Proof.
move=> e /libP[_ [t st n]]; have et : col S t = c by rewrite (same_col st).
have pt : same S' p t by apply: (same_nb (same_refl p_stone)); rewrite 1?nb_sym // is_there own_stays.
have h : stone S' t by have [] := same_stone pt.
apply: (same_trans pt); move: s {e st} (same_sym st); apply: same_ind; first exact: same_refl.
by move=> x y _ tx n1 ey; apply: (same_nb tx n1); rewrite !own_stays // ey.
Qed.

Lemma joined_or_apart s : col S' s = c -> same S' p s \/ (col S s = c /\ ~~ lib S s p /\ s <> p).
Proof.
have [ce _ _ _] := hues => e; case: (s =P p) => [->|sp]; first by left; apply/same_refl/p_stone.
have es := stood e ce sp; case L: (lib S s p); last by right.
by left; apply: joins.
Qed.

Lemma same_grows s t : stone S' s -> same S s t -> same S' s t.
Proof.
have [ce _ _ _] := hues => h st; have [hs _] := same_stone st.
case: (hue_cases B (col S' s) mover) => e; first last.
- by move/eqP: h; rewrite e.
- by rewrite same_other.
have es : col S s = c by apply: stood => //; apply: not_p; apply/eqP.
case L: (lib S s p); last by rewrite same_apart ?L.
by rewrite same_joined joins ?(same_col st) ?(lib_same _ st).
Qed.

Lemma same_new t : same S' p t = (t == p) || [exists a, [&& nb p a, col S a == c & same S a t]].
Proof.
have [ce _ _ _] := hues.
apply/idP/idP=> [|/orP[/eqP->|/existsP[a /and3P[n /eqP e at_]]]]; last 2 first.
- exact/same_refl/p_stone.
- apply: joins; first by rewrite (same_col at_).
  by rewrite (lib_same _ at_); apply: lib_nb; rewrite 1?nb_sym ?was_empty //; case: (same_stone at_).
move: t; apply: same_ind => [|x y _ IH n]; first by rewrite eqxx.
rewrite is_there => e; case: eqP => //= yp; have ey := stood e ce yp; apply/existsP.
case/orP: IH n => [/eqP->|/existsP[a /and3P[pa /eqP ea ax]]] n.
  by exists y; rewrite n ey eqxx /=; apply/same_refl/own_stone.
by exists a; rewrite pa ea eqxx /=; apply: (same_nb ax n); rewrite ey.
Qed.

(** Liberties. *)
Lemma lib_other s l : col S' s = d -> lib S' s l = lib S s l && (l != p).
Proof.
have [_ de _ _] := hues => e; have [es nt] := other_stood e.
apply/idP/andP=> [/libP[el [t st n]]|[/libP[el [t st n]] /eqP lp]].
  have [lp [{}el|T]] := emptied el; rewrite same_other // in st.
    by split; [apply/libP; split=> //; exists t | apply/eqP].
  have [ed _] := takenP _ T; case/negP: nt.
  by rewrite -(taken_same (same_nb st n _)) // ed.
by apply/libP; split; [apply: empty_stays | exists t => //; rewrite same_other].
Qed.

Lemma lib_apart s l : col S s = c -> ~~ lib S s p -> lib S' s l = lib S s l || (taken S c p l && touch S s l).
Proof.
have [ce de _ _] := hues => e np; have h := own_stone e.
apply/libP/orP=> [[el [t]]|[sl|/andP[T /touchP[_ [_ [t st n]]]]]].
- rewrite same_apart // => st n; have [lp [{}el|T]] := emptied el; first by left; apply/libP; split=> //; exists t.
  by right; rewrite T; apply/touchP; rewrite e; do 2!split=> //; [case/takenP: T | exists t].
- have /libP[el [t st n]] := sl; split; last by exists t => //; rewrite same_apart.
  by apply: empty_stays => // lp; rewrite -lp sl in np.
- by split; [apply: taken_leaves | exists t => //; rewrite same_apart].
Qed.

Lemma lib_joined s l : same S' p s -> lib S' s l = lib S' p l.
Proof. by move=> ps; apply: lib_same. Qed.

Lemma lib_stays s l : stone S' s -> lib S s l -> l <> p -> lib S' s l.
Proof.
move=> h /libP[el [t st n]] lp; apply/libP; split; first exact: empty_stays.
by exists t => //; apply: same_grows.
Qed.

(** What stood with a stone of the mover's beside the move is joined to the new stone. *)
Lemma own_beside a t : nb p a -> col S a = c -> same S a t -> same S' p t.
Proof. by move=> n e at_; rewrite same_new; apply/orP; right; apply/existsP; exists a; rewrite n e eqxx. Qed.

Lemma lib_new l : lib S' p l =
  [|| near S p empty l, taken S c p l && nb p l |
    [exists a, [&& nb p a, col S a == c & (lib S a l && (l != p)) || (taken S c p l && touch S a l)]]].
Proof.
have [ce de _ _] := hues.
apply/idP/or3P=> [/libP[el [t]]|[/andP[n /eqP el]|/andP[T n]|/existsP[a /and3P[n /eqP ea]]]].
- have [/eqP lp E] := emptied el; rewrite same_new => pt n.
  case/orP: pt n => [/eqP->|/existsP[a /and3P[pa /eqP ea at_]]] n.
    by case: E => [{}el|T]; [constructor 1; rewrite /near n el | constructor 2; rewrite T].
  constructor 3; apply/existsP; exists a; rewrite pa ea eqxx lp andbT /=; apply/orP.
  case: E => [{}el|T]; [left; apply/libP; split=> //; exists t => // | right; rewrite T].
  by apply/touchP; case: (same_stone at_) => h _; rewrite ea; do 2!split=> //; [case/takenP: T | exists t].
- by apply: (lib_nb p_stone n); apply: empty_stays => // lp; rewrite lp nb_irr in n.
- by apply: (lib_nb p_stone n); apply: taken_leaves.
- case/orP=> [/andP[/libP[el [t at_ tl]] /eqP lp]|/andP[T /touchP[_ [_ [t at_ tl]]]]]; apply/libP.
    by split; [apply: empty_stays | exists t => //; apply: own_beside at_].
  by split; [apply: taken_leaves | exists t => //; apply: own_beside at_].
Qed.

(** So nobody who stays loses more than one, and who had not this one loses none. *)
Lemma libs_less s : stone S' s -> libs S s <= (libs S' s).+1.
Proof.
move=> h; rewrite /libs (cardD1 p) -addn1 addnC leq_add ?leq_b1 //.
by apply/subset_leq_card/subsetP=> l; rewrite !inE => /andP[/eqP lp sl]; apply: lib_stays.
Qed.

Lemma libs_stay s : stone S' s -> ~~ lib S s p -> libs S s <= libs S' s.
Proof.
move=> h np; apply/subset_leq_card/subsetP=> l; rewrite !inE => sl; apply: lib_stays => // lp.
by rewrite -lp sl in np.
Qed.

Lemma libs_joined s : same S' p s -> libs S' s = libs S' p.
Proof. by move=> ps; apply: libs_same. Qed.

Lemma libs_other s : col S' s = d -> libs S' s = #|[pred l | lib S s l && (l != p)]|.
Proof. by move=> e; apply: eq_card => l; rewrite !inE lib_other. Qed.

(** What touches a block. *)
Lemma touch_other s x : col S' s = d -> touch S' s x = touch S s x || ((x == p) && lib S s p).
Proof.
have [ce de _ dd] := hues => e; have [es nt] := other_stood e.
have h := other_stone es; have h' : stone S' s by rewrite /stone e -es.
apply/touchP/orP=> [[_ [ex [t]]]|[/touchP[_ [ex [t st n]]]|/andP[/eqP-> /libP[_ [t st n]]]]].
- rewrite same_other // => st n; rewrite e dd in ex; case: (x =P p) => [xp|xp].
    by right; apply/libP; split; [apply: was_empty | exists t; rewrite -?xp].
  by left; apply/touchP; rewrite es dd; do 2!split=> //; [apply: stood | exists t].
- rewrite es dd in ex; rewrite e dd; do 2!split=> //; first exact: own_stays.
  by exists t => //; rewrite same_other.
- by rewrite e dd is_there; do 2!split=> //; exists t => //; rewrite same_other.
Qed.

Lemma touch_apart s x : col S s = c -> ~~ lib S s p -> touch S' s x = touch S s x && ~~ taken S c p x.
Proof.
have [ce de _ _] := hues => e np; have e' := own_stays e.
have h := own_stone e; have h' : stone S' s by rewrite /stone e' -e.
apply/touchP/andP=> [[_ [ex [t]]]|[/touchP[_ [ex [t st n]]] nt]].
  rewrite same_apart // => st n; rewrite e' in ex; have [{}ex nt] := other_stood ex.
  by split=> //; apply/touchP; rewrite e; do 2!split=> //; exists t.
rewrite e in ex; rewrite e'; do 2!split=> //; first exact: other_stays.
by exists t => //; rewrite same_apart.
Qed.

Lemma touch_new x : touch S' p x =
  ~~ taken S c p x && (near S p d x || [exists a, [&& nb p a, col S a == c & touch S a x]]).
Proof.
have [ce de _ _] := hues.
apply/touchP/andP=> [[_ [ex [t]]]|[nt E]].
  rewrite is_there in ex; have [{}ex nt] := other_stood ex.
  rewrite same_new => pt n; split=> //; apply/orP; case/orP: pt n => [/eqP->|/existsP[a /and3P[pa /eqP ea at_]]] n.
    by left; rewrite /near n ex eqxx.
  right; apply/existsP; exists a; rewrite pa ea eqxx; apply/touchP; rewrite ea.
  by case: (same_stone at_) => h _; do 2!split=> //; exists t.
rewrite is_there; split; first exact: p_stone.
case/orP: E => [/andP[n /eqP ex]|/existsP[a /and3P[pa /eqP ea /touchP[_ [ex [t at_ n]]]]]].
  by split; [apply: other_stays | exists p => //; apply/same_refl/p_stone].
by rewrite ea in ex; split; [apply: other_stays | exists t => //; apply: own_beside at_].
Qed.

Lemma touch_joined s x : same S' p s -> touch S' s x = touch S' p x.
Proof. by move=> ps; apply: touch_same. Qed.

(** What is beside a point. *)
Lemma near_after q k x : near S' q k x = nb q x && (col S' x == k). Proof using Type. by []. Qed.

Lemma sound_after : sound S'.
Proof.
have [ce de dc dd] := hues; have lib_p : exists l, lib S' p l by case/and4P: legal_p => _ _ _ /existsP.
split=> [s h|c1 t /=].
  case: (hue_cases B (col S' s) mover) => e; last by move/eqP: h; rewrite e.
    case: (joined_or_apart e) => [ps|[es [np _]]]; first by have [l pl] := lib_p; exists l; rewrite lib_joined.
    have [l sl] := sound_S.1 s (own_stone es).
    by exists l; rewrite lib_apart ?sl.
  have [es nt] := other_stood e; have hs := other_stone es.
  case: (pickP (fun l => lib S s l && (l != p))) => [l sl|none]; first by exists l; rewrite lib_other.
  have only l : lib S s l -> l = p by move=> sl; apply/eqP; move: (none l); rewrite sl /= => /negbFE.
  case/takenP: nt; split=> // l; apply/idP/eqP => [/only|->] //.
  by have [l0 sl] := sound_S.1 s hs; rewrite -(only l0 sl).
(* A stone that was taken alone had only the mover's stones about it. *)
rewrite /ko_after; case: pickP => // t0 T; case: ifP => // /andP[/eqP one _] [<- <-] {c1 t}.
have [et L] := takenP _ T; have ht := other_stone et.
have alone x : taken S c p x -> x = t0.
  move=> Tx; have /card1P[y Y] := introT eqP one.
  by move: (Y x) (Y t0); rewrite !inE Tx T => /esym/eqP-> /esym/eqP->.
split; first exact/eqP; split; first exact: taken_leaves.
move=> q n; rewrite -/d dd; case: (q =P p) => [->|qp]; first exact: is_there.
case: (hue_cases B (col S q) mover) => e; first exact: own_stays.
  have sq : same S t0 q by apply: (same_nb (same_refl ht) n); rewrite e et.
  by move: n; rewrite (alone q) ?nb_irr // (taken_same sq).
by case: qp; apply/eqP; rewrite -L; apply: lib_nb.
Qed.
End Moves.
Unset Default Proof Using.

Lemma sound_step (B : board) (S S' : state B) a : sound S -> step S a S' -> sound S'.
Proof.
move=> h; case: a => [c p|c] [ok ->]; first exact: sound_after.
by split=> //; apply: h.1.
Qed.
