(** Proofs by cases (the calculus page, "Cases" and "Induction"): by what a variable is, or by which rule concluded what is known. *)
From Coq Require Import ZArith List String Ascii Bool Lia DecimalString.
From Calculus Require Import Linear Values Meaning Contexts Conditions Worlds Stages Variables Sets Steps.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope list_scope.

(** Steps and an end; or, after steps, cases of what a variable is, with the rest, or of the rules that conclude a known word. *)
Inductive tree :=
  | Leaf (l : list step) (ending : witness)
  | Split (l : list step) (v : string) (b : branches)
  | Invert (l : list step) (p : string) (m : moment) (ts : list term) (ns : list witness) (k : Z) (b : trees)
with branches := Rest (t : tree) | Branch (u : term) (t : tree) (b : branches)
with trees := Done | More (t : tree) (b : trees).

Scheme tree_ind' := Induction for tree Sort Prop
with branches_ind' := Induction for branches Sort Prop
with trees_ind' := Induction for trees Sort Prop.
Combined Scheme proofs_ind from tree_ind', branches_ind', trees_ind'.

(** The variable of a rule in a case, and the end of its name. *)
Definition in_case (d : nat) (v : string) : string := (v ++ "~" ++ digits d)%string.

Definition of_case (v : string) : bool := existsb (fun c => Ascii.eqb c "~") (list_ascii_of_string v).

(** What is not formalised is known as what is always so: nothing follows from it. *)
Definition formal (c : cond) : cond := if is_other c then Compare CEq (Term (Val (Word ""))) (Term (Val (Word ""))) else c.

Definition sizes_of (c : cond) : list size :=
  match c with
  | Closed _ _ z _ _ => z
  | All e => [Size (count_name e) (set_count e) (set_tense e) (set_key e)]
  | _ => []
  end.

(** In a case the variables that a condition binds are called otherwise. *)
Definition renamed (d : nat) (c : cond) : cond :=
  match c with
  | All e =>
      All (Every (set_rel e) (set_tense e) (set_key e) (set_count e) (count_name e) (listed e)
             (map (fun p => (fst p, in_case d (snd p))) (others_called e)) (asks e))
  | _ => c
  end.

Definition sizes_in (r : rule) : list size := flat_map sizes_of (body r).

Definition size_statement (f : string -> term) (z : size) : statement :=
  Statement (size_rel z) (size_tense z) (map (tput f) (size_key z) ++ [f (size_name z)]).

Fixpoint equations (ts us : list term) : list cond :=
  match ts, us with
  | t :: ts', u :: us' => Compare CEq (Term t) (Term u) :: equations ts' us'
  | _, _ => []
  end.

(** A statement with the number by which it is known, and its moment. *)
Definition numbered_statement := (Z * statement * moment)%type.

Definition statement_eq (a b : statement) : {a = b} + {a <> b}.
Proof. decide equality; [apply list_eq_dec, term_eq | apply moment_eq | apply relation_eq]. Defined.

Definition is_among (x : context) (l : list numbered_statement) (k : Z) : bool :=
  existsb (fun q => let '(k', st, m) := q in
    Z.eqb k k' && match known_at x k with
                  | Some (Holds st', m') =>
                      (if statement_eq st st' then true else false) && (if moment_eq m m' then true else false)
                  | _ => false
                  end) l.

Definition variables_among (l : list numbered_statement) : list string := flat_map (fun q => svars (snd (fst q))) l.

Fixpoint numbered_from (k : Z) (m : moment) (l : list cond) : list numbered_statement :=
  match l with
  | [] => []
  | Holds st :: l' => (k, st, m) :: numbered_from (k + 1) m l'
  | _ :: l' => numbered_from (k + 1) m l'
  end.

Section Walk.
  Variable th : theory.
  Variable lemmas : list lemma.
  Variable reached one_moment : bool.
  (** The rule that is supposed of what was concluded before, and over which of its conditions the induction goes; and that
      condition, with its number. *)
  Variable induction : option (rule * nat).
  Variable top : list numbered_statement.
  (** The rule's variables, those that what is to be shown speaks of, and by which of the context's cases may be told apart. *)
  Variable vars goal_vars : list string.
  Variable apart : string -> bool.
  Variable ends : context -> witness -> answer unit.

  Definition case_step (x : context) (less : list numbered_statement) (st : step) : answer context :=
    if String.eqb (applied st) "~" then
      match induction with
      | None => No "a step supposes the rule itself, and there is no induction"
      | Some (r, i) =>
          do _ <- need (if moment_eq (when st) (if timeless r then Before else Always) then true else false)
                    "what is supposed is supposed of the moment of the rule";
          do _ <- need (match nth_error (proofs st) i with Some (WInt k) => is_among x less k | _ => false end)
                    "a step supposes the rule of something that was not concluded before";
          apply_rule th r x one_moment st
      end
    else run_step th lemmas x one_moment st.

  Fixpoint case_steps (x : context) (less : list numbered_statement) (l : list step) : answer context :=
    match l with [] => Yes x | st :: l' => do y <- case_step x less st; case_steps y less l' end.

  Definition told (v : string) (o : cmp) (u : term) : cond := Compare o (Term (Var v)) (Term u).

  (** The context of the case of a rule, and the rule's statements there, by number. *)
  Definition case_context (d : nat) (x : context) (less : list numbered_statement) (ts : list term) (m : moment) (r : rule) :
      answer (context * list numbered_statement) :=
    let f := fun v => Var (in_case d v) in
    let olds := nodup string_dec (rule_vars r) ++ map size_name (sizes_in r) in
    let new := map (in_case d) olds in
    let before := spoken_of x ++ flat_map tvars ts ++ variables_among (top ++ less) ++ goal_vars in
    do _ <- within (distinct olds && none_other x && forallb (fun v => negb (mem v new)) before)
              "a variable of a case that stands for something already";
    do _ <- within (timeless r || forallb (fun p => if moment_eq (when_read m p) (when_read Before p) then true else false)
                                    (flat_map reads_of (body r)))
              "a rule that says some of its moments";
    let y := take th (with_own x new) (equations (map (tput f) (sargs (head r))) ts) Always in
    let said := map (fun b => renamed d (cput f (formal b))) (body r) in
    let z := take th y said m in
    Yes (take th z (map (fun n => Holds (size_statement f n)) (sizes_in r)) m,
         numbered_from (Z.of_nat (List.length (known y))) m said).

  Definition branch_fits (x : context) (v : string) (u : term) : answer unit :=
    do _ <- need (match u with Var w => mem w vars || (of_case w && mem w (own x)) | Val _ => term_fits x u end)
              "a case is of no term of the rule";
    within (Bool.eqb (is_number_term x u) (is_number_term x (Var v))) "a case may be of another sort".

  Fixpoint walk (d : nat) (less : list numbered_statement) (x : context) (t : tree) : answer unit :=
    match t with
    | Leaf l e => do y <- case_steps x less l; ends y e
    | Split l v b =>
        do y <- case_steps x less l;
        do _ <- need (mem v (own y) && (apart v || of_case v)) "what is told apart is no variable of the case";
        walk_branches d less y v [] b
    | Invert l p m ts ns k b =>
        do y <- case_steps x less l;
        do z <- run_notes th y ns;
        do _ <- need (ruled_word th reached p m) "it is not certain that only rules conclude this";
        do _ <- need (forallb (term_fits z) ts) "a term is none of the context";
        do _ <- need (is_known z (Statement (Plain Changing p) Always ts) m k) "what is told apart is not known there";
        walk_cases d less (is_among z (top ++ less) k) z ts m (concluding th p m) b
    end
  with walk_branches (d : nat) (less : list numbered_statement) (x : context) (v : string) (seen : list term) (b : branches) :
      answer unit :=
    match b with
    | Rest t => walk d less (take th x (map (told v CNe) (rev seen)) Always) t
    | Branch u t b' =>
        do _ <- branch_fits x v u;
        do _ <- walk d less (take th x [told v CEq u] Always) t;
        walk_branches d less x v (u :: seen) b'
    end
  with walk_cases (d : nat) (less : list numbered_statement) (goes : bool) (x : context) (ts : list term) (m : moment)
      (rs : list rule) (b : trees) : answer unit :=
    match b, rs with
    | Done, [] => Yes tt
    | More t b', r :: rs' =>
        do p <- case_context (S d) x less ts m r;
        do _ <- walk (S d) (if goes then snd p ++ less else less) (fst p) t;
        walk_cases d less goes x ts m rs' b'
    | _, _ => No "there is not one proof for each rule"
    end.
End Walk.

(** Soundness *)

Arguments take : simpl never.

Lemma append_cancel : forall m a b : string, (a ++ m = b ++ m)%string -> a = b.
Proof.
  intros m. assert (L : forall a : string, String.length (a ++ m)%string = (String.length a + String.length m)%nat).
  { induction a as [|c a IH]; cbn; auto. }
  induction a as [|c a IH]; intros [|e b] E; auto.
  - apply (f_equal String.length) in E. rewrite !L in E. cbn in E. lia.
  - apply (f_equal String.length) in E. rewrite !L in E. cbn in E. lia.
  - cbn in E. injection E as -> E. f_equal. auto.
Qed.

Lemma in_case_one : forall d a b, in_case d a = in_case d b -> a = b.
Proof. intros d a b. apply append_cancel. Qed.

Lemma in_case_keeps : forall d c, keeps (fun v => Var (in_case d v)) c.
Proof. intros d c _ [|a v] B; [reflexivity|]. cbn in *. now rewrite B. Qed.

Lemma renamed_true : forall `{meaning_of_forms} facts others s m d c, true_in facts others s m c -> true_in facts others s m (renamed d c).
Proof. intros F facts others s m d c T. destruct c; exact T. Qed.

(** An assignment, with other values for the variables of a case. *)
Definition extension (d : nat) (olds : list string) (inner s : assignment) : assignment :=
  fun v => match List.find (fun o => String.eqb (in_case d o) v) olds with Some o => inner o | None => s v end.

Lemma extension_new : forall d olds inner s o, In o olds -> extension d olds inner s (in_case d o) = inner o.
Proof.
  intros d olds inner s o I. unfold extension.
  destruct (List.find _ olds) as [o'|] eqn:F.
  - apply find_some in F as [_ F]. apply String.eqb_eq, in_case_one in F. now subst.
  - exfalso. apply (find_none _ _ F) in I. rewrite String.eqb_refl in I. discriminate.
Qed.

Lemma extension_old : forall d olds inner s v, mem v (map (in_case d) olds) = false -> extension d olds inner s v = s v.
Proof.
  intros d olds inner s v N. unfold extension. destruct (List.find _ olds) as [o|] eqn:F; [|reflexivity].
  apply find_some in F as [I F]. apply String.eqb_eq in F. subst. rewrite in_mem in N; [discriminate|]. now apply in_map.
Qed.

Lemma extension_fits : forall d olds inner s, fitting inner -> fitting s -> fitting (extension d olds inner s).
Proof. intros d olds inner s A B v. unfold extension. destruct (List.find _ olds); auto. Qed.

Lemma distinct_app : forall a b v, distinct (a ++ b) = true -> In v a -> In v b -> False.
Proof.
  induction a as [|u a IH]; intros b v D I J; cbn in *; [contradiction|]. apply andb_prop in D as [N D].
  destruct I as [->|I]; [|eauto]. rewrite in_mem in N; [discriminate|]. apply in_or_app. now right.
Qed.

Lemma distinct_tail : forall a b, distinct (a ++ b) = true -> distinct b = true.
Proof. induction a as [|u a IH]; intros b D; cbn in *; auto. apply andb_prop in D as [_ D]. auto. Qed.

Lemma numbered_from_in : forall m l k q, In q (numbered_from k m l) -> In (Holds (snd (fst q))) l /\ snd q = m.
Proof.
  intros m. induction l as [|c l IH]; intros k q I; cbn in I; [contradiction|].
  destruct c as [st|o a b|form read sizes ts result|id t ints|e].
  1: destruct I as [<-|I]; [cbn; auto|].
  all: apply IH in I as [I E]; split; [now right|exact E].
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
  Hypothesis state_given : forall p row, state (Fact (Plain Changing p) Before row) -> ~ In p (derived th).
  Hypothesis other_int : forall past c m id ints s x, other past c m id ints s -> In x ints -> is_int (s x).

  Variable past : list (option action).
  Variable c : option action.
  Notation here := (world past c).
  Notation satisfies := (Contexts.satisfies here (other past c)).
  Notation truth := (true_in here (other past c)).
  Notation below P f := (below th state takable reply other P past c f).
  Notation descends P f := (descends th state takable reply other P past c f).
  Notation made := (made th other past c).
  Notation ruled f := (ruled th past f).

  Variable lemmas : list lemma.
  Hypothesis lemmas_right : rests_on th state takable reply other past lemmas.
  Variable reached one_moment : bool.
  Hypothesis given : reached = false -> past = [].
  Variable induction : option (rule * nat).
  Variable top : list numbered_statement.
  Variable vars goal_vars : list string.
  Variable apart : string -> bool.
  Variable ends : context -> witness -> answer unit.
  Variable P : fact -> Prop.
  Variable goal : assignment -> Prop.
  Hypothesis goal_same : forall s s', (forall v, In v goal_vars -> s v = s' v) -> goal s' -> goal s.
  Hypothesis ends_sound : forall s y e, fitting s -> satisfies s y -> ends y e = Yes tt -> goal s.
  Hypothesis supposed : forall r i, induction = Some (r, i) -> forall s st, fitting s -> nth_error (body r) i = Some (Holds st) ->
    P (inst s Before st) -> (forall d, In d (body r) -> truth s Before d) -> here (inst s Before (head r)).
  Hypothesis over_statement : forall r i, induction = Some (r, i) -> exists st, nth_error (body r) i = Some (Holds st).

  Definition all_below (s : assignment) (l : list numbered_statement) : Prop :=
    forall q, In q l -> below P (inst s (snd q) (snd (fst q))).

  Definition all_descend (s : assignment) (l : list numbered_statement) : Prop :=
    forall q, In q l -> descends P (inst s (snd q) (snd (fst q))).

  Lemma is_among_sound : forall x l k, is_among x l k = true ->
    exists q, In q l /\ known_at x k = Some (Holds (snd (fst q)), snd q).
  Proof.
    intros x l k H. apply existsb_exists in H as ([[k' st] m] & I & H). apply andb_prop in H as [_ H].
    exists (k', st, m). split; [exact I|]. destruct (known_at x k) as [[[st'| | | |] m']|]; try discriminate. cbn.
    apply andb_prop in H as [E F]. destruct statement_eq as [->|]; [|discriminate]. destruct moment_eq as [->|]; [|discriminate].
    reflexivity.
  Qed.

  Lemma case_step_sound : forall s x less st y, fitting s -> satisfies s x -> all_below s less ->
    case_step th lemmas one_moment induction x less st = Yes y -> satisfies s y.
  Proof.
    intros s x less st y F S L H. unfold case_step in H. destruct (String.eqb _ _); [|eapply run_step_sound; eauto].
    destruct induction as [[r i]|] eqn:Ind; [|discriminate].
    apply bind_yes in H as ([] & W & H). apply need_yes in W. destruct moment_eq as [W'|]; [|discriminate]. clear W.
    apply bind_yes in H as ([] & A & H). apply need_yes in A.
    destruct (nth_error (proofs st) i) as [[|k| |]|] eqn:N; try discriminate.
    apply is_among_sound in A as (q & I & K).
    eapply apply_rule_sound; [..|exact H]; eauto. intros z G Sz Ti Pr s' F' T.
    assert (R : read_at (when st) = Before) by (rewrite W'; destruct (timeless r); reflexivity).
    rewrite R in *. destruct (over_statement r i eq_refl) as [b B].
    apply (supposed r i eq_refl s' b F' B); [|exact T].
    apply (known_at_grows _ _ _ _ G) in K.
    assert (E : inst s' Before b = inst s (snd q) (snd (fst q))).
    { assert (Kn : is_known z (sput (put (terms st)) b) (when st) k = true).
      { clear - Pr N B. revert i N B Pr. generalize (proofs st) as ws. generalize (body r) as cs.
        induction cs as [|d cs IH]; intros [|w ws] [|i] N B Pr; cbn in N, B; try discriminate.
        - injection N as ->. injection B as ->. cbn in Pr. apply bind_yes in Pr as ([] & Pr & _). now apply need_yes in Pr.
        - cbn in Pr. apply bind_yes in Pr as ([] & _ & Pr). eauto. }
      unfold s'. rewrite <- inst_put. rewrite <- R, <- inst_read.
      unfold is_known in Kn. rewrite K in Kn. apply andb_prop in Kn as [Kn Row]. apply andb_prop in Kn as [Re Mo].
      destruct relation_eq as [Re'|]; [|discriminate]. destruct moment_eq as [Mo'|]; [|discriminate].
      unfold inst. rewrite Mo', Re', (same_row_value _ _ _ _ Sz _ _ Row). reflexivity. }
    rewrite E. eapply below_holds. apply L. exact I.
  Qed.

  Lemma case_steps_sound : forall s less l x y, fitting s -> satisfies s x -> all_below s less ->
    case_steps th lemmas one_moment induction x less l = Yes y -> satisfies s y.
  Proof.
    intros s less. induction l as [|st l IH]; intros x y F S L H; cbn in H.
    - now injection H as <-.
    - apply bind_yes in H as (z & R & H). eauto using case_step_sound.
  Qed.

  Lemma told_true : forall s v o u, (o = CEq -> s v = tval s u) -> (o = CNe -> s v <> tval s u) ->
    o = CEq \/ o = CNe -> truth s Always (told v o u).
  Proof.
    intros s v o u E N [->| ->]; exists (s v), (tval s u); repeat split; auto.
    - rewrite E by reflexivity. apply related_refl.
    - apply related_ne. auto.
  Qed.

  Lemma equations_true : forall s ts us d, map (tval s) ts = map (tval s) us -> In d (equations ts us) -> truth s Always d.
  Proof.
    intros s. induction ts as [|t ts IH]; intros [|u us] d E I; cbn in E, I; try contradiction. injection E as E0 E.
    destruct I as [<-|I]; [|eauto]. exists (tval s t), (tval s u). repeat split; auto. rewrite E0. apply related_refl.
  Qed.

  (** The numbers of members that sets have. *)
  Lemma sizes_chosen : forall (facts : fact -> Prop) s m l, distinct (map size_name l) = true -> (forall z, In z l -> has_size facts s m z) ->
    exists g : string -> Z, forall z, In z l -> in64 (g (size_name z)) = true /\
      facts (Fact (size_rel z) (when_read m (size_read z)) (map (tval s) (size_key z) ++ [Int (g (size_name z))])).
  Proof.
    intros facts s m. induction l as [|z l IH]; intros D H; [exists (fun _ => 0%Z); intros z []|].
    cbn in D. apply andb_prop in D as [N D]. destruct IH as [g G]; auto. { intros z' I. apply H. now right. }
    destruct (H z (or_introl eq_refl)) as (n & B & W).
    exists (fun v => if String.eqb v (size_name z) then n else g v). intros z' [<-|I].
    - rewrite String.eqb_refl. auto.
    - destruct (String.eqb (size_name z') (size_name z)) eqn:E; [|auto].
      apply String.eqb_eq in E. rewrite in_mem in N; [discriminate|]. rewrite <- E. now apply in_map.
  Qed.

  Lemma case_context_sound : forall d s x less ts m r p sr (said : fact -> Prop), fitting s -> satisfies s x -> fitting sr ->
    case_context th top goal_vars d x less ts m r = Yes p -> (forall g, said g -> here g) ->
    map (tval s) ts = map (tval sr) (sargs (head r)) ->
    (forall b, In b (body r) -> true_in said (other past c) sr (if timeless r then m else Before) b) ->
    exists s', fitting s' /\ satisfies s' (fst p) /\
      (forall v, In v (flat_map tvars ts ++ variables_among (top ++ less) ++ goal_vars) -> s v = s' v) /\
      forall q, In q (snd p) -> said (inst s' (snd q) (snd (fst q))).
  Proof.
    intros d s x less ts m r p sr said F S Fr H Sub Row T. unfold case_context in H.
    set (f := fun v => Var (in_case d v)) in *.
    set (olds := (nodup string_dec (rule_vars r) ++ map size_name (sizes_in r))%list) in *.
    apply bind_yes in H as ([] & A & H). apply within_yes in A. apply andb_prop in A as [A Fresh]. apply andb_prop in A as [D No].
    apply bind_yes in H as ([] & Mo & H). apply within_yes in Mo. injection H as <-. cbn [fst snd].
    rewrite forallb_forall in Fresh.
    assert (At : forall b, In b (body r) -> is_other b = false -> true_in said (other past c) sr m b).
    { intros b I O. specialize (T b I). destruct (timeless r); [exact T|]. cbn in Mo. rewrite forallb_forall in Mo.
      eapply true_where_read; [exact O| |exact T]. intros q row J W.
      assert (M : In q (flat_map reads_of (body r))) by (apply in_flat_map; eauto). specialize (Mo q M).
      destruct moment_eq as [Q|]; [|discriminate]. now rewrite Q. }
    destruct (sizes_chosen said sr m (sizes_in r)) as [g G].
    { exact (distinct_tail _ _ D). }
    { intros z I. unfold sizes_in in I. apply in_flat_map in I as (b & I & J).
      destruct b as [| |form read sizes us result| |e]; cbn in J; try contradiction.
      - destruct (At _ I eq_refl) as [_ Z]. auto.
      - destruct J as [<-|[]]. destruct (At _ I eq_refl) as (rows & B & C & _). exists (Z.of_nat (List.length rows)). auto. }
    set (inner := fun v => if mem v (map size_name (sizes_in r)) then (if in64 (g v) then Int (g v) else sr v) else sr v).
    assert (Fi : fitting inner).
    { intro v. unfold inner. destruct (mem _ _); [|apply Fr]. destruct (in64 (g v)) eqn:B; [exact B|apply Fr]. }
    assert (Old : forall v, In v (rule_vars r) -> inner v = sr v).
    { intros v I. unfold inner. destruct (mem v (map size_name (sizes_in r))) eqn:M; [|reflexivity]. exfalso.
      apply mem_in in M. eapply distinct_app; [exact D| |exact M]. now apply nodup_In. }
    set (s' := extension d olds inner s).
    assert (F' : fitting s') by now apply extension_fits.
    assert (New : forall v, In v (rule_vars r) -> tval s' (f v) = sr v).
    { intros v I. cbn. unfold s'. rewrite extension_new; [auto|]. apply in_or_app. left. now apply nodup_In. }
    assert (Same : forall v, In v (spoken_of x ++ flat_map tvars ts ++ variables_among (top ++ less) ++ goal_vars) -> s v = s' v).
    { intros v I. symmetry. apply extension_old. specialize (Fresh v I). now apply negb_true_iff in Fresh. }
    assert (Put : forall b, In b (body r) -> is_other b = false -> true_in said (other past c) s' m (cput f b)).
    { intros b I O. apply true_put; [exact O|exact F'|intro v; apply F'|exact (in_case_keeps d b)|].
      apply (true_same _ _ sr); [exact O| |intro v; apply F'|auto]. intros v J. symmetry. apply New. unfold rule_vars. apply in_or_app. right. apply in_flat_map. eauto. }
    exists s'. split; [exact F'|]. split; [|split].
    - eapply taken; eauto; [eapply taken; eauto; [eapply taken; eauto|]|].
      + destruct (satisfies_same here (other past c) s s' x No) as [K Q N C]; auto; [|split; auto].
        intros v I. apply Same, in_or_app. now left.
      + intros b I. eapply equations_true; [|exact I].
        rewrite map_map. rewrite (map_ext_in _ (tval sr)).
        * rewrite <- Row. apply tvals_same. intros v J. apply Same, in_or_app. right. apply in_or_app. now left.
        * intros t J. rewrite tval_put. apply tval_same. intros v K. apply New. unfold rule_vars. apply in_or_app. left.
          apply in_flat_map. eauto.
      + intros b' I. apply in_map_iff in I as (b & <- & I). apply renamed_true. unfold formal.
        destruct (is_other b) eqn:O.
        * exists (Word ""), (Word ""). repeat split. 
        * eapply true_grows; [exact Sub|]. auto.
      + intros b I. apply in_map_iff in I as (z & <- & I). destruct (G z I) as [B W]. cbn. apply Sub.
        assert (E : inst s' m (size_statement f z)
          = Fact (size_rel z) (when_read m (size_read z)) (map (tval sr) (size_key z) ++ [Int (g (size_name z))])).
        { unfold inst, size_statement, when_read, size_read. cbn [srel stense sargs fst snd]. f_equal. rewrite map_app, map_map. f_equal.
          - apply map_ext_in. intros t J. rewrite tval_put. apply tval_same. intros v K. apply New. unfold rule_vars.
            apply in_or_app. right. unfold sizes_in in I. apply in_flat_map in I as (b & I & Z). apply in_flat_map. exists b.
            split; [exact I|]. destruct b as [| |form read sizes us result| |e]; cbn in Z; try contradiction; cbn; apply in_or_app; left.
            * apply in_flat_map. exists t. split; [|exact K]. apply in_flat_map. eauto.
            * destruct Z as [<-|[]]. cbn in J. apply in_flat_map. eauto.
          - cbn. unfold s'. assert (M : In (size_name z) (map size_name (sizes_in r))) by now apply in_map.
            rewrite extension_new by (apply in_or_app; now right). unfold inner. now rewrite (in_mem _ _ M), B. }
        rewrite E. exact W.
    - intros v I. apply Same, in_or_app. now right.
    - intros q I. apply numbered_from_in in I as [I ->]. apply in_map_iff in I as (b & E & I).
      unfold formal in E. destruct (is_other b) eqn:O; [discriminate|].
      pose proof (Put b I O) as W. destruct b; try discriminate. cbn [cput renamed] in E. injection E as <-. exact W.
  Qed.

  Lemma ruled_word_sound : forall p m row, ruled_word th reached p m = true -> (m = Before \/ m = After) /\ ruled (Fact (Plain Changing p) m row).
  Proof.
    intros p m row H. unfold ruled_word in H. destruct m; try discriminate.
    - apply andb_prop in H as [R D]. split; [now left|]. exists p. split; [reflexivity|]. right. split; [reflexivity|]. split.
      + apply given. now apply negb_true_iff in R.
      + now apply mem_in.
    - split; [now right|]. exists p. auto.
  Qed.

  Notation walk := (walk th lemmas reached one_moment induction top vars goal_vars apart ends).
  Notation walk_branches := (walk_branches th lemmas reached one_moment induction top vars goal_vars apart ends).
  Notation walk_cases := (walk_cases th lemmas reached one_moment induction top vars goal_vars apart ends).

  Lemma all_below_same : forall s s' l, (forall v, In v (variables_among l) -> s v = s' v) -> all_below s l -> all_below s' l.
  Proof.
    intros s s' l E H q I. rewrite <- (inst_same s s'); [exact (H q I)|]. intros v J. apply E, in_flat_map. eauto.
  Qed.

  Lemma all_descend_same : forall s s' l, (forall v, In v (variables_among l) -> s v = s' v) -> all_descend s l -> all_descend s' l.
  Proof.
    intros s s' l E H q I. rewrite <- (inst_same s s'); [exact (H q I)|]. intros v J. apply E, in_flat_map. eauto.
  Qed.

  Theorem walk_sound :
    (forall t d less x s, fitting s -> satisfies s x -> all_below s less -> all_descend s top ->
      walk d less x t = Yes tt -> goal s) /\
    (forall b d less x v seen s, fitting s -> satisfies s x -> all_below s less -> all_descend s top ->
      (forall u, In u seen -> s v <> tval s u) -> walk_branches d less x v seen b = Yes tt -> goal s) /\
    (forall b d less (goes : bool) x ts m rs s r sr (said : fact -> Prop), fitting s -> satisfies s x -> all_below s less -> all_descend s top ->
      fitting sr -> In r rs -> (forall g, said g -> here g) -> (goes = true -> forall g, said g -> below P g) ->
      map (tval s) ts = map (tval sr) (sargs (head r)) ->
      (forall b, In b (body r) -> true_in said (other past c) sr (if timeless r then m else Before) b) ->
      walk_cases d less goes x ts m rs b = Yes tt -> goal s).
  Proof.
    apply proofs_ind.
    - intros l e d less x s F S L O H. cbn in H. apply bind_yes in H as (y & R & H).
      eapply ends_sound; [exact F| |exact H]. eapply case_steps_sound; eauto.
    - intros l v b IH d less x s F S L O H. cbn in H. apply bind_yes in H as (y & R & H). apply bind_yes in H as ([] & _ & H).
      eapply IH; [exact F|eapply case_steps_sound; eauto|exact L|exact O| |exact H]. intros u [].
    - intros l p m ts ns k b IH d less x s F S L O H. cbn in H. apply bind_yes in H as (y & R & H).
      apply case_steps_sound with (s := s) in R; auto.
      apply bind_yes in H as (z & N & H).
      assert (Sz : satisfies s z) by (eapply run_notes_sound; [..|exact N]; eauto).
      apply bind_yes in H as ([] & W & H). apply need_yes in W.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as ([] & K & H). apply need_yes in K.
      assert (Kn : here (inst s m (Statement (Plain Changing p) Always ts))) by (eapply is_known_sound; eauto).
      destruct (ruled_word_sound p m (map (tval s) ts) W) as [M Ru].
      assert (E : inst s m (Statement (Plain Changing p) Always ts) = Fact (Plain Changing p) m (map (tval s) ts)).
      { unfold inst. cbn. destruct M as [->| ->]; reflexivity. }
      assert (Made : exists said : fact -> Prop, (forall g, said g -> here g) /\
        (is_among z (top ++ less) k = true -> forall g, said g -> below P g) /\ made said (Fact (Plain Changing p) m (map (tval s) ts))).
      { destruct (is_among z (top ++ less) k) eqn:Am.
        - apply is_among_sound in Am as (q & I & Kq).
          assert (De : descends P (inst s (snd q) (snd (fst q)))).
          { apply in_app_or in I as [I|I]; [exact (O q I)|]. apply below_descends. exact (L q I). }
          unfold is_known in K. rewrite Kq in K. apply andb_prop in K as [K Row]. apply andb_prop in K as [Re Mo].
          destruct relation_eq as [Re'|]; [|discriminate]. destruct moment_eq as [Mo'|]; [|discriminate].
          assert (Q : inst s (snd q) (snd (fst q)) = Fact (Plain Changing p) m (map (tval s) ts)).
          { rewrite <- E. unfold inst. cbn [srel stense sargs] in Re', Mo', Row |- *.
            rewrite Mo', Re'. now rewrite (same_row_value _ _ _ _ Sz _ _ Row). }
          rewrite Q in De. destruct (De Ru) as (said & B & Ma). exists said.
          split; [intros g G; eapply below_world; eauto|split; [intros _; exact B|exact Ma]].
        - exists here. split; [auto|split; [discriminate|]]. rewrite <- E in Ru |- *.
          eapply inverted; eauto. }
      destruct Made as (said & Sub & Bel & Ma).
      apply made_by_concluding in Ma as (r & sr & Ir & Fr & Row & T); [|exact M].
      eapply IH; [exact F|exact Sz|exact L|exact O|exact Fr|exact Ir|exact Sub|exact Bel|exact Row|exact T|exact H].
    - intros t IH d less x v seen s F S L O N H. cbn in H. eapply IH; [exact F| |exact L|exact O|exact H].
      eapply taken; eauto. intros e I. apply in_map_iff in I as (u & <- & I). apply in_rev in I.
      apply told_true; auto. discriminate.
    - intros u t IHt b IHb d less x v seen s F S L O N H. cbn in H.
      apply bind_yes in H as ([] & _ & H). apply bind_yes in H as ([] & W & H).
      destruct (value_eq (s v) (tval s u)) as [E|E].
      + eapply IHt; [exact F| |exact L|exact O|exact W]. eapply taken; eauto. intros e [<-|[]].
        apply told_true; auto. discriminate.
      + eapply IHb; [exact F|exact S|exact L|exact O| |exact H]. intros w [<-|I]; auto.
    - intros d less goes x ts m rs s r sr said F S L O Fr Ir Sub Bel Row T H. destruct rs; [destruct Ir|discriminate].
    - intros t IHt b IHb d less goes x ts m rs s r sr said F S L O Fr Ir Sub Bel Row T H. cbn in H.
      destruct rs as [|r' rs]; [discriminate|].
      apply bind_yes in H as (p & C & H). apply bind_yes in H as ([] & W & H).
      destruct Ir as [->|Ir]; [|eapply IHb; eauto].
      destruct (case_context_sound _ _ _ _ _ _ _ _ _ _ F S Fr C Sub Row T) as (s' & F' & S' & Same & Num).
      assert (Vt : forall v, In v (variables_among top) -> s v = s' v).
      { intros v I. apply Same, in_or_app. right. apply in_or_app. left. unfold variables_among in *. rewrite flat_map_app.
        apply in_or_app. now left. }
      assert (Vl : forall v, In v (variables_among less) -> s v = s' v).
      { intros v I. apply Same, in_or_app. right. apply in_or_app. left. unfold variables_among in *. rewrite flat_map_app.
        apply in_or_app. now right. }
      apply (goal_same s s').
      { intros v I. apply Same, in_or_app. right. apply in_or_app. now right. }
      eapply IHt; [exact F'|exact S'| |eapply all_descend_same; eauto|exact W].
      pose proof (all_below_same s s' less Vl L) as L'.
      destruct goes; [|exact L']. intros q I. apply in_app_or in I as [I|I]; [|exact (L' q I)]. apply Bel; auto.
  Qed.
End Sound.
