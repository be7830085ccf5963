(** The checker, and that it is right (the calculus page, "One rule" and "The theorem"). *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Linear Values Meaning Contexts Conditions Worlds Stages Variables Sets Steps Cases Replies.
Import ListNotations.
Local Open Scope string_scope.

(** [of_reached]: the proof is of every point; else of those that are given. [by_cases]: with the place of the condition over which there
    is an induction, if there is one. *)
Record certificate := Certificate {
  of_reached : bool; steps : list step; ending : witness; keys : list witness; openings : option opening; answered_by : list tree;
  by_cases : option (option nat * tree) }.

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

(** The end of a leaf. *)
Definition case_ends (th : theory) (r : rule) (y : context) (e : witness) : answer unit :=
  match numbered "known" e, noted "impossible" e with
  | Some (ns, k), _ => do z <- run_notes th y ns; need (is_known z (head r) Before k) "the rule's own conclusion is not known in a case"
  | _, Some (ns, w) => do z <- run_notes th y ns; contradicts z w
  | _, _ => No "a case comes to no known end"
  end.

(** Over which condition there is an induction: its number is its place, since nothing is known before the conditions of a rule that concludes
    a fact. *)
Definition is_fact (st : statement) : bool := match srel st with Plain _ _ => true | _ => false end.

Definition start_of (r : rule) (o : option nat) : answer (list numbered_statement) :=
  match o with
  | None => Yes []
  | Some i =>
      match nth_error (body r) i with
      | Some (Holds st) =>
          do _ <- need (is_fact (head r) && is_fact st) "an induction is of a fact, and over one";
          Yes [(Z.of_nat i, st, Before)]
      | _ => No "an induction is over no statement of the rule"
      end
  end.

Definition check_cases (th : theory) (lemmas : list lemma) (reached one_moment : bool) (y : context) (r : rule) (o : option nat)
    (t : tree) : answer unit :=
  do _ <- need (forallb (fun v => negb (of_case v)) (rule_vars r)) "a variable is called as one of a case";
  do top <- start_of r o;
  walk th lemmas reached one_moment (option_map (fun i => (r, i)) o) top (rule_vars r) (svars (head r)) (fun v => mem v (rule_vars r))
    (case_ends th r) 0 [] y t.

Definition by_replies (c : certificate) : bool :=
  match openings c, answered_by c with None, [] => false | _, _ => true end.

Definition not_after (st : step) : bool := match when st with After => false | _ => true end.

Definition check (th : theory) (quiet : list place) (lemmas : list lemma) (r : rule) (c : certificate) : answer unit :=
  let known := if of_reached c then filter at_every_point lemmas else lemmas in
  let one_moment := timeless r && negb (names_by r) in
  do _ <- within (match keys c with [] => true | _ => false end) "keys or counts that are proved";
  do _ <- (if by_replies c
           then do _ <- need (forallb not_after (steps c)) "a step before any reply is read after it";
                rests_on_none th quiet (body r)
           else Yes tt);
  do x <- starting th quiet r;
  do _ <- consistent x;
  do y <- run_steps th known x one_moment true (steps c);
  if by_replies c
  then do _ <- need (match ending c, by_cases c with WNull, None => true | _, _ => false end) "an end besides replies";
       check_replies th (of_reached c) known quiet y r (openings c) (answered_by c)
  else match by_cases c with
       | None => check_end th y r (ending c)
       | Some (o, t) =>
           do _ <- need (match ending c with WNull => true | _ => false end) "an end besides cases";
           check_cases th known (of_reached c) one_moment y r o t
       end.

(** Certificates in order: each rule that is marked and accepted is a lemma for those that come after it. *)
Fixpoint check_all (th : theory) (quiet : list place) (lemmas : list lemma) (l : list (bool * rule * certificate)) :
    list (answer unit) :=
  match l with
  | [] => []
  | (is_lemma, r, c) :: l' =>
      let a := check th quiet lemmas r c in
      a :: check_all th quiet
             (match a with Yes _ => if is_lemma : bool then Proved (of_reached c) r :: lemmas else lemmas | _ => lemmas end) l'
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

  Hypothesis state_given : forall p row, state (Fact (Plain Changing p) Before row) -> ~ In p (derived th).

  Notation satisfies past c := (Contexts.satisfies (world past c) (other past c)).
  Notation rests past := (rests_on th state takable reply other past).

  (** The lemmas that a certificate may rest on are right where it is. *)
  Lemma lemmas_here : forall lemmas (reached : bool) past, (forall l, In l lemmas -> right th state takable reply other (at_every_point l) (lemma_rule l)) ->
    reached = true \/ past = [] -> rests past (if reached then filter at_every_point lemmas else lemmas).
  Proof.
    intros lemmas reached past L G l I. destruct reached.
    - apply filter_In in I as [I E]. auto.
    - split; [auto|]. destruct G as [G|G]; [discriminate|now right].
  Qed.

  Section Cases.
    Variable past : list (option action).
    Variable reached : bool.
    Hypothesis given : reached = true \/ past = [].
    Variable lemmas : list lemma.
    Hypothesis lemmas_right : rests past lemmas.
    Variable one_moment : bool.
    Variable r : rule.

    Definition head_here (c : option action) (s : assignment) : Prop := world past c (inst s Before (head r)).

    Lemma head_same : forall c s s', (forall v, In v (svars (head r)) -> s v = s' v) -> head_here c s' -> head_here c s.
    Proof. intros c s s' E H. unfold head_here in *. rewrite (inst_same s s' Before (head r) E). exact H. Qed.

    Lemma case_ends_sound : forall c s y e, fitting s -> satisfies past c s y -> case_ends th r y e = Yes tt -> head_here c s.
    Proof.
      intros c s y e F S H. unfold case_ends in H.
      destruct (numbered "known" e) as [[ns k]|]; [|destruct (noted "impossible" e) as [[ns w]|]; [|discriminate]];
        apply bind_yes in H as (z & N & H); apply (run_notes_sound th state takable reply other well state_sorted other_int past c s) in N; auto.
      - apply need_yes in H. unfold head_here. eapply is_known_sound; eauto.
      - exfalso. eapply contradicts_sound; eauto.
    Qed.

    Lemma not_reached : reached = false -> past = [].
    Proof. intros ->. destruct given as [G|G]; [discriminate|exact G]. Qed.

    Lemma check_cases_sound : forall y o t c,
      (forall s, fitting s -> (forall d, In d (body r) -> true_in (world past c) (other past c) s Before d) -> satisfies past c s y) ->
      check_cases th lemmas reached one_moment y r (Some o) t = Yes tt ->
      forall s, fitting s -> (forall d, In d (body r) -> true_in (world past c) (other past c) s Before d) -> head_here c s.
    Proof.
      intros y o t c Sat H s F B. unfold check_cases in H.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as (top & T & H). cbn [option_map start_of] in T, H.
      destruct (nth_error (body r) o) as [[b| | | |]|] eqn:N; try discriminate.
      apply bind_yes in T as ([] & _ & T). injection T as <-.
      set (P := fun past' c' f => past' = past -> c' = c -> forall s, fitting s -> inst s Before b = f ->
        (forall d, In d (body r) -> true_in (world past c) (other past c) s Before d) -> head_here c s).
      assert (All : forall f, world past c f -> P past c f).
      { intros f W. eapply below_holds. eapply (by_stages th state takable reply other state_given P); [|exact W].
        clear f W. intros past' c' f W D -> -> s' F' E B'.
        apply (proj1 (walk_sound th state takable reply other well state_sorted state_given other_int past c lemmas lemmas_right
          reached one_moment not_reached (Some (r, o)) [(Z.of_nat o, b, Before)] _ _ _ _ (P past c) (head_here c)
          (head_same c) (case_ends_sound c)
          ltac:(intros r0 i Eq s0 st F0 N0 P0 T0; injection Eq as <- <-; rewrite N in N0; injection N0 as <-; exact (P0 eq_refl eq_refl s0 F0 eq_refl T0))
          ltac:(intros r0 i Eq; injection Eq as <- <-; eauto))) with (s := s') in H; auto.
        - intros q [].
        - intros q [<-|[]]. cbn [fst snd]. rewrite E. exact D. }
      apply (All (inst s Before b)) with (s := s); auto.
      apply (B (Holds b)). eapply nth_error_In; eauto.
    Qed.

    Lemma check_cases_plain_sound : forall y t c s, fitting s -> satisfies past c s y ->
      check_cases th lemmas reached one_moment y r None t = Yes tt -> head_here c s.
    Proof.
      intros y t c s F S H. unfold check_cases in H.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as (top & T & H). cbn [option_map start_of] in T, H. injection T as <-.
      apply (proj1 (walk_sound th state takable reply other well state_sorted state_given other_int past c lemmas lemmas_right
        reached one_moment not_reached None [] _ _ _ _ (fun _ => True) (head_here c)
        (head_same c) (case_ends_sound c) ltac:(discriminate) ltac:(discriminate))) with (s := s) in H; auto; intros q [].
    Qed.
  End Cases.

  (** The theorem, of the part that is formalised. *)
  Theorem check_sound : forall lemmas r cert, (forall l, In l lemmas -> right th state takable reply other (at_every_point l) (lemma_rule l)) ->
    check th quiet lemmas r cert = Yes tt -> right th state takable reply other (of_reached cert) r.
  Proof.
    intros lemmas r cert L H past c s fit G B. unfold check in H.
    apply lemmas_here with (reached := of_reached cert) (past := past) in L; [|exact G].
    set (known := if of_reached cert then filter at_every_point lemmas else lemmas) in *.
    pose proof (not_reached past (of_reached cert) G) as Gv.
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
    assert (Reached : (exists o t, by_cases cert = Some (Some o, t)) \/
      forall c', Contexts.satisfies (world past c') (other past c') s x -> world past c' (inst s Before (head r))).
    { destruct (by_cases cert) as [[[o|] t]|]; [left; eauto|right|right]; intros c' S.
      - apply bind_yes in H as ([] & _ & H). eapply check_cases_plain_sound; [..|exact H]; eauto.
      - unfold check_end in H. destruct (numbered "known" (ending cert)) as [[ns k]|]; [|discriminate].
        apply bind_yes in H as (z & Ns & H). apply bind_yes in H as ([] & _ & H). apply need_yes in H.
        eapply is_known_sound; [|exact H]. eapply run_notes_sound; [..|exact Ns]; eauto. }
    unfold starting in St. apply bind_yes in St as ([] & No & St). apply within_yes in No. apply negb_true_iff in No.
    destruct Reached as [(o & t & Cs)|Reached].
    { rewrite Cs in H. apply bind_yes in H as ([] & _ & H).
      assert (O : only_names r = false).
      { unfold check_cases in H. apply bind_yes in H as ([] & _ & H). apply bind_yes in H as (top & T & _). cbn [start_of] in T.
        destruct (nth_error (body r) o) as [[b| | | |]|]; try discriminate. apply bind_yes in T as ([] & T & _). apply need_yes in T.
        unfold only_names, is_fact in *. destruct (srel (head r)); try discriminate; apply andb_false_r. }
      rewrite O in *. injection St as <-.
      eapply (check_cases_sound past (of_reached cert) G known L); [|exact H|exact fit|exact B].
      intros s' F' B'. apply Stepped; [exact F'|]. eapply taken; eauto using satisfies_empty. }
    clear H. destruct (only_names r) eqn:O.
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

  Theorem check_all_sound : forall l lemmas,
    (forall l, In l lemmas -> right th state takable reply other (at_every_point l) (lemma_rule l)) ->
    forall i m r cert, nth_error l i = Some (m, r, cert) ->
    nth_error (check_all th quiet lemmas l) i = Some (Yes tt) -> right th state takable reply other (of_reached cert) r.
  Proof.
    induction l as [|[[m r] cert] l IH]; intros lemmas L i m' r' cert' E H; [destruct i; discriminate|].
    destruct i as [|i]; cbn in E, H.
    - injection E as <- <- <-. injection H as H. eapply check_sound; eauto.
    - eapply IH; [|exact E|exact H]. intros q I. destruct (check th quiet lemmas r cert) as [[]|w|w] eqn:C; auto.
      destruct m; auto. destruct I as [<-|I]; [cbn; eapply check_sound; eauto|auto].
  Qed.
End Sound.

(** What it all rests on: nothing but the definitions. *)
Print Assumptions check_all_sound.
