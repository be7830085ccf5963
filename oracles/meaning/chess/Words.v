(** What the words of the theory `chess` mean in a position. A word is read of a position, `S`.

    Of what the theory concludes only the meaning counts here, and not how it is concluded: `quiet S c s w` says that
    no man of `c` slides onto `s` from that way, and each clause about `quiet` is right or wrong by that. What is said
    before a move of what comes of it speaks of `after S c f t k`, the position after it. Where there is no such move,
    most of these words are true of it; no clause asks for one without asking for the move. `spot` says that the move is
    plain, and of the square nothing: it chooses which squares are asked about. *)
From Chess Require Import Board.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Implicit Types (S : state) (a b f h k m o p q r s t u v x y z : square) (c d e : side) (j : kind) (w : way) (n i : Z).

(** The board, as the rules have it. *)
Notation player := Board.player.
Notation promotion := Board.promotion.
Notation slides := Board.slides.
Notation castle := Board.castle.
Notation line := Board.line.
Notation between := Board.between.
Notation next := Board.next.
Notation border := Board.border.
Notation edge := Board.edge.
Notation hop := Board.hop.
Notation step := Board.step.
Notation strikes := Board.strikes.
Notation advance := Board.advance.
Notation leap := Board.leap.
Notation last := Board.last.

Definition opponent c d : Prop := c <> Nobody /\ d = other c.
Definition blunt j w : Prop := j <> Empty /\ w <> Nowhere /\ ~ slides j w.
Definition reverse w (v : way) : Prop := w <> Nowhere /\ v = opposite w.
Definition distance a b n : Prop := n = dist a b.
(** So many squares, one by one. *)
Definition many (P : square -> Prop) n : Prop :=
  exists l : seq square, uniq l /\ (forall s, s \in l <-> P s) /\ n = Z.of_nat (size l).
Definition betweens a b n : Prop := aligned a b /\ many (between a b) n.
Definition hops a n : Prop := many (hop a) n.
Definition steps a n : Prop := many (step a) n.
Definition striking c a n : Prop := c <> Nobody /\ many (strikes c a) n.
Definition leg a (l : leg) b : Prop := fl b = fl a + lx l /\ rk b = rk a + ly l.
Definition legless a (l : Board.leg) : Prop := ~ (0 <= fl a + lx l <= 7 /\ 0 <= rk a + ly l <= 7).
Definition flanks c w (v : way) : Prop :=
  c = White /\ w = South_west /\ v = South_east \/ c = Black /\ w = North_west /\ v = North_east.
Definition flank c w : Prop := exists v : way, flanks c w v \/ flanks c v w.
Definition settled c a : Prop := c <> Nobody /\ rk a <> home c + 2 * fwd c.
Definition impassable c a : Prop := c <> Nobody /\ rk a <> home c + fwd c.
Definition not_last c a : Prop := c <> Nobody /\ rk a <> goal c.
Definition lane c a b n : Prop :=
  c <> Nobody /\ line a b (ahead c)
  /\ (rk a = home c /\ n = dist a b - 1 \/ rk a <> home c /\ 1 <= rk a <= 6 /\ n = dist a b).
Definition margins a : Z := Z.min (fl a) (7 - fl a) + Z.min (rk a) (7 - rk a).
Definition cramps c a x : Prop :=
  corner x
  /\ (not_last c a /\ (exists b, strikes c a b /\ margins b = 1 /\ step b x)
      \/ last c a /\ Z.abs (fl x - fl a) = 1 /\ rk x <> rk a).
Definition nook c a x s : Prop :=
  cramps c a x /\ step x s /\ (not_last c a /\ ~ strikes c a s \/ last c a /\ fl s <> fl a /\ rk s <> rk a).
Definition roomy c a : Prop :=
  not_last c a /\ (forall b, strikes c a b -> margins b <> 1) \/ last c a /\ Z.min (fl a) (7 - fl a) <> 1.
Definition range c j a b : Prop :=
  c <> Nobody
  /\ match j with
     | King => step a b \/ exists (g : wing) r p, castle c g a b r p
     | Knight => hop a b
     | Pawn => 1 <= rk a <= 6 /\ (advance c a b \/ (exists o, leap c a o b) \/ strikes c a b)
     | Empty => False
     | _ => exists w, slides j w /\ line a b w
     end.
Definition ranges c j a n : Prop := c <> Nobody /\ many (range c j a) n.

(** What stands there. *)
Definition at_ S s c j : Prop := S s = (c, j).
Definition king S c s : Prop := c <> Nobody /\ S s = (c, King).
Definition man S c s : Prop := c <> Nobody /\ who S s = c.
Definition men S c n : Prop := c <> Nobody /\ n = Z.of_nat #|[pred s | who S s == c]|.
Inductive right := Kept | Lost.
Inductive passage := Open | Shut.
Definition castling S c (w : wing) (v : right) : Prop := c <> Nobody /\ v = if kept S c w then Kept else Lost.
Definition en_passant S s (v : passage) : Prop := v = if passed S == Some s then Open else Shut.
Definition to_move S c : Prop := turn S = c.

(** Attacks. *)
Definition clear S a b : Prop := Board.clear S a b.
Definition sees S s w x : Prop := Board.sees S s w x.
Definition open S s w : Prop := w <> Nowhere /\ forall x, line s x w -> S x = nothing.
Definition attacks S a b : Prop := Board.attacks S a b.
Definition attacked S c s : Prop := Board.attacked S c s.
(** No man of `c` slides onto the square from that way. *)
Definition quiet_on (B : board) c s w : Prop :=
  c <> Nobody /\ forall x, Board.sees B s w x -> who B x = c -> ~ slides (what B x) w.
Definition quiet S c s w : Prop := quiet_on S c s w.
Definition unaimed S c s : Prop := c <> Nobody /\ forall w, quiet S c s w.
Definition no_knight S c s : Prop := c <> Nobody /\ S s <> (c, Knight).
Definition no_pawn S c s : Prop := c <> Nobody /\ S s <> (c, Pawn).
Definition unhopped_from S c s (l : Board.leg) : Prop := c <> Nobody /\ forall h, leg s l h -> S h <> (c, Knight).
Definition unstruck_from S c s w : Prop := c <> Nobody /\ forall p, next s w p -> S p <> (c, Pawn).
Definition unhopped S c s : Prop := c <> Nobody /\ forall h, hop h s -> S h <> (c, Knight).
Definition unstruck S c s : Prop := c <> Nobody /\ forall p, strikes c p s -> S p <> (c, Pawn).
Definition kingless S c s : Prop := c <> Nobody /\ forall q, S q = (c, King) -> ~ step q s.
Definition unattacked S c s : Prop := c <> Nobody /\ forall x, who S x = c -> ~ attacks S x s.

(** Who alone attacks a square. *)
Definition spared S x s w : Prop := forall y, sees S s w y -> who S y = who S x -> slides (what S y) w -> y = x.
Definition other_knight S x s : Prop := S s = (who S x, Knight) -> s = x.
Definition other_pawn S x s : Prop := S s = (who S x, Pawn) -> s = x.
Definition only S x s : Prop := attacks S x s /\ forall y, who S y = who S x -> attacks S y s -> y = x.

(** Check, what answers it, and which men are pinned. *)
Definition calm S c : Prop := c <> Nobody /\ safe S c.
Definition check S c x : Prop := c <> Nobody /\ exists q, S q = (c, King) /\ who S x = other c /\ attacks S x q.
Definition single S c x : Prop := check S c x /\ forall y, check S c y -> y = x.
Definition answers S c t : Prop :=
  exists x, single S c x /\ (t = x \/ exists q, S q = (c, King) /\ between q x t).
Definition without S f : board := put S f nothing.
Definition loose S c f : Prop :=
  c <> Nobody /\ who S f = c
  /\ forall q x, S q = (c, King) -> who S x = other c -> Board.attacks (without S f) x q -> attacks S x q.
Definition pinned S c f x : Prop :=
  c <> Nobody /\ who S f = c /\ who S x = other c
  /\ exists q, S q = (c, King) /\ between q x f /\ Board.attacks (without S f) x q.

(** Which moves are legal. *)
Definition free S c t : Prop := c <> Nobody /\ who S t <> c /\ what S t <> King.
Definition reaches S f t : Prop := what S f <> King /\ goes S (who S f) f t.
Definition allowed S c f t : Prop := legal_move S c f t.
Definition legal S c f t : Prop := legal_move S c f t /\ ~ (what S f = Pawn /\ last c t).
Definition promotable S c f t : Prop := legal_move S c f t /\ what S f = Pawn /\ last c t.
Definition in_passing S c f t v : Prop := Board.in_passing S c f t v.
Definition turns S f t v s : Prop := exists c, in_passing S c f t v /\ (S s = (c, King) \/ s = f \/ s = v).
Definition covered S f t v s w : Prop :=
  exists c, in_passing S c f t v /\ quiet_on (passed_by S c f t v) (other c) s w.
Definition passing_pawn S d f t v s : Prop :=
  exists c, in_passing S c f t v /\ d = other c /\ passed_by S c f t v s <> (d, Pawn).
Definition castles S c (w : wing) q t : Prop := exists r p, may_castle S c w q t r p.

Definition range_of S f t : Prop := range (who S f) (what S f) f t.
Definition illegal S c f t : Prop := ~ legal_move S c f t.
Definition unsafe S f t v s w : Prop :=
  exists c, in_passing S c f t v
  /\ exists x, let B := passed_by S c f t v in Board.sees B s w x /\ who B x = other c /\ slides (what B x) w.

(** Mate and stalemate. *)
Definition stuck S c m : Prop := c <> Nobody /\ who S m = c /\ forall t, ~ legal_move S c m t.
Definition immobile S c : Prop := c <> Nobody /\ forall f t, ~ legal_move S c f t.
Definition cornered S c : Prop := c <> Nobody /\ forall q t, S q = (c, King) -> step q t -> ~ legal_move S c q t.
Definition helpless S c t : Prop :=
  forall y, who S y = c -> what S y <> King -> attacks S y t -> ~ legal_move S c y t.
Definition unpushed S c t : Prop := forall y, S y = (c, Pawn) -> ~ strikes c y t -> ~ legal_move S c y t.
Definition lasting S c x : Prop := forall f t, ~ in_passing S c f t x.
Definition unanswered S c x : Prop := single S c x /\ forall f t, what S f <> King -> ~ legal_move S c f t.
Definition mated S c : Prop := c <> Nobody /\ in_check S c /\ forall f t, ~ legal_move S c f t.
Definition stalemated S c : Prop := c <> Nobody /\ ~ in_check S c /\ forall f t, ~ legal_move S c f t.

(** What was done: these are read of a step, from `S` by `act` to `S'`. *)
Definition moved S (act : action) S' c f t : Prop :=
  c <> Nobody /\ who S f = c /\ (act = Move f t \/ exists j, act = Promote f t j).
Definition went S (act : action) S' c f t : Prop := moved S act S' c f t /\ what S f <> King.
Definition stepped S (act : action) S' c f t : Prop := moved S act S' c f t /\ what S f = King /\ step f t.
Definition castled S (act : action) S' c q t r p : Prop := moved S act S' c q t /\ what S q = King
  /\ exists g : wing, castle c g q t r p.
(** It empties this square, and no other but a corner. *)
Definition leaves S (act : action) S' c f : Prop :=
  (exists t, moved S act S' c f t) /\ forall x, who S x <> Nobody -> S' x = nothing -> x = f \/ corner x.
(** No man of `c` that stays where it was comes to attack the square. *)
Definition sealed S (act : action) S' c s : Prop :=
  c <> Nobody /\ forall x, who S x = c -> S' x = S x -> attacks S' x s -> attacks S x s.

(** What a move would leave of the other side's answers. `plain`: not castling, and not in passing. *)
Definition plain S c f t j : Prop := goes S c f t /\ safe (gone S c f t j) c /\ becomes S c f t j.
Definition steady S f t : Prop :=
  forall o y, what S f = Pawn -> leap (who S f) f o t -> S y = (other (who S f), Pawn) ->
    ~ strikes (other (who S f)) y o.
Definition hits S f t j : Prop :=
  exists c q, plain S c f t j /\ S q = (other c, King) /\ Board.attacks (gone S c f t j) t q.
Definition unveils S f t a : Prop :=
  exists c j q, plain S c f t j /\ S q = (other c, King) /\ who S a = c /\ a <> f /\ between a q f
  /\ Board.attacks (gone S c f t j) a q.
Definition pressing S c f t j : Prop :=
  plain S c f t j
  /\ (hits S f t j \/ (exists a, unveils S f t a) \/ exists q, S q = (other c, King) /\ step q t).
Definition denies S f t j s : Prop :=
  let c := who S f in
  forall q, S q = (other c, King) -> step q s -> ~ legal_move (after S c f t j) (other c) q s.
Definition hems S f t j : Prop := forall s, denies S f t j s.
(** Which squares are asked about is a choice: what is concluded of them holds of any. *)
Definition spot S f t s : Prop := exists c j, plain S c f t j.
Definition bars S f t y s : Prop :=
  forall c j, plain S c f t j -> what S y <> King -> ~ legal_move (after S c f t j) (other c) y s.
Definition idle S f t s : Prop := forall y, bars S f t y s.
Definition screened S f t x : Prop :=
  forall c j q, plain S c f t j -> S q = (other c, King) ->
  who (after S c f t j) x = c -> attacks (after S c f t j) x q ->
  forall y s, what S y <> King -> ~ legal_move (after S c f t j) (other c) y s.
Definition sheltered S f t j : Prop :=
  forall c, plain S c f t j ->
  forall y, ~ legal_move (after S c f t j) (other c) y t
            /\ forall s, ~ in_passing (after S c f t j) (other c) y s t.
Definition close S f s : Prop :=
  exists c t q, promotable S c f t /\ S q = (other c, King) /\ (s = q \/ step q s).
(** It does not attack the square even when the other king has stepped away. *)
Definition misses S f t j s : Prop :=
  forall c q, plain S c f t j -> S q = (other c, King) -> ~ Board.attacks (put (gone S c f t j) q nothing) t s.
Definition shuts S f t s : Prop :=
  forall c j x, plain S c f t j -> who S x = c -> x <> f -> Board.attacks (gone S c f t j) x s -> attacks S x s.
Definition replied S f t j : Prop :=
  exists c, plain S c f t j /\ promoting S c f t
  /\ exists y s, legal_move (after S c f t j) (other c) y s.

(** What a check wins. *)
Definition worth j n : Prop :=
  match j with Pawn => n = 1 | Knight | Bishop => n = 3 | Rook => n = 5 | Queen => n = 9 | _ => False end.
(** `c`, to move, takes the man on the square for good, or for one worth less. *)
Definition wins_from S c f x : Prop :=
  exists j, who S x = other c /\ plain S c f x j
  /\ ((forall y, ~ legal_move (after S c f x j) (other c) y x)
      \/ exists m n : Z, worth (what S f) m /\ worth (what S x) n /\ m < n).
Definition wins_man S c x : Prop := exists f, wins_from S c f x.
Definition poised S c f t j : Prop :=
  c <> Nobody
  /\ (plain S c f t j /\ (hits S f t j \/ exists a, unveils S f t a)
      \/ f = t /\ S t = (c, j) /\ j <> King /\ in_check S (other c)).
Definition aims S f t j x : Prop :=
  let c := who S f in
  poised S c f t j /\ x <> t /\ who S x = other c /\ what S x <> King /\ (j <> King /\ (j = Pawn -> ~ last c x))
  /\ forall q, S q = (other c, King) -> Board.attacks (put (gone S c f t j) q nothing) t x.
(** The board when it has taken on `x`, but for where the other king is then. *)
Definition taken_there S f t x q : board :=
  put (put (put (put S f nothing) q nothing) t nothing) x (who S f, what S f).
Definition shields S f t x : Prop :=
  let c := who S f in
  forall o q z, S o = (c, King) -> S q = (other c, King) -> who (taken_there S f t x q) z = other c ->
  between o z q -> ~ between o z t -> ~ Board.attacks (taken_there S f t x q) z o.
Definition unties S f t x : Prop :=
  let c := who S f in
  forall o q z, S o = (c, King) -> S q = (other c, King) -> who (taken_there S f t x q) z = other c ->
  between o z t -> ~ Board.attacks (taken_there S f t x q) z o.
Definition useless S f t y x : Prop :=
  let c := who S f in
  forall q, S q = (other c, King) -> who (taken_there S f t x q) y = other c ->
  what (taken_there S f t x q) y <> King -> ~ Board.attacks (taken_there S f t x q) y x.
Definition helpless_there S f t x : Prop := forall y, useless S f t y x.
Definition gives S f t j x s : Prop :=
  let c := who S f in
  forall q, S q = (other c, King) -> step q s -> legal_move (after S c f t j) (other c) q s ->
  s <> t /\ ~ between t x s.
Definition yields S f t j x s : Prop :=
  gives S f t j x s
  /\ let c := who S f in
     forall q, S q = (other c, King) -> step q s -> legal_move (after S c f t j) (other c) q s ->
     ~ legal_move (after (after (after S c f t j) (other c) q s King) c t x j) (other c) s x.
Definition forks S f t j x : Prop :=
  let c := who S f in
  poised S c f t j /\ x <> t /\ who S x = other c /\ what S x <> King
  /\ forall q s, S q = (other c, King) -> step q s -> legal_move (after S c f t j) (other c) q s ->
     wins_from (after (after S c f t j) (other c) q s King) c t x.
Definition caught S d x : Prop :=
  d <> Nobody /\ who S x = d
  /\ forall q s, S q = (d, King) -> step q s -> legal_move S d q s -> wins_man (after S d q s King) (other d) x.
Definition checked S d : Prop := d <> Nobody /\ in_check S d.
Definition compelled S d : Prop := checked S d /\ forall f t, what S f <> King -> ~ legal_move S d f t.
Definition walks S d q s : Prop := king S d q /\ step q s /\ legal_move S d q s.
Definition owns S d f : Prop := d <> Nobody /\ who S f = d.
Definition owner S f d : Prop := d <> Nobody /\ who S f = d.
Definition homeward S d q s : Prop := exists (g : wing) r p, castle d g q s r p.
Definition passes S d f t : Prop := exists v, in_passing S d f t v.

(** A pawn and its king against a king alone. *)
Definition bare S d : Prop := d <> Nobody /\ forall s, who S s = d -> what S s = King.
Definition runner S c x : Prop :=
  c <> Nobody /\ S x = (c, Pawn) /\ (forall s, who S s = c -> s = x \/ what S s = King) /\ bare S (other c).
Definition lively S f t j : Prop :=
  forall c, plain S c f t j ->
  in_check (after S c f t j) (other c) \/ exists y s, legal_move (after S c f t j) (other c) y s.
Definition mobile S d : Prop := exists q s, walks S d q s.
Definition alive S d : Prop := checked S d \/ mobile S d.
(** A square beside the corner that the pawn cramps is left by the king on `k`. *)
Definition elbow_left c k b : Prop := exists a s, nook c b a s /\ 1 < dist k s.
Definition elbow S c k b : Prop := elbow_left c k b.
Definition minded S c b : Prop := exists x k, runner S c x /\ S k = (c, King) /\ step k b.
Definition outrun S c x b : Prop :=
  runner S c x
  /\ exists i, lane c x b i
     /\ ((exists k, S k = (c, King) /\ step k b) \/ exists q, S q = (other c, King) /\ i < dist q b).
Definition airy S c x b : Prop :=
  runner S c x
  /\ exists i, lane c x b i
     /\ (roomy c b \/ (exists k, S k = (c, King) /\ elbow_left c k b)
         \/ exists a q, cramps c b a /\ S q = (other c, King) /\ i <= dist q a).
Definition timely S c x b : Prop := outrun S c x b /\ airy S c x b /\ S b = nothing.
(** The king on `k` and the pawn on `p` are so, or would be after a push or a step. *)
Definition arranged S c k p : Prop :=
  exists k0 p0, runner S c p0 /\ S k0 = (c, King)
  /\ (k = k0 /\ (p = p0 \/ lane c p0 p 1 /\ not_last c p /\ S p = nothing) \/ p = p0 /\ legal_move S c k0 k).
Definition shut S c k p s : Prop :=
  exists q, S q = (other c, King) /\ step q s /\ (dist k s < 2 \/ strikes c p s).
Definition allayed S c k p b s : Prop :=
  exists i, lane c p b i /\ (shut S c k p s \/ step k b /\ s <> b \/ i < dist s b).
Definition aired S c k p b : Prop :=
  exists i, lane c p b i
  /\ (roomy c b \/ elbow_left c k b \/ exists a q, cramps c b a /\ S q = (other c, King) /\ i < dist q a).
(** Wherever the other king steps, the pawn is on `b` in time, and the square is empty. *)
Definition holds S c k p b : Prop :=
  exists i, lane c p b i /\ b <> k
  /\ forall q s, S q = (other c, King) -> step q s -> 1 < dist k s -> ~ strikes c p s ->
     (step k b /\ s <> b \/ i < dist s b)
     /\ (roomy c b \/ elbow_left c k b \/ exists a, cramps c b a /\ i <= dist s a).
Definition keeps S c k p : Prop := step k p \/ exists q, S q = (other c, King) /\ 1 < dist q p.
Definition leaves_a_step S c k p : Prop :=
  exists q s, S q = (other c, King) /\ step q s /\ s <> p /\ 1 < dist k s /\ ~ strikes c p s.
Definition ample S c x b : Prop := runner S c x /\ exists k, S k = (c, King) /\ holds S c k x b.
Definition stands S c x : Prop := runner S c x /\ exists k, S k = (c, King) /\ keeps S c k x.

Definition trod S (act : action) S' c x : Prop :=
  exists q s, act = Move q s /\ S q = (other c, King) /\ step q s /\ runner S c x /\ s <> x.
Definition pushed S (act : action) S' c x t : Prop := act = Move x t /\ runner S c x /\ lane c x t 1.
Definition strode S (act : action) S' c k s x : Prop := act = Move k s /\ S k = (c, King) /\ runner S c x.

(** The games. GI: who plays for it moves first, and comes to it whatever the other does; IG: though the other moves
    first. *)
Inductive value := GI | IG.
Definition actor S (act : action) : side := match act with Move f _ | Promote f _ _ | Lay_down f => who S f end.
(** Where the man on `x` is after that. *)
Definition followed S (act : action) x : square :=
  match act with
  | Move f t =>
      if x == f then t
      else if [&& what S f == King, Z.abs (fl t - fl f) =? 2, rk x =? rk f & fl x =? (if fl t =? 6 then 7 else 0)]
      then sq (if fl t =? 6 then 5 else 3) (rk f) else x
  | Promote f t _ => if x == f then t else x
  | Lay_down _ => x
  end.
Definition target (act : action) : option square :=
  match act with Move _ t | Promote _ t _ => Some t | Lay_down _ => None end.
Definition source (act : action) : option square :=
  match act with Move f _ | Promote f _ _ => Some f | Lay_down _ => None end.
(** By that the man on `x` is taken for good, or by a man worth less. It counts even if it stalemates: no
    clause asks whether that side can move then (White: Ke1, Qh7; Black: Ka8, Pc7; the queen takes). *)
Definition takes S (act : action) S' x : Prop :=
  target act = Some x
  /\ ((forall y, ~ legal_move S' (who S x) y x)
      \/ exists f (m n : Z), source act = Some f /\ worth (what S f) m /\ worth (what S x) n /\ m < n).
Definition stalled S d : Prop := ~ in_check S d /\ forall f t, ~ legal_move S d f t.
(** Its side owns the man. Who is mated, or gives up, loses all. Who plays for it moves or promotes each time: giving up
    is no way to leave the other side to move. *)
Inductive taken_first S x : Prop :=
  | Taking act S' :
      who S x <> Nobody -> actor S act = other (who S x) -> plays S act S' -> target act <> None ->
      takes S act S' x \/ mated S' (who S x) \/ who S' x = who S x /\ taken_second S' x ->
      taken_first S x
with taken_second S x : Prop :=
  | Replied :
      who S x <> Nobody -> ~ stalled S (who S x) ->
      (forall act S', actor S act = who S x -> plays S act S' -> loser S' <> who S x ->
       taken_first S' (followed S act x)) ->
      taken_second S x.
Definition take S x (v : value) : Prop :=
  who S x <> Nobody /\ match v with GI => loser S = who S x \/ taken_first S x | IG => taken_second S x end.
Definition take_by S x (act : action) (v : value) : Prop :=
  match v with
  | GI => who S x <> Nobody /\ actor S act = other (who S x)
          /\ exists S', plays S act S' /\ target act <> None
             /\ (takes S act S' x \/ mated S' (who S x) \/ who S' x = who S x /\ taken_second S' x)
  | IG => False
  end.

(** The pawn of `c` on `x` becomes a queen or a rook that is not taken, and the other is not stalemated; or the other is
    mated, or gives up. Who plays for it moves or promotes. *)
Definition crowns S (act : action) S' c x : Prop :=
  exists t j n, act = Promote x t j /\ worth j n /\ 3 < n
  /\ (forall y, ~ legal_move S' (other c) y t) /\ ~ stalled S' (other c).
Inductive crowned_first S c x : Prop :=
  | Crowning act S' :
      S x = (c, Pawn) -> actor S act = c -> plays S act S' -> target act <> None ->
      crowns S act S' c x \/ mated S' (other c) \/ crowned_second S' c (followed S act x) ->
      crowned_first S c x
with crowned_second S c x : Prop :=
  | Withstood :
      S x = (c, Pawn) -> ~ stalled S (other c) ->
      (forall act S', actor S act = other c -> plays S act S' -> loser S' <> other c -> crowned_first S' c x) ->
      crowned_second S c x.
Definition crown S c x (v : value) : Prop :=
  S x = (c, Pawn)
  /\ match v with GI => loser S = other c \/ crowned_first S c x | IG => crowned_second S c x end.
Definition crown_by S c x (act : action) (v : value) : Prop :=
  match v with
  | GI => S x = (c, Pawn) /\ actor S act = c
          /\ exists S', plays S act S' /\ target act <> None
             /\ (crowns S act S' c x \/ mated S' (other c) \/ crowned_second S' c (followed S act x))
  | IG => False
  end.

(** A forced mate: `d` is mated, at once or whatever it replies, or gives up. Who plays for it moves or promotes. *)
Inductive mate_first S d : Prop :=
  | Mating act S' :
      d <> Nobody -> actor S act = other d -> plays S act S' -> target act <> None ->
      mated S' d \/ mate_second S' d -> mate_first S d
with mate_second S d : Prop :=
  | Parried :
      d <> Nobody -> ~ stalled S d ->
      (forall act S', actor S act = d -> plays S act S' -> loser S' <> d -> mate_first S' d) -> mate_second S d.
Definition mate S d (v : value) : Prop :=
  d <> Nobody /\ match v with GI => loser S = d \/ mate_first S d | IG => mate_second S d end.
Definition mate_by S d (act : action) (v : value) : Prop :=
  match v with
  | GI => d <> Nobody /\ actor S act = other d
          /\ exists S', plays S act S' /\ target act <> None /\ (mated S' d \/ mate_second S' d)
  | IG => False
  end.

(** What is gained: how much the men of `c` are worth, less those of the other side. *)
Definition value_of j : Z := match j with Pawn => 1 | Knight | Bishop => 3 | Rook => 5 | Queen => 9 | _ => 0 end.
Definition weight c (m : side * kind) : Z :=
  if m.1 == c then value_of m.2 else if m.1 == other c then - value_of m.2 else 0.
Definition balance (B : board) c : Z := foldr (fun s n => weight c (B s) + n) 0 (enum square).
(** The man on `x` is taken by that, in passing too. *)
Definition retakes S (act : action) x : Prop :=
  target act = Some x \/ exists c f t, act = Move f t /\ in_passing S c f t x.
(** After the move `c` has so much, even if the man that made it is then taken. It counts even if it stalemates, as a
    taking does. *)
Definition pays S (act : action) S' c n : Prop :=
  exists t, target act = Some t /\ n <= balance S' c
  /\ forall act' S'', actor S' act' = other c -> plays S' act' S'' -> retakes S' act' t -> n <= balance S'' c.
(** `c` comes to have so much by the last move of its play, or mates. It moves or promotes each time. *)
Inductive gained_first S c n : Prop :=
  | Gaining act S' :
      c <> Nobody -> actor S act = c -> plays S act S' -> target act <> None ->
      pays S act S' c n \/ mated S' (other c) \/ gained_second S' c n ->
      gained_first S c n
with gained_second S c n : Prop :=
  | Answered :
      c <> Nobody -> ~ stalled S (other c) ->
      (forall act S', actor S act = other c -> plays S act S' -> loser S' <> other c -> gained_first S' c n) ->
      gained_second S c n.
Definition gain S c n (v : value) : Prop :=
  c <> Nobody
  /\ match v with
     | GI => loser S = other c \/ gained_first S c (balance S c + n)
     | IG => gained_second S c (balance S c + n)
     end.
Definition gain_by S c n (act : action) (v : value) : Prop :=
  match v with
  | GI => c <> Nobody /\ actor S act = c
          /\ exists S', plays S act S' /\ target act <> None
             /\ (pays S act S' c (balance S c + n) \/ mated S' (other c) \/ gained_second S' c (balance S c + n))
  | IG => False
  end.

(** Which move gains: what it takes or becomes is worth so much; nobody but the king can answer its check; its step
    takes nothing; wherever it steps, the man that was moved takes the one on `x`, and nobody takes it back. *)
Definition earns S f t j n : Prop :=
  exists c, plain S c f t j /\ n = value_of (what S t) + (value_of j - value_of (what S f)).
Definition answered S f t j : Prop :=
  exists c, plain S c f t j /\ in_check (after S c f t j) (other c)
  /\ forall y s, what S y <> King -> ~ legal_move (after S c f t j) (other c) y s.
Definition spares S f t j s : Prop :=
  let c := who S f in
  forall q, S q = (other c, King) -> step q s -> legal_move (after S c f t j) (other c) q s ->
  after S c f t j s = nothing.
Definition harmless S f t j : Prop := answered S f t j /\ forall s, spares S f t j s.
Definition lone S f t j x : Prop :=
  let c := who S f in
  poised S c f t j /\ x <> t /\ who S x = other c /\ what S x <> King
  /\ forall q s, S q = (other c, King) -> step q s -> legal_move (after S c f t j) (other c) q s ->
     exists i : kind, let S2 := after (after S c f t j) (other c) q s King in
     plain S2 c t x i /\ forall y, ~ legal_move (after S2 c t x i) (other c) y x.
