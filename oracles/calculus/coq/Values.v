(** Values, terms, expressions and comparisons (the calculus page, "Meaning": values).

    A value is a word or an integer of 64 bits. That integers have 64 bits is said of assignments ([fitting]) and of
    the results of operations ([ev]). *)
From Coq Require Import ZArith List String Bool Lia.
Import ListNotations.
Open Scope Z_scope.

Inductive value := Word (w : string) | Int (z : Z).

Inductive term := Var (x : string) | Val (v : value).

Inductive op := Add | Sub | Mul | Div | Mod | Min | Max.

Inductive expr := Term (t : term) | Bin (o : op) (a b : expr) | Abs (a : expr).

Inductive cmp := CEq | CNe | CLt | CLe | CGt | CGe.

Definition value_eq (a b : value) : {a = b} + {a <> b}.
Proof. decide equality; [apply string_dec | apply Z.eq_dec]. Defined.

Arguments value_eq : simpl never.

Definition term_eq (a b : term) : {a = b} + {a <> b}.
Proof. decide equality; [apply string_dec | apply value_eq]. Defined.

Definition op_eq (a b : op) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Definition expr_eq (a b : expr) : {a = b} + {a <> b}.
Proof. decide equality; [apply term_eq | apply op_eq]. Defined.

Definition cmp_eq (a b : cmp) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Definition least : Z := - 2 ^ 63.
Definition most : Z := 2 ^ 63 - 1.
Definition in64 (z : Z) : bool := (least <=? z) && (z <=? most).

Definition assignment := string -> value.

Definition valid (v : value) : Prop := match v with Int z => in64 z = true | Word _ => True end.

Definition fitting (s : assignment) : Prop := forall x, valid (s x).

Definition is_int (v : value) : Prop := exists z, v = Int z.

Definition tval (s : assignment) (t : term) : value :=
  match t with Var x => s x | Val v => v end.

(** The result of an operation in the integers of mathematics: a quotient is rounded down, and a remainder has the
    sign of its divisor. [divides] says where an operation has a result: every divisor but 0 has one. *)
Definition bin (o : op) (x y : Z) : Z :=
  match o with
  | Add => x + y | Sub => x - y | Mul => x * y | Div => x / y | Mod => x mod y
  | Min => Z.min x y | Max => Z.max x y
  end.

Definition divides (o : op) (y : Z) : bool :=
  match o with Div | Mod => negb (y =? 0) | _ => true end.

Definition narrow (z : Z) : option value := if in64 z then Some (Int z) else None.

(** The value of an expression; [None] where it is undefined. *)
Fixpoint ev (s : assignment) (e : expr) : option value :=
  match e with
  | Term t => Some (tval s t)
  | Bin o a b =>
      match ev s a, ev s b with
      | Some (Int x), Some (Int y) => if divides o y then narrow (bin o x y) else None
      | _, _ => None
      end
  | Abs a => match ev s a with Some (Int x) => narrow (Z.abs x) | _ => None end
  end.

Definition zrelated (o : cmp) (x y : Z) : bool :=
  match o with
  | CEq => x =? y | CNe => negb (x =? y) | CLt => x <? y | CLe => x <=? y | CGt => y <? x | CGe => y <=? x
  end.

Definition related (o : cmp) (v w : value) : bool :=
  match v, w with
  | Int x, Int y => zrelated o x y
  | _, _ =>
      match o with
      | CEq => if value_eq v w then true else false
      | CNe => if value_eq v w then false else true
      | _ => false
      end
  end.

(** A comparison is true if both sides are defined and are in the relation. *)
Definition compared (s : assignment) (o : cmp) (a b : expr) : Prop :=
  exists v w, ev s a = Some v /\ ev s b = Some w /\ related o v w = true.

(** The same comparison, read from right to left. *)
Definition swapped (o : cmp) : cmp :=
  match o with CLt => CGt | CLe => CGe | CGt => CLt | CGe => CLe | _ => o end.

Lemma related_swapped : forall o v w, related o v w = true -> related (swapped o) w v = true.
Proof.
  intros o v w H. unfold related, zrelated in *.
  destruct v as [v|x], w as [w|y], o; cbn [swapped] in *; try exact H; try discriminate;
    try (repeat destruct value_eq; congruence).
  - rewrite Z.eqb_sym. exact H.
  - rewrite Z.eqb_sym. exact H.
Qed.

Lemma compared_swapped : forall s o a b, compared s o a b -> compared s (swapped o) b a.
Proof.
  intros s o a b (v & w & Hv & Hw & H). exists w, v. auto using related_swapped.
Qed.

Lemma related_eq : forall v w, related CEq v w = true -> v = w.
Proof.
  intros v w H. destruct v as [v|x], w as [w|y]; cbn in H;
    try (destruct (value_eq _ _) in H; congruence).
  apply Z.eqb_eq in H. congruence.
Qed.

Lemma related_refl : forall v, related CEq v v = true.
Proof.
  intros [v|x]; cbn. - destruct value_eq; congruence. - apply Z.eqb_refl.
Qed.

Lemma related_ne : forall v w, v <> w -> related CNe v w = true.
Proof.
  intros [v|x] [w|y] H; cbn; try (destruct value_eq; congruence).
  destruct (x =? y) eqn:E; auto. apply Z.eqb_eq in E. congruence.
Qed.

Lemma compared_ne : forall s t u, compared s CNe (Term t) (Term u) -> tval s t <> tval s u.
Proof.
  intros s t u (v & w & Hv & Hw & H) E. cbn in *. injection Hv as <-. injection Hw as <-.
  rewrite E in H. destruct (tval s u); cbn in H.
  - destruct value_eq; congruence.
  - rewrite Z.eqb_refl in H. discriminate.
Qed.

(** The variables of an expression. *)
Definition tvars (t : term) : list string := match t with Var x => [x] | Val _ => [] end.

Fixpoint evars (e : expr) : list string :=
  match e with Term t => tvars t | Bin _ a b => evars a ++ evars b | Abs a => evars a end.

(** Terms for variables. *)
Definition tput (f : string -> term) (t : term) : term := match t with Var x => f x | Val _ => t end.

Fixpoint eput (f : string -> term) (e : expr) : expr :=
  match e with
  | Term t => Term (tput f t) | Bin o a b => Bin o (eput f a) (eput f b) | Abs a => Abs (eput f a)
  end.

Lemma tval_put : forall s f t, tval s (tput f t) = tval (fun x => tval s (f x)) t.
Proof. intros s f [x|v]; reflexivity. Qed.

Lemma ev_put : forall s f e, ev s (eput f e) = ev (fun x => tval s (f x)) e.
Proof.
  intros s f. induction e as [t|o a IHa b IHb|a IHa]; cbn [eput ev].
  - now rewrite tval_put.
  - now rewrite IHa, IHb.
  - now rewrite IHa.
Qed.

Lemma ev_ext : forall s s' e, (forall x, s x = s' x) -> ev s e = ev s' e.
Proof.
  intros s s' e H. induction e as [[x|v]|o a IHa b IHb|a IHa]; cbn.
  - now rewrite H.
  - reflexivity.
  - now rewrite IHa, IHb.
  - now rewrite IHa.
Qed.

(** An operation has an integer as value, and so have its operands. *)
Definition operands (e : expr) : list expr :=
  match e with Term _ => [] | Bin _ a b => [a; b] | Abs a => [a] end.

(** A witness, as a certificate has it: numbers, texts, null, and lists of these. *)
Inductive witness := WNull | WInt (z : Z) | WText (s : string) | WList (l : list witness).

(** What comes after a word at the beginning of a witness. *)
Definition tagged (t : string) (w : witness) : option (list witness) :=
  match w with WList (WText u :: l) => if String.eqb u t then Some l else None | _ => None end.

(** What a check says: yes, no, or that it is beyond this checker. *)
Inductive answer (A : Type) := Yes (a : A) | No (why : string) | Beyond (why : string).
Arguments Yes {A} _. Arguments No {A} _. Arguments Beyond {A} _.

Definition bind {A B} (x : answer A) (f : A -> answer B) : answer B :=
  match x with Yes a => f a | No why => No why | Beyond why => Beyond why end.

Notation "'do' x <- a ; b" := (bind a (fun x => b)) (at level 200, x name, a at level 100, b at level 200).

Definition need (b : bool) (why : string) : answer unit := if b then Yes tt else No why.
Definition within (b : bool) (why : string) : answer unit := if b then Yes tt else Beyond why.

Lemma bind_yes : forall A B (x : answer A) (f : A -> answer B) b,
  bind x f = Yes b -> exists a, x = Yes a /\ f a = Yes b.
Proof. intros A B [a|w|w] f b H; cbn in H; try discriminate. eauto. Qed.

Lemma need_yes : forall b why, need b why = Yes tt -> b = true.
Proof. intros [|] why H; [reflexivity | discriminate]. Qed.

Lemma within_yes : forall b why, within b why = Yes tt -> b = true.
Proof. intros [|] why H; [reflexivity | discriminate]. Qed.
