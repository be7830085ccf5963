(** Steps and notes (the calculus page, "Notes" and "Steps"). *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Values Meaning Contexts Linear Conditions Worlds.
Import ListNotations.
Local Open Scope string_scope.

(** [when] is [Always] where the step names no moment. *)
Record step := Step {
  applied : string; from_lemma : bool; when : moment; terms : list (string * term);
  proofs : list witness; notes : list witness }.

(** Terms as a certificate writes them. *)
Definition term_of_text (t : string) : term :=
  match t with
  | EmptyString => Val (Word t)
  | String c rest =>
      if Ascii.eqb c "?" then Var rest else if Ascii.eqb c "'" then Val (Word rest) else Val (Word t)
  end.

Fixpoint values_of (l : list witness) : option (list value) :=
  match l with
  | [] => Some []
  | WInt z :: l' => match values_of l' with Some r => Some (Int z :: r) | None => None end
  | WText t :: l' =>
      match term_of_text t, values_of l' with Val v, Some r => Some (v :: r) | _, _ => None end
  | _ => None
  end.

Definition row_eq (a b : list value) : bool := if list_eq_dec value_eq a b then true else false.

Definition is_stated (th : theory) (p : string) (row : list value) : bool :=
  existsb (fun f => String.eqb (fst f) p && row_eq (snd f) row) (stated th).

Definition begins (n : witness) (ts : list string) : bool :=
  existsb (fun t => match tagged t n with Some _ => true | None => false end) ts.

Definition run_note (th : theory) (x : context) (n : witness) : answer context :=
  match tagged "fact" n with
  | Some [WText p; WList ts] =>
      match values_of ts with
      | Some row =>
          do _ <- need (is_stated th p row) "the theory does not state a fact";
          Yes (take th x [Holds (Statement (Plain Static p) Always (map Val row))] Always)
      | None => No "a fact has no words and integers"
      end
  | _ => if begins n ["key"; "member"; "sizes"] then Beyond "a note of what keys or counts give" else No "no known note"
  end.

Fixpoint run_notes (th : theory) (x : context) (l : list witness) : answer context :=
  match l with [] => Yes x | n :: l' => do y <- run_note th x n; run_notes th y l' end.

Fixpoint lookup {A} (v : string) (l : list (string * A)) : option A :=
  match l with [] => None | (w, a) :: l' => if String.eqb v w then Some a else lookup v l' end.

Definition put (l : list (string * term)) (v : string) : term :=
  match lookup v l with Some t => t | None => Var v end.

Definition sput (f : string -> term) (st : statement) : statement :=
  Statement (srel st) (stense st) (map (tput f) (sargs st)).

Definition cput (f : string -> term) (c : cond) : cond :=
  match c with
  | Holds st => Holds (sput f st)
  | Compare o a b => Compare o (eput f a) (eput f b)
  | Closed form read ts result => Closed form read (map (tput f) ts) (option_map (tput f) result)
  | Other _ _ _ => c
  end.

Definition svars (st : statement) : list string := flat_map tvars (sargs st).

Definition cvars (c : cond) : list string :=
  match c with
  | Holds st => svars st
  | Compare _ a b => evars a ++ evars b
  | Closed _ _ ts result => flat_map tvars ts ++ match result with Some t => tvars t | None => [] end
  | Other _ _ ints => ints
  end.

Definition rule_vars (r : rule) : list string := svars (head r) ++ flat_map cvars (body r).

Definition mem (v : string) (l : list string) : bool := existsb (String.eqb v) l.

Definition term_fits (x : context) (t : term) : bool :=
  match t with Var v => mem v (own x) | Val (Int z) => in64 z | Val (Word _) => true end.

Fixpoint prove_all (x : context) (cs : list cond) (m : moment) (ws : list witness) : answer unit :=
  match cs, ws with
  | [], [] => Yes tt
  | c :: cs', w :: ws' => do _ <- proves x c m w; prove_all x cs' m ws'
  | _, _ => No "there is not one proof for each condition"
  end.

Definition called (th : theory) (n : string) : answer rule :=
  match filter (fun r => String.eqb (name r) n) (rules th) with
  | [r] => Yes r
  | _ => No "there is not one rule of this name"
  end.

(** The rule or lemma that a step applies. *)
Definition source (th : theory) (lemmas : list rule) (st : step) : answer rule :=
  if from_lemma st then
    match filter (fun r => String.eqb (name r) (applied st)) lemmas with
    | [r] => Yes r
    | _ => Beyond "a lemma that was not accepted here"
    end
  else called th (applied st).

(** Whether a lemma may be read after what is taken: it is a statement on a game, of any one moment. *)
Definition names_action (c : cond) : bool :=
  existsb (fun p => match fst p with Plain Action _ => true | _ => false end) (reads_of c).

Definition is_closed (c : cond) : bool := match c with Closed _ _ _ _ => true | _ => false end.

Definition goes_on (r : rule) : bool :=
  timeless r && on_game (srel (head r)) && negb (existsb names_action (body r)).

Definition run_step (th : theory) (lemmas : list rule) (x : context) (one_moment : bool) (st : step) : answer context :=
  do r <- source th lemmas st;
  do _ <- within (negb (existsb is_other (body r))) "a rule with a condition of a kind that is not formalised";
  do _ <- need (timeless r || (no_tense (when st) && negb one_moment)) "a rule that says its own moments";
  do _ <- need (forallb (fun p => term_fits x (snd p)) (terms st)) "a term is none of the context";
  do _ <- need (forallb (fun v => match lookup v (terms st) with Some _ => true | None => false end) (rule_vars r))
            "a variable has no term";
  do _ <- within (negb (existsb is_closed (body r)) || forallb (fun p => mem (fst p) (rule_vars r)) (terms st))
            "a term for a variable of a condition on a closed set";
  do y <- run_notes th x (notes st);
  do _ <- prove_all y (map (cput (put (terms st))) (body r)) (when st) (proofs st);
  do _ <- within (match when st with After => negb (from_lemma st) || goes_on r | _ => true end)
            "a lemma that is no statement on a game, read after an action";
  Yes (take th y [Holds (sput (put (terms st)) (head r))] (when st)).

Definition consistent (x : context) : answer unit := need (negb (conflict x)) "the conditions can never hold together".

(** [strict]: a contradiction is refused, and not used. *)
Fixpoint run_steps (th : theory) (lemmas : list rule) (x : context) (one_moment strict : bool) (l : list step) :
    answer context :=
  match l with
  | [] => Yes x
  | st :: l' =>
      do y <- run_step th lemmas x one_moment st;
      do _ <- (if strict then consistent y else Yes tt);
      run_steps th lemmas y one_moment strict l'
  end.

(** Soundness *)

Lemma inst_put : forall s f m st, inst s m (sput f st) = inst (fun v => tval s (f v)) m st.
Proof.
  intros. unfold inst, sput; cbn. f_equal. rewrite map_map. apply map_ext. intro t. apply tval_put.
Qed.

Lemma true_put : forall `{meaning_of_forms} facts others s f m c, is_other c = false ->
  true_in facts others (fun v => tval s (f v)) m c <-> true_in facts others s m (cput f c).
Proof.
  intros F facts others s f m [st|o a b|form read ts result|id t ints] N; cbn in *; [| | |discriminate].
  - now rewrite inst_put.
  - split; intros (v & w & Ev & Ew & R); exists v, w; rewrite ?ev_put in *; auto.
  - rewrite map_map, (map_ext _ _ (tval_put s f)). destruct result as [t|]; cbn; [rewrite tval_put|]; reflexivity.
Qed.

Lemma map_removelast : forall A B (f : A -> B) l, map f (removelast l) = removelast (map f l).
Proof.
  intros A B f. induction l as [|a [|b l] IH]; cbn; auto. cbn in IH. now rewrite <- IH.
Qed.

Lemma at_moment_always : forall r t, at_moment r t Always = at_moment r t Before.
Proof. intros [[] ?|?|? ? ?] []; reflexivity. Qed.

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

  Section Point.
    Variable past : list (option action).
    Variable c : option action.
    Variable s : assignment.
    Hypothesis fit : fitting s.
    Notation here := (world past c).
    Notation satisfies := (satisfies here (other past c) s).

    Lemma here_sorted : forall f, here f -> sorted th f.
    Proof. intros f H. now apply (world_sorted th state takable reply other) with past c. Qed.

    Lemma taken : forall x cs m, satisfies x -> (forall d, In d cs -> true_in here (other past c) s m d) ->
      satisfies (take th x cs m).
    Proof. intros. apply satisfies_take; eauto using here_sorted. Qed.

    Lemma run_note_sound : forall x n y, satisfies x -> run_note th x n = Yes y -> satisfies y.
    Proof.
      intros x n y S H. unfold run_note in H.
      destruct (tagged "fact" n) as [[|[| |p|] [|[| | |ts] [|]]]|];
        try (destruct (begins n _); discriminate).
      destruct (values_of ts) as [row|]; [|discriminate].
      apply bind_yes in H as ([] & F & H). apply need_yes in F. injection H as <-.
      apply taken; [exact S|]. intros d [<-|[]]. cbn. unfold inst; cbn. rewrite map_map. cbn. rewrite map_id.
      apply of_stated. apply existsb_exists in F as ([q row'] & I & E). cbn in E.
      apply andb_prop in E as [E1 E2]. apply String.eqb_eq in E1. subst.
      unfold row_eq in E2. destruct list_eq_dec as [->|]; [exact I|discriminate].
    Qed.

    Lemma run_notes_sound : forall l x y, satisfies x -> run_notes th x l = Yes y -> satisfies y.
    Proof.
      induction l as [|n l IH]; intros x y S H; cbn in H.
      - now injection H as <-.
      - apply bind_yes in H as (z & N & H). eauto using run_note_sound.
    Qed.

    Lemma prove_all_sound : forall x m cs ws, satisfies x -> prove_all x cs m ws = Yes tt ->
      forall d, In d cs -> true_in here (other past c) s m d.
    Proof.
      intros x m. induction cs as [|d cs IH]; intros [|w ws] S H e He; cbn in H; try discriminate.
      - destruct He.
      - apply bind_yes in H as ([] & P & H). destruct He as [<-|He].
        + eapply proves_sound; eauto.
        + eauto.
    Qed.

    Lemma called_in : forall n r, called th n = Yes r -> In r (rules th).
    Proof.
      intros n r H. unfold called in H. destruct (filter _ _) as [|a [|]] eqn:F; try discriminate.
      injection H as ->. assert (I : In r (filter (fun r => String.eqb (name r) n) (rules th))) by (rewrite F; now left).
      now apply filter_In in I.
    Qed.

    Lemma put_fitting : forall x l, forallb (fun p => term_fits x (snd p)) l = true ->
      fitting (fun v => tval s (put l v)).
    Proof.
      intros x l H v. unfold put. destruct (lookup v l) as [t|] eqn:L; [|apply fit].
      assert (I : exists w, In (w, t) l).
      { clear H. induction l as [|[w u] l IH]; cbn in L; [discriminate|].
        destruct (String.eqb v w); [injection L as ->; exists w; now left|].
        destruct (IH L) as [w' I]. exists w'. now right. }
      destruct I as [w I]. rewrite forallb_forall in H. specialize (H _ I). cbn in H.
      destruct t as [u|[u|z]]; cbn in *; [apply fit|exact Logic.I|exact H].
    Qed.

    (** The moment at which a rule is read in a step. *)
    Definition read_at (m : moment) : moment := match m with After => After | _ => Before end.

    Lemma at_read : forall r t m, at_moment r t m = at_moment r t (read_at m).
    Proof. intros [[] ?|?|? ? ?] [] []; reflexivity. Qed.

    Lemma inst_read : forall s' m st, inst s' m st = inst s' (read_at m) st.
    Proof. intros. unfold inst. now rewrite at_read. Qed.

    (** A lemma is right after what is taken, because it is at the next point. *)
    Lemma goes_on_sound : forall r s', right th state takable reply other r -> goes_on r = true ->
      existsb is_other (body r) = false -> fitting s' ->
      (forall d, In d (body r) -> true_in here (other past c) s' After d) -> here (inst s' After (head r)).
    Proof.
      intros r s' R G No F B. unfold goes_on in G. apply andb_prop in G as [G Na]. apply andb_prop in G as [Ti On].
      apply negb_true_iff in Na.
      assert (T : forall d p, In d (body r) -> In p (reads_of d) -> snd p = Always).
      { intros d p I J. unfold timeless in Ti. apply andb_prop in Ti as [_ Ti]. rewrite forallb_forall in Ti.
        specialize (Ti _ I). destruct d as [st|o a b|form read ts result|id t ints]; cbn in Ti, J; try contradiction.
        - destruct J as [<-|[]]. cbn. destruct (stense st); auto; discriminate.
        - rewrite forallb_forall in Ti. specialize (Ti p J). destruct (snd p); auto; discriminate. }
      assert (Next : forall d, In d (body r) -> true_in (world (c :: past) None) (other (c :: past) None) s' Before d).
      { intros d I. specialize (B _ I). eapply true_where_read; [| |exact B].
        - destruct (is_other d) eqn:E; [|reflexivity].
          assert (existsb is_other (body r) = true) by (apply existsb_exists; eauto). congruence.
        - intros [rel t] row J W. pose proof (T d _ I J) as E. cbn in E. subst t. unfold when_read in *. cbn in *.
          destruct rel as [[] p|g|g a n]; cbn in *.
          + destruct (statics_stay th state takable reply other well _ _ _ W eq_refl (c :: past) None) as [D|D];
              [exact D|]. exfalso. now apply D.
          + exfalso. assert (E : existsb names_action (body r) = true); [|congruence].
            apply existsb_exists. exists d. split; [exact I|]. apply existsb_exists. eexists. split; [exact J|reflexivity].
          + now apply of_past.
          + now apply of_past.
          + now apply of_past. }
      specialize (R (c :: past) None s' F Next).
      assert (H : world (c :: past) None (inst s' Before (head r))) by (destruct (only_names r); auto).
      assert (Th : stense (head r) = Always).
      { unfold timeless in Ti. apply andb_prop in Ti as [Ti _]. destruct (stense (head r)); auto; discriminate. }
      unfold inst in *. rewrite Th in *. destruct (head r) as [rel t args]. cbn in *.
      destruct rel as [|g|g a n]; try discriminate; cbn in *; now apply of_next.
    Qed.

    Lemma source_right : forall lemmas st r, (forall l, In l lemmas -> right th state takable reply other l) ->
      source th lemmas st = Yes r ->
      (from_lemma st = false /\ In r (rules th)) \/ (from_lemma st = true /\ right th state takable reply other r).
    Proof.
      intros lemmas st r L H. unfold source in H. destruct (from_lemma st); [right|left; eauto using called_in].
      split; [reflexivity|]. destruct (filter _ _) as [|a [|]] eqn:F; try discriminate. injection H as ->.
      apply L. assert (I : In r (filter (fun r => String.eqb (name r) (applied st)) lemmas)) by (rewrite F; now left).
      now apply filter_In in I.
    Qed.

    Lemma run_step_sound : forall lemmas one x st y, (forall l, In l lemmas -> right th state takable reply other l) ->
      satisfies x -> run_step th lemmas x one st = Yes y -> satisfies y.
    Proof.
      intros lemmas one x st y L S H. unfold run_step in H.
      apply bind_yes in H as (r & R & H). apply source_right in R; [|exact L].
      apply bind_yes in H as ([] & No & H). apply within_yes in No. apply negb_true_iff in No.
      apply bind_yes in H as ([] & Ti & H). apply need_yes in Ti.
      apply bind_yes in H as ([] & Fi & H). apply need_yes in Fi.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as ([] & _ & H).
      apply bind_yes in H as (z & Ns & H). apply run_notes_sound in Ns; [|exact S].
      apply bind_yes in H as ([] & P & H).
      apply bind_yes in H as ([] & Go & H). apply within_yes in Go.
      injection H as <-. pose proof (prove_all_sound _ _ _ _ Ns P) as T. clear P.
      apply taken; [exact Ns|]. intros d [<-|[]]. cbn. rewrite inst_put, inst_read.
      set (s' := fun v => tval s (put (terms st) v)).
      assert (F : fitting s') by exact (put_fitting x _ Fi).
      assert (Each : forall d, In d (body r) -> true_in here (other past c) s' (read_at (when st)) d).
      { intros d I. assert (E : true_in here (other past c) s (when st) (cput (put (terms st)) d))
          by (apply T, in_map_iff; eauto).
        assert (O : is_other d = false).
        { destruct (is_other d) eqn:O; [|reflexivity].
          assert (existsb is_other (body r) = true) by (apply existsb_exists; eauto). congruence. }
        apply true_put in E; [|exact O]. eapply true_where_read; [exact O| |exact E].
        intros [rel t] row _ W. unfold when_read in *. cbn in *. now rewrite <- at_read. }
      destruct R as [[_ R]|[Fl R]].
      - apply of_rule with (said := here); auto.
        destruct (when st) eqn:W; [now left|now left|]. right. cbn in Ti. rewrite orb_false_r in Ti. auto.
      - destruct (when st) eqn:W; cbn [read_at] in *.
        + specialize (R past c s' F Each). destruct (only_names r); auto.
        + specialize (R past c s' F Each). destruct (only_names r); auto.
        + rewrite Fl in Go. cbn in Go. now apply goes_on_sound.
    Qed.

    Lemma run_steps_sound : forall lemmas one strict l x y, (forall l, In l lemmas -> right th state takable reply other l) ->
      satisfies x -> run_steps th lemmas x one strict l = Yes y -> satisfies y.
    Proof.
      intros lemmas one strict. induction l as [|st l IH]; intros x y L S H; cbn in H.
      - now injection H as <-.
      - apply bind_yes in H as (z & R & H). apply bind_yes in H as ([] & _ & H). eauto using run_step_sound.
    Qed.
  End Point.

End Sound.
