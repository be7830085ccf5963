"""A theory as a game: its roles, legal actions, effects and end as a program of GDL.

- Legal actions: the facts of the predicates that allow actions. A player without one waits (`noop`) while
  another player has one.
- Who acts: the first column of such a predicate, if it has the sort of the deciding game's column.
- Effects: the conclusions about fluents after the action.
- The end: a player has won by an action if a rule concludes so without other values of this game, such as
  `before win(?p) by move(?f, ?t) is GI :- …`. Play also ends if no player has a legal action. Then a player
  has won if the theory concludes so after the last action.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON_TO_PLAY,
    Span,
    Statement,
    game_relation,
    predicate_of,
)
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Fact,
    Limits,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.errors import ArithmeticOverflowError, EngineError, NotStratifiedError
from hornbook.matcher.program.scope import variables
from hornbook.matcher.program.stratify import strata
from hornbook.planner.gdl.clauses import GdlAtom, GdlClause
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import WORD, FlatAtom, FlatRule, Relation, Shapes, width
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.plain_rules import PlainRule
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.grounding.relaxation import relax
from hornbook.planner.grounding.saturation import RelaxedSaturation, TooLarge
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.theory_games.closed_sets import refuse_open_sets
from hornbook.planner.theory_games.coded_theory import NUMBERS, CodedTheory, coded_theory
from hornbook.planner.theory_games.refused import NoGameError

WAIT = "noop"
"""The move of the player without a legal action, while another player has one."""
WON = "won"
"""The fluent of the winner by an action."""
WON_AT_END = "won_at_end"
"""The fluent of the winner at an end without a legal action."""
ENDS = (WON, WON_AT_END)
"""The fluents that every game of a theory has besides those of the theory."""
MOST_PLAYERS = 2
TRIED_STATES = 10_000
TRIED_SECONDS = 1.0
TRIED_PLIES = 500
"""The limits of the random games that look for a state where several players may act, or a key has two
values.
"""
_NOWHERE = Span("", 1, 1, 1, 1)
_RANGE = f"a game has the numbers 0 to {NUMBERS - 1}"
_TOO_LARGE = "the rules have too many instances: {}; use rules with fewer variables"
_LIMITS = Limits(facts=2_000_000, seconds=60.0, bytes=2 * 2**30)


def game_of(theory: Theory, facts: Iterable[GroundFact]) -> Game:
    """Return the game of a theory that begins in the state of some facts.

    Args:
        theory: The theory. It declares predicates with `allows`, and a game with one column: the player.
        facts: All facts of the first state, including statics that the theory does not state.

    Raises:
        NoGameError: The theory describes no game, or one that machines cannot play.
    """
    deciding = deciding_game(theory)
    coded = coded_theory(theory, deciding)
    given = list(facts)
    refuse_open_sets(coded, given)
    players = _constants(coded, given, deciding.columns[0].name)
    first = _GameWriter(coded, deciding, given, players)
    program = first.program(with_escapes=True)
    relaxation = relax(program)
    try:
        saturation = RelaxedSaturation(program, relaxation, _LIMITS)
    except TooLarge as problem:
        raise NoGameError(_TOO_LARGE.format(problem)) from None
    except EngineError as problem:
        rule = problem.rule if isinstance(problem, ArithmeticOverflowError) else None
        if not isinstance(rule, tuple):
            raise
        name = program.origins[relaxation.rules[rule[1]].origin].rule.head.name
        raise NoGameError(
            f"the rule `{name}` divides by zero or leaves 64 bits for some numbers of the game; add"
            " conditions that bound its numbers"
        ) from None
    first.refuse_escapes(saturation)
    active = [player for player in players if player in set(first.movers(saturation))]
    if len(active) > MOST_PLAYERS:
        raise NoGameError(f"{len(active)} players act ({', '.join(active)}); games of one or two are played")
    if not active:
        raise NoGameError(
            "no action is ever legal from the first state; the rules of predicates with `allows` decide"
        )
    return Game.of_program(_GameWriter(coded, deciding, given, active).program())


def network_of(game: Game) -> NetworkMachine:
    """Return the machine of the game of a theory.

    Raises NoGameError if it is too large, or if several players may act in a state of a random game.
    """
    try:
        machine = NetworkMachine(ground(game.program))
    except TooLarge as problem:
        raise NoGameError(_TOO_LARGE.format(problem)) from None
    if machine.core.playouts(1, TRIED_STATES, TRIED_SECONDS, TRIED_PLIES).stuck:
        raise NoGameError(
            "several players have legal actions in one state; the rules of the predicates with `allows` must"
            " say whose turn it is"
        )
    return machine


def refuse_contradictions(theory: Theory, machine: NetworkMachine) -> None:
    """Raise NoGameError if a state of some random games has two values for a key."""
    keys = {p.name: p.key for p in theory.vocabulary.predicates.values() if p.kind == "fluent"}
    random, core = Random(1), machine.core  # noqa: S311 - a game is no secret
    words: Sequence[int] = core.initial()
    for _ in range(TRIED_PLIES):
        known: dict[tuple[str, tuple[object, ...]], object] = {}
        for term in machine.state(words):
            name, values = (term, ()) if isinstance(term, str) else (str(term[0]), term[1:])
            key = keys.get(name)
            if key is not None and known.setdefault((name, values[:key]), values[key:]) != values[key:]:
                raise NoGameError(
                    f"after some actions `{name}` has two values for one key; `hornbook problems audit` and"
                    " `hornbook what-if` show the rules that conclude them"
                )
        core.look(words)
        legal = [core.legal(role) for role in range(len(machine.roles))]
        is_over = core.terminal() or not all(legal)
        words = core.initial() if is_over else core.next([random.choice(moves) for moves in legal])


def deciding_game(theory: Theory) -> Predicate:
    """Return the game that decides the play: the first one whose only column is the player.

    Raises NoGameError if the theory declares none, or no predicate that allows an action.
    """
    predicates = theory.vocabulary.predicates.values()
    if not any(predicate.allows is not None for predicate in predicates):
        raise NoGameError(
            f"`{theory.name}` declares no predicate whose facts are the legal actions; write for instance\n"
            "  derived legal(side, square, square) allows move."
        )
    for predicate in predicates:
        if predicate.kind == "game" and predicate.arity == 1:
            return predicate
    raise NoGameError(
        f"`{theory.name}` declares no game of one column, the player who wins it; write for instance\n"
        "  game win(side)."
    )


def _constants(coded: CodedTheory, facts: Sequence[GroundFact], sort: str) -> list[str]:
    """Return the words of a sort: those that it lists, or those in the facts and in the rules."""
    vocabulary = coded.theory.vocabulary
    declared = vocabulary.sorts[sort].constants if sort in vocabulary.sorts else ()
    if declared:
        return list(declared)
    found: dict[str, None] = {}
    for relation, values in coded.rows(facts):
        predicate = vocabulary.predicates.get(relation)
        if predicate is not None:
            for column, value in zip(predicate.columns, values, strict=True):
                if column.name == sort and value is not None:
                    found[str(value)] = None
    return list(found)


class _GameWriter:
    """The program of a game with some players."""

    def __init__(
        self, coded: CodedTheory, deciding: Predicate, facts: Sequence[GroundFact], players: Sequence[str]
    ) -> None:
        self.coded = coded
        self.coding = coded.coding
        self.deciding = deciding
        self.players = players
        self.predicates = [CodedPredicate(each.arity) for each in coded.coding.predicates]
        self.numbers: dict[Relation, PredicateId] = {}
        for number, relation in enumerate(coded.coding.relations):
            name = f"{relation.template.relation} {relation.template.tense or 'always'}"
            self.numbers[name, (WORD,) * len(relation.columns)] = number
        self.rules: list[CodedRule] = []
        self.origins: list[FlatRule] = []
        self.facts: list[Fact] = []
        self.given = facts

    def program(self, *, with_escapes: bool = False) -> CodedGame:
        """Return the program. Raises NoGameError if a relation depends on its own absence.

        `with_escapes` adds a relation for numbers outside of the range, whose rows are the numbers of rules.
        """
        self._add_theory(with_escapes=with_escapes)
        self._add_roles()
        self._add_fluents()
        self._add_actions()
        self._add_end()
        try:
            order = strata(self.rules)
        except NotStratifiedError as problem:
            names = dict.fromkeys(name for (name, _), n in self.numbers.items() if n in problem.cycle)
            raise NoGameError(
                f"a condition with `all` or `absent` depends on itself: {' → '.join(names)}; a game that is"
                " played by its rules needs relations without such a circle"
            ) from None
        words = tuple(map(str, self.coding.words()))
        return CodedGame(
            self.numbers, tuple(self.predicates), words, tuple(self.facts), tuple(self.rules),
            tuple(self.origins), order,
        )  # fmt: skip

    # The theory

    def _add_theory(self, *, with_escapes: bool) -> None:
        for rule, origin in self.coded.rules:
            self._require_numbers(rule, origin.name)
            if not origin.body:
                self._require_static(origin.head)
            bounded = self._bounds(rule)
            tests = tuple(test for number in bounded for test in self._tests(number, bounded[number]))
            self._add(rule.head, (*rule.body, *tests), origin.name, origin.span)
            if with_escapes:
                for variable, most in bounded.items():
                    if most is None:
                        self._add_escape(rule, variable)
        for statement in self.coded.theory.facts:
            fact = self.coding.fact_of(statement)
            if fact.predicate in self.coded.needed:
                self._require_static(statement)
                self._in_range(ground_fact(statement))
                self.facts.append(fact)
        for given in self.given:
            predicate = self.coding.vocabulary.predicates.get(given.relation)
            if predicate is not None and predicate.kind == "static":
                self._in_range(given)
                self.facts.append(self.coding.fact(given))
        self.facts = list(dict.fromkeys(self.facts))

    def _require_static(self, statement: Statement) -> None:
        """Raise NoGameError if a fact that the theory states cannot be one of every state."""
        predicate = self.coding.vocabulary.predicates[predicate_of(statement)]
        if predicate.kind == "fluent":
            raise NoGameError(
                f"the theory states `{print_condition(statement)}`, which would then be true of every state;"
                " move it to the example"
            )

    def _require_numbers(self, rule: CodedRule, name: str) -> None:
        """Raise NoGameError if a conclusion has a number out of range."""
        columns = self.coding.relations[rule.head.predicate].columns
        for term, kind in zip(rule.head.terms, columns, strict=True):
            if kind == "integer" and isinstance(term, int) and not 0 <= term < NUMBERS:
                raise NoGameError(f"the rule `{name}` concludes the number {term}; {_RANGE}")

    def _bounds(self, rule: CodedRule) -> dict[Var, int | None]:
        """Return the variables of a conclusion that are calculated, each with a greatest value.

        The value is None for the bound of all numbers of a game, beyond which an error is reported.
        """
        matched = {
            term for condition in rule.body if isinstance(condition, Match) for term in condition.terms
        }
        columns = self.coding.relations[rule.head.predicate].columns
        return {
            term: self._largest_count(rule.head.predicate)
            for term, kind in zip(rule.head.terms, columns, strict=True)
            if isinstance(term, Var) and kind == "integer" and term not in matched
        }

    def _largest_count(self, number: PredicateId) -> int | None:
        """Return an upper bound of the values of a predicate that counts a set, or None."""
        relation = self.coding.relations[number].template.relation
        predicate = self.coding.vocabulary.predicates.get(relation)
        if predicate is None or predicate.closes is None or predicate.key is None:
            return None
        size = 1
        for column in self.coding.vocabulary.predicates[predicate.closes].columns[predicate.key :]:
            if self.coding.kind(column.name) == "integer":
                return None
            size *= len(_constants(self.coded, self.given, column.name))
        return size if size < NUMBERS else None

    def _tests(self, variable: Var, most: int | None) -> tuple[CodedCondition, ...]:
        return (
            Compare(">=", variable, 0),
            Compare("<=", variable, NUMBERS - 1 if most is None else most),
        )

    def _add_escape(self, rule: CodedRule, variable: Var) -> None:
        head = Match(self._relation("escape ", (WORD,)), (len(self.rules) - 1,))
        origin = self.origins[-1].rule.clause
        for outside in (Compare("<", variable, 0), Compare(">", variable, NUMBERS - 1)):
            self._add(head, (*rule.body, outside), origin.head.name, origin.span)

    def refuse_escapes(self, saturation: RelaxedSaturation) -> None:
        """Raise NoGameError if the conclusion of a rule may have a number that is out of range."""
        number = self.numbers.get(("escape ", (WORD,)))
        rows = b"" if number is None else saturation.atoms(number).cells
        if rows:
            rule = self.origins[array("q", rows)[0]].rule.clause
            raise NoGameError(
                f"the rule `{rule.head.name}` (line {rule.span.line}) may conclude numbers without a limit;"
                f" {_RANGE}: add conditions such as `?n >= 0, ?n <= 64`"
            )

    def _in_range(self, fact: GroundFact) -> None:
        for value in fact.values:
            if isinstance(value, int) and not 0 <= value < NUMBERS:
                raise NoGameError(f"a fact of `{fact.relation}` has the number {value}; {_RANGE}")

    # The relations of GDL

    def _add_roles(self) -> None:
        role = self._relation("role", (WORD,))
        self.facts += (Fact(role, (self._word(player),)) for player in self.players)

    def _add_fluents(self) -> None:
        concluded = {rule.head.predicate for rule, _ in self.coded.rules}
        for predicate in self.coded.fluents():
            before = self.coded.number(predicate.name, "before")
            after = self.coded.number(predicate.name, "after")
            shapes, columns, head = self._term(predicate.name, predicate.arity)
            if before in concluded or not predicate.arity:
                true = self._relation("true", shapes)
                self._add(Match(before, columns), (Match(true, head),), predicate.name, predicate.span)
            else:
                self.numbers["true", shapes] = before
            if predicate.arity:
                self.numbers["next", shapes] = after
            else:
                self._add(
                    Match(self._relation("next", shapes), head),
                    (Match(after, ()),),
                    predicate.name,
                    predicate.span,
                )
            self._relation("init", shapes)
        for fact in self.given:
            given = self.coding.vocabulary.predicates.get(fact.relation)
            if given is not None and given.kind == "fluent" and fact.tense != "after":
                number = self.numbers.get(("init", self._term(given.name, given.arity)[0]))
                if number is not None and self.coded.number(given.name) in self.coded.needed:
                    self._in_range(fact)
                    cells = self.coding.fact(fact).cells or (self._word(given.name),)
                    self.facts.append(Fact(number, cells))

    def _term(self, name: str, arity: int) -> tuple[Shapes, tuple[Var, ...], tuple[CodedTerm, ...]]:
        """Return the shapes of a term, the variables of its arguments, and the columns of the term."""
        columns = tuple(map(Var, range(arity)))
        if arity:
            return ((name, (WORD,) * arity),), columns, columns
        return (WORD,), (), (self._word(name),)

    def _allowing(self) -> Iterator[tuple[Predicate, Predicate]]:
        """Yield the predicates that allow actions, each with its action."""
        predicates = self.coding.vocabulary.predicates
        for predicate in predicates.values():
            if predicate.allows is not None:
                yield predicate, predicates[predicate.allows.name]

    def _add_actions(self) -> None:
        chooser = self._relation("chooser ", (WORD,))
        for predicate, action in self._allowing():
            if action.name == WAIT:
                raise NoGameError(f"`{WAIT}` is the move of who waits; give this action another name")
            shape, _, _ = self._term(action.name, action.arity)
            legal, does = (self._relation(name, (WORD, *shape)) for name in ("legal", "does"))
            columns = tuple(map(Var, range(predicate.arity)))
            own = columns[predicate.arity - action.arity :]
            player = self._player(predicate, columns)
            allowed = Match(self.coded.number(predicate.name), columns)
            is_role = Match(self.numbers["role", (WORD,)], (player,))
            moved = own or (self._word(action.name),)
            others = self._without_others(player, chooser, Var(predicate.arity))
            self._add(
                Match(legal, (player, *moved)), (allowed, is_role, *others), predicate.name, predicate.span
            )
            self._add(Match(chooser, (player,)), (allowed, is_role), predicate.name, predicate.span)
            done = tuple(map(Var, range(action.arity)))
            taken = (Var(action.arity), *(done or moved))
            self._add(
                Match(self.coded.number(action.name), done), (Match(does, taken),), action.name, action.span
            )
        if len(self.players) > 1:
            legal, role = self._relation("legal", (WORD, WORD)), self.numbers["role", (WORD,)]
            self._relation("does", (WORD, WORD))
            waits = (
                Match(role, (Var(0),)),
                Match(chooser, (Var(1),)),
                AbsentOf((Match(chooser, (Var(0),)),)),
            )
            self._add(Match(legal, (Var(0), self._word(WAIT))), waits, WAIT)

    def _without_others(
        self, player: CodedTerm, chooser: PredicateId, other: Var
    ) -> tuple[CodedCondition, ...]:
        """Return the condition that no other player has a legal action.

        If two players have one, none of them is played, so the effects of two actions are never joined.
        """
        if len(self.players) == 1:
            return ()
        return (AbsentOf((Match(chooser, (other,)), Compare("!=", other, player))),)

    def _player(self, predicate: Predicate, columns: Sequence[Var]) -> CodedTerm:
        """Return the term for who acts. Raises NoGameError if it is unknown."""
        if columns and predicate.columns[0].name == self.deciding.columns[0].name:
            return columns[0]
        if len(self.players) == 1:
            return self._word(self.players[0])
        raise NoGameError(
            f"no column of `{predicate.name}` names who acts: its first column needs the sort"
            f" `{self.deciding.columns[0].name}` of `{self.deciding.name}`"
        )

    def _add_end(self) -> None:
        role, chooser = self.numbers["role", (WORD,)], self.numbers["chooser ", (WORD,)]
        game, span = self.deciding.name, self.deciding.span
        winner, x, y = self._relation("winner ", (WORD,)), Var(0), Var(1)
        won: dict[str, tuple[PredicateId, PredicateId]] = {}
        for name in ENDS:
            if name in self.coding.vocabulary.predicates:
                raise NoGameError(f"every game has a fluent `{name}`; give this predicate another name")
            shapes: Shapes = ((name, (WORD,)),)
            won[name] = self._relation("true", shapes), self._relation("next", shapes)
            self._relation("init", shapes)
        by_action = Match(won[WON][0], (y,))
        self._add(Match(winner, (x,)), (Match(won[WON][0], (x,)),), WON)
        self._add(Match(winner, (x,)), (Match(won[WON_AT_END][0], (x,)), AbsentOf((by_action,))), WON_AT_END)
        for _, action in self._allowing():
            number = self.coded.number(game_relation(game, action.name))
            own = tuple(Var(place + 1) for place in range(action.arity))
            done = Match(self.coded.number(action.name), own)
            for value in (*WON_TO_PLAY, SECOND_PLAYER_WIN):
                body = (Match(number, (x, *own, self._word(str(value.value)))), done)
                self._add(Match(won[WON][1], (x,)), body, game, span)
        at_end = self.coded.number(game_relation(game, None), "after")
        for value in (*WON_TO_PLAY, SECOND_PLAYER_WIN):
            body_at_end = (Match(at_end, (x, self._word(str(value.value)))),)
            self._add(Match(won[WON_AT_END][1], (x,)), body_at_end, game, span)
        terminal = Match(self._relation("terminal", ()), ())
        self._add(terminal, (AbsentOf((Match(chooser, (x,)),)),), "terminal")
        self._add(terminal, (Match(won[WON][0], (x,)),), "terminal")
        goal, is_role = self._relation("goal", (WORD, WORD)), Match(role, (x,))
        self._add(Match(goal, (x, self._word("100"))), (is_role, Match(winner, (x,))), "goal")
        lost = (is_role, Match(winner, (y,)), AbsentOf((Match(winner, (x,)),)))
        self._add(Match(goal, (x, self._word("0"))), lost, "goal")
        open_ = "50" if len(self.players) > 1 else "0"
        self._add(Match(goal, (x, self._word(open_))), (is_role, AbsentOf((Match(winner, (y,)),))), "goal")

    def movers(self, saturation: RelaxedSaturation) -> list[str]:
        """Return the players for whom an action may be legal in some state."""
        rows = saturation.atoms(self.numbers["chooser ", (WORD,)])
        words = self.coding.words()
        return [str(words[cell]) for cell in array("q", rows.cells)]

    def _word(self, word: str) -> int:
        return self.coding.cell(word, "word")

    def _relation(self, name: str, shapes: Shapes) -> PredicateId:
        """Return the number of a relation. A new one gets the next number."""
        relation = name, shapes
        if relation not in self.numbers:
            self.numbers[relation] = len(self.predicates)
            self.predicates.append(CodedPredicate(sum(map(width, shapes))))
        return self.numbers[relation]

    def _add(
        self, head: Match, body: tuple[CodedCondition, ...], name: str, span: Span | None = None
    ) -> None:
        clause = GdlClause(GdlAtom(name, (), span or _NOWHERE), (), span or _NOWHERE)
        number = len(self.rules)
        size = max(variables((head, body)), default=-1) + 1
        self.rules.append(CodedRule(number, head, body, size))
        self.origins.append(FlatRule(FlatAtom((name, ()), ()), (), PlainRule(clause.head, (), clause)))
