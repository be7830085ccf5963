(** The checker, and that it is right (the calculus page, "One rule" and "The theorem"). *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Values Meaning Contexts Linear Conditions Worlds Steps Replies.
Import ListNotations.
Local Open Scope string_scope.

Record certificate := Certificate {
  steps : list step; ending : witness; keys : list witness; openings : option opening; answered_by : list tree }.

(** The action that the head of a rule names. *)
Definition named_action (st : statement) : statement :=
  match srel st with
  | By _ a n => Statement (Plain Action a) Always (removelast (skipn n (sargs st)))
  | _ => st
  end.

Definition names_by (r : rule) : bool := match srel (head r) with By _ _ _ => true | _ => false end.

Definition starting (th : theory) (quiet : list place) (r : rule) : answer context :=
  let x := empty (rule_vars r) in
  do _ <- within (negb (existsb is_other (body r))) "a condition of a kind that is not formalised";
  if only_names r then
    let b := named_action (head r) in
    do _ <- (if forallb (cond_quiet quiet Before) (body r) then Yes tt
             else if existsb (fun r => existsb is_other (body r)) (rules th)
             then Beyond "a condition may rest on the action that is taken, or on a condition of a kind that is not formalised"
             else No "a condition may rest on the action that is taken");
    do _ <- within (forallb (is_number_term (take th x (body r) Before))
                     (in_columns (integer_columns th (srel b)) (sargs b)))
              "an action with a term of which it is not certain that it is a number";
    Yes (take th (take th x [Holds b] Always) (body r) Before)
  else Yes (take th x (body r) Before).

Definition check_end (th : theory) (y : context) (r : rule) (e : witness) : answer unit :=
  match numbered "known" e with
  | Some (ns, k) =>
      do z <- run_notes th y ns;
      do _ <- consistent z;
      need (is_known z (head r) Before k) "no step concludes the rule's own conclusion"
  | None => No "the end is of no known form"
  end.

Definition by_replies (c : certificate) : bool :=
  match openings c, answered_by c with None, [] => false | _, _ => true end.

Definition not_after (st : step) : bool := match when st with After => false | _ => true end.

Definition check (th : theory) (quiet : list place) (lemmas : list rule) (r : rule) (c : certificate) : answer unit :=
  do _ <- within (match keys c with [] => true | _ => false end) "keys or counts that are proved";
  do _ <- (if by_replies c
           then do _ <- need (forallb not_after (steps c)) "a step before any reply is read after it";
                rests_on_none th quiet (body r)
           else Yes tt);
  do x <- starting th quiet r;
  do _ <- consistent x;
  do y <- run_steps th lemmas x (timeless r && negb (names_by r)) true (steps c);
  if by_replies c
  then do _ <- need (match ending c with WNull => true | _ => false end) "an end besides replies";
       check_replies th lemmas quiet y r (openings c) (answered_by c)
  else check_end th y r (ending c).

(** Certificates in order: each rule that is marked and accepted is a lemma for those that come after it. *)
Fixpoint check_all (th : theory) (quiet : list place) (lemmas : list rule) (l : list (bool * rule * certificate)) :
    list (answer unit) :=
  match l with
  | [] => []
  | (is_lemma, r, c) :: l' =>
      let a := check th quiet lemmas r c in
      a :: check_all th quiet (match a with Yes _ => if is_lemma : bool then r :: lemmas else lemmas | _ => lemmas end) l'
  end.

(** Soundness *)

Section Sound.
  Context {forms : meaning_of_forms}.
  Variable th : theory.
  Variable state : fact -> Prop.
  Variable takable : list (option action) -> action -> Prop.
  Variable reply : list (option action) -> string -> list value -> action -> Prop.
  Variable other : list (option action) -> option action -> moment -> string -> list string -> assignment -> Prop.
  Notation world := (world th state takable reply other).
  Hypothesis well : well_formed th = true.
  Hypothesis state_sorted : forall f, state f -> sorted th f.
  Hypothesis other_int : forall past c m id ints s x, other past c m id ints s -> In x ints -> is_int (s x).
  Hypothesis complete : replies_are_cases th state takable reply other.
  Hypothesis open_cases : cases_are_replies th state takable reply other.
  Variable quiet : list place.
  Hypothesis resting : resting_on_none th quiet = true.

  (** The theorem, of the part that is formalised. *)
  Theorem check_sound : forall lemmas r cert, (forall l, In l lemmas -> right th state takable reply other l) ->
    check th quiet lemmas r cert = Yes tt -> right th state takable reply other r.
  Proof.
    intros lemmas r cert L H past c s fit B. unfold check in H.
    apply bind_yes in H as ([] & _ & H). apply bind_yes in H as ([] & Rp & H).
    apply bind_yes in H as (x & St & H). apply bind_yes in H as ([] & _ & H).
    apply bind_yes in H as (y & Ss & H).
    assert (Stepped : forall c' s', fitting s' -> Contexts.satisfies (world past c') (other past c') s' x ->
      Contexts.satisfies (world past c') (other past c') s' y) by (intros; eapply run_steps_sound; eauto).
    destruct (by_replies cert).
    { apply bind_yes in Rp as ([] & _ & Rp). apply rests_on_none_sound in Rp.
      apply bind_yes in H as ([] & _ & H).
      assert (O : only_names r = false).
      { unfold check_replies in H. unfold only_names. destruct (head r) as [[| |] t args]; cbn; try discriminate.
        apply andb_false_r. }
      rewrite O. unfold starting in St. rewrite O in St.
      apply bind_yes in St as ([] & No & St). apply within_yes, negb_true_iff in No. injection St as <-.
      eapply check_replies_sound; eauto.
      intros c' s' F' B'. apply Stepped; [exact F'|]. eapply taken; eauto. apply satisfies_empty. }
    unfold check_end in H. destruct (numbered "known" (ending cert)) as [[ns k]|]; [|discriminate].
    apply bind_yes in H as (z & Ns & H). apply bind_yes in H as ([] & _ & H). apply need_yes in H.
    assert (Reached : forall c', Contexts.satisfies (world past c') (other past c') s x ->
      world past c' (inst s Before (head r))).
    { intros c' S. eapply is_known_sound; [|exact H]. eapply run_notes_sound; [..|exact Ns]; eauto. }
    unfold starting in St. apply bind_yes in St as ([] & No & St). apply within_yes in No. apply negb_true_iff in No.
    destruct (only_names r) eqn:O.
    - apply bind_yes in St as ([] & Qu & St).
      assert (Qb : forallb (cond_quiet quiet Before) (body r) = true).
      { destruct (forallb (cond_quiet quiet Before) (body r)); [reflexivity|]. destruct (existsb _ _) in Qu; discriminate. }
      clear Qu. apply bind_yes in St as ([] & Na & St). apply within_yes in Na. injection St as <-.
      rewrite forallb_forall in Qb, Na.
      unfold only_names in O. apply andb_prop in O as [Tl By_]. 
      destruct (head r) as [rel t args] eqn:Hd. cbn in By_. destruct rel as [| |g a n]; try discriminate.
      set (b := (a, map (tval s) (removelast (skipn n args)))).
      assert (Same : forall d, In d (body r) -> true_in (world past (Some b)) (other past (Some b)) s Before d).
      { intros d I. eapply quiet_true; eauto. }
      assert (W : world past (Some b) (inst s Before (Statement (By g a n) t args))).
      { rewrite <- Hd. rewrite Hd. apply Reached. eapply taken; eauto; eapply taken; eauto; [apply satisfies_empty|].
        intros d [<-|[]]. cbn.
        change (world past (Some b) (action_fact b)). apply of_action.
        intros i v Hc Hv. cbn in Hc, Hv.
        destruct (nth_error (removelast (skipn n args)) i) as [u|] eqn:E.
        - rewrite (map_nth_error _ _ _ E) in Hv. injection Hv as <-.
          eapply is_number_term_sound; [|apply Na; eapply in_columns_all; eauto].
          eapply taken with (past := past) (c := c); eauto. apply satisfies_empty.
        - apply nth_error_None in E.
          assert (Le : (i < List.length (map (tval s) (removelast (skipn n args))))%nat) by (apply nth_error_Some; congruence).
          rewrite map_length in Le. lia. }
      assert (T : t = Always).
      { unfold timeless in Tl. rewrite Hd in Tl. cbn in Tl. destruct t; auto; discriminate. }
      intro c'. apply of_named with b; [| |exact W].
      + unfold by_action, inst; cbn. unfold b. now rewrite skipn_map, map_removelast.
      + subst t. reflexivity.
    - injection St as <-. apply Reached. eapply taken; eauto using satisfies_empty.
  Qed.

  Theorem check_all_sound : forall l lemmas, (forall r, In r lemmas -> right th state takable reply other r) ->
    forall i m r cert, nth_error l i = Some (m, r, cert) ->
    nth_error (check_all th quiet lemmas l) i = Some (Yes tt) -> right th state takable reply other r.
  Proof.
    induction l as [|[[m r] cert] l IH]; intros lemmas L i m' r' cert' E H; [destruct i; discriminate|].
    destruct i as [|i]; cbn in E, H.
    - injection E as <- <- <-. injection H as H. eapply check_sound; eauto.
    - eapply IH; [|exact E|exact H]. intros q I. destruct (check th quiet lemmas r cert) as [[]|w|w] eqn:C; auto.
      destruct m; auto. destruct I as [<-|I]; [eapply check_sound; eauto|auto].
  Qed.
End Sound.

(** What it all rests on: nothing but the definitions. *)
Print Assumptions check_all_sound.
