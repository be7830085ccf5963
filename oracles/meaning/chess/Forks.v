(** What a check wins: the man that was moved, or gives check, takes another when the king has stepped aside (`aims`).
    No check comes of it from behind that king (`shields`) or from behind its own square (`unties`), and no man but the
    king takes it back (`useless`, `helpless_there`). *)
From Chess Require Import Board Lines Effects.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (a b f o q t v x y z : square) (c d e : side) (k j : kind) (w : way).

Lemma between_split a b x y : between a b x -> between a b y -> y = x \/ between a x y \/ between x b y.
Proof.
  move=> m n; case: (between_two m n) => [->|[l|l]]; [by left | right; right | by right; left].
  by case: (between_near n l).
Qed.
(** Who is poised has a side, stands or may go there, and does not go onto the other king. *)
Lemma poised_facts S c f t k :
  sound S -> Words.poised S c f t k -> [/\ c <> Nobody, who S f = c & what S t <> King].
Proof.
  move=> so [nc [[[g _] _]|[-> [e [nk _]]]]]; last by split=> //; rewrite /who /what e.
  by have [_ [_ n]] := goes_target so g; case: g => _ [].
Qed.
(** To aim at a man is to attack it where the man goes, with the king away. *)
Lemma aims_when S c f t k d x j :
  sound S -> Words.poised S c f t k -> Words.opponent c d -> S x = (d, j) -> j <> King -> x <> t ->
  k <> King -> (k = Pawn -> ~ last c x) ->
  (forall q B, B = put (gone S c f t k) q nothing -> q <> t -> B t = (c, k) -> S q = (d, King) ->
   Board.attacks B t x) ->
  Words.aims S f t k x.
Proof.
  move=> so po [_ ed] ex nk nt nk' nl H; have [nc wf nkt] := poised_facts so po; rewrite /Words.aims wf -ed.
  split=> //; split=> //; rewrite /who /what ex; do 3 split=> //.
  move=> q eq; have n : q <> t by move=> e; subst q; rewrite /what eq in nkt.
  by apply: (H q) => //; rewrite put_else ?gone_to //; apply: nesym.
Qed.
(** Along a line: between there is nothing but the square it left, and the king. *)
Lemma aims_line S c f t k d x j w :
  sound S -> Words.poised S c f t k -> Words.opponent c d -> S x = (d, j) -> j <> King -> slides k w -> line t x w ->
  (forall y, between t x y -> S y = nothing \/ y = f \/ S y = (d, King)) -> Words.aims S f t k x.
Proof.
  move=> so po op ex nk sl l H; apply: (aims_when so po op ex) => //.
    by move=> e; subst x; case: (line_self l).
  1,2: by move=> e; subst k; case: (slides_kind sl) => [|[]].
  move=> q B -> n et eq; apply/attacksP; apply: Or41; exists w; rewrite /what et; split=> //; split=> // y m.
  have [_ ed] := op; have [nc _ _] := poised_facts so po; have [ny _] := between_apart m.
  rewrite /gone /put; case: eqP => // nq; case: eqP => // _; case: eqP => // nf.
  by case: (H y m) => [//|[//|e]]; case: nq; apply: sound_one_king so _ _ _ e eq.
Qed.
Lemma aims_facts S f t k x : sound S -> Words.aims S f t k x ->
  [/\ who S f <> Nobody, x <> t, x <> f, who S x = other (who S f) & what S x <> King].
Proof.
  move=> so [po [nt [ox [nk _]]]]; have [nc _ _] := poised_facts so po; split=> //.
  by move=> e; subst x; move: ox nc; case: (who S f).
Qed.
(** The way to it is free but for the man itself and the king. *)
Lemma aims_free S f t k x q y : Words.aims S f t k x -> S q = (other (who S f), King) -> between t x y ->
  y = f \/ y = q \/ S y = nothing.
Proof.
  move=> [_ [_ [_ [_ [_ H]]]]] eq m; have := attacks_clear (H q eq) m; have [n _] := between_apart m.
  rewrite /gone /put; case: eqP => [->|_]; first by auto.
  by case: eqP => // _; case: eqP => [->|_]; auto.
Qed.

(** When it has taken: the other side's men are those that stand elsewhere, and no square is emptied but three. *)
Lemma taken_man S f t x q y : who S f <> Nobody -> who (Words.taken_there S f t x q) y = other (who S f) ->
  [/\ Words.taken_there S f t x q y = S y, y <> f, y <> t, y <> x & y <> q].
Proof.
  rewrite /Words.taken_there; move: (who S f) (what S f) => c j nc.
  rewrite {1}/who /put; case: eqP => [_|nx] /=; first by case: c nc.
  case: eqP => [_|nt] /=; first by case: c nc.
  case: eqP => [_|nq] /=; first by case: c nc.
  by case: eqP => [_|nf] /=; first by case: c nc.
Qed.
Lemma taken_empty S f t x q y : who S f <> Nobody -> Words.taken_there S f t x q y = nothing ->
  y <> x /\ [\/ y = t, y = q, y = f | S y = nothing].
Proof.
  move=> nc; rewrite /Words.taken_there /put; case: eqP => [_ [e _]|nx]; first by rewrite e in nc.
  case: eqP => [e|_]; first by split=> //; apply: Or41.
  case: eqP => [e|_]; first by split=> //; apply: Or42.
  by case: eqP => [e|_]; split=> //; [apply: Or43 | apply: Or44].
Qed.
(** Who attacks the own king on `o` then, beyond the square `v` of its line. *)
Variant behind S f t x q o v z w : Prop := Behind of
  line v z w & slides (what S z) w & who S z = other (who S f) & S z <> nothing & [/\ z <> f, z <> t, z <> x & z <> q]
  & between o z v & (forall y, between o z y -> y <> x /\ [\/ y = t, y = q, y = f | S y = nothing]).
Lemma attack_behind S f t x q o v z w :
  who S f <> Nobody -> line o v w -> who (Words.taken_there S f t x q) z = other (who S f) ->
  between o z v -> Board.attacks (Words.taken_there S f t x q) z o -> behind S f t x q o v z w.
Proof.
  move=> nc lov oz m at_; have [e nf nt nx nq] := taken_man nc oz.
  have mm := iffLR (between_sym _ _ _) m; have [_ [u [sl lz]]] := attacks_across at_ mm.
  have [w' [_ [loz [lov' lvz]]]] := between_line m; have e' := line_one lov lov'; subst w'.
  have e' : u = opposite w by apply: line_one lz _; rewrite line_back.
  subst u; rewrite slides_opposite /what e in sl; have oz' : who S z = other (who S f) by rewrite -oz /who e.
  split=> //; first by move=> n; move: oz'; rewrite (who_nothing n); case: (who S f) nc.
  by move=> y my; apply: taken_empty nc _; apply: attacks_clear at_ _; rewrite -between_sym.
Qed.
(** A man that is in between, or the first that is seen from `v`, is this one, or goes away. *)
Lemma behind_between S f t x q o v z w y :
  behind S f t x q o v z w -> between v z y -> [/\ y <> x, between o z y & [\/ y = t, y = q, y = f | S y = nothing]].
Proof. by case=> _ _ _ _ _ m H my; have [m' _] := between_far m my; have [nx e] := H y m'. Qed.
Lemma behind_line S f t x q o v z w : behind S f t x q o v z w -> w <> Nowhere.
Proof. by case=> _ /slides_some. Qed.
Lemma behind_seen S f t x q o v z w y : behind S f t x q o v z w -> Board.sees S v w y ->
  y = z \/ between v z y /\ [/\ y <> x, between o z y & [\/ y = t, y = q | y = f]].
Proof.
  move=> H [nw [l [nb fr]]]; case: (H) => lz _ _ n _ _ _.
  case: (line_two nw l lz) => [->|[m|/fr //]]; [by left | right; split=> //].
  have [nx mo e] := behind_between H m; split=> //.
  by case: e => [->|->|->|e]; [apply: Or31 | apply: Or32 | apply: Or33 | rewrite (who_nothing e) in nb].
Qed.
Lemma behind_it S f t x q o v z w :
  behind S f t x q o v z w -> Board.sees S v w f -> behind S f t x q o f z w.
Proof.
  move=> H sf; case: (behind_seen H sf) => [e|[m [_ mo _]]]; case: (H) => lz sl oz n [nf nt nx nq] _ fr.
    by subst z; case: nf.
  by have [_ lfz] := between_on (behind_line H) lz m.
Qed.
Lemma behind_quiet S f t x q o v z w y d :
  behind S f t x q o v z w -> other (who S f) = d -> Words.quiet S d v w -> Board.sees S v w y ->
  y <> t -> y <> q -> y <> f -> False.
Proof.
  move=> be e [_ qu] se nt nq nf; case: (behind_seen be se) => [e'|[_ [_ _ []]] //].
  by subst y; case: be => _ sl oz _ _ _ _; apply: (qu z se) sl; rewrite oz.
Qed.

(** What a clause must show, then. *)
Lemma shields_when S f t x k c m o d q w :
  sound S -> Words.aims S f t k x -> S f = (c, m) -> Words.king S c o -> Words.opponent c d -> Words.king S d q ->
  line o q w -> (forall z, behind S f t x q o q z w -> ~ between o z t -> False) -> Words.shields S f t x.
Proof.
  move=> so ai ef [nc eo] [_ ed] [nd eq] l H; subst d; have wf : who S f = c by rewrite /who ef.
  rewrite /Words.shields wf => o' q' z eo' eq' oz m' nt at_.
  have e := sound_one_king so eo' eo; subst o'; have e := sound_one_king so eq' eq; subst q'.
  by apply: (H z) => //; apply: attack_behind => //; rewrite wf.
Qed.
Lemma unties_when S f t x k c m o w :
  sound S -> Words.aims S f t k x -> S f = (c, m) -> Words.king S c o -> line o t w ->
  (forall q z, S q = (other c, King) -> behind S f t x q o t z w -> False) -> Words.unties S f t x.
Proof.
  move=> so ai ef [nc eo] l H; have wf : who S f = c by rewrite /who ef.
  rewrite /Words.unties wf => o' q z eo' eq oz m' at_.
  have e := sound_one_king so eo' eo; subst o'.
  by apply: (H q z) => //; apply: attack_behind => //; rewrite wf.
Qed.
Lemma useless_when S f t x k c m d y j :
  sound S -> Words.aims S f t k x -> S f = (c, m) -> Words.opponent c d -> S y = (d, j) ->
  (forall q B, S q = (d, King) -> B = Words.taken_there S f t x q -> B y = S y -> what S y <> King ->
   Board.attacks B y x -> False) -> Words.useless S f t y x.
Proof.
  move=> so ai ef [nc ed] ey H; have wf : who S f = c by rewrite /who ef.
  rewrite /Words.useless wf -ed => q eq oy nk at_.
  have [||e _ _ _ _] := @taken_man S f t x q y; rewrite ?wf -?ed //.
  by apply: (H q _ eq _ e _ at_) => //; rewrite /what -e.
Qed.

(** Poised. *)
Theorem poised_by_a_move : Statements.poised_by_a_move.
Proof. by move=> S so c f t k pl hi; have [[nc _] _] := pl; split=> //; left; split=> //; left. Qed.
Theorem poised_by_a_discovery : Statements.poised_by_a_discovery.
Proof. by move=> S so c f t k a pl un; have [[nc _] _] := pl; split=> //; left; split=> //; right; exists a. Qed.
Theorem poised_as_it_stands : Statements.poised_as_it_stands.
Proof.
  move=> S so t c k d x et nk [nc ->] [_ [q [eq [ox at_]]]]; split=> //; right.
  by do 3 split=> //; exists q, x.
Qed.

(** Aims. *)
Theorem aims_along_a_line : Statements.aims_along_a_line.
Proof.
  move=> S so c f t k d x m w po op ex nk nt sl l [_ cl].
  by apply: (aims_line so po op ex nk sl l) => y /cl; left.
Qed.
Theorem aims_along_the_line_it_left : Statements.aims_along_the_line_it_left.
Proof.
  move=> S so c f t k d x m w po op ex nk sl l b [_ c1] [_ c2]; apply: (aims_line so po op ex nk sl l) => y my.
  by case: (between_split b my) => [->|[/c1|/c2]]; auto.
Qed.
Theorem aims_behind_the_king : Statements.aims_behind_the_king.
Proof.
  move=> S so c f t k d x m q w po op ex nk nt [_ eq] sl l b [_ c1] [_ c2].
  apply: (aims_line so po op ex nk sl l) => y my.
  by case: (between_split b my) => [->|[/c1|/c2]]; auto.
Qed.
Theorem aims_as_a_knight : Statements.aims_as_a_knight.
Proof.
  move=> S so c f t d x m po op ex nk h; apply: (aims_when so po op ex) => // [e|q B _ _ et _]; first by subst x; geo.
  by apply/attacksP; apply: Or42; rewrite /what et.
Qed.
Theorem aims_as_a_pawn : Statements.aims_as_a_pawn.
Proof.
  move=> S so c f t d x m po op ex nk h [_ nl]; apply: (aims_when so po op ex) => // [e|_ [] //|q B _ _ et _].
    by subst x; move: (strikes_step h); geo.
  by apply/attacksP; apply: Or44; rewrite /what /who et.
Qed.

(** Shields. *)
Theorem shields_off_every_line : Statements.shields_off_every_line.
Proof.
  move=> S so f t k x c m o d q ai ef ko op kq l.
  by apply: (shields_when so ai ef ko op kq l) => z /behind_line.
Qed.
Theorem shields_where_nobody_aims : Statements.shields_where_nobody_aims.
Proof.
  move=> S so f t k x c m o d q w y ai ef ko op kq l qu se nf nt nx; apply: (shields_when so ai ef ko op kq l).
  move=> z be _; have [_ ed] := op; apply: (behind_quiet be _ qu se) => //; first by rewrite /who ef.
  by move=> e; subst y; case: se => _ [/line_self].
Qed.
Theorem shields_at_the_border : Statements.shields_at_the_border.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l bo; apply: (shields_when so ai ef ko op kq l) => z [lz].
  by case: (border_line bo lz).
Qed.
Theorem shields_where_nobody_stands : Statements.shields_where_nobody_stands.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l [_ em]; apply: (shields_when so ai ef ko op kq l) => z [lz _ _ n].
  by case: n; apply: em.
Qed.
Theorem shields_where_it_came_from : Statements.shields_where_it_came_from.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l se [_ em]; apply: (shields_when so ai ef ko op kq l) => z be _.
  by case: (behind_it be se) => lz _ _ n; case: n; apply: em.
Qed.
Theorem shields_where_it_came_from_the_border : Statements.shields_where_it_came_from_the_border.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l se bo; apply: (shields_when so ai ef ko op kq l) => z be _.
  by case: (behind_it be se) => lz; case: (border_line bo lz).
Qed.
Theorem shields_where_nobody_aims_where_it_came_from : Statements.shields_where_nobody_aims_where_it_came_from.
Proof.
  move=> S so f t k x c m o d q w y ai ef ko op kq l se qu se' nt nx; apply: (shields_when so ai ef ko op kq l).
  move=> z be _; have [_ ed] := op; have [nw [l1 _]] := se; have [_ [l2 _]] := se'.
  apply: (behind_quiet (behind_it be se) _ qu se') => //; first by rewrite /who ef.
    by move=> e; subst y; case: (line_self (line_trans nw l1 l2)).
  by move=> e; subst y; case: (line_self l2).
Qed.
Theorem shields_by_itself : Statements.shields_by_itself.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l lt [_ cl]; apply: (shields_when so ai ef ko op kq l) => z be nm.
  case: (be) => lz _ _ n [nf nt _ _] mz _; case: (line_two (behind_line be) lt lz) => [e|[m'|/cl //]].
    by case: nt.
  by case: nm; case: (behind_between be m').
Qed.
Theorem shields_on_the_line_of_the_taking : Statements.shields_on_the_line_of_the_taking.
Proof.
  move=> S so f t k x c m o d q w ai ef ko op kq l lt b; apply: (shields_when so ai ef ko op kq l) => z be _.
  have [_ lx] := between_on (behind_line be) lt b; have [_ eq] := kq; have [_ ed] := op.
  case: (be) => lz _ _ n [nf nt nx nq] _ _; case: (line_two (behind_line be) lx lz) => [e|[m'|m']].
  - by case: nx.
  - by case: (behind_between be m').
  have [m2 _] := between_far b m'; have eq' : S q = (other (who S f), King) by rewrite eq ed /who ef.
  by case: (aims_free ai eq' m2) => [|[]].
Qed.
Theorem shields_behind_another : Statements.shields_behind_another.
Proof.
  move=> S so f t k x c m o d q b e j ai ef ko op kq bt eb pe nf nt.
  have [w [_ [l _]]] := between_line bt; apply: (shields_when so ai ef ko op kq l) => z [_ _ _ _ _ mz H] _.
  have [m' _] := between_near mz bt; have [_ [_ nq]] := between_apart bt.
  have [_ []] := H b m' => // eb'; last by rewrite eb in eb'; case: eb'.
  by case: (between_apart bt) => _ [].
Qed.

(** Unties. *)
Theorem unties_off_every_line : Statements.unties_off_every_line.
Proof. by move=> S so f t k x c m o ai ef ko l; apply: (unties_when so ai ef ko l) => q z _ /behind_line. Qed.
Theorem unties_on_the_same_line : Statements.unties_on_the_same_line.
Proof.
  move=> S so f t k x c m o w ai ef ko l lx; apply: (unties_when so ai ef ko l) => q z eq be.
  case: (be) => lz _ _ n [nf nt nx nq] _ _; case: (line_two (behind_line be) lx lz) => [e|[m'|m']].
  - by case: nx.
  - by case: (behind_between be m').
  have eq' : S q = (other (who S f), King) by rewrite eq /who ef.
  by case: (aims_free ai eq' m') => [|[]].
Qed.
Theorem unties_behind_another : Statements.unties_behind_another.
Proof.
  move=> S so f t k x c m o b e j d q ai ef ko bt eb pe nf [_ ed] [_ kq] nq.
  have [w [_ [l _]]] := between_line bt; apply: (unties_when so ai ef ko l) => q' z eq [_ _ _ _ _ mz H].
  rewrite -ed in eq; have e' := sound_one_king so eq kq; subst q'.
  have [m' _] := between_near mz bt; have [_ [nt _]] := between_apart bt.
  by have [_ []] := H b m' => // eb'; rewrite eb in eb'; case: eb'.
Qed.
Theorem unties_at_the_border : Statements.unties_at_the_border.
Proof.
  move=> S so f t k x c m o w ai ef ko l bo; apply: (unties_when so ai ef ko l) => q z _ [lz].
  by case: (border_line bo lz).
Qed.
Theorem unties_where_nobody_stands : Statements.unties_where_nobody_stands.
Proof.
  move=> S so f t k x c m o w ai ef ko l [_ em]; apply: (unties_when so ai ef ko l) => q z _ [lz _ _ n].
  by case: n; apply: em.
Qed.
Theorem unties_where_it_came_from_the_border : Statements.unties_where_it_came_from_the_border.
Proof.
  move=> S so f t k x c m o w ai ef ko l se bo; apply: (unties_when so ai ef ko l) => q z _ be.
  by case: (behind_it be se) => lz; case: (border_line bo lz).
Qed.
Theorem unties_where_it_came_from : Statements.unties_where_it_came_from.
Proof.
  move=> S so f t k x c m o w ai ef ko l se [_ em]; apply: (unties_when so ai ef ko l) => q z _ be.
  by case: (behind_it be se) => lz _ _ n; case: n; apply: em.
Qed.
Theorem unties_where_nobody_aims_where_it_came_from : Statements.unties_where_nobody_aims_where_it_came_from.
Proof.
  move=> S so f t k x c m o w d y q ai ef ko l se [_ ed] qu se' [_ kq] nq; apply: (unties_when so ai ef ko l).
  move=> q' z eq be; rewrite -ed in eq; have e' := sound_one_king so eq kq; subst q'.
  have [nw [l1 _]] := se; have [_ [l2 _]] := se'.
  apply: (behind_quiet (behind_it be se) _ qu se') => //; first by rewrite /who ef.
    by move=> e; subst y; case: (line_self (line_trans nw l1 l2)).
  by move=> e; subst y; case: (line_self l2).
Qed.
Theorem unties_where_nobody_aims : Statements.unties_where_nobody_aims.
Proof.
  move=> S so f t k x c m o w d y q ai ef ko l [_ ed] qu se nf [_ kq] nq; apply: (unties_when so ai ef ko l).
  move=> q' z eq be; rewrite -ed in eq; have e' := sound_one_king so eq kq; subst q'.
  apply: (behind_quiet be _ qu se) => //; first by rewrite /who ef.
  by move=> e; subst y; case: se => _ [/line_self].
Qed.

(** Useless. *)
Theorem it_was_taken_already : Statements.it_was_taken_already.
Proof.
  move=> S so f t k x c m d j ai ef [nc _] et c' q eq ot; have [nf _ _ _ _] := aims_facts so ai.
  by have [_ _] := taken_man nf ot.
Qed.
Theorem it_is_taken_now : Statements.it_is_taken_now.
Proof.
  move=> S so f t k x ai c' q eq ox; have [nf _ _ _ _] := aims_facts so ai.
  by have [_ _ _] := taken_man nf ox.
Qed.
Theorem the_king_is_asked_by_itself : Statements.the_king_is_asked_by_itself.
Proof.
  move=> S so f t k x c m d y ai ef op [_ ey]; apply: (useless_when so ai ef op ey) => q B _ _ _.
  by rewrite /what ey.
Qed.
Theorem useless_off_its_lines : Statements.useless_off_its_lines.
Proof.
  move=> S so f t k x c m d y j v ai ef op ey sl l; apply: (useless_when so ai ef op ey) => q B _ _ e _.
  move=> /attacksP; rewrite /what e ey /= => -[[w [/slides_some nw [l' _]]]|[ej _]|[ej _]|[ej _]].
  - by case: nw; apply: line_one l' l.
  all: by subst j; case: (slides_kind sl) => [|[]].
Qed.
Theorem useless_beside_its_lines : Statements.useless_beside_its_lines.
Proof.
  move=> S so f t k x c m d y j v w ai ef op ey sl l [_ [_ ns]]; apply: (useless_when so ai ef op ey) => q B _ _ e _.
  move=> /attacksP; rewrite /what e ey /= => -[[u [su [l' _]]]|[ej _]|[ej _]|[ej _]].
  - by apply: ns; rewrite (line_one l l').
  all: by subst j; case: (slides_kind sl) => [|[]].
Qed.
Theorem useless_behind_another : Statements.useless_behind_another.
Proof.
  move=> S so f t k x c m d y i b e j q ai ef op ey my eb pe nf nt [_ kq] nq.
  apply: (useless_when so ai ef op ey) => q' B eq eB _ _ at_; have e' := sound_one_king so eq kq; subst q' B.
  have [nc _ _ _ _] := aims_facts so ai; have [_ []] := taken_empty nc (attacks_clear at_ my) => // eb'.
  by rewrite eb in eb'; case: eb'.
Qed.
(** A knight or a pawn. *)
Lemma knight_attacks B y x : what B y = Knight -> Board.attacks B y x -> hop y x.
Proof. by rewrite /Board.attacks => ->. Qed.
Theorem useless_knight_on_a_line : Statements.useless_knight_on_a_line.
Proof.
  move=> S so f t k x c m d y w ai ef op ey l nw; apply: (useless_when so ai ef op ey) => q B _ _ e _ at_.
  have h : hop y x by apply: knight_attacks at_; rewrite /what e ey.
  by apply: nw; apply: line_one l _; apply: hop_line.
Qed.
Theorem useless_knight_so_far : Statements.useless_knight_so_far.
Proof.
  move=> S so f t k x c m d y n ai ef op ey _ -> n2; apply: (useless_when so ai ef op ey) => q B _ _ e _ at_.
  have h : hop y x by apply: knight_attacks at_; rewrite /what e ey.
  by apply: n2; clear - h; geo.
Qed.
Lemma pawn_attacks B d y x : B y = (d, Pawn) -> Board.attacks B y x -> strikes d y x.
Proof. by rewrite /Board.attacks /what /who => ->. Qed.
Theorem useless_pawn_so_far : Statements.useless_pawn_so_far.
Proof.
  move=> S so f t k x c m d y n ai ef op ey -> n1; apply: (useless_when so ai ef op ey) => q B _ _ e _ at_.
  by apply: n1; apply: (@strikes_step d); apply: pawn_attacks at_; rewrite e.
Qed.
Theorem useless_pawn_aside : Statements.useless_pawn_aside.
Proof.
  move=> S so f t k x c m d y w v u ai ef op ey l fl_ nv nu; apply: (useless_when so ai ef op ey) => q B _ _ e _ at_.
  have h : strikes d y x by apply: pawn_attacks at_; rewrite e.
  clear - fl_ h l nv nu; have [l'|l'] : line x y v \/ line x y u by case: fl_ => -[-> [-> ->]] in h *; geo.
  - by case: nv; apply: line_one l l'.
  by case: nu; apply: line_one l l'.
Qed.
Theorem nobody_takes_it_back : Statements.nobody_takes_it_back.
Proof.
  move=> S so f t k x c m d n ai ef [nc ed] _ H y c' q eq oy; have [nf _ _ _ _] := aims_facts so ai.
  have [e _ _ _ _] := taken_man nf oy; have wf : who S f = c by rewrite /who ef.
  apply: (H y) => //; split; first by rewrite ed; apply: other_player.
  by rewrite ed -wf -oy /who e.
Qed.
