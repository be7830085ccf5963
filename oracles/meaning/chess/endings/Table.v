(** King and pawn against king as a game of three points, solved by computing.

    A point has a file and a rank as the pawn's side counts them, so that the pawn goes up. `win1 p k q`: with pawn,
    king and other king there, the pawn's side moves first and promotes to a rook that nobody takes, and the other side
    is not stalemated; `win2`: the same though the other moves first. *)
From Coq Require Import ZArith Lia ZifyBool.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Open Scope Z_scope.

Notation point := (Z * Z)%type.
Implicit Types (p k q s t : point).

Definition inside t : bool := (0 <=? t.1) && (t.1 <=? 7) && (0 <=? t.2) && (t.2 <=? 7).
Definition near s t : bool := (Z.abs (t.1 - s.1) <=? 1) && (Z.abs (t.2 - s.2) <=? 1).
Definition same s t : bool := (s.1 =? t.1) && (s.2 =? t.2).
Definition struck p t : bool := (t.2 =? p.2 + 1) && (Z.abs (t.1 - p.1) =? 1).
Definition placed p k q : bool := ~~ same p k && ~~ same p q && ~~ near k q.
Definition free p k t : bool := inside t && ~~ near k t && ~~ struck p t.
Definition up p i : point := (p.1, p.2 + i).
Definition around s : seq point :=
  [:: (s.1 - 1, s.2 - 1); (s.1 - 1, s.2); (s.1 - 1, s.2 + 1); (s.1, s.2 - 1); (s.1, s.2 + 1);
      (s.1 + 1, s.2 - 1); (s.1 + 1, s.2); (s.1 + 1, s.2 + 1)].
Definition beside s t : bool := near s t && ~~ same s t.
Definition untaken k q e : bool := ~~ same k e && ~~ same q e && ~~ (near q e && ~~ near k e).
(** A rook on `e` gives check, or leaves the other king a step. *)
Definition roomy_end k q e : bool :=
  (q.1 =? e.1) && ~~ (k.1 =? e.1) || (q.2 =? e.2) && ~~ (k.2 =? e.2)
  || has (fun t => inside t && ~~ near k t && ~~ (t.1 =? e.1) && ~~ (t.2 =? e.2)) (around q).

(** `points` decides what is said of points: linear arithmetic over their files and ranks. *)
Ltac points := intros;
  repeat match goal with t : (Z * Z)%type |- _ => destruct t end;
  unfold beside, placed, free, near, same, struck, inside, up, is_true in *; cbn [fst snd] in *;
  first [lia | exfalso; lia].

Inductive win1 : point -> point -> point -> Prop :=
  | Promoting p k q :
      placed p k q -> p.2 = 6 -> untaken k q (up p 1) -> roomy_end k q (up p 1) -> win1 p k q
  | Pushing p k q : placed p k q -> p.2 < 6 -> win2 (up p 1) k q -> win1 p k q
  | Leaping p k q :
      placed p k q -> p.2 = 1 -> ~~ same k (up p 1) -> ~~ same q (up p 1) -> win2 (up p 2) k q -> win1 p k q
  | Stepping p k q t : placed p k q -> beside k t -> inside t -> win2 p t q -> win1 p k q
with win2 : point -> point -> point -> Prop :=
  | Answering p k q t :
      placed p k q -> beside q t -> free p k t ->
      (forall s, beside q s -> free p k s -> ~~ same p s) ->
      (forall s, beside q s -> free p k s -> win1 p k s) -> win2 p k q.
Scheme win1_rec := Minimality for win1 Sort Prop with win2_rec := Minimality for win2 Sort Prop.
Combined Scheme win_ind from win1_rec, win2_rec.

Lemma besideP s t : beside s t ->
  exists a b, [/\ t = (s.1 + a, s.2 + b), -1 <= a <= 1, -1 <= b <= 1 & ~ (a = 0 /\ b = 0)].
Proof.
  move=> h; exists (t.1 - s.1), (t.2 - s.2); split; try points.
  by case: t s {h} => x y [u v] /=; congr pair; lia.
Qed.
Lemma all_around f s t : all f (around s) -> beside s t -> f t.
Proof.
  rewrite /around; cbn [all] => al /besideP [a [b [-> ha hb n]]].
  repeat match goal with H : is_true (_ && _) |- _ => case/andP: H => ? ? end.
  have [ea|[ea|ea]] : a = -1 \/ a = 0 \/ a = 1 by lia.
  all: have [eb|[eb|eb]] : b = -1 \/ b = 0 \/ b = 1 by lia.
  all: rewrite ea eb ?Z.add_0_r in n *.
  all: match goal with H : is_true (?g ?u) |- is_true (?g ?v) => exact: H | _ => by case: n end.
Qed.
Lemma has_around f s : has f (around s) -> exists t, beside s t /\ f t.
Proof.
  rewrite /around /= orbF; do 7!(move=> /orP [h|]; [eexists; split; last exact: h; points|]).
  by move=> h; eexists; split; last exact: h; points.
Qed.

(** Tables: eight entries, by number; by point; and by two points. *)
Inductive eight (A : Type) := Eight (a0 a1 a2 a3 a4 a5 a6 a7 : A).
Definition entry A (e : eight A) (i : Z) : A :=
  let: Eight a0 a1 a2 a3 a4 a5 a6 a7 := e in
  match i with 0 => a0 | 1 => a1 | 2 => a2 | 3 => a3 | 4 => a4 | 5 => a5 | 6 => a6 | _ => a7 end.
Definition filled A (f : Z -> A) : eight A := Eight (f 0) (f 1) (f 2) (f 3) (f 4) (f 5) (f 6) (f 7).
Notation plane := (eight (eight (eight (eight bool)))).
Definition look (T : plane) k q : bool := entry (entry (entry (entry T k.1) k.2) q.1) q.2.
Definition drawn (f : point -> point -> bool) : plane :=
  filled (fun a => filled (fun b => filled (fun c => filled (fun d => f (a, b) (c, d))))).
Lemma entry_filled A (f : Z -> A) i : 0 <= i <= 7 -> entry (filled f) i = f i.
Proof.
  move=> h; have [->|[->|[->|[->|[->|[->|[->|->]]]]]]] : i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6
    \/ i = 7 by lia.
  all: by [].
Qed.
Lemma insideP t : reflect (0 <= t.1 <= 7 /\ 0 <= t.2 <= 7) (inside t).
Proof.
  by apply: (iffP idP); points.
Qed.
Lemma look_drawn f k q : inside k -> inside q -> look (drawn f) k q = f k q.
Proof.
  by move=> /insideP [? ?] /insideP [? ?]; rewrite /look /drawn !entry_filled //; destruct k, q.
Qed.

(** All points, and all pairs, where something is so. *)
Definition eights : seq Z := [:: 0; 1; 2; 3; 4; 5; 6; 7].
Definition everywhere (f : point -> bool) : bool := all (fun a => all (fun b => f (a, b)) eights) eights.
Lemma eightsP f i : all f eights -> 0 <= i <= 7 -> f i.
Proof.
  move=> /= /andP [? /andP [? /andP [? /andP [? /andP [? /andP [? /andP [? /andP [? _]]]]]]]] h.
  have [->|[->|[->|[->|[->|[->|[->|->]]]]]]] : i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6
    \/ i = 7 by lia.
  all: by [].
Qed.
Lemma everywhereP f t : everywhere f -> inside t -> f t.
Proof. by move=> h /insideP [a b]; have h' := eightsP (eightsP h a) b; case: t h' {a b}. Qed.

(** A table from that of the squares ahead: it grows until nothing more is won. `ahead` says where a move of the pawn
    wins, `stuck` whether the king alone without a step has lost. *)
Definition answered (stuck : point -> point -> point -> bool) (T : plane) p k q : bool :=
  placed p k q && all (fun s => ~~ inside s || look T k s || ~~ free p k s) (around q)
  && (has (free p k) (around q) || stuck p k q).
Definition found (ahead : point -> point -> bool) (T : plane) p k q : bool :=
  placed p k q && (has (fun t => inside t && look T t q) (around k) || ahead k q).
Fixpoint grown (n : nat) stuck ahead p (T1 T2 : plane) : plane * plane :=
  if n is m.+1 then
    let T2' := drawn (fun k q => look T2 k q || answered stuck T1 p k q) in
    let T1' := drawn (fun k q => look T1 k q || found ahead T2' p k q) in
    if everywhere (fun k => everywhere (fun q => look T1' k q == look T1 k q)) then (T1', T2')
    else grown m stuck ahead p T1' T2'
  else (T1, T2).
Definition empty : plane := drawn (fun _ _ => false).
(** Where a push wins, given the tables one and two squares ahead. *)
Definition pushed (P : point -> point -> point -> bool) (T T' : plane) p k q : bool :=
  if p.2 =? 6 then P k q (up p 1)
  else ~~ same k (up p 1) && ~~ same q (up p 1) && look T k q
       || (p.2 =? 1) && ~~ same k (up p 1) && ~~ same q (up p 1) && ~~ same k (up p 2) && ~~ same q (up p 2)
          && look T' k q.
Definition tables stuck P p (T T' : plane) : plane * plane := grown 20 stuck (pushed P T T' p) p empty empty.
(** The tables of a file, from the second rank up. *)
Definition column stuck P (a : Z) : seq (plane * plane) :=
  let t6 := tables stuck P (a, 6) empty empty in
  let t5 := tables stuck P (a, 5) t6.2 empty in
  let t4 := tables stuck P (a, 4) t5.2 t6.2 in
  let t3 := tables stuck P (a, 3) t4.2 t5.2 in
  let t2 := tables stuck P (a, 2) t3.2 t4.2 in
  let t1 := tables stuck P (a, 1) t2.2 t3.2 in
  [:: t1; t2; t3; t4; t5; t6].
Definition board stuck P : eight (seq (plane * plane)) := filled (column stuck P).
Definition at_pawn (B : eight (seq (plane * plane))) p : plane * plane :=
  nth (empty, empty) (entry B p.1) (Z.to_nat (p.2 - 1)).

Definition wins : eight (seq (plane * plane)) :=
  board (fun _ _ _ => false) (fun k q e => untaken k q e && roomy_end k q e).

(** What the tables say is won. *)
Definition right1 p (T : plane) : Prop := forall k q, inside k -> inside q -> look T k q -> win1 p k q.
Definition right2 p (T : plane) : Prop := forall k q, inside k -> inside q -> look T k q -> win2 p k q.
Lemma empty_right1 p : right1 p empty.
Proof. by move=> k q ik iq; rewrite look_drawn. Qed.
Lemma empty_right2 p : right2 p empty.
Proof. by move=> k q ik iq; rewrite look_drawn. Qed.
Lemma win1_placed p k q : win1 p k q -> placed p k q.
Proof. by case. Qed.
Lemma answered_right p T1 T2 : right1 p T1 -> right2 p T2 ->
  right2 p (drawn (fun k q => look T2 k q || answered (fun _ _ _ => false) T1 p k q)).
Proof.
  move=> r r2 k q ik iq; rewrite look_drawn // => /orP [|/andP [/andP [pl al]]]; first exact: r2.
  rewrite orbF => /has_around [t [ta fr]].
  have w s : beside q s -> free p k s -> win1 p k s.
    move=> sa fs; have := all_around al sa; have is_ : inside s by case/andP: fs => /andP [].
    by rewrite is_ fs /= orbF => /r; apply.
  by apply: (Answering pl ta fr) => s sa fs; [case/andP: (win1_placed (w s sa fs)) => /andP [] | apply: w].
Qed.
Lemma found_right p (ahead : point -> point -> bool) T1 T : right1 p T1 -> right2 p T ->
  (forall k q, inside k -> inside q -> placed p k q -> ahead k q -> win1 p k q) ->
  right1 p (drawn (fun k q => look T1 k q || found ahead T p k q)).
Proof.
  move=> r1 r ra k q ik iq; rewrite look_drawn // => /orP [|/andP [pl /orP [/has_around [t [ta]]|]]]; try exact: r1.
    by move=> /andP [it lt]; apply: (Stepping pl ta it); apply: r.
  exact: ra.
Qed.
Lemma grown_right n p (ahead : point -> point -> bool) T1 T2 : right1 p T1 -> right2 p T2 ->
  (forall k q, inside k -> inside q -> placed p k q -> ahead k q -> win1 p k q) ->
  let T := grown n (fun _ _ _ => false) ahead p T1 T2 in right1 p T.1 /\ right2 p T.2.
Proof.
  move=> r1 r2 ra; elim: n T1 T2 r1 r2 => [|n IH] T1 T2 r1 r2 //=.
  have r2' := answered_right r1 r2; have r1' := found_right r1 r2' ra.
  by case: everywhere => /=; last exact: IH.
Qed.
Lemma tables_right p T T' : p.2 <= 6 -> right2 (up p 1) T -> right2 (up p 2) T' ->
  let U := tables (fun _ _ _ => false) (fun k q e => untaken k q e && roomy_end k q e) p T T' in
  right1 p U.1 /\ right2 p U.2.
Proof.
  move=> p6 r r'; apply: grown_right; [exact: empty_right1 | exact: empty_right2 |].
  move=> k q ik iq pl; rewrite /pushed; case: Z.eqb_spec => [e /andP [u ro]|n].
    exact: Promoting.
  move=> /orP [/andP [/andP [nk nq] lk]|/andP [/andP [/andP [/andP [/andP [p1 n1] n2] _] _] lk]].
    by apply: Pushing => //; [lia | apply: r].
  by apply: Leaping => //; [move/Z.eqb_spec: p1 | apply: r'].
Qed.
Local Opaque tables.
Lemma column_right a j : 1 <= j <= 6 ->
  let T := nth (empty, empty) (column (fun _ _ _ => false) (fun k q e => untaken k q e && roomy_end k q e) a)
    (Z.to_nat (j - 1)) in
  right1 (a, j) T.1 /\ right2 (a, j) T.2.
Proof.
  move=> h; rewrite /column; cbv zeta.
  set t6 := tables _ _ (a, 6) _ _; have [o6 r6] : right1 (a, 6) t6.1 /\ right2 (a, 6) t6.2.
    by apply: (@tables_right (a, 6)); [|exact: empty_right2|exact: empty_right2].
  set t5 := tables _ _ (a, 5) _ _; have [o5 r5] : right1 (a, 5) t5.1 /\ right2 (a, 5) t5.2.
    by apply: (@tables_right (a, 5)); [|exact: r6|exact: empty_right2].
  set t4 := tables _ _ (a, 4) _ _; have [o4 r4] : right1 (a, 4) t4.1 /\ right2 (a, 4) t4.2.
    by apply: (@tables_right (a, 4)); [|exact: r5|exact: r6].
  set t3 := tables _ _ (a, 3) _ _; have [o3 r3] : right1 (a, 3) t3.1 /\ right2 (a, 3) t3.2.
    by apply: (@tables_right (a, 3)); [|exact: r4|exact: r5].
  set t2 := tables _ _ (a, 2) _ _; have [o2 r2] : right1 (a, 2) t2.1 /\ right2 (a, 2) t2.2.
    by apply: (@tables_right (a, 2)); [|exact: r3|exact: r4].
  set t1 := tables _ _ (a, 1) _ _; have [o1 r1] : right1 (a, 1) t1.1 /\ right2 (a, 1) t1.2.
    by apply: (@tables_right (a, 1)); [|exact: r2|exact: r3].
  clearbody t6 t5 t4 t3 t2 t1.
  by have [->|[->|[->|[->|[->|->]]]]] : j = 1 \/ j = 2 \/ j = 3 \/ j = 4 \/ j = 5 \/ j = 6 by lia.
Qed.
Local Opaque column.
Lemma wins_right p : 0 <= p.1 <= 7 -> 1 <= p.2 <= 6 ->
  right1 p (at_pawn wins p).1 /\ right2 p (at_pawn wins p).2.
Proof. by move=> h1 h2; rewrite /at_pawn /wins /board entry_filled //; have := column_right p.1 h2; destruct p. Qed.
Local Transparent column tables.
