(** What most proofs rest on: lines, what attacks what when a board changes, what stands where after a move, and what
    a legal move of a side in check must do. *)
From Chess Require Export Board Lines.
From Chess Require Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** Boards. *)
Lemma put_at B s m : put B s m s = m.
Proof. by rewrite /put eqxx. Qed.
Lemma put_else B s m x : x <> s -> put B s m x = B x.
Proof. by rewrite /put; case: eqP. Qed.
Lemma gone_to B c f t k : gone B c f t k t = (c, k).
Proof. by rewrite /gone put_at. Qed.
Lemma gone_from B c f t k : f <> t -> gone B c f t k f = nothing.
Proof. by move=> n; rewrite /gone put_else // put_at. Qed.
Lemma gone_else B c f t k x : x <> f -> x <> t -> gone B c f t k x = B x.
Proof. by move=> n m; rewrite /gone !put_else. Qed.
(** A man that stays and stands on the square it goes to: nothing changes. *)
Lemma gone_nowhere B c t k x : B t = (c, k) -> gone B c t t k x = B x.
Proof. by move=> e; rewrite /gone /put; case: eqP => [->|]. Qed.
Lemma who_nothing B s : B s = nothing -> who B s = Nobody.
Proof. by rewrite /who => ->. Qed.
Lemma occupied B s : proper B -> who B s <> Nobody <-> B s <> nothing.
Proof.
  move=> pr; split=> [n e|n e]; first by rewrite (who_nothing e) in n.
  have w := iffLR (pr s) e; apply: n; rewrite /who /what in e w; by rewrite /nothing -e -w; case: (B s).
Qed.
Lemma proper_put B s c k : proper B -> c <> Nobody -> k <> Empty -> proper (put B s (c, k)).
Proof.
  by move=> pr nc nk s'; rewrite /who /what /put; case: eqP => [_|_]; [split => /= | apply: pr].
Qed.
Lemma proper_clear B s : proper B -> proper (put B s nothing).
Proof. by move=> pr s'; rewrite /who /what /put; case: eqP => [_|_]; [ | apply: pr]. Qed.

(** The four ways to attack. *)
Lemma attacksP B a b :
  attacks B a b <->
  [\/ exists w, slides (what B a) w /\ line a b w /\ (forall x, between a b x -> B x = nothing),
      what B a = Knight /\ hop a b, what B a = King /\ step a b | what B a = Pawn /\ strikes (who B a) a b].
Proof.
  rewrite /attacks; split.
    case: (what B a) => // H; [exact: Or43 | apply: Or41 | apply: Or41 | apply: Or41 | exact: Or42 | exact: Or44];
      by move: H => [w H]; exists w.
  case=> [[w [s [l m]]]|[-> //]|[-> //]|[-> //]].
  by have := slides_kind s; case=> [|[]] e; rewrite e in s *; exists w.
Qed.
Lemma attacks_apart B a b : attacks B a b -> a <> b.
Proof.
  move/attacksP => [[w [_ [l _]]]|[_]|[_]|[_]]; first by move=> e; subst b; case: (line_self l).
  - by move=> H e; subst b; geo.
  - by move=> H e; subst b; geo.
  by move/strikes_step => H e; subst b; geo.
Qed.
(** Across a square that lies between, only a line piece attacks. *)
Lemma attacks_across B a b x :
  attacks B a b -> between a b x -> B x = nothing /\ exists w, slides (what B a) w /\ line a b w.
Proof.
  move/attacksP => [[w [s [l H]]]|[_ /hop_between n]|[_ /step_between n]|[_ /strikes_step /step_between n]] m;
    try by case: (n _ m).
  by split; [apply: H | exists w].
Qed.
Lemma attacks_clear B a b x : attacks B a b -> between a b x -> B x = nothing.
Proof. by move=> at_ m; case: (attacks_across at_ m). Qed.
(** The same man, and on the squares between nothing new: it attacks as before. *)
Lemma attacks_still B B' a b :
  attacks B a b -> B' a = B a -> (forall x, between a b x -> B x = nothing -> B' x = nothing) -> attacks B' a b.
Proof.
  move=> /attacksP H e n; apply/attacksP; rewrite /who /what e.
  case: H => [[w [s [l m]]]|h|h|h]; [apply: Or41 | exact: Or42 | exact: Or43 | exact: Or44].
  by exists w; split=> //; split=> // x b_; apply: n => //; apply: m.
Qed.
(** The same man attacks anew: a square between was left. *)
Lemma attacks_new B B' a b :
  attacks B' a b -> B' a = B a ->
  attacks B a b \/ exists x, between a b x /\ B x <> nothing /\ B' x = nothing.
Proof.
  move=> at_ e; case: (@search (fun x => between a b x /\ B x <> nothing)) => [x|[x [b_ o]]|n].
  - case: (between_dec a b x) => [b_|n]; last by right; case.
    by case: (B x =P nothing) => [->|o]; [right; case | left].
  - by right; exists x; split=> //; split=> //; apply: attacks_clear at_ b_.
  left; apply: (attacks_still at_) => // x m _.
  by case: (B x =P nothing) => // o; case: (n x).
Qed.
Lemma attacks_same B B' a b : (forall x, B' x = B x) -> attacks B' a b <-> attacks B a b.
Proof.
  by move=> e; split=> at_; apply: (attacks_still at_) => [|x _]; rewrite e.
Qed.
Lemma safe_same B B' c : (forall x, B' x = B x) -> safe B' c <-> safe B c.
Proof.
  move=> e; split=> H q x k o at_; apply: (H q x).
  - by rewrite e.
  - by rewrite /who e.
  - by apply/(attacks_same x q e).
  - by rewrite -e.
  - by rewrite /who -e.
  by apply/(attacks_same x q e).
Qed.
Lemma attacks_dec B a b : {attacks B a b} + {~ attacks B a b}.
Proof.
  have fd : {forall x, between a b x -> B x = nothing} + {~ forall x, between a b x -> B x = nothing}.
    case: (pickP (fun x => (if between_dec a b x then true else false) && (B x != nothing))) => [x|n].
      by case: between_dec => // m /eqP o; right=> H; case: o; apply: H.
    left=> x m; have := n x; case: between_dec => //= _ /negbFE /eqP; done.
  have sd w : {slides (what B a) w} + {~ slides (what B a) w}.
    by case: w; case: (what B a) => /=; solve [left; auto | right; intuition discriminate].
  have wd : {exists w, slides (what B a) w /\ line a b w /\ (forall x, between a b x -> B x = nothing)}
    + {~ exists w, slides (what B a) w /\ line a b w /\ (forall x, between a b x -> B x = nothing)}.
    case: (@way_search (fun w => slides (what B a) w /\ line a b w /\ (forall x, between a b x ->
      B x = nothing))) => [w||n].
    - by apply: and_dec => //; apply: and_dec => //; apply: line_dec.
    - by left.
    by right=> -[w H]; apply: (n w).
  have st x y : {step x y} + {~ step x y} by exact: Z.eq_dec.
  have hp x y : {hop x y} + {~ hop x y}.
    by repeat apply: and_dec; try apply: not_dec; exact: Z.eq_dec.
  have sk c x y : {strikes c x y} + {~ strikes c x y}.
    apply: and_dec; last by apply: and_dec; exact: Z.eq_dec.
    by case: c; [left | left | right].
  by rewrite /attacks; case: (what B a) wd => wd; auto.
Qed.
Lemma safe_or_check B c : safe B c \/ in_check B c.
Proof.
  case: (@search (fun q => B q = (c, King))) => [q|[q k]|n].
  - by case: (B q =P (c, King)); [left | right].
  - case: (@search (fun x => exists q, B q = (c, King) /\ who B x = other c /\ attacks B x q)) => [x||n].
    + case: (pickP (fun q => [&& B q == (c, King),
      who B x == other c & if attacks_dec B x q then true else false])) => [q'|n].
        by case/and3P => /eqP k' /eqP o; case: attacks_dec => // at_ _; left; exists q'.
      by right=> -[q' [k' [o at_]]]; have := n q'; rewrite k' o !eqxx /=; case: attacks_dec.
    + by case=> x [q' [k' [o at_]]]; right; exists q', x.
    by left=> q' x k' o at_; apply: (n x); exists q'.
  by left=> q x /n.
Qed.
Lemma safe_not_check B c : safe B c <-> ~ in_check B c.
Proof.
  split=> [H [q [x [k [o t]]]]|H q x k o t]; [exact: H k o t | by apply: H; exists q, x].
Qed.

(** The first man that way. *)
Lemma sees_one B s w x y : sees B s w x -> sees B s w y -> x = y.
Proof.
  move=> [n [l [o m]]] [_ [l' [o' m']]].
  by case: (line_two n l l') => [//|[/m' /who_nothing|/m /who_nothing]].
Qed.
Lemma first_man B s w : proper B -> w <> Nowhere -> (forall x, line s x w -> B x = nothing) \/ exists x, sees B s w x.
Proof.
  move=> pr sw; case: (@search (fun x => line s x w /\ B x <> nothing)) => [x|[x [l o]]|n].
  - case: (line_dec s x w) => l; last by right; case.
    by case: (B x =P nothing) => [e|o]; [right; case | left].
  - right; have [n] : exists n : nat, dist s x < Z.of_nat n by exists (Z.to_nat (dist s x + 1)); lia.
    elim: n x l o => [|n IH] x l o dn; first by have := dist_sym s x; geo.
    case: (@search (fun y => between s x y /\ B y <> nothing)) => [y|[y [m o']]|no].
    + case: (between_dec s x y) => m; last by right; case.
      by case: (B y =P nothing) => [e|o']; [right; case | left].
    + have [l' _] := between_on sw l m; apply: (IH y) => //.
      by have := between_dist m; lia.
    exists x; split=> //; split=> //; split; first by apply/occupied.
    by move=> y m; case: (B y =P nothing) => // o'; case: (no y).
  by left=> x l; case: (B x =P nothing) => // o; case: (n x).
Qed.
Lemma sees_attacks B s w x : sees B s w x -> slides (what B x) w -> attacks B x s.
Proof.
  move=> [n [l [_ m]]] sl; apply/attacksP; apply: Or41; exists (opposite w).
  by split; [apply/slides_opposite | split; [apply/line_back | move=> y /between_sym]]; auto.
Qed.
Lemma line_piece_sees B s x w :
  who B x <> Nobody -> attacks B x s -> slides (what B x) w -> line s x w -> sees B s w x.
Proof.
  move=> o at_ sl l; split; [exact: slides_some sl | split=> //; split=> // y /between_sym].
  exact: attacks_clear.
Qed.
Lemma attacks_sees B s x y : proper B -> attacks B x s -> between x s y ->
  exists w, sees B s w x /\ slides (what B x) w /\ line s y w.
Proof.
  move=> pr at_ m; have [_ [w [sl l]]] := attacks_across at_ m.
  have o : who B x <> Nobody by move=> /(pr x) e; rewrite e in sl; case: (w) sl => //= -[].
  have sl' : slides (what B x) (opposite w) by apply/slides_opposite.
  have l' : line s x (opposite w) by apply/line_back.
  exists (opposite w); split; first exact: line_piece_sees.
  by split=> //; have /between_sym m' := m; case: (between_on (slides_some sl') l' m').
Qed.

(** After a man of `c` goes from `f` to `t`: what attacks a square then. *)
Lemma gone_attack B c f t k x s :
  c <> Nobody -> f <> t -> x <> t -> attacks (gone B c f t k) x s -> x <> f /\ (attacks B x s \/ between x s f).
Proof.
  move=> nc nft nt at_; have n : x <> f by move=> e; move: at_; rewrite /attacks /what e gone_from.
  split=> //; case: (attacks_new (B := B) at_) => [|at'|[y [m [o e]]]]; [by rewrite gone_else | by left | right].
  case: (y =P f) => [<-//|ny]; case: (y =P t) => [ey|nt']; last by rewrite gone_else in e.
  by rewrite ey gone_to in e; case: e.
Qed.
Lemma gone_attack_still B c f t k x s :
  x <> t -> x <> f -> attacks B x s -> ~ between x s t -> attacks (gone B c f t k) x s.
Proof.
  move=> nt nf at_ nb; apply: attacks_still (at_) _ _; first by rewrite gone_else.
  move=> y m e; rewrite /gone /put; case: eqP => [ey|_]; first by subst y.
  by case: eqP.
Qed.
(** With nothing on the square: what attacks then. *)
Lemma cleared_attack B f x s : attacks (put B f nothing) x s -> x <> f /\ (attacks B x s \/ between x s f).
Proof.
  move=> at_; have n : x <> f by move=> e; move: at_; rewrite /attacks /what e put_at.
  split=> //; case: (attacks_new (B := B) at_) => [|at'|[y [m [o e]]]]; [by rewrite put_else | by left | right].
  by case: (y =P f) => [<-//|ny]; rewrite put_else in e.
Qed.
Lemma cleared_attack_still B f x s : x <> f -> attacks B x s -> attacks (put B f nothing) x s.
Proof.
  move=> n at_; apply: (attacks_still at_) => [|y _ e]; rewrite /put; [by case: eqP | by case: ifP].
Qed.

(** What a man may do. *)
Lemma goes_attacks S c f t : sound S -> goes S c f t -> what S f <> Pawn -> attacks S f t.
Proof. by move=> _ [_ [_]]; case: (what S f) => // -[]. Qed.
Lemma goes_target S c f t : sound S -> goes S c f t -> f <> t /\ who S t <> c /\ what S t <> King.
Proof.
  move=> sd [nc [o]].
  have at_case : attacks S f t /\ who S t <> c /\ what S t <> King -> f <> t /\ who S t <> c /\ what S t <> King.
    by move=> [/attacks_apart].
  have empty : S t = nothing -> who S t <> c /\ what S t <> King by move=> e; rewrite /who /what e; split=> //; auto.
  case: (what S f) => //; case=> [[/advance_apart a /empty]|[[o' [/leap_apart [a _] [_ /empty]]]|[/strikes_apart a [e
    n]]]]; try by split.
  by split=> //; split=> //; rewrite e; apply: other_not.
Qed.
Lemma makes_side S c f t k B : makes S c f t k B -> c <> Nobody /\ who S f = c.
Proof.
  by case=> [[nc [o _]]|v [e [[nc _] _]] _|g r p [[nc _] [_ [e _]]] _]; split=> //; rewrite /who e.
Qed.
Lemma makes_target S c f t k B : sound S -> makes S c f t k B -> f <> t /\ who S t <> c /\ what S t <> King.
Proof.
  have empty : c <> Nobody -> S t = nothing -> who S t <> c /\ what S t <> King.
    by move=> n e; rewrite /who /what e; split=> // e'; apply: n.
  move=> sd; case=> [|v [e [st [_ [t0 _]]]] _|g r p [ca [_ [_ [_ [em _]]]]] _]; first exact: goes_target.
  - by split; [exact: strikes_apart st | apply: empty => //; case: st].
  have [[ne nr np tr tp] [_ [_ [m _]]]] := castle_squares ca.
  by split=> //; apply: empty; [case: ca | apply: em].
Qed.
Lemma makes_to S c f t k B : makes S c f t k B -> B t = (c, k).
Proof.
  case=> [_|v _ ->|g r p [ca _] ->]; first exact: gone_to; first exact: put_at.
  by have [[_ _ _ _ tp] _] := castle_squares ca; rewrite /castled_to put_else // put_at.
Qed.
Lemma makes_from S c f t k B : sound S -> makes S c f t k B -> B f = nothing.
Proof.
  move=> sd m; have [ft _] := makes_target sd m; case: m ft => [_|v [e [_ [_ [_ [ev _]]]]] _|g r p [ca _] _] ft.
  - exact: gone_from.
  - by rewrite /passed_by put_else // /put; case: eqP => // _; rewrite eqxx.
  have [[_ kr kp _ _] _] := castle_squares ca.
  by rewrite /castled_to put_else // put_else // put_else // put_at.
Qed.
(** Another man than a king, and not taking in passing: all others stay. *)
Lemma makes_goes S c f t k B :
  sound S -> makes S c f t k B -> what S f <> King -> (forall v, ~ in_passing S c f t v) ->
    B = gone S c f t k /\ goes S c f t.
Proof.
  move=> sd; case=> [//|v ip _ _ n|g r p [_ [_ [e _]]] _ nk _]; first by case: (n v).
  by case: nk; rewrite /what e.
Qed.
Lemma makes_king_step S c f t k B :
  sound S -> makes S c f t k B -> what S f = King -> step f t -> B = gone S c f t k /\ goes S c f t.
Proof.
  move=> sd; case=> [//|v [e [_ _]] _ e2|g r p [ca _] _ _ n]; first by rewrite /what e in e2.
  by case: (castle_apart ca n).
Qed.
(** What becomes of a square: it is emptied only where the man leaves, in passing, or in a corner. *)
Lemma makes_square S c f t k B s :
  sound S -> makes S c f t k B -> s <> f -> s <> t ->
  [\/ B s = S s, B s = nothing /\ in_passing S c f t s,
      B s = nothing /\ exists g p, may_castle S c g f t s p
    | B s = (c, Rook) /\ S s = nothing /\ exists g r, may_castle S c g f t r s].
Proof.
  move=> sd; case=> [_|v ip _|g r p ca _] nf nt; first by apply: Or41; rewrite gone_else.
  - rewrite /passed_by put_else //; case: (s =P v) => [->|nv]; first by apply: Or42; rewrite put_at.
    by apply: Or41; rewrite !put_else.
  have [c1 [_ [_ [_ [em _]]]]] := ca; have [[kt kr kp tr tp] [rp [_ [_ [m _]]]]] := castle_squares c1.
  case: (s =P p) => [->|np].
    by apply: Or44; rewrite /castled_to put_at; split=> //; split; [apply: em | exists g, r].
  case: (s =P r) => [->|nr]; last by apply: Or41; rewrite /castled_to !put_else.
  have rt : r <> t by move=> e; apply: tr.
  by apply: Or43; rewrite /castled_to put_else // put_else // put_at; split=> //; exists g, p.
Qed.
(** The other side's men are those that were not taken. *)
Lemma makes_others S c f t k B s : sound S -> makes S c f t k B -> who B s = other c -> B s = S s /\ s <> t /\ s <> f.
Proof.
  move=> sd m o; have [nc _] := makes_side m; have no := other_not nc; have np := other_player nc.
  have nt : s <> t by move=> e; rewrite e /who (makes_to m) /= in o; rewrite -o in no.
  have nf : s <> f by move=> e; rewrite e /who (makes_from sd m) /= in o; rewrite -o in np.
  split=> //; case: (makes_square sd m nf nt) => [//|[e _]|[e _]|[e _]]; rewrite /who e /= in o;
    try by rewrite -o in np.
  by rewrite -o in no.
Qed.
Lemma makes_others_stay S c f t k B s :
  sound S -> makes S c f t k B -> who S s = other c -> s <> t -> ~ in_passing S c f t s -> B s = S s.
Proof.
  move=> sd m o nt ni; have [nc of_] := makes_side m; have no := other_not nc; have np := other_player nc.
  have nf : s <> f by move=> e; rewrite e of_ in o; rewrite -o in no.
  case: (makes_square sd m nf nt) => [//|[_ /ni]//|[_ [g [p [_ [_ [_ [e _]]]]]]]|[_ [e _]]].
  - by rewrite /who e /= in o; rewrite -o in no.
  by rewrite /who e /= in o; rewrite -o in np.
Qed.
Lemma makes_proper S c f t k B : sound S -> makes S c f t k B -> k <> Empty -> proper B.
Proof.
  move=> sd m nk; have [nc _] := makes_side m; have pr := sound_proper sd.
  case: m nk => [_|v _ ->|g r p _ ->] nk; rewrite /gone /passed_by /castled_to.
  - by apply: proper_put => //; apply: proper_clear.
  - by apply: proper_put => //; do 2!apply: proper_clear.
  by do 2!apply: proper_put => //; do 2!apply: proper_clear.
Qed.
Lemma makes_other_king S c f t k B q : sound S -> makes S c f t k B -> B q = (other c, King) <-> S q = (other c, King).
Proof.
  move=> sd m; have [nc _] := makes_side m; have np := other_player nc; split=> e.
    by have [e' _] := makes_others sd m (s := q) (congr1 fst e); rewrite -e' e.
  have [nt [_ nk]] := makes_target sd m.
  rewrite (makes_others_stay sd m (s := q)) //; first by rewrite /who e.
    by move=> eq; rewrite eq /what in e nk; rewrite e in nk.
  by move=> [_ [_ [_ [_ [e' _]]]]]; rewrite e' in e.
Qed.
Lemma makes_own_king S c f t k B q : sound S -> makes S c f t k B -> becomes S c f t k ->
  B q = (c, King) <-> (what S f = King /\ q = t \/ what S f <> King /\ S q = (c, King)).
Proof.
  move=> sd m b; have [nc of_] := makes_side m; have [nft [wt kt]] := makes_target sd m.
  have nc' : forall e, (e, Empty) <> (c, King) by [].
  split=> [e|[[kf ->]|[kf e]]].
  - case: (q =P t) => [eq|nt].
      rewrite eq (makes_to m) in e; case: e => ek; left; split=> //; case: b => [[_]|[_ <-//]].
      by rewrite ek => -[|[|[]]].
    have nf : q <> f by move=> eq; rewrite eq (makes_from sd m) in e.
    right; case: (makes_square sd m nf nt) => [e'|[e' _]|[e' _]|[e' _]]; rewrite e' in e => //.
    split=> // kf; apply: nf; apply: (sound_one_king sd e); rewrite -kf /what -{1}of_ /who; by case: (S f).
  - rewrite (makes_to m); case: b => [[[pf _] _]|[_ ->]]; first by rewrite pf in kf.
    by rewrite kf.
  have nf : q <> f by move=> eq; rewrite eq in e; rewrite /what e in kf.
  have nt : q <> t by move=> eq; rewrite eq in e; rewrite /who e in wt.
  case: (makes_square sd m nf nt) => [->//|[_ [_ [_ [_ [_ [e' _]]]]]]|[_ [g [p [_ [_ [_ [e' _]]]]]]]|[_ [e' _]]];
    rewrite e' in e; try by case: e.
Qed.
Lemma makes_king_stays S c f t k B q :
  sound S -> makes S c f t k B -> what S f <> King -> S q = (c, King) -> B q = (c, King).
Proof.
  move=> sd m nk kq; have [_ [_ kt]] := makes_target sd m.
  have nf : q <> f by move=> e; rewrite -e /what kq in nk.
  have nt : q <> t by move=> e; rewrite -e /what kq in kt.
  case: (makes_square sd m nf nt) => [->//|[_ [_ [_ [_ [_ [e _]]]]]]|[_ [g [p [_ [_ [_ [e _]]]]]]]|[_ [e _]]];
    by rewrite e in kq.
Qed.
Lemma becomes_kind S c f t k : sound S -> who S f = c -> c <> Nobody -> becomes S c f t k -> k <> Empty.
Proof.
  move=> sd o nc [[_ p]|[_ ->]] e; first by case: p; rewrite e; intuition discriminate.
  by apply: nc; rewrite -o; apply/(sound_proper sd).
Qed.
(** Whether the own king is safe after it does not rest on what the man becomes. *)
Lemma safe_whatever B c f t k j :
  c <> Nobody -> k <> King -> j <> King -> safe (gone B c f t k) c <-> safe (gone B c f t j) c.
Proof.
  move=> nc nk nj; have H i i' : i <> King -> i' <> King -> safe (gone B c f t i) c -> safe (gone B c f t i') c.
    move=> n n' H q x e1 o at_; have nt : x <> t by move=> e; rewrite e /who gone_to /= in o; apply: (other_not nc);
      rewrite -o.
    have kt : q <> t by move=> e; rewrite e gone_to in e1; case: e1 => /n'.
    apply: (H q x); first by move: e1; rewrite /gone !(put_else _ _ kt).
      by move: o; rewrite /who /gone !(put_else _ _ nt).
    apply: (attacks_still at_) => [|y m]; first by rewrite /gone !(put_else _ _ nt).
    by rewrite /gone /put; case: eqP => // _ e; case: e => e; case: nc.
  by split; apply: H.
Qed.
Lemma plain_legal S c f t k : sound S -> Words.plain S c f t k -> legal_move S c f t.
Proof.
  move=> sd [g [s b]]; exists (gone S c f t (what S f)); split; first exact: Goes.
  case: (what S f =P King) => [kf|nk].
    by case: b => [[[pf _] _]|[_ e]]; [rewrite pf in kf | rewrite -e].
  apply/(safe_whatever S f t _ nk (j := k)) => //; first by case: g.
  by case: b => [[_ p] e|[_ ->]] //; case: p; rewrite e; intuition discriminate.
Qed.
Lemma legal_plain S c f t : sound S -> legal_move S c f t -> ~ promoting S c f t ->
  (what S f = King -> step f t) -> (forall v, ~ in_passing S c f t v) -> Words.plain S c f t (what S f).
Proof.
  move=> sd [B [m s]] np st ni; have [e g] : B = gone S c f t (what S f) /\ goes S c f t.
    by case: (what S f =P King) => k; [apply: makes_king_step; auto | apply: makes_goes].
  by split=> //; split; [rewrite -e | right].
Qed.
Lemma promotable_plain S c f t k : sound S -> Words.promotable S c f t -> promotion k -> Words.plain S c f t k.
Proof.
  move=> sd [[B [m s]] [pf la]] p; have [e g] : B = gone S c f t (what S f) /\ goes S c f t.
    apply: makes_goes => //; first by rewrite pf.
    by move=> v [_ [st [_ [_ [_ [h l]]]]]]; case: c la st l {m s}; geo.
  split=> //; split; last by left.
  apply/(safe_whatever S f t _ (k := what S f)); rewrite ?pf -?e //; first by case: g.
    by move=> e'; case: p; rewrite e'; intuition discriminate.
  by rewrite -pf -e.
Qed.
(** Taking in passing goes where nothing stands, and the pawn taken is of the other side. *)
Lemma in_passing_not_goes S c f t v : in_passing S c f t v -> ~ goes S c f t.
Proof.
  move=> [e [st [_ [t0 _]]]] [nc [_]]; rewrite {1}/what e /=; case=> [[ad _]|[[o [le _]]|[_ [o _]]]].
  - by case: c st ad {e nc}; geo.
  - by case: c st le {e nc}; geo.
  by rewrite /who t0 /= in o; apply: (other_player nc).
Qed.

(** Steps. *)
Lemma done_side S c f t k S' : done S c f t k S' -> c <> Nobody /\ who S f = c.
Proof. by case=> B [/makes_side]. Qed.
Lemma moved_done S act S' c f t :
  sound S -> plays S act S' -> Words.moved S act S' c f t ->
  exists k, done S c f t k S' /\ (act = Move f t /\ k = what S f /\ ~ promoting S c f t
                                  \/ act = Promote f t k /\ promoting S c f t).
Proof.
  move=> sd pl [nc [o H]]; case: H pl => [|[j]] -> /= [c' [pr dn]]; have [_ o'] := done_side dn.
    by exists (what S f); rewrite -o o'; split=> //; left; rewrite -o' in pr *.
  by exists j; rewrite -o o'; split=> //; right; rewrite -o' in pr *.
Qed.
Lemma done_makes S c f t k S' : done S c f t k S' -> makes S c f t k S' /\ safe S' c /\ becomes S c f t k.
Proof. by case=> B [m [s [b ->]]]. Qed.
Lemma plain_done_after S c f t k : Words.plain S c f t k -> done S c f t k (after S c f t k).
Proof. by move=> [g [s b]]; exists (gone S c f t k); split=> //; apply: Goes. Qed.
Lemma done_turn S c f t k S' : done S c f t k S' -> turn S' = other c.
Proof. by case=> B [_ [_ [_ ->]]]. Qed.
Lemma done_kept S c f t k S' e g : done S c f t k S' -> kept S' e g = kept S e g && ~~ touched f t e g.
Proof. by case=> B [_ [_ [_ ->]]]. Qed.
Lemma touchedP c g (k t r p f u : square) : castle c g k t r p -> touched f u c g <-> (f = k \/ f = r \/ u = r).
Proof.
  move=> ca; rewrite /touched; have ek : sq 4 (base c) = k.
    by apply/sqE; case: c ca => //= ca; rewrite sq_fl ?sq_rk //; geo.
  have er : sq (if g is King_side then 7 else 0) (base c) = r.
    by apply/sqE; case: c g ca {ek} => //= -[] ca; rewrite sq_fl ?sq_rk //; geo.
  rewrite ek er; split; first by case/or3P => /eqP; auto.
  by case=> [|[]] ->; rewrite eqxx ?orbT.
Qed.
Lemma done_passed S c f t k S' o :
  sound S -> done S c f t k S' -> passed S' = Some o <-> (what S f = Pawn /\ leap c f o t).
Proof.
  move=> sd [B [m [s [b ->]]]] /=; have [nc _] := makes_side m.
  have half (i d : Z) : (i + (i + d + d)) / 2 = i + d.
    by rewrite (_ : i + (i + d + d) = (i + d) * 2) ?Z.div_mul; lia.
  have lp o' : leap c f o' t -> sq (fl f) ((rk f + rk t) / 2) = o' /\ Z.abs (rk t - rk f) = 2.
    move=> le; have e : (rk f + rk t) / 2 = rk o'.
      by case: le => _ [_ [_ [e1 [_ e2]]]]; rewrite e2 e1 half.
    split; first by apply/sqE; rewrite e sq_fl ?sq_rk; [case: le => _ [_ [-> _]] | exact: rk_range | exact: fl_range].
    by case: (c) le nc => // *; geo.
  rewrite /leaping; split.
    case: eqP => //= pf; case: Z.eqb_spec => // two [<-]; split=> //.
    case: m => [[_ [_ g]]|v [_ [st _]] _|g r p [_ [_ [e _]]] _].
    - rewrite pf in g; case: g => [[ad _]|[[o' [le _]]|[st _]]].
      + by case: (c) ad nc => // *; exfalso; geo.
      + by case: (lp o' le) => ->.
      by case: (c) st nc => // *; exfalso; geo.
    - by case: (c) st nc => // *; exfalso; geo.
    by rewrite /what e in pf.
  by case=> pf le; case: (lp o le) => -> two; rewrite pf eqxx two.
Qed.
(** What was said of a plain move before it is so after it. *)
Lemma plain_done S act S' c f t k :
  sound S -> plays S act S' -> Words.moved S act S' c f t -> S' t = (c, k) -> (exists j, Words.plain S c f t j) ->
  Words.plain S c f t k /\ S' = after S c f t k.
Proof.
  move=> sd pl mv e [j P]; have [i [dn H]] := moved_done sd pl mv; have [m [s b]] := done_makes dn.
  have ei : i = k by rewrite (makes_to m) in e; case: e.
  subst i; have [g [_ b']] := P; have [B [m' [s' [_ es]]]] := dn.
  have eB : B = gone S c f t k.
    case: m' => [//|v ip _|w r p [ca [_ [ef _]]] _]; first by case: (in_passing_not_goes ip g).
    move: g => [_ [_]]; rewrite {1}/what ef /= => -[]; rewrite /attacks /what ef /= => st.
    by case: (castle_apart ca st).
  by split; [split=> //; split=> //; rewrite -eB | rewrite es eB].
Qed.
(** A step leads to a sound position, whoever makes it. *)
Lemma done_nearly_sound S c f t k S' : sound S -> done S c f t k S' ->
  [/\ proper S', forall e, e <> Nobody -> exists q, S' q = (e, King),
      forall e q r, S' q = (e, King) -> S' r = (e, King) -> q = r, forall e s, S' s = (e, Pawn) -> 1 <= rk s <= 6
    & forall e, in_check S' e -> ~ in_check S' (other e)].
Proof.
  move=> sd dn; have [m [s b]] := done_makes dn; have [nc o] := makes_side m; have np := other_player nc.
  have nk := becomes_kind sd o nc b; have pr := makes_proper sd m nk.
  have [nft [wt kt]] := makes_target sd m.
  have cases e : e <> Nobody -> e = c \/ e = other c by case: e; case: (c) nc; auto.
  have nob k' q : S' q = (Nobody, k') -> k' = Empty by move=> e; have := pr q; rewrite /who /what e /= => -[-> //].
  split=> //.
  - move=> e ne; have [q kq] := sound_king sd ne; case: (cases e ne) => ec; subst e.
      case: (what S f =P King) => kf; first by exists t; apply/(makes_own_king _ sd m b); left.
      by exists q; apply/(makes_own_king _ sd m b); right.
    by exists q; apply/(makes_other_king _ sd m).
  - move=> e q r kq kr; have ne : e <> Nobody by move=> e0; subst e; have := nob _ _ kq.
    case: (cases e ne) => ec; subst e.
      move/(makes_own_king _ sd m b): kq; move/(makes_own_king _ sd m b): kr.
      by case=> [[k1 ->]|[k1 e1]] [[k2 ->]|[k2 e2]] //; apply: (sound_one_king sd e2 e1).
    by move/(makes_other_king _ sd m): kq; move/(makes_other_king _ sd m): kr => e1 e2;
      apply: (sound_one_king sd e2 e1).
  - move=> e q pq; have ne : e <> Nobody by move=> e0; subst e; have := nob _ _ pq.
    case: (cases e ne) => ec; subst e; last first.
      by have [e' _] := makes_others sd m (s := q) (congr1 fst pq); apply: (sound_pawns (S := S) (c := other c) sd);
        rewrite -e'.
    case: (q =P t) => [eq|nt].
      subst q; rewrite (makes_to m) in pq; case: pq => ek; subst k.
      case: b => [[_]|[npr ek]]; first by case=> [|[|[|]]].
      have Sf : S f = (c, Pawn) by rewrite ek /what -{1}o /who; case: (S f).
      have rf := sound_pawns sd Sf.
      have nl : rk t <> goal c by move=> e'; apply: npr; split.
      case: m => [[_ [_ g]]|v [_ [st _]] _|g r p [_ [_ [e' _]]] _].
      + rewrite -ek in g; case: g => [[ad _]|[[o' [le _]]|[st _]]].
        * by case: (c) ad nl nc => // *; geo.
        * by case: (c) le nl nc => // *; geo.
        by case: (c) st nl nc => // *; geo.
      + by case: (c) st nl nc => // *; geo.
      by rewrite Sf in e'.
    have nf : q <> f by move=> eq; rewrite eq (makes_from sd m) in pq.
    case: (makes_square sd m nf nt) => [e|[e _]|[e _]|[e _]]; rewrite e in pq; try by [].
    exact: (sound_pawns sd pq).
  move=> e ch; have sc : ~ in_check S' c by apply/safe_not_check.
  have ne : e <> Nobody by move=> e0; subst e; case: ch => q [x [/nob]].
  by case: (cases e ne) => ec; subst e; rewrite ?otherK.
Qed.
Lemma done_sound S c f t k S' : sound S -> done S c f t k S' -> sound S'.
Proof.
  move=> sd dn; have [pr kg ok pw oc] := done_nearly_sound sd dn.
  have [m [s b]] := done_makes dn; have [nc o] := makes_side m; have [nft [wt kt]] := makes_target sd m.
  split=> //.
  - move=> e g q u r p; rewrite (done_kept e g dn) => /andP [kp /negP nto] ca.
    have [eq er] := sound_kept sd kp ca; have nn : ~ (f = q \/ f = r \/ t = r) by move=> h; apply/nto/(touchedP _ _ ca).
    have nqf : q <> f by move=> e'; apply: nn; left.
    have nqt : q <> t by move=> e'; rewrite -e' /what eq in kt.
    have nrf : r <> f by move=> e'; apply: nn; right; left.
    have nrt : r <> t by move=> e'; apply: nn; right; right.
    split.
      case: (makes_square sd m nqf nqt) => [->//|[_ [_ [_ [_ [_ [e' _]]]]]]|[_ [g' [p' [_ [_ [_ [e' _]]]]]]]|[_ [e'
        _]]];
        by rewrite e' in eq.
    case: (makes_square sd m nrf nrt) => [->//|[_ [_ [_ [_ [_ [e' _]]]]]]|[_ [g' [p' [c' [_ [kf [e' _]]]]]]]|[_ [e'
      _]]];
      rewrite e' in er; try by [].
    case: er => ec; subst e; case: nqf; apply: (sound_one_king sd eq kf).
  move=> u /(done_passed _ sd dn) [pf le]; exists c, f, t.
  have [nt1 [nt2 nt3]] := leap_apart le; have Sf : S f = (c, Pawn) by rewrite -pf /what -{1}o /who; case: (S f).
  have [e g] : stands S' = gone S c f t k /\ goes S c f t.
    apply: makes_goes => //; first by rewrite pf.
    by move=> v [_ [st _]]; case: (c) st le => // *; geo.
  have em : S u = nothing /\ S t = nothing.
    move: g => [_ [_]]; rewrite pf; case=> [[ad _]|[[o' [le' [e1 e2]]]|[st _]]].
    - by case: (c) ad le => // *; exfalso; geo.
    - suff -> : u = o' by []. by case: (c) le le' => // *; geo.
    by case: (c) st le => // *; exfalso; geo.
  have ek : k = Pawn.
    by case: b => [[[_ la]]|[_ ->//]]; exfalso; case: (c) la le => // *; geo.
  split=> //; split; first by rewrite e gone_from.
  split; first by rewrite e gone_else //; case: em.
  by rewrite e gone_to ek.
Qed.
Lemma plays_sound S act S' : sound S -> plays S act S' -> sound S'.
Proof.
  move=> sd; case: act => [f t|f t k|q] /=; [by move=> [c [_ /(done_sound sd)]]
    | by move=> [c [_ /(done_sound sd)]] | ].
  by move=> [d [_ [_ [_ ->]]]]; case: sd.
Qed.
Lemma after_sound S c f t k : sound S -> Words.plain S c f t k -> sound (after S c f t k).
Proof. by move=> sd /plain_done_after dn; apply: done_sound dn. Qed.

(** What is legal. *)
(** What is finite is so or not. *)
Definition known (P : Prop) : Prop := P \/ ~ P.
Lemma known_and (P Q : Prop) : known P -> known Q -> known (P /\ Q).
Proof. rewrite /known; tauto. Qed.
Lemma known_or (P Q : Prop) : known P -> known Q -> known (P \/ Q).
Proof. rewrite /known; tauto. Qed.
Lemma known_not (P : Prop) : known P -> known (~ P).
Proof. rewrite /known; tauto. Qed.
Lemma known_eq (T : eqType) (x y : T) : known (x = y).
Proof. by rewrite /known; case: (x =P y); auto. Qed.
Lemma known_Z (i j : Z) : known (i = j).
Proof. rewrite /known; lia. Qed.
Lemma known_some (P : square -> Prop) : (forall s, known (P s)) -> known (exists s, P s).
Proof.
  move=> kn; rewrite /known; have H : forall l : seq square, (exists s, s \in l /\ P s) \/ forall s, s \in l -> ~ P s.
    elim=> [|s l [[u [ul pu]]|n]]; first by right.
      by left; exists u; rewrite inE ul orbT.
    case: (kn s) => ps; first by left; exists s; rewrite inE eqxx.
    by right=> u; rewrite inE => /orP [/eqP ->|/n].
  case: (H (enum square)) => [[s [_ ps]]|n]; first by left; exists s.
  by right=> -[s ps]; apply: (n s) => //; rewrite mem_enum.
Qed.
Lemma known_all (P : square -> Prop) : (forall s, known (P s)) -> known (forall s, P s).
Proof.
  move=> kn; case: (@known_some (fun s => ~ P s)) => [s|[s n]|n]; first exact: known_not.
    by right.
  by left=> s; case: (kn s) => // ps; case: n; exists s.
Qed.
Lemma known_attacks B a b : known (attacks B a b).
Proof. by case: (attacks_dec B a b); [left | right]. Qed.
Lemma known_between a b x : known (between a b x).
Proof. by case: (between_dec a b x); [left | right]. Qed.
Lemma known_safe B c : known (safe B c).
Proof. by case: (safe_or_check B c) => [|ch]; [left | right => /safe_not_check]. Qed.
Lemma known_strikes c a b : known (strikes c a b).
Proof. by apply: known_and; [apply: known_not; exact: known_eq | apply: known_and; exact: known_Z]. Qed.
Lemma known_advance c a b : known (advance c a b).
Proof. by apply: known_and; [apply: known_not; exact: known_eq | apply: known_and; exact: known_Z]. Qed.
Lemma known_leap c a o b : known (leap c a o b).
Proof. by apply: known_and; [apply: known_not; exact: known_eq | repeat apply: known_and; exact: known_Z]. Qed.
Lemma known_castle c g (q t r p : square) : known (castle c g q t r p).
Proof.
  apply: known_and; first by apply: known_not; exact: known_eq.
  by case: g; repeat apply: known_and; exact: known_Z.
Qed.
Lemma known_goes S c f t : known (goes S c f t).
Proof.
  apply: known_and; first by apply: known_not; exact: known_eq.
  apply: known_and; first exact: known_eq.
  have at_case : known (attacks S f t /\ who S t <> c /\ what S t <> King).
    by apply: known_and; [exact: known_attacks | apply: known_and; apply: known_not; exact: known_eq].
  case: (what S f) => //; apply: known_or; first by apply: known_and; [exact: known_advance | exact: known_eq].
  apply: known_or.
    apply: known_some => o; apply: known_and; first exact: known_leap.
    by apply: known_and; exact: known_eq.
  apply: known_and; first exact: known_strikes.
  by apply: known_and; [| apply: known_not]; exact: known_eq.
Qed.
Lemma known_in_passing S c f t v : known (in_passing S c f t v).
Proof.
  apply: known_and; first exact: known_eq.
  apply: known_and; first exact: known_strikes.
  do 3!(apply: known_and; first exact: known_eq).
  by apply: known_some => h; exact: known_leap.
Qed.
Lemma known_may_castle S c g f t r p : known (may_castle S c g f t r p).
Proof.
  apply: known_and; first exact: known_castle.
  apply: known_and; first by case: (kept S c g); [left | right].
  do 2!(apply: known_and; first exact: known_eq).
  apply: known_and; apply: known_all => x.
    by case: (known_between f r x) (known_eq (S x) nothing) => [?|?] [?|?]; rewrite /known; tauto.
  have ka : known (attacked S (other c) x).
    by apply: known_some => y; apply: known_and; [exact: known_eq | exact: known_attacks].
  have kx : known (x = f \/ x = p \/ x = t) by do 2!(apply: known_or; first exact: known_eq); exact: known_eq.
  by move: ka kx; rewrite /known; tauto.
Qed.
Lemma legal_side S c f t : legal_move S c f t -> c <> Nobody /\ who S f = c.
Proof. by case=> B [/makes_side]. Qed.
Lemma legal_dec S c f t : legal_move S c f t \/ ~ legal_move S c f t.
Proof.
  have k1 : known (goes S c f t /\ safe (gone S c f t (what S f)) c).
    by apply: known_and; [exact: known_goes | exact: known_safe].
  have k2 : known (exists v, in_passing S c f t v /\ what S f = Pawn /\ safe (passed_by S c f t v) c).
    apply: known_some => v; apply: known_and; first exact: known_in_passing.
    by apply: known_and; [exact: known_eq | exact: known_safe].
  have k3 g : known (exists r, exists p, may_castle S c g f t r p /\ what S f = King
    /\ safe (castled_to S c f t r p) c).
    apply: known_some => r; apply: known_some => p; apply: known_and; first exact: known_may_castle.
    by apply: known_and; [exact: known_eq | exact: known_safe].
  case: k1 => [[g s]|n1]; first by left; exists (gone S c f t (what S f)); split=> //; apply: Goes.
  case: k2 => [[v [i [e s]]]|n2]; first by left; exists (passed_by S c f t v); split=> //; apply: Passes.
  case: (k3 King_side) => [[r [p [m [e s]]]]|n3].
    by left; exists (castled_to S c f t r p); split=> //; apply: Castles m e.
  case: (k3 Queen_side) => [[r [p [m [e s]]]]|n4].
    by left; exists (castled_to S c f t r p); split=> //; apply: Castles m e.
  right=> -[B [m s]]; case: m s => [g|v i e|g r p m e] s; [by apply: n1 | by apply: n2; exists v | ].
  by case: g m => m; [apply: n3 | apply: n4]; exists r, p.
Qed.
(** A king's step: no man but one that it takes attacks the square once the king has left its own. *)
Lemma king_step_legal S c q t :
  sound S -> S q = (c, King) -> c <> Nobody -> step q t ->
  legal_move S c q t <->
  [/\ who S t <> c, what S t <> King
    & forall x, who S x = other c -> x <> t -> ~ attacks (put S q nothing) x t].
Proof.
  move=> sd kq nc st; have nqt : q <> t by move=> e; subst; geo.
  have kw : what S q = King by rewrite /what kq.
  have away x : who S x = other c -> x <> q by move=> o e; rewrite e /who kq /= in o; apply: (other_not nc).
  have same x y : between x t y -> gone S c q t King y = put S q nothing y.
    by move=> m; have [_ [n _]] := between_apart m; rewrite /gone put_else.
  split=> [[B [m s]]|[wt kt H]].
    have [e g] := makes_king_step sd m kw st; have [_ [wt kt]] := goes_target sd g; split=> // x o nx at_.
    have nq := away x o; apply: (s t x); rewrite e ?gone_to ?kw //; first by rewrite /who gone_else.
    apply: (attacks_still at_) => [|y my]; first by rewrite gone_else // put_else.
    by rewrite (same x).
  exists (gone S c q t (what S q)); split; first by apply: Goes; split=> //; split;
    rewrite /who ?kw ?kq //= /attacks kw.
  rewrite kw => q' x e1 o at_; have nx : x <> q by move=> e; rewrite e /who gone_from //= in o;
    apply: (other_player nc).
  have nt : x <> t by move=> e; rewrite e /who gone_to /= in o; apply: (other_not nc).
  have eq : q' = t.
    case: (q' =P t) => // n; case: (q' =P q) => [e|n']; first by rewrite e gone_from in e1.
    by rewrite gone_else // in e1; case: n'; apply: (sound_one_king sd e1 kq).
  subst q'; rewrite /who gone_else // in o; apply: (H x) => //.
  apply: (attacks_still at_) => [|y my e]; first by rewrite gone_else // put_else.
  by rewrite -(same x) // e.
Qed.
(** Another man goes: no man but the one it takes attacks the king then. *)
Lemma goes_legal S c f t q :
  sound S -> goes S c f t -> what S f <> King -> S q = (c, King) ->
  legal_move S c f t <-> (forall x, who S x = other c -> x <> t -> ~ attacks (gone S c f t (what S f)) x q).
Proof.
  move=> sd g nk kq; have [nc [of_ _]] := g; have [nft [wt kt]] := goes_target sd g.
  have nqf : q <> f by move=> e; rewrite -e /what kq in nk.
  have nqt : q <> t by move=> e; rewrite -e /what kq in kt.
  split=> [[B [m s]]|H].
    have [e _] := makes_goes sd m nk (fun v i => in_passing_not_goes i g).
    move=> x o nx; have nxf : x <> f by move=> e'; rewrite e' of_ in o; apply: (other_not nc).
    by rewrite -e; apply: s; rewrite e ?gone_else // /who gone_else.
  exists (gone S c f t (what S f)); split; first exact: Goes.
  move=> q' x e1 o; have nx : x <> f by move=> e; rewrite e /who gone_from //= in o; apply: (other_player nc).
  have nt : x <> t by move=> e; rewrite e /who gone_to /= in o; apply: (other_not nc).
  have nf' : q' <> f by move=> e; rewrite e gone_from in e1.
  have nt' : q' <> t by move=> e; rewrite e gone_to in e1; case: e1.
  rewrite gone_else // in e1; rewrite (sound_one_king sd e1 kq); apply: H => //.
  by rewrite /who gone_else in o.
Qed.
(** A man of the other side, where it was and with nothing new between, attacks the king after a move as before. *)
Lemma makes_attack_still S c f t k B x q :
  sound S -> makes S c f t k B -> who S x = other c -> attacks S x q -> t <> x -> ~ between q x t ->
    ~ in_passing S c f t x ->
  what S f <> King -> attacks B x q.
Proof.
  move=> sd m o at_ nx nb ni nk; apply: (attacks_still at_) => [|y my e].
    by apply: (makes_others_stay sd m) => // e; apply: nx.
  case: (y =P f) => [->|nf]; first exact: makes_from m.
  case: (y =P t) => [e'|nt]; first by case: nb; rewrite -e'; apply/between_sym.
  case: (makes_square sd m nf nt) => [->//|[->//]|[->//]|[_ [_ [g [r [_ [_ [kf _]]]]]]]].
  by case: nk; rewrite /what kf.
Qed.
(** A man but the king, in check, takes who gives it, comes between, or takes it in passing. *)
Lemma legal_answers S c f t x q :
  sound S -> legal_move S c f t -> what S f <> King -> S q = (c, King) -> who S x = other c -> attacks S x q ->
  [\/ t = x, between q x t | in_passing S c f t x].
Proof.
  move=> sd [B [m s]] nk kq o at_.
  case: (t =P x) => [e|nx]; first exact: Or31.
  case: (known_between q x t) => [b|nb]; first exact: Or32.
  case: (known_in_passing S c f t x) => [i|ni]; first exact: Or33.
  have at' := makes_attack_still sd m o at_ nx nb ni nk.
  have Bx : B x = S x by apply: (makes_others_stay sd m) => // e; apply: nx.
  by case: (s q x) => //; [exact: makes_king_stays m _ kq | rewrite /who Bx].
Qed.
Lemma no_castling_in_check S c g f t r p : sound S -> may_castle S c g f t r p -> ~ in_check S c.
Proof.
  move=> sd [_ [_ [kf [_ [_ na]]]]] [q [x [kq [o at_]]]].
  by case: (na f); [left | exists x; rewrite (sound_one_king sd kf kq)].
Qed.
(** In two checks only the king moves. *)
Lemma two_checks S c f t x y :
  sound S -> Words.check S c x -> Words.check S c y -> x <> y -> what S f <> King -> ~ legal_move S c f t.
Proof.
  move=> sd [nc [q [kq [ox ax]]]] [_ [q' [kq' [oy ay]]]] nxy nk lg; have e := sound_one_king sd kq kq'; subst q'.
  have np := other_player nc.
  have full z : who S z = other c -> S z <> nothing by move=> o e; apply: np; rewrite -o; exact: who_nothing.
  have blocked z z' : attacks S z q -> who S z' = other c -> ~ between q z z'.
    by move=> a o /between_sym m; apply: (full z' o); apply: attacks_clear a m.
  have half z z' : attacks S z' q -> in_passing S c f t z' -> between q z t -> False.
    (* The square that is passed and a king that the pawn attacks then are on no line. *)
    move=> az' [_ [_ [_ [_ [sv [h le]]]]]] [w [nw [l _]]].
    have sp : strikes (other c) z' q by move: az'; rewrite /attacks /what /who sv.
    clear -nw l le sp; case: c le sp => //= le sp; case: w nw l => //= *; geo.
  case: (legal_answers sd lg nk kq ox ax) (legal_answers sd lg nk kq oy ay) => [e|bx|ix] [e'|by_|iy].
  - by apply: nxy; rewrite -e e'.
  - by apply: (blocked y x ay ox); rewrite -e.
  - by case: iy => _ [_ [_ [t0 _]]]; apply: (full x ox); rewrite -e.
  - by apply: (blocked x y ax oy); rewrite -e'.
  - have [/between_sym bx' /between_sym by'] := conj bx by_.
    have [w [nw [l [l1 l2]]]] := between_line bx; have [w' [nw' [l' [l1' l2']]]] := between_line by_.
    have ew := line_one l1 l1'; subst w'; case: (line_two nw l l') => [//|[m|m]].
      by apply: (blocked y x ay ox).
    by apply: (blocked x y ax oy).
  - exact: (half x y).
  - by case: ix => _ [_ [_ [t0 _]]]; apply: (full y oy); rewrite -e'.
  - exact: (half y x).
  case: ix iy => _ [_ [_ [_ [_ [h le]]]]] [_ [_ [_ [_ [_ [h' le']]]]]].
  by have [_ e] := leap_one le le'; apply: nxy.
Qed.
(** A pinned man stays on its line. *)
Lemma pinned_stays S c f x t q :
  sound S -> Words.pinned S c f x -> S q = (c, King) -> legal_move S c f t -> t = x \/ between q x t.
Proof.
  move=> sd pn kq lg; have [nc [of_ [ox [q' [kq' [b at_]]]]]] := pn; have e := sound_one_king sd kq kq'; subst q';
    rewrite /Words.without in at_.
  have bs := iffLR (between_sym _ _ _) b; have [nfq [nfx _]] := between_apart b.
  have nxf : x <> f by move=> e; apply: nfx.
  have [_ [w [sl l]]] := attacks_across at_ bs; rewrite /what put_else // in sl.
  have nk : what S f <> King.
    by move=> e; apply: nfq; apply: (sound_one_king (c := c) sd _ kq); rewrite -e /what -{1}of_ /who; case: (S f).
  have [B [m s]] := lg; case: (t =P x) => [|nt]; first by left.
  case: (known_between q x t) => [|nb]; first by right.
  have nv : ~ in_passing S c f t x.
    by move=> [_ [_ [_ [_ [e _]]]]]; rewrite /what e in sl; case: (slides_kind sl) => [|[]].
  have Bx : B x = S x by apply: (makes_others_stay sd m) => // e; apply: nt.
  have Bq := makes_king_stays sd m nk kq.
  case: (s q x) => //; first by rewrite /who Bx.
  apply: (attacks_still at_) => [|y my]; first by rewrite put_else.
  case: (y =P f) => [->|nf]; first by rewrite (makes_from sd m).
  rewrite put_else // => e; case: (y =P t) => [e'|nyt]; first by case: nb; rewrite -e'; apply/between_sym.
  case: (makes_square sd m nf nyt) => [->//|[->//]|[->//]|[_ [_ [g [r [_ [_ [kf _]]]]]]]].
  by case: nk; rewrite /what kf.
Qed.
Lemma pinned_sees S c f x q :
  sound S -> Words.pinned S c f x -> S q = (c, King) ->
  exists w, sees S q w f /\ sees S f w x /\ slides (what S x) w.
Proof.
  move=> sd [nc [of_ [ox [q' [kq' [b at_]]]]]] kq; have e := sound_one_king sd kq kq'; subst q';
    rewrite /Words.without in at_.
  have bs := iffLR (between_sym _ _ _) b; have [_ nfx] := between_apart b; have nxf : x <> f by case: nfx => n _ e;
    apply: n.
  have [_ [w [sl l]]] := attacks_across at_ bs; rewrite /what put_else // in sl.
  have l' : line q x (opposite w) by apply/line_back.
  have nw := slides_some sl; have nw' := opposite_some nw; have [l1 l2] := between_on nw' l' b.
  exists (opposite w); split.
    split=> //; split=> //; split; first by rewrite of_.
    move=> y m; have [m1 m2] := between_near b m; have [_ [ny _]] := between_apart m.
    by have := attacks_clear at_ (iffLR (between_sym _ _ _) m1); rewrite put_else.
  split; last by apply/slides_opposite.
  split=> //; split=> //; split; first by rewrite ox; apply: other_player.
  move=> y m; have [m1 m2] := between_far b m; have [ny _] := between_apart m.
  by have := attacks_clear at_ (iffLR (between_sym _ _ _) m1); rewrite put_else.
Qed.
(** Every legal move of a man is within its range. *)
Lemma legal_range S c f t : sound S -> legal_move S c f t -> Words.range c (what S f) f t.
Proof.
  move=> sd [B [m _]]; have [nc o] := makes_side m; split=> //.
  case: m => [[_ [_ g]]|v [e [st _]] _|g r p [ca [_ [e _]]] _].
  - have pw : what S f = Pawn -> 1 <= rk f <= 6.
      by move=> E; apply: (sound_pawns (S := S) (c := c) sd); rewrite -E /what -{1}o /who; case: (S f).
    move: g; rewrite /attacks; case E: (what S f) => /=; case=> g; try case=> g2 g3; try by [].
    + by left.
    + by case: g => w [s [l _]]; exists w.
    + by case: g => w [s [l _]]; exists w.
    + by case: g => w [s [l _]]; exists w.
    + by split; [exact: pw | left; case: g].
    by split; [exact: pw | right; case: g => [[u [l _]]|[l _]]; [left; exists u | right]].
  - by rewrite /what e /=; split; [exact: (sound_pawns sd e) | right; right].
  by rewrite /what e /=; right; exists g, r, p.
Qed.
(** Men, as many. *)
Lemma men_known S c : c <> Nobody -> exists n, Words.men S c n.
Proof. by move=> nc; eexists; split. Qed.
(** What goes somewhere is a move or a promotion. *)
Lemma goes_somewhere act t : Words.target act = Some t -> Words.target act <> None.
Proof. by move=> ->. Qed.
