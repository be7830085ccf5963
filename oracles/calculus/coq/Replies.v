(** Proofs reply by reply (the calculus page, "Replies"). *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Linear Values Meaning Contexts Conditions Worlds Stages Variables Sets Steps Cases.
Import ListNotations.
Local Open Scope string_scope.

(** A reply that can be played: the number of its case, and what its variables stand for. *)
Record opening := Opening {
  number_of : Z; chosen : list (string * term); opened : list witness; opening_notes : list witness }.

(** The variable [x^] of a reply. *)
Definition marked (v : string) : string := v ++ "^".

Fixpoint unmarked (s : string) : option string :=
  match s with
  | EmptyString => None
  | String c EmptyString => if Ascii.eqb c "^" then Some EmptyString else None
  | String c rest => match unmarked rest with Some r => Some (String c r) | None => None end
  end.

Lemma unmarked_marked : forall v, unmarked (marked v) = Some v.
Proof.
  induction v as [|c v IH]; [reflexivity|]. unfold marked in *. cbn [append].
  destruct (v ++ "^") as [|d w] eqn:E; [destruct v; discriminate|]. cbn [unmarked] in *. now rewrite IH.
Qed.

(** What an argument of the game is in the learned rule. *)
Fixpoint game_term (gs hs : list term) (v : string) : option term :=
  match gs, hs with
  | Var w :: gs', h :: hs' => if String.eqb v w then Some h else game_term gs' hs' v
  | _ :: gs', _ :: hs' => game_term gs' hs' v
  | _, _ => None
  end.

Definition said_of (gs hs : list term) (others : string -> term) (v : string) : term :=
  match game_term gs hs v with Some t => t | None => others v end.

Definition acting_statement (k : reply_case) : statement := Statement (Plain Action (acting k)) Always (action_terms k).

Definition case_vars (k : reply_case) : list string :=
  svars (acting_statement k) ++ flat_map cvars (asked k) ++ match unless k with Some u => svars u | None => [] end.

Definition own_vars (gs hs : list term) (k : reply_case) : list string :=
  filter (fun v => match game_term gs hs v with Some _ => false | None => true end) (nodup string_dec (case_vars k)).

Definition winning : list string := ["GI"; "G"; "GG"; "GP"].

(** The notes of an end, with the number or the witness after them. *)
Definition noted (t : string) (e : witness) : option (list witness * witness) :=
  match tagged t e with Some [WList ns; w] => Some (ns, w) | _ => None end.

Definition numbered (t : string) (e : witness) : option (list witness * Z) :=
  match noted t e with Some (ns, WInt k) => Some (ns, k) | _ => None end.

(** How the proof of a reply ends. *)
Section Ends.
  Variable th : theory.
  Variable game : string.
  Variable args : list term.

  Definition won_statement (v : string) : statement := Statement (Game game) After (args ++ [Val (Word v)]).

  Definition leaf_ends (bar : option statement) (y : context) (e : witness) : answer unit :=
    match numbered "known" e, numbered "barred" e, noted "impossible" e with
    | Some (ns, k), _, _ =>
        do z <- run_notes th y ns;
        need (existsb (fun v => is_known z (won_statement v) After k) winning) "the game is not known to be won"
    | _, Some (ns, k), _ =>
        do z <- run_notes th y ns;
        match bar with
        | Some u => need (is_known z u Before k) "what bars the reply is not known"
        | None => No "nothing bars the reply"
        end
    | _, _, Some (ns, w) => do z <- run_notes th y ns; contradicts z w
    | _, _, _ => No "the end is of no known form"
    end.
End Ends.

Definition of_reply (v : string) : bool := match unmarked v with Some _ => true | None => false end.

Section Check.
  Variable th : theory.
  Variable reached : bool.
  Variable lemmas : list lemma.
  Variable quiet : list place.

  Definition rests_on_none (cs : list cond) : answer unit :=
    if forallb (cond_quiet quiet Before) cs then Yes tt
    else if existsb (fun r => existsb is_other (body r)) (rules th) || existsb is_other cs
    then Beyond "a condition may rest on the action that is taken, or on a condition of a kind that is not formalised"
    else No "a condition may rest on the action that is taken".

  Definition bars (k : reply_case) : list cond := match unless k with Some u => [Holds u] | None => [] end.

  Definition check_case (x : context) (vars : list string) (game : string) (args : list term) (of : replies)
      (k : reply_case) (t : tree) : answer unit :=
    let f := said_of (arguments of) args (fun v => Var (marked v)) in
    do _ <- rests_on_none (asked k ++ bars k);
    do _ <- within (negb (existsb is_every (asked k))) "a condition of a reply of a kind that is not formalised";
    let x1 := with_own x (map marked (own_vars (arguments of) args k)) in
    let x2 := take th x1 [Holds (sput f (acting_statement k))] Always in
    let bar := option_map (sput f) (unless k) in
    walk th lemmas reached false None [] vars (flat_map tvars args ++ match bar with Some u => svars u | None => [] end) of_reply
      (leaf_ends th game args bar) 0 [] (take th x2 (map (cput f) (asked k)) Before) t.

  Fixpoint check_cases (x : context) (vars : list string) (game : string) (args : list term) (of : replies)
      (ks : list reply_case) (ts : list tree) : answer unit :=
    match ks, ts with
    | [], [] => Yes tt
    | k :: ks', t :: ts' => do _ <- check_case x vars game args of k t; check_cases x vars game args of ks' ts'
    | _, _ => No "there is not one proof for each alternative"
    end.

  Definition has_sort (of : replies) (k : reply_case) (p : term * bool) : bool :=
    match fst p with
    | Val _ => true
    | t => snd p || (if in_dec term_eq t (flat_map statement_vars (asked k) ++ arguments of) then true else false)
    end.

  Fixpoint with_columns (cols : list bool) (ts : list term) : list (term * bool) :=
    match ts, cols with
    | [], _ => []
    | t :: ts', [] => (t, false) :: with_columns [] ts'
    | t :: ts', c :: cols' => (t, c) :: with_columns cols' ts'
    end.

  Definition same_terms (a b : list term) : bool := if list_eq_dec term_eq a b then true else false.

  Definition case_at (of : replies) (o : opening) : option reply_case :=
    if ((0 <=? number_of o) && (number_of o <? Z.of_nat (List.length (reply_cases of))))%Z
    then nth_error (reply_cases of) (Z.to_nat (number_of o)) else None.

  (** Where there is a reply: the context with what the notes say. *)
  Definition check_opening (x : context) (args : list term) (of : replies) (o : opening) : answer context :=
    match case_at of o with
    | None => No "there is no such alternative"
    | Some k =>
        let f := said_of (arguments of) args (put (chosen o)) in
        do _ <- need (match unless k with None => true | Some _ => false end) "a reply that may be barred";
        do _ <- need (forallb (fun v => mem v (map fst (chosen o))) (own_vars (arguments of) args k)
                      && forallb (fun v => mem v (own_vars (arguments of) args k)) (map fst (chosen o)))
                  "it is not said what each variable of the reply is";
        do _ <- need (forallb (fun p => term_fits x (snd p)) (chosen o)) "a term is none of the rule";
        do _ <- within (forallb (fun t => match t with Val (Int z) => in64 z | _ => true end) args) "a number that is too large";
        do y <- run_notes th x (opening_notes o);
        do _ <- prove_all th y (map (cput f) (asked k)) Before (opened o);
        do _ <- within (negb (existsb (fun d => is_other d || is_every d) (asked k))) "a condition of a reply of a kind that is not formalised";
        do _ <- within (same_terms (map (tput f) (arguments of)) args) "arguments of the game that are no variables";
        do _ <- within (forallb (is_number_term y)
                         (in_columns (integer_columns th (Plain Action (acting k))) (map (tput f) (action_terms k))))
                  "a reply with a term of which it is not certain that it is a number";
        do _ <- within (forallb (has_sort of k)
                         (with_columns (integer_columns th (Plain Action (acting k))) (action_terms k)))
                  "a reply with a variable that stands in no statement";
        Yes y
    end.

  (** Whether a game is won whatever the opponent replies: [x] is what is known before. *)
  Definition check_replies (x : context) (r : rule) (o : option opening) (ts : list tree) : answer unit :=
    match head r with
    | Statement (Game g) Always terms =>
        let args := removelast terms in
        do _ <- need (timeless r && same_terms terms (args ++ [Val (Word "IG")])) "only IG is proved reply by reply";
        do _ <- need (forallb (fun v => match unmarked v with None => true | Some _ => false end) (rule_vars r))
                  "a variable is called as one of a reply";
        match answers_in th g, o with
        | Some of, Some o =>
            do y <- check_opening x args of o;
            check_cases y (rule_vars r) g args of (reply_cases of) ts
        | None, _ => No "the theory does not say which replies there are"
        | _, None => No "the opponent may have no reply"
        end
    | _ => No "only what a game is, is proved reply by reply"
    end.
End Check.

(** Soundness *)

Lemma game_term_value : forall s s' gs hs v h, map (tval s') gs = map (tval s) hs ->
  game_term gs hs v = Some h -> tval s h = s' v /\ In h hs.
Proof.
  intros s s'. induction gs as [|g gs IH]; intros [|h' hs] v h E H; cbn in E, H; try (destruct g; discriminate); try discriminate.
  injection E as E0 E.
  assert (Next : game_term gs hs v = Some h -> tval s h = s' v /\ In h (h' :: hs)).
  { intro H'. destruct (IH hs v h E H') as [A B]. split; [exact A|now right]. }
  destruct g as [w|w]; [|auto]. destruct (String.eqb v w) eqn:Q; [|auto].
  apply String.eqb_eq in Q. subst. injection H as ->. split; [now rewrite <- E0|now left].
Qed.

Lemma game_term_in : forall gs hs v h, game_term gs hs v = Some h -> In h hs.
Proof.
  induction gs as [|g gs IH]; intros [|h' hs] v h G; cbn in G; try (destruct g; discriminate); try discriminate.
  destruct g as [w|w]; [|right; eauto].
  destruct (String.eqb v w); [injection G as ->; now left|right; eauto].
Qed.

Lemma with_columns_in : forall cols ts i t, nth_error ts i = Some t ->
  exists c, In (t, c) (with_columns cols ts) /\ (c = true -> nth_error cols i = Some true).
Proof.
  intros cols ts. revert cols. induction ts as [|u ts IH]; intros cols [|i] t H; cbn in H; try discriminate.
  - injection H as ->. destruct cols as [|c cols]; cbn.
    + exists false. split; [now left|discriminate].
    + exists c. split; [now left|]. now intros ->.
  - destruct cols as [|c cols]; cbn.
    + destruct (IH [] i t H) as (d & I & N). exists d. split; [now right|].
      intro D. specialize (N D). destruct i; discriminate.
    + destruct (IH cols i t H) as (d & I & N). exists d. split; [now right|exact N].
Qed.

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
  Hypothesis state_given : forall p row, state (Fact (Plain Changing p) Before row) -> ~ In p (derived th).
  Variable past : list (option action).
  Variable reached : bool.
  Hypothesis given : reached = false -> past = [].
  Variable lemmas : list lemma.
  Hypothesis lemmas_right : rests_on th state takable reply other past lemmas.
  Variable quiet : list place.
  Hypothesis resting : resting_on_none th quiet = true.

  Notation sat past c s := (Contexts.satisfies (world past c) (other past c) s).

  Lemma rests_on_none_sound : forall cs, rests_on_none th quiet cs = Yes tt ->
    forallb (cond_quiet quiet Before) cs = true.
  Proof.
    intros cs H. unfold rests_on_none in H. destruct (forallb _ cs); [reflexivity|].
    destruct (_ || _); discriminate.
  Qed.

  Lemma quiet_other : forall d, cond_quiet quiet Before d = true -> is_other d = false.
  Proof. intros [| | | |] H; cbn in *; auto; discriminate. Qed.

  Section Reply.
    Variable a : action.
    Variable s : assignment.
    Hypothesis fit : fitting s.
    Variable game : string.
    Variable args : list term.
    Notation here := (world past (Some a)).
    Notation satisfies := (sat past (Some a) s).

    Definition answered (bar : option statement) : Prop :=
      (exists v, won v /\ here (Fact (Game game) After (map (tval s) args ++ [v]))) \/
      (exists u, bar = Some u /\ here (inst s Before u)).

    Lemma leaf_sound : forall y bar e, satisfies y -> leaf_ends th game args bar y e = Yes tt -> answered bar.
    Proof.
      intros y bar e S H. unfold leaf_ends in H.
      assert (Notes : forall ns z, run_notes th y ns = Yes z -> satisfies z)
        by (intros; eapply run_notes_sound; eauto).
      destruct (numbered "known" e) as [[ns k]|]; [|destruct (numbered "barred" e) as [[ns k]|];
        [|destruct (noted "impossible" e) as [[ns w]|]; [|discriminate]]];
        apply bind_yes in H as (z & N & H); apply Notes in N.
      - apply need_yes, existsb_exists in H as (v & I & K).
        left. exists (Word v). split.
        + unfold won. cbn in I |- *. destruct I as [<-|[<-|[<-|[<-|[]]]]]; auto.
        + eapply is_known_sound in K; eauto. unfold inst, won_statement in K. cbn in K.
          rewrite map_app in K. exact K.
      - destruct bar as [u|]; [|discriminate]. apply need_yes in H.
        right. exists u. split; [reflexivity|]. eapply is_known_sound; eauto.
      - exfalso. eapply contradicts_sound; eauto.
    Qed.

  End Reply.

  Lemma answered_same : forall a s s' game args bar,
    (forall v, In v (flat_map tvars args ++ match bar with Some u => svars u | None => [] end) -> s v = s' v) ->
    answered a s' game args bar -> answered a s game args bar.
  Proof.
    intros a s s' game args bar E [(v & W & H)|(u & -> & H)].
    - left. exists v. split; [exact W|]. rewrite (tvals_same s s' args); [exact H|]. intros w I. apply E, in_or_app. now left.
    - right. exists u. split; [reflexivity|]. rewrite (inst_same s s'); [exact H|]. intros w I. apply E, in_or_app. now right.
  Qed.

  (** What is known of a rule's body before any reply is so in every world, whatever a reply's own variables stand for. *)
  Variable s : assignment.
  Hypothesis fit : fitting s.

  Definition extended (s' : assignment) (v : string) : value :=
    match unmarked v with Some w => s' w | None => s v end.

  Lemma extended_fits : forall s', fitting s' -> fitting (extended s').
  Proof. intros s' F v. unfold extended. destruct (unmarked v); auto. Qed.

  Lemma extended_term : forall s' t l, forallb (fun v => match unmarked v with None => true | Some _ => false end) l = true ->
    (forall v, In v (tvars t) -> In v l) -> tval (extended s') t = tval s t.
  Proof.
    intros s' [v|v] l H I; [|reflexivity]. cbn. unfold extended. rewrite forallb_forall in H.
    specialize (H v (I v (or_introl eq_refl))). destruct (unmarked v); [discriminate|reflexivity].
  Qed.

  Lemma said_value : forall s' gs args l v,
    forallb (fun v => match unmarked v with None => true | Some _ => false end) l = true ->
    (forall t, In t args -> forall v, In v (tvars t) -> In v l) -> map (tval s') gs = map (tval s) args ->
    tval (extended s') (said_of gs args (fun v => Var (marked v)) v) = s' v.
  Proof.
    intros s' gs args l v U A E. unfold said_of. destruct (game_term gs args v) as [h|] eqn:G.
    - destruct (game_term_value s s' gs args v h E G) as [V I].
      rewrite (extended_term s' h l U (A h I)). exact V.
    - cbn. unfold extended. now rewrite unmarked_marked.
  Qed.

  Theorem check_replies_sound : forall x r o ts,
    (forall c s', fitting s' -> (forall d, In d (body r) -> true_in (world past c) (other past c) s' Before d) -> sat past c s' x) ->
    existsb is_other (body r) = false -> forallb (cond_quiet quiet Before) (body r) = true ->
    (exists c, forall d, In d (body r) -> true_in (world past c) (other past c) s Before d) ->
    check_replies th reached lemmas quiet x r o ts = Yes tt -> forall c, world past c (inst s Before (head r)).
  Proof.
    intros x r o ts Known No Qb [c0 B] H. unfold check_replies in H.
    destruct (head r) as [rel t terms] eqn:Hd. destruct rel as [|g|]; try discriminate. destruct t; try discriminate.
    set (args := removelast terms) in *.
    apply bind_yes in H as ([] & T & H). apply need_yes, andb_prop in T as [_ T].
    unfold same_terms in T. destruct list_eq_dec as [T'|]; [|discriminate]. clear T.
    apply bind_yes in H as ([] & U & H). apply need_yes in U.
    destruct (answers_in th g) as [of|] eqn:Of; [|discriminate]. destruct o as [o|]; [|discriminate].
    apply bind_yes in H as (y & Op & Ck). rewrite forallb_forall in Qb.
    assert (Args : forall t, In t args -> forall v, In v (tvars t) -> In v (rule_vars r)).
    { intros t I v J. unfold rule_vars. apply in_or_app. left. rewrite Hd. unfold svars. cbn. rewrite T'.
      apply in_flat_map. exists t. split; [|exact J]. apply in_or_app. now left. }
    assert (Each : forall c s', fitting s' -> (forall v, In v (rule_vars r) -> s' v = s v) ->
      forall d, In d (body r) -> true_in (world past c) (other past c) s' Before d).
    { intros c s' F E d I. apply (true_same _ _ s).
      - apply quiet_other. auto.
      - intros v J. symmetry. apply E. unfold rule_vars. apply in_or_app. right. apply in_flat_map. eauto.
      - exact F.
      - apply (quiet_true th state takable reply other quiet past c0); auto. }
    (* The opening *)
    unfold check_opening in Op.
    destruct (case_at of o) as [k|] eqn:Nth; [|discriminate].
    assert (Ik : In k (reply_cases of)).
    { unfold case_at in Nth. destruct (_ && _); [eapply nth_error_In; eauto|discriminate]. }
    set (f := said_of (arguments of) args (put (chosen o))) in *.
    apply bind_yes in Op as ([] & Nu & Op). apply need_yes in Nu.
    apply bind_yes in Op as ([] & _ & Op). apply bind_yes in Op as ([] & Fi & Op). apply need_yes in Fi.
    apply bind_yes in Op as ([] & Fa & Op). apply within_yes in Fa.
    apply bind_yes in Op as (y' & Ns & Op). apply bind_yes in Op as ([] & Pr & Op).
    apply bind_yes in Op as ([] & Na & Op). apply within_yes, negb_true_iff in Na.
    apply bind_yes in Op as ([] & Sa & Op). apply within_yes in Sa.
    apply bind_yes in Op as ([] & Nm & Op). apply within_yes in Nm.
    apply bind_yes in Op as ([] & So & Op). apply within_yes in So. injection Op as ->.
    assert (Sy : forall c s', fitting s' -> (forall v, In v (rule_vars r) -> s' v = s v) -> sat past c s' y).
    { intros c s' F E. eapply run_notes_sound; [..|exact Ns]; eauto. }
    assert (S0 : sat past None s y) by auto.
    unfold same_terms in Sa. destruct list_eq_dec as [Sa'|]; [|discriminate]. clear Sa.
    set (s0 := fun v => tval s (f v)).
    assert (F0 : fitting s0).
    { intro v. unfold s0, f, said_of. destruct (game_term (arguments of) args v) as [h|] eqn:G.
      - assert (I : In h args).
        { exact (game_term_in _ _ _ _ G). }
        rewrite forallb_forall in Fa. specialize (Fa h I). destruct h as [w|[w|z]]; cbn; [apply fit|exact Logic.I|exact Fa].
      - exact (put_fitting s fit x (chosen o) Fi v). }
    set (b := (acting k, map (tval s0) (action_terms k))).
    assert (Row : map (tval s) args = map (tval s0) (arguments of)).
    { rewrite <- Sa'. rewrite map_map. apply map_ext. intro t. unfold s0. apply tval_put. }
    assert (Sb : sorted th (action_fact b)).
    { intros i v Hc Hv. cbn in Hc, Hv. rewrite forallb_forall in Nm.
      destruct (nth_error (action_terms k) i) as [t|] eqn:E.
      - rewrite (map_nth_error _ _ _ E) in Hv. injection Hv as <-.
        assert (I : is_int (tval s (tput f t))).
        { eapply is_number_term_sound; [exact S0|]. apply Nm. eapply in_columns_all; eauto using map_nth_error. }
        rewrite tval_put in I. exact I.
      - apply nth_error_None in E.
        assert (L : (i < List.length (map (tval s0) (action_terms k)))%nat) by (apply nth_error_Some; congruence).
        rewrite map_length in L. lia. }
    assert (Rb : reply past g (map (tval s) args) b).
    { apply (open_cases past g _ of k b s0 Of Ik).
      - destruct (unless k); [discriminate|reflexivity].
      - repeat split; auto. intros d I.
        assert (D : is_other d || is_every d = false).
        { destruct (is_other d || is_every d) eqn:D; [|reflexivity]. rewrite <- Na. symmetry. apply existsb_exists. eauto. }
        apply orb_false_elim in D as [D D']. apply true_put; [exact D|exact fit|exact F0|intro Q; congruence|].
        eapply prove_all_sound; [..|exact Pr|]; eauto. apply in_map_iff. eauto.
      - intros i t E. rewrite forallb_forall in So.
        destruct (with_columns_in (integer_columns th (Plain Action (acting k))) (action_terms k) i t E) as (c & I & C).
        specialize (So _ I). unfold has_sort in So. cbn in So. destruct t as [w|w]; [|eauto].
        apply orb_prop in So as [So|So]; [auto|]. right. right.
        destruct in_dec as [J|]; [|discriminate]. apply in_app_or in J as [J|J]; auto.
      - exact Sb. }
    (* Each reply *)
    assert (Answer : forall a, reply past g (map (tval s) args) a ->
      exists v, won v /\ world past (Some a) (Fact (Game g) After (map (tval s) args ++ [v]))).
    { intros a Ra. destruct (complete past g _ a Ra) as (of' & k' & s' & Of' & Ik' & (F' & R' & A' & C') & Sa & Bar).
      rewrite Of in Of'. injection Of' as <-.
      set (e := extended s').
      assert (Fe : fitting e) by now apply extended_fits.
      assert (Ee : forall v, In v (rule_vars r) -> e v = s v).
      { intros v I. unfold e, extended. rewrite forallb_forall in U. specialize (U v I).
        destruct (unmarked v); [discriminate|reflexivity]. }
      assert (Ea : map (tval e) args = map (tval s) args).
      { apply map_ext_in. intros t I. apply (extended_term s' t (rule_vars r) U). eauto. }
      set (h := said_of (arguments of) args (fun v => Var (marked v))).
      assert (Eh : forall v, tval e (h v) = s' v).
      { intro v. apply said_value with (l := rule_vars r); auto. }
      assert (Case : exists t, In t ts /\ check_case th reached lemmas quiet y (rule_vars r) g args of k' t = Yes tt).
      { clear - Ck Ik'. revert ts Ck. induction (reply_cases of) as [|k ks IH]; intros [|t ts] Ck; cbn in Ck; try discriminate.
        - destruct Ik'.
        - apply bind_yes in Ck as ([] & C & Ck). destruct Ik' as [->|I].
          + exists t. split; [now left|exact C].
          + destruct (IH I ts Ck) as (t' & J & C'). exists t'. split; [now right|exact C']. }
      destruct Case as (t & _ & Case). unfold check_case in Case.
      apply bind_yes in Case as ([] & Q & Case). apply rests_on_none_sound in Q. rewrite forallb_forall in Q.
      apply bind_yes in Case as ([] & Ev & Case). apply within_yes, negb_true_iff in Ev.
      fold h in Case.
      assert (Said : forall d, In d (asked k') -> true_in (world past (Some a)) (other past (Some a)) e Before (cput h d)).
      { intros d I. assert (Qd : cond_quiet quiet Before d = true) by (apply Q, in_or_app; auto).
        assert (D : is_every d = false).
        { destruct (is_every d) eqn:D; [|reflexivity]. rewrite <- Ev. symmetry. apply existsb_exists. eauto. }
        apply true_put; [now apply quiet_other|exact Fe|intro v; rewrite Eh; apply F'|intro W; congruence|].
        apply (true_same _ _ s'); [now apply quiet_other|intros v _; symmetry; apply Eh|intro v; rewrite Eh; apply F'|].
        apply (quiet_true th state takable reply other quiet past None); auto. }
      set (bar := option_map (sput h) (unless k')) in *.
      apply (proj1 (walk_sound th state takable reply other well state_sorted state_given other_int past (Some a) lemmas lemmas_right
        reached false given None [] _ _ _ _ (fun _ => True)
        (fun s0 => answered a s0 g args bar)
        ltac:(intros s1 s2 E; apply answered_same; exact E)
        ltac:(intros s1 y1 e1 F1 S1 E1; eapply leaf_sound; eauto)
        ltac:(discriminate) ltac:(discriminate))) with (s := e) in Case; auto; try (intros q []).
      - unfold bar in Case. unfold answered in Case. rewrite Ea in Case. destruct Case as [Won|(u & Hu & Wu)]; [exact Won|].
        destruct (unless k') as [u'|] eqn:Un; [|discriminate]. injection Hu as <-. exfalso. apply (Bar u' eq_refl).
        rewrite inst_put in Wu. rewrite (inst_same _ s' Before u') in Wu by (intros; apply Eh).
        assert (Qu : cond_quiet quiet Before (Holds u') = true).
        { apply Q, in_or_app. right. unfold bars. rewrite Un. now left. }
        exact (quiet_true th state takable reply other quiet past (Some a) None s' (Holds u') resting Qu Wu).
      - eapply taken; eauto.
        + eapply taken; eauto.
          * destruct (Sy (Some a) e Fe Ee) as [K1 K2 K3 K4]. split; auto.
          * intros d [<-|[]]. cbn. rewrite inst_put. unfold inst, acting_statement. cbn.
            replace (map (tval (fun v => tval e (h v))) (action_terms k')) with (snd a).
            { replace (acting k') with (fst a) by now rewrite A'. apply of_action. exact Sa. }
            rewrite A'. cbn. apply map_ext. intros [v|v]; [symmetry; apply Eh|reflexivity].
        + intros d I. apply in_map_iff in I as (d' & <- & I). auto. }
    intro c. unfold inst. cbn. rewrite T'. rewrite map_app. cbn.
    apply of_replies with (gives := fun a v => won v /\ world past (Some a) (Fact (Game g) After (map (tval s) args ++ [v]))).
    - eauto.
    - exact Answer.
    - intros a v [W _]. exact W.
    - intros a v _ [_ W]. exact W.
  Qed.
End Sound.
