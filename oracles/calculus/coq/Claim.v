(** What is to be proved of the checker, as a statement of its own. The proof is `check_all_sound` in `Check.v`; `building.py` has Coq compare the two.
    The statement is a list of premises and one conclusion. For all theories, states and meanings of what is not formalised: *)
From Coq Require Import String List.
From Calculus Require Import Values Meaning Contexts Worlds Stages Steps Replies Check.
Import ListNotations.

Definition claim : Prop :=
  forall (forms : meaning_of_forms) (th : theory) (state : fact -> Prop)
    (takable : list (option action) -> action -> Prop)
    (reply : list (option action) -> string -> list value -> action -> Prop)
    (other : list (option action) -> option action -> moment -> string -> list string -> assignment -> Prop),
  well_formed th = true ->
  (forall f, state f -> sorted th f) ->
  (forall past c m id ints s x, other past c m id ints s -> In x ints -> is_int (s x)) ->
  replies_are_cases th state takable reply other ->
  cases_are_replies th state takable reply other ->
  forall quiet, resting_on_none th quiet = true ->
  (forall p row, state (Fact (Plain Changing p) Before row) -> ~ In p (derived th)) ->
  forall (certificates : list (bool * rule * certificate)) (lemmas : list lemma),
  (forall l, In l lemmas -> right th state takable reply other (at_every_point l) (lemma_rule l)) ->
  forall i is_lemma r cert, nth_error certificates i = Some (is_lemma, r, cert) ->
  nth_error (check_all th quiet lemmas certificates) i = Some (Yes tt) ->
  right th state takable reply other (of_reached cert) r.
