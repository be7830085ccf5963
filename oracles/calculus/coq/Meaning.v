(** Facts, rules and worlds (the calculus page, "Meaning").

    A world is given by a state, the actions that were taken since, and the action that is taken now, if any. The worlds
    of all points of one state are one inductive family: the least one that 1 to 5 of that section ask for. What this
    development does not look into (an absence, an aggregate, a function of words) is a condition
    [Other], whose truth at each point is a parameter of the family: what is proved holds for whatever that is, and so for the
    truth that the page gives it. Of a condition on a closed set, [Closed], it is only used that its sets have counts, that it is
    true or not by the rows that are at the places which it reads and by the values of its outer terms, and that it stays true where
    there are more rows. *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Values.
Import ListNotations.

Inductive kind := Static | Action | Changing.

(** [By g a n]: what the action [a] achieves in the game [g], whose arguments are the first [n] columns; then come those of the action,
    then the value. *)
Inductive relation := Plain (k : kind) (p : string) | Game (g : string) | By (g a : string) (n : nat).

(** [Always] is the moment of what never changes and of actions; as a tense word it is none. *)
Inductive moment := Always | Before | After.

Definition kind_eq (a b : kind) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Definition relation_eq (a b : relation) : {a = b} + {a <> b}.
Proof. decide equality; auto using string_dec, kind_eq, Nat.eq_dec. Defined.

Definition moment_eq (a b : moment) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Record fact := Fact { frel : relation; fmom : moment; frow : list value }.

Record statement := Statement { srel : relation; stense : moment; sargs : list term }.

(** That a set has a count: a name for the number, what counts the set, the tense word of the set, and its key. *)
Record size := Size { size_name : string; size_rel : relation; size_tense : moment; size_key : list term }.

(** What is asked of each member of a set: statements and comparisons. Their own variables, bound there, are those whose names begin with
    a percent sign: those that are listed, and others. *)
Inductive simple := Says (st : statement) | Is (o : cmp) (a b : expr).

Definition bound (v : string) : bool := match v with String c _ => Ascii.eqb c "%"%char | EmptyString => false end.

(** Each other variable is called by a name in certificates. *)
Record every := Every {
  set_rel : relation; set_tense : moment; set_key : list term; set_count : relation; count_name : string;
  listed : list string; others_called : list (string * string); asks : list simple }.

Inductive cond :=
  | Holds (st : statement)
  | Compare (o : cmp) (a b : expr)
  | Closed (form : string) (read : list (relation * moment)) (sizes : list size) (ts : list term) (result : option term)
  | Other (id : string) (tensed : bool) (ints : list string)
  | All (e : every).

(** What is meant by conditions on closed sets, [all] and [count]. A [form] is what such a condition says, with a gap for each place
    that it reads, each outer term, and the number that it gives, if any. *)
Class meaning_of_forms := Forms {
  closed : string -> list (list value -> Prop) -> list value -> option value -> Prop;
  closed_grows : forall form rows rows' vs v, Forall2 (fun P Q : list value -> Prop => forall row, P row -> Q row) rows rows' ->
    closed form rows vs v -> closed form rows' vs v;
  closed_int : forall form rows vs v, closed form rows vs (Some v) -> exists z, v = Int z }.

Record rule := Rule { name : string; head : statement; body : list cond }.

(** A case of a theory's [replies] for a game: an action, conditions, and what may bar it. *)
Record reply_case := Case { acting : string; action_terms : list term; asked : list cond; unless : option statement }.

(** What a theory says of the replies in a game, in terms of the game's arguments. *)
Record replies := Replies { about : string; arguments : list term; reply_cases : list reply_case }.

(** Rules, static facts, which columns of a predicate are of an integer sort, replies, and which predicates rules alone conclude:
    no state has any fact of these. *)
Record theory := Theory {
  rules : list rule; stated : list (string * list value); columns : list (string * list bool);
  answers : list replies; derived : list string }.

Definition action := (string * list value)%type.

(** The moment at which a statement is read: its own, else the given one, else [Before]. *)
Definition at_moment (r : relation) (t m : moment) : moment :=
  match r with
  | Plain Static _ | Plain Action _ => Always
  | _ => match t, m with Always, Always => Before | Always, _ => m | _, _ => t end
  end.

Definition inst (s : assignment) (m : moment) (st : statement) : fact :=
  Fact (srel st) (at_moment (srel st) (stense st) m) (map (tval s) (sargs st)).

Definition no_tense (t : moment) : bool := match t with Always => true | _ => false end.

Definition size_read (z : size) : relation * moment := (size_rel z, size_tense z).

Definition simple_reads (a : simple) : list (relation * moment) := match a with Says st => [(srel st, stense st)] | Is _ _ _ => [] end.

Definition set_read (e : every) : relation * moment := (set_rel e, set_tense e).
Definition count_read (e : every) : relation * moment := (set_count e, set_tense e).

Definition is_other (c : cond) : bool := match c with Other _ _ _ => true | _ => false end.

(** The relations that a condition reads, each with the moment that it says. *)
Definition reads_of (c : cond) : list (relation * moment) :=
  match c with Holds st => [(srel st, stense st)] | Closed _ read sizes _ _ => read ++ map size_read sizes
  | All e => set_read e :: count_read e :: flat_map simple_reads (asks e) | _ => [] end.

Definition cond_timeless (c : cond) : bool :=
  match c with Other _ tensed _ => negb tensed | _ => forallb (fun p => no_tense (snd p)) (reads_of c) end.

Definition when_read (m : moment) (p : relation * moment) : moment := at_moment (fst p) (snd p) m.

Definition timeless (r : rule) : bool := no_tense (stense (head r)) && forallb cond_timeless (body r).

(** Integer columns *)

Fixpoint assoc {A} (d : A) (x : string) (l : list (string * A)) : A :=
  match l with [] => d | (y, a) :: l' => if string_dec x y then a else assoc d x l' end.

Definition integer_columns (th : theory) (r : relation) : list bool :=
  match r with
  | Plain _ p => assoc [] p (columns th)
  | Game g => assoc [] g (columns th)
  | By g a _ => assoc [] g (columns th) ++ assoc [] a (columns th)
  end.

Definition sorted (th : theory) (f : fact) : Prop :=
  forall i v, nth_error (integer_columns th (frel f)) i = Some true -> nth_error (frow f) i = Some v -> is_int v.

(** What a statement on a game says of an action: which it is. *)
Definition by_action (f : fact) : option action :=
  match frel f with By _ a n => Some (a, removelast (skipn n (frow f))) | _ => None end.

Definition action_fact (a : action) : fact := Fact (Plain Action (fst a)) Always (snd a).

Definition on_game (r : relation) : bool := match r with Plain _ _ => false | _ => true end.

Definition won (v : value) : Prop := In v [Word "GI"; Word "G"; Word "GG"; Word "GP"].

(** A rule without a tense word is read at both moments; one with a tense word says its own. *)
Definition reads (r : rule) (m : moment) : Prop := m = Before \/ (timeless r = true /\ m = After).

(** Truth of a condition in a set of facts. *)
Section Truth.
  Context {forms : meaning_of_forms}.

  Definition rows_at (facts : fact -> Prop) (m : moment) (p : relation * moment) (row : list value) : Prop :=
    facts (Fact (fst p) (when_read m p) row).

  Definition has_size (facts : fact -> Prop) (s : assignment) (m : moment) (z : size) : Prop :=
    exists n, in64 n = true /\ facts (Fact (size_rel z) (when_read m (size_read z)) (map (tval s) (size_key z) ++ [Int n])).

  Definition simple_true (facts : fact -> Prop) (s : assignment) (m : moment) (a : simple) : Prop :=
    match a with Says st => facts (inst s m st) | Is o a b => compared s o a b end.

  Definition agree (s s' : assignment) : Prop := forall v, bound v = false -> s v = s' v.

  (** As many different rows as the count says are in the set, and what is asked is so of each, with some values for the other variables. *)
  Definition every_true (facts : fact -> Prop) (s : assignment) (m : moment) (e : every) : Prop :=
    exists rows, in64 (Z.of_nat (List.length rows)) = true /\
      facts (Fact (set_count e) (when_read m (count_read e)) (map (tval s) (set_key e) ++ [Int (Z.of_nat (List.length rows))])) /\
      NoDup rows /\ forallb bound (listed e) = true /\ forall row, In row rows ->
        facts (Fact (set_rel e) (when_read m (set_read e)) (map (tval s) (set_key e) ++ row)) /\
        exists s', fitting s' /\ agree s s' /\ map s' (listed e) = row /\ forall a, In a (asks e) -> simple_true facts s' m a.

  Definition true_in (facts : fact -> Prop) (others : moment -> string -> list string -> assignment -> Prop)
      (s : assignment) (m : moment) (c : cond) : Prop :=
    match c with
    | Holds st => facts (inst s m st)
    | Compare o a b => compared s o a b
    | Closed form read sizes ts result =>
        closed form (map (rows_at facts m) read) (map (tval s) ts) (option_map (tval s) result) /\
        forall z, In z sizes -> has_size facts s m z
    | Other id _ ints => others m id ints s
    | All e => every_true facts s m e
    end.

  (** What is true stays so where all that it reads is there. *)
  Lemma true_where_read : forall (facts facts' : fact -> Prop) others others' s m m' d, is_other d = false ->
    (forall p row, In p (reads_of d) -> facts (Fact (fst p) (when_read m p) row) -> facts' (Fact (fst p) (when_read m' p) row)) ->
    true_in facts others s m d -> true_in facts' others' s m' d.
  Proof.
    intros facts facts' others others' s m m' [st|o a b|form read sizes ts result|id t ints|e] N R T; cbn in *; try discriminate; auto.
    - apply (R (srel st, stense st)); auto.
    - destruct T as [T Z]. split.
      + eapply closed_grows; [|exact T]. clear T Z. induction read as [|p read IH]; cbn; constructor.
        * intros row H. apply R; [now left|exact H].
        * apply IH. intros q row I. apply R. now right.
      + intros z I. destruct (Z z I) as (n & B & W). exists n. split; [exact B|]. apply (R (size_read z)); [|exact W].
        apply in_or_app. right. now apply in_map.
    - destruct T as (rows & B & C & D & L & T). exists rows. split; [exact B|]. split; [apply (R (count_read e)); auto|].
      split; [exact D|]. split; [exact L|].
      intros row I. destruct (T row I) as [W (s' & F & A & E & Q)]. split; [apply (R (set_read e)); auto|].
      exists s'. repeat split; auto. intros a J. specialize (Q a J). destruct a as [st|]; cbn in *; [|exact Q].
      apply (R (srel st, stense st)); [|exact Q]. right. right. apply in_flat_map. exists (Says st). cbn. auto.
  Qed.

  Lemma true_grows : forall (facts facts' : fact -> Prop) others s m d, (forall f, facts f -> facts' f) ->
    true_in facts others s m d -> true_in facts' others s m d.
  Proof.
    intros facts facts' others s m d G T. destruct (is_other d) eqn:N.
    - destruct d; try discriminate. exact T.
    - eapply true_where_read; [exact N| |exact T]. auto.
  Qed.
End Truth.

Section Worlds.
  Context {forms : meaning_of_forms}.
  Variable th : theory.
  (** A state: its facts. *)
  Variable state : fact -> Prop.
  (** Which actions can be taken, and which replies the opponent has in a game, after some actions; what is true of other conditions. *)
  Variable takable : list (option action) -> action -> Prop.
  Variable reply : list (option action) -> string -> list value -> action -> Prop.
  Variable other : list (option action) -> option action -> moment -> string -> list string -> assignment -> Prop.

  (** [world α c f]: the world of the point (state, α, c) has the fact [f]. What was taken last, an action or
      nothing, stands first in [α]. *)
  Inductive world : list (option action) -> option action -> fact -> Prop :=
  | of_state_static : forall past c p row,
      state (Fact (Plain Static p) Always row) -> world past c (Fact (Plain Static p) Always row)
  | of_stated : forall past c p row, In (p, row) (stated th) -> world past c (Fact (Plain Static p) Always row)
  | of_state : forall c r row, state (Fact r Before row) -> world [] c (Fact r Before row)
  | of_past : forall past now c r row, world past now (Fact r After row) -> world (now :: past) c (Fact r Before row)
  | of_action : forall past a, sorted th (action_fact a) -> world past (Some a) (action_fact a)
  | of_rule : forall past c r s m (said : fact -> Prop), In r (rules th) -> fitting s -> reads r m ->
      (forall f, said f -> world past c f) -> (forall d, In d (body r) -> true_in said (other past c) s m d) ->
      world past c (inst s m (head r))
  | of_named : forall past a c f, by_action f = Some a -> fmom f = Before -> world past (Some a) f -> world past c f
  | of_untakable : forall past a c f, by_action f = Some a -> fmom f = Before -> sorted th f ->
      ~ takable past a -> world past c f
  | of_replies : forall past c g row (gives : action -> value -> Prop), (exists a, reply past g row a) ->
      (forall a, reply past g row a -> exists v, gives a v) ->
      (forall a v, gives a v -> won v) ->
      (forall a v, reply past g row a -> gives a v -> world past (Some a) (Fact (Game g) After (row ++ [v]))) ->
      world past c (Fact (Game g) Before (row ++ [Word "IG"]))
  | of_next : forall past now r row, on_game r = true -> world (now :: past) None (Fact r Before row) ->
      world past now (Fact r After row).

  (** What is assumed of replies ("What is assumed"). A reply is an instance of a case whose conditions are true where no action is
      taken; it is of the sorts of its columns, and not barred. *)
  Definition instance_of (past : list (option action)) (row : list value) (of : replies) (k : reply_case)
      (a : action) (s : assignment) : Prop :=
    fitting s /\ row = map (tval s) (arguments of) /\ a = (acting k, map (tval s) (action_terms k)) /\
    (forall c, In c (asked k) -> true_in (world past None) (other past None) s Before c).

  Definition answers_in (g : string) : option replies :=
    List.find (fun of => String.eqb (about of) g) (answers th).

  Definition replies_are_cases : Prop := forall past g row a, reply past g row a ->
    exists of k s, answers_in g = Some of /\ In k (reply_cases of) /\ instance_of past row of k a s /\
      sorted th (action_fact a) /\ (forall u, unless k = Some u -> ~ world past None (inst s Before u)).

  (** Each variable of the action is of its column's sort, because it is a number, or stands in a statement that is asked for or
      among the arguments of the game. *)
  Definition statement_vars (c : cond) : list term := match c with Holds st => sargs st | _ => [] end.

  Definition sorts_said (of : replies) (k : reply_case) : Prop :=
    forall i t, nth_error (action_terms k) i = Some t ->
    (exists v, t = Val v) \/ nth_error (integer_columns th (Plain Action (acting k))) i = Some true \/
    In t (flat_map statement_vars (asked k)) \/ In t (arguments of).

  (** Each instance of a case without [unless] is a reply. *)
  Definition cases_are_replies : Prop := forall past g row of k a s, answers_in g = Some of ->
    In k (reply_cases of) -> unless k = None -> instance_of past row of k a s -> sorts_said of k ->
    sorted th (action_fact a) -> reply past g row a.

  (** What the theorem says of a rule at every point: where its body is true, so is its head; and if the head only
      names an action, it is true whatever action is taken. *)
  Definition only_names (r : rule) : bool :=
    timeless r && match srel (head r) with By _ _ _ => true | _ => false end.

  (** [reached]: at every point; else at those that are given. *)
  Definition right (reached : bool) (r : rule) : Prop :=
    forall past c s, fitting s -> reached = true \/ past = [] ->
    (forall x, In x (body r) -> true_in (world past c) (other past c) s Before x) ->
    if only_names r then forall c', world past c' (inst s Before (head r))
    else world past c (inst s Before (head r)).
End Worlds.
