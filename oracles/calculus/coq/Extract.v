(** The checker as OCaml. Words are OCaml's texts and truth values its own; all else, integers too, is extracted as it is. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Calculus Require Import Values Meaning Contexts Linear Conditions Worlds Stages Variables Sets Steps Cases Replies Check.

Extraction Language OCaml.
Extraction "checker.ml" check_all well_formed found_quiet resting_on_none rule_well fact_sorted term_of_text BinInt.Z.mul BinInt.Z.add BinInt.Z.opp.
