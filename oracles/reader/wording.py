"""Test whether a rule is in the language, which the argument of a certificate presupposes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from oracles.reader.language import Form, is_variable, kinds
from oracles.reader.linear import LEAST, MOST, RefusedError
from oracles.reader.theory import ReaderTheory, atoms, is_tensed, outside, own, variables

VALUES = {"G", "P", "I"}
ORDERED = ("<", "<=", ">", ">=")


def check(rule: Form, theory: ReaderTheory) -> None:
    """Raise Refused if no text of the language can express a rule."""
    _Check(rule, theory).run()


class _Check:
    def __init__(self, rule: Form, theory: ReaderTheory) -> None:
        self.head, self.body, self.theory = rule[2], rule[3], theory
        self.whole = (self.head, *self.body)
        self.tensed = is_tensed(rule)
        self.sorts: dict[str, str] = {}

    def run(self) -> None:
        met = Counter(v for c in self.whole for v in variables(c))
        if any(name.startswith("?_") and times > 1 for name, times in met.items()):
            raise RefusedError("a wildcard stands in two places")
        for condition in self.whole:
            self.condition(condition, nested=False)
        self.moments()
        shared = {v for c in self.whole for v in outside(c)}
        for condition in self.body:
            self.closed(condition, shared)
        self.bindings()
        self.scope(self.whole)

    # Statements

    def condition(self, condition: Form, *, nested: bool) -> None:
        match condition[0]:
            case "atom":
                self.atom(condition)
                if self.theory.kind(condition[2]) == "game":
                    raise RefusedError(f"a statement on the game `{condition[2]}` gives no value")
            case "game":
                self.atom(condition[1])
                if self.theory.kind(condition[1][2]) != "game":
                    raise RefusedError(f"`{condition[1][2]}` is no game")
                if condition[2] is not None:
                    self.atom(condition[2])
                    if self.theory.kind(condition[2][2]) != "action":
                        raise RefusedError(f"`{condition[2][2]}` is no action")
            case "all":
                self.atom(condition[2])
                for each in condition[3]:
                    self.condition(each, nested=True)
            case "count":
                for each in condition[3]:
                    self.atom(each)
            case "absent" | "aggregate":
                for each in condition[-1]:
                    self.summed_up(each)

    def summed_up(self, condition: Form) -> None:
        """Check a condition in an absence or an aggregate, which must be complete in a given state."""
        if condition[0] not in ("atom", "compare", "absent", "aggregate"):
            raise RefusedError("a closed set, or a game, stands in an absence or an aggregate")
        if condition[0] == "atom" and (
            self.theory.kind(condition[2]) in ("action", "game") or condition[1] == "after"
        ):
            raise RefusedError(f"more may be true of `{condition[2]}`")
        self.condition(condition, nested=True)

    def atom(self, atom: Form) -> None:
        _, tense, name, terms = atom
        if name not in self.theory.predicates or self.theory.kind(name) == "meta":
            raise RefusedError(f"`{name}` is no predicate that a proof speaks of")
        if len(terms) != len(self.theory.predicates[name][3]):
            raise RefusedError(f"`{name}` has another number of columns")
        if tense is not None and not self.theory.has_tense(name):
            raise RefusedError(f"`{name}` has no moment")

    def moments(self) -> None:
        def can_change(condition: Form) -> list[Any]:
            return [a[1] for a in atoms(condition) if self.theory.has_tense(a[2])]

        head, body = can_change(self.head), [t for c in self.body for t in can_change(c)]
        if self.tensed and None in (*head, *body):
            raise RefusedError("some conditions say their moment, and others do not")
        name = self.head[2] if self.head[0] == "atom" else self.head[1][2]
        kind = self.theory.kind(name)
        if kind == "action":
            raise RefusedError("actions are never concluded")
        acts = any(self.theory.kind(a[2]) == "action" for c in self.body for a in atoms(c))
        if kind == "static" and (body or acts):
            raise RefusedError("statics follow from statics only")
        if acts and not self.tensed:
            raise RefusedError("a rule without moments speaks of the action that is taken")
        if head == ["before"] and "after" in body and kind != "game":
            raise RefusedError("what was is concluded from what will be")

    # Closed sets

    def closed(self, condition: Form, others: set[str]) -> None:
        if condition[0] not in ("all", "count"):
            return
        names = own(condition)
        if len(set(names)) != len(names):
            raise RefusedError("a variable is listed twice")
        if set(names) & others:
            raise RefusedError("a listed variable stands outside too")
        for member in (condition[2],) if condition[0] == "all" else condition[3]:
            counter = self.theory.counter.get(member[2])
            if counter is None:
                raise RefusedError(f"nothing counts `{member[2]}`")
            width = len(member[3]) - len(self.theory.predicates[counter][3]) + 1
            if width != len(names) or member[3][len(member[3]) - width :] != names:
                raise RefusedError("the listed variables are not the last columns")
            if set(member[3][: len(member[3]) - width]) & set(names):
                raise RefusedError("a listed variable stands in the key")
        if condition[0] == "count":
            if set(names) & (set(variables(condition[1])) | set(condition[4])):
                raise RefusedError("a listed variable stands outside too")
            return
        inside = {v for c in condition[3] for v in outside(c)} - set(names)
        for each in condition[3]:
            self.closed(each, others | inside | set(names))

    # Variables

    def bindings(self) -> None:
        bound = {v for c in self.body if c[0] in ("atom", "game") for v in variables(c)}
        bound = self.given(self.body, bound)
        required = {v for c in self.whole for v in outside(c)}
        if not required <= bound:
            raise RefusedError(f"{min(required - bound)} is bound by no condition")
        for condition in self.body:
            self.bound_inside(condition, bound)
        self.summaries(self.body, set(variables(self.head)), bound)

    def summaries(self, conditions: tuple[Form, ...], outer: set[str], bound: set[str]) -> None:
        """Check the variables of absences and aggregates: other conditions bind the shared ones, the inside
        binds the rest.
        """
        for condition in conditions:
            if condition[0] not in ("absent", "aggregate"):
                continue
            shared = self.shared(condition, conditions) | (set(variables(condition[-1])) & outer)
            if not shared <= bound:
                raise RefusedError(f"{min(shared - bound)} is bound by no condition")
            inner = bound | {v for c in condition[-1] if c[0] == "atom" for v in variables(c)}
            inner = self.given(condition[-1], inner)
            required = {v for c in condition[-1] for v in outside(c)}
            if condition[0] == "aggregate":
                _, function, _, listed, _ = condition
                if len(set(listed)) != len(listed) or any(v.startswith("?_") for v in listed):
                    raise RefusedError("the variables of an aggregate are no different ones")
                if set(listed) & (shared | bound) or (function != "count" and len(listed) != 1):
                    raise RefusedError("the variables of an aggregate are not its own")
                required |= set(listed)
            if not required <= inner:
                raise RefusedError(f"{min(required - inner)} is bound by no condition inside")
            self.summaries(condition[-1], bound | outer, inner)

    @staticmethod
    def shared(condition: Form, conditions: tuple[Form, ...]) -> set[str]:
        """Return the variables inside an absence or an aggregate that occur outside of all of these.

        Two of these may have local variables of the same name.
        """
        others = {v for c in conditions if c is not condition for v in outside(c)}
        if condition[0] == "aggregate":
            others |= set(variables(condition[2]))
        return set(variables(condition[-1])) & others

    def given(self, conditions: tuple[Form, ...], bound: set[str]) -> set[str]:
        """Add the variables that `=` or a count gives a value."""
        changed = True
        while changed:
            changed = False
            for condition in conditions:
                more: set[str] = set()
                if condition[0] == "count" and outside(condition) - set(variables(condition[1])) <= bound:
                    more = set(variables(condition[1])) if is_variable(condition[1]) else set()
                elif condition[0] == "aggregate" and is_variable(condition[2]):
                    more = {condition[2]} if self.shared(condition, conditions) <= bound else set()
                elif condition[0] == "compare" and condition[1] == "=":
                    for one, other in (condition[2:], condition[2:][::-1]):
                        if is_variable(one) and set(variables(other)) <= bound:
                            more = {one}
                if not more <= bound:
                    bound, changed = bound | more, True
        return bound

    def bound_inside(self, condition: Form, bound: set[str]) -> None:
        if condition[0] != "all":
            return
        inner = bound | set(condition[1])
        inner |= {v for c in condition[3] if c[0] in ("atom", "game") for v in variables(c)}
        inner = self.given(condition[3], inner)
        required = {v for c in condition[3] for v in outside(c)}
        if not required <= inner:
            raise RefusedError(f"{min(required - inner)} is bound by no condition inside")
        for each in condition[3]:
            self.bound_inside(each, inner)

    # Sorts

    def scope(self, conditions: tuple[Form, ...]) -> None:
        """Find the sorts of the variables of some conditions, then those of the variables inside each.

        Local variables of two conditions may have one name and different sorts.
        """
        known = -1
        while known < len(self.sorts):  # `=` gives a sort to variables that occur in no column
            known = len(self.sorts)
            for condition in conditions:
                self.sorted(condition)
        around = self.sorts
        for condition in conditions:
            if condition[0] not in ("all", "absent", "aggregate"):
                continue
            self.sorts = dict(around)
            if condition[0] == "all":
                self.columns(condition[2])
            self.scope(condition[-1])
            if condition[0] == "aggregate" and condition[1] != "count":
                self.of(condition[3][0], "int")
        self.sorts = around

    def sorted(self, condition: Form) -> None:
        """Find the sorts that a condition gives to the variables that it shares with others."""
        match condition[0]:
            case "atom":
                self.columns(condition)
            case "game":
                self.columns(condition[1])
                if condition[2] is not None:
                    self.columns(condition[2])
                self.of(condition[3], "value")
            case "all":
                self.columns(condition[2], condition[1])
            case "count":
                for each in condition[3]:
                    self.columns(each, condition[2])
                self.of(condition[1], "int")
                for term in condition[4]:
                    sorts = {self.theory.predicates[m[2]][3][-1] for m in condition[3]}
                    for sort in sorts:
                        self.of(term, sort)
            case "aggregate":
                self.of(condition[2], "int")
            case "compare":
                self.compared(condition)

    def columns(self, atom: Form, without: tuple[str, ...] = ()) -> None:
        for term, sort in zip(atom[3], self.theory.predicates[atom[2]][3], strict=True):
            if term not in without:
                self.of(term, sort)

    def of(self, term: Form, sort: str) -> None:
        """Record that a term is in a column of a sort."""
        _, _, kind, words = self.theory.sorts[sort][:4]
        if isinstance(term, int):
            if kind not in ("integer", "mixed") or not LEAST <= term <= MOST:
                raise RefusedError(f"{term} is no {sort}")
        elif not is_variable(term):
            if sort == "value":
                if not (len(term) in (1, 2, 4) and set(term) <= VALUES):
                    raise RefusedError(f"{term} is no value of a game")
            elif kind == "integer" or (kind == "enumerated" and term not in words):
                raise RefusedError(f"{term} is no {sort}")
        else:
            known = self.sorts.setdefault(term, sort)
            if known == "int" and kind == "integer":
                self.sorts[term] = sort
            elif known != sort and not (sort == "int" and self.theory.is_integer(known)):
                raise RefusedError(f"{term} is of two sorts, {known} and {sort}")

    def compared(self, comparison: Form) -> None:
        _, operator, left, right = comparison
        results = {kinds(side)[1] for side in (left, right) if isinstance(side, tuple)}
        numeric = operator in ORDERED or "n" in results
        if results and not numeric:
            self.word(left)
            self.word(right)
            return
        sides = self.side(left, numeric), self.side(right, numeric)
        if any(sort is not None and self.theory.sorts[sort][2] == "mixed" for sort in sides):
            self.compared_with_both(left, right, sides)
            return
        for one, other in (sides, sides[::-1]):
            if one is not None and other is None:
                self.of(left if sides[0] is None else right, one)
        both = {
            sort if sort == "value" or not self.theory.is_integer(sort) else "int" for sort in sides if sort
        }
        if len(both) > 1:
            raise RefusedError("two things of different sorts are compared")

    def compared_with_both(self, left: Form, right: Form, sides: tuple[str | None, str | None]) -> None:
        """Check the second side if one side is of a sort of words and integers: it must be of that sort, or a
        constant.
        """
        for side, sort, other in ((left, sides[0], sides[1]), (right, sides[1], sides[0])):
            if is_variable(side) and sort is None and other is not None:
                self.of(side, other)
            elif is_variable(side) and sort != other and is_variable(left) and is_variable(right):
                raise RefusedError("two things of different sorts are compared")

    def side(self, side: Form, numeric: bool) -> str | None:
        """Return the sort of a side, or None if it is unknown."""
        if isinstance(side, tuple):
            taken, result = kinds(side)
            if result == "w":
                raise RefusedError(f"{side[0]} gives no number")
            self.operands(side, taken)
            return "int"
        if isinstance(side, int):
            self.of(side, "int")
            return "int"
        sort = self.sorts.get(side) if is_variable(side) else None
        if numeric and (not is_variable(side) or (sort is not None and not self.theory.is_integer(sort))):
            raise RefusedError(f"{side} is no number")
        return sort

    def operands(self, side: Form, taken: str) -> None:
        if side[0].startswith(("round_", "divide_", "percent_", "average_")):
            for digits in side[2 if side[0].startswith("round_") else 3 :]:
                if type(digits) is not int or not 0 <= digits <= 15:
                    raise RefusedError(f"{digits} is no number of digits")
        for part, kind in zip(side[1:], taken, strict=True):
            if kind == "n":
                self.side(part, True)
            else:
                self.word(part)

    def word(self, side: Form) -> None:
        """Refuse a side that is certainly no word."""
        if isinstance(side, tuple):
            taken, result = kinds(side)
            if result == "n":
                raise RefusedError(f"{side[0]} gives no word")
            self.operands(side, taken)
        elif isinstance(side, int):
            raise RefusedError(f"{side} is no word")
        elif side in self.sorts and self.theory.sorts[self.sorts[side]][2] in ("integer", "mixed"):
            raise RefusedError(f"{side} may be a number")
