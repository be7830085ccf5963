(** A man that is lost wherever the king steps: where the king's step leaves it to be taken (`gives`), or unguarded too
    (`yields`), and that it is lost if every step does (`forks`, `caught`). *)
From Chess Require Import Board Lines Effects ForksEnd.
From Chess Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (B : board) (S : state) (a b f h o p q r s t u v x y z : square) (c d e : side) (k j : kind) (w : way).

(** What rests on the board alone. *)
Lemma goes_same B B' c f t : (forall y, B' y = B y) -> goes B c f t -> goes B' c f t.
Proof.
  move=> E; rewrite /goes /who /what !E; case: (B f).2 => // -[pc [wf H]]; do 2 split=> //.
  all: try by case: H => at_ H; split=> //; apply/(attacks_same f t E).
  case: H => [[ad n]|[[o [lp [n n']]]|H]]; [by left | right; left; exists o; by rewrite E | by right; right].
Qed.
Lemma gone_same B B' c f t k : (forall y, B' y = B y) -> safe (gone B c f t k) c -> safe (gone B' c f t k) c.
Proof. by move=> E; apply: (iffRL (safe_same c _)) => y; rewrite /gone /put E. Qed.
Lemma king_step_goes S c q s B k :
  S q = (c, King) -> step q s -> makes S c q s k B -> B = gone S c q s k /\ goes S c q s.
Proof.
  move=> e st; case=> [//|v [e' _] _|g r p [/castle_apart //]]; by rewrite e in e'.
Qed.
Lemma king_step_same S S' c q s :
  (forall y, S' y = S y) -> S q = (c, King) -> step q s -> legal_move S c q s -> legal_move S' c q s.
Proof.
  move=> E kq st [B [/(king_step_goes kq st) [-> go] sf]]; have go' := goes_same E go.
  exists (gone S' c q s (what S' q)).
  split; first exact: Goes; rewrite /what E; exact: gone_same sf.
Qed.
(** Onto a man neither castling nor taking in passing goes. *)
Lemma onto_goes S c f t k B : S t <> nothing -> makes S c f t k B -> B = gone S c f t k /\ goes S c f t.
Proof.
  move=> n; case=> [//|v [_ [_ [_ [e _]]]] _|g r p [ca [_ [_ [_ [free _]]]]] _]; first by case: n.
  case: n; apply: free; case: g ca => ca; [exists East | exists West]; split=> //.
  all: case: c ca => ca; move: ca; rewrite /castle /=; geo.
Qed.
Lemma onto_same S S' c f t :
  (forall y, S' y = S y) -> S t <> nothing -> legal_move S c f t -> legal_move S' c f t.
Proof.
  move=> E n [B [/(onto_goes n) [-> go] sf]]; have go' := goes_same E go; exists (gone S' c f t (what S' f)).
  split; first exact: Goes; rewrite /what E; exact: gone_same sf.
Qed.
Lemma king_takes S c s x : S s = (c, King) -> S x <> nothing -> legal_move S c s x ->
  step s x /\ safe (gone S c s x King) c.
Proof.
  move=> e n [B [/(onto_goes n) [-> go] sf]]; move: go sf; rewrite /goes /attacks (at_what e).
  by move=> [_ [_ [at_ _]]].
Qed.

(** The man that was moved, or stands there, and the one that it aims at. *)
Lemma poised_safe S c f t j : sound S -> Words.poised S c f t j -> safe (gone S c f t j) c.
Proof.
  move=> so [pc [[[_ [sf _]] _] //|[-> [e [_ ch]]]]].
  apply: (iffRL (safe_same c _)); first by move=> y; apply: gone_nowhere.
  apply/safe_not_check => ch'; exact: sound_one_check so _ ch' ch.
Qed.
Lemma poised_kind S c f t j : Words.poised S c f t j -> j <> King -> what S f <> King.
Proof.
  move=> [pc [[[_ [_ be]] _]|[-> [e _]]]]; last by rewrite (at_what e).
  by case: be => [[[-> _] _]|[_ ->]].
Qed.
Lemma poised_target S c f t j : sound S -> Words.poised S c f t j -> what S t <> King.
Proof. by move=> so [pc [[pn _]|[_ [e [n _]]]]]; [have [_ [_]] := plain_away so pn | rewrite (at_what e)]. Qed.

Section Lost.
Variables (S : state) (c d : side) (f t x q s : square) (j : kind).
Hypotheses (so : sound S) (wf : who S f = c) (ed : d = other c) (am : Words.aims S f t j x).
Hypotheses (kq : S q = (d, King)) (st : step q s).
Let S1 := after S c f t j.
Let S2 := after S1 d q s King.
Let S3 := after S2 c t x j.
Hypothesis lg : legal_move S1 d q s.

Lemma aims_poised : Words.poised S c f t j. Proof. by case: am => po _; rewrite -wf. Qed.
Lemma lost_side : c <> Nobody. Proof. by case: aims_poised. Qed.
Lemma lost_other : d <> Nobody. Proof. by rewrite ed; apply: other_player; apply: lost_side. Qed.
Lemma lost_apart : d <> c. Proof. by rewrite ed; apply: other_not; apply: lost_side. Qed.
Lemma lost_who : who S x = d. Proof. by case: am => _ [_ [->]]; rewrite wf ed. Qed.
Lemma lost_squares : [/\ x <> t, x <> f, x <> q & [/\ q <> t, q <> f & what S x <> King]].
Proof.
  have po := aims_poised; have nt := poised_target so po; case: am => _ [n [_ [nk _]]]; have wx := lost_who.
  split=> // [e|e|]; first by apply: lost_apart; rewrite -wx e.
    by apply: nk; rewrite e (at_what kq).
  split=> // e; first by apply: nt; rewrite -e (at_what kq).
  by apply: lost_apart; rewrite -(at_who kq) e.
Qed.
Lemma first_at y : y <> f -> y <> t -> S1 y = S y.
Proof. exact: gone_else. Qed.
Lemma first_king : S1 q = (d, King).
Proof. by have [_ _ _ [? ? _]] := lost_squares; rewrite first_at. Qed.
Lemma lost_step : [/\ s <> q, s <> x & safe S2 d].
Proof.
  have [B [/(king_step_goes first_king st) [eB go] sf]] := lg; have [xt xf _ _] := lost_squares.
  split; first by move=> e; move: st; rewrite e; geo.
    move=> e; move: go; rewrite e /goes (at_what first_king) => -[_ [_ [_ [n _]]]]; apply: n.
    by rewrite /who first_at // -/(who S x) lost_who.
  by move: sf; rewrite eB (at_what first_king).
Qed.

(** The step leaves it to be taken. *)
Hypotheses (nt : s <> t) (nb : ~ between t x s).
Lemma third_at y : S3 y =
  if y == x then (c, j) else if y == t then nothing else if y == s then (d, King) else if y == q then nothing
  else if y == f then nothing else S y.
Proof.
  rewrite /S3 /S2 /S1 /after /= /gone /put; case: (y == x) => //; case: (y =P t) => // n.
Qed.
Lemma third_taken y : y <> s -> y <> x -> S3 y = Words.taken_there S f t x q y.
Proof.
  move=> n m; rewrite third_at /Words.taken_there /put; do 4 (case: eqP => // _).
Qed.
Lemma third_taken_attacks z o : z <> s -> z <> x -> attacks S3 z o -> attacks (Words.taken_there S f t x q) z o.
Proof.
  move=> n m at_; apply: (attacks_still at_); first by rewrite third_taken.
  move=> y _; case: (y =P x) => [->|nx]; last case: (y =P s) => [->|ns]; last by rewrite third_taken.
    by rewrite third_at eqxx => -[e]; case: lost_side.
  have [_ sx _] := lost_step.
  rewrite third_at eqxx; do 2 (case: eqP => // _); by move=> -[e]; case: lost_other.
Qed.
Lemma lost_by_king : j <> King. Proof. by case: am => _ [_ [_ [_ [[]]]]]. Qed.
Lemma lost_attack : attacks S2 t x.
Proof.
  case: am => _ [_ [_ [_ [_ H]]]]; move: H; rewrite wf -ed => /(_ q kq) at_.
  have [_ _ _ [n _ _]] := lost_squares; apply: (attacks_still at_).
    by rewrite /S2 /S1 /after /= /gone put_else //; apply: nesym.
  move=> y m e; rewrite /S2 /S1 /after /= {1}/gone put_else // => ey; apply: nb; by rewrite -ey.
Qed.
Lemma lost_man : S2 t = (c, j).
Proof.
  have [_ _ _ [n _ _]] := lost_squares; rewrite /S2 /after /= gone_else; first exact: after_to.
    by move=> e; apply: n.
  by move=> e; apply: nt.
Qed.
Lemma lost_target : S2 x = S x.
Proof.
  have [n1 n2 n3 _] := lost_squares; have [_ n4 _] := lost_step.
  by apply: etrans (first_at n2 n1); apply: gone_else => // e; apply: n4.
Qed.
Lemma lost_goes : goes S2 c t x.
Proof.
  have at_ := lost_attack; have [_ _ _ [_ _ nk]] := lost_squares; have pc := lost_side; have wx := lost_who.
  have wx2 : who S2 x = d by rewrite /who lost_target.
  have nk2 : what S2 x <> King by rewrite /what lost_target.
  split=> //; split; first exact: at_who lost_man.
  have dc := lost_apart; rewrite (at_what lost_man) wx2; move: (at_); rewrite /attacks (at_what lost_man).
  by case: (j) => //= H; right; right; move: H; rewrite (at_who lost_man) -ed.
Qed.
Lemma lost_becomes : becomes S2 c t x j.
Proof.
  right; rewrite (at_what lost_man); split=> //; rewrite /promoting (at_what lost_man) => -[e la].
  by case: am => _ [_ [_ [_ [[_ nl] _]]]]; apply: nl e _; rewrite wf.
Qed.
Lemma lost_plain : Words.shields S f t x -> Words.unties S f t x -> Words.plain S2 c t x j.
Proof.
  move=> sh un; split; first exact: lost_goes; split; last exact: lost_becomes.
  have nk := lost_by_king; have pc := lost_side; have pd := lost_other; have dc := lost_apart.
  move=> o z; rewrite -[gone _ _ _ _ _]/(stands S3) -ed => oS3 zS3 at_.
  have [sq_ sx sf] := lost_step.
  have [ox ot os oq [of_ oS]] : [/\ o <> x, o <> t, o <> s, o <> q & o <> f /\ S o = (c, King)].
    move: oS3; rewrite third_at; case: eqP => [_ [/nk []]|nx]; case: eqP => [_ [e]|?]; first by case: pc.
    case: eqP => [_ [e]|?]; first by case: dc.
    by case: eqP => [_ [e]|?]; [case: pc | case: eqP => [_ [e]|? e]; [case: pc | split]].
  case: (z =P s) => [zs|nzs].
    have zK : S3 z = (d, King) by rewrite third_at zs eqxx; do 2 case: eqP => // _.
    move: at_; rewrite /attacks (at_what zK) => near.
    have oS2 : S2 o = (c, King) by rewrite -oS; apply: etrans (first_at of_ ot); apply: gone_else.
    apply: (sf s o (after_to _ _ _ _ _)); first by rewrite (at_who oS2) ed otherK.
    by rewrite /attacks (at_what oS2) step_sym -zs.
  have nzx : z <> x by move=> e; apply: dc; rewrite -zS3 e /who third_at eqxx.
  have at2 := third_taken_attacks nzs nzx at_.
  have zT : who (Words.taken_there S f t x q) z = other (who S f) by rewrite [LHS]/who -third_taken // wf -ed.
  have kS : S q = (other (who S f), King) by rewrite wf -ed.
  have oS' : S o = (who S f, King) by rewrite wf.
  case: (between_dec o z t) => [m|m]; first exact: un oS' kS zT m at2.
  case: (between_dec o z q) => [m'|m']; first exact: sh oS' kS zT m' m at2.
  have [zt zS] : z <> t /\ S3 z = S1 z.
    have zn : S3 z <> nothing by move=> e; apply: pd; rewrite -zS3 /who e.
    have zt : z <> t.
      by move=> e; apply: zn; rewrite third_at e; case: eqP => [e'|_]; [case: nzx; rewrite e | rewrite eqxx].
    split=> //; apply: etrans (gone_else _ _ _ zt nzx) (gone_else _ _ _ _ nzs) => e.
    have [_ _ qx [qt _ _]] := lost_squares; apply: zn; rewrite third_at e eqxx.
    by case: eqP => [e1|_]; [case: qx | case: eqP => [e1|_]; [case: qt | case: eqP => // e1; case: sq_]].
  apply: (poised_safe so aims_poised (q := o) (x := z)); [by rewrite -oS; apply: first_at | | ].
    by move: zS3; rewrite /who zS -ed.
  apply: (attacks_still at_) => [|y my]; first by rewrite zS.
  have yt : y <> t by move=> e; apply: m; rewrite -e; apply/between_sym.
  have yq : y <> q by move=> e; apply: m'; rewrite -e; apply/between_sym.
  rewrite third_at; case: eqP => [_ [/pc []]|_]; case: eqP => // _; case: eqP => [_ [/pd []]|_]; case: eqP => // _.
  by rewrite /gone /put; case: eqP => // _; case: eqP.
Qed.
Lemma third_target : S3 x = (c, j). Proof. by rewrite third_at eqxx. Qed.
Lemma lost_for_good : Words.helpless_there S f t x -> ~ legal_move S3 d s x -> forall y, ~ legal_move S3 d y x.
Proof.
  move=> none sx y; case: (y =P s) => [-> //|ys] [B [mk _]]; have pc := lost_side; have pd := lost_other.
  have n : S3 x <> nothing by rewrite third_target => -[e]; case: pc.
  have [_ [_ [wy]]] := onto_goes n mk; have yx : y <> x.
    by move=> e; apply: lost_apart; rewrite -wy e; apply: at_who third_target.
  have yT : who (Words.taken_there S f t x q) y = other (who S f) by rewrite [LHS]/who -third_taken // wf -ed.
  have kS : S q = (other (who S f), King) by rewrite wf -ed.
  have wT := third_taken ys yx; have at_ := third_taken_attacks (o := x) ys yx.
  have no := none y q kS yT; case K : (what S3 y) => //.
  2,3,4,5: by move=> [a _]; apply: no (at_ a); rewrite /what -wT -/(what S3 y) K.
  - move: K wy; rewrite /who /what third_at; case: eqP => // _; case: eqP => // _; case: eqP => // _.
    case: eqP => // yq; case: eqP => // _ K W; case: yq; apply: (sound_one_king so _ kq).
    by rewrite (at_both S y) /who /what K W.
  - case=> [[_ /n []]|[[o [_ [_ /n []]]]|[hit _]]]; apply: no (at_ _); first by rewrite /what -wT -/(what S3 y) K.
    by rewrite /attacks K wy.
  by move=> [at' _]; move: at'; rewrite /attacks K.
Qed.
End Lost.

(** The man is won after every step. *)
Lemma forks_if S f t j x :
  sound S -> Words.aims S f t j x -> Words.shields S f t x -> Words.unties S f t x ->
  (forall q s, S q = (other (who S f), King) -> step q s -> Words.gives S f t j x s) ->
  (Words.helpless_there S f t x /\ (forall q s, S q = (other (who S f), King) -> step q s -> Words.yields S f t j x s)
   \/ exists m n, Words.worth j m /\ Words.worth (what S x) n /\ m < n) ->
  Words.forks S f t j x.
Proof.
  move=> so am sh un gi H; have [po [n [wx [nk _]]]] := am; do 4 split=> //; move=> q s kq st lg.
  have [nt nb] := gi q s kq st q kq st lg.
  have pn := lost_plain so erefl erefl am kq st lg nt nb sh un.
  have tg := lost_target so erefl erefl am kq st lg.
  have mn := lost_man so erefl erefl am kq nt.
  exists j; split; first by rewrite /who tg.
  split=> //; case: H => [[none yi]|[m [i [wm [wi lt]]]]]; last first.
    by right; exists m, i; rewrite (at_what mn) /what tg.
  left; apply: (lost_for_good so erefl erefl am kq st lg nt none).
  by have [_ /(_ q kq st lg)] := yi q s kq st.
Qed.

Theorem forks_what_nobody_guards : Statements.forks_what_nobody_guards.
Proof.
  move=> S so f t k x c m d q n am sh un none /at_who wf [_ ed] [_ kq] _ yi.
  have all : forall p s, S p = (other (who S f), King) -> step p s -> Words.yields S f t k x s.
    by move=> p s kp st; apply: yi; rewrite wf -ed in kp; rewrite (sound_one_king so kq kp).
  by apply: (forks_if so am sh un) => [p s kp st|]; [case: (all p s kp st) | left].
Qed.

Theorem forks_what_is_worth_more : Statements.forks_what_is_worth_more.
Proof.
  move=> S so f t k x i e m n c m' d q n' am sh un wk /at_what wx wm lt /at_who wf [_ ed] [_ kq] _ gi.
  apply: (forks_if so am sh un) => [p s kp st|]; last by right; exists i, n; rewrite wx.
  by apply: gi; rewrite wf -ed in kp; rewrite (sound_one_king so kq kp).
Qed.

(** The steps of the king. *)
Lemma yields_if S f t k x s :
  (forall q, S q = (other (who S f), King) -> step q s -> legal_move (after S (who S f) f t k) (other (who S f)) q s ->
   (s <> t /\ ~ between t x s)
   /\ ~ legal_move (after (after (after S (who S f) f t k) (other (who S f)) q s King) (who S f) t x k)
          (other (who S f)) s x) ->
  Words.yields S f t k x s.
Proof. by move=> H; split=> c q kq st lg; case: (H q kq st lg). Qed.
(** The king would have to take on `x` where it is guarded, or is too far. *)
Lemma yields_unless S f t k x s :
  sound S -> Words.aims S f t k x -> s <> t -> ~ between t x s ->
  (forall q, S q = (other (who S f), King) -> step q s -> s <> x -> step s x ->
   let S3 := after (after (after S (who S f) f t k) (other (who S f)) q s King) (who S f) t x k in
   safe (gone S3 (other (who S f)) s x King) (other (who S f)) -> False) ->
  Words.yields S f t k x s.
Proof.
  move=> so am nt nb H; apply: yields_if => q kq st lg; split=> // lg'.
  have [sq_ sx _] := lost_step so erefl erefl am kq st lg; have pc : who S f <> Nobody by case: am => -[].
  have at3 := third_at S (who S f) (other (who S f)) f t x q s k.
  have [| |sx' sf] := king_takes _ _ lg'; last exact: H kq st sx sx' sf.
    by rewrite at3 eqxx; case: eqP => // _; case: eqP.
  by rewrite at3 eqxx => -[/pc].
Qed.

Theorem yields_where_it_may_not_step : Statements.yields_where_it_may_not_step.
Proof. by move=> S so f t k x s am de; apply: yields_if => q kq st lg; case: (de q kq st). Qed.

Theorem yields_where_it_may_not_step_now : Statements.yields_where_it_may_not_step_now.
Proof.
  move=> S so t k x c m d q s am et [_ ed] [pd kq] st ill; have wt := at_who et.
  have [po _] := am; have kt : S t = (c, k).
    by case: po => _ [[pn _]|[_ []]]; [case: (plain_away so pn) | rewrite wt].
  have none p : S p = (other (who S t), King) -> step p s ->
    ~ legal_move (after S (who S t) t t k) (other (who S t)) p s.
    rewrite wt -ed => kp sp lg; have e := sound_one_king so kq kp; subst p; apply: ill.
    have same : forall y, after S c t t k y = S y by move=> y; apply: gone_nowhere.
    by apply: (king_step_same (S := after S c t t k)) => //; rewrite same.
  by apply: yields_if => p kp sp lg; case: (none p kp sp).
Qed.

Lemma far_not_step a b n : Words.distance a b n -> n > 1 -> ~ step a b.
Proof. rewrite /Words.distance /step; lia. Qed.
Lemma off_every_line a b x : line a b Nowhere -> ~ between a b x.
Proof. by move=> l /between_line [w [n [l' _]]]; apply: n; rewrite (line_one l l'). Qed.

Theorem yields_far_away_from_a_line : Statements.yields_far_away_from_a_line.
Proof.
  move=> S so f t k x c m d q s n n' am _ _ _ _ nt /far_not_step far lt _ free.
  by apply: (yields_unless so am nt) => [m1|p _ _ _ /far //]; case: (free s m1).
Qed.

Theorem yields_far_away_from_a_hop : Statements.yields_far_away_from_a_hop.
Proof.
  move=> S so f t k x c m d q s n am _ _ _ _ nt /far_not_step far lt l.
  by apply: (yields_unless so am nt) => [|p _ _ _ /far //]; apply: off_every_line.
Qed.

(** Another man of the side attacks `x` when the king has taken there. *)
Lemma guarded S f t k x s a :
  sound S -> Words.aims S f t k x -> s <> t -> ~ between t x s -> who S a = who S f -> a <> f -> a <> t ->
  (step s x -> a <> s) -> attacks S a x -> ~ between a x s -> ~ between a x t -> Words.yields S f t k x s.
Proof.
  move=> so am nt nb wa af at_ as_ hit bs bt; apply: (yields_unless so am nt nb) => q kq st sx near S3.
  have [po [xt [wx _]]] := am; have [pc _] := po; have ax := attacks_apart hit.
  have aq : a <> q by move=> e; apply: (other_not pc); rewrite -(at_who kq) -e.
  have at3 y : y <> x -> S3 y = _ := fun n => third_at S (who S f) (other (who S f)) f t x q s k y.
  have {}as_ := as_ near; have a3 : S3 a = S a by rewrite at3 //; do 5 case: eqP => // _.
  move=> sf; apply: (sf x a (gone_to _ _ _ _ _)); first by rewrite otherK -wa /who gone_else ?a3.
  apply: (attacks_still hit); first by rewrite gone_else ?a3.
  move=> y m e; rewrite /gone /put; case: eqP => [ey|ny]; first by case: (between_apart m) => _ [].
  case: eqP => // ns; rewrite at3 //; do 5 case: eqP => // ?; by [].
Qed.

Theorem yields_what_is_guarded_along_a_line : Statements.yields_what_is_guarded_along_a_line.
Proof.
  move=> S so f t k x c m d q s n a m' n' am /at_who wf _ _ _ nt _ free hit /at_who wa af at_ as_ _ free'.
  apply: (guarded so am nt _ _ af at_ _ hit) => [m1||//|m1|m1]; first by case: (free s m1).
  - by rewrite wf.
  - by case: (free' s m1).
  by case: (free' t m1).
Qed.

Theorem yields_what_a_knight_guards : Statements.yields_what_a_knight_guards.
Proof.
  move=> S so f t k x c m d q s n a am /at_who wf _ _ _ nt _ free hop_ ka af at_.
  have h := iffLR (hop_sym _ _) hop_; have off y := hop_between (x := y) h.
  apply: (guarded so am nt _ _ af at_) => [m1||near e|||] //; first by case: (free s m1).
  - by rewrite (at_who ka).
  - by move: near; rewrite -e; move: h; geo.
  by rewrite /attacks (at_what ka).
Qed.

Theorem gives_where_it_yields : Statements.gives_where_it_yields.
Proof. by move=> S so f t k x s []. Qed.

Theorem gives_the_greater_on_a_line : Statements.gives_the_greater_on_a_line.
Proof. by move=> S so f t k x c m d q s n _ _ _ _ _ nt _ free c' p _ _ _; split=> // m'; case: (free s m'). Qed.

Theorem gives_the_greater_to_a_hop : Statements.gives_the_greater_to_a_hop.
Proof. by move=> S so f t k x c m d q s _ _ _ _ _ nt l c' p _ _ _; split=> //; apply: off_every_line. Qed.

Lemma wins_man_same S S' c x : (forall y, S' y = S y) -> Words.wins_man S c x -> Words.wins_man S' c x.
Proof.
  move=> E [f [j [wx [[go [sf be]] H]]]]; exists f, j; rewrite /who /what !E; split=> //; split.
    split; first exact: goes_same go; split; first exact: gone_same sf.
    by move: be; rewrite /becomes /promoting /what E.
  case: H => [none|worth_]; [left | by right] => y lg; apply: (none y).
  apply: onto_same lg => [z|]; first by rewrite /after /= /gone /put E.
  by rewrite after_to => -[e]; case: go.
Qed.

Theorem caught_as_it_stands : Statements.caught_as_it_stands.
Proof.
  move=> S so t j x d m [po [n [wx [nk all]]]] /at_who wd; have [pc _] := po.
  have et : S t = (who S t, j) by case: po => _ [[pn _]|[_ []]]; first by case: (plain_away so pn).
  have ed : d = other (who S t) by rewrite -wx.
  have same y : after S (who S t) t t j y = S y by apply: gone_nowhere.
  rewrite ed; split; first exact: other_player; split=> //; rewrite otherK => q s kq st lg.
  apply: (wins_man_same (S := after (after S (who S t) t t j) (other (who S t)) q s King)).
    by move=> y; rewrite -[RHS]/(put (put (after S (who S t) t t j) q nothing) s (_, King) y) {1}/put /put same.
  by exists t; apply: all => //; apply: king_step_same lg.
Qed.
