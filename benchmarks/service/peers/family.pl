% A peer of `hornbook serve family` in SWI-Prolog: it parses the query of a JSON body, and answers it over HTTP.
:- use_module(library(http/thread_httpd)).
:- use_module(library(http/http_dispatch)).
:- use_module(library(http/http_json)).

parent(ada, ben).
parent(ben, cleo).
parent(ben, dan).

ancestor(A, B) :- parent(A, B).
ancestor(A, C) :- parent(A, B), ancestor(B, C).

:- http_handler(root(query), query, [method(post)]).

query(Request) :-
    http_read_json_dict(Request, Body),
    term_string(Goal, Body.query, [variable_names(Names)]),
    findall(Answer, (call(Goal), dict_create(Answer, _, Names)), Found),
    sort(Found, Answers),
    length(Answers, Count),
    reply_json_dict(_{answers: Answers, count: Count, warnings: []}, [width(0)]).

serve(Port, Workers) :-
    http_server(http_dispatch, [port(localhost:Port), workers(Workers), silent(true)]),
    thread_get_message(_).
