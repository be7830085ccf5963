(** Linear arithmetic over integers (the calculus page, "Numbers", Lemma 4): sums of constraints that refute.

    An unknown is an expression: a variable, or a product or quotient that is no linear sum. So two unknowns that are
    written alike have one value. That the unknowns of a sum are put in an order only makes equal sums alike; nothing that
    is proved rests on it. *)
From Coq Require Import ZArith List String Ascii Bool Lia.
From Calculus Require Import Values.
Import ListNotations.
Open Scope Z_scope.

Record lin := Lin { coefs : list (expr * Z); const : Z }.

Definition env := string -> Z.

(** The value of an expression in the integers of mathematics, without bounds. *)
Fixpoint zval (r : env) (e : expr) : Z :=
  match e with
  | Term (Var x) => r x
  | Term (Val (Int z)) => z
  | Term (Val (Word _)) => 0
  | Bin o a b => bin o (zval r a) (zval r b)
  | Abs a => Z.abs (zval r a)
  end.

Fixpoint total (r : env) (l : list (expr * Z)) : Z :=
  match l with [] => 0 | (u, c) :: l' => c * zval r u + total r l' end.

Definition den (r : env) (l : lin) : Z := total r (coefs l) + const l.

(** An order of expressions, for the normal form alone. *)
Fixpoint order_text (a b : string) : comparison :=
  match a, b with
  | EmptyString, EmptyString => Eq
  | EmptyString, _ => Lt
  | _, EmptyString => Gt
  | String x a', String y b' =>
      match N.compare (N_of_ascii x) (N_of_ascii y) with Eq => order_text a' b' | c => c end
  end.

Definition order_term (a b : term) : comparison :=
  match a, b with
  | Var x, Var y => order_text x y
  | Var _, _ => Lt
  | _, Var _ => Gt
  | Val (Int x), Val (Int y) => Z.compare x y
  | Val (Int _), _ => Lt
  | _, Val (Int _) => Gt
  | Val (Word x), Val (Word y) => order_text x y
  end.

Definition op_number (o : op) : Z :=
  match o with Add => 0 | Sub => 1 | Mul => 2 | Div => 3 | Mod => 4 | Min => 5 | Max => 6 end.

Fixpoint order (a b : expr) : comparison :=
  match a, b with
  | Term s, Term t => order_term s t
  | Term _, _ => Lt
  | _, Term _ => Gt
  | Abs x, Abs y => order x y
  | Abs _, _ => Lt
  | _, Abs _ => Gt
  | Bin o x y, Bin p x' y' =>
      match Z.compare (op_number o) (op_number p) with
      | Eq => match order x x' with Eq => order y y' | c => c end
      | c => c
      end
  end.

(** Sums *)

Fixpoint insert (u : expr) (c : Z) (l : list (expr * Z)) : list (expr * Z) :=
  match l with
  | [] => [(u, c)]
  | (v, d) :: t =>
      if expr_eq u v then (v, c + d) :: t
      else match order u v with Lt => (u, c) :: l | _ => (v, d) :: insert u c t end
  end.

Definition nonzero (p : expr * Z) : bool := negb (snd p =? 0).

Definition scaled (f : Z) (l : list (expr * Z)) : list (expr * Z) :=
  map (fun p => (fst p, f * snd p)) l.

Definition plus (a b : lin) (f : Z) : lin :=
  Lin (filter nonzero (fold_right (fun p l => insert (fst p) (snd p) l) (coefs a) (scaled f (coefs b))))
      (const a + f * const b).

Definition number (z : Z) : lin := Lin [] z.
Definition unknown (e : expr) : lin := Lin [(e, 1)] 0.
Definition times (f : Z) (a : lin) : lin := plus (number 0) a f.

(** A sum as an expression, which names what is opaque. *)
Definition expr_of (l : lin) : expr :=
  fold_right (fun p e => Bin Add (Bin Mul (Term (Val (Int (snd p)))) (fst p)) e) (Term (Val (Int (const l)))) (coefs l).

Lemma total_insert : forall r u c l, total r (insert u c l) = c * zval r u + total r l.
Proof.
  intros r u c. induction l as [|[v d] t IH]; cbn; [lia|].
  destruct (expr_eq u v) as [->|_]; cbn; [lia|].
  destruct (order u v); cbn; try rewrite IH; lia.
Qed.

Lemma total_nonzero : forall r l, total r (filter nonzero l) = total r l.
Proof.
  intros r. induction l as [|[v d] t IH]; cbn; [reflexivity|].
  unfold nonzero at 1; cbn. destruct (d =? 0) eqn:E; cbn.
  - apply Z.eqb_eq in E. subst. lia.
  - now rewrite IH.
Qed.

Lemma total_scaled : forall r f l, total r (scaled f l) = f * total r l.
Proof. intros r f. unfold scaled. induction l as [|[v d] t IH]; cbn; [lia|]. rewrite IH. lia. Qed.

Lemma den_plus : forall r a b f, den r (plus a b f) = den r a + f * den r b.
Proof.
  intros r a b f. unfold den, plus; cbn. rewrite total_nonzero.
  assert (H : forall l acc, total r (fold_right (fun p l => insert (fst p) (snd p) l) acc l) = total r l + total r acc).
  { induction l as [|[v d] t IH]; intro acc; cbn; [lia|]. rewrite total_insert, IH. lia. }
  rewrite H, total_scaled. lia.
Qed.

Lemma den_number : forall r z, den r (number z) = z.
Proof. reflexivity. Qed.

Lemma den_unknown : forall r e, den r (unknown e) = zval r e.
Proof. intros. unfold den, unknown; cbn. destruct (zval r e); lia. Qed.

Lemma den_times : forall r f a, den r (times f a) = f * den r a.
Proof. intros. unfold times. now rewrite den_plus, den_number. Qed.

Lemma zval_expr_of : forall r l, zval r (expr_of l) = den r l.
Proof.
  intros r [l c]. unfold expr_of, den; cbn. induction l as [|[v d] t IH]; cbn; [reflexivity|]. rewrite IH. lia.
Qed.

Global Opaque plus number unknown times expr_of den.

(** The values of an expression, each with the constraints under which it has that value *)

Definition case := (lin * list lin)%type.

Definition constant (l : lin) : option Z := match coefs l with [] => Some (const l) | _ => None end.

Lemma constant_den : forall r l z, constant l = Some z -> den r l = z.
Proof.
  Transparent den. intros r [[|] c] z H; cbn in H; try discriminate. injection H as <-. reflexivity. Opaque den.
Qed.

Definition product_of (a b : lin) : lin :=
  match order (expr_of a) (expr_of b) with
  | Gt => unknown (Bin Mul (expr_of b) (expr_of a))
  | _ => unknown (Bin Mul (expr_of a) (expr_of b))
  end.

(** What a division by a constant leaves, [a - b*q], and its two bounds. *)
Definition rest_of (a : lin) (b : Z) (q : lin) : lin := plus a q (- b).
Definition bounds_of (b : Z) (rest : lin) : list lin := [rest; plus (times (-1) rest) (number (b - 1)) 1].

Definition combine (o : op) (a b : lin) : list case :=
  match o with
  | Add => [(plus a b 1, [])]
  | Sub => [(plus a b (-1), [])]
  | Mul =>
      match constant a, constant b with
      | Some x, _ => [(times x b, [])]
      | None, Some y => [(times y a, [])]
      | None, None => [(product_of a b, [])]
      end
  | Div =>
      match constant a, constant b with
      | Some x, Some y =>
          if 0 <? y then [(number (x / y), [])] else [(unknown (Bin Div (expr_of a) (expr_of b)), [])]
      | None, Some y =>
          let q := unknown (Bin Div (expr_of a) (expr_of b)) in
          if 0 <? y then [(q, bounds_of y (rest_of a y q))] else [(q, [])]
      | _, None => [(unknown (Bin Div (expr_of a) (expr_of b)), [])]
      end
  | Mod =>
      match constant a, constant b with
      | Some x, Some y =>
          if 0 <? y then [(number (x mod y), [])] else [(unknown (Bin Mod (expr_of a) (expr_of b)), [])]
      | None, Some y =>
          let rest := rest_of a y (unknown (Bin Div (expr_of a) (expr_of b))) in
          if 0 <? y then [(rest, bounds_of y rest)] else [(unknown (Bin Mod (expr_of a) (expr_of b)), [])]
      | _, None => [(unknown (Bin Mod (expr_of a) (expr_of b)), [])]
      end
  | Min => [(a, [plus b a (-1)]); (b, [plus a b (-1)])]
  | Max => [(a, [plus a b (-1)]); (b, [plus b a (-1)])]
  end.

Definition kept (r : env) (l : lin) : Prop := 0 <= den r l.

Definition some_case (r : env) (v : Z) (l : list case) : Prop :=
  exists p, In p l /\ den r (fst p) = v /\ Forall (kept r) (snd p).

Lemma one_case : forall r v l, den r l = v -> some_case r v [(l, [])].
Proof. intros r v l H. exists (l, []). cbn. auto. Qed.

Lemma den_product : forall r a b, den r (product_of a b) = den r a * den r b.
Proof. intros. unfold product_of. destruct order; rewrite den_unknown; cbn; rewrite !zval_expr_of; lia. Qed.

Lemma rest_value : forall r a b q, den r (rest_of a b q) = den r a - b * den r q.
Proof. intros. unfold rest_of. rewrite den_plus. lia. Qed.

Lemma bounds_kept : forall r b rest, 0 <= den r rest < b -> Forall (kept r) (bounds_of b rest).
Proof.
  intros r b rest H. unfold bounds_of. repeat constructor; unfold kept; [lia|].
  rewrite den_plus, den_times, den_number. lia.
Qed.

Lemma combine_sound : forall r o a b, some_case r (bin o (den r a) (den r b)) (combine o a b).
Proof.
  intros r o a b. destruct o; cbn [combine bin].
  - apply one_case. rewrite den_plus. lia.
  - apply one_case. rewrite den_plus. lia.
  - destruct (constant a) as [x|] eqn:Ha; [|destruct (constant b) as [y|] eqn:Hb]; apply one_case.
    + rewrite den_times, (constant_den r a x Ha). lia.
    + rewrite den_times, (constant_den r b y Hb). lia.
    + apply den_product.
  - assert (Hq : den r (unknown (Bin Div (expr_of a) (expr_of b))) = den r a / den r b).
    { rewrite den_unknown; cbn. now rewrite !zval_expr_of. }
    destruct (constant a) as [x|] eqn:Ha; destruct (constant b) as [y|] eqn:Hb; try (now apply one_case).
    + destruct (0 <? y) eqn:E; apply one_case; [|exact Hq].
      now rewrite den_number, (constant_den r a x Ha), (constant_den r b y Hb).
    + destruct (0 <? y) eqn:E; [|now apply one_case]. apply Z.ltb_lt in E.
      eexists. split; [now left|]. cbn [fst snd]. split; [exact Hq|].
      apply bounds_kept. rewrite rest_value, Hq, (constant_den r b y Hb).
      pose proof (Z.div_mod (den r a) y ltac:(lia)). pose proof (Z.mod_pos_bound (den r a) y E). lia.
  - assert (Hm : den r (unknown (Bin Mod (expr_of a) (expr_of b))) = den r a mod den r b).
    { rewrite den_unknown; cbn. now rewrite !zval_expr_of. }
    assert (Hq : den r (unknown (Bin Div (expr_of a) (expr_of b))) = den r a / den r b).
    { rewrite den_unknown; cbn. now rewrite !zval_expr_of. }
    destruct (constant a) as [x|] eqn:Ha; destruct (constant b) as [y|] eqn:Hb; try (now apply one_case).
    + destruct (0 <? y) eqn:E; apply one_case; [|exact Hm].
      now rewrite den_number, (constant_den r a x Ha), (constant_den r b y Hb).
    + destruct (0 <? y) eqn:E; [|now apply one_case]. apply Z.ltb_lt in E.
      pose proof (Z.div_mod (den r a) y ltac:(lia)). pose proof (Z.mod_pos_bound (den r a) y E).
      eexists. split; [now left|]. cbn [fst snd]. split.
      * rewrite rest_value, Hq, (constant_den r b y Hb). lia.
      * apply bounds_kept. rewrite rest_value, Hq, (constant_den r b y Hb). lia.
  - destruct (Z.le_gt_cases (den r a) (den r b)).
    + exists (a, [plus b a (-1)]). cbn. repeat split; auto; [lia|]. repeat constructor. unfold kept. rewrite den_plus. lia.
    + exists (b, [plus a b (-1)]). cbn. repeat split; auto; [lia|]. repeat constructor. unfold kept. rewrite den_plus. lia.
  - destruct (Z.le_gt_cases (den r a) (den r b)).
    + exists (b, [plus b a (-1)]). cbn. repeat split; auto; [lia|]. repeat constructor. unfold kept. rewrite den_plus. lia.
    + exists (a, [plus a b (-1)]). cbn. repeat split; auto; [lia|]. repeat constructor. unfold kept. rewrite den_plus. lia.
Qed.

Definition most_cases : Z := 256.
Definition too_many {A} (l : list A) : bool := most_cases <? Z.of_nat (List.length l).

Fixpoint cases (e : expr) : option (list case) :=
  match e with
  | Term (Val (Int z)) => Some [(number z, [])]
  | Term (Val (Word _)) => None
  | Term (Var _) => Some [(unknown e, [])]
  | Abs a =>
      match cases a with
      | Some vs =>
          if most_cases <? 2 * Z.of_nat (List.length vs) then None
          else Some (flat_map (fun p =>
            [(fst p, snd p ++ [fst p]); (times (-1) (fst p), snd p ++ [times (-1) (fst p)])]) vs)
      | None => None
      end
  | Bin o a b =>
      match cases a, cases b with
      | Some vs, Some ws =>
          if most_cases <? 2 * Z.of_nat (List.length vs) * Z.of_nat (List.length ws) then None
          else Some (flat_map (fun p => flat_map (fun q =>
            map (fun c => (fst c, snd p ++ snd q ++ snd c)) (combine o (fst p) (fst q))) ws) vs)
      | _, _ => None
      end
  end.

Lemma cases_sound : forall r e l, cases e = Some l -> some_case r (zval r e) l.
Proof.
  intros r. induction e as [t|o a IHa b IHb|a IHa]; intros l H; cbn [cases] in H.
  - destruct t as [x|[w|z]]; try discriminate; injection H as <-; apply one_case.
    + now rewrite den_unknown.
    + now rewrite den_number.
  - destruct (cases a) as [vs|]; [|discriminate]. destruct (cases b) as [ws|]; [|discriminate].
    destruct (_ <? _); [discriminate|]. injection H as <-.
    destruct (IHa _ eq_refl) as (p & Hp & Vp & Kp), (IHb _ eq_refl) as (q & Hq & Vq & Kq).
    destruct (combine_sound r o (fst p) (fst q)) as (c & Hc & Vc & Kc).
    exists (fst c, snd p ++ snd q ++ snd c). split; [|split].
    + apply in_flat_map. exists p. split; [exact Hp|]. apply in_flat_map. exists q. split; [exact Hq|].
      apply in_map_iff. eauto.
    + cbn. rewrite Vc, Vp, Vq. reflexivity.
    + cbn. rewrite !Forall_app. auto.
  - destruct (cases a) as [vs|]; [|discriminate]. destruct (_ <? _); [discriminate|]. injection H as <-.
    destruct (IHa _ eq_refl) as (p & Hp & Vp & Kp). cbn [zval].
    destruct (Z.le_gt_cases 0 (zval r a)).
    + eexists. split; [apply in_flat_map; exists p; split; [exact Hp|left; reflexivity]|].
      cbn. split; [lia|]. rewrite Forall_app. split; auto. repeat constructor. unfold kept. lia.
    + eexists. split; [apply in_flat_map; exists p; split; [exact Hp|right; left; reflexivity]|].
      cbn. split; [rewrite den_times; lia|]. rewrite Forall_app. split; auto. repeat constructor. unfold kept.
      rewrite den_times. lia.
Qed.

(** A comparison as a list of alternatives, each a list of constraints *)

Definition ztrue (r : env) (c : cmp * expr * expr) : bool :=
  let '(o, a, b) := c in zrelated o (zval r a) (zval r b).

Definition options (o : cmp) (a b : lin) : list (list lin) :=
  let less := plus b a (-1) in
  let more := plus a b (-1) in
  match o with
  | CLe => [[less]]
  | CGe => [[more]]
  | CLt => [[plus less (number 1) (-1)]]
  | CGt => [[plus more (number 1) (-1)]]
  | CEq => [[less; more]]
  | CNe => [[plus less (number 1) (-1)]; [plus more (number 1) (-1)]]
  end.

Definition some_option (r : env) (l : list (list lin)) : Prop := exists alt, In alt l /\ Forall (kept r) alt.

Lemma options_sound : forall r o a b, zrelated o (den r a) (den r b) = true -> some_option r (options o a b).
Proof.
  intros r o a b H.
  assert (Hl : den r (plus b a (-1)) = den r b - den r a) by (rewrite den_plus; lia).
  assert (Hm : den r (plus a b (-1)) = den r a - den r b) by (rewrite den_plus; lia).
  assert (Hl1 : den r (plus (plus b a (-1)) (number 1) (-1)) = den r b - den r a - 1)
    by (rewrite den_plus, Hl, den_number; lia).
  assert (Hm1 : den r (plus (plus a b (-1)) (number 1) (-1)) = den r a - den r b - 1)
    by (rewrite den_plus, Hm, den_number; lia).
  destruct o; cbn [zrelated] in H; cbn [options].
  - apply Z.eqb_eq in H. eexists. split; [now left|]. repeat constructor; unfold kept; lia.
  - destruct (Z.eqb_spec (den r a) (den r b)) as [|N]; [discriminate|].
    destruct (Z.lt_trichotomy (den r a) (den r b)) as [L|[L|L]]; [|contradiction|].
    + eexists. split; [now left|]. repeat constructor; unfold kept; lia.
    + eexists. split; [right; now left|]. repeat constructor; unfold kept; lia.
  - apply Z.ltb_lt in H. eexists. split; [now left|]. repeat constructor; unfold kept; lia.
  - apply Z.leb_le in H. eexists. split; [now left|]. repeat constructor; unfold kept; lia.
  - apply Z.ltb_lt in H. eexists. split; [now left|]. repeat constructor; unfold kept; lia.
  - apply Z.leb_le in H. eexists. split; [now left|]. repeat constructor; unfold kept; lia.
Qed.

Definition alternatives (c : cmp * expr * expr) : option (list (list lin)) :=
  let '(o, a, b) := c in
  match cases a, cases b with
  | Some vs, Some ws =>
      let found := flat_map (fun p => flat_map (fun q =>
        map (fun opt => snd p ++ snd q ++ opt) (options o (fst p) (fst q))) ws) vs in
      if too_many found then None else Some found
  | _, _ => None
  end.

Lemma alternatives_sound : forall r c l, alternatives c = Some l -> ztrue r c = true -> some_option r l.
Proof.
  intros r [[o a] b] l H T. cbn in H, T.
  destruct (cases a) as [vs|] eqn:Ea; [|discriminate]. destruct (cases b) as [ws|] eqn:Eb; [|discriminate].
  destruct (too_many _); [discriminate|]. injection H as <-.
  destruct (cases_sound r a vs Ea) as (p & Hp & Vp & Kp), (cases_sound r b ws Eb) as (q & Hq & Vq & Kq).
  destruct (options_sound r o (fst p) (fst q)) as (alt & Ha & Ka); [now rewrite Vp, Vq|].
  exists (snd p ++ snd q ++ alt). split.
  - apply in_flat_map. exists p. split; [exact Hp|]. apply in_flat_map. exists q. split; [exact Hq|].
    apply in_map_iff. eauto.
  - rewrite !Forall_app. auto.
Qed.

(** Sums of constraints that end with a number below 0 *)

Definition fold_gcd (l : list (expr * Z)) : Z := fold_right (fun p g => Z.gcd (snd p) g) 0 l.

Definition tightened (l : lin) : lin :=
  let g := fold_gcd (coefs l) in
  if (1 <? g) && forallb (fun p => snd p mod g =? 0) (coefs l)
  then Lin (map (fun p => (fst p, snd p / g)) (coefs l)) (const l / g)
  else l.

Lemma total_divided : forall r g l, 0 < g -> forallb (fun p => snd p mod g =? 0) l = true ->
  total r l = g * total r (map (fun p => (fst p, snd p / g)) l).
Proof.
  intros r g l G. induction l as [|[u c] t IH]; cbn; intro H; [lia|].
  apply andb_prop in H as [D H]. apply Z.eqb_eq in D. rewrite (IH H).
  pose proof (Z.div_mod c g ltac:(lia)) as E. rewrite D in E. rewrite E at 1. ring.
Qed.

Lemma tightened_kept : forall r l, kept r l -> kept r (tightened l).
Proof.
  Transparent den. intros r [l c] K. unfold tightened; cbn [coefs const].
  generalize (fold_gcd l). intro g. destruct (_ && _) eqn:E; [|exact K].
  apply andb_prop in E as [E1 E2]. apply Z.ltb_lt in E1. unfold kept, den in *; cbn [coefs const] in *.
  rewrite (total_divided r g l) in K by (auto; lia). rewrite Z.mul_comm in K.
  pose proof (Z.div_pos _ g K ltac:(lia)) as P. rewrite Z.div_add_l in P by lia. exact P. Opaque den.
Qed.

Definition greatest : Z := 2 ^ 512.
Definition huge (l : lin) : bool :=
  (greatest <? Z.abs (const l)) || existsb (fun p => greatest <? Z.abs (snd p)) (coefs l).

(** The bound that [">x"] or ["<x"] names. *)
Definition bound (s : string) : option lin :=
  match s with
  | String m (String c rest) =>
      if Ascii.eqb c "(" then None
      else if Ascii.eqb m ">" then Some (plus (unknown (Term (Var (String c rest)))) (number (- least)) 1)
      else if Ascii.eqb m "<" then Some (plus (times (-1) (unknown (Term (Var (String c rest))))) (number most) 1)
      else None
  | _ => None
  end.

Definition bounded (r : env) : Prop := forall x, least <= r x <= most.

Lemma bound_kept : forall r s l, bounded r -> bound s = Some l -> kept r l.
Proof.
  intros r s l B H. unfold bound in H. destruct s as [|m [|c rest]]; try discriminate.
  destruct (Ascii.eqb c "("); [discriminate|]. specialize (B (String c rest)).
  assert (V : den r (unknown (Term (Var (String c rest)))) = r (String c rest)) by apply den_unknown.
  destruct (Ascii.eqb m ">"); [|destruct (Ascii.eqb m "<"); [|discriminate]];
    apply (f_equal (fun o => match o with Some l => l | None => l end)) in H; subst l; unfold kept.
  - rewrite den_plus, V, den_number. lia.
  - rewrite den_plus, den_times, V, den_number. lia.
Qed.

Definition part (cs : list lin) (p : witness) : option (lin * Z) :=
  match p with
  | WList [WInt n; WInt f] =>
      if (0 <=? n) && (n <? Z.of_nat (List.length cs)) && (0 <? f) then
        match nth_error cs (Z.to_nat n) with Some l => Some (l, f) | None => None end
      else None
  | WList [WText s; WInt f] =>
      if 0 <? f then match bound s with Some l => Some (l, f) | None => None end else None
  | _ => None
  end.

Fixpoint added (cs : list lin) (acc : lin) (ps : list witness) : option lin :=
  match ps with
  | [] => Some acc
  | p :: ps' =>
      match part cs p with
      | Some (l, f) => let acc' := plus acc l f in if huge acc' then None else added cs acc' ps'
      | None => None
      end
  end.

Lemma part_kept : forall r cs p l f, bounded r -> Forall (kept r) cs -> part cs p = Some (l, f) -> kept r l /\ 0 < f.
Proof.
  intros r cs p l f B K H. unfold part in H.
  destruct p as [| | |[|[|n|s|] [|[|f'| |] [|]]]]; try discriminate.
  - destruct (_ && _) eqn:E; [|discriminate]. apply andb_prop in E as [_ E]. apply Z.ltb_lt in E.
    destruct (nth_error cs (Z.to_nat n)) as [l'|] eqn:N; [|discriminate]. injection H as <- <-.
    split; [|exact E]. rewrite Forall_forall in K. apply K. eapply nth_error_In; eauto.
  - destruct (0 <? f') eqn:E; [|discriminate]. apply Z.ltb_lt in E.
    destruct (bound s) as [l'|] eqn:N; [|discriminate]. injection H as <- <-. split; [|exact E].
    eapply bound_kept; eauto.
Qed.

Lemma added_kept : forall r cs ps acc l,
  bounded r -> Forall (kept r) cs -> kept r acc -> added cs acc ps = Some l -> kept r l.
Proof.
  intros r cs. induction ps as [|p ps IH]; intros acc l B K A H; cbn in H.
  - now injection H as <-.
  - destruct (part cs p) as [[l' f]|] eqn:P; [|discriminate].
    destruct (huge _); [discriminate|].
    destruct (part_kept r cs p l' f B K P) as [K' F].
    assert (S : kept r (plus acc l' f)) by (unfold kept in *; rewrite den_plus; nia).
    eauto.
Qed.

Fixpoint refutes (cs : list lin) (sums : list witness) : bool :=
  match sums with
  | [] => false
  | WList ps :: rest =>
      match added cs (number 0) ps with
      | None => false
      | Some l =>
          let l' := tightened l in
          match rest with
          | [] => match constant l' with Some z => z <? 0 | None => false end
          | _ => refutes (cs ++ [l']) rest
          end
      end
  | _ => false
  end.

Lemma refutes_sound : forall r sums cs, bounded r -> refutes cs sums = true -> ~ Forall (kept r) cs.
Proof.
  intros r. induction sums as [|w rest IH]; intros cs B H K; cbn in H; [discriminate|].
  destruct w as [| | |ps]; try discriminate.
  destruct (added cs (number 0) ps) as [l|] eqn:A; [|discriminate].
  assert (T : kept r (tightened l)).
  { apply tightened_kept. eapply added_kept; eauto. unfold kept. rewrite den_number. lia. }
  destruct rest as [|w' rest'].
  - destruct (constant (tightened l)) as [z|] eqn:C; [|discriminate]. apply Z.ltb_lt in H.
    unfold kept in T. rewrite (constant_den r _ z C) in T. lia.
  - apply (IH (cs ++ [tightened l]) B H). rewrite Forall_app. auto.
Qed.

(** Every choice of one alternative each, the first one's outermost. *)
Fixpoint choices (l : list (list (list lin))) : list (list lin) :=
  match l with [] => [[]] | alts :: l' => flat_map (fun alt => map (app alt) (choices l')) alts end.

Lemma choices_sound : forall r l, Forall (some_option r) l -> exists cs, In cs (choices l) /\ Forall (kept r) cs.
Proof.
  intros r. induction l as [|alts l IH]; intro H; cbn.
  - exists []. auto.
  - inversion H as [|? ? (alt & Ha & Ka) H']; subst. destruct (IH H') as (cs & Hc & Kc).
    exists (alt ++ cs). split.
    + apply in_flat_map. exists alt. split; [exact Ha|]. apply in_map_iff. eauto.
    + rewrite Forall_app. auto.
Qed.

Definition negated (o : cmp) : cmp :=
  match o with CEq => CNe | CNe => CEq | CLt => CGe | CGe => CLt | CGt => CLe | CLe => CGt end.

Lemma negated_true : forall r o a b, ztrue r (o, a, b) = false -> ztrue r (negated o, a, b) = true.
Proof.
  intros r o a b. cbn. destruct o; cbn; intro H.
  - now rewrite H.
  - now apply negb_false_iff.
  - apply Z.ltb_ge in H. now apply Z.leb_le.
  - apply Z.leb_gt in H. now apply Z.ltb_lt.
  - apply Z.ltb_ge in H. now apply Z.leb_le.
  - apply Z.leb_gt in H. now apply Z.ltb_lt.
Qed.

Fixpoint all_alternatives (l : list (cmp * expr * expr)) : option (list (list (list lin))) :=
  match l with
  | [] => Some []
  | c :: l' =>
      match alternatives c, all_alternatives l' with Some a, Some rest => Some (a :: rest) | _, _ => None end
  end.

Fixpoint all_refuted (l : list (list lin)) (sums : list witness) : bool :=
  match l, sums with
  | [], [] => true
  | cs :: l', WList s :: sums' => refutes cs s && all_refuted l' sums'
  | _, _ => false
  end.

Definition count_choices (l : list (list (list lin))) : Z :=
  fold_right (fun alts n => Z.of_nat (List.length alts) * n) 1 l.

(** Whether sums show that comparisons are never true together. *)
Definition contradictory (l : list (cmp * expr * expr)) (sums : list witness) : bool :=
  match all_alternatives l with
  | Some alts => if most_cases <? count_choices alts then false else all_refuted (choices alts) sums
  | None => false
  end.

Definition entailed (goal : cmp * expr * expr) (premises : list (cmp * expr * expr)) (sums : list witness) : bool :=
  let '(o, a, b) := goal in contradictory ((negated o, a, b) :: premises) sums.

Theorem contradictory_sound : forall r l sums, bounded r ->
  contradictory l sums = true -> ~ Forall (fun c => ztrue r c = true) l.
Proof.
  intros r l sums B H T. unfold contradictory in H.
  destruct (all_alternatives l) as [alts|] eqn:E; [|discriminate]. destruct (_ <? _); [discriminate|].
  assert (S : Forall (some_option r) alts).
  { clear H. revert alts E T. induction l as [|c l IH]; intros alts E T; cbn in E.
    - injection E as <-. constructor.
    - destruct (alternatives c) as [a|] eqn:A; [|discriminate].
      destruct (all_alternatives l) as [rest|]; [|discriminate]. injection E as <-.
      inversion T; subst. constructor; [eapply alternatives_sound; eauto | apply IH; auto]. }
  destruct (choices_sound r alts S) as (cs & Hc & Kc).
  clear E S. revert sums H. induction (choices alts) as [|cs' l' IH]; intros sums H; [destruct Hc|].
  destruct sums as [|[| | |s] sums']; cbn in H; try discriminate.
  apply andb_prop in H as [H1 H2]. destruct Hc as [->|Hc].
  - exact (refutes_sound r s cs B H1 Kc).
  - eapply IH; eauto.
Qed.

(** Lemma 4, without what concerns 64 bits: premises that hold make the goal hold. *)
Theorem entailed_sound : forall r goal premises sums, bounded r ->
  entailed goal premises sums = true -> Forall (fun c => ztrue r c = true) premises -> ztrue r goal = true.
Proof.
  intros r [[o a] b] premises sums B H P. destruct (ztrue r (o, a, b)) eqn:T; [reflexivity|].
  exfalso. apply (contradictory_sound r _ sums B H). constructor; [now apply negated_true | exact P].
Qed.
