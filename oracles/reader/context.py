"""The known conditions within a proof, and the checks of a certificate against them.

Nothing is searched, everything is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from oracles.reader.forms import put
from oracles.reader.language import READ, Form, is_variable, kinds
from oracles.reader.linear import (
    GREATEST,
    LEAST,
    MOST,
    NEGATED,
    Constraints,
    RefusedError,
    alternatives,
    refute,
)
from oracles.reader.theory import Moment, ReaderTheory, outside, own, variables

Place = tuple[Any, Moment]
MAY_USE = Callable[[str, Place], bool]
"""A function that returns whether a key (`"key"`) or a count (`"count"`) may be used at a place."""
DEEPEST = 60
ORDERED = ("<", "<=", ">", ">=")


def is_statement(condition: Form) -> bool:
    return condition[0] in ("atom", "game")


class ReaderContext:
    def __init__(self, theory: ReaderTheory, may_use: MAY_USE, own: Iterable[str]) -> None:
        self.theory, self.may_use, self.own = theory, may_use, set(own)
        self.known: list[tuple[Form, Moment]] = []
        self.leader: dict[str, Form] = {}
        self.contradictory = False
        self.depth = 0
        self.inversions = 0
        self.smaller: frozenset[int] = frozenset()
        """The numbers of the conditions that an induction may use."""
        self._numbers: tuple[Any, set[Form]] = None, set()

    def within(self, own: Iterable[str] = ()) -> ReaderContext:
        """Return a context with the same known conditions and further variables."""
        inner = ReaderContext(self.theory, self.may_use, self.own | set(own))
        inner.known, inner.leader, inner.contradictory = self.known[:], dict(self.leader), self.contradictory
        inner.depth, inner.inversions, inner.smaller = self.depth, self.inversions, self.smaller
        return inner

    # Known conditions

    def learn(self, condition: Form, moment: Moment) -> None:
        self.known.append((condition, moment))
        if condition[:2] == ("compare", "=") and not any(isinstance(side, tuple) for side in condition[2:]):
            self.merge(*condition[2:])

    def merge(self, one: Form, other: Form) -> None:
        one, other = self.one(one), self.one(other)
        if _same(one, other):
            return
        if not is_variable(one):
            one, other = other, one
        if is_variable(one):
            self.leader[one] = other
        else:
            self.contradictory = True

    def one(self, term: Form) -> Form:
        """Return the representative of a term's class: its constant if it has one."""
        while is_variable(term) and term in self.leader:
            term = self.leader[term]
        return term

    def same(self, one: Form, other: Form) -> bool:
        return _same(self.one(one), self.one(other))

    def all_same(self, some: Sequence[Form], others: Sequence[Form]) -> bool:
        return len(some) == len(others) and all(map(self.same, some, others))

    def two(self, one: Form, other: Form) -> bool:
        """Return whether two terms are different constants."""
        one, other = self.one(one), self.one(other)
        return not is_variable(one) and not is_variable(other) and not _same(one, other)

    def place(self, statement: Form, moment: Moment) -> Place:
        if statement[0] == "game":
            return (statement[1][2], statement[2] and statement[2][2]), statement[1][1] or moment or "before"
        name = statement[2]
        return name, (statement[1] or moment or "before") if self.theory.has_tense(name) else None

    @staticmethod
    def row(statement: Form) -> tuple[Form, ...]:
        if statement[0] == "atom":
            return tuple(statement[3])
        _, game, action, value = statement
        return (*game[3], *(action[3] if action else ()), value)

    def sorts(self, statement: Form) -> tuple[str, ...]:
        if statement[0] == "atom":
            return self.theory.predicates[statement[2]][3]  # type: ignore[no-any-return]
        _, game, action, _ = statement
        columns = self.theory.predicates[game[2]][3]
        return (*columns, *(self.theory.predicates[action[2]][3] if action else ()), "value")

    def get(self, number: Any, kind: str = "") -> tuple[Form, Moment]:
        """Return the known condition with a number.

        Raise Refused if there is none, or if it has another kind.
        """
        if type(number) is not int or not 0 <= number < len(self.known):
            raise RefusedError(f"nothing known has the number {number!r}")
        condition, moment = self.known[number]
        fits = is_statement(condition) if kind == "statement" else kind in ("", condition[0])
        if not fits:
            raise RefusedError(f"what is known as {number} is another kind of condition")
        return condition, moment

    def numbers(self) -> set[Form]:
        """Return the classes of numbers."""
        state = len(self.known), len(self.leader)
        if self._numbers[0] != state:
            self._numbers = state, self._found_numbers()
        return self._numbers[1]

    def _found_numbers(self) -> set[Form]:
        found: set[Form] = set()
        pairs: list[tuple[Form, Form]] = []
        for condition, _ in self.known:
            if is_statement(condition):
                for term, sort in zip(self.row(condition), self.sorts(condition), strict=True):
                    if self.theory.sorts[sort][2] == "integer":
                        found.add(self.one(term))
            elif condition[0] in ("count", "aggregate"):
                found.add(self.one(condition[1 if condition[0] == "count" else 2]))
            elif condition[0] == "compare":
                _, operator, left, right = condition
                if operator in ORDERED or any(
                    isinstance(side, tuple) and kinds(side)[1] == "n" for side in (left, right)
                ):
                    found |= {self.one(v) for side in (left, right) for v in in_numbers(side)}
                else:
                    pairs.append((self.one(left), self.one(right)))
        while True:
            more = {
                b
                for pair in pairs
                for a, b in (pair, pair[::-1])
                if (a in found or type(a) is int) and is_variable(b)
            }
            if more <= found:
                return found
            found |= more

    def is_number(self, side: Form, numbers: set[Form] | None = None) -> bool:
        numbers = self.numbers() if numbers is None else numbers
        if isinstance(side, tuple):
            taken, result = kinds(side)
            of_parts = zip(side[1:], taken, strict=True)
            return result == "n" and all(
                kind == "w" or self.is_number(part, numbers) for part, kind in of_parts
            )
        side = self.one(side)
        return type(side) is int or side in numbers

    # Notes

    def notes(self, data: Any) -> None:
        for note in listed(data):
            match note:
                case ["fact", str(name), list(terms)]:
                    fact = ("atom", None, name, tuple(map(term, terms)))
                    if fact not in self.theory.statics:
                        raise RefusedError(f"the theory does not state that of `{name}`")
                    self.learn(fact, None)
                case ["key", i, j]:
                    self._key(i, j)
                case ["member", i, j]:
                    self._member(i, j)
                case ["sizes", i, j]:
                    (one, at), (other, then) = self.get(i, "count"), self.get(j, "count")
                    self.one_union(one, at, other, then)
                    for each, moment in ((one, at), (other, then)):
                        for member in each[3]:
                            self.use("count", self.place(member, moment))
                    self.learn(("compare", "=", one[1], other[1]), None)
                case _:
                    raise RefusedError("a note of no known form")

    def use(self, kind: str, place: Place) -> None:
        if not self.may_use(kind, place):
            raise RefusedError(f"no proof rests on the {kind} of {place}")

    def keyed(self, i: Any, j: Any, *, actions: bool = False) -> tuple[Form, Form, int]:
        """Return two statements at one place, and the number of columns of their key.

        Raise Refused if no key may be used.
        """
        (one, at), (other, then) = self.get(i, "atom"), self.get(j, "atom")
        place = self.place(one, at)
        if place != self.place(other, then):
            raise RefusedError("the two stand at different places")
        if actions and self.theory.kind(one[2]) == "action":
            return one, other, 0
        key = self.theory.predicates[one[2]][4]
        if key is None:
            raise RefusedError(f"`{one[2]}` has no key")
        self.use("key", place)
        return one, other, key

    def _key(self, i: Any, j: Any) -> None:
        one, other, key = self.keyed(i, j, actions=True)
        if not self.all_same(one[3][:key], other[3][:key]):
            raise RefusedError("the two keys are not one")
        for a, b in zip(one[3][key:], other[3][key:], strict=True):
            self.merge(a, b)

    def _member(self, i: Any, j: Any) -> None:
        (each, moment), (member, then) = self.get(i, "all"), self.get(j, "atom")
        row = self.row_of_member(each[2], each[1], moment, member, then)
        self.use("count", self.place(each[2], moment))
        others = self.own | set(each[1])
        for condition in each[3]:
            if set(variables(condition)) <= others:
                self.learn(put(condition, dict(zip(each[1], row, strict=True))), moment)

    # Proofs of conditions

    def proved(self, condition: Form, moment: Moment, proof: Any) -> None:
        """Raise Refused if the proof does not prove the condition."""
        match condition[0]:
            case "atom" | "game":
                self.stated(condition, moment, proof)
            case "compare":
                self.compared(condition, proof)
            case "all":
                self._all(condition, moment, proof)
            case "count":
                self._count(condition, moment, proof)
            case _:
                self._summary(condition, moment, proof)

    def stated(self, statement: Form, moment: Moment, proof: Any) -> None:
        known, then = self.get(proof, "statement")
        if self.place(known, then) != self.place(statement, moment):
            raise RefusedError(f"`{self.place(statement, moment)}` is asked for, and another place shown")
        if not self.all_same(self.row(statement), self.row(known)):
            raise RefusedError(f"{self.row(statement)} is not shown to be {self.row(known)}")

    def compared(self, comparison: Form, proof: Any) -> None:
        _, operator, left, right = comparison
        plain = not isinstance(left, tuple) and not isinstance(right, tuple)
        match proof:
            case int():
                known, _ = self.get(proof, "compare")
                if not any(self._reads(comparison, each) for each in (known, mirrored(known))):
                    raise RefusedError("another comparison is known")
            case ["same"]:
                if not (plain and operator == "=" and self.same(left, right)):
                    raise RefusedError(f"{left} is not shown to be {right}")
            case ["apart", how]:
                if not plain or operator != "!=":
                    raise RefusedError("only things are told apart")
                self.apart(left, right, how)
            case ["linear", premises, cases, f, g]:
                self.linear(comparison, premises, cases)
                self.carried_out(left, f)
                self.carried_out(right, g)
            case _:
                raise RefusedError("a proof of a comparison of no known form")

    def _reads(self, one: Form, other: Form) -> bool:
        return one[1] == other[1] and self.reads(one[2], other[2]) and self.reads(one[3], other[3])

    def reads(self, one: Form, other: Form) -> bool:
        """Return whether two sides are equal after each term is replaced by its representative."""
        if isinstance(one, tuple) and isinstance(other, tuple):
            return one[0] == other[0] and all(map(self.reads, one[1:], other[1:]))
        return not isinstance(one, tuple) and not isinstance(other, tuple) and self.same(one, other)

    def apart(self, one: Form, other: Form, how: Any) -> None:
        """Raise Refused if two terms are not shown to differ."""
        match how:
            case None:
                if not self.two(one, other):
                    raise RefusedError(f"{one} and {other} are no different constants")
            case int():
                known, _ = self.get(how, "compare")
                goal = ("compare", "!=", one, other)
                if not any(self._reads(goal, each) for each in (known, mirrored(known))):
                    raise RefusedError(f"that {one} is not {other} is not known as {how}")
            case ["key", i, j, column, deeper]:
                first, second, key = self.keyed(i, j)
                ends = {self._class(one), self._class(other)}
                for a, b in zip(first[3][:key], second[3][:key], strict=True):
                    if not self.same(a, b) and {self._class(a), self._class(b)} != ends:
                        raise RefusedError("the keys would not be one")
                if type(column) is not int or not key <= column < len(first[3]):
                    raise RefusedError("no such column after the key")
                self.apart(first[3][column], second[3][column], deeper)
            case ["linear", premises, cases]:
                self.linear(("compare", "!=", one, other), premises, cases)
            case _:
                raise RefusedError("two things are told apart in no known way")

    def _class(self, term: Form) -> tuple[bool, Form]:
        term = self.one(term)
        return isinstance(term, int), term

    def linear(self, goal: Form | None, premises: Any, cases: Any) -> None:
        """Raise Refused if the premises with the negation of a goal are not refuted."""
        lists: list[list[Constraints]] = [[()]]
        sides: list[Form] = []
        if goal is not None:
            lists = [alternatives((goal[0], NEGATED[goal[1]], *goal[2:]), self._number)]
            sides += goal[2:]
        for number in listed(premises):
            known, _ = self.get(number, "compare")
            sides += known[2:]
            if all(map(self.is_number, known[2:])):
                lists.append(alternatives(known, self._number))
            else:
                raise RefusedError("a premise is of no numbers")
        if not all(map(self.is_number, sides)):
            raise RefusedError("what is compared are no numbers")
        refute(lists, cases, self._number)

    def _number(self, term: Form) -> Form:
        return self.one(term)

    def carried_out(self, side: Form, how: Any) -> None:
        """Raise Refused if a side is not shown to stay within 64 bits."""
        match how:
            case None if not isinstance(side, tuple):
                return
            case int() if isinstance(side, tuple):
                known, _ = self.get(how, "compare")
                if not any(self.reads(side, part) for whole in known[2:] for part in parts(whole)):
                    raise RefusedError("the known comparison has no such calculation")
            case [*inner, [low, under], [high, over]] if isinstance(side, tuple):
                if len(inner) != len(side) - 1:
                    raise RefusedError("each operand stays within 64 bits by something")
                for part, shown in zip(side[1:], inner, strict=True):
                    self.carried_out(part, shown)
                if side[0] not in READ:
                    raise RefusedError("a function may have no value")
                divisor = side[-1] if isinstance(side[-1], tuple) else self.one(side[-1])
                if side[0] in ("//", "mod") and not (type(divisor) is int and divisor > 0):
                    raise RefusedError("a divisor is no constant above 0")
                self.linear(("compare", ">=", side, LEAST), low, under)
                self.linear(("compare", "<=", side, MOST), high, over)
            case _:
                raise RefusedError("that a calculation stays within 64 bits is shown in no known way")

    # Closed sets

    def key_of(self, member: Form, width: int) -> tuple[Form, ...]:
        return tuple(member[3][: len(member[3]) - width])

    def row_of_member(
        self, set_: Form, listed_: Sequence[str], moment: Moment, member: Form, then: Moment
    ) -> tuple[Form, ...]:
        """Return the member row of a known statement. Raise Refused if it belongs to another set."""
        key = self.key_of(set_, len(listed_))
        if not is_statement(member) or self.place(member, then) != self.place(set_, moment):
            raise RefusedError("the member stands at another place")
        if not self.all_same(member[3][: len(key)], key):
            raise RefusedError("the member is of another set")
        return tuple(member[3][len(key) :])

    def size(self, set_: Form, width: int, moment: Moment, number: Any) -> Form:
        """Return the value of a known statement that is a set's count."""
        count, then = self.get(number, "atom")
        name = self.theory.counter.get(set_[2])
        if count[2] != name or self.place(count, then)[1] != self.place(set_, moment)[1]:
            raise RefusedError("that is no count of the set")
        if not self.all_same(count[3][:-1], self.key_of(set_, width)):
            raise RefusedError("that counts another set")
        return count[3][-1]

    def integer(self, term: Form) -> int:
        value = self.one(term)
        if type(value) is not int:
            raise RefusedError("a count is no integer")
        return value

    def rows_apart(self, one: Sequence[Form], other: Sequence[Form], how: Any) -> None:
        match how:
            case None:
                if not any(map(self.two, one, other)):
                    raise RefusedError("two rows have no different constants")
            case [int(column), deeper] if 0 <= column < len(one) and type(column) is int:
                self.apart(one[column], other[column], deeper)
            case _:
                raise RefusedError("two rows are told apart in no known way")

    def pairwise(self, rows: Sequence[Sequence[Form]], data: Any) -> None:
        pairs = list(combinations(rows, 2))
        if len(listed(data)) != len(pairs):
            raise RefusedError(f"{len(pairs)} pairs are to be told apart")
        for (one, other), how in zip(pairs, data, strict=True):
            self.rows_apart(one, other, how)

    def one_union(self, one: Form, at: Moment, other: Form, then: Moment) -> None:
        """Raise Refused if two `count … in` have different sets or exclusions."""

        def content(form: Form, moment: Moment) -> tuple[set[Any], set[Any]]:
            united = {
                (self.place(m, moment), tuple(map(self._class, self.key_of(m, len(form[2])))))
                for m in form[3]
            }
            return united, set(map(self._class, form[4]))

        if content(one, at) != content(other, then):
            raise RefusedError("the two count other unions")

    def one_excluded(self, one: Form, other: Form) -> None:
        if set(map(self._class, one[4])) != set(map(self._class, other[4])):
            raise RefusedError("the two counts leave out other things")

    def conditions_on(self, condition: Form, member: Sequence[Form], terms_: Any) -> tuple[Form, ...]:
        """Return the conditions on a member, with terms for its local variables."""
        names = {v for c in condition[3] for v in variables(c)} - set(condition[1]) - self.own
        needed = {
            v for c in condition[3] if is_statement(c) or c[0] == "compare" for v in variables(c)
        } & names
        chosen = pairs_of(terms_)
        if not needed <= chosen.keys():
            raise RefusedError("a variable of the condition's own stands for nothing")
        self.check_own(chosen.values())
        chosen = {name: chosen[name] for name in chosen if name in names}
        # Variables listed by a nested condition range over its set, regardless of other bindings.
        for name in listed_inside(condition[3]):
            chosen.pop(name, None)
        return put(condition[3], chosen | dict(zip(condition[1], member, strict=True)))  # type: ignore[no-any-return]

    def check_own(self, terms_: Iterable[Form]) -> None:
        for each in terms_:
            if is_variable(each) and each not in self.own:
                raise RefusedError(f"{each} is none of the variables that stand for one thing")

    def all_proved(self, conditions: Sequence[Form], moment: Moment, proofs: Any) -> None:
        if len(listed(proofs)) != len(conditions):
            raise RefusedError(f"{len(conditions)} conditions are to be proved")
        for condition, proof in zip(conditions, proofs, strict=True):
            self.proved(condition, moment, proof)

    def _all(self, condition: Form, moment: Moment, proof: Any) -> None:
        _, names, set_, _ = condition
        match proof:
            case ["known", k]:
                known, then = self.get(k, "all")
                if self._content(known, then) != self._content(condition, moment):
                    raise RefusedError("the known `all` says something else")
            case ["each", k, list(entries), pairs]:
                if self.integer(self.size(set_, len(names), moment, k)) != len(entries):
                    raise RefusedError("not each member is there")
                rows = []
                for entry in entries:
                    m, terms_, proofs = three(entry)
                    row = self.row_of_member(set_, names, moment, *self.get(m, "atom"))
                    self.all_proved(self.conditions_on(condition, row, terms_), moment, proofs)
                    rows.append(row)
                self.pairwise(rows, pairs)
            case ["any", k, notes, terms_, proofs]:
                known, then = self.get(k, "all")
                width = len(condition[1])
                if width != len(known[1]) or not self.one_set(known[2], then, set_, moment, width):
                    raise RefusedError("the known `all` is of another set")
                one, inner = self.any_member(set_, names, moment)
                inner.suppose(known, then, one)
                inner.notes(notes)
                inner.all_proved(inner.conditions_on(condition, one, terms_), moment, proofs)
            case _:
                raise RefusedError("a proof of an `all` of no known form")

    def one_set(self, one: Form, at: Moment, other: Form, then: Moment, width: int) -> bool:
        return self.place(one, at) == self.place(other, then) and self.all_same(
            self.key_of(one, width), self.key_of(other, width)
        )

    def any_member(
        self, set_: Form, names: Sequence[str], moment: Moment
    ) -> tuple[tuple[str, ...], ReaderContext]:
        """Return an arbitrary member of a set, and a context in which its membership is known."""
        depth = self.depth + 1
        one = tuple(f"?#{depth}.{number}" for number in range(len(names)))
        inner = self.within(one)
        inner.depth = depth
        inner.learn((*set_[:3], (*self.key_of(set_, len(names)), *one)), moment)
        return one, inner

    def suppose(self, known: Form, then: Moment, one: Sequence[str]) -> None:
        """Add the conditions of a known `all` for an arbitrary member, with new names for the other local
        variables.
        """
        shared = {v for condition in known[3] for v in outside(condition)} - self.own - set(known[1])
        others = {v: f"?#{self.depth}.{v[1:]}" for v in shared}
        self.own |= set(others.values())
        for each in put(known[3], others | dict(zip(known[1], one, strict=True))):
            self.learn(each, then)

    def as_many(self, known: Form, then: Moment, set_: Form, moment: Moment, width: int, how: Any) -> bool:
        """Return whether two sets are equal.

        Raise Refused if they are not shown to have the same cardinality.
        """
        one = self.one_set(known, then, set_, moment, width)
        match how:
            case None if one:
                pass
            case [i, j] if not one:
                first, second = self.only_size(known, width, then, i), self.size(set_, width, moment, j)
                if not self.same(first, second):
                    raise RefusedError("one set is not shown to have as many members as the other")
            case _:
                raise RefusedError("that two sets have as many members is shown in no known form")
        return one

    def only_size(self, set_: Form, width: int, moment: Moment, number: Any) -> Form:
        """Return the value of a set's count. Raise Refused if the set may have two counts."""
        size = self.size(set_, width, moment, number)
        count, at = self.get(number, "atom")
        if self.theory.predicates[count[2]][4] != len(count[3]) - 1:
            raise RefusedError(f"there may be two counts `{count[2]}` of one set")
        self.use("key", self.place(count, at))
        return size

    def _summary(self, condition: Form, moment: Moment, proof: Any) -> None:
        """Check an absence or aggregate by an equal known one; its result may have another name."""
        match condition[0], proof:
            case "absent", ["known", k]:
                known, then = self.get(k, "absent")
                same = self._content(known, then) == self._content(condition, moment)
            case "aggregate", ["known", k, how]:
                known, then = self.get(k, "aggregate")
                mine, theirs = ((*each[:2], 0, *each[3:]) for each in (condition, known))
                same = self._content(theirs, then) == self._content(mine, moment)
                self.compared(("compare", "=", condition[2], known[2]), how)
            case _:
                raise RefusedError("an absence or an aggregate is shown in no known form")
        if not same:
            raise RefusedError("what is known to be absent, or summed up, is something else")

    def _content(self, condition: Form, moment: Moment) -> Form:
        """Return the content of an `all`, absence or aggregate with canonical names of local variables."""
        names: dict[str, str] = {}

        def renamed(form: Form) -> Form:
            if isinstance(form, tuple):
                if form and form[0] == "atom":
                    tense = (form[1] or moment or "before") if self.theory.has_tense(form[2]) else None
                    return ("atom", tense, form[2], tuple(map(renamed, form[3])))
                return tuple(map(renamed, form))
            if is_variable(form) and form not in self.own:
                return ("own", names.setdefault(form, str(len(names))))
            return self._class(form) if is_variable(form) or isinstance(form, int) else form

        return renamed(condition)

    def _count(self, condition: Form, moment: Moment, proof: Any) -> None:
        _, result, names, united, excluded = condition
        match proof:
            case ["known", k, how]:
                known, then = self.get(k, "count")
                self.one_union(condition, moment, known, then)
                self.compared(("compare", "=", result, known[1]), how)
            case ["sets", list(each), pairs, others, how] if len(each) == len(united):
                rows: list[tuple[Form, ...]] = []
                for set_, entry in zip(united, each, strict=True):
                    k, members = two(entry)
                    self.use("count", self.place(set_, moment))
                    found = [
                        self.row_of_member(set_, names, moment, *self.get(m, "atom")) for m in listed(members)
                    ]
                    if self.integer(self.size(set_, len(names), moment, k)) != len(found):
                        raise RefusedError("not each member is there")
                    if any(self.all_same(one, other) for one, other in combinations(found, 2)):
                        raise RefusedError("two members of a set are one")
                    rows += [r for r in found if not any(self.all_same(r, other) for other in rows)]
                self.pairwise(rows, pairs)
                left = [r for r in rows if not any(self.all_same(r, (e,)) for e in excluded)]
                ways = [(r, e) for r in left for e in excluded]
                if len(ways) != len(listed(others)):
                    raise RefusedError("members and what is left out are to be told apart")
                for (row, out), way in zip(ways, others, strict=True):
                    self.rows_apart(row, (out,), way)
                self.compared(("compare", "=", result, len(left)), how)
            case _:
                raise RefusedError("a proof of a `count` of no known form")

    # Contradictions

    def impossible(self, how: Any) -> None:
        """Raise Refused if the known conditions are not shown to be contradictory."""
        match how:
            case None:
                if not self.contradictory:
                    raise RefusedError("no two different constants are one")
            case ["unequal", k]:
                known, _ = self.get(k, "compare")
                if known[1] != "!=" or isinstance(known[2], tuple) or not self.reads(known[2], known[3]):
                    raise RefusedError("nothing is said to differ from itself")
            case ["linear", premises, cases]:
                self.linear(None, premises, cases)
            case ["words", str(name), list(numbers)]:
                self._no_word(name, numbers)
            case ["full", k, list(members), pairs]:
                count, then = self.get(k, "atom")
                name = next((n for n, c in self.theory.counter.items() if c == count[2]), "")
                width = len(self.theory.predicates[name][3]) - len(count[3]) + 1 if name else 0
                names = tuple(f"?#{i}" for i in range(width))
                set_ = ("atom", None, name, (*count[3][:-1], *names))
                moment = self.place(count, then)[1]
                if not name or moment == "after":
                    raise RefusedError("that is no count that can be exceeded")
                self.use("count", self.place(set_, moment))
                if len(members) <= self.integer(count[3][-1]):
                    raise RefusedError("there are no more members than the count")
                rows = [self.row_of_member(set_, names, moment, *self.get(m, "atom")) for m in members]
                self.pairwise(rows, pairs)
            case _:
                raise RefusedError("a contradiction of no known form")

    def _no_word(self, name: str, numbers: list[Any]) -> None:
        sorts = {
            sort
            for condition, _ in self.known
            if is_statement(condition)
            for each, sort in zip(self.row(condition), self.sorts(condition), strict=True)
            if is_variable(each) and self.same(each, name)
        }
        closed = [self.theory.sorts[sort][3] for sort in sorts if self.theory.sorts[sort][3]]
        if not is_variable(self.one(name)) or not closed:
            raise RefusedError(f"{name} is of no sort whose words are listed")
        if not any(len(words) == len(numbers) for words in closed):
            raise RefusedError("not each word is excluded")
        for word, number in zip(next(w for w in closed if len(w) == len(numbers)), numbers, strict=True):
            self.apart(name, word, number if type(number) is int else RefusedError)


def _same(one: Form, other: Form) -> bool:
    return bool(one == other and isinstance(one, int) == isinstance(other, int))


def mirrored(comparison: Form) -> Form:
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    return ("compare", turned.get(comparison[1], comparison[1]), comparison[3], comparison[2])


def parts(side: Form) -> list[Form]:
    return [side, *(p for part in side[1:] for p in parts(part))] if isinstance(side, tuple) else []


def in_numbers(side: Form, kind: str = "n") -> list[Form]:
    """Return the variables that are numbers, because a calculation has a value."""
    if isinstance(side, tuple):
        return [
            v for part, taken in zip(side[1:], kinds(side)[0], strict=True) for v in in_numbers(part, taken)
        ]
    return [side] if kind == "n" and is_variable(side) else []


def listed_inside(conditions: Iterable[Form]) -> Iterator[str]:
    """Yield the variables that conditions on closed sets list, including nested ones."""
    for condition in conditions:
        yield from own(condition)
        if condition[0] == "all":
            yield from listed_inside(condition[3])


def listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise RefusedError("something else where a list should stand")
    return data


def two(data: Any) -> list[Any]:
    if not isinstance(data, list) or len(data) != 2:
        raise RefusedError("something else where a pair should stand")
    return data


def three(data: Any) -> list[Any]:
    if not isinstance(data, list) or len(data) != 3:
        raise RefusedError("something else where three things should stand")
    return data


def term(data: Any) -> Form:
    """Return a term of a certificate."""
    if type(data) is int:
        if not LEAST <= data <= MOST:
            raise RefusedError("a number beyond 64 bits")
        return data
    if isinstance(data, str) and data != "?":
        return data
    raise RefusedError(f"{data!r} is no term")


def substitution(data: Any) -> dict[str, Form]:
    if not isinstance(data, dict):
        raise RefusedError("something else where terms for variables should stand")
    return {f"?{name}": term(value) for name, value in data.items()}


def pairs_of(data: Any) -> dict[str, Form]:
    """Return terms for the local variables of a nested condition, given as pairs."""
    found: dict[str, Form] = {}
    for each in listed(data):
        name, value = two(each)
        if not isinstance(name, str) or f"?{name}@" in found:
            raise RefusedError("something else where a variable and its term should stand")
        found[f"?{name}@"] = term(value)
    return found


def check_witness(data: Any, depth: int = 0) -> None:
    """Check that a witness consists of integers, texts, null and lists.

    Raise Refused if it has another part, or is too deep.
    """
    if isinstance(data, list) and depth < DEEPEST:
        for each in data:
            check_witness(each, depth + 1)
    elif not (data is None or isinstance(data, str) or (type(data) is int and abs(data) <= GREATEST)):
        raise RefusedError("a witness has something that no witness has")
