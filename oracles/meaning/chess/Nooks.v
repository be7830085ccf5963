(** Where a king and a pawn, or a king and a rook on the last rank, leave a king alone a step: counted over all
    places, as files and ranks. They do but in a corner. *)
From Chess Require Import Board.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** Of all files, or ranks. *)
Definition every (P : Z -> bool) : bool := [&& P 0, P 1, P 2, P 3, P 4, P 5, P 6 & P 7].
Lemma everyP P i : every P -> 0 <= i <= 7 -> P i.
Proof.
  rewrite /every => /and5P[h0 h1 h2 h3 /and4P[h4 h5 h6 h7]] h.
  have [|[|[|[|[|[|[|]]]]]]] : i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6 \/ i = 7 by lia.
  all: by move=> ->.
Qed.
Definition around : seq (Z * Z) := [:: (0, 1); (0, -1); (1, 0); (-1, 0); (1, 1); (1, -1); (-1, 1); (-1, -1)].
Lemma has_some (T : Type) (P : T -> bool) l : has P l -> exists u : T, P u.
Proof. by elim: l => //= u l ih /orP[h|/ih//]; exists u. Qed.
Definition on (i j : Z) : bool := [&& 0 <=? i, i <=? 7, 0 <=? j & j <=? 7].
Definition far (i j u v : Z) : Z := Z.max (Z.abs (u - i)) (Z.abs (v - j)).

(** Places as the side with the pawn sees them, which goes up: its king on (i, j), the other king on (u, v), the pawn on
    (m, n). *)
Definition left_by_pawn (i j u v m n x y : Z) : bool :=
  [&& on x y, far u v x y =? 1, 1 <? far i j x y, ~~ ((x =? m) && (y =? n))
    & ~~ ((y =? n + 1) && (Z.abs (x - m) =? 1))].
Definition cramped (u v m n : Z) : bool :=
  (v =? 7) && ((n =? 5) && ((m =? 1) && (u =? 0) || (m =? 6) && (u =? 7))
               || (n =? 6) && ((m =? 2) && (u =? 0) || (m =? 5) && (u =? 7))).
Definition pawn_case (m n u v i j : Z) : bool :=
  if [|| (u =? m) && ((v =? n) || (v =? n + 1)), far i j u v <=? 1 | cramped u v m n] then true
  else has (fun o => left_by_pawn i j u v m n (u + o.1) (v + o.2)) around.
Lemma pawn_cases : every (fun m => every (fun n => if (n <? 2) || (n =? 7) then true else
  every (fun u => every (fun v => every (fun i => every (fun h => pawn_case m n u v i h)))))).
Proof. by vm_compute. Qed.

(** The rook on (m, 7): the squares that it attacks past its king. *)
Definition rook_hits (m i j x y : Z) : bool :=
  [&& x =? m, y <? 7 & ~~ [&& i =? m, y <? j & j <? 7]]
  || [&& y =? 7, ~~ (x =? m) & ~~ ((j =? 7) && ((x <? i) && (i <? m) || (m <? i) && (i <? x)))].
Definition left_by_rook (i j u v m x y : Z) : bool :=
  [&& on x y, far u v x y =? 1, 1 <? far i j x y, ~~ ((x =? m) && (y =? 7)) & ~~ rook_hits m i j x y].
Definition rook_cramped (u v m : Z) : bool := (v =? 0) && ((m =? 1) && (u =? 0) || (m =? 6) && (u =? 7)).
Definition rook_case (m u v i j : Z) : bool :=
  if [|| (u =? m) && (v =? 7), (i =? m) && (j =? 7), far i j u v <=? 1, rook_hits m i j u v,
         (far u v m 7 <=? 1) && (1 <? far i j m 7) | rook_cramped u v m] then true
  else has (fun o => left_by_rook i j u v m (u + o.1) (v + o.2)) around.
Lemma rook_cases : every (fun m => every (fun u => every (fun v => every (fun i => every (fun h =>
  rook_case m u v i h))))).
Proof. by vm_compute. Qed.
