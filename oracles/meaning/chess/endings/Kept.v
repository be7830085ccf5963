(** King and pawn against king on points: where the king alone is never mated, looked up in a table of where it may be
    lost: it is mated, the pawn is promoted and not taken at once, or one of these is forced. *)
From Coq Require Import ZArith Lia ZifyBool.
From mathcomp Require Import all_ssreflect.
From Endings Require Import Table Claims.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Open Scope Z_scope.
Implicit Types (p k q s t : point) (T : plane * plane) (U V : plane).

Definition lost : eight (seq (plane * plane)) := board (fun p _ q => struck p q) untaken.

(** Nothing that the pawn's side does leads to where the other is lost, and the other side can stay where it is not, or
    has no move and is not in check. `U` and `V` are the tables of the squares ahead. *)
Definition withstands T U V p k q : bool :=
  all (fun t => ~~ (inside t && placed p t q) || ~~ look T.2 t q) (around k)
  && (if p.2 =? 6 then ~~ untaken k q (up p 1)
      else same k (up p 1) || same q (up p 1)
           || ~~ look U k q && (~~ (p.2 =? 1) || same k (up p 2) || same q (up p 2) || ~~ look V k q)).
Definition stays T p k q : bool :=
  has (fun s => free p k s && (same p s || ~~ look T.1 k s)) (around q)
  || all (fun s => ~~ free p k s) (around q) && ~~ struck p q.
(** A post: before the pawn; of an outer file, near its corner, too. *)
Definition posted p q : bool :=
  if inner_file p then
    (q.1 =? p.1) && ((q.2 =? p.2 + 1) && (q.2 <=? 6) || (p.2 <=? 4) && (q.2 =? p.2 + 2))
  else (q.1 =? p.1) && (p.2 <? q.2) || (2 <? q.2 - p.2) && (Z.abs (q.1 - p.1) <=? 2).
Definition sure T U V p k q : bool :=
  ~~ placed p k q
  || [&& look T.1 k q || withstands T U V p k q, look T.2 k q || stays T p k q
       & ~~ posted p q || ~~ look T.1 k q && ~~ look T.2 k q].
Definition sure_on (B : eight (seq (plane * plane))) : bool :=
  everywhere (fun p =>
    ~~ pawn_square p
    || (let T := at_pawn B p in let U := (at_pawn B (up p 1)).2 in let V := (at_pawn B (up p 2)).2 in
        everywhere (fun k => everywhere (sure T U V p k)))).
Lemma all_sure : let B := lost in sure_on B.
Proof. by vm_cast_no_check (erefl true). Qed.
Lemma sure_at B p k q : sure_on B -> pawn_square p -> inside k -> inside q -> placed p k q ->
  let T := at_pawn B p in
  [&& look T.1 k q || withstands T (at_pawn B (up p 1)).2 (at_pawn B (up p 2)).2 p k q, look T.2 k q || stays T p k q
    & ~~ posted p q || ~~ look T.1 k q && ~~ look T.2 k q].
Proof.
  move=> h ps ik iq pl; have ip : inside p by case/andP: ps => /andP [].
  have := everywhereP h ip; rewrite ps orFb => h'; have := everywhereP (everywhereP h' ik) iq.
  by rewrite /sure pl.
Qed.

(** Not lost, with the pawn's side to move, and with the other. *)
Definition firm1 p k q : bool := ~~ look (at_pawn lost p).1 k q.
Definition firm2 p k q : bool := ~~ look (at_pawn lost p).2 k q.
Section Firm.
Variables p k q : point.
Hypotheses (ps : pawn_square p) (ik : inside k) (iq : inside q) (pl : placed p k q).
Let all_three := @sure_at lost p k q all_sure ps ik iq pl.
Lemma firm_withstands : firm1 p k q ->
  withstands (at_pawn lost p) (at_pawn lost (up p 1)).2 (at_pawn lost (up p 2)).2 p k q.
Proof. by have /and3P [/orP [h|//] _ _] := all_three; rewrite /firm1 h. Qed.
Lemma firm_steps t : firm1 p k q -> beside k t -> inside t -> placed p t q -> firm2 p t q.
Proof. by move=> /firm_withstands /andP [al _] /(all_around al) h it pt; move: h; rewrite it pt. Qed.
Lemma firm_last : firm1 p k q -> p.2 = 6 -> ~~ untaken k q (up p 1).
Proof. by move=> /firm_withstands /andP [_ h] e; move: h; rewrite e. Qed.
Lemma firm_ahead : firm1 p k q -> p.2 < 6 -> ~~ same k (up p 1) -> ~~ same q (up p 1) ->
  firm2 (up p 1) k q /\ (p.2 = 1 -> ~~ same k (up p 2) -> ~~ same q (up p 2) -> firm2 (up p 2) k q).
Proof.
  move=> /firm_withstands /andP [_ h] lt /negbTE nk /negbTE nq; move: h; rewrite nk nq.
  have -> : (p.2 =? 6) = false by lia.
  rewrite !orFb => /andP [h1 h2]; split=> // e /negbTE mk /negbTE mq; move: h2; rewrite e mk mq.
  by rewrite !orFb.
Qed.
Lemma firm_stays : firm2 p k q ->
  (exists s, [/\ beside q s, free p k s & same p s || firm1 p k s])
  \/ (forall s, beside q s -> ~~ free p k s) /\ ~~ struck p q.
Proof.
  rewrite /firm2; have /and3P [_ /orP [->//|h] _] := all_three.
  move=> _; case/orP: h => [|/andP [al ns]].
    by move=> /has_around [s [bs /andP [fs h]]]; left; exists s.
  by right; split=> // s bs; apply: all_around al bs.
Qed.
Lemma post_firm : posted p q -> firm1 p k q /\ firm2 p k q.
Proof. by move=> h; have /and3P [_ _] := all_three; rewrite h => /andP. Qed.
End Firm.
