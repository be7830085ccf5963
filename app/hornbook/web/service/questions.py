"""Types of requests; the OpenAPI description is generated from them.

Fields have the names of the commands' options: `facts` are tables, `add` is text in the language, `set` are
parameters.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

DEEPEST = 100
"""The largest depth of explanations of failing conditions, as in the knowledge base."""
MOST_SETS = 100
"""The largest number of sets of changes that would suffice."""
Integer = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Value = str | Integer
Name = Annotated[str, Meta(min_length=1)]
LONGEST = 50_000
"""The largest number of characters of a query or a fact.

Each is parsed as one clause. A longer one would keep a process busy for seconds.
"""
Question = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Rows = Annotated[
    dict[str, list[list[Value]]],
    Meta(
        description=(
            "Facts as tables: for each predicate its rows, a value for each argument. A text is"
            " a word, and a number is an integer."
        ),
        examples=[{"parent": [["cleo", "eve"]]}],
    ),
]
Text = Annotated[str, Meta(description="Facts in the language.", examples=["parent(cleo, eve)."])]
StateText = Annotated[
    str,
    Meta(
        description=(
            "A state as the theory's adapter reads it: FEN in chess, SGF or a diagram in Go, CSV of a firm;"
            " without an adapter, facts in the language."
        )
    ),
]
Set = Annotated[
    dict[str, Value],
    Meta(
        description=(
            "The values of the parameters `$NAME` in the text. A value is never"
            " parsed as a part of the query."
        )
    ),
]


class RequestBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A request: an object without other fields than those described."""


class Situation(RequestBody, kw_only=True, forbid_unknown_fields=True):
    """Additional facts for this request only."""

    facts: Rows = {}
    add: Text = ""
    state: StateText | None = None


QueryText = Annotated[
    Question, Meta(description="Conditions with variables.", examples=["ancestor(?who, cleo)"])
]
AnswerLimit = Annotated[int, Meta(ge=1, description="The greatest number of answers to return.")]


class Query(Situation, kw_only=True, forbid_unknown_fields=True):
    """A query with additional facts."""

    query: QueryText
    set: Set = {}
    limit: AnswerLimit | None = None


class QueriedState(Situation, kw_only=True, forbid_unknown_fields=True):
    """The additional facts of one of several states, and its values of parameters."""

    set: Set = {}


class QueryBatch(RequestBody, kw_only=True, forbid_unknown_fields=True):
    """A query that is answered in each of some states."""

    query: QueryText
    states: Annotated[
        list[QueriedState], Meta(min_length=1, description="The states, in the order of the answer.")
    ]
    limit: AnswerLimit | None = None


class Why(Situation, kw_only=True, forbid_unknown_fields=True):
    """A fact to prove; for a pattern with variables, its first answer is proved."""

    fact: Annotated[Question, Meta(description="A fact or a pattern.", examples=["ancestor(ada, cleo)"])]
    set: Set = {}


class WhyNot(Situation, kw_only=True, forbid_unknown_fields=True):
    """A fact that does not hold, to be explained."""

    fact: Annotated[Question, Meta(description="A fact or a pattern.", examples=["ancestor(cleo, ada)"])]
    set: Set = {}
    depth: Annotated[
        int, Meta(ge=1, le=DEEPEST, description="The number of levels of failing conditions to explain.")
    ] = 3
    sets: Annotated[
        int,
        Meta(ge=0, le=MOST_SETS, description="The number of sets of changes that would suffice to list."),
    ] = 5


Game = (
    Annotated[str, Meta(description="The game to answer about; by default all.", examples=["take(c1)"])]
    | None
)
OnlyRules = Annotated[
    bool,
    Meta(
        description=(
            "Whether the rules are evaluated with the definitions of their conditions alone, and not with"
            " all clauses of the theory. Rules of games always are."
        )
    ),
]


class Match(Situation, kw_only=True, forbid_unknown_fields=True):
    """A state for the learned rules; the served facts do not count.

    A position of a game is given as `state` alone.
    """

    game: Game = None
    only_rules: OnlyRules = False


class MatchedState(Situation, kw_only=True, forbid_unknown_fields=True):
    """One of several states, as facts."""


class StateBatch(RequestBody, kw_only=True, forbid_unknown_fields=True):
    """States for the learned rules; the served facts do not count."""

    states: Annotated[
        list[StateText | MatchedState],
        Meta(min_length=1, description="The states, in the order of the answer, as texts or as facts."),
    ]
    game: Game = None
    only_rules: OnlyRules = False


class Advise(RequestBody, kw_only=True, forbid_unknown_fields=True):
    """A state for advice; the served facts do not count."""

    state: StateText
    what_if: (
        Annotated[
            str,
            Meta(description="A decision to judge, instead of giving advice.", examples=["buy(flour, 400)"]),
        ]
        | None
    ) = None


class Change(RequestBody, kw_only=True, forbid_unknown_fields=True):
    """Facts to add and facts to retract, all or none."""

    facts: Rows = {}
    add: Text = ""
    retract: Annotated[str, Meta(description="Facts to retract, in the language.")] = ""
    retract_facts: Annotated[
        dict[str, list[list[Value]]], Meta(description="Facts to retract, as tables.")
    ] = {}


class NewSession(Situation, kw_only=True, forbid_unknown_fields=True):
    """The initial facts of a session."""
