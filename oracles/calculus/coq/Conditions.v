(** Proofs of conditions (the calculus page, "Conditions", Lemma 3, and "Within 64 bits"). *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Values Meaning Contexts Linear.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope Z_scope.

Definition known_at (x : context) (k : Z) : option (cond * moment) :=
  if (0 <=? k) && (k <? Z.of_nat (List.length (known x))) then nth_error (known x) (Z.to_nat k) else None.

Definition row (x : context) (ts : list term) : list term := map (find x) ts.

Definition same_row (x : context) (ts us : list term) : bool :=
  if list_eq_dec term_eq (row x ts) (row x us) then true else false.

(** Whether a statement, read at a moment, is the one that is known by a number. *)
Definition is_known (x : context) (st : statement) (m : moment) (k : Z) : bool :=
  match known_at x k with
  | Some (Holds st', m') =>
      (if relation_eq (srel st) (srel st') then true else false)
      && (if moment_eq (at_moment (srel st) (stense st) m) (at_moment (srel st') (stense st') m') then true else false)
      && same_row x (sargs st) (sargs st')
  | _ => false
  end.

(** Whether a condition on closed sets, read at a moment, says what the known one by a number says, but for the number that it gives;
    and that number of the known one. *)
Definition places_read (m : moment) (read : list (relation * moment)) : list (relation * moment) :=
  map (fun p => (fst p, when_read m p)) read.

Definition read_eq (a b : relation * moment) : {a = b} + {a <> b}.
Proof. decide equality; [apply moment_eq | apply relation_eq]. Defined.

Definition same_size (x : context) (m m' : moment) (z z' : size) : bool :=
  (if read_eq (size_rel z, when_read m (size_read z)) (size_rel z', when_read m' (size_read z')) then true else false)
  && same_row x (size_key z) (size_key z').

Definition known_form (x : context) (form : string) (read : list (relation * moment)) (sizes : list size) (ts : list term) (m : moment)
    (k : Z) : option (option term) :=
  match known_at x k with
  | Some (Closed form' read' sizes' ts' result', m') =>
      if String.eqb form form' && (if list_eq_dec read_eq (places_read m read) (places_read m' read') then true else false)
         && forallb (fun z => existsb (same_size x m m' z) sizes') sizes && same_row x ts ts'
      then Some result' else None
  | _ => None
  end.

(** A known comparison, in which each term stands for its class. *)
Definition comparison_at (x : context) (k : Z) : option (cmp * expr * expr) :=
  match known_at x k with Some (Compare o a b, _) => Some (o, canon x a, canon x b) | _ => None end.

Definition comparison_eq (c d : cmp * expr * expr) : bool :=
  let '(o, a, b) := c in
  let '(p, a', b') := d in
  (if cmp_eq o p then true else false) && (if expr_eq a a' then true else false)
  && (if expr_eq b b' then true else false).

(** Whether the comparison that is known by a number is this one, or this one read from right to left. *)
Definition says (x : context) (k : Z) (o : cmp) (a b : expr) : bool :=
  match comparison_at x k with
  | Some c => comparison_eq c (o, canon x a, canon x b) || comparison_eq c (swapped o, canon x b, canon x a)
  | None => false
  end.

(** The premises of a refutation, by number: known comparisons of numbers. *)
Fixpoint premises (x : context) (ks : list witness) : answer (list (cmp * expr * expr)) :=
  match ks with
  | [] => Yes []
  | WInt k :: rest =>
      match known_at x k with
      | Some (Compare o a b, _) =>
          do _ <- within (is_number x a && is_number x b) "a premise of which it is not certain that it is of numbers";
          do l <- premises x rest;
          Yes ((o, canon x a, canon x b) :: l)
      | _ => No "a premise is no comparison that is known"
      end
  | _ => No "a premise is no number of a condition"
  end.

Definition entails (x : context) (o : cmp) (a b : expr) (ps sums : witness) : answer unit :=
  match ps, sums with
  | WList ks, WList ss =>
      do _ <- within (is_number x a && is_number x b) "a goal of which it is not certain that it is of numbers";
      do l <- premises x ks;
      need (entailed (o, canon x a, canon x b) l ss) "the sums do not refute the negation"
  | _, _ => No "sums stand in no known form"
  end.

(** Whether an expression stands in another one. *)
Fixpoint stands_in (e s : expr) : bool :=
  (if expr_eq e s then true else false) ||
  match s with Term _ => false | Bin _ a b => stands_in e a || stands_in e b | Abs a => stands_in e a end.

Definition is_defined (o : op) (b : expr) : bool :=
  match o with
  | Div | Mod => match b with Term (Val (Int z)) => 0 <? z | _ => false end
  | _ => true
  end.

Definition stays (x : context) (e : expr) (low high : witness) : answer unit :=
  match low, high with
  | WList [lp; ls], WList [hp; hs] =>
      do _ <- entails x CGe e (Term (Val (Int least))) lp ls;
      entails x CLe e (Term (Val (Int most))) hp hs
  | _, _ => No "it is not shown that a value stays within 64 bits"
  end.

Definition stands_at (x : context) (e : expr) (k : Z) : answer unit :=
  match comparison_at x k with
  | Some (_, a, b) => need (stands_in (canon x e) a || stands_in (canon x e) b) "an operation stands in no such comparison"
  | None => No "what should have an operation is no comparison that is known"
  end.

Fixpoint fits (x : context) (e : expr) (w : witness) : answer unit :=
  match e with
  | Term _ => match w with WNull => Yes tt | _ => No "a term is shown to fit in no known form" end
  | Bin o a b =>
      match w with
      | WInt k => stands_at x e k
      | WList [wa; wb; low; high] =>
          do _ <- need (is_defined o b) "a division by what need not be above 0";
          do _ <- fits x a wa;
          do _ <- fits x b wb;
          stays x e low high
      | _ => No "it is not shown that a value stays within 64 bits"
      end
  | Abs a =>
      match w with
      | WInt k => stands_at x e k
      | WList [wa; low; high] => do _ <- fits x a wa; stays x e low high
      | _ => No "it is not shown that a value stays within 64 bits"
      end
  end.

(** Whether two terms are proved to be different. *)
Definition apart (x : context) (t u : term) (w : witness) : answer unit :=
  match w with
  | WNull =>
      match find x t, find x u with
      | Val v, Val v' => need (if value_eq v v' then false else true) "two terms are one"
      | _, _ => No "two terms may be one"
      end
  | WInt k => need (says x k CNe (Term t) (Term u)) "no such comparison is known"
  | _ =>
      match tagged "linear" w, tagged "key" w with
      | Some [ps; sums], _ => entails x CNe (Term t) (Term u) ps sums
      | _, Some _ => Beyond "what a key tells apart"
      | _, _ => No "nothing tells two terms apart"
      end
  end.

Definition same (x : context) (o : cmp) (a b : expr) : answer unit :=
  match o, a, b with
  | CEq, Term t, Term u => need (if term_eq (find x t) (find x u) then true else false) "two terms are not one"
  | _, _, _ => No "this is no equation of terms"
  end.

Definition differ (x : context) (o : cmp) (a b : expr) (w : witness) : answer unit :=
  match o, a, b with
  | CNe, Term t, Term u => apart x t u w
  | _, _, _ => No "this does not say that two terms differ"
  end.

Definition compares (x : context) (o : cmp) (a b : expr) (w : witness) : answer unit :=
  match w with
  | WInt k => need (says x k o a b) "no such comparison is known"
  | _ =>
      match tagged "linear" w, tagged "same" w, tagged "apart" w with
      | Some [ps; sums; low; high], _, _ =>
          do _ <- entails x o a b ps sums;
          do _ <- fits x a low;
          fits x b high
      | _, Some [], _ => same x o a b
      | _, _, Some [d] => differ x o a b d
      | _, _, _ => No "a comparison is proved in no known form"
      end
  end.

(** [all] and [count] by what is known. The sets of a [count], and what it leaves out, may be known in another order. *)
Definition summed (x : context) (form : string) (read : list (relation * moment)) (sizes : list size) (ts : list term)
    (result : option term) (m : moment) (w : witness) : answer unit :=
  match tagged "known" w, result with
  | Some [WInt k], None =>
      need (match known_form x form read sizes ts m k with Some None => true | _ => false end) "no such `all` is known"
  | Some [WInt k; equal], Some t =>
      match known_form x form read sizes ts m k with
      | Some (Some t') => compares x CEq (Term t) (Term t') equal
      | _ => Beyond "a count that is known otherwise"
      end
  | Some _, _ => No "what a set has is proved in no known form"
  | None, _ =>
      match tagged "each" w, tagged "any" w, tagged "sets" w with
      | None, None, None => No "what a set has is proved in no known form"
      | _, _, _ => Beyond "members of a set, one by one or any of them"
      end
  end.

Definition proves (x : context) (c : cond) (m : moment) (w : witness) : answer unit :=
  match c with
  | Holds st => match w with WInt k => need (is_known x st m k) "a statement is not known" | _ => No "a statement is proved in no known form" end
  | Compare o a b => compares x o a b w
  | Closed form read sizes ts result => summed x form read sizes ts result m w
  | Other _ _ _ => Beyond "a condition of a kind that is not formalised"
  | All _ => Beyond "what is asked of each member"
  end.

(** Whether a witness shows that what is known can never be true together. *)
Definition contradicts (x : context) (w : witness) : answer unit :=
  match w with
  | WNull => need (conflict x) "no two constants are one"
  | _ =>
      match tagged "unequal" w, tagged "linear" w with
      | Some [WInt k], _ =>
          match comparison_at x k with
          | Some (CNe, Term t, Term u) => need (if term_eq t u then true else false) "two terms are not one"
          | _ => No "this does not say that two terms differ"
          end
      | _, Some [WList ks; WList sums] =>
          do l <- premises x ks;
          need (contradictory l sums) "the sums do not refute the premises"
      | _, _ =>
          match tagged "words" w, tagged "full" w with
          | None, None => No "a contradiction is shown in no known form"
          | _, _ => Beyond "a contradiction of words or of a full set"
          end
      end
  end.

Section Sound.
  Context {forms : meaning_of_forms}.
  Variable facts : fact -> Prop.
  Variable others : moment -> string -> list string -> assignment -> Prop.
  Notation satisfies := (satisfies facts others).
  Notation truth := (true_in facts others).
  Variable s : assignment.
  Variable x : context.
  Hypothesis fit : fitting s.
  Hypothesis sat : satisfies s x.

  Lemma known_at_true : forall k c m, known_at x k = Some (c, m) -> truth s m c.
  Proof.
    intros k c m H. unfold known_at in H. destruct (_ && _); [|discriminate].
    apply (sat_known _ _ _ _ sat). eapply nth_error_In; eauto.
  Qed.

  Lemma same_row_value : forall ts us, same_row x ts us = true -> map (tval s) ts = map (tval s) us.
  Proof.
    intros ts us H. unfold same_row in H. destruct list_eq_dec as [E|]; [|discriminate].
    assert (V : forall l, map (tval s) (row x l) = map (tval s) l).
    { intro l. unfold row. rewrite map_map. apply map_ext. intro t. eapply find_value; eauto. }
    rewrite <- (V ts), <- (V us). now rewrite E.
  Qed.

  Lemma is_known_sound : forall st m k, is_known x st m k = true -> facts (inst s m st).
  Proof.
    intros st m k H. unfold is_known in H. destruct (known_at x k) as [[c m']|] eqn:K; [|discriminate].
    destruct c as [st'| | | |]; try discriminate.
    apply andb_prop in H as [H R]. apply andb_prop in H as [E M].
    destruct relation_eq as [E'|]; [|discriminate]. destruct moment_eq as [M'|]; [|discriminate].
    pose proof (known_at_true _ _ _ K) as T. cbn in T. unfold inst in *.
    rewrite E', (same_row_value _ _ R) in *. rewrite M'. exact T.
  Qed.

  Lemma comparison_at_true : forall k o a b, comparison_at x k = Some (o, a, b) -> compared s o a b.
  Proof.
    intros k o a b H. unfold comparison_at in H. destruct (known_at x k) as [[c m]|] eqn:K; [|discriminate].
    destruct c as [|o' a' b'| | |]; try discriminate. injection H as <- <- <-.
    destruct (known_at_true _ _ _ K) as (v & w & Ev & Ew & R). exists v, w.
    rewrite !(canon_value _ _ _ _ _ sat). auto.
  Qed.

  Lemma comparison_eq_sound : forall c d, comparison_eq c d = true -> c = d.
  Proof.
    intros [[o a] b] [[p a'] b'] H. unfold comparison_eq in H.
    destruct (cmp_eq o p); [|discriminate]. destruct (expr_eq a a'); [|discriminate].
    destruct (expr_eq b b'); [|discriminate]. congruence.
  Qed.

  Lemma compared_canon : forall o a b, compared s o (canon x a) (canon x b) -> compared s o a b.
  Proof.
    intros o a b (v & w & Ev & Ew & R). exists v, w. rewrite (canon_value _ _ _ _ _ sat) in Ev. rewrite (canon_value _ _ _ _ _ sat) in Ew. auto.
  Qed.

  Lemma swapped_twice : forall o, swapped (swapped o) = o.
  Proof. intros []; reflexivity. Qed.

  Lemma says_sound : forall k o a b, says x k o a b = true -> compared s o a b.
  Proof.
    intros k o a b H. unfold says in H. destruct (comparison_at x k) as [[[o' a'] b']|] eqn:K; [|discriminate].
    pose proof (comparison_at_true _ _ _ _ K) as T. apply orb_prop in H as [H|H];
      apply comparison_eq_sound in H; injection H as -> -> ->.
    - now apply compared_canon.
    - apply compared_swapped in T. rewrite swapped_twice in T. now apply compared_canon.
  Qed.

  (** Numbers: the integers of an assignment, and 0 for words. *)
  Definition integers : env := fun v => match s v with Int z => z | Word _ => 0 end.

  Lemma integers_bounded : bounded integers.
  Proof.
    intro v. unfold integers. pose proof (fit v) as F. destruct (s v) as [w|z]; cbn in F.
    - unfold least, most. lia.
    - unfold in64 in F. apply andb_prop in F as [F G]. apply Z.leb_le in F, G. lia.
  Qed.

  Lemma ev_zval : forall e z, ev s e = Some (Int z) -> zval integers e = z.
  Proof.
    induction e as [t|o a IHa b IHb|a IHa]; intros z E; cbn in *.
    - injection E as E. destruct t as [v|v]; cbn in *; [unfold integers; now rewrite E|]. now subst.
    - destruct (ev s a) as [[|p]|]; try discriminate. destruct (ev s b) as [[|q]|]; try discriminate.
      destruct (divides o q); [|discriminate]. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. now rewrite (IHa p), (IHb q).
    - destruct (ev s a) as [[|p]|]; try discriminate. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. now rewrite (IHa p).
  Qed.

  Lemma compared_ztrue : forall o a b, compared s o a b -> is_number x a = true -> is_number x b = true ->
    ztrue integers (o, canon x a, canon x b) = true.
  Proof.
    intros o a b (v & w & Ev & Ew & R) Na Nb.
    destruct (is_number_sound _ _ _ _ _ _ sat Na Ev) as [p ->].
    destruct (is_number_sound _ _ _ _ _ _ sat Nb Ew) as [q ->].
    cbn. rewrite (ev_zval (canon x a) p), (ev_zval (canon x b) q); auto;
      rewrite (canon_value _ _ _ _ _ sat); auto.
  Qed.

  Lemma premises_true : forall ks l, premises x ks = Yes l -> Forall (fun c => ztrue integers c = true) l.
  Proof.
    induction ks as [|w ks IH]; intros l H; cbn in H.
    - injection H as <-. constructor.
    - destruct w as [|k| |]; try discriminate. destruct (known_at x k) as [[c m]|] eqn:K; try discriminate.
      destruct c as [|o a b| | |]; try discriminate.
      apply bind_yes in H as ([] & N & H). apply within_yes in N. apply andb_prop in N as [Na Nb].
      apply bind_yes in H as (l' & Hl & H). injection H as <-. constructor; [|auto].
      apply compared_ztrue; auto. exact (known_at_true _ _ _ K).
  Qed.

  Lemma entails_sound : forall o a b ps sums, entails x o a b ps sums = Yes tt ->
    is_number x a = true /\ is_number x b = true /\ ztrue integers (o, canon x a, canon x b) = true.
  Proof.
    intros o a b ps sums H. unfold entails in H. destruct ps as [| | |ks]; try discriminate.
    destruct sums as [| | |ss]; try discriminate.
    apply bind_yes in H as ([] & N & H). apply within_yes in N. apply andb_prop in N as [Na Nb].
    apply bind_yes in H as (l & Hl & H). apply need_yes in H. repeat split; auto.
    eapply entailed_sound; eauto using integers_bounded, premises_true.
  Qed.

  Lemma stands_in_defined : forall e t v, stands_in e t = true -> ev s t = Some v -> exists u, ev s e = Some u.
  Proof.
    intros e. induction t as [t|o a IHa b IHb|a IHa]; intros v H E; cbn in H.
    - apply orb_prop in H as [H|H]; [|discriminate]. destruct expr_eq as [->|]; [eauto|discriminate].
    - apply orb_prop in H as [H|H]. { destruct expr_eq as [->|]; [eauto|discriminate]. }
      cbn in E. destruct (ev s a) as [[|p]|] eqn:Ea; try discriminate.
      destruct (ev s b) as [[|q]|] eqn:Eb; try discriminate.
      apply orb_prop in H as [H|H]; eauto.
    - apply orb_prop in H as [H|H]. { destruct expr_eq as [->|]; [eauto|discriminate]. }
      cbn in E. destruct (ev s a) as [[|p]|] eqn:Ea; try discriminate. eauto.
  Qed.

  Lemma stands_at_sound : forall e k, stands_at x e k = Yes tt -> exists u, ev s e = Some u.
  Proof.
    intros e k H. unfold stands_at in H. destruct (comparison_at x k) as [[[o a] b]|] eqn:K; [|discriminate].
    apply need_yes in H. destruct (comparison_at_true _ _ _ _ K) as (v & w & Ev & Ew & _).
    rewrite <- (canon_value _ _ s x e sat). apply orb_prop in H as [H|H]; eauto using stands_in_defined.
  Qed.

  Lemma stays_sound : forall e low high, stays x e low high = Yes tt -> in64 (zval integers (canon x e)) = true.
  Proof.
    intros e low high H. unfold stays in H.
    destruct low as [| | |[|lp [|ls [|]]]]; try discriminate. destruct high as [| | |[|hp [|hs [|]]]]; try discriminate.
    apply bind_yes in H as ([] & L & H). apply entails_sound in L as (_ & _ & L), H as (_ & _ & H).
    unfold canon in L, H. cbn [eput tput ztrue zrelated zval] in L, H.
    unfold in64, canon. now rewrite L, H.
  Qed.

  Lemma fits_sound : forall e w, is_number x e = true -> fits x e w = Yes tt -> exists z, ev s e = Some (Int z).
  Proof.
    assert (Stand : forall e k, is_number x e = true -> stands_at x e k = Yes tt -> exists z, ev s e = Some (Int z)).
    { intros e k N H. destruct (stands_at_sound e k H) as [u E].
      destruct (is_number_sound _ _ _ _ _ _ sat N E) as [z ->]. eauto. }
    induction e as [t|o a IHa b IHb|a IHa]; intros w N H; cbn [fits] in H.
    - destruct (is_number_term_sound _ _ _ _ _ sat N) as [z E]. cbn. rewrite E. eauto.
    - destruct w as [|k| |[|wa [|wb [|low [|high [|]]]]]]; try discriminate; [eauto|].
      apply bind_yes in H as ([] & D & H). apply need_yes in D.
      apply bind_yes in H as ([] & Fa & H). apply bind_yes in H as ([] & Fb & H).
      cbn in N. apply andb_prop in N as [Na Nb].
      destruct (IHa _ Na Fa) as [p Ep], (IHb _ Nb Fb) as [q Eq].
      apply stays_sound in H. unfold canon in H. cbn [eput zval] in H.
      change (eput (fun v => find x (Var v)) a) with (canon x a) in H.
      change (eput (fun v => find x (Var v)) b) with (canon x b) in H.
      rewrite (ev_zval (canon x a) p), (ev_zval (canon x b) q) in H;
        try (rewrite (canon_value _ _ _ _ _ sat); auto).
      exists (bin o p q). cbn. rewrite Ep, Eq. unfold narrow. rewrite H.
      assert (V : divides o q = true).
      { destruct o; auto; cbn in D; destruct b as [[|[|z]]| |]; try discriminate; cbn in Eq; injection Eq as <-;
        cbn; apply Z.ltb_lt in D; apply Bool.negb_true_iff, Z.eqb_neq; lia. }
      now rewrite V.
    - destruct w as [|k| |[|wa [|low [|high [|]]]]]; try discriminate; [eauto|].
      apply bind_yes in H as ([] & Fa & H). destruct (IHa _ N Fa) as [p Ep].
      apply stays_sound in H. unfold canon in H. cbn [eput zval] in H.
      change (eput (fun v => find x (Var v)) a) with (canon x a) in H.
      rewrite (ev_zval (canon x a) p) in H by (rewrite (canon_value _ _ _ _ _ sat); auto).
      exists (Z.abs p). cbn. rewrite Ep. unfold narrow. now rewrite H.
  Qed.

  Lemma entailed_compared : forall o a b p q, ev s a = Some (Int p) -> ev s b = Some (Int q) ->
    ztrue integers (o, canon x a, canon x b) = true -> compared s o a b.
  Proof.
    intros o a b p q Ea Eb T. exists (Int p), (Int q). repeat split; auto. cbn in T.
    rewrite (ev_zval (canon x a) p), (ev_zval (canon x b) q) in T; auto; rewrite (canon_value _ _ _ _ _ sat); auto.
  Qed.

  Lemma linear_sound : forall o a b ps sums low high, entails x o a b ps sums = Yes tt ->
    fits x a low = Yes tt -> fits x b high = Yes tt -> compared s o a b.
  Proof.
    intros o a b ps sums low high E Fa Fb. apply entails_sound in E as (Na & Nb & T).
    destruct (fits_sound _ _ Na Fa) as [p Ea], (fits_sound _ _ Nb Fb) as [q Eb].
    eauto using entailed_compared.
  Qed.

  Lemma apart_sound : forall t u w, apart x t u w = Yes tt -> tval s t <> tval s u.
  Proof.
    intros t u w H.
    assert (L : forall ps sums, entails x CNe (Term t) (Term u) ps sums = Yes tt -> tval s t <> tval s u).
    { intros ps sums L. apply compared_ne. now apply (linear_sound _ _ _ ps sums WNull WNull). }
    destruct w as [|k|txt|l]; cbn [apart] in H; try discriminate.
    - rewrite <- (find_value _ _ _ _ t sat), <- (find_value _ _ _ _ u sat).
      destruct (find x t) as [|v]; try discriminate. destruct (find x u) as [|v']; try discriminate.
      apply need_yes in H. destruct value_eq; [discriminate|]. cbn. congruence.
    - apply need_yes in H. apply says_sound in H. now apply compared_ne.
    - destruct (tagged "linear" (WList l)) as [[|ps [|sums [|]]]|]; eauto;
        destruct (tagged "key" (WList l)); discriminate.
  Qed.

  Lemma same_sound : forall o a b, same x o a b = Yes tt -> compared s o a b.
  Proof.
    intros o a b H. unfold same in H. destruct o; try discriminate. destruct a as [t| |]; try discriminate.
    destruct b as [u| |]; try discriminate. apply need_yes in H. destruct term_eq as [E|]; [|discriminate].
    exists (tval s t), (tval s u). repeat split; auto.
    rewrite <- (find_value _ _ _ _ t sat), E, (find_value _ _ _ _ u sat). apply related_refl.
  Qed.

  Lemma differ_sound : forall o a b w, differ x o a b w = Yes tt -> compared s o a b.
  Proof.
    intros o a b w H. unfold differ in H. destruct o; try discriminate. destruct a as [t| |]; try discriminate.
    destruct b as [u| |]; try discriminate. exists (tval s t), (tval s u). repeat split; auto.
    apply related_ne. eauto using apart_sound.
  Qed.

  Lemma compares_sound : forall o a b w, compares x o a b w = Yes tt -> compared s o a b.
  Proof.
    intros o a b w H. destruct w as [|k|txt|l]; try discriminate.
    - apply need_yes in H. eauto using says_sound.
    - unfold compares in H. set (w := WList l) in *.
      assert (Rest : match tagged "same" w, tagged "apart" w with
                     | Some [], _ => same x o a b
                     | _, Some [d] => differ x o a b d
                     | _, _ => No ""
                     end = Yes tt -> compared s o a b).
      { destruct (tagged "same" w) as [[|]|]; [eauto using same_sound| |];
          destruct (tagged "apart" w) as [[|d [|]]|]; try discriminate; eauto using differ_sound. }
      destruct (tagged "linear" w) as [[|ps [|sums [|low [|high [|]]]]]|].
      5: { apply bind_yes in H as ([] & E & H). apply bind_yes in H as ([] & Fa & Fb). eauto using linear_sound. }
      all: apply Rest; destruct (tagged "same" w) as [[|]|]; auto; destruct (tagged "apart" w) as [[|d [|]]|]; auto; discriminate.
  Qed.

  Theorem contradicts_sound : forall w, contradicts x w = Yes tt -> False.
  Proof.
    intros w H.
    assert (Linear : forall ks sums, (do l <- premises x ks;
      need (contradictory l sums) "the sums do not refute the premises") = Yes tt -> False).
    { intros ks sums L. apply bind_yes in L as (l & Hl & L). apply need_yes in L.
      eapply contradictory_sound; eauto using integers_bounded, premises_true. }
    destruct w as [|k|txt|l]; cbn [contradicts] in H; try discriminate.
    - apply need_yes in H. rewrite (sat_conflict _ _ _ _ sat) in H. discriminate.
    - set (w := WList l) in *.
      assert (Rest : match tagged "linear" w with
                     | Some [WList ks; WList sums] => do l <- premises x ks;
                         need (contradictory l sums) "the sums do not refute the premises"
                     | _ => No ""
                     end = Yes tt -> False).
      { destruct (tagged "linear" w) as [[|[| | |ks] [|[| | |sums] [|]]]|]; try discriminate. apply Linear. }
      assert (Odd : (match tagged "words" w, tagged "full" w with
          | None, None => No "a contradiction is shown in no known form"
          | _, _ => Beyond "a contradiction of words or of a full set"
          end : answer unit) = Yes tt -> False) by (destruct (tagged "words" w), (tagged "full" w); discriminate).
      destruct (tagged "unequal" w) as [[|[|k| |] [|]]|].
      4: { destruct (comparison_at x k) as [[[o a] b]|] eqn:K; [|discriminate].
           destruct o; try discriminate. destruct a as [t| |]; try discriminate. destruct b as [u| |]; try discriminate.
           apply need_yes in H. destruct term_eq as [->|]; [|discriminate].
           apply comparison_at_true, compared_ne in K. congruence. }
      all: apply Rest; destruct (tagged "linear" w) as [[|[| | |ks] [|[| | |sums] [|]]]|]; auto; exfalso; auto.
  Qed.

  Lemma map_places : forall (f : relation -> moment -> list value -> Prop) m read m' read',
    places_read m read = places_read m' read' ->
    map (fun p => f (fst p) (when_read m p)) read = map (fun p => f (fst p) (when_read m' p)) read'.
  Proof.
    intros f m read m' read' E. apply (f_equal (map (fun q => f (fst q) (snd q)))) in E.
    unfold places_read in E. rewrite !map_map in E. exact E.
  Qed.

  Lemma known_form_sound : forall form read sizes ts m k result result', known_form x form read sizes ts m k = Some result' ->
    option_map (tval s) result = option_map (tval s) result' -> truth s m (Closed form read sizes ts result).
  Proof.
    intros form read sizes ts m k result result' H E. unfold known_form in H.
    destruct (known_at x k) as [[c m']|] eqn:K; [|discriminate]. destruct c as [| |form' read' sizes' ts' result''| |]; try discriminate.
    destruct (_ && _) eqn:B in H; [|discriminate]. injection H as <-.
    apply andb_prop in B as [B R]. apply andb_prop in B as [B Z]. apply andb_prop in B as [F P]. apply String.eqb_eq in F as <-.
    destruct list_eq_dec as [P'|]; [|discriminate]. pose proof (known_at_true _ _ _ K) as T.
    cbn [true_in] in T |- *. destruct T as [T Y]. split.
    - rewrite E, (same_row_value _ _ R). unfold rows_at in *.
      rewrite (map_places (fun r t row => facts (Fact r t row)) _ _ _ _ P'). exact T.
    - intros z I. rewrite forallb_forall in Z. specialize (Z z I). apply existsb_exists in Z as (z' & I' & Z).
      unfold same_size in Z. apply andb_prop in Z as [Q K']. destruct read_eq as [Q'|]; [|discriminate]. injection Q' as Q1 Q2.
      destruct (Y z' I') as (n & B & W). exists n. split; [exact B|]. rewrite Q1, Q2, (same_row_value _ _ K'). exact W.
  Qed.

  Lemma summed_sound : forall form read sizes ts result m w, summed x form read sizes ts result m w = Yes tt ->
    truth s m (Closed form read sizes ts result).
  Proof.
    intros form read sizes ts result m w H. unfold summed in H.
    assert (Odd : match tagged "each" w, tagged "any" w, tagged "sets" w with
      | None, None, None => No "what a set has is proved in no known form"
      | _, _, _ => Beyond "members of a set, one by one or any of them"
      end <> Yes tt) by (destruct (tagged "each" w), (tagged "any" w), (tagged "sets" w); discriminate).
    destruct (tagged "known" w) as [[|[|k| |] [|equal [|]]]|]; try discriminate; destruct result as [t|]; try discriminate;
      try contradiction.
    - apply need_yes in H. destruct (known_form x form read sizes ts m k) as [[|]|] eqn:K; try discriminate.
      eapply known_form_sound; [exact K|reflexivity].
    - destruct (known_form x form read sizes ts m k) as [[t'|]|] eqn:K; try discriminate.
      apply compares_sound in H. eapply known_form_sound; [exact K|]. cbn. f_equal.
      destruct H as (v & v' & Ev & Ew & R). cbn in Ev, Ew. injection Ev as <-. injection Ew as <-. now apply related_eq.
  Qed.

  (** Lemma 3. *)
  Theorem proves_sound : forall c m w, proves x c m w = Yes tt -> truth s m c.
  Proof.
    intros c m w H. destruct c as [st|o a b|form read sizes ts result|id t ints|e]; cbn [proves] in H; try discriminate.
    - destruct w as [|k| |]; try discriminate. apply need_yes in H. cbn. eauto using is_known_sound.
    - cbn. eauto using compares_sound.
    - now apply summed_sound in H.
  Qed.
End Sound.
