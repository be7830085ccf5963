(** Steps and notes (the calculus page, "Notes" and "Steps"). *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Linear Values Meaning Contexts Conditions Worlds Stages Variables Sets.
Import ListNotations.
Local Open Scope string_scope.

(** [when] is [Always] where the step names no moment. *)
Record step := Step {
  applied : string; from_lemma : bool; when : moment; terms : list (string * term);
  proofs : list witness; notes : list witness }.

Fixpoint prove_all (th : theory) (x : context) (cs : list cond) (m : moment) (ws : list witness) : answer unit :=
  match cs, ws with
  | [], [] => Yes tt
  | c :: cs', w :: ws' => do _ <- shows th x c m w; prove_all th x cs' m ws'
  | _, _ => No "there is not one proof for each condition"
  end.

Definition called (th : theory) (n : string) : answer rule :=
  match filter (fun r => String.eqb (name r) n) (rules th) with
  | [r] => Yes r
  | _ => No "there is not one rule of this name"
  end.

(** Whether a lemma may be read after what is taken: it is a statement on a game, of any one moment. *)
Definition names_action (c : cond) : bool :=
  existsb (fun p => match fst p with Plain Action _ => true | _ => false end) (reads_of c).

Definition is_closed (c : cond) : bool := match c with Closed _ _ _ _ _ | All _ => true | _ => false end.

Definition goes_on (r : rule) : bool :=
  timeless r && on_game (srel (head r)) && negb (existsb names_action (body r)).

(** A rule that is right: at every point, or only at those that are given. *)
Record lemma := Proved { at_every_point : bool; lemma_rule : rule }.

(** The rule or lemma that a step applies, and whether it may be read after what is taken. *)
Definition source (th : theory) (lemmas : list lemma) (st : step) : answer (bool * rule) :=
  if from_lemma st then
    match filter (fun l => String.eqb (name (lemma_rule l)) (applied st)) lemmas with
    | [l] => Yes (at_every_point l && goes_on (lemma_rule l), lemma_rule l)
    | _ => Beyond "a lemma that was not accepted here"
    end
  else do r <- called th (applied st); Yes (true, r).

(** The conclusion of a rule under the terms of a step becomes known, where its conditions are proved. *)
Definition apply_rule (th : theory) (r : rule) (x : context) (one_moment : bool) (st : step) : answer context :=
  do _ <- within (negb (existsb is_other (body r))) "a rule with a condition of a kind that is not formalised";
  do _ <- need (timeless r || (no_tense (when st) && negb one_moment)) "a rule that says its own moments";
  do _ <- need (forallb (fun p => term_fits x (snd p)) (terms st)) "a term is none of the context";
  do _ <- need (forallb (fun v => match lookup v (terms st) with Some _ => true | None => false end) (rule_vars r))
            "a variable has no term";
  do _ <- within (forallb (fun p => free_term (snd p)) (terms st)) "a term that is called as a variable of a member";
  do _ <- within (negb (existsb is_closed (body r)) || forallb (fun p => mem (fst p) (rule_vars r)) (terms st))
            "a term for a variable of a condition on a closed set";
  do y <- run_notes th x (notes st);
  do _ <- prove_all th y (map (cput (put (terms st))) (body r)) (when st) (proofs st);
  Yes (take th y [Holds (sput (put (terms st)) (head r))] (when st)).

Definition is_after (m : moment) : bool := match m with After => true | _ => false end.

Definition run_step (th : theory) (lemmas : list lemma) (x : context) (one_moment : bool) (st : step) : answer context :=
  do p <- source th lemmas st;
  do y <- apply_rule th (snd p) x one_moment st;
  do _ <- within (fst p || negb (is_after (when st))) "a lemma that is no statement on a game, read after an action";
  Yes y.

Definition consistent (x : context) : answer unit := need (negb (conflict x)) "the conditions can never hold together".

(** [strict]: a contradiction is refused, and not used. *)
Fixpoint run_steps (th : theory) (lemmas : list lemma) (x : context) (one_moment strict : bool) (l : list step) :
    answer context :=
  match l with
  | [] => Yes x
  | st :: l' =>
      do y <- run_step th lemmas x one_moment st;
      do _ <- (if strict then consistent y else Yes tt);
      run_steps th lemmas y one_moment strict l'
  end.

(** Soundness *)

Lemma map_removelast : forall A B (f : A -> B) l, map f (removelast l) = removelast (map f l).
Proof.
  intros A B f. induction l as [|a [|b l] IH]; cbn; auto. cbn in IH. now rewrite <- IH.
Qed.

Lemma at_moment_always : forall r t, at_moment r t Always = at_moment r t Before.
Proof. intros [[] ?|?|? ? ?] []; reflexivity. Qed.

(** What is known stays known, by the same number. *)
Definition grows (x y : context) : Prop := exists l, known y = (known x ++ l)%list.

Lemma grows_refl : forall x, grows x x.
Proof. intro x. exists []. now rewrite app_nil_r. Qed.

Lemma grows_trans : forall x y z, grows x y -> grows y z -> grows x z.
Proof. intros x y z [a A] [b B]. exists (a ++ b)%list. now rewrite B, A, app_assoc. Qed.

Lemma known_at_grows : forall x y k p, grows x y -> known_at x k = Some p -> known_at y k = Some p.
Proof.
  intros x y k p [l E] H. unfold known_at in *. rewrite E, app_length.
  destruct ((0 <=? k) && (k <? Z.of_nat (List.length (known x))))%Z eqn:B; [|discriminate].
  apply andb_prop in B as [B C]. rewrite B. apply Z.leb_le in B. apply Z.ltb_lt in C.
  replace (k <? Z.of_nat (List.length (known x) + List.length l))%Z with true by (symmetry; apply Z.ltb_lt; lia).
  cbn [andb]. rewrite nth_error_app1; [exact H|lia].
Qed.

Lemma known_learn : forall x o a b, known (learn_comparison x o a b) = known x.
Proof.
  intros x o a b. unfold learn_comparison. set (y := if of_numbers o a b || is_number x a || is_number x b then _ else x).
  assert (Y : known y = known x) by (unfold y; destruct (_ || _); reflexivity).
  destruct o, a as [t| |], b as [u| |]; auto. unfold equate. destruct (term_eq _ _); auto.
  destruct (find y t), (find y u); auto.
Qed.

Lemma known_learn_if : forall which cs x, known (fold_left (learn_if which) cs x) = known x.
Proof.
  intros which. induction cs as [|c cs IH]; intro x; cbn; [reflexivity|]. rewrite IH.
  destruct c; cbn; auto. destruct (which _); auto using known_learn.
Qed.

Lemma known_take : forall th x cs m, known (take th x cs m) = (known x ++ map (fun c => (c, m)) cs)%list.
Proof. intros. unfold take. now rewrite !known_learn_if. Qed.

Lemma take_grows : forall th x cs m, grows x (take th x cs m).
Proof. intros. eexists. apply known_take. Qed.

Lemma run_notes_grow : forall th l x y, run_notes th x l = Yes y -> grows x y.
Proof.
  intros th. induction l as [|n l IH]; intros x y H; cbn in H.
  - injection H as <-. apply grows_refl.
  - apply bind_yes in H as (z & N & H). apply grows_trans with z; [|eauto]. unfold run_note in N.
    destruct (tagged "fact" n) as [[|[| |p|] [|[| | |ts] [|]]]|]; try (destruct (begins n _); discriminate).
    destruct (values_of ts); [|discriminate]. apply bind_yes in N as ([] & _ & N). injection N as <-. apply take_grows.
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

  Section Point.
    Variable past : list (option action).
    Variable c : option action.
    Variable s : assignment.
    Hypothesis fit : fitting s.
    Notation here := (world past c).
    Notation satisfies := (satisfies here (other past c) s).

    Lemma prove_all_sound : forall x m cs ws, satisfies x -> prove_all th x cs m ws = Yes tt ->
      forall d, In d cs -> true_in here (other past c) s m d.
    Proof.
      intros x m. induction cs as [|d cs IH]; intros [|w ws] S H e He; cbn in H; try discriminate.
      - destruct He.
      - apply bind_yes in H as ([] & P & H). destruct He as [<-|He].
        + eapply shows_sound; eauto.
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

    Lemma put_keeps : forall l d, forallb (fun p => free_term (snd p)) l = true -> keeps (put l) d.
    Proof.
      intros l d H _ v B. unfold put. destruct (lookup v l) as [t|] eqn:L; [|cbn; now rewrite B].
      apply lookup_in in L. rewrite forallb_forall in H. exact (H _ L).
    Qed.

    (** The moment at which a rule is read in a step. *)
    Definition read_at (m : moment) : moment := match m with After => After | _ => Before end.

    Lemma at_read : forall r t m, at_moment r t m = at_moment r t (read_at m).
    Proof. intros [[] ?|?|? ? ?] [] []; reflexivity. Qed.

    Lemma inst_read : forall s' m st, inst s' m st = inst s' (read_at m) st.
    Proof. intros. unfold inst. now rewrite at_read. Qed.

    (** A lemma is right after what is taken, because it is at the next point. *)
    Lemma goes_on_sound : forall r s', right th state takable reply other true r -> goes_on r = true ->
      existsb is_other (body r) = false -> fitting s' ->
      (forall d, In d (body r) -> true_in here (other past c) s' After d) -> here (inst s' After (head r)).
    Proof.
      intros r s' R G No F B. unfold goes_on in G. apply andb_prop in G as [G Na]. apply andb_prop in G as [Ti On].
      apply negb_true_iff in Na.
      assert (T : forall d p, In d (body r) -> In p (reads_of d) -> snd p = Always).
      { intros d p I J. unfold timeless in Ti. apply andb_prop in Ti as [_ Ti]. rewrite forallb_forall in Ti.
        specialize (Ti _ I). destruct d as [st|o a b|form read sizes ts result|id t ints|e]; try contradiction;
          unfold cond_timeless in Ti; rewrite forallb_forall in Ti; specialize (Ti p J); destruct (snd p); auto; discriminate. }
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
      specialize (R (c :: past) None s' F (or_introl eq_refl) Next).
      assert (H : world (c :: past) None (inst s' Before (head r))) by (destruct (only_names r); auto).
      assert (Th : stense (head r) = Always).
      { unfold timeless in Ti. apply andb_prop in Ti as [Ti _]. destruct (stense (head r)); auto; discriminate. }
      unfold inst in *. rewrite Th in *. destruct (head r) as [rel t args]. cbn in *.
      destruct rel as [|g|g a n]; try discriminate; cbn in *; now apply of_next.
    Qed.

    (** Lemmas that are right here. *)
    Definition rests_on (lemmas : list lemma) : Prop := forall l, In l lemmas ->
      right th state takable reply other (at_every_point l) (lemma_rule l) /\ (at_every_point l = true \/ past = []).

    Lemma source_right : forall lemmas st p, rests_on lemmas -> source th lemmas st = Yes p ->
      (In (snd p) (rules th) /\ fst p = true) \/
      (exists every, right th state takable reply other every (snd p) /\ (every = true \/ past = []) /\
        (fst p = true -> every = true /\ goes_on (snd p) = true)).
    Proof.
      intros lemmas st p L H. unfold source in H. destruct (from_lemma st); [right|left].
      - destruct (filter _ _) as [|a [|]] eqn:F; try discriminate. injection H as <-. cbn.
        assert (I : In a (filter (fun l => String.eqb (name (lemma_rule l)) (applied st)) lemmas)) by (rewrite F; now left).
        apply filter_In in I as [I _]. destruct (L a I) as [R G]. exists (at_every_point a). repeat split; auto;
          apply andb_prop in H as [A B]; auto.
      - apply bind_yes in H as (r & C & H). injection H as <-. cbn. eauto using called_in.
    Qed.

    Lemma apply_rule_sound : forall r one x st y, satisfies x ->
      (forall z, grows x z -> satisfies z -> timeless r = true \/ when st <> After ->
        prove_all th z (map (cput (put (terms st))) (body r)) (when st) (proofs st) = Yes tt ->
        let s' := fun v => tval s (put (terms st) v) in
        fitting s' -> (forall d, In d (body r) -> true_in here (other past c) s' (read_at (when st)) d) ->
        here (inst s' (read_at (when st)) (head r))) ->
      apply_rule th r x one st = Yes y -> satisfies y.
    Proof.
      intros r one x st y S C H. unfold apply_rule in H.
      apply bind_yes in H as ([] & No & H). apply within_yes in No. apply negb_true_iff in No.
      apply bind_yes in H as ([] & Ti & H). apply need_yes in Ti.
      apply bind_yes in H as ([] & Fi & H). apply need_yes in Fi.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as ([] & Fe & H). apply within_yes in Fe.
      apply bind_yes in H as ([] & _ & H).
      apply bind_yes in H as (z & Ns & H). pose proof (run_notes_grow _ _ _ _ Ns) as G. eapply (run_notes_sound th state takable reply other well state_sorted other_int past c s) in Ns; [|exact S].
      apply bind_yes in H as ([] & P & H).
      injection H as <-. pose proof (prove_all_sound _ _ _ _ Ns P) as T.
      eapply taken; eauto. intros d [<-|[]]. cbn. rewrite inst_put, inst_read.
      apply (C z); auto.
      - apply orb_prop in Ti as [Ti|Ti]; [now left|right]. apply andb_prop in Ti as [Ti _]. destruct (when st); discriminate.
      - exact (put_fitting x _ Fi).
      - intros d I.
        assert (E : true_in here (other past c) s (when st) (cput (put (terms st)) d)) by (apply T, in_map_iff; eauto).
        assert (O : is_other d = false).
        { destruct (is_other d) eqn:O; [|reflexivity].
          assert (existsb is_other (body r) = true) by (apply existsb_exists; eauto). congruence. }
        apply true_put in E; [|exact O|exact fit|exact (put_fitting x _ Fi)|exact (put_keeps _ d Fe)]. eapply true_where_read; [exact O| |exact E].
        intros [rel t] row _ W. unfold when_read in *. cbn in *. now rewrite <- at_read.
    Qed.

    Lemma right_here : forall every r s', right th state takable reply other every r -> every = true \/ past = [] ->
      fitting s' -> (forall d, In d (body r) -> true_in here (other past c) s' Before d) -> here (inst s' Before (head r)).
    Proof.
      intros every r s' R G F B. specialize (R past c s' F G B). destruct (only_names r); auto.
    Qed.

    Lemma run_step_sound : forall lemmas one x st y, rests_on lemmas ->
      satisfies x -> run_step th lemmas x one st = Yes y -> satisfies y.
    Proof.
      intros lemmas one x st y L S H. unfold run_step in H.
      apply bind_yes in H as (p & R & H). apply source_right in R; [|exact L].
      apply bind_yes in H as (z & A & H). apply bind_yes in H as ([] & Go & H). apply within_yes in Go. injection H as <-.
      eapply apply_rule_sound; [exact S| |exact A]. intros z' _ _ Ti _ s' F Each.
      destruct R as [[R _]|(every & R & G & Go')].
      - apply of_rule with (said := here); auto.
        destruct (when st) eqn:W; [now left|now left|]. right. destruct Ti as [Ti|Ti]; [auto|congruence].
      - destruct (when st) eqn:W; cbn [read_at] in *.
        + eapply right_here; eauto.
        + eapply right_here; eauto.
        + destruct (fst p) eqn:Fp; [|discriminate]. destruct (Go' eq_refl) as [-> Gn].
          apply goes_on_sound; auto.
          (* that no condition is of a kind that is not formalised *)
          unfold apply_rule in A. apply bind_yes in A as ([] & No & A). apply within_yes in No. now apply negb_true_iff in No.
    Qed.

    Lemma run_steps_sound : forall lemmas one strict l x y, rests_on lemmas ->
      satisfies x -> run_steps th lemmas x one strict l = Yes y -> satisfies y.
    Proof.
      intros lemmas one strict. induction l as [|st l IH]; intros x y L S H; cbn in H.
      - now injection H as <-.
      - apply bind_yes in H as (z & R & H). apply bind_yes in H as ([] & _ & H). eauto using run_step_sound.
    Qed.
  End Point.

End Sound.
