% Plays a game whose rules are loaded: a request on each line, the answer in lines that end with `done`.
:- set_stream(user_output, encoding(utf8)), set_stream(user_input, encoding(utf8)).

main :-
    read_term(user_input, Request, []),
    (   Request == end_of_file
    ->  true
    ;   catch(answer(Request), Problem, (print_message(silent, Problem), format("error ~q~n", [Problem]))),
        write(done), nl, flush_output,
        main
    ).

answer(start) :-
    forall('r role'(Role), show(role, [Role])),
    forall(all(Fluent, 'r init'(Fluent)), show(init, [Fluent])).
answer(state(Fluents)) :-
    tell(Fluents, []),
    forall(all(Role-Move, 'r legal'(Role, Move)), show(legal, [Role, Move])),
    ( once('r terminal') -> show(terminal, []) ; true ),
    forall(all(Role-Worth, 'r goal'(Role, Worth)), show(goal, [Role, Worth])).
answer(next(Fluents, Moves)) :-
    tell(Fluents, Moves),
    forall(all(Fluent, 'r next'(Fluent)), show(next, [Fluent])).
answer(seconds) :-
    statistics(cputime, Seconds),
    show(seconds, [Seconds]).

all(What, Goal) :-
    findall(What, Goal, Found),
    sort(Found, Each),
    member(What, Each).

tell(Fluents, Moves) :-
    forall(changing(Table), abolish_table_subgoals(Table)),
    retractall('r true'(_)),
    retractall('r does'(_, _)),
    forall(member(Fluent, Fluents), assertz('r true'(Fluent))),
    forall(member(Role-Move, Moves), assertz('r does'(Role, Move))).

show(What, Terms) :-
    write(What),
    forall(member(Term, Terms), ( write(' '), kif(Term) )),
    nl.

kif(Term) :-
    compound(Term),
    !,
    compound_name_arguments(Term, Name, Arguments),
    format("(~w", [Name]),
    forall(member(Argument, Arguments), ( write(' '), kif(Argument) )),
    write(')').
kif(Term) :-
    write(Term).
