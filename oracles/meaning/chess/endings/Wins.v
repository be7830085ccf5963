(** A pawn and its king against a king alone: where the claims that it wins are looked up. *)
From Coq Require Import ZifyBool.
From Chess Require Import Board Lines Effects.
From Endings Require Import Table Claims Sole Won Alone.
From Endings Require Words Statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (act : action) (c d : side) (e f k p q s t x y : square) (j : kind).

(** * The claims. *)
Local Opaque wins.
Implicit Types (P K Q T : point).
Lemma looked_up P (T : plane * plane) outs K Q : claimed T P outs K Q -> placed P K Q ->
  (push_to_outpost P K Q || running P K Q || has (to_outpost 0 P K Q) outs -> look T.1 K Q)
  /\ (from_outpost P K Q || running_later P K Q || has (to_outpost 1 P K Q) outs -> look T.2 K Q).
Proof.
  have nh (g : point -> bool) : all (fun s : point => ~~ g s) outs = ~~ has g outs by rewrite -all_predC.
  rewrite /claimed => h pl; move: h; rewrite pl /= !nh -!negb_or => /andP [/orP h1 /orP h2].
  by split=> h; [case: h1 | case: h2] => // /negP.
Qed.
Lemma all_flat (T : Type) (g : pred T) (ss : seq (seq T)) : all g (flatten ss) = all (all g) ss.
Proof. by elim: ss => //= s ss IH; rewrite all_cat IH. Qed.
Lemma some_outpost P (g : point -> bool) T : inside T -> out_of P T -> g T ->
  has g [seq s : point <- all_points | out_of P s].
Proof.
  move=> iT oT fT; apply/negPn; rewrite -all_predC all_filter; apply/negP => al.
  have : everywhere (fun s : point => out_of P s ==> ~~ g s).
    rewrite /everywhere; move: al; rewrite /all_points all_flat all_map; congr is_true; exact: eq_all.
  by move=> /everywhereP /(_ iT); rewrite oT fT.
Qed.
Lemma is_looked_up (B : eight (seq (plane * plane))) :
  everywhere (fun p : point => ~~ pawn_square p
    || (let T := at_pawn B p in let outs := [seq s : point <- all_points | out_of p s] in
        everywhere (fun k : point => everywhere (claimed T p outs k)))) ->
  forall P K Q, pawn_square P -> inside P -> inside K -> inside Q ->
  claimed (at_pawn B P) P [seq s : point <- all_points | out_of P s] K Q.
Proof.
  move=> h P K Q ps iP iK iQ; have := everywhereP h iP; rewrite ps orFb => h'.
  exact: (everywhereP (everywhereP h' iK) iQ).
Qed.
Section Claims.
Variables (S : state) (c : side) (p k q : square).
Hypotheses (so : sound S) (st : stands S c p k q).
Let P := cd c p.
Let K := cd c k.
Let Q := cd c q.
Let n : c <> Nobody := side_there st.
Let ranks : 0 <= P.1 <= 7 /\ 1 <= P.2 <= 6.
Proof. by have [_ _ _ _ r] := stands_apart so st; split=> //; apply: fl_range. Qed.
Let is_claimed : claimed (at_pawn wins P) P [seq s : point <- all_points | out_of P s] K Q.
Proof.
  have [r1 r2] := ranks; apply: (@is_looked_up wins they_are P K Q); try exact: cd_inside.
  have ip : inside P := cd_inside c p.
  by move: r2 ip; rewrite /pawn_square; case: (P) => a b; cbn [snd]; move=> r2 ->; unfold is_true; lia.
Qed.
Lemma wins_first :
  push_to_outpost P K Q || running P K Q || has (to_outpost 0 P K Q) [seq s : point <- all_points | out_of P s] ->
  Words.win S c Words.GI.
Proof.
  move=> h; split=> //; right; have [r1 r2] := ranks; have [w _] := wins_right r1 r2.
  have [l _] := looked_up is_claimed (stands_placed so st).
  by apply: (proj1 points_won _ _ _ (w _ _ (cd_inside c k) (cd_inside c q) (l h)) _ _ _ _ _ so st).
Qed.
Lemma wins_second :
  from_outpost P K Q || running_later P K Q || has (to_outpost 1 P K Q) [seq s : point <- all_points | out_of P s] ->
  Words.win S c Words.IG.
Proof.
  move=> h; split=> //; have [r1 r2] := ranks; have [_ w] := wins_right r1 r2.
  have [_ l] := looked_up is_claimed (stands_placed so st).
  by apply: (proj2 points_won _ _ _ (w _ _ (cd_inside c k) (cd_inside c q) (l h)) _ _ _ _ _ so st).
Qed.
End Claims.

(** What is said of squares, on points. *)
Lemma far_cd c s t : far (cd c s) (cd c t) = dist s t.
Proof. by unfold far, cd, dist; case: c; cbn [Words.rel fst snd]; lia. Qed.
Lemma out_of_cd c p s : Words.outpost c p s -> out_of (cd c p) (cd c s).
Proof.
  move=> [_ h]; unfold out_of, inner_file, fifth, cd, is_true; cbn [fst snd].
  unfold Words.inner, Words.grown in h; case: ifP; lia.
Qed.
Lemma edges_cd c b : edges (cd c b) = Chess.Words.margins b.
Proof. by unfold edges, cd, Chess.Words.margins; case: c; cbn [Words.rel fst snd]; lia. Qed.
Lemma strokes_cd c x b : c <> Nobody -> strikes c x b ->
  cd c b = (fl x - 1, Words.rel c x + 1) \/ cd c b = (fl x + 1, Words.rel c x + 1).
Proof.
  move=> n [_ [h1 h2]]; have e : Words.rel c b = Words.rel c x + 1.
    by move: h1; unfold fwd, Words.rel; case: (c) n => // _; lia.
  have [h|h] : fl b = fl x - 1 \/ fl b = fl x + 1 by lia.
    by left; unfold cd; rewrite h e.
  by right; unfold cd; rewrite h e.
Qed.
Lemma stroke_cd c x (i : Z) : c <> Nobody -> i = -1 \/ i = 1 -> inside (fl x + i, Words.rel c x + 1) ->
  exists b, strikes c x b /\ cd c b = (fl x + i, Words.rel c x + 1).
Proof.
  move=> n hi ib; have [b eb] := cd_square c ib; exists b; split=> //; split=> //.
  have e1 := congr1 fst eb; have e2 := congr1 snd eb; unfold cd in e1, e2; cbn [fst snd] in e1, e2.
  split; last by lia.
  by move: e2; unfold Words.rel, fwd; case: (c) n => // _; lia.
Qed.
Lemma wide_cd c x : c <> Nobody -> Words.rel c x <= 6 -> Words.roomy c x -> wide (cd c x).
Proof.
  move=> n r h; have {}h b : strikes c x b -> Chess.Words.margins b <> 1.
    case: h => [[_ h]|[la _]]; first exact: h.
    by move/(goal_rel _ n): la; lia.
  have ok i : i = -1 \/ i = 1 -> ~~ inside (fl x + i, Words.rel c x + 1)
      || ~~ (edges (fl x + i, Words.rel c x + 1) =? 1).
    move=> hi; case ib : (inside _) => //=; have [b [sb <-]] := stroke_cd n hi ib; rewrite edges_cd.
    by have := h b sb; unfold is_true; lia.
  by rewrite /wide /strokes /=; apply/and3P; split=> //; apply: ok; auto.
Qed.
Lemma corner_cd c a : corner a -> c <> Nobody ->
  [\/ cd c a = (0, 0), cd c a = (0, 7), cd c a = (7, 0) | cd c a = (7, 7)].
Proof.
  move=> [h1 h2] n; have [h|h] : Words.rel c a = 0 \/ Words.rel c a = 7 by case: (c) n => // _; unfold Words.rel; lia.
    by case: h1 => h1; [apply: Or41 | apply: Or43]; unfold cd; rewrite h h1.
  by case: h1 => h1; [apply: Or42 | apply: Or44]; unfold cd; rewrite h h1.
Qed.
Lemma roams_cd S c x q n : c <> Nobody -> Words.rel c x <= 6 -> Words.roam S c x n -> S q = (other c, King) ->
  sound S -> roams (cd c x) (cd c q) n.
Proof.
  move=> nc r [_ h] eq so; rewrite /roams; case: h => [ro|[a [q' [cr [eq' lt]]]]]; first by rewrite wide_cd.
  have e := sound_one_king so eq' eq; subst q'.
  apply/orP; right; have [co cc] := cr.
  have na : narrow (cd c x) (cd c a).
    case: cc => [[_ [b [sb [mb stb]]]]|[la _]]; last by move/(goal_rel _ nc): la; lia.
    have fb : inside (cd c b) && (edges (cd c b) =? 1) && (far (cd c b) (cd c a) =? 1).
      by rewrite cd_inside edges_cd far_cd mb; move: stb; rewrite /step => ->.
    by rewrite /narrow /strokes /=; case: (strokes_cd nc sb) => e; rewrite -?e fb ?orbT.
  have good : narrow (cd c x) (cd c a) && (n <? far (cd c q) (cd c a)).
    by rewrite na far_cd; unfold is_true; cbn; lia.
  by rewrite /corners /=; case: (corner_cd co nc) => e; rewrite -e good ?orbT.
Qed.

(** * The theorems. *)
Lemma rel_of S c x k q : sound S -> stands S c x k q -> 1 <= Words.rel c x <= 6.
Proof. by move=> so st; have [] := stands_apart so st. Qed.
Theorem won_from_an_outpost : Statements.won_from_an_outpost.
Proof.
  move=> S so c x k r d q m sl ro [n ek] ou -> [_ ->] [_ eq] -> h; have st := sole_stands so sl ek eq.
  have rr := rel_of so st; apply: (wins_second so st); apply/orP; left; apply/orP; left.
  rewrite /from_outpost out_of_cd // (roams_cd n _ ro eq so) ?far_cd /=; last by lia.
  by unfold is_true; lia.
Qed.
Theorem won_after_a_push_to_an_outpost : Statements.won_after_a_push_to_an_outpost.
Proof.
  move=> S so c x t k r d q m sl ad et ro [n ek] ou -> [_ ->] [_ eq] -> h; have st := sole_stands so sl ek eq.
  have rr := rel_of so st; apply: (wins_first so st); apply/orP; left; apply/orP; left.
  have e := iffRL (cd_up1 x t n) ad; have rt : Words.rel c t = Words.rel c x + 1 by have := congr1 snd e.
  have lt : Words.rel c x < 6.
    case: ou => _ ou; unfold Words.grown in ou; have := rk_range k.
    have : 0 <= Words.rel c k <= 7 by have := cd_inside c k; unfold inside, cd, is_true; cbn [fst snd]; lia.
    by lia.
  rewrite /push_to_outpost -e out_of_cd // wide_cd //; last by lia.
  rewrite !far_cd /=; have -> : ((cd c x).2 <? 6) by unfold cd, is_true; cbn [snd]; lia.
  have nk : ~~ same (cd c k) (cd c t) by apply/same_cd => hh; move: et; rewrite /Words.at_ -hh ek.
  have nq : ~~ same (cd c q) (cd c t) by apply/same_cd => hh; move: et; rewrite /Words.at_ -hh eq.
  by rewrite nk nq /=; unfold is_true; lia.
Qed.
Lemma on_the_way (later : Z) S c x k s q n r :
  c <> Nobody -> Words.rel c x <= 6 -> Words.outpost c x s -> n = dist k s -> 0 < n -> Words.roam S c x n ->
  S q = (other c, King) -> sound S -> 1 + later <= dist q s - n -> Words.reserve c x s r ->
  later - 1 <= dist q x - n - r ->
  has (to_outpost later (cd c x) (cd c k) (cd c q)) [seq s : point <- all_points | out_of (cd c x) s].
Proof.
  move=> nc rr ou en n0 ro eq so b [_ re] m; apply: (some_outpost (T := cd c s));
    [exact: cd_inside | exact: out_of_cd|].
  rewrite /to_outpost !far_cd -en (roams_cd nc rr ro eq so).
  by case: re => -[h1 h2]; case: Z.eqb_spec => h3; unfold is_true; lia.
Qed.
Theorem won_on_the_way_to_an_outpost : Statements.won_on_the_way_to_an_outpost.
Proof.
  move=> S so c x k s n d q b r m sl [nc ek] ou en n0 ro [_ ->] [_ eq] -> h1 re -> h2.
  have st := sole_stands so sl ek eq; have rr := rel_of so st; apply: (wins_first so st); apply/orP; right.
  by apply: (on_the_way (n := n) (r := r) (S := S) nc _ ou) => //; lia.
Qed.
Theorem won_on_the_way_though_the_other_moves : Statements.won_on_the_way_though_the_other_moves.
Proof.
  move=> S so c x k s n d q b r m sl [nc ek] ou en n0 ro [_ ->] [_ eq] -> h1 re -> h2.
  have st := sole_stands so sl ek eq; have rr := rel_of so st; apply: (wins_second so st); apply/orP; right.
  by apply: (on_the_way (n := n) (r := r) (S := S) nc _ ou) => //; lia.
Qed.
Lemma clear_cd S c x e y : c <> Nobody -> S y <> nothing -> Words.freeway S c x e -> last c e -> Words.rel c x <= 6 ->
  clear_way (cd c x) (cd c y).
Proof.
  move=> n ny [_ [la no]] le rr; apply/negP => h; apply: ny; apply: no.
    by move: h; clear -n; case: c n => // _; unfold cd, is_true; cbn [Words.rel fst snd ahead line]; lia.
  move: h la le; clear -n; unfold dist, last.
  case: c n => // _; unfold cd, is_true; cbn [Words.rel fst snd ahead line goal]; ranges_of; lia.
Qed.
Lemma left_cd S c x e i : c <> Nobody -> Words.runs S c x e i -> i = pushes_left (cd c x) /\ cd c e = ((cd c x).1, 7).
Proof.
  move=> n [[_ [la _]] [le [_ [_ ln]]]]; unfold pushes_left, cd; cbn [fst snd].
  have h : fl e = fl x /\ Words.rel c e = 7.
    by move: la le; clear -n; case: c n => // _; unfold last, goal; cbn [ahead line Words.rel]; lia.
  case: h => h1 h2; split; last by rewrite h1 h2.
  move: ln la le; clear -n; unfold last, dist, home, goal.
  by case: c n => // _; cbn [ahead line Words.rel]; case: Z.eqb_spec; lia.
Qed.
Theorem won_by_running : Statements.won_by_running.
Proof.
  move=> S so c x e i d q m sl ru [n ->] [_ eq] -> h; have [k ek] := sound_king so n.
  have st := sole_stands so sl ek eq; have rr := rel_of so st; apply: (wins_first so st); apply/orP; left.
  apply/orP; right; have [fw [la _]] := ru; have [ei ee] := left_cd n ru.
  rewrite /running (clear_cd n _ fw la) ?ek ?(clear_cd n _ fw la) ?eq //; try by lia.
  by rewrite -ee far_cd -ei /=; unfold is_true; lia.
Qed.
Theorem won_by_running_though_the_other_moves : Statements.won_by_running_though_the_other_moves.
Proof.
  move=> S so c x e i d q m r sl ru [n ->] [_ eq] -> h -> h'; have [k ek] := sound_king so n.
  have st := sole_stands so sl ek eq; have rr := rel_of so st; apply: (wins_second so st); apply/orP; left.
  apply/orP; right; have [fw [la _]] := ru; have [ei ee] := left_cd n ru.
  rewrite /running_later (clear_cd n _ fw la) ?ek ?(clear_cd n _ fw la) ?eq //; try by lia.
  by rewrite -ee !far_cd -ei /=; unfold is_true; lia.
Qed.
