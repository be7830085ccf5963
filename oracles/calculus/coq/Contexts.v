(** Contexts (the calculus page, "Contexts"): what is known, classes of terms, and what is a number. *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Values Meaning.
Import ListNotations.

(** [eqs] are pairs of a term and what it was put into the class of, in order; the second is what stands for the class. *)
Record context := Context {
  known : list (cond * moment);
  eqs : list (term * term);
  numbers : list term;
  own : list string;
  conflict : bool }.

Definition empty (own : list string) : context := Context [] [] [] own false.

(** What stands for the class of a term. *)
Definition find_in (l : list (term * term)) (t : term) : term :=
  fold_left (fun t p => if term_eq t (fst p) then snd p else t) l t.

Definition find (x : context) (t : term) : term := find_in (eqs x) t.

Definition canon (x : context) (e : expr) : expr := eput (fun v => find x (Var v)) e.

Definition is_number_term (x : context) (t : term) : bool :=
  match find x t with
  | Val (Int _) => true
  | u => existsb (fun n => if term_eq (find x n) u then true else false) (numbers x)
  end.

Fixpoint is_number (x : context) (e : expr) : bool :=
  match e with
  | Term t => is_number_term x t
  | Bin _ a b => is_number x a && is_number x b
  | Abs a => is_number x a
  end.

(** What a condition says by itself *)

Definition is_operation (e : expr) : bool := match e with Term _ => false | _ => true end.

Definition of_numbers (o : cmp) (a b : expr) : bool :=
  is_operation a || is_operation b || match o with CEq | CNe => false | _ => true end.

Definition equate (x : context) (t u : term) : context :=
  let lost := find x t in
  let kept := find x u in
  if term_eq lost kept then x
  else
    match lost, kept with
    | Val _, Val _ => Context (known x) (eqs x) (numbers x) (own x) true
    | Val _, _ => Context (known x) (eqs x ++ [(kept, lost)]) (numbers x) (own x) (conflict x)
    | _, _ => Context (known x) (eqs x ++ [(lost, kept)]) (numbers x) (own x) (conflict x)
    end.

Definition with_numbers (x : context) (l : list term) : context :=
  Context (known x) (eqs x) (l ++ numbers x) (own x) (conflict x).

(** The terms in integer columns. *)
Fixpoint in_columns (cols : list bool) (ts : list term) : list term :=
  match cols, ts with
  | c :: cols', t :: ts' => if c then t :: in_columns cols' ts' else in_columns cols' ts'
  | _, _ => []
  end.

Definition numbers_of (th : theory) (c : cond) : list term :=
  match c with
  | Holds st => in_columns (integer_columns th (srel st)) (sargs st)
  | Compare _ _ _ => []
  | Closed _ _ _ _ result => match result with Some t => [t] | None => [] end
  | Other _ _ ints => map Var ints
  | All _ => []
  end.

Definition vars_of_operation (e : expr) : list term :=
  if is_operation e then map Var (evars e) else [].

(** Of a true [!=] only what is calculated with is an integer. *)
Definition compared_numbers (o : cmp) (a b : expr) : list term :=
  match o with
  | CNe => vars_of_operation a ++ vars_of_operation b
  | _ => map Var (evars a) ++ map Var (evars b)
  end.

Definition learn_comparison (x : context) (o : cmp) (a b : expr) : context :=
  let y := if of_numbers o a b || is_number x a || is_number x b
           then with_numbers x (compared_numbers o a b) else x in
  match o, a, b with CEq, Term t, Term u => equate y t u | _, _, _ => y end.

Definition learn_if (which : bool -> bool) (x : context) (c : cond) : context :=
  match c with Compare o a b => if which (of_numbers o a b) then learn_comparison x o a b else x | _ => x end.

(** Makes conditions known, in order; comparisons that say by themselves that they are of numbers come first. *)
Definition take (th : theory) (x : context) (cs : list cond) (m : moment) : context :=
  let y := Context (known x ++ map (fun c => (c, m)) cs) (eqs x) (flat_map (numbers_of th) cs ++ numbers x)
             (own x) (conflict x) in
  let z := fold_left (learn_if (fun b => b)) cs y in
  fold_left (learn_if negb) cs z.

Section Sound.
  Context {forms : meaning_of_forms}.
  Variable th : theory.
  Variable facts : fact -> Prop.
  Variable others : moment -> string -> list string -> assignment -> Prop.
  Hypothesis facts_sorted : forall f, facts f -> sorted th f.
  Hypothesis others_int : forall m id ints s x, others m id ints s -> In x ints -> is_int (s x).

  Definition truth := true_in facts others.

  (** An assignment satisfies a context. *)
  Record satisfies (s : assignment) (x : context) : Prop := Satisfies {
    sat_known : forall c m, In (c, m) (known x) -> truth s m c;
    sat_eqs : forall t u, In (t, u) (eqs x) -> tval s t = tval s u;
    sat_numbers : forall t, In t (numbers x) -> is_int (tval s t);
    sat_conflict : conflict x = false }.

  Lemma find_in_value : forall s l t, (forall t u, In (t, u) l -> tval s t = tval s u) ->
    tval s (find_in l t) = tval s t.
  Proof.
    intros s. induction l as [|[a b] l IH]; intros t H; cbn; [reflexivity|].
    rewrite IH by (intros; apply H; now right). destruct (term_eq t a) as [->|]; [|reflexivity].
    symmetry. apply H. now left.
  Qed.

  Lemma find_value : forall s x t, satisfies s x -> tval s (find x t) = tval s t.
  Proof. intros s x t H. apply find_in_value. apply (sat_eqs s x H). Qed.

  Lemma canon_value : forall s x e, satisfies s x -> ev s (canon x e) = ev s e.
  Proof.
    intros s x e H. unfold canon. rewrite ev_put. apply ev_ext. intro v.
    exact (find_value s x (Var v) H).
  Qed.

  Lemma is_number_term_sound : forall s x t, satisfies s x -> is_number_term x t = true -> is_int (tval s t).
  Proof.
    intros s x t H N. unfold is_number_term in N. rewrite <- (find_value s x t H).
    assert (E : existsb (fun n => if term_eq (find x n) (find x t) then true else false) (numbers x) = true ->
      is_int (tval s (find x t))).
    { intro E. apply existsb_exists in E as (n & In_n & E). destruct term_eq as [E'|]; [|discriminate].
      rewrite <- E', find_value by exact H. now apply (sat_numbers s x H). }
    destruct (find x t) as [v|[w|z]]; auto. eexists; reflexivity.
  Qed.

  Lemma is_number_sound : forall s x e v, satisfies s x -> is_number x e = true -> ev s e = Some v -> is_int v.
  Proof.
    intros s x e v H N E. destruct e as [t|o a b|a]; cbn in N, E.
    - injection E as <-. now apply (is_number_term_sound s x).
    - destruct (ev s a) as [[|]|]; try discriminate. destruct (ev s b) as [[|]|]; try discriminate.
      destruct (divides _ _); [|discriminate]. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. eexists; reflexivity.
    - destruct (ev s a) as [[|]|]; try discriminate. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. eexists; reflexivity.
  Qed.

  (** What a true comparison says of numbers *)

  Lemma vars_int : forall s e z, ev s e = Some (Int z) -> forall v, In v (evars e) -> is_int (s v).
  Proof.
    intros s. induction e as [t|o a IHa b IHb|a IHa]; intros z E v Hv; cbn in E, Hv.
    - destruct t as [y|]; cbn in *; [|contradiction]. destruct Hv as [<-|[]]. injection E as E. eexists; exact E.
    - destruct (ev s a) as [[|x]|] eqn:Ea; try discriminate. destruct (ev s b) as [[|y]|] eqn:Eb; try discriminate.
      apply in_app_or in Hv as [Hv|Hv]; eauto.
    - destruct (ev s a) as [[|x]|] eqn:Ea; try discriminate. eauto.
  Qed.

  Lemma operation_int : forall s e v, is_operation e = true -> ev s e = Some v -> is_int v.
  Proof.
    intros s e v H E. destruct e as [t|o a b|a]; cbn in *; [discriminate| |].
    - destruct (ev s a) as [[|]|]; try discriminate. destruct (ev s b) as [[|]|]; try discriminate.
      destruct (divides _ _); [|discriminate]. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. eexists; reflexivity.
    - destruct (ev s a) as [[|]|]; try discriminate. unfold narrow in E. destruct (in64 _); [|discriminate].
      injection E as <-. eexists; reflexivity.
  Qed.

  Lemma vars_of_operation_int : forall s e v, ev s e = Some v ->
    forall t, In t (vars_of_operation e) -> is_int (tval s t).
  Proof.
    intros s e v E t Ht. unfold vars_of_operation in Ht. destruct (is_operation e) eqn:O; [|contradiction].
    apply in_map_iff in Ht as (y & <- & Hy). destruct (operation_int s e v O E) as [z ->].
    exact (vars_int s e z E y Hy).
  Qed.

  Lemma related_int : forall o v w, related o v w = true -> o <> CNe -> (is_int v \/ is_int w \/ (o <> CEq)) ->
    is_int v /\ is_int w.
  Proof.
    intros o v w H N I. destruct o; try congruence.
    - apply related_eq in H. subst. destruct I as [I|[I|I]]; [| |congruence]; auto.
    - destruct v, w; cbn in H; try discriminate. split; eexists; reflexivity.
    - destruct v, w; cbn in H; try discriminate. split; eexists; reflexivity.
    - destruct v, w; cbn in H; try discriminate. split; eexists; reflexivity.
    - destruct v, w; cbn in H; try discriminate. split; eexists; reflexivity.
  Qed.

  Lemma compared_numbers_int : forall s x o a b, satisfies s x -> compared s o a b ->
    of_numbers o a b || is_number x a || is_number x b = true ->
    forall t, In t (compared_numbers o a b) -> is_int (tval s t).
  Proof.
    intros s x o a b S (v & w & Ev & Ew & R) N t Ht.
    destruct (cmp_eq o CNe) as [->|No].
    - cbn in Ht. apply in_app_or in Ht as [Ht|Ht]; eauto using vars_of_operation_int.
    - assert (I : is_int v \/ is_int w \/ o <> CEq).
      { unfold of_numbers in N. apply orb_prop in N as [N|N]; [apply orb_prop in N as [N|N]; [apply orb_prop in N as [N|N];
          [apply orb_prop in N as [N|N]|]|]|].
        - left. eauto using operation_int.
        - right; left. eauto using operation_int.
        - right; right. intros ->. discriminate.
        - left. eauto using is_number_sound.
        - right; left. eauto using is_number_sound. }
      destruct (related_int o v w R No I) as [[y ->] [z ->]].
      assert (Ht' : In t (map Var (evars a) ++ map Var (evars b))) by (destruct o; cbn in Ht; congruence || auto).
      apply in_app_or in Ht' as [Ht'|Ht']; apply in_map_iff in Ht' as (q & <- & Hq); cbn; eauto using vars_int.
  Qed.

  Lemma satisfies_numbers : forall s x l, satisfies s x -> (forall t, In t l -> is_int (tval s t)) ->
    satisfies s (with_numbers x l).
  Proof.
    intros s x l [K E N C] H. split; cbn; auto. intros t Ht. apply in_app_or in Ht as [Ht|Ht]; auto.
  Qed.

  Lemma satisfies_equate : forall s x t u, satisfies s x -> tval s t = tval s u -> satisfies s (equate x t u).
  Proof.
    intros s x t u H E. unfold equate. destruct (term_eq _ _); [exact H|].
    assert (F : tval s (find x t) = tval s (find x u)) by (now rewrite !find_value by exact H).
    destruct H as [K Q N C].
    destruct (find x t) as [v|v] eqn:Et, (find x u) as [w|w] eqn:Eu; cbn in F.
    1-3: split; cbn; auto; intros a b Hab; apply in_app_or in Hab as [Hab|[Hab|[]]]; auto; injection Hab as <- <-; cbn; congruence.
    congruence.
  Qed.

  Lemma satisfies_learn : forall s x o a b, satisfies s x -> compared s o a b ->
    satisfies s (learn_comparison x o a b).
  Proof.
    intros s x o a b H T. unfold learn_comparison.
    set (y := if of_numbers o a b || is_number x a || is_number x b then _ else x).
    assert (Hy : satisfies s y).
    { unfold y. destruct (of_numbers o a b || is_number x a || is_number x b) eqn:E; [|exact H]. apply satisfies_numbers; [exact H|].
      exact (compared_numbers_int s x o a b H T E). }
    destruct o; auto. destruct a as [t| |]; auto. destruct b as [u| |]; auto.
    apply satisfies_equate; [exact Hy|]. destruct T as (v & w & Ev & Ew & R). cbn in Ev, Ew.
    injection Ev as <-. injection Ew as <-. now apply related_eq.
  Qed.

  Lemma satisfies_learn_if : forall which s m (cs : list cond) x, satisfies s x -> (forall c, In c cs -> truth s m c) ->
    satisfies s (fold_left (learn_if which) cs x).
  Proof.
    intros which s m. induction cs as [|c cs IH]; intros x H T; cbn; [exact H|].
    apply IH; [|intros; apply T; now right]. specialize (T c (or_introl eq_refl)).
    destruct c as [st|o a b|form read sizes ts result|id t ints|e]; cbn; auto. destruct (which _); [|exact H]. now apply satisfies_learn.
  Qed.

  Lemma in_columns_nth : forall cols ts t, In t (in_columns cols ts) ->
    exists i, nth_error cols i = Some true /\ nth_error ts i = Some t.
  Proof.
    induction cols as [|c cols IH]; intros [|u ts] t H; cbn in H; try contradiction.
    destruct c; [destruct H as [<-|H]; [exists 0%nat; auto|]|];
      destruct (IH ts t H) as (i & Hc & Ht); exists (S i); auto.
  Qed.

  Lemma numbers_of_int : forall s m c, truth s m c -> forall t, In t (numbers_of th c) -> is_int (tval s t).
  Proof.
    intros s m c T t Ht. destruct c as [st|o a b|form read sizes ts result|id tn ints|e]; cbn in *; [|contradiction| | |contradiction].
    - apply in_columns_nth in Ht as (i & Hc & Hi). apply (facts_sorted _ T i); cbn; [exact Hc|].
      now apply map_nth_error.
    - destruct result as [u|]; [|contradiction]. destruct Ht as [<-|[]]. exact (closed_int _ _ _ _ (proj1 T)).
    - apply in_map_iff in Ht as (y & <- & Hy). cbn. eauto.
  Qed.

  (** Lemma 1. *)
  Theorem satisfies_take : forall s x cs m, satisfies s x -> (forall c, In c cs -> truth s m c) ->
    satisfies s (take th x cs m).
  Proof.
    intros s x cs m [K E N C] T. unfold take. do 2 (apply (satisfies_learn_if _ s m); auto).
    split; cbn; auto.
    - intros c m' Hc. apply in_app_or in Hc as [Hc|Hc]; [auto|].
      apply in_map_iff in Hc as (c' & Hc & Hi). injection Hc as <- <-. auto.
    - intros t Ht. apply in_app_or in Ht as [Ht|Ht]; [|auto].
      apply in_flat_map in Ht as (c & Hc & Ht). eauto using numbers_of_int.
  Qed.

  Lemma satisfies_empty : forall s (l : list string), satisfies s (empty l).
  Proof. intros s l. split; cbn; auto; intros; contradiction. Qed.
End Sound.
