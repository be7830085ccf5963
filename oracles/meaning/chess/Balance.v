(** What a move gains at least: the balance of what the men are worth, what a move changes of it, and what may be taken
    back. Then what a move earns (`earns`), what is gained by taking or by promoting at once, and by a pawn that
    runs. *)
From Chess Require Import Board Lines Effects ForksEnd ForksLost.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** The balance when something is put on a square, and when a man goes. *)
Lemma balance_put B s m c :
  Words.balance (put B s m) c = Words.balance B c - Words.weight c (B s) + Words.weight c m.
Proof.
  rewrite /Words.balance; set sum := fun B' (l : seq square) => foldr (fun x n => Words.weight c (B' x) + n) 0 l.
  have H (l : seq square) : uniq l ->
    sum (put B s m) l = sum B l + (if s \in l then Words.weight c m - Words.weight c (B s) else 0).
    elim: l => [//|x l IH] /= /andP [n /IH ->]; rewrite inE /put (eq_sym s x); case: (x =P s) => [e|_] /=;
      last by rewrite Z.add_assoc.
    by subst x; rewrite (negPf n); lia.
  have := H _ (enum_uniq square); rewrite mem_enum inE -/(sum B _) -/(sum (put B s m) _) => ->.
  by move: (sum B _) => i; lia.
Qed.
Lemma balance_same B B' c : (forall x, B' x = B x) -> Words.balance B' c = Words.balance B c.
Proof. by move=> E; rewrite /Words.balance; elim: (enum _) => //= x l ->; rewrite E. Qed.
Lemma weight_nothing c : c <> Nobody -> Words.weight c nothing = 0.
Proof. by case: c. Qed.
Lemma weight_own c k : Words.weight c (c, k) = Words.value_of k.
Proof. by rewrite /Words.weight /= eqxx. Qed.
Lemma weight_other c k : c <> Nobody -> Words.weight c (other c, k) = - Words.value_of k.
Proof. by case: c. Qed.
Lemma balance_gone B c d f t k : c <> Nobody -> f <> t ->
  Words.balance (gone B d f t k) c
  = Words.balance B c - Words.weight c (B f) - Words.weight c (B t) + Words.weight c (d, k).
Proof.
  move=> nc n; rewrite /gone !balance_put put_else ?weight_nothing //; last by move=> e; apply: n.
  lia.
Qed.
Lemma worth_value k n : Words.worth k n -> n = Words.value_of k /\ 1 <= n.
Proof. by case: k => //= ->. Qed.
Lemma value_least k : 0 <= Words.value_of k.
Proof. by case: k. Qed.
Lemma promotion_value k : promotion k -> 3 <= Words.value_of k.
Proof. by case=> [|[|[|]]] ->. Qed.
Lemma weight_taken S c t : proper S -> c <> Nobody -> who S t <> c ->
  Words.weight c (S t) = - Words.value_of (what S t).
Proof.
  move=> pr nc n; case: (who S t =P Nobody) => [e|nn].
    have w := iffLR (pr t) e; by rewrite (at_both S t) e w; case: (c) nc.
  by rewrite (at_both S t) (one_of_two nc nn n) weight_other.
Qed.
(** What a plain move earns is what the balance grows by. *)
Lemma plain_balance S c f t k : sound S -> Words.plain S c f t k ->
  Words.balance (after S c f t k) c
  = Words.balance S c + (Words.value_of (what S t) + (Words.value_of k - Words.value_of (what S f))).
Proof.
  move=> so pn; have [nc wf] := plain_side pn; have [n [wt _]] := plain_away so pn.
  have -> : Words.balance (after S c f t k) c = _ := balance_gone _ _ k nc n.
  rewrite (weight_taken (sound_proper so) nc wt) weight_own (at_both S f) wf weight_own; lia.
Qed.
Lemma earned S c f t k n : sound S -> who S f = c -> Words.earns S f t k n ->
  Words.plain S c f t k /\ Words.balance (after S c f t k) c = Words.balance S c + n.
Proof.
  move=> so wf [e [pn ->]]; have [_ we] := plain_side pn; have ec : e = c by congruence.
  by subst e; rewrite ec in pn *; split; last exact: plain_balance.
Qed.

(** What is done by a plain move, and what plain moves may be done. *)
Lemma done_after S c f t k S' : goes S c f t -> done S c f t k S' -> S' = after S c f t k.
Proof.
  move=> g [B [m [_ [_ ->]]]]; case: m => [//|v i _|w r p [ca [_ [e _]]] _]; first by case: (in_passing_not_goes i).
  by case: (castle_apart ca); move: g => [_ [_]]; rewrite (at_what e) /attacks (at_what e) => -[].
Qed.
Lemma move_after S c f t k S' : Words.plain S c f t k -> S f = (c, k) -> plays S (Move f t) S' -> S' = after S c f t k.
Proof.
  move=> [g _] e [c' [_ dn]]; have [_ w] := done_side dn; have ec : c' = c by rewrite -w (at_who e).
  by subst c; rewrite (at_what e) in dn; have := done_after g dn.
Qed.
Lemma promote_after S c f t k S' : Words.plain S c f t k -> plays S (Promote f t k) S' -> S' = after S c f t k.
Proof.
  move=> pn [c' [_ dn]]; have [_ w] := done_side dn; have [_ w'] := plain_side pn; have [g _] := pn.
  have ec : c' = c by congruence.
  by rewrite ec in dn; have := done_after g dn.
Qed.
Definition act_of S c f t k : action := if (what S f == Pawn) && (rk t =? goal c) then Promote f t k else Move f t.
Lemma act_target S c f t k : Words.target (act_of S c f t k) = Some t.
Proof. by rewrite /act_of; case: ifP. Qed.
Lemma act_actor S c f t k : Words.actor S (act_of S c f t k) = who S f.
Proof. by rewrite /act_of; case: ifP. Qed.
Lemma plain_plays S c f t k : Words.plain S c f t k -> plays S (act_of S c f t k) (after S c f t k).
Proof.
  move=> pn; have [nc _] := plain_side pn; have dn := plain_done_after pn; have [_ [_ be]] := pn.
  have pr : (what S f == Pawn) && (rk t =? goal c) <-> promoting S c f t.
    split=> [/andP [/eqP e /Z.eqb_spec l]|[e [_ l]]]; first by split.
    by rewrite e l Z.eqb_refl.
  rewrite /act_of; case: ifP => [h|/negP h]; exists c.
    by split; [apply/pr | ].
  have np : ~ promoting S c f t by move/pr.
  by split=> //; case: be => [[]|[_ e]] //; rewrite -e.
Qed.

(** The man on `t` is taken back: by a man that goes there, or in passing. *)
Inductive taken_back S c t S' : Prop :=
  | By_a_man y j of goes S c y t & safe (gone S c y t j) c & becomes S c y t j & (S' = after S c y t j)
  | In_passing y s of in_passing S c y s t & (forall x, S' x = passed_by S c y s t x).
Lemma retaken S c t act S' : c <> Nobody -> who S t = c -> Words.actor S act = other c -> plays S act S' ->
  Words.retakes S act t -> taken_back S (other c) t S'.
Proof.
  move=> nc wt ac pl; have full : S t <> nothing by move=> e; apply: nc; rewrite -wt; apply: who_nothing.
  have went y s j : who S y = other c -> done S (other c) y s j S' -> s = t \/ (exists c' u, Words.target act = Some s
    /\ act = Move y u /\ in_passing S c' y u t) -> taken_back S (other c) t S'.
    move=> wy dn; have [m [sf be]] := done_makes dn; case=> [e|[c' [u [tg [ea ip]]]]].
      subst s; have [eB g] := onto_goes full m; have e := done_after g dn; subst S'.
      exact: By_a_man g sf be _.
    rewrite ea in tg; case: tg => e; subst u; have [Sy [st [ps [t0 [St [h le]]]]]] := ip.
    have e' : c' = other c by rewrite -wy (at_who Sy).
    subst c'; case: dn => B [mB [_ [_ eS]]].
    case: mB eS => [g|v [_ [_ [_ [_ [_ [h' le']]]]]] _|g r p [_ [_ [e _]]] _] eS.
    - by case: (in_passing_not_goes ip).
    - have [_ ev] := leap_one le le'; subst v; apply: (In_passing ip) => x; by rewrite eS.
    by rewrite Sy in e.
  case: act ac pl went => [y s|y s j|q] /= ac pl went rt; last by case: rt => [//|[? [? [? []]]]].
    case: pl => c' [_ dn]; have [_ w] := done_side dn; have e : c' = other c by congruence.
    subst c'; rewrite e in dn; apply: went dn _ => //; case: rt => [[]|[c' [f' [u [[e1 e2] ip]]]]]; first by left.
    by subst f' u; right; exists c', s.
  case: pl => c' [_ dn]; have [_ w] := done_side dn; have e : c' = other c by congruence.
  subst c'; rewrite e in dn; apply: went dn _ => //; case: rt => [[]|[c' [f' [u []]]]] //; by left.
Qed.
Lemma by_a_man_legal S d y t j : goes S d y t -> safe (gone S d y t j) d -> becomes S d y t j -> legal_move S d y t.
Proof.
  move=> g s be; exists (gone S d y t (what S y)); split; first exact: Goes.
  case: be => [[[pf _] p]|[_ <-//]]; have [nd _] := g; apply/(safe_whatever S y t nd (k := j)) => //.
    by move=> e; case: p; rewrite e; intuition discriminate.
  by rewrite pf.
Qed.
(** If nobody may take it, it is not taken back; if it is, it costs what it is worth, unless a pawn is promoted
    there. *)
Lemma not_retaken S c t act S' : c <> Nobody -> who S t = c ->
  (forall y, ~ legal_move S (other c) y t) -> (forall y s, ~ in_passing S (other c) y s t) ->
  Words.actor S act = other c -> plays S act S' -> ~ Words.retakes S act t.
Proof.
  move=> nc wt nl ni ac pl rt; case: (retaken nc wt ac pl rt) => [y j g s be _|y s ip _]; last exact: ni ip.
  exact: nl (by_a_man_legal g s be).
Qed.
Lemma goes_no_king B c f t : goes B c f t -> B t <> nothing -> what B t <> King.
Proof.
  move=> [_ [_]]; case: (what B f); try by move=> [_ []].
  by case=> [[_ e]|[[o [_ [_ e]]]|[_ []]]].
Qed.
Lemma goes_no_own B c f t : goes B c f t -> B t <> nothing -> who B t <> c.
Proof.
  move=> [nc [_]]; case: (what B f); try by move=> [_ []].
  by case=> [[_ e]|[[o [_ [_ e]]]|[_ [-> _]]]] // _; exact: other_not.
Qed.
Lemma king_not_retaken S c t act S' : c <> Nobody -> S t = (c, King) ->
  Words.actor S act = other c -> plays S act S' -> ~ Words.retakes S act t.
Proof.
  move=> nc Kt ac pl rt; case: (retaken nc (at_who Kt) ac pl rt) => [y j g _ _ _|y s [_ [_ [_ [_ [e _]]]]] _].
    by apply: (goes_no_king g); [rewrite Kt | exact: at_what Kt].
  by rewrite Kt in e.
Qed.
Lemma retaken_balance S c t k act S' : c <> Nobody -> S t = (c, k) -> ~ last (other c) t ->
  Words.actor S act = other c -> plays S act S' -> Words.retakes S act t ->
  Words.balance S' c = Words.balance S c - Words.value_of k.
Proof.
  move=> nc St nl ac pl rt; have no := other_player nc.
  case: (retaken nc (at_who St) ac pl rt) => [y j g _ be ->|y s [Sy [st [_ [s0 [St' _]]]]] e].
    have n : y <> t by move=> e; subst y; case: g => _ [e _]; rewrite (at_who St) in e; case: (other_not nc).
    have -> : Words.balance (after S (other c) y t j) c = _ := balance_gone _ _ j nc n.
    have wy : who S y = other c by case: g => _ [].
    case: be => [[[]]//|[_ ->]]; rewrite St weight_own (at_both S y) wy; lia.
  have ek : k = Pawn by rewrite St in St'; case: St'.
  have ys : y <> s := strikes_apart st; have yt : y <> t.
    by move=> e'; subst y; rewrite Sy in St'; case: St' => e'; case: (other_not no).
  have ts : t <> s by move=> e'; subst s; rewrite St in s0; case: s0.
  rewrite (balance_same c e) /passed_by !balance_put !put_else ?weight_nothing //; try by move=> e'; subst; auto.
  rewrite St s0 Sy weight_own weight_nothing //; lia.
Qed.

(** It gains at once. *)
Lemma gains_at_once S c act S' n : c <> Nobody -> plays S act S' -> Words.actor S act = c ->
  Words.pays S act S' c (Words.balance S c + n) -> Words.gain_by S c n act Words.GI.
Proof.
  move=> nc pl ac pa; have [t [tg _]] := pa; split=> //; split=> //; exists S'; split=> //.
  by split; [exact: goes_somewhere tg | left].
Qed.
(** The man that was moved cannot be taken, or the other side takes it back without a promotion. *)
Lemma pays_sheltered S c f t k n act : Words.target act = Some t -> Words.plain S c f t k -> Words.sheltered S f t k ->
  n <= Words.balance (after S c f t k) c -> Words.pays S act (after S c f t k) c n.
Proof.
  move=> tg pn sh le; exists t; split=> //; split=> // act' S'' ac pl rt; have [nc _] := plain_side pn.
  have wt := at_who (after_to S c f t k).
  by case: (not_retaken nc wt _ _ ac pl rt) => [y|y s]; case: (sh c pn y).
Qed.

Theorem earns_a_man : Statements.earns_a_man.
Proof.
  move=> S so c f t k d j n pn /at_what ef _ /at_what et /worth_value [-> _].
  by exists c; split=> //; rewrite et ef; lia.
Qed.
Theorem earns_nothing : Statements.earns_nothing.
Proof. by move=> S so c f t k pn /at_what ef /at_what et; exists c; split=> //; rewrite et ef /=; lia. Qed.
Theorem earns_a_promotion : Statements.earns_a_promotion.
Proof.
  move=> S so c f t k m p n pr pk /at_what et /worth_value [-> _] /= -> ->; exists c.
  by split; [apply: promotable_plain pr pk | case: pr => _ [ef _]; rewrite et ef /=; lia].
Qed.
Theorem earns_a_man_and_a_promotion : Statements.earns_a_man_and_a_promotion.
Proof.
  move=> S so c f t k d j i m p n pr pk _ /at_what et /worth_value [-> _] /worth_value [-> _] /= -> ->; exists c.
  by split; [apply: promotable_plain pr pk | case: pr => _ [ef _]; rewrite et ef /=; lia].
Qed.

Theorem a_man_for_nothing : Statements.a_man_for_nothing.
Proof.
  move=> S so t f c k n [_ [_ [S' [pl _]]]] ef sh ea; have wf := at_who ef; have [pn eb] := earned so wf ea.
  have [nc _] := plain_side pn; apply: (gains_at_once nc pl wf); rewrite (move_after pn ef pl).
  by apply: pays_sheltered => //; rewrite eb; lia.
Qed.
Theorem a_man_for_nothing_by_the_king : Statements.a_man_for_nothing_by_the_king.
Proof.
  move=> S so t f c n [_ [_ [S' [pl _]]]] [nc ef] _ ea; have wf := at_who ef; have [pn eb] := earned so wf ea.
  apply: (gains_at_once nc pl wf); rewrite (move_after pn ef pl); exists t; split=> //.
  split=> [|act' S'' ac pl' rt]; first by rewrite eb; lia.
  by case: (king_not_retaken nc (after_to S c f t King) ac pl' rt).
Qed.
Theorem a_man_for_less : Statements.a_man_for_less.
Proof.
  move=> S so t f c k d i m n [_ [_ [S' [pl _]]]] ef [_ ed] [_ nl] ea /worth_value [em _] lt en; have wf := at_who ef.
  have [pn eb] := earned so wf ea; have [nc _] := plain_side pn.
  apply: (gains_at_once nc pl wf); rewrite (move_after pn ef pl); exists t; split=> //.
  have v := @value_least k; split=> [|act' S'' ac pl' rt]; first by rewrite eb; lia.
  have nl' : ~ last (other c) t by case=> _ e; apply: nl; rewrite ed.
  by rewrite (retaken_balance nc (after_to S c f t k) nl' ac pl' rt) eb; lia.
Qed.
Theorem a_man_and_a_promotion_for_nothing : Statements.a_man_and_a_promotion_for_nothing.
Proof.
  move=> S so t f k c n [_ [_ [S' [pl _]]]] [nc wf] sh ea; have [pn eb] := earned so wf ea.
  apply: (gains_at_once nc pl wf); rewrite (promote_after pn pl).
  by apply: pays_sheltered => //; rewrite eb; lia.
Qed.
Theorem a_man_for_a_pawn_that_was_promoted : Statements.a_man_for_a_pawn_that_was_promoted.
Proof.
  move=> S so t f k c i m n [_ [_ [S' [pl _]]]] [nc wf] ea /worth_value [em _] lt en; have [pn eb] := earned so wf ea.
  apply: (gains_at_once nc pl wf); have [c' [[_ [_ la]] dn]] := pl; have [_ w] := done_side dn.
  have nl' : ~ last (other c) t by rewrite -wf w => -[_]; rewrite la; case: (c') (done_side dn) => -[].
  rewrite (promote_after pn pl); exists t; split=> //.
  have v := @value_least k; split=> [|act' S'' ac pl' rt]; first by rewrite eb; lia.
  by rewrite (retaken_balance nc (after_to S c f t k) nl' ac pl' rt) eb; lia.
Qed.
Theorem a_promotion_for_nothing : Statements.a_promotion_for_nothing.
Proof.
  move=> S so f t k c n [_ [_ [S' [pl _]]]] [nc wf] sh ea; have [pn eb] := earned so wf ea.
  apply: (gains_at_once nc pl wf); rewrite (promote_after pn pl).
  by apply: pays_sheltered => //; rewrite eb; lia.
Qed.

(** A pawn beside its king against a king alone: so it stays while the pawn, or what became of it, is not taken. *)
Lemma balance_nothing B c : (forall s, Words.weight c (B s) = 0) -> Words.balance B c = 0.
Proof. by move=> H; rewrite /Words.balance; elim: (enum _) => //= s l ->; rewrite H. Qed.
Definition alone S x c : Prop :=
  [/\ c <> Nobody /\ who S x = c, forall s, who S s = c -> s = x \/ what S s = King, Words.bare S (other c)
    & forall g, ~ kept S c g].
Lemma alone_balance S x c : alone S x c -> Words.balance S c = Words.value_of (what S x).
Proof.
  move=> [[nc wx] own [_ ba] _]; have := balance_put S x nothing c.
  rewrite weight_nothing // (at_both S x) wx weight_own balance_nothing; first by lia.
  move=> s; rewrite /put; case: eqP => [_|n]; first exact: weight_nothing.
  case: (who S s =P c) => [w|n1].
    by case: (own s w) => // K; rewrite (at_both S s) K w weight_own.
  case: (who S s =P other c) => [w|n2]; first by rewrite (at_both S s) (ba s w) w weight_other.
  have -> : Words.weight c (S s) = Words.weight c (who S s, what S s) by rewrite -at_both.
  by case: (who S s) n1 n2; case: (c) nc.
Qed.
Lemma runner_alone S c x : sound S -> Words.runner S c x -> alone S x c.
Proof.
  move=> so [nc [Sx [own ba]]]; split=> //; first by split=> //; exact: at_who Sx.
  have at_ (i : Z) : 0 <= i <= 7 -> exists s, fl s = i /\ rk s = base c.
    by move=> h; apply: square_at => //; rewrite /base; case: (c); lia.
  move=> g kp; have [q [fq rq]] := at_ 4 ltac:(lia).
  have [p [fp rp]] := at_ (match g with King_side => 7 | Queen_side => 0 end) ltac:(case: g {kp}; lia).
  have [t [ft rt]] := at_ (match g with King_side => 6 | Queen_side => 2 end) ltac:(case: g {kp fp}; lia).
  have [r [fr rr]] := at_ (match g with King_side => 5 | Queen_side => 3 end) ltac:(case: g {kp fp ft}; lia).
  have ca : castle c g q t p r by do 6 split=> //; case: (g) fp ft fr.
  have [_ Sr] := sound_kept so kp ca; case: (own p (at_who Sr)) => [e|]; last by rewrite (at_what Sr).
  by rewrite e Sx in Sr.
Qed.
(** Whoever goes: a man of its own, and no castling and no taking in passing. *)
Lemma alone_goes S x c f t k S' : alone S x c -> done S c f t k S' ->
  [/\ goes S c f t, stands S' = gone S c f t k & forall g, ~ kept S' c g].
Proof.
  move=> [[nc wx] own [_ ba] nk] [B [m [_ [_ ->]]]]; case: m => [g|v [_ [_ [_ [_ [Sv _]]]]] _|w r p [_ [kp _]] _].
  - by split=> // w /andP [/nk].
  - by have := ba v (at_who Sv); rewrite (at_what Sv).
  by case: (nk w).
Qed.
Lemma own_move S x c act S' :
  alone S x c -> Words.actor S act = c -> plays S act S' -> alone S' (Words.followed S act x) c.
Proof.
  move=> al ac pl; have [[nc wx] own [no ba] nk] := al.
  have went f t k x' : who S f = c -> done S c f t k S' -> (f = x -> x' = t) -> (f <> x -> x' = x /\ k = King) ->
    alone S' x' c.
    move=> wf dn e1 e2; have [g eS nk'] := alone_goes al dn; have St : S' t = (c, k) by rewrite eS gone_to.
    have other_ s : s <> t -> who S' s <> Nobody -> s <> f /\ S' s = S s.
      move=> nt; rewrite eS /who; case: (s =P f) nt => [->|nf] nt; last by split=> //; rewrite gone_else.
      by rewrite gone_from // => -[].
    have tx : t <> x.
      move=> e; have n : S t <> nothing by rewrite e => /who_nothing; rewrite wx.
      by apply: (goes_no_own g n); rewrite e.
    split=> //.
    - split=> //; case: (f =P x) => [/e1 ->|n]; first exact: at_who St.
      by have [-> _] := e2 n; rewrite /who eS gone_else //; exact: nesym.
    - move=> s ws; case: (s =P t) => [->|nt].
        by case: (f =P x) => [/e1 ->|/e2 [_ ek]]; [left | right; rewrite (at_what St)].
      have [nf es] : s <> f /\ S' s = S s by apply: other_ => //; rewrite ws.
      case: (own s) => [|e|K]; [by rewrite /who -es | | by right; rewrite /what es].
      by case: (f =P x) => [e'|/e2 [-> _]]; [rewrite e e' in nf | left].
    split=> // s ws; have nt : s <> t by move=> e; rewrite e (at_who St) in ws; case: (other_not nc).
    have [nf es] : s <> f /\ S' s = S s by apply: other_ => //; rewrite ws.
    by rewrite /what es; apply: ba; rewrite /who -es.
  case: act ac pl => [f t|f t j|q] /=.
  - move=> wf [d [_ dn]]; have [_ w] := done_side dn; have e : d = c by congruence.
    rewrite e in dn; apply: (went f t _ _ wf dn) => [->|n]; first by rewrite eqxx.
    have K : what S f = King by case: (own f wf).
    have [[_ [_ g]] _ _] := alone_goes al dn; split=> //.
    case: eqP => [e'|_]; first by case: n.
    move: g; rewrite K /= /attacks K => -[st _]; case: Z.eqb_spec => // two; exfalso.
    by move: st two; rewrite /step /dist; lia.
  - move=> wf [d [[pw _] dn]]; have [_ w] := done_side dn; have e : d = c by congruence.
    rewrite e in dn; apply: (went f t _ _ wf dn) => [->|n]; first by rewrite eqxx.
    by case: (own f wf) => // K; rewrite K in pw.
  move=> _ [d [_ [_ [_ ->]]]]; exact: al.
Qed.
Lemma other_move S x c act S' : alone S x c -> Words.actor S act = other c -> plays S act S' -> loser S' <> other c ->
  who S' x = c -> alone S' x c.
Proof.
  move=> [[nc wx] own [no ba] nk] ac pl lo wx'.
  have went f t k : who S f = other c -> done S (other c) f t k S' -> alone S' x c.
    move=> wf dn; have K := ba f wf; have [B [m [_ [be eS]]]] := dn.
    have ek : k = King by case: be => [[[pw _] _]|[_ ->]] //; rewrite pw in K.
    have nkept g : ~ kept S' c g by rewrite eS => /andP [/nk].
    case: m eS => [g|v [pw _] _|g r p [_ [_ [_ [R _]]]] _] eS; first last.
    - by have := ba r (at_who R); rewrite (at_what R).
    - by rewrite (at_what pw) in K.
    have {}eS : stands S' = gone S (other c) f t k by rewrite eS.
    have St : S' t = (other c, k) by rewrite eS gone_to.
    have other_ s : s <> t -> who S' s <> Nobody -> S' s = S s.
      move=> nt; rewrite eS /who; case: (s =P f) nt => [->|nf] nt; last by rewrite gone_else.
      by rewrite gone_from // => -[].
    split=> //.
      move=> s ws; have nt : s <> t by move=> e; rewrite e (at_who St) in ws; case: (other_not nc).
      have es : S' s = S s by apply: other_ => //; rewrite ws.
      by rewrite /what es; apply: own; rewrite /who -es.
    split=> // s ws; case: (s =P t) => [->|nt]; first by rewrite (at_what St).
    have es : S' s = S s by apply: other_ => //; rewrite ws.
    by rewrite /what es; apply: ba; rewrite /who -es.
  case: act ac pl => [f t|f t j|f] wf; have {}wf : who S f = other c := wf.
  - by move=> [d [_ dn]]; have [_ w] := done_side dn; rewrite -w wf in dn; apply: went wf dn.
  - by move=> [d [_ dn]]; have [_ w] := done_side dn; rewrite -w wf in dn; apply: went wf dn.
  move=> [d [kd [_ [_ eS]]]]; case: lo; rewrite eS -wf; exact: esym (at_who kd).
Qed.
(** It is promoted, and then its side has a rook more than nothing, at least. *)
Lemma crowns_pays S x c act S' : alone S x c -> plays S act S' -> Words.actor S act = c -> Words.crowns S act S' c x ->
  Words.pays S act S' c 5.
Proof.
  move=> al pl ac [t [j [n [ea [wj [n3 [none _]]]]]]]; have al' := own_move al ac pl; have [[nc wx] _ _ _] := al.
  move: al'; rewrite ea /= eqxx => al'.
  have St : what S' t = j.
    move: pl; rewrite ea => -[d [_ dn]]; have [_ w] := done_side dn; have e : d = c by congruence.
    by rewrite e in dn; have [_ eS _] := alone_goes al dn; rewrite /what eS gone_to.
  have [[_ wt] _ _ _] := al'; have b := alone_balance al'; rewrite St in b.
  have n5 : 5 <= Words.value_of j by move: n3; clear - wj; case: j wj => //=; lia.
  exists t; split=> //.
  split=> [|act' S2 ac' pl' rt]; first by rewrite b.
  case: (not_retaken nc wt none _ ac' pl' rt) => y s [_ [_ [_ [_ [Sv _]]]]].
  by rewrite -St (at_what Sv) in n5.
Qed.
Fixpoint runs_first S c x (H : Words.crowned_first S c x) {struct H} : alone S x c -> Words.gained_first S c 5
with runs_second S c x (H : Words.crowned_second S c x) {struct H} : alone S x c -> Words.gained_second S c 5.
Proof.
  - case: H => act S' _ ac pl go H al; have [[nc wx] _ _ _] := al.
    apply: (Words.Gaining nc ac pl go); case: H => [cr|[ma|se]].
    + by left; apply: crowns_pays cr.
    + by right; left.
    by right; right; apply: (runs_second _ _ _ se); apply: own_move.
  case: H => _ ns H al; have [[nc wx] _ _ _] := al; split=> // act S' ac pl lo.
  have fi := H act S' ac pl lo; apply: (runs_first _ _ _ fi); apply: other_move al ac pl lo _.
  by case: fi => ? ? /at_who.
Qed.

Theorem a_pawn_that_runs : Statements.a_pawn_that_runs.
Proof.
  move=> S so c x f t m p n [_ [ac [S' [pl [go H]]]]] ru _ -> -> ->; have al := runner_alone so ru.
  have [nc [Sx _]] := ru; split=> //; split=> //; exists S'; do 2 split=> //.
  rewrite (alone_balance al) (at_what Sx) /=; right; case: H => [[t' [j [i [e _]]]] //|[ma|se]]; first by left.
  by right; apply: (runs_second se); apply: own_move.
Qed.
