(* The hand-written part: reads S-expressions, asks the extracted checker, and prints a verdict for each question.
   Nothing here is proved. *)
open Checker

type sexp = Number of string | Text of string | Name of string | Items of sexp list

exception Odd of string

let read (channel : in_channel) : sexp list =
  let text = really_input_string channel (in_channel_length channel) in
  let length = String.length text in
  let place = ref 0 in
  let plain c = not (String.contains " \n()\"" c) in
  let rec items found =
    if !place >= length then List.rev found
    else
      match text.[!place] with
      | ' ' | '\n' -> incr place; items found
      | ')' -> incr place; List.rev found
      | '(' -> incr place; let inner = items [] in items (Items inner :: found)
      | '"' ->
          incr place;
          let buffer = Buffer.create 16 in
          while text.[!place] <> '"' do
            if text.[!place] = '\\' then incr place;
            Buffer.add_char buffer text.[!place];
            incr place
          done;
          incr place;
          items (Text (Buffer.contents buffer) :: found)
      | _ ->
          let first = !place in
          while !place < length && plain text.[!place] do incr place done;
          let word = String.sub text first (!place - first) in
          let number = word <> "-" && (word.[0] = '-' || (word.[0] >= '0' && word.[0] <= '9')) in
          items ((if number then Number word else Name word) :: found)
  in
  items []

(* Integers *)

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let small n = if n = 0 then Z0 else Zpos (positive n)

let integer word =
  let below = word.[0] = '-' in
  let value = ref Z0 in
  String.iteri
    (fun i c -> if i > 0 || not below then value := Z.add (Z.mul (small 10) !value) (small (Char.code c - 48)))
    word;
  if below then Z.opp !value else !value

let rec natural n = if n = 0 then O else S (natural (n - 1))

(* Parts of a theory *)

let value = function
  | Number n -> Int (integer n)
  | Text t -> Word t
  | _ -> raise (Odd "a value")

let term = function
  | Number n -> Val (Int (integer n))
  | Text t -> term_of_text t
  | _ -> raise (Odd "a term")

let text = function Text t -> t | _ -> raise (Odd "a text")

let moment = function
  | Name "always" -> Always
  | Name "before" -> Before
  | Name "after" -> After
  | _ -> raise (Odd "a moment")

let relation = function
  | Items [ Name "static"; Text p ] -> Plain (Static, p)
  | Items [ Name "action"; Text p ] -> Plain (Action, p)
  | Items [ Name "changing"; Text p ] -> Plain (Changing, p)
  | Items [ Name "game"; Text g ] -> Game g
  | Items [ Name "by"; Text g; Text a; Number n ] -> By (g, a, natural (int_of_string n))
  | _ -> raise (Odd "a relation")

let operation = function
  | "+" -> Add | "-" -> Sub | "*" -> Mul | "//" -> Div | "mod" -> Mod | "min" -> Min | "max" -> Max
  | _ -> raise (Odd "an operation")

let rec expression = function
  | Items [ Text "abs"; a ] -> Abs (expression a)
  | Items [ Text o; a; b ] -> Bin (operation o, expression a, expression b)
  | other -> Term (term other)

let comparison = function
  | Text "=" -> CEq | Text "!=" -> CNe | Text "<" -> CLt | Text "<=" -> CLe | Text ">" -> CGt | Text ">=" -> CGe
  | _ -> raise (Odd "a comparison")

let statement = function
  | Items [ Name "statement"; r; m; Items terms ] ->
      { srel = relation r; stense = moment m; sargs = List.map term terms }
  | _ -> raise (Odd "a statement")

let truth = function Name "true" -> true | Name "false" -> false | _ -> raise (Odd "a truth value")

let condition = function
  | Items [ Name "compare"; o; a; b ] -> Compare (comparison o, expression a, expression b)
  | Items [ Name "closed"; Text form; Items read; Items sizes; Items terms; result ] ->
      let place = function Items [ r; m ] -> (relation r, moment m) | _ -> raise (Odd "a place") in
      let size = function
        | Items [ Text n; r; m; Items key ] ->
            { size_name = n; size_rel = relation r; size_tense = moment m; size_key = List.map term key }
        | _ -> raise (Odd "the count of a set")
      in
      Closed (form, List.map place read, List.map size sizes, List.map term terms,
              (match result with Name "none" -> None | other -> Some (term other)))
  | Items [ Name "every"; r; m; Items key; counting; Text n; Items listed; Items others; Items asks ] ->
      let called = function Items [ Text v; Text n ] -> (v, n) | _ -> raise (Odd "a name") in
      let ask = function
        | Items [ Name "compare"; o; a; b ] -> Is (comparison o, expression a, expression b)
        | other -> Says (statement other)
      in
      All { set_rel = relation r; set_tense = moment m; set_key = List.map term key; set_count = relation counting;
            count_name = n; listed = List.map text listed; others_called = List.map called others;
            asks = List.map ask asks }
  | Items [ Name "other"; id; tensed; Items ints ] -> Other (text id, truth tensed, List.map text ints)
  | other -> Holds (statement other)

let rule = function
  | Items [ Name "rule"; Text name; head; Items body ] ->
      { name; head = statement head; body = List.map condition body }
  | _ -> raise (Odd "a rule")

let columns = function
  | Items [ Text name; Items kinds ] -> (name, List.map truth kinds)
  | _ -> raise (Odd "columns")

let fact = function
  | Items (Text name :: row) -> (name, List.map value row)
  | _ -> raise (Odd "a fact")

let case = function
  | Items [ Name "case"; Text acting; Items terms; Items conditions; bar ] ->
      { acting; action_terms = List.map term terms; asked = List.map condition conditions;
        unless = (match bar with Name "none" -> None | other -> Some (statement other)) }
  | _ -> raise (Odd "a case")

let replies = function
  | Items [ Name "replies"; Text about; Items terms; Items cases ] ->
      { about; arguments = List.map term terms; reply_cases = List.map case cases }
  | _ -> raise (Odd "replies")

let theory = function
  | Items [ Name "theory"; Items declared; Items facts; Items found; Items answers; Items derived ] ->
      { rules = List.map rule found; stated = List.map fact facts; columns = List.map columns declared;
        answers = List.map replies answers; derived = List.map text derived }
  | _ -> raise (Odd "a theory")

(* Certificates *)

let rec witness = function
  | Number n -> WInt (integer n)
  | Text t -> WText t
  | Name "null" -> WNull
  | Items l -> WList (List.map witness l)
  | Name _ -> raise (Odd "a witness")

let substitution = function Items [ Text v; t ] -> (v, term t) | _ -> raise (Odd "a term for a variable")

let step = function
  | Items [ Name "step"; Text applied; lemma; m; Items terms; Items proofs; Items notes ] ->
      { applied; from_lemma = truth lemma; when0 = moment m; terms = List.map substitution terms;
        proofs = List.map witness proofs; notes = List.map witness notes }
  | _ -> raise (Odd "a step")

let rec tree = function
  | Items [ Name "leaf"; Items steps; ending ] -> Leaf (List.map step steps, witness ending)
  | Items [ Name "invert"; Items steps; Text name; m; Items terms; Items notes; Number known; Items cases ] ->
      let below = List.fold_right (fun t rest -> More (tree t, rest)) cases Done in
      Invert (List.map step steps, name, moment m, List.map term terms, List.map witness notes, integer known, below)
  | Items [ Name "split"; Items steps; Text variable; Items cases; rest ] ->
      let branch below = function
        | Items [ u; t ] -> Branch (term u, tree t, below)
        | _ -> raise (Odd "a branch")
      in
      Split (List.map step steps, variable, List.fold_left branch (Rest (tree rest)) (List.rev cases))
  | _ -> raise (Odd "a proof by cases")

let opening = function
  | Name "none" -> None
  | Items [ Name "opening"; Number number; Items terms; Items proofs; Items notes ] ->
      Some { number_of = integer number; chosen = List.map substitution terms;
             opened = List.map witness proofs; opening_notes = List.map witness notes }
  | _ -> raise (Odd "an opening")

let certificate = function
  | Items [ Name "certificate"; reached; Items steps; ending; Items keys; first; Items trees; cases ] ->
      let over = function Name "none" -> None | Number n -> Some (natural (int_of_string n)) | _ -> raise (Odd "a place") in
      { of_reached = truth reached; steps = List.map step steps; ending = witness ending; keys = List.map witness keys;
        openings = opening first; answered_by = List.map tree trees;
        by_cases = (match cases with
                 | Name "none" -> None
                 | Items [ place; t ] -> Some (over place, tree t)
                 | _ -> raise (Odd "cases")) }
  | _ -> raise (Odd "a certificate")

let say verdict why = print_endline (if why = "" then verdict else verdict ^ ": " ^ why)

let () =
  let channel = open_in_bin Sys.argv.(1) in
  match read channel with
  | first :: rest ->
      let theory = theory first in
      let is_given = function Items (Name "given" :: _) -> true | _ -> false in
      let given, questions = List.partition is_given rest in
      let given = List.map (function Items [ _; r ] -> { at_every_point = true; lemma_rule = rule r } | _ -> raise (Odd "a lemma")) given in
      let questions =
        List.map
          (function
            | Items [ Name "question"; lemma; r; c ] -> ((truth lemma, rule r), certificate c)
            | _ -> raise (Odd "a question"))
          questions
      in
      let bar case = match case.unless with Some s -> [ Holds s ] | None -> [] in
      let replied =
        List.concat_map (fun each -> List.concat_map (fun k -> k.asked @ bar k) each.reply_cases) theory.answers
      in
      let quiet = found_quiet theory (List.concat_map (fun ((_, r), _) -> r.body) questions @ replied) in
      let well = well_formed theory && resting_on_none theory quiet in
      let odd = List.filter (fun r -> not (rule_well theory r)) theory.rules in
      if not well then
        List.iter
          (fun _ ->
            say "not covered"
              ("the theory has a rule of which it is not certain that it keeps to the sorts of columns"
              ^ match odd with r :: _ -> ", such as " ^ r.name | [] -> ""))
          questions
      else
        List.iter
          (function
            | Yes _ -> say "accepted" ""
            | No why -> say "refused" why
            | Beyond why -> say "not covered" why)
          (check_all theory quiet given questions)
  | [] -> raise (Odd "a theory")
