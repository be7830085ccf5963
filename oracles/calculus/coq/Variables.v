(** Terms for variables, and that what is true depends on the values of the variables that are spoken of. *)
From Coq Require Import ZArith List String Ascii Bool Lia DecimalString.
From Calculus Require Import Values Meaning Contexts Stages.
Import ListNotations.

Fixpoint lookup {A} (v : string) (l : list (string * A)) : option A :=
  match l with [] => None | (w, a) :: l' => if String.eqb v w then Some a else lookup v l' end.

Definition put (l : list (string * term)) (v : string) : term :=
  match lookup v l with Some t => t | None => Var v end.

Definition sput (f : string -> term) (st : statement) : statement :=
  Statement (srel st) (stense st) (map (tput f) (sargs st)).

Definition size_put (f : string -> term) (z : size) : size :=
  Size (size_name z) (size_rel z) (size_tense z) (map (tput f) (size_key z)).

Definition simple_put (f : string -> term) (a : simple) : simple :=
  match a with Says st => Says (sput f st) | Is o a b => Is o (eput f a) (eput f b) end.

(** Variables that are bound stay what they are. *)
Definition outside (f : string -> term) (v : string) : term := if bound v then Var v else f v.

Definition every_put (f : string -> term) (e : every) : every :=
  Every (set_rel e) (set_tense e) (map (tput f) (set_key e)) (set_count e) (count_name e) (listed e) (others_called e)
    (map (simple_put (outside f)) (asks e)).

Definition cput (f : string -> term) (c : cond) : cond :=
  match c with
  | Holds st => Holds (sput f st)
  | Compare o a b => Compare o (eput f a) (eput f b)
  | Closed form read sizes ts result =>
      Closed form read (map (size_put f) sizes) (map (tput f) ts) (option_map (tput f) result)
  | Other _ _ _ => c
  | All e => All (every_put f e)
  end.

Definition svars (st : statement) : list string := flat_map tvars (sargs st).

Definition simple_vars (a : simple) : list string := match a with Says st => svars st | Is _ a b => evars a ++ evars b end.

Definition cvars (c : cond) : list string :=
  match c with
  | Holds st => svars st
  | Compare _ a b => evars a ++ evars b
  | Closed _ _ sizes ts result =>
      flat_map tvars (flat_map size_key sizes) ++ flat_map tvars ts ++ match result with Some t => tvars t | None => [] end
  | Other _ _ ints => ints
  | All e => flat_map tvars (set_key e) ++ filter (fun v => negb (bound v)) (flat_map simple_vars (asks e))
  end.

Definition rule_vars (r : rule) : list string := svars (head r) ++ flat_map cvars (body r).

Definition with_own (x : context) (l : list string) : context :=
  Context (known x) (eqs x) (numbers x) (l ++ own x) (conflict x).

(** The variables that a context says something of. *)
Definition spoken_of (x : context) : list string :=
  flat_map (fun p => cvars (fst p)) (known x) ++ flat_map (fun p => tvars (fst p) ++ tvars (snd p)) (eqs x)
  ++ flat_map tvars (numbers x).

Definition none_other (x : context) : bool := negb (existsb (fun p => is_other (fst p)) (known x)).

(** Whether a term is no bound variable. *)
Definition free_term (t : term) : bool := match t with Var v => negb (bound v) | Val _ => true end.

Fixpoint distinct (l : list string) : bool :=
  match l with [] => true | v :: l' => negb (mem v l') && distinct l' end.

Definition digits (d : nat) : string := NilZero.string_of_uint (Nat.to_uint d).

(** Terms for variables that are not bound have no bound ones, where a condition binds any. *)
Definition is_every (c : cond) : bool := match c with All _ => true | _ => false end.

Definition keeps (f : string -> term) (c : cond) : Prop := is_every c = true -> forall v, bound v = false -> free_term (f v) = true.

Lemma inst_put : forall s f m st, inst s m (sput f st) = inst (fun v => tval s (f v)) m st.
Proof.
  intros. unfold inst, sput; cbn. f_equal. rewrite map_map. apply map_ext. intro t. apply tval_put.
Qed.

Lemma inst_same : forall s s' m st, (forall v, In v (svars st) -> s v = s' v) -> inst s m st = inst s' m st.
Proof.
  intros s s' m st H. unfold inst. f_equal. apply map_ext_in. intros [v|v] I; [|reflexivity].
  apply H. apply in_flat_map. exists (Var v). cbn. auto.
Qed.

Lemma ev_same : forall s s' e, (forall v, In v (evars e) -> s v = s' v) -> ev s e = ev s' e.
Proof.
  intros s s'. induction e as [[v|v]|o a IHa b IHb|a IHa]; intro H; cbn in *.
  - now rewrite (H v (or_introl eq_refl)).
  - reflexivity.
  - rewrite IHa, IHb; auto; intros v I; apply H, in_or_app; auto.
  - now rewrite IHa.
Qed.

Lemma tval_same : forall s s' t, (forall v, In v (tvars t) -> s v = s' v) -> tval s t = tval s' t.
Proof. intros s s' [v|v] H; [|reflexivity]. apply H. now left. Qed.

Lemma tvals_same : forall s s' ts, (forall v, In v (flat_map tvars ts) -> s v = s' v) -> map (tval s) ts = map (tval s') ts.
Proof.
  intros s s' ts E. apply map_ext_in. intros t I. apply tval_same. intros v J. apply E, in_flat_map. eauto.
Qed.

Lemma compared_same : forall s s' o a b, (forall v, In v (evars a ++ evars b) -> s v = s' v) -> compared s o a b -> compared s' o a b.
Proof.
  intros s s' o a b E (v & w & Ev & Ew & R). exists v, w.
  rewrite <- (ev_same s s' a), <- (ev_same s s' b); auto; intros u I; apply E, in_or_app; auto.
Qed.

Lemma simple_same : forall facts s s' m a, (forall v, In v (simple_vars a) -> s v = s' v) ->
  simple_true facts s m a -> simple_true facts s' m a.
Proof.
  intros facts s s' m [st|o a b] E H; cbn in *; [now rewrite <- (inst_same s s' m st E)|eapply compared_same; eauto].
Qed.

Lemma simple_put_true : forall facts s f m a, simple_true facts s m (simple_put f a) <-> simple_true facts (fun v => tval s (f v)) m a.
Proof.
  intros facts s f m [st|o a b]; cbn.
  - now rewrite inst_put.
  - split; intros (v & w & Ev & Ew & R); exists v, w; rewrite ?ev_put in *; auto.
Qed.

(** The values of one assignment for bound variables, those of another one for all others. *)
Definition mixed (s' s : assignment) : assignment := fun v => if bound v then s' v else s v.

Lemma every_same : forall facts s s' m e, (forall v, In v (cvars (All e)) -> s v = s' v) -> fitting s' ->
  every_true facts s m e -> every_true facts s' m e.
Proof.
  intros facts s s' m e E Fit (rows & B & C & D & Li & T). cbn in E.
  assert (K : map (tval s') (set_key e) = map (tval s) (set_key e)).
  { symmetry. apply tvals_same. intros v I. apply E, in_or_app. now left. }
  exists rows. rewrite K. repeat (split; [assumption|]).
  intros row I. destruct (T row I) as [W (s1 & F & A & L & Q)]. split; [exact W|].
  exists (mixed s1 s'). split; [|split; [|split]].
  - intro v. unfold mixed. destruct (bound v); auto.
  - intros v U. unfold mixed. now rewrite U.
  - rewrite <- L. apply map_ext_in. intros v J. rewrite forallb_forall in Li. unfold mixed. now rewrite (Li v J).
  - intros a J. apply (simple_same facts s1); [|auto]. intros v K'. unfold mixed. destruct (bound v) eqn:U; [reflexivity|].
    rewrite <- (A v U). apply E, in_or_app. right. apply filter_In. rewrite U. split; [|reflexivity]. apply in_flat_map. eauto.
Qed.

Lemma free_value : forall s s' t, agree s s' -> free_term t = true -> tval s' t = tval s t.
Proof. intros s s' [v|v] A F; [|reflexivity]. cbn in *. symmetry. apply A. now apply negb_true_iff. Qed.

Lemma every_put_true : forall facts s f m e, fitting s -> fitting (fun v => tval s (f v)) -> keeps f (All e) ->
  every_true facts s m (every_put f e) <-> every_true facts (fun v => tval s (f v)) m e.
Proof.
  intros facts s f m e Fs Ft K. specialize (K eq_refl). set (t := fun v => tval s (f v)) in *.
  unfold every_true, every_put; cbn [set_key set_count set_rel set_tense listed asks].
  unfold count_read, set_read; cbn [set_count set_rel set_tense].
  rewrite map_map, (map_ext _ _ (tval_put s f)). fold t.
  split; intros (rows & B & C & D & Li & T); exists rows; repeat (split; [assumption|]);
    intros row I; destruct (T row I) as [W (s1 & F & A & L & Q)]; (split; [exact W|]).
  - exists (fun v => tval s1 (outside f v)).
    assert (U : forall v, bound v = false -> tval s1 (outside f v) = t v).
    { intros v Hv. unfold outside. rewrite Hv. apply free_value; auto. }
    split; [|split; [|split]].
    + intro v. destruct (bound v) eqn:Hv; [|rewrite (U v Hv); apply Ft]. unfold outside. rewrite Hv. apply F.
    + intros v Hv. symmetry. now apply U.
    + rewrite <- L. apply map_ext_in. intros v J. rewrite forallb_forall in Li. unfold outside. now rewrite (Li v J).
    + intros a J. apply simple_put_true. apply Q. now apply in_map.
  - exists (mixed s1 s). split; [|split; [|split]].
    + intro v. unfold mixed. destruct (bound v); auto.
    + intros v Hv. unfold mixed. now rewrite Hv.
    + rewrite <- L. apply map_ext_in. intros v J. rewrite forallb_forall in Li. unfold mixed. now rewrite (Li v J).
    + intros a J. apply in_map_iff in J as (b & <- & J). apply simple_put_true. apply (simple_same facts s1); [|auto].
      intros v _. unfold outside. destruct (bound v) eqn:Hv; cbn; [unfold mixed; now rewrite Hv|].
      rewrite (free_value s (mixed s1 s)); [now rewrite <- (A v Hv)| |auto].
      intros u Hu. unfold mixed. now rewrite Hu.
Qed.

Lemma true_put : forall `{meaning_of_forms} facts others s f m c, is_other c = false ->
  fitting s -> fitting (fun v => tval s (f v)) -> keeps f c ->
  true_in facts others (fun v => tval s (f v)) m c <-> true_in facts others s m (cput f c).
Proof.
  intros F facts others s f m [st|o a b|form read sizes ts result|id t ints|e] N Fs Ft K; cbn in *; [| | |discriminate|].
  - now rewrite inst_put.
  - split; intros (v & w & Ev & Ew & R); exists v, w; rewrite ?ev_put in *; auto.
  - rewrite map_map, (map_ext _ _ (tval_put s f)).
    assert (Z : forall z, has_size facts s m (size_put f z) <-> has_size facts (fun v => tval s (f v)) m z).
    { intro z. unfold has_size, size_put, size_read; cbn. rewrite map_map, (map_ext _ _ (tval_put s f)). reflexivity. }
    assert (Y : (forall z, In z sizes -> has_size facts (fun v => tval s (f v)) m z) <->
      forall z, In z (map (size_put f) sizes) -> has_size facts s m z).
    { split; intros H z I; [apply in_map_iff in I as (z' & <- & I); apply Z; auto|apply Z, H, in_map, I]. }
    rewrite Y. destruct result as [t|]; cbn; [rewrite tval_put|]; reflexivity.
  - symmetry. now apply every_put_true.
Qed.

Lemma true_same : forall `{meaning_of_forms} facts others s s' m c, is_other c = false -> (forall v, In v (cvars c) -> s v = s' v) ->
  fitting s' -> true_in facts others s m c -> true_in facts others s' m c.
Proof.
  intros F facts others s s' m [st|o a b|form read sizes ts result|id t ints|e] N E Fit H; [| | |discriminate|].
  - cbn in *. now rewrite <- (inst_same s s' m st E).
  - cbn in *. eapply compared_same; eauto.
  - cbn in *. destruct H as [H Z]. split.
    + rewrite <- (tvals_same s s' ts) by (intros v I; apply E, in_or_app; right; apply in_or_app; now left).
      destruct result as [t|]; cbn in *; [|exact H]. rewrite <- (tval_same s s' t); [exact H|].
      intros v I. apply E, in_or_app. right. apply in_or_app. now right.
    + intros z I. destruct (Z z I) as (n & B & W). exists n. split; [exact B|].
      rewrite <- (tvals_same s s' (size_key z)); [exact W|]. intros v J. apply E, in_or_app. left.
      apply in_flat_map in J as (t & J & K). apply in_flat_map. exists t. split; [|exact K]. apply in_flat_map. eauto.
  - exact (every_same facts s s' m e E Fit H).
Qed.

Lemma satisfies_same : forall `{meaning_of_forms} facts others s s' x, none_other x = true ->
  (forall v, In v (spoken_of x) -> s v = s' v) -> fitting s' -> satisfies facts others s x -> satisfies facts others s' x.
Proof.
  intros F facts others s s' x N E Fit [K Q M C]. unfold spoken_of in E. unfold none_other in N. apply negb_true_iff in N. split; auto.
  - intros c m I. apply (true_same facts others s s'); [| |exact Fit|exact (K c m I)].
    + destruct (is_other c) eqn:O; [|reflexivity]. rewrite <- N. symmetry. apply existsb_exists. exists (c, m). auto.
    + intros v J. apply E, in_or_app. left. apply in_flat_map. exists (c, m). auto.
  - intros t u I.
    rewrite <- (tval_same s s' t), <- (tval_same s s' u); [exact (Q t u I)| |]; intros v J; apply E, in_or_app; right;
      apply in_or_app; left; apply in_flat_map; exists (t, u); (split; [exact I|apply in_or_app; auto]).
  - intros t I. rewrite <- (tval_same s s' t); [exact (M t I)|]. intros v J. apply E, in_or_app. right.
    apply in_or_app. right. apply in_flat_map. eauto.
Qed.
