(** What is claimed of king and pawn against king, looked up in the table of all positions. *)
From Coq Require Import ZArith Lia ZifyBool.
From mathcomp Require Import all_ssreflect.
From Endings Require Import Table.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Open Scope Z_scope.
Implicit Types (p k q s t : point).

Definition far s t : Z := Z.max (Z.abs (t.1 - s.1)) (Z.abs (t.2 - s.2)).
Definition inner_file p : bool := (1 <=? p.1) && (p.1 <=? 6).
Definition fifth p : bool := (4 <=? p.2) && (p.2 <=? 5).
Definition out_of p s : bool :=
  (if inner_file p then Z.abs (s.1 - p.1) <=? 1 else (Z.abs (s.1 - p.1) =? 1) && (6 <=? s.2))
  && ((2 <=? s.2 - p.2) || fifth p && (s.2 =? p.2 + 1)).
Definition edges t : Z := Z.min t.1 (7 - t.1) + Z.min t.2 (7 - t.2).
Definition strokes p : seq point := [:: (p.1 - 1, p.2 + 1); (p.1 + 1, p.2 + 1)].
Definition corners : seq point := [:: (0, 0); (0, 7); (7, 0); (7, 7)].
Definition wide p : bool := all (fun b => ~~ inside b || ~~ (edges b =? 1)) (strokes p).
Definition narrow p t : bool := has (fun b => inside b && (edges b =? 1) && (far b t =? 1)) (strokes p).
Definition roams p q (n : Z) : bool := wide p || has (fun t => narrow p t && (n <? far q t)) corners.

(** The claims: from an outpost, after a push to one, on the way to one, and by running. *)
Definition from_outpost p k q : bool := out_of p k && roams p q 0 && (far k p <=? far q p).
Definition push_to_outpost p k q : bool :=
  let t := up p 1 in
  (p.2 <? 6) && ~~ same k t && ~~ same q t && wide t && out_of t k && (far k t <=? far q t).
Definition to_outpost (later : Z) p k q s : bool :=
  let n := far k s in
  (0 <? n) && roams p q n && (1 + later <=? far q s - n)
  && (later - 1 <=? far q p - n - (if far s p =? 1 then 3 else far s p)).
Definition pushes_left p : Z := 7 - p.2 - (if p.2 =? 1 then 1 else 0).
Definition clear_way p t : bool := ~~ ((t.1 =? p.1) && (p.2 <? t.2)).
Definition running p k q : bool := clear_way p k && clear_way p q && (pushes_left p <? far q (p.1, 7)).
Definition running_later p k q : bool :=
  clear_way p k && clear_way p q && (2 <=? far q (p.1, 7) - pushes_left p) && (1 <? far q p).
Definition all_points : seq point := flatten [seq [seq (a, b) | b <- eights] | a <- eights].
Definition claimed (T : plane * plane) p (outs : seq point) k q : bool :=
  ~~ placed p k q
  || (look T.1 k q
      || ~~ push_to_outpost p k q && ~~ running p k q && all (fun s => ~~ to_outpost 0 p k q s) outs)
     && (look T.2 k q
         || ~~ from_outpost p k q && ~~ running_later p k q && all (fun s => ~~ to_outpost 1 p k q s) outs).
Definition pawn_square p : bool := inside p && (1 <=? p.2) && (p.2 <=? 6).
Definition all_claimed : bool :=
  let B := wins in
  everywhere (fun p =>
    ~~ pawn_square p
    || (let T := at_pawn B p in let outs := [seq s <- all_points | out_of p s] in
        everywhere (fun k => everywhere (claimed T p outs k)))).
Lemma they_are : all_claimed.
Proof. by vm_cast_no_check (erefl true). Qed.
