(** What holds of all worlds of a theory: their facts are of the sorts of their columns (in the proof of Lemma 1), and what
    rests on no action is there whatever is taken (Lemma 5). *)
From Coq Require Import ZArith List String Bool Lia.
From Calculus Require Import Values Meaning Contexts.
Import ListNotations.

(** Whether a rule passes integers on to the integer columns of its head. *)
Definition passes_sorts (th : theory) (m : moment) (r : rule) : bool :=
  let x := take th (empty []) (body r) m in
  forallb (is_number_term x) (in_columns (integer_columns th (srel (head r))) (sargs (head r))).

Definition fact_sorted (th : theory) (f : string * list value) : bool :=
  forallb (fun t => match t with Val (Int _) => true | _ => false end)
    (in_columns (integer_columns th (Plain Static (fst f))) (map Val (snd f))).

(** Whether a rule that concludes what never changes asks for nothing else. *)
Definition is_static (r : relation) : bool := match r with Plain Static _ => true | _ => false end.

Definition cond_static (c : cond) : bool :=
  negb (is_other c) && forallb (fun p => is_static (fst p)) (reads_of c).

Definition static_of_statics (r : rule) : bool := negb (is_static (srel (head r))) || forallb cond_static (body r).

Definition rule_well (th : theory) (r : rule) : bool :=
  passes_sorts th Before r && passes_sorts th After r && static_of_statics r.

Definition well_formed (th : theory) : bool :=
  forallb (rule_well th) (rules th) && forallb (fact_sorted th) (stated th).

(** Places that rest on no action *)

Definition place := (relation * moment)%type.

(** All statements on a game are at one place, whatever action they name. *)
Definition key_of (r : relation) : relation := match r with By g _ _ => Game g | _ => r end.

Definition place_read (m : moment) (p : relation * moment) : place := (key_of (fst p), when_read m p).

Definition place_of (st : statement) (m : moment) : place := place_read m (srel st, stense st).

Definition place_eq (p q : place) : {p = q} + {p <> q}.
Proof. decide equality; [apply moment_eq | apply relation_eq]. Defined.

Definition among (p : place) (l : list place) : bool := existsb (fun q => if place_eq p q then true else false) l.

Definition quiet (p : place) : bool :=
  match p with (Plain Action _, _) | (_, After) => false | _ => true end.

Definition cond_quiet (l : list place) (m : moment) (c : cond) : bool :=
  negb (is_other c) && forallb (fun p => among (place_read m p) l) (reads_of c).

Definition rule_quiet (l : list place) (r : rule) : bool :=
  forallb (fun m => negb (among (place_of (head r) m) l) || forallb (cond_quiet l m) (body r)) [Before; After].

(** Whether no fact at one of these places rests on an action. *)
Definition resting_on_none (th : theory) (l : list place) : bool :=
  forallb quiet l && forallb (rule_quiet l) (rules th).

(** The largest such list that is found: nothing that is proved rests on how it is found. *)
Definition places_of_cond (c : cond) : list place :=
  map (place_read Before) (reads_of c) ++ map (place_read After) (reads_of c).

Definition unsettled (th : theory) (l : list place) : list place :=
  flat_map (fun r => flat_map (fun m =>
    if forallb (cond_quiet l m) (body r) then [] else [place_of (head r) m]) [Before; After]) (rules th).

Fixpoint settle (n : nat) (th : theory) (l : list place) : list place :=
  match n with
  | O => l
  | S n' =>
      let bad := unsettled th l in
      let l' := filter (fun p => negb (among p bad)) l in
      if Nat.eqb (List.length l') (List.length l) then l else settle n' th l'
  end.

Definition found_quiet (th : theory) (more : list cond) : list place :=
  let all := flat_map (fun r => places_of_cond (Holds (head r)) ++ flat_map places_of_cond (body r)) (rules th)
             ++ flat_map places_of_cond more in
  let start := filter quiet (nodup place_eq all) in
  settle (List.length start) th start.

Lemma among_in : forall p l, among p l = true -> In p l.
Proof.
  intros p l H. apply existsb_exists in H as (q & Hq & E). destruct (place_eq p q) as [->|]; [exact Hq|discriminate].
Qed.

Lemma in_columns_all : forall cols ts i t, nth_error cols i = Some true -> nth_error ts i = Some t ->
  In t (in_columns cols ts).
Proof.
  induction cols as [|c cols IH]; intros [|u ts] [|i] t Hc Ht; cbn in *; try discriminate.
  - injection Hc as ->. injection Ht as ->. now left.
  - specialize (IH ts i t Hc Ht). destruct c; [now right|exact IH].
Qed.

Section Worlds.
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

  Lemma well_rule : forall r, In r (rules th) -> rule_well th r = true.
  Proof.
    intros r H. unfold well_formed in well. apply andb_prop in well as [W _].
    rewrite forallb_forall in W. auto.
  Qed.

  Lemma head_sorted : forall past c r s m, In r (rules th) -> (m = Before \/ m = After) ->
    (forall x, In x (body r) -> true_in (sorted th) (other past c) s m x) -> sorted th (inst s m (head r)).
  Proof.
    intros past c r s m Hr Hm T i v Hc Hv. cbn in Hc, Hv.
    pose proof (well_rule r Hr) as W. unfold rule_well in W.
    apply andb_prop in W as [W _]. apply andb_prop in W as [Wb Wa].
    assert (P : passes_sorts th m r = true) by (destruct Hm; subst; auto).
    unfold passes_sorts in P. rewrite forallb_forall in P.
    destruct (nth_error (sargs (head r)) i) as [t|] eqn:Ht.
    - rewrite (map_nth_error _ _ _ Ht) in Hv. injection Hv as <-.
      eapply is_number_term_sound; [|apply P; eapply in_columns_all; eauto].
      apply satisfies_take with (facts := sorted th) (others := other past c); eauto using satisfies_empty.
    - apply nth_error_None in Ht. assert (L : (i < List.length (map (tval s) (sargs (head r))))%nat).
      { apply nth_error_Some. congruence. } rewrite map_length in L. lia.
  Qed.

  Theorem world_sorted : forall past c f, world past c f -> sorted th f.
  Proof.
    induction 1 as [past c p row Hs|past c p row Hs|c r row Hs|past a c r row H IH|past a Ha
      |past c r s m said Hr F R Sub IH T|past a c f Ha M H IH|past a c f Ha M S N|past c g row gives [a Ra] E V H IH
      |past a r row G H IH]; auto.
    - unfold well_formed in well. apply andb_prop in well as [_ W]. rewrite forallb_forall in W.
      specialize (W _ Hs). unfold fact_sorted in W. rewrite forallb_forall in W.
      intros i v Hc Hv. cbn [frel frow] in *.
      assert (I : In (Val v) (in_columns (integer_columns th (Plain Static p)) (map Val row)))
        by (eapply in_columns_all; eauto using map_nth_error).
      specialize (W _ I). destruct v; [discriminate|]. eexists; reflexivity.
    - apply (head_sorted past c r s m Hr). { destruct R as [->|(_ & ->)]; auto. }
      intros d Hd. eapply true_grows; [exact IH|]. auto.
    - intros i w Hc Hw. cbn [frel frow] in *. destruct (E a Ra) as [v G].
      destruct (Nat.lt_ge_cases i (List.length row)) as [L|L].
      + rewrite nth_error_app1 in Hw by exact L. apply (IH a v Ra G i w); cbn; [exact Hc|].
        now rewrite nth_error_app1.
      + rewrite nth_error_app2 in Hw by exact L. destruct (i - List.length row)%nat eqn:D.
        * assert (I : is_int v).
          { apply (IH a v Ra G i); cbn; [exact Hc|]. rewrite nth_error_app2, D by exact L. reflexivity. }
          destruct I as [z I], (V a v G) as [W|[W|[W|[W|[]]]]]; congruence.
        * destruct n; discriminate.
  Qed.

  (** What never changes is the same at all points. *)
  Theorem statics_stay : forall past c f, world past c f -> is_static (frel f) = true ->
    forall past' c', world past' c' f \/ fmom f <> Always.
  Proof.
    induction 1 as [past c p row Hs|past c p row Hs|c r row Hs|past a c r row H IH|past a Ha
      |past c r s m said Hr F R Sub IH T|past a c f Ha M H IH|past a c f Ha M S N|past c g row gives X E V H IH
      |past a r row G H IH]; intros St past' c'; cbn in *; try discriminate.
    - left. now apply of_state_static.
    - left. now apply of_stated.
    - right. discriminate.
    - right. discriminate.
    - left. pose proof (well_rule r Hr) as W. unfold rule_well in W. apply andb_prop in W as [_ W].
      unfold static_of_statics in W. rewrite St in W. cbn in W. rewrite forallb_forall in W.
      assert (Any : forall p n, is_static (fst p) = true -> when_read n p = Always).
      { intros [[[] ?|?|? ? ?] t] n' I; try discriminate. reflexivity. }
      assert (Here : inst s m (head r) = inst s Before (head r)).
      { unfold inst. f_equal. exact (eq_trans (Any (srel (head r), stense (head r)) m St) (eq_sym (Any (_, stense (head r)) Before St))). }
      rewrite Here. apply of_rule with (said := world past' c'); auto.
      + now left.
      + intros d I. specialize (W _ I). apply andb_prop in W as [No W]. rewrite forallb_forall in W.
        apply negb_true_iff in No. eapply true_where_read; [exact No| |exact (T d I)].
        intros p row J Q. specialize (W p J). rewrite (Any p m W) in Q. rewrite (Any p Before W).
        destruct (IH _ Q W past' c') as [D|D]; [exact D|]. exfalso. now apply D.
    - right. rewrite M. discriminate.
    - right. rewrite M. discriminate.
    - rewrite St in *. destruct r; discriminate.
  Qed.

  (** Lemma 5. *)
  Theorem same_whatever_is_taken : forall l past c f, resting_on_none th l = true -> world past c f ->
    among (key_of (frel f), fmom f) l = true -> forall c', world past c' f.
  Proof.
    intros l past c f Hl H. unfold resting_on_none in Hl. apply andb_prop in Hl as [Q Hl].
    rewrite forallb_forall in Q, Hl.
    induction H as [past c p row Hs|past c p row Hs|c r row Hs|past a c r row H IH|past a Ha
      |past c r s m said Hr F R Sub IH T|past a c f Ha M H IH|past a c f Ha M S N|past c g row gives X E V H IH
      |past a r row G H IH]; intros A c'.
    - now apply of_state_static.
    - now apply of_stated.
    - now apply of_state.
    - eapply of_past; eauto.
    - apply among_in, Q in A. discriminate.
    - assert (M : m = Before \/ m = After) by (destruct R as [->|(_ & ->)]; auto).
      assert (B : forallb (cond_quiet l m) (body r) = true).
      { pose proof (Hl r Hr) as D. unfold rule_quiet in D. rewrite forallb_forall in D.
        assert (I : In m [Before; After]) by (cbn; destruct M; subst; auto).
        specialize (D m I). apply orb_prop in D as [D|D]; [|exact D].
        change (among (place_of (head r) m) l = true) in A. rewrite A in D. discriminate. }
      rewrite forallb_forall in B.
      assert (At : forall p, among (place_read m p) l = true -> when_read m p = when_read Before p).
      { intros [rel t] P. apply among_in, Q in P. unfold place_read, quiet in P. unfold when_read in *. cbn in *.
        destruct M as [->| ->]; [reflexivity|].
        destruct rel as [[] ?|?|? ? ?], t; cbn in *; try reflexivity; discriminate. }
      assert (Here : inst s m (head r) = inst s Before (head r)).
      { unfold inst. f_equal. exact (At (srel (head r), stense (head r)) A). }
      rewrite Here. apply of_rule with (said := world past c'); auto.
      + now left.
      + intros d I. specialize (B _ I). apply andb_prop in B as [No B]. rewrite forallb_forall in B.
        apply negb_true_iff in No. eapply true_where_read; [exact No| |exact (T d I)].
        intros p row J W. rewrite <- (At p (B p J)). apply IH; [exact W|exact (B p J)].
    - eapply of_named; eauto.
    - eapply of_untakable; eauto.
    - now apply of_replies with gives.
    - apply among_in, Q in A. destruct r; cbn in A; discriminate.
  Qed.

  Lemma quiet_true : forall l past c c' s d, resting_on_none th l = true -> cond_quiet l Before d = true ->
    true_in (world past c) (other past c) s Before d -> true_in (world past c') (other past c') s Before d.
  Proof.
    intros l past c c' s d Hl H T. unfold cond_quiet in H. apply andb_prop in H as [No H]. rewrite forallb_forall in H.
    apply negb_true_iff in No. eapply true_where_read; [exact No| |exact T].
    intros p row I W. eapply same_whatever_is_taken; eauto.
  Qed.
End Worlds.
