(** Notes, and proofs of what is asked of each member of a set (the calculus page, "Notes" and "Conditions"). *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Linear Values Meaning Contexts Conditions Worlds Stages Variables.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope list_scope.

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

Definition term_fits (x : context) (t : term) : bool :=
  match t with Var v => mem v (own x) | Val (Int z) => in64 z | Val (Word _) => true end.

(** Whether two conditions of members say the same. *)
Definition in_class (x : context) (t : term) : term :=
  match t with
  | Var v => if bound v then t else let u := find x t in if free_term u then u else t
  | Val _ => t
  end.

Definition class_of (x : context) (e : expr) : expr := eput (fun v => in_class x (Var v)) e.

Definition simple_eq (x : context) (m m' : moment) (a b : simple) : bool :=
  match a, b with
  | Says st, Says st' =>
      (if read_eq (srel st, when_read m (srel st, stense st)) (srel st', when_read m' (srel st', stense st')) then true else false)
      && (if list_eq_dec term_eq (map (in_class x) (sargs st)) (map (in_class x) (sargs st')) then true else false)
  | Is o p q, Is o' p' q' =>
      (if cmp_eq o o' then true else false) && (if expr_eq (class_of x p) (class_of x p') then true else false)
      && (if expr_eq (class_of x q) (class_of x q') then true else false)
  | _, _ => false
  end.

Fixpoint all_two {A} (p : A -> A -> bool) (l l' : list A) : bool :=
  match l, l' with [], [] => true | a :: l, b :: l' => p a b && all_two p l l' | _, _ => false end.

(** Whether two conditions are of one set. *)
Definition same_set (x : context) (e e' : every) (m m' : moment) : bool :=
  (if read_eq (set_rel e, when_read m (set_read e)) (set_rel e', when_read m' (set_read e')) then true else false)
  && (if read_eq (set_count e, when_read m (count_read e)) (set_count e', when_read m' (count_read e')) then true else false)
  && same_row x (set_key e) (set_key e').

Definition every_known (x : context) (e : every) (m : moment) (k : Z) : bool :=
  match known_at x k with
  | Some (All e', m') =>
      same_set x e e' m m' && (if list_eq_dec string_dec (listed e) (listed e') then true else false)
      && all_two (simple_eq x m m') (asks e) (asks e')
  | _ => false
  end.

(** What a known statement is as a member of a set. *)
Definition member_at (x : context) (e : every) (m : moment) (j : Z) : option (list term) :=
  match known_at x j with
  | Some (Holds st, m') =>
      let n := List.length (set_key e) in
      if (if read_eq (srel st, when_read m' (srel st, stense st)) (set_rel e, when_read m (set_read e)) then true else false)
         && same_row x (firstn n (sargs st)) (set_key e)
      then Some (skipn n (sargs st)) else None
  | _ => None
  end.

(** Whether a known statement says that a set has so many members. *)
Definition count_at (x : context) (e : every) (m : moment) (k : Z) (n : Z) : bool :=
  match known_at x k with
  | Some (Holds st, m') =>
      match sargs st with
      | [] => false
      | _ =>
          (if read_eq (srel st, when_read m' (srel st, stense st)) (set_count e, when_read m (count_read e)) then true else false)
          && same_row x (removelast (sargs st)) (set_key e)
          && (if term_eq (find x (last (sargs st) (Val (Int 0)))) (Val (Int n)) then true else false)
      end
  | _ => false
  end.

(** Terms for the other variables of a condition. *)
Fixpoint pairs_of (l : list witness) : answer (list (string * term)) :=
  match l with
  | [] => Yes []
  | WList [WText v; t] :: l' =>
      do rest <- pairs_of l';
      do _ <- need (negb (mem v (map fst rest))) "two terms for one variable";
      match t with
      | WText u => Yes ((v, term_of_text u) :: rest)
      | WInt z => Yes ((v, Val (Int z)) :: rest)
      | _ => No "a term stands in no known form"
      end
  | _ => No "a term for a variable stands in no known form"
  end.

(** The terms of one member for the variables of a condition. *)
Definition of_member (e : every) (row : list term) (given : list (string * term)) (v : string) : term :=
  if bound v then
    match lookup v (List.combine (listed e) row) with
    | Some t => t
    | None => match lookup v given with Some t => t | None => Var v end
    end
  else Var v.

Definition prove_ask (x : context) (a : simple) (m : moment) (w : witness) : answer unit :=
  do _ <- need (forallb (fun v => negb (bound v)) (simple_vars a)) "a variable of a member has no term";
  match a with
  | Says st => match w with WInt k => need (is_known x st m k) "a statement is not known" | _ => No "a statement is proved in no known form" end
  | Is o a b => compares x o a b w
  end.

Fixpoint prove_asks (x : context) (l : list simple) (m : moment) (ws : list witness) : answer unit :=
  match l, ws with
  | [], [] => Yes tt
  | a :: l', w :: ws' => do _ <- prove_ask x a m w; prove_asks x l' m ws'
  | _, _ => No "there is not one proof for each condition"
  end.

Definition small_term (t : term) : bool := match t with Val (Int z) => in64 z | _ => true end.

Definition asked_of (x : context) (e : every) (m : moment) (row : list term) (ts ps : list witness) : answer unit :=
  do given <- pairs_of ts;
  do _ <- need (Nat.eqb (List.length row) (List.length (listed e))) "a member of another width";
  do _ <- need (forallb (fun p => term_fits x (snd p)) given) "a term is none of the context";
  do _ <- within (distinct (listed e) && forallb bound (listed e) && forallb small_term row) "a member of another kind";
  prove_asks x (map (simple_put (of_member e row given)) (asks e)) m ps.

Fixpoint each_member (x : context) (e : every) (m : moment) (ms : list witness) : answer (list (list term)) :=
  match ms with
  | [] => Yes []
  | WList [WInt j; WList ts; WList ps] :: ms' =>
      match member_at x e m j with
      | Some row => do _ <- asked_of x e m row ts ps; do rows <- each_member x e m ms'; Yes (row :: rows)
      | None => No "this is no member of the set"
      end
  | _ => No "a member is named in no known form"
  end.

(** Rows that are proved to differ, pair by pair. *)
Definition are_apart (x : context) (t u : term) : bool :=
  match find x t, find x u with Val v, Val w => if value_eq v w then false else true | _, _ => false end.

Definition rows_apart (x : context) (one other : list term) (w : witness) : answer unit :=
  match w with
  | WNull => need (existsb (fun p => are_apart x (fst p) (snd p)) (List.combine one other)) "two members may be one"
  | WList [WInt c; d] =>
      if ((0 <=? c) && (c <? Z.of_nat (List.length one)))%Z then
        match nth_error one (Z.to_nat c), nth_error other (Z.to_nat c) with
        | Some t, Some u => apart x t u d
        | _, _ => No "no such column"
        end
      else No "no such column"
  | _ => No "two members are told apart in no known form"
  end.

Fixpoint apart_from (x : context) (one : list term) (rows : list (list term)) (ws : list witness) : answer (list witness) :=
  match rows, ws with
  | [], _ => Yes ws
  | other :: rows', w :: ws' => do _ <- rows_apart x one other w; apart_from x one rows' ws'
  | _, _ => No "two members are not told apart"
  end.

Fixpoint all_apart (x : context) (rows : list (list term)) (ws : list witness) : answer unit :=
  match rows with
  | [] => need (match ws with [] => true | _ => false end) "more is told apart than there is"
  | one :: rows' => do ws' <- apart_from x one rows' ws; all_apart x rows' ws'
  end.

(** The context for any member of a known condition. *)
Definition any_name (n : string) : string := ("#1." ++ n)%string.

Definition any_names (e : every) : list string :=
  map (fun i => any_name (digits i)) (seq 0 (List.length (listed e))) ++ map (fun p => any_name (snd p)) (others_called e).

Definition any_row (e : every) : list term := map (fun i => Var (any_name (digits i))) (seq 0 (List.length (listed e))).

Definition any_term (e : every) (v : string) : term :=
  if bound v then
    match lookup v (List.combine (listed e ++ map fst (others_called e)) (any_names e)) with Some w => Var w | None => Var v end
  else Var v.

Definition simple_cond (a : simple) : cond := match a with Says st => Holds st | Is o a b => Compare o a b end.

Definition any_member (th : theory) (x : context) (e' : every) (m' : moment) : context :=
  let y := take th (with_own x (any_names e')) [Holds (Statement (set_rel e') (set_tense e') (set_key e' ++ any_row e'))] m' in
  take th y (map (fun a => simple_cond (simple_put (any_term e') a)) (asks e')) m'.

Definition by_each (x : context) (e : every) (m : moment) (k : Z) (ms ws : list witness) : answer unit :=
  do rows <- each_member x e m ms;
  do _ <- need (count_at x e m k (Z.of_nat (List.length rows)) && in64 (Z.of_nat (List.length rows))) "the set has another count";
  do _ <- all_apart x rows ws;
  within (forallb bound (listed e)) "a condition of another kind".

Definition by_any (th : theory) (x : context) (e : every) (m : moment) (k : Z) (ns ts ps : list witness) : answer unit :=
  match known_at x k with
  | Some (All e', m') =>
      do _ <- need (same_set x e e' m m' && Nat.eqb (List.length (listed e)) (List.length (listed e'))) "an `all` of another set";
      do _ <- within (distinct (any_names e') && none_other x && forallb bound (listed e)
                      && forallb (fun a => forallb (fun v => negb (bound v)) (simple_vars (simple_put (any_term e') a))) (asks e')
                      && forallb (fun v => negb (mem v (any_names e'))) (spoken_of x ++ cvars (All e)))
                "a variable of any member that stands for something already";
      do y <- run_notes th (any_member th x e' m') ns;
      asked_of y e m (any_row e') ts ps
  | _ => No "no such `all` is known"
  end.

Definition every_proved (th : theory) (x : context) (e : every) (m : moment) (w : witness) : answer unit :=
  match w with
  | WList [WText _; WInt k] =>
      match tagged "known" w with Some _ => need (every_known x e m k) "no such `all` is known" | None => No "what a set has is proved in no known form" end
  | WList [WText _; WInt k; WList ms; WList ws] =>
      match tagged "each" w with Some _ => by_each x e m k ms ws | None => No "what a set has is proved in no known form" end
  | WList [WText _; WInt k; WList ns; WList ts; WList ps] =>
      match tagged "any" w with Some _ => by_any th x e m k ns ts ps | None => No "what a set has is proved in no known form" end
  | _ => No "what a set has is proved in no known form"
  end.

(** Whether a condition is proved. *)
Definition shows (th : theory) (x : context) (c : cond) (m : moment) (w : witness) : answer unit :=
  match c with All e => every_proved th x e m w | _ => proves x c m w end.

(** Soundness *)

Lemma lookup_in : forall A v (l : list (string * A)) a, lookup v l = Some a -> In (v, a) l.
Proof.
  intros A v. induction l as [|[w b] l IH]; intros a H; cbn in H; [discriminate|].
  destruct (String.eqb v w) eqn:E; [apply String.eqb_eq in E; subst; injection H as ->; now left|right; auto].
Qed.

Lemma in_combine_turned : forall A B (l : list A) (l' : list B) a b, In (a, b) (List.combine l l') -> In (b, a) (List.combine l' l).
Proof.
  intros A B. induction l as [|a l IH]; intros [|b l'] x y H; cbn in *; try contradiction.
  destruct H as [H|H]; [injection H as <- <-; now left|right; auto].
Qed.

Lemma lookup_distinct : forall A l (l' : list A) v a, distinct l = true -> In (v, a) (List.combine l l') -> lookup v (List.combine l l') = Some a.
Proof.
  intros A. induction l as [|w l IH]; intros [|b l'] v a D H; cbn in *; try contradiction.
  apply andb_prop in D as [N D]. destruct H as [H|H].
  - injection H as <- <-. now rewrite String.eqb_refl.
  - destruct (String.eqb v w) eqn:E; [|auto]. apply String.eqb_eq in E. subst. apply in_combine_l in H.
    rewrite (in_mem _ _ H) in N. discriminate.
Qed.

Lemma lookup_row : forall A B (g : option A -> B) (h : A -> B) l (row : list A), (forall a, g (Some a) = h a) -> distinct l = true ->
  List.length row = List.length l -> map (fun v => g (lookup v (List.combine l row))) l = map h row.
Proof.
  intros A B g h l row G D L.
  assert (H : forall l0 r0, List.length r0 = List.length l0 -> (forall v a, In (v, a) (List.combine l0 r0) -> lookup v (List.combine l row) = Some a) ->
    map (fun v => g (lookup v (List.combine l row))) l0 = map h r0).
  { induction l0 as [|v l0 IH]; intros [|a r0] E Q; cbn in E; try discriminate; [reflexivity|]. injection E as E. cbn.
    rewrite (Q v a (or_introl eq_refl)), G. f_equal. apply IH; [exact E|]. intros u b I. apply Q. now right. }
  apply H; [exact L|]. intros v a I. now apply lookup_distinct.
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
    Notation here := (world past c).
    Notation satisfies := (satisfies here (other past c)).

    Lemma here_sorted : forall f, here f -> sorted th f.
    Proof. intros f H. now apply (world_sorted th state takable reply other) with past c. Qed.

    Lemma taken : forall s x cs m, satisfies s x -> (forall d, In d cs -> true_in here (other past c) s m d) ->
      satisfies s (take th x cs m).
    Proof. intros. apply satisfies_take; eauto using here_sorted. Qed.

    Lemma run_note_sound : forall s x n y, satisfies s x -> run_note th x n = Yes y -> satisfies s y.
    Proof.
      intros s x n y S H. unfold run_note in H.
      destruct (tagged "fact" n) as [[|[| |p|] [|[| | |ts] [|]]]|];
        try (destruct (begins n _); discriminate).
      destruct (values_of ts) as [row|]; [|discriminate].
      apply bind_yes in H as ([] & F & H). apply need_yes in F. injection H as <-.
      apply taken; [exact S|]. intros d [<-|[]]. cbn. unfold inst; cbn. rewrite map_map. cbn. rewrite map_id.
      apply of_stated. apply existsb_exists in F as ([q row'] & I & E). cbn in E.
      apply andb_prop in E as [E1 E2]. apply String.eqb_eq in E1. subst.
      unfold row_eq in E2. destruct list_eq_dec as [->|]; [exact I|discriminate].
    Qed.

    Lemma run_notes_sound : forall s l x y, satisfies s x -> run_notes th x l = Yes y -> satisfies s y.
    Proof.
      intros s. induction l as [|n l IH]; intros x y S H; cbn in H.
      - now injection H as <-.
      - apply bind_yes in H as (z & N & H). eauto using run_note_sound.
    Qed.

    Section At.
      Variable s : assignment.
      Hypothesis fit : fitting s.
      Variable x : context.
      Hypothesis sat : satisfies s x.

      Lemma in_class_value : forall s1 t, agree s s1 -> tval s1 (in_class x t) = tval s1 t.
      Proof.
        intros s1 [v|v] A; [|reflexivity]. cbn. destruct (bound v) eqn:B; [reflexivity|].
        destruct (free_term (find x (Var v))) eqn:F; [|reflexivity].
        rewrite (free_value s s1 _ A F), (find_value _ _ s x (Var v) sat). cbn. now apply A.
      Qed.

      Lemma simple_eq_sound : forall s1 m m' a b, agree s s1 -> simple_eq x m m' a b = true ->
        simple_true here s1 m' b -> simple_true here s1 m a.
      Proof.
        intros s1 m m' [st|o a b] [st'|o' a' b'] A E H; try discriminate; unfold simple_eq in E.
        - apply andb_prop in E as [E R]. destruct read_eq as [Q|]; [|discriminate]. injection Q as Q1 Q2.
          destruct list_eq_dec as [R'|]; [|discriminate]. cbn in *. unfold inst in *.
          unfold when_read in Q2. cbn in Q2. rewrite Q1 in *. rewrite Q2.
          assert (V : forall l, map (tval s1) (map (in_class x) l) = map (tval s1) l).
          { intro l. rewrite map_map. apply map_ext. intro t. now apply in_class_value. }
          rewrite <- (V (sargs st)), R', V. exact H.
        - apply andb_prop in E as [E R]. apply andb_prop in E as [E Q].
          destruct cmp_eq as [->|]; [|discriminate]. destruct expr_eq as [Q'|] in Q; [|discriminate].
          destruct expr_eq as [R'|] in R; [|discriminate]. destruct H as (v & w & Ev & Ew & T).
          assert (V : forall e, ev s1 (class_of x e) = ev s1 e).
          { intro e. unfold class_of. rewrite ev_put. apply ev_ext. intro u. exact (in_class_value s1 (Var u) A). }
          exists v, w. rewrite <- (V a), Q', V, <- (V b), R', V. auto.
      Qed.

      Lemma all_two_in : forall A (p : A -> A -> bool) l l', all_two p l l' = true -> forall a, In a l -> exists b, In b l' /\ p a b = true.
      Proof.
        intros A p. induction l as [|a l IH]; intros [|b l'] H u I; cbn in H; try discriminate; [destruct I|].
        apply andb_prop in H as [P H]. destruct I as [<-|I]; [exists b; cbn; auto|]. destruct (IH l' H u I) as (w & J & Q). exists w. cbn. auto.
      Qed.

      (** What of one set is so of the same one. *)
      Lemma same_set_rows : forall e e' m m', same_set x e e' m m' = true ->
        (forall row, here (Fact (set_rel e') (when_read m' (set_read e')) (map (tval s) (set_key e') ++ row)) ->
          here (Fact (set_rel e) (when_read m (set_read e)) (map (tval s) (set_key e) ++ row))) /\
        (forall row, here (Fact (set_count e') (when_read m' (count_read e')) (map (tval s) (set_key e') ++ row)) ->
          here (Fact (set_count e) (when_read m (count_read e)) (map (tval s) (set_key e) ++ row))).
      Proof.
        intros e e' m m' H. unfold same_set in H. apply andb_prop in H as [H K]. apply andb_prop in H as [R C].
        destruct read_eq as [R'|] in R; [|discriminate]. destruct read_eq as [C'|] in C; [|discriminate].
        injection R' as R1 R2. injection C' as C1 C2. pose proof (same_row_value _ _ s x sat _ _ K) as V.
        rewrite R1, R2, C1, C2, V. auto.
      Qed.

      Lemma every_known_sound : forall e m k, every_known x e m k = true -> every_true here s m e.
      Proof.
        intros e m k H. unfold every_known in H. destruct (known_at x k) as [[d m']|] eqn:K; [|discriminate].
        destruct d as [| | | |e']; try discriminate. apply andb_prop in H as [H Q]. apply andb_prop in H as [H L].
        destruct list_eq_dec as [L'|]; [|discriminate]. clear L. destruct (same_set_rows _ _ _ _ H) as [In_ Of].
        destruct (known_at_true _ _ _ _ sat _ _ _ K) as (rows & B & C & D & Li & T).
        exists rows. split; [exact B|]. split; [now apply Of|]. split; [exact D|]. rewrite L'. split; [exact Li|].
        intros row I. destruct (T row I) as [W (s1 & F & A & E & P)]. split; [now apply In_|].
        exists s1. repeat split; auto. intros a J. destruct (all_two_in _ _ _ _ Q a J) as (b & I' & P').
        eapply simple_eq_sound; eauto.
      Qed.

      Lemma member_at_sound : forall e m j row, member_at x e m j = Some row ->
        here (Fact (set_rel e) (when_read m (set_read e)) (map (tval s) (set_key e) ++ map (tval s) row)).
      Proof.
        intros e m j row H. unfold member_at in H. destruct (known_at x j) as [[d m']|] eqn:K; [|discriminate].
        destruct d as [st| | | |]; try discriminate. destruct (_ && _) eqn:B in H; [|discriminate]. injection H as <-.
        apply andb_prop in B as [R V]. destruct read_eq as [R'|]; [|discriminate]. injection R' as R1 R2.
        rewrite <- (same_row_value _ _ s x sat _ _ V), <- map_app, firstn_skipn, <- R1, <- R2.
        exact (known_at_true _ _ _ _ sat _ _ _ K).
      Qed.

      Lemma count_at_sound : forall e m k n, count_at x e m k n = true ->
        here (Fact (set_count e) (when_read m (count_read e)) (map (tval s) (set_key e) ++ [Int n])).
      Proof.
        intros e m k n H. unfold count_at in H. destruct (known_at x k) as [[d m']|] eqn:K; [|discriminate].
        destruct d as [st| | | |]; try discriminate. destruct (sargs st) as [|t ts] eqn:Args; [discriminate|].
        apply andb_prop in H as [H N]. apply andb_prop in H as [R V]. destruct read_eq as [R'|]; [|discriminate]. injection R' as R1 R2.
        destruct term_eq as [N'|]; [|discriminate].
        pose proof (known_at_true _ _ _ _ sat _ _ _ K) as W. cbn in W. unfold inst in W.
        assert (Nn : sargs st <> []) by (rewrite Args; discriminate). rewrite <- Args in *.
        rewrite (app_removelast_last (Val (Int 0)) Nn), map_app, (same_row_value _ _ s x sat _ _ V) in W. cbn [map] in W.
        rewrite <- (find_value _ _ s x _ sat) in W. rewrite N' in W. cbn in W. rewrite <- R1, <- R2. exact W.
      Qed.

      Lemma prove_asks_sound : forall l m ws, prove_asks x l m ws = Yes tt -> forall a, In a l -> simple_true here s m a.
      Proof.
        intros l m. induction l as [|a l IH]; intros [|w ws] H b I; cbn in H; try discriminate; [destruct I|].
        apply bind_yes in H as ([] & P & H). destruct I as [<-|I]; [|eauto].
        unfold prove_ask in P. apply bind_yes in P as ([] & _ & P). destruct a as [st|o p q]; cbn.
        - destruct w; try discriminate. apply need_yes in P. eapply is_known_sound; eauto.
        - eapply compares_sound; eauto.
      Qed.

      Lemma asked_of_sound : forall e m row ts ps, asked_of x e m row ts ps = Yes tt ->
        exists s', fitting s' /\ agree s s' /\ map s' (listed e) = map (tval s) row /\ forallb bound (listed e) = true /\
          forall a, In a (asks e) -> simple_true here s' m a.
      Proof.
        intros e m row ts ps H. unfold asked_of in H. apply bind_yes in H as (given & _ & H).
        apply bind_yes in H as ([] & L & H). apply need_yes, Nat.eqb_eq in L.
        apply bind_yes in H as ([] & G & H). apply need_yes in G.
        apply bind_yes in H as ([] & K & H). apply within_yes in K. apply andb_prop in K as [K Sm]. apply andb_prop in K as [D Li].
        rewrite forallb_forall in G, Sm, Li. set (f := of_member e row given) in *.
        assert (Small : forall t, small_term t = true -> valid (tval s t)).
        { intros [v|[w|z]] V; cbn in *; [apply fit|exact I|exact V]. }
        exists (fun v => tval s (f v)). split; [|split; [|split; [|split]]].
        - intro v. unfold f, of_member. destruct (bound v); [|apply fit].
          destruct (lookup v (List.combine (listed e) row)) as [t|] eqn:E.
          + apply lookup_in, in_combine_r in E. apply Small. auto.
          + destruct (lookup v given) as [t|] eqn:E'; [|apply fit]. apply lookup_in in E'. specialize (G _ E'). cbn in G. apply Small.
            destruct t as [u|[u|z]]; cbn in *; auto.
        - intros v B. unfold f, of_member. now rewrite B.
        - rewrite <- (lookup_row _ _ (fun o => match o with Some t => tval s t | None => Int 0 end) (tval s) (listed e) row); auto.
          apply map_ext_in. intros v J. unfold f, of_member. rewrite (Li v J).
          assert (Some_ : exists t, lookup v (List.combine (listed e) row) = Some t).
          { clear - J L. revert row L. induction (listed e) as [|w l IH]; intros [|t row] L; cbn in *; try discriminate; [destruct J|].
            destruct (String.eqb v w) eqn:E; [eauto|]. apply IH; [|lia]. destruct J as [->|J]; [|exact J].
            rewrite String.eqb_refl in E. discriminate. }
          destruct Some_ as [t ->]. reflexivity.
        - apply forallb_forall. exact Li.
        - intros a J. apply simple_put_true. eapply prove_asks_sound; [exact H|]. now apply in_map.
      Qed.

      Lemma each_member_sound : forall e m ms rows, each_member x e m ms = Yes rows -> forall row, In row rows ->
        here (Fact (set_rel e) (when_read m (set_read e)) (map (tval s) (set_key e) ++ map (tval s) row)) /\
        exists s', fitting s' /\ agree s s' /\ map s' (listed e) = map (tval s) row /\ forall a, In a (asks e) -> simple_true here s' m a.
      Proof.
        intros e m. induction ms as [|w ms IH]; intros rows H row J; cbn in H; [injection H as <-; destruct J|].
        destruct w as [| | |[|[|j| |] [|[| | |ts] [|[| | |ps] [|]]]]]; try discriminate.
        destruct (member_at x e m j) as [one|] eqn:M; [|discriminate].
        apply bind_yes in H as ([] & A & H). apply bind_yes in H as (rest & R & H). injection H as <-.
        destruct J as [<-|J]; [|eauto]. split; [eapply member_at_sound; eauto|].
        destruct (asked_of_sound _ _ _ _ _ A) as (s' & F & G & E & _ & Q). eauto.
      Qed.

      Lemma rows_apart_sound : forall one other w, rows_apart x one other w = Yes tt -> map (tval s) one <> map (tval s) other.
      Proof.
        intros one two w H E. destruct w as [|k|t|[|[|c0| |] [|d [|]]]]; cbn in H; try discriminate.
        - apply need_yes, existsb_exists in H as ([t u] & I & A). cbn in A. unfold are_apart in A.
          assert (V : tval s t = tval s u).
          { clear A. revert two I E. induction one as [|a one IH]; intros [|b two] I E; cbn in *; try contradiction.
            injection E as E0 E. destruct I as [I|I]; [injection I as <- <-; exact E0|eauto]. }
          rewrite <- (find_value _ _ s x t sat), <- (find_value _ _ s x u sat) in V.
          destruct (find x t), (find x u); try discriminate. destruct value_eq as [|Ne]; [discriminate|]. apply Ne. exact V.
        - destruct (_ && _) in H; [|discriminate]. destruct (nth_error one _) as [t|] eqn:N; [|discriminate].
          destruct (nth_error two _) as [u|] eqn:N'; [|discriminate].
          apply (apart_sound _ _ s x fit sat) in H. apply H.
          apply (map_nth_error (tval s)) in N, N'. rewrite E in N. congruence.
      Qed.

      Lemma apart_from_sound : forall one rows ws ws', apart_from x one rows ws = Yes ws' ->
        ~ In (map (tval s) one) (map (map (tval s)) rows).
      Proof.
        intros one. induction rows as [|two rows IH]; intros ws ws' H I; [destruct I|].
        destruct ws as [|w ws]; [discriminate|]. cbn in H. apply bind_yes in H as ([] & A & H).
        destruct I as [I|I]; [|eapply IH; eauto]. apply rows_apart_sound in A. congruence.
      Qed.

      Lemma all_apart_sound : forall rows ws, all_apart x rows ws = Yes tt -> NoDup (map (map (tval s)) rows).
      Proof.
        induction rows as [|one rows IH]; intros ws H; cbn in *; [constructor|].
        apply bind_yes in H as (ws' & A & H). constructor; [eapply apart_from_sound; eauto|eauto].
      Qed.

      (** What a proof of any member is of. *)
      Lemma any_member_sound : forall e' m' row s1, In (All e', m') (known x) ->
        distinct (any_names e') = true -> none_other x = true -> forallb bound (listed e') = true ->
        (forall a, In a (asks e') -> forall v, In v (simple_vars (simple_put (any_term e') a)) -> bound v = false) ->
        (forall v, In v (spoken_of x) -> mem v (any_names e') = false) ->
        fitting s1 -> agree s s1 -> map s1 (listed e') = row -> (forall a, In a (asks e') -> simple_true here s1 m' a) ->
        here (Fact (set_rel e') (when_read m' (set_read e')) (map (tval s) (set_key e') ++ row)) ->
        exists s2, fitting s2 /\ (forall v, mem v (any_names e') = false -> s2 v = s v) /\ map (tval s2) (any_row e') = row /\
          satisfies s2 (any_member th x e' m').
      Proof.
        intros e' m' row s1 Kn D No Li Cl Fr F1 A1 L1 Q1 W.
        set (olds := listed e' ++ map fst (others_called e')) in *. set (news := any_names e') in *.
        set (s2 := fun v => match lookup v (List.combine news olds) with Some o => s1 o | None => s v end).
        assert (F2 : fitting s2) by (intro v; unfold s2; destruct (lookup _ _); auto).
        assert (Same : forall v, mem v news = false -> s2 v = s v).
        { intros v N. unfold s2. destruct (lookup v (List.combine news olds)) as [o|] eqn:E; [|reflexivity].
          apply lookup_in, in_combine_l in E. rewrite (in_mem _ _ E) in N. discriminate. }
        assert (Cv : forall v, In v (cvars (All e')) -> s2 v = s v).
        { intros v I. apply Same, Fr. unfold spoken_of. apply in_or_app. left. apply in_flat_map. exists (All e', m'). auto. }
        assert (Key : map (tval s2) (set_key e') = map (tval s) (set_key e')).
        { apply tvals_same. intros v I. apply Cv. cbn. apply in_or_app. now left. }
        assert (Row : map (tval s2) (any_row e') = row).
        { rewrite <- L1. unfold any_row. rewrite map_map. cbn [tval].
          assert (G : forall pre l, (exists rest, news = map (fun i => any_name (digits i)) (seq 0 pre) ++ map (fun i => any_name (digits i)) (seq pre (List.length l)) ++ rest) ->
            (exists o1 o2, List.length o1 = pre /\ olds = o1 ++ l ++ o2) ->
            map (fun i => s2 (any_name (digits i))) (seq pre (List.length l)) = map s1 l).
          { intros pre l [rest En] (o1 & o2 & Lo & Eo). revert pre o1 rest En Lo Eo.
            induction l as [|v l IH]; intros pre o1 rest En Lo Eo; [reflexivity|]. cbn [List.length seq map]. f_equal.
            - unfold s2. assert (I : In (any_name (digits pre), v) (List.combine news olds)).
              { cbn [List.length seq map] in En. rewrite En, Eo. cbn [app].
                assert (Lm : List.length (map (fun i => any_name (digits i)) (seq 0 pre)) = List.length o1)
                  by (rewrite map_length, seq_length; auto).
                clear - Lm. revert o1 Lm. generalize (map (fun i => any_name (digits i)) (seq 0 pre)) as n1.
                induction n1 as [|n n1 IHn]; intros [|o o1] Lm; cbn in *; try discriminate; [now left|right]. apply IHn. lia. }
              now rewrite (lookup_distinct _ _ _ _ _ D I).
            - apply (IH (S pre) (o1 ++ [v]) rest).
              + rewrite En, (seq_S pre 0), map_app. change (seq pre (List.length (v :: l))) with (pre :: seq (S pre) (List.length l)).
                cbn [map]. rewrite <- !app_assoc. reflexivity.
              + rewrite app_length, Lo. cbn. lia.
              + rewrite Eo, <- app_assoc. reflexivity. }
          apply (G 0%nat (listed e')).
          - unfold news, any_names. cbn [seq map app]. eauto.
          - exists [], (map fst (others_called e')). auto. }
        exists s2. split; [exact F2|]. split; [exact Same|]. split; [exact Row|].
        assert (S2 : satisfies s2 (with_own x news)).
        { destruct (satisfies_same here (other past c) s s2 x No) as [K Q N C]; [|exact F2|exact sat|split; auto].
          intros v I. symmetry. apply Same. now apply Fr. }
        apply taken; [apply taken; [exact S2|]|].
        - intros d [<-|[]]. cbn. unfold inst. cbn [srel stense sargs]. rewrite map_app, Key, Row. exact W.
        - intros d I. apply in_map_iff in I as (a & <- & I).
          assert (T : simple_true here s2 m' (simple_put (any_term e') a)).
          { apply simple_put_true. apply (simple_same here s1); [|auto]. intros v J. unfold any_term.
            destruct (bound v) eqn:B.
            - change (listed e' ++ map fst (others_called e')) with olds. change (any_names e') with news.
              destruct (lookup v (List.combine olds news)) as [w|] eqn:E.
              + apply lookup_in, in_combine_turned in E. apply (lookup_distinct _ _ _ _ _ D) in E.
                assert (V : s2 w = s1 v) by (unfold s2; now rewrite E). symmetry. exact V.
              + exfalso. assert (N : bound v = false); [|congruence]. apply (Cl a I).
                assert (P : any_term e' v = Var v) by (unfold any_term; change (listed e' ++ map fst (others_called e')) with olds; change (any_names e') with news; now rewrite B, E).
                clear - J P. destruct a as [st|o p q]; cbn in *.
                * unfold svars in *. cbn. rewrite flat_map_concat_map, map_map. apply in_flat_map in J as (t & J & V).
                  rewrite <- flat_map_concat_map. apply in_flat_map. exists t. split; [exact J|].
                  destruct t as [u|u]; cbn in V; [|contradiction]. destruct V as [->|[]]. cbn [tput]. rewrite P. now left.
                * assert (E : forall e, In v (evars e) -> In v (evars (eput (any_term e') e))).
                  { induction e as [t|o' a IHa b IHb|a IHa]; cbn; intro V; auto.
                    - destruct t as [u|u]; cbn in V; [|contradiction]. destruct V as [->|[]]. cbn [tput]. rewrite P. now left.
                    - apply in_app_or in V as [V|V]; apply in_or_app; auto. }
                  apply in_app_or in J as [J|J]; apply in_or_app; auto.
            - cbn. rewrite <- (A1 v B). symmetry. apply Cv. cbn. apply in_or_app. right. apply filter_In. rewrite B.
              split; [|reflexivity]. apply in_flat_map. eauto. }
          destruct a; exact T.
      Qed.
    End At.

    Lemma by_each_sound : forall s x e m k ms ws, fitting s -> satisfies s x -> by_each x e m k ms ws = Yes tt -> every_true here s m e.
    Proof.
      intros s x e m k ms ws fit sat E. unfold by_each in E. apply bind_yes in E as (rows & R & E). apply bind_yes in E as ([] & C & E). apply need_yes in C.
        apply andb_prop in C as [C B]. apply bind_yes in E as ([] & A & E). apply within_yes in E.
        exists (map (map (tval s)) rows). rewrite map_length. split; [exact B|].
        split; [exact (count_at_sound s x sat e m k _ C)|]. split; [exact (all_apart_sound s fit x sat _ _ A)|]. split; [exact E|].
        intros row I. apply in_map_iff in I as (one & <- & I). eapply each_member_sound; eauto.
    Qed.

    Lemma by_any_sound : forall s x e m k ns ts ps, fitting s -> satisfies s x -> by_any th x e m k ns ts ps = Yes tt -> every_true here s m e.
    Proof.
      intros s x e m k ns ts ps fit sat E. unfold by_any in E. destruct (known_at x k) as [[d m']|] eqn:K; [|discriminate]. destruct d as [| | | |e']; try discriminate.
        apply bind_yes in E as ([] & S & E). apply need_yes in S. apply andb_prop in S as [S _].
        apply bind_yes in E as ([] & Fr & E). apply within_yes in Fr. apply andb_prop in Fr as [Fr New]. apply andb_prop in Fr as [Fr Cl].
        apply andb_prop in Fr as [Fr Lb]. apply andb_prop in Fr as [D No]. apply bind_yes in E as (y & N & E).
        destruct (same_set_rows s x sat _ _ _ _ S) as [In_ Of].
        pose proof (known_at_true _ _ _ _ sat _ _ _ K) as T. cbn in T. destruct T as (rows & B & C & Di & Li & T).
        assert (Kn : In (All e', m') (known x)).
        { unfold known_at in K. destruct (_ && _); [eapply nth_error_In; eauto|discriminate]. }
        rewrite forallb_forall in New, Cl.
        assert (One : forall row, In row rows -> exists s2, fitting s2 /\ (forall v, mem v (any_names e') = false -> s2 v = s v) /\
          map (tval s2) (any_row e') = row /\ satisfies s2 (any_member th x e' m')).
        { intros row I. destruct (T row I) as [W (s1 & F1 & A1 & L1 & Q1)].
          apply (any_member_sound s fit x sat e' m' row s1); auto.
          - intros a J v V. specialize (Cl a J). rewrite forallb_forall in Cl. specialize (Cl v V). now apply negb_true_iff.
          - intros v V. apply negb_true_iff. apply New, in_or_app. now left. }
        exists rows. split; [exact B|]. split; [now apply Of|]. split; [exact Di|].
        assert (Goal_ : forall row, In row rows ->
          exists s', fitting s' /\ agree s s' /\ map s' (listed e) = row /\ forall a, In a (asks e) -> simple_true here s' m a).
        { intros row I. destruct (One row I) as (s2 & F2 & Same & Row & S2).
          apply (run_notes_sound s2) in N; [|exact S2].
          destruct (asked_of_sound s2 F2 y N e m (any_row e') ts ps E) as (s3 & F3 & A3 & L3 & Li3 & Q3).
          exists (mixed s3 s). split; [|split; [|split]].
          - intro v. unfold mixed. destruct (bound v); auto.
          - intros v Bv. unfold mixed. now rewrite Bv.
          - rewrite <- Row, <- L3. apply map_ext_in. intros v J. rewrite forallb_forall in Li3. unfold mixed. now rewrite (Li3 v J).
          - intros a J. apply (simple_same here s3); [|auto]. intros v V. unfold mixed. destruct (bound v) eqn:Bv; [reflexivity|].
            rewrite <- (A3 v Bv). apply Same. apply negb_true_iff. apply New, in_or_app. right. cbn. apply in_or_app. right.
            apply filter_In. rewrite Bv. split; [|reflexivity]. apply in_flat_map. eauto. }
        split; [exact Lb|]. intros row I. split; [apply In_; exact (proj1 (T row I))|]. exact (Goal_ row I).
    Qed.

    Theorem every_proved_sound : forall s x e m w, fitting s -> satisfies s x -> every_proved th x e m w = Yes tt -> every_true here s m e.
    Proof.
      intros s x e m w F S H. unfold every_proved in H.
      destruct w as [| | |[|[| |u|] [|[|k| |] [|[| | |a] [|[| | |b] [|[| | |d] [|]]]]]]]; try discriminate;
        destruct (tagged _ _); try discriminate.
      - apply need_yes in H. exact (every_known_sound s x S e m k H).
      - exact (by_each_sound s x e m k a b F S H).
      - exact (by_any_sound s x e m k a b d F S H).
    Qed.

    Theorem shows_sound : forall s x d m w, fitting s -> satisfies s x -> shows th x d m w = Yes tt -> true_in here (other past c) s m d.
    Proof.
      intros s x d m w F S H. destruct d as [st|o a b|form read sizes ts result|id t ints|e].
      5: exact (every_proved_sound s x e m w F S H).
      all: exact (proves_sound here (other past c) s x F S _ _ _ H).
    Qed.
  End Point.
End Sound.
