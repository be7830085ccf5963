"""The declarations, facts and rules of a theory as forms, and the dependencies of its rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path

from oracles.reader.exceptions import without_exceptions
from oracles.reader.language import Form, files_of, fingerprint, is_variable, text_of, written_clauses
from oracles.reader.persistence import rules_of

Moment = str | None
MOMENTS = ("before", "after")
VALUE = ("G", "P", "I")


def atoms(condition: Form) -> Iterator[Form]:
    """Yield the atoms that a condition reads, including nested ones; for a statement on a game, the game."""
    match condition[0]:
        case "atom":
            yield condition
        case "game":
            yield condition[1]
        case "all":
            yield condition[2]
            for each in condition[3]:
                yield from atoms(each)
        case "count":
            yield from condition[3]
        case "absent" | "aggregate":
            for each in condition[-1]:
                yield from atoms(each)


def mentioned(condition: Form) -> Iterator[Form]:
    """Yield the atoms of a condition, and the actions that it only names."""
    yield from atoms(condition)
    if condition[0] == "game" and condition[2] is not None:
        yield condition[2]
    for each in condition[3] if condition[0] == "all" else ():
        if each[0] == "game" and each[2] is not None:
            yield each[2]


@lru_cache(100_000)
def variables(form: Form) -> tuple[str, ...]:
    """Return all occurrences of variables in a form, in order."""
    if not isinstance(form, tuple):
        return (form,) if is_variable(form) else ()
    parts = form[3:] if form[:1] == ("atom",) else form
    return tuple(v for part in parts for v in variables(part))


def summed_up(conditions: Iterable[Form]) -> Iterator[Form]:
    """Yield the atoms in absences and aggregates."""
    for condition in conditions:
        if condition[0] in ("absent", "aggregate"):
            yield from atoms(condition)
        elif condition[0] == "all":
            yield from summed_up(condition[3])


def own(condition: Form) -> tuple[str, ...]:
    """Return the variables that a condition on a closed set lists."""
    return condition[1] if condition[0] == "all" else condition[2] if condition[0] == "count" else ()


@lru_cache(10_000)
def free(rule: Form) -> frozenset[str]:
    """Return the variables of a rule that are not local to one condition on a closed set."""
    return frozenset(v for condition in (rule[2], *rule[3]) for v in outside(condition))


@lru_cache(100_000)
def outside(condition: Form) -> frozenset[str]:
    """Return the variables of a condition that are bound outside of it."""
    if condition[0] == "all":
        return frozenset(variables(condition[2])) - set(condition[1])
    if condition[0] == "count":
        keys = frozenset(variables(condition[3])) - set(condition[2])
        return keys | set(variables((condition[1], condition[4])))
    if condition[0] in ("absent", "aggregate"):  # variables shared with other conditions are bound by those
        return frozenset(variables(condition[2])) if condition[0] == "aggregate" else frozenset()
    return frozenset(variables(condition))


def is_tensed(rule: Form) -> bool:
    return any(atom[1] is not None for condition in (rule[2], *rule[3]) for atom in atoms(condition))


class ReaderTheory:
    def __init__(self, forms: Iterable[Form]) -> None:
        self.forms = tuple(without_exceptions(forms))
        self.sorts: dict[str, Form] = {
            "int": ("sort", "int", "integer", ()),
            "value": ("sort", "value", "enumerated", ()),
        }
        self.predicates: dict[str, Form] = {}
        self.rules: dict[str, Form] = {}
        self.lemmas = {form[1] for form in self.forms if form[0] == "lemma"}
        """The rules marked as lemmas; callers must know whether they are proved."""
        self.of_given: frozenset[str] | None = None
        """The lemmas that are proved for given states alone; None if the caller does not tell."""
        self.concluding: dict[str, list[Form]] = defaultdict(list)
        self.replies: dict[str, Form] = {}
        self.counter: dict[str, str] = {}
        stated = []
        ruling, persisting = [], []
        twice: set[str] = set()
        for form in self.forms:
            if form[0] == "sort":
                self.sorts[form[1]] = form
            elif form[0] == "predicate":
                self.predicates[form[2]] = form
                if form[5] is not None and form[6] is None:
                    self.counter[form[5]] = form[2]
            elif form[0] == "persists":
                persisting.append(form)
            elif form[0] == "replies":
                self.replies[form[1][2]] = form
            elif form[0] == "rule" and form[1] is None and not form[3] and form[2][0] == "atom":
                stated.append(form[2])
            elif form[0] == "rule":
                ruling.append(form)
        for form in (*ruling, *rules_of(persisting, self.predicates, self.counter)):
            head = form[2] if form[2][0] == "atom" else form[2][1]
            self.concluding[head[2]].append(form)
            if form[1] is not None:
                twice |= {form[1]} & self.rules.keys()
                self.rules[form[1]] = form
        self.rules = {name: rule for name, rule in self.rules.items() if name not in twice}
        self.statics = tuple(sorted((a for a in stated if self.kind(a[2]) == "static"), key=text_of))
        self.rests = cache(self._rests)

    @staticmethod
    def read(path: Path, installed: Path) -> ReaderTheory:
        """Return a theory with all its imports. Raise NotRead, or OSError for an unreadable file."""
        return ReaderTheory.of_texts(file.read_text(encoding="utf-8") for file in files_of(path, installed))

    @staticmethod
    def of_texts(texts: Iterable[str]) -> ReaderTheory:
        return ReaderTheory(form for text in texts for form in written_clauses(text))

    def without_lemmas(self) -> ReaderTheory:
        """Return the theory without the rules that are marked as lemmas."""
        marked = self.lemmas
        return ReaderTheory(
            f for f in self.forms if f[0] != "lemma" and not (f[0] == "rule" and f[1] in marked)
        )

    def kind(self, name: str) -> str:
        return str(self.predicates[name][1]) if name in self.predicates else ""

    def has_tense(self, name: str) -> bool:
        return self.kind(name) in ("fluent", "derived", "game", "meta")

    def at(self, atom: Form, moment: Moment) -> Moment:
        """Return the moment of an atom in a rule that is read at the given moment."""
        return (atom[1] or moment) if self.has_tense(atom[2]) else None

    def columns(self, name: str) -> tuple[str, ...]:
        columns = self.predicates[name][3]
        return (*columns, "value") if self.kind(name) == "game" else columns

    def is_integer(self, sort: str) -> bool:
        return bool(self.sorts[sort][2] == "integer")

    def conclude(self, name: str, moment: Moment) -> list[Form]:
        """Return the rules that conclude a predicate at a moment."""
        if not self.has_tense(name):
            return self.concluding[name]
        found = []
        for rule in self.concluding[name]:
            head = rule[2] if rule[2][0] == "atom" else rule[2][1]
            if head[1] == moment or (head[1] is None and not is_tensed(rule)):
                found.append(rule)
        return found

    def _rests(self, name: str, moment: Moment) -> frozenset[str]:
        """Return the actions that a predicate at a moment depends on, through any rules."""
        found, seen, todo = set(), {(name, moment)}, [(name, moment)]
        while todo:
            one, then = todo.pop()
            for rule in self.conclude(one, then):
                for each in self.reads(rule[3], then):
                    if self.kind(each[0]) == "action":
                        found.add(each[0])
                    elif each not in seen:
                        seen.add(each)
                        todo.append(each)
        return frozenset(found)

    def below(self, place: tuple[str, Moment]) -> set[tuple[str, Moment]]:
        """Return a place and the places that it depends on, through any rules."""
        seen, todo = {place}, [place]
        while todo:
            name, moment = todo.pop()
            new = {p for rule in self.conclude(name, moment) for p in self.reads(rule[3], moment)} - seen
            seen |= new
            todo += new
        return seen

    @cached_property
    def summed(self) -> dict[tuple[str, Moment], tuple[str, ...]]:
        """Return the places read by absences or aggregates in rules that conclude no meta predicate.

        Each comes with the reasons why it may have more facts in another world of the same state.
        """
        found: dict[tuple[str, Moment], tuple[str, ...]] = {}
        for name, rules in list(self.concluding.items()):
            for atom in (a for rule in rules if self.kind(name) != "meta" for a in summed_up(rule[3])):
                for place in self.places(atom[2], atom[1]):
                    found[place] = tuple(
                        sorted(
                            {
                                f"after {n}" if m == "after" else n
                                for n, m in self.below(place)
                                if m == "after" or self.kind(n) in ("game", "action", "meta")
                            }
                        )
                    )
        return found

    @cached_property
    def shaky(self) -> frozenset[tuple[str, Moment]]:
        """Return the non-monotonic places: those that depend on an absence or aggregate that may change with
        more facts.
        """
        places = {(n, m) for n in self.concluding for _, m in self.places(n, None)}
        unsure = {
            place
            for place in places
            for rule in self.conclude(*place)
            if self.kind(place[0]) != "meta"
            and any(self.summed[a[2], self.at(a, place[1])] for a in summed_up(rule[3]))
        }
        return frozenset(place for place in places if self.below(place) & unsure)

    def places(self, name: str, tense: Moment) -> list[tuple[str, Moment]]:
        if not self.has_tense(name):
            return [(name, None)]
        return [(name, moment) for moment in MOMENTS if tense in (None, moment)]

    def reads(self, conditions: Iterable[Form], moment: Moment) -> Iterator[tuple[str, Moment]]:
        """Yield the places that conditions of a rule read; a counted set includes its count."""
        for condition in conditions:
            for atom in atoms(condition):
                then = self.at(atom, moment)
                yield atom[2], then
                if atom[2] in self.counter:
                    yield self.counter[atom[2]], then

    def rests_on_an_action(self, condition: Form) -> bool:
        """Return whether a condition may be true before an action because of that action."""
        places = [(atom[2], self.at(atom, "before")) for atom in atoms(condition)]
        if condition[0] in ("all", "count"):
            places = list(self.reads((condition,), "before"))
        return any(
            self.kind(name) == "action"
            or self.rests(name, then)
            or not self.shaky.isdisjoint(((name, "before"), (name, None)))
            for name, then in places
        )

    def declaration(self, name: str) -> Form:
        """Return the form whose fingerprint is `declaration NAME`."""
        form = self.predicates[name]
        return (form, *(self.sorts[sort] for sort in form[3]))

    def promises(self, names: Iterable[str], proved: Iterable[tuple[str, Moment]]) -> Form:
        """Return the form whose fingerprint is `theory promises`.

        It has the constraints of the named predicates, and the places whose keys or counts the certificate
        proves.
        """
        places = [(n, m) for n in set(names) for m in (MOMENTS if self.has_tense(n) else (None,))]
        proving = {place for n, m in proved for place in ((n, m), (self.counter.get(n, n), m))}

        def in_order(some: Iterable[tuple[str, Moment]]) -> list[tuple[str, Moment]]:
            return sorted(some, key=lambda place: (place[0], place[1] or ""))

        summed = tuple(
            (*place, self.summed.get(place, ()), place in self.shaky)
            for place in in_order(places)
            if place in self.summed or place in self.shaky
        )
        return (
            tuple(
                (n, m, bool(self.conclude(n, m)), tuple(sorted(self.rests(n, m))))
                for n, m in in_order(places)
            ),
            tuple((n, m, tuple(map(fingerprint, self.conclude(n, m)))) for n, m in in_order(proving)),
            *((summed,) if summed else ()),
        )
