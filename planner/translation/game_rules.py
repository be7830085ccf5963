"""The game of a translated sheet: its continuation, legal moves, replies, and wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON,
    Atom,
    Comparison,
    Condition,
    GameStatement,
    Span,
    Variable,
)
from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.translation.absences import Absences
from hornbook.planner.translation.grounding import Row
from hornbook.planner.translation.refused import UntranslatableError
from hornbook.planner.translation.sorts import WORTH
from hornbook.planner.translation.translator import Terms
from hornbook.planner.translation.variant import Action

GOING, GAME, GIVE_UP = "going", "reach", "give_up"
_WHO, _WORTH, _POINTS, _OTHER = map(Variable, ("who", "worth", "points", "other"))
_NOWHERE = Span("", 1, 1, 1, 1)


class GameRules(Absences):
    """The translation with the game `reach(role, worth)`: at least `worth` points for that role."""

    def write_game(self) -> Replies | None:
        """Write all rules, and return the replies of an opponent, if there is one."""
        self.theory.declare("fluent", GOING, ())
        self.theory.declare("game", GAME, ("role", WORTH))
        worths = [r for r in self.ground.facts if r[0] == "goal" and self.ground.has(r)]
        rows = frozenset((row[1],) for relation in worths for row in self.ground.has(relation))
        self.theory.names.fresh("worth_of")
        self.theory.declare("static", "worth", (WORTH,))
        self.theory.state("worth", rows)
        self._legal()
        self.write()
        self._going()
        for relation in worths:
            for action in self.actions.values():
                self._wins(action, relation)
        replies = self._replies() if self.turns.fluent is not None else None
        for action in self.actions.values():
            by = self._any(action)
            head = GameStatement(self._game(None), None, WON)
            wins = GameStatement(self._game(None), Atom(action.name, (_WHO, *by)), WON)
            self.theory.add(f"one_{action.name}_is_enough", head, [wins])
        self.write_waiting()
        return replies

    @property
    def points(self) -> tuple[int, ...]:
        """Return the possible goal values, sorted."""
        return tuple(sorted(int(row[0]) for row in self.theory.facts["worth"]))

    # Legal moves

    def _legal(self) -> None:
        for action in self.actions.values():
            legal: Relation = ("legal", action.relation[1])
            for number in self.ground.of.get(legal, ()):
                if self.turns.fluent is not None and not self._in_turn(number):
                    continue
                rule = self.rule_at(number)
                terms = Terms(self.sorts, number)
                found = terms.all_of(action.relation, rule.columns)
                first: list[Condition] = [Atom(GOING, ()), *self.turn(found[0], None)]
                for body in self.combinations(rule.body, terms, None, self.outside_of(number)):
                    self.theory.add(self.label(legal, number), Atom(action.may, found), [*first, *body])

    def _going(self) -> None:
        """Add the rules for the continuation of the game after an action that does not end it."""
        over: Relation = ("terminal", ())
        if not self.ground.has(over):
            raise UntranslatableError("the game is never over")
        self.predicate(over)
        for action in self.actions.values():
            done = self._done(action, _WHO)
            self.theory.add(
                f"it_goes_on_after_{action.name}",
                Atom(GOING, (), "after"),
                [*done, Atom(self.absence(over), (), "after")],
            )
        self.write_waiting()

    def _any(self, action: Action) -> tuple[Variable, ...]:
        return tuple(Variable(f"with_{c}") for c in range(1, self._width(action.relation)))

    def _width(self, relation: Relation) -> int:
        return len(next(iter(self.ground.has(relation))))

    def _done(self, action: Action, who: Variable) -> list[Condition]:
        found = (who, *self._any(action))
        return [Atom(action.name, found), Atom(action.may, found, "before")]

    # Wins

    def _game(self, tense: str | None) -> Atom:
        return Atom(GAME, (_WHO, _WORTH), tense)  # type: ignore[arg-type]

    def _wins(self, action: Action, goal: Relation) -> None:
        done = self._done(action, _WHO)
        by = Atom(action.name, (_WHO, *self._any(action)))
        wins = GameStatement(self._game("before"), by, WON)
        ended: list[Condition] = [
            Atom(self.predicate(("terminal", ())), (), "after"),
            Atom(self.predicate(goal), (_WHO, _POINTS), "after"),
            Atom("worth", (_WORTH,)),
            Comparison(">=", _POINTS, _WORTH),
        ]
        after = self._game("after")
        self.theory.add(f"{action.name}_ends_it_well", wins, [*done, *ended])
        if self.turns.fluent is None:
            return
        self.theory.add(
            f"{action.name}_against_every_reply", wins, [*done, GameStatement(after, None, SECOND_PLAYER_WIN)]
        )
        theirs = [*self._done(action, _OTHER), Atom(self._roles(), (_WHO,)), Comparison("!=", _OTHER, _WHO)]
        self.theory.add(
            f"their_{action.name}_ends_it_well", GameStatement(after, None, WON), [*theirs, *ended]
        )

    def _roles(self) -> str:
        return self.static(next(r for r in self.ground.facts if r[0] == "role"))

    # Replies

    def _replies(self) -> Replies:
        """Return the replies of the player to move: all possible moves whose absence is not derivable.

        No player needs `give_up`. It guarantees that there is a reply, and the player who uses it has lost.
        """
        mover = self.names.fresh("mover")
        self.theory.declare("derived", mover, ("role",))
        self.theory.declare("action", GIVE_UP, ("role",))
        both: tuple[Condition, ...] = (
            Atom(self._roles(), (_WHO,)),
            Atom(GOING, ()),
            *self.turn(_OTHER, None),
            Comparison("!=", _OTHER, _WHO),
        )
        won = GameStatement(self._game("after"), None, WON)
        of_another: list[Condition] = [
            Atom(self._roles(), (_WHO,)),
            Comparison("!=", _OTHER, _WHO),
            Atom("worth", (_WORTH,)),
        ]
        cases: list[ReplyCase] = []
        for action in self.actions.values():
            by = self._any(action)
            found = (_OTHER, *by)
            self.theory.add(f"may_{action.name}", Atom(mover, (_WHO,)), [Atom(action.may, (_WHO, *by))])
            unless = Atom(self.absence(("legal", action.relation[1])), found)
            closed = tuple(self._closed(action, found))
            cases.append(ReplyCase(Atom(action.name, found), (*both, *closed), unless))
            impossible: list[Condition] = [Atom(action.name, found), replace(unless, tense="before")]
            self.theory.add(f"no_{action.name}_is_possible", won, [*impossible, *of_another])
        cases.append(ReplyCase(Atom(GIVE_UP, (_OTHER,)), (*both, Atom(mover, (_OTHER,))), None))
        lost: list[Condition] = [Atom(GIVE_UP, (_OTHER,)), Atom(mover, (_OTHER,), "before")]
        self.theory.add("who_gives_up_has_lost", won, [*lost, *of_another])
        self.write_waiting()
        return Replies(Atom(GAME, (_WHO, Variable("_worth"))), tuple(cases), _NOWHERE)

    def _closed(self, action: Action, found: tuple[Variable, ...]) -> Iterator[Condition]:
        """Yield, for each argument of a move, the closed set of its possible values."""
        rows = self.ground.has(("legal", action.relation[1]))
        sorts = self.sorts.of_columns(action.relation, len(found))
        for column in range(1, len(found)):
            key = list(range(column))
            for each in range(column):
                less = [c for c in key if c != each]
                if _same_values(rows, key, less, column):
                    key = less
            members = frozenset(tuple(row[c] for c in (*key, column)) for row in rows)
            kinds = tuple(sorts[c] for c in (*key, column))
            name = self.theory.table(f"{action.name}_about_{column}", kinds, members)
            name, _ = self._count_name(name, kinds, len(key), members)
            yield Atom(name, tuple(found[c] for c in (*key, column)))


def _same_values(rows: frozenset[Row], key: list[int], less: list[int], column: int) -> bool:
    """Return whether fewer key columns determine the values of a column equally well."""
    of_key: dict[Row, set[str]] = {}
    of_less: dict[Row, set[str]] = {}
    for row in rows:
        of_key.setdefault(tuple(row[c] for c in key), set()).add(row[column])
        of_less.setdefault(tuple(row[c] for c in less), set()).add(row[column])
    return all(of_key[tuple(row[c] for c in key)] == of_less[tuple(row[c] for c in less)] for row in rows)
