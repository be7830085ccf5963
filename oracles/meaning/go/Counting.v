(** How many members sets have. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Go Require Import Board Words.

Section Counting.
Variable T : finType.
Implicit Types (P Q : pred T) (a : T).

Lemma many_ge0 P : (0 <= many P)%Z.
Proof. by rewrite /many; lia. Qed.

Lemma many_eq P Q : P =1 Q -> many P = many Q.
Proof. by move=> same; rewrite /many (eq_card same). Qed.

Lemma many_le P Q : (forall x, P x -> Q x) -> (many P <= many Q)%Z.
Proof.
move=> sub; rewrite /many; apply/Nat2Z.inj_le/leP/subset_leq_card.
by apply/subsetP => x; apply: sub.
Qed.

(** All members but one. *)
Lemma many_but P a : many P = (many (fun x => P x && (x != a)) + (if P a then 1 else 0))%Z.
Proof.
rewrite /many (cardD1 a) addnC Nat2Z.inj_add; congr (_ + _)%Z; last by rewrite /in_mem /=; case: (P a).
by congr Z.of_nat; apply: eq_card => x; rewrite !inE /= andbC.
Qed.

Lemma many_or P Q : (many (fun x => P x || Q x) + many (fun x => P x && Q x) = many P + many Q)%Z.
Proof.
rewrite /many -!Nat2Z.inj_add; congr Z.of_nat.
by rewrite -[X in _ = X](cardUI (mem P) (mem Q)); congr (_ + _); apply: eq_card => x; rewrite !inE.
Qed.

Lemma many0 P : many P = 0%Z <-> forall x, ~~ P x.
Proof.
split=> [none x | none]; last by rewrite (many_eq P pred0) /many ?card0 // => x; apply/negbTE.
apply/negP => Px; have := many_ge0 (fun y => P y && (y != x)).
by move: none; rewrite (many_but P x) Px; lia.
Qed.

Lemma many_gt0 P : (0 < many P)%Z <-> exists x, P x.
Proof.
split=> [some | [x Px]]; last first.
  by have := many_ge0 (fun y => P y && (y != x)); rewrite (many_but P x) Px; lia.
case: (pickP P) => [x Px | none]; first by exists x.
have := proj2 (many0 P) (fun x => negbT (none x)); lia.
Qed.

(** One member: which it is. *)
Lemma many1 P a : P a -> many P = 1%Z <-> P =1 pred1 a.
Proof.
move=> Pa; rewrite (many_but P a) Pa; split=> [one x | only].
  have /many0/(_ x) : many (fun y => P y && (y != a)) = 0%Z by lia.
  by rewrite negb_and negbK /=; case: (x =P a) => [-> | _]; rewrite ?Pa //= orbF => /negbTE.
have -> // : many (fun y => P y && (y != a)) = 0%Z.
by apply/many0 => x; rewrite only /= andbN.
Qed.
End Counting.
