(** What only rules conclude, and what was there before it (the calculus page, "Cases", Lemma 7, and "Induction").

    A world is built in stages. What is true of a fact, and of all that made it true, and so on down to the first stage, is
    told of by [below]: so no stage needs a name. *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Values Meaning Contexts Worlds.
Import ListNotations.

(** Whether a rule concludes a word at a moment. *)
Definition concludes (p : string) (m : moment) (r : rule) : bool :=
  (if relation_eq (srel (head r)) (Plain Changing p) then true else false) &&
  match stense (head r), m with
  | Before, Before | After, After | Always, Before => true
  | Always, After => timeless r
  | _, _ => false
  end.

Definition concluding (th : theory) (p : string) (m : moment) : list rule := filter (concludes p m) (rules th).

Definition mem (v : string) (l : list string) : bool := existsb (String.eqb v) l.

Lemma mem_in : forall v l, mem v l = true -> In v l.
Proof. intros v l H. apply existsb_exists in H as (w & I & E). apply String.eqb_eq in E. now subst. Qed.

Lemma in_mem : forall v l, In v l -> mem v l = true.
Proof. intros v l I. apply existsb_exists. exists v. split; [exact I|apply String.eqb_refl]. Qed.

(** Whether rules alone conclude a word at a moment: of points that are given, or of all. *)
Definition ruled_word (th : theory) (reached : bool) (p : string) (m : moment) : bool :=
  match m with After => true | Before => negb reached && mem p (derived th) | Always => false end.

Section Stages.
  Context {forms : meaning_of_forms}.
  Variable th : theory.
  Variable state : fact -> Prop.
  Variable takable : list (option action) -> action -> Prop.
  Variable reply : list (option action) -> string -> list value -> action -> Prop.
  Variable other : list (option action) -> option action -> moment -> string -> list string -> assignment -> Prop.
  Notation world := (world th state takable reply other).
  (** The facts of a state are of statics and fluents. *)
  Hypothesis state_given : forall p row, state (Fact (Plain Changing p) Before row) -> ~ In p (derived th).

  (** Whether rules alone conclude what a fact says, at a point after these actions. *)
  Definition ruled (past : list (option action)) (f : fact) : Prop :=
    exists p, frel f = Plain Changing p /\ (fmom f = After \/ (fmom f = Before /\ past = [] /\ In p (derived th))).

  (** A rule, read at a moment, made a fact true, by what was said before. *)
  Definition made (past : list (option action)) (c : option action) (said : fact -> Prop) (f : fact) : Prop :=
    exists r s m, In r (rules th) /\ fitting s /\ reads r m /\ f = inst s m (head r) /\
      forall d, In d (body r) -> true_in said (other past c) s m d.

  (** [P] is so of a fact, of what made it true, and of what made that true. *)
  Inductive below (P : fact -> Prop) (past : list (option action)) (c : option action) : fact -> Prop :=
  | Below : forall f, world past c f -> P f ->
      (ruled past f -> exists said : fact -> Prop, (forall g, said g -> below P past c g) /\ made past c said f) -> below P past c f.

  (** It is so of what made a fact true. *)
  Definition descends (P : fact -> Prop) (past : list (option action)) (c : option action) (f : fact) : Prop :=
    ruled past f -> exists said : fact -> Prop, (forall g, said g -> below P past c g) /\ made past c said f.

  Lemma below_world : forall P past c f, below P past c f -> world past c f.
  Proof. intros P past c f H. now destruct H. Qed.

  Lemma below_holds : forall P past c f, below P past c f -> P f.
  Proof. intros P past c f H. now destruct H. Qed.

  Lemma below_descends : forall P past c f, below P past c f -> descends P past c f.
  Proof. intros P past c f H. now destruct H. Qed.

  (** Induction over stages. *)
  Theorem by_stages : forall P : list (option action) -> option action -> fact -> Prop,
    (forall past c f, world past c f -> descends (P past c) past c f -> P past c f) ->
    forall past c f, world past c f -> below (P past c) past c f.
  Proof.
    intros P Step past c f H.
    assert (End : forall past c f, world past c f -> descends (P past c) past c f -> below (P past c) past c f).
    { intros past' c' f' W D. constructor; auto. }
    induction H as [past c p row Hs|past c p row Hs|c r row Hs|past a c r row H IH|past a Ha
      |past c r s m said Hr F R Sub IH T|past a c f Ha M H IH|past a c f Ha M S N|past c g row gives X E V H IH
      |past a r row G H IH]; (apply End; [|intros (q & Q & At); cbn in Q, At]).
    - now apply of_state_static.
    - discriminate.
    - now apply of_stated.
    - discriminate.
    - now apply of_state.
    - exfalso. destruct At as [At|(_ & _ & D)]; [discriminate|]. subst. exact (state_given _ _ Hs D).
    - now apply of_past.
    - destruct At as [At|(_ & At & _)]; discriminate.
    - now apply of_action.
    - discriminate.
    - now apply of_rule with said.
    - exists said. split; [exact IH|]. exists r, s, m. auto.
    - now apply of_named with a.
    - unfold by_action in Ha. rewrite Q in Ha. discriminate.
    - now apply of_untakable with a.
    - unfold by_action in Ha. rewrite Q in Ha. discriminate.
    - now apply of_replies with gives.
    - discriminate.
    - now apply of_next.
    - rewrite Q in G. discriminate.
  Qed.

  (** Lemma 7. *)
  Theorem inverted : forall past c f, world past c f -> ruled past f -> made past c (world past c) f.
  Proof.
    intros past c f H R. pose proof (by_stages (fun _ _ _ => True) (fun _ _ _ _ _ => I) past c f H) as B.
    destruct (below_descends _ _ _ _ B R) as (said & S & r & s & m & Hr & F & Rd & E & T).
    exists r, s, m. repeat split; auto. intros d D. eapply true_grows; [|exact (T d D)].
    intros g G. eapply below_world. eauto.
  Qed.

  (** The rule is one of those that conclude there, and its conditions were true at the moment of the fact. *)
  Lemma made_by_concluding : forall past c said p m row, m = Before \/ m = After ->
    made past c said (Fact (Plain Changing p) m row) ->
    exists r s, In r (concluding th p m) /\ fitting s /\ row = map (tval s) (sargs (head r)) /\
      forall d, In d (body r) -> true_in said (other past c) s (if timeless r then m else Before) d.
  Proof.
    intros past c said p m row M (r & s & m' & Hr & F & R & E & T). exists r, s. unfold inst in E. injection E as Rel Mom Row.
    split; [|split; [exact F|split; [exact Row|]]].
    - apply filter_In. split; [exact Hr|]. unfold concludes. rewrite <- Rel. destruct relation_eq; [|congruence]. cbn.
      rewrite <- Rel in Mom. cbn in Mom. subst m.
      destruct R as [->|[Ti ->]], (stense (head r)) eqn:St; cbn; auto; unfold timeless in Ti; rewrite St in Ti; discriminate.
    - destruct (timeless r) eqn:Ti; [|destruct R as [->|[R _]]; [exact T|congruence]].
      assert (E : m = m'); [|rewrite E; exact T].
      unfold timeless in Ti. destruct (stense (head r)) eqn:St; try discriminate. rewrite Mom, <- Rel. destruct R as [->|[_ ->]]; reflexivity.
  Qed.
End Stages.
