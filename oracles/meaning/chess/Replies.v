(** The replies that the games `take` and `crown` list: whatever a side can do but give up is one of them. *)
From Chess Require Import Board Lines Effects Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (f q s t x : square) (c d : side) (k : kind).

(** What both games list, of the side `d` that replies. *)
Definition listed S d act : Prop :=
  [\/ exists q s, act = Move q s /\ king S d q /\ walks S d q s,
      exists f t, act = Move f t /\ owns S d f /\ reaches S f t /\ ~ illegal S d f t,
      exists f t k, act = Promote f t k /\ promotion k /\ owns S d f /\ reaches S f t /\ ~ illegal S d f t
    | (exists f t, act = Move f t /\ passes S d f t /\ ~ illegal S d f t)
      \/ exists q s, act = Move q s /\ king S d q /\ homeward S d q s /\ ~ illegal S d q s].

Lemma done_legal S c f t k S' : sound S -> done S c f t k S' -> legal_move S c f t.
Proof.
  move=> so [B [m [sf [b _]]]]; case: b => [[[p la] pk]|[_ e]]; last by subst k; exists B.
  case: m sf => [g|v _ e|w r p' _ e] sf; try by rewrite e in pk; case: pk => [|[|[]]].
  exists (gone S c f t (what S f)); split; first exact: Goes.
  have nk : k <> King by move=> e; rewrite e in pk; case: pk => [|[|[]]].
  have nf : what S f <> King by rewrite p.
  exact/(safe_whatever S f t (proj1 g) nf nk).
Qed.

Theorem no_reply_is_left_out S act S' d :
  sound S -> plays S act S' -> actor S act = d -> loser S' <> d -> listed S d act.
Proof.
  move=> so; case: act => [f t|f t k|q] /=.
  - move=> [c [np dn]] o _; have [n oc] := done_side dn; have ec : c = d by rewrite -oc -o.
    rewrite ec in n dn; have le := done_legal so dn; have il : ~ illegal S d f t by move=> /(_ le).
    case: (dn) => B [m _]; case: m => [g|v p _|w r p mc _].
    + case: (what S f =P King) => [k|k]; last by apply: Or42; exists f, t; do 2 split=> //; rewrite /reaches o.
      have kg : king S d f by split=> //; rewrite -o -k /who /what; case: (S f).
      apply: Or41; exists f, t; do 3 split=> //; split=> //.
      by case: g => _ [_]; rewrite k /Board.attacks k => -[].
    + by apply: Or44; left; exists f, t; do 2 split=> //; exists v.
    + case: mc => cs [_ [k _]]; apply: Or44; right; exists f, t; do 2 split=> //; split=> //; by exists w, r, p.
  - move=> [c [pr dn]] o _; have [n oc] := done_side dn; have ec : c = d by rewrite -oc -o.
    rewrite ec in n dn pr; have le := done_legal so dn; have il : ~ illegal S d f t by move=> /(_ le).
    case: (dn) => B [m [_ [b _]]]; have pk : promotion k by case: b => [[]//|[]].
    apply: Or43; exists f, t, k; do 3 split=> //.
    case: m => [g|v _ e|w r p _ e]; try by rewrite e in pk; case: pk => [|[|[]]].
    by rewrite /reaches o; split=> //; split=> //; rewrite (proj1 pr).
  - by move=> [d' [k [_ [_ ->]]]] /=; rewrite /who k.
Qed.

(** Who is not stalled has a reply: to give up where it is in check, else a move. *)
Theorem there_is_a_reply S d : sound S -> d <> Nobody -> ~ stalled S d ->
  checked S d \/ exists f t, legal_move S d f t.
Proof.
  move=> so n no; case: (safe_or_check S d) => [sf|ch]; last by left.
  right; have kn : known (exists f t, legal_move S d f t).
    by apply: known_some => f; apply: known_some => t; apply: legal_dec.
  case: kn => // none; case: no; split; first exact/safe_not_check.
  by move=> f t le; apply: none; exists f, t.
Qed.
