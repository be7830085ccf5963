% Play a game with loaded rules. Each line of input is a request; the lines of its answer end with `done`.
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
answer(play(Seed, Seconds, Plies)) :-
    set_random(seed(Seed)),
    findall(Role, 'r role'(Role), Roles),
    findall(Fluent, all(Fluent, 'r init'(Fluent)), First),
    statistics(cputime, Begin),
    Until is Begin + Seconds,
    nb_setval(states, 0),
    repeat,
    once(game(Roles, First, Plies, Until)),
    statistics(cputime, End),
    End >= Until,
    !,
    nb_getval(states, States),
    Took is End - Begin,
    show(played, [States, Took]).
answer(seconds) :-
    statistics(cputime, Seconds),
    show(seconds, [Seconds]).

% A game at random from a state on, until it ends, somebody cannot move, or the moves or the time are used up.
game(Roles, State, Plies, Until) :-
    tell(State, []),
    nb_getval(states, Before),
    Now is Before + 1,
    nb_setval(states, Now),
    (   once('r terminal')
    ->  findall(Role-Worth, 'r goal'(Role, Worth), _)
    ;   findall(Role-Moves, ( member(Role, Roles), findall(Move, all(Move, 'r legal'(Role, Move)), Moves) ), Legal),
        statistics(cputime, Time),
        (   Plies > 0, Time < Until, \+ memberchk(_-[], Legal)
        ->  findall(Role-Move, ( member(Role-Moves, Legal), random_member(Move, Moves) ), Done),
            forall(changing(Table), abolish_table_subgoals(Table)),
            forall(member(Role-Move, Done), assertz('r does'(Role, Move))),
            findall(Fluent, all(Fluent, 'r next'(Fluent)), Next),
            Left is Plies - 1,
            game(Roles, Next, Left, Until)
        ;   true
        )
    ).

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
