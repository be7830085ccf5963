"""A parser of the language into forms, from which fingerprints are computed.

A form is a tuple of a word and its parts, as the reference describes under *Fingerprints*. A term in it is an
integer, a variable with its mark (`"?x"`), or a word, after a `'` if it begins with a mark. Only the syntax
is checked here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from oracles.reader.forms import put
from oracles.reader.groups import NoGroupError, expanded, ignored
from oracles.reader.unfolding import NoValueError, unfolded

Form = Any
KINDS = ("static", "fluent", "action", "derived", "game", "meta")
BEGINNINGS = (*KINDS, "theory", "import", "sort", "frame", "persists", "replies", "example", "expect")
SUMMARIES = ("count", "sum", "min", "max")
COMPARED = ("=", "!=", "<", "<=", ">", ">=")
CALCULATED = ("+", "-", "*", "//", "mod")
READ = (*CALCULATED, "min", "max", "abs")
OF_DATES = ("year", "month", "day", "weekday", "day_of_year", "iso_year", "iso_week", "first_of_month",
    "last_of_month", "add_months", "add_years", "date", "date_of", "midnight", "hour", "minute",
    "second")  # fmt: skip
MODES = ("half_up", "half_even", "up", "down", "floor", "ceiling")
OF_NUMBERS = (*READ, "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right", *OF_DATES,
    *(f"{name}_{mode}" for name in ("round", "divide", "percent", "average") for mode in MODES))  # fmt: skip
"""Operators and functions from numbers to numbers."""
OF_WORDS = {"length": ("w", "n"), "concat": ("ww", "w"), "part": ("wnn", "w"), "split": ("wwn", "w"),
    "upper": ("w", "w"), "lower": ("w", "w"), "starts_with": ("ww", "n"), "ends_with": ("ww", "n"),
    "contains": ("ww", "n"), "matches": ("ww", "n"), "int": ("w", "n"), "word": ("n", "w")}  # fmt: skip
"""The other functions: the kinds of the operands, words or numbers, and that of the result."""
MAY_FAIL = ("concat", "part", "split", "upper", "lower", "int")
"""The functions that have no value for some words or numbers."""

TOKEN = re.compile(
    r"""(?P<space>[ \t\f\r\n]+|%[^\n\r]*)
    |(?P<variable>\?[^\W\d_]\w*)|(?P<wildcard>_(?!\w))|(?P<name>[^\W\d_]\w*)
    |(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![\w-]))
    |(?P<decimal>[0-9]+(?:\.[0-9]+)?[ ]+percent(?!\w)|[0-9]+\.[0-9]+(?!\w|\.[0-9]))
    |(?P<number>[0-9]+(?!\w|\.[0-9]))
    |(?P<quoted>'(?:[^'\n\r]|'')*')|(?P<path>"[^"\n\r]*")
    |(?P<mark>:-|->|\?-|//|!=|<=|>=|[<>=:;,.()|+*-])""",
    re.VERBOSE,
)


class NotRead(ValueError):
    """A text is not in the language; the message names the unexpected part."""


def fingerprint(form: Form) -> str:
    """Return the first 16 digits of the SHA-256 of a form's text.

    The wildcards of a rule are numbered in the order of the text.
    """
    if form[:1] == ("rule",):
        met = (name for name in variables_of(form) if name.startswith("?_"))
        form = put(form, {name: f"?_{number}" for number, name in enumerate(dict.fromkeys(met), 1)})
    return sha256(text_of(form).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_of(form: Form) -> str:
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


def since_1970(text: str) -> int:
    """Return the days of a date, or the seconds of a time, since 1970."""
    found = datetime.fromisoformat(text.rstrip("Z")) - datetime(1970, 1, 1)  # noqa: DTZ001
    return found.days * 86_400 + found.seconds if "T" in text else found.days


class Written(int):
    """An integer that is written as a date, a time, a decimal number or a percentage."""

    @staticmethod
    def of(number: str) -> Written:
        return Written(number.removesuffix("percent").replace(".", ""))


def kinds(side: Form) -> tuple[str, str]:
    """Return the kinds of the operands of a calculation, a letter for each, and that of its result.

    Raise NotRead for an unknown function, or a wrong number of operands.
    """
    operator, *operands = side
    taken, result = ("n" * len(operands), "n") if operator in OF_NUMBERS else OF_WORDS.get(operator, ("", ""))
    if operator == "concat":
        taken = taken.ljust(len(operands), "w")
    if not taken or len(taken) != len(operands):
        raise NotRead(f"`{operator}` is no function of {len(operands)} operands")
    return taken, result


def plain(form: Form) -> Form:
    """Return the form with each written integer as a plain one."""
    if isinstance(form, tuple):
        return tuple(map(plain, form))
    return int(form) if isinstance(form, Written) else form


def is_variable(term: Form) -> bool:
    return isinstance(term, str) and term.startswith("?")


def word(text: str) -> str:
    """Return a word as a term."""
    return f"'{text}" if text[:1] in ("?", "'") else text


def clauses(text: str) -> list[Form]:
    """Return the clauses of a file. Raise NotRead for a syntax error."""
    return [form for form in written_clauses(text) if form[0] != "alternatives"]


def written_clauses(text: str) -> list[Form]:
    """Return the clauses of a file, with the labels of the alternatives of each rule with `or`."""
    reader = TokenReader(text.removeprefix("\ufeff"))
    found = []
    while reader.kind:
        found += reader.clause()
    return found


class TokenReader:
    """A reader of tokens from the left; `kind` and `here` describe the next one, `""` at the end."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text):
            found = TOKEN.match(text, place)
            if found is None:
                raise NotRead(f"a character that begins nothing: {text[place : place + 20]!r}")
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup or "", found[0]))
            place = found.end()
        self.tokens += [("", "")] * 2
        self.place = self.wildcards = 0
        self.grouping: set[int] = set()
        """The places of variables after `by`, which only name groups."""

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0]

    @property
    def here(self) -> str:
        return self.tokens[self.place][1]

    @property
    def next(self) -> tuple[str, str]:
        return self.tokens[self.place + 1]

    def take(self, kind: str) -> str:
        if self.kind != kind:
            raise NotRead(f"`{self.here}` where a {kind} should stand")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def skip(self, *texts: str) -> None:
        for text in texts:
            if not self.found(text):
                raise NotRead(f"`{self.here}` where `{text}` should stand")

    def found(self, text: str) -> bool:
        """Return whether this mark or name comes next, and consume it."""
        if self.kind in ("mark", "name") and self.here == text:
            self.place += 1
            return True
        return False

    def listed(self, part: Callable[[], Form], separator: str = ",") -> tuple[Form, ...]:
        parts = [part()]
        while self.found(separator):
            parts.append(part())
        return tuple(parts)

    # Clauses

    def clause(self) -> list[Form]:
        """Return a clause, or the rules that a clause with `or` abbreviates."""
        self.wildcards, start = 0, self.place
        begins = self.here if self.kind == "name" and self.next[0] == "name" else ""
        begins = "" if self.next[1] == "exception" else begins
        if begins in BEGINNINGS and (self.next[1] != "is" and self.next[1] != "by"):
            self.place += 1
            excepted, suspends = (), False
            form = self.predicate(begins) if begins in KINDS else getattr(self, begins)()
            try:
                forms = [ignored(form)]
            except NoGroupError as problem:
                raise NotRead(str(problem)) from problem
        else:
            marked = begins == "lemma" and self.found("lemma")
            label, excepted, suspends, head, bodies = self.rule()
            written = Counter(
                text
                for place, (kind, text) in enumerate(self.tokens[start : self.place], start)
                if kind == "variable" and place not in self.grouping
            )
            try:
                bodies = tuple(expanded(body, self.wildcards, head) for body in bodies)
            except NoGroupError as problem:
                raise NotRead(str(problem)) from problem
            forms = (
                [("rule", label, head, bodies[0])]
                if len(bodies) == 1
                else taken_apart(label, head, bodies, written)
            )
            forms += [("lemma", form[1]) for form in forms if marked]
        self.skip(".")
        try:
            forms = [plain(unfolded(form)) for form in forms]
        except NoValueError as problem:
            raise NotRead("a calculation without a value") from problem
        if forms[0][0] == "rule" and excepted:
            return [("exception", label, excepted, suspends, tuple(forms))]
        labels = tuple(form[1] for form in forms if form[0] == "rule")
        return [*forms, ("alternatives", label, labels)] if len(labels) > 1 else forms

    def theory(self) -> Form:
        return ("theory", self.take("name"))

    def import_(self) -> Form:
        return ("import", self.take("name"))

    def sort(self) -> Form:
        name = self.take("name")
        words = self.listed(self.constant, "|") if self.found("=") else ()
        if words in (("decimal",), ("percent",)) and self.found("("):
            digits = int(self.take("number"))
            self.skip(")")
            return ("sort", name, "integer", (), f"{words[0]}({digits})")
        if words in (("date",), ("time",), ("percent",)):
            return ("sort", name, "integer", (), words[0])
        if words == ("int",):
            return ("sort", name, "integer", ())
        if sorted(words) == ["int", "word"]:
            return ("sort", name, "mixed", ())
        return ("sort", name, "enumerated" if words else "open", words)

    def constant(self) -> Form:
        term = self.term()
        if not isinstance(term, str) or is_variable(term):
            raise NotRead(f"`{term}` where a word should stand")
        return term

    def predicate(self, kind: str) -> Form:
        name = self.take("name")
        columns: tuple[str, ...] = ()
        key = counts = but = None
        if self.found("("):
            columns = () if self.here == "->" else self.listed(lambda: self.take("name"))
            if self.found("->"):
                key = len(columns)
                columns += self.listed(lambda: self.take("name"))
            self.skip(")")
        if self.found("counts"):
            counts = self.take("name")
            but = self.take("name") if self.found("but") else None
        self.found("operational")
        observed = self.found("observed")
        complete = ("complete",) if self.found("complete") else ()
        stated = ("stated",) if self.found("stated") else ()
        self.found("demanded")
        turn = tuple(word for word in ("alternates", "fleeting") if self.found(word))
        if self.found("worth"):
            self.found("-")
            self.take("number")
        if self.found("says"):
            self.take("path")
        return ("predicate", kind, name, columns, key, counts, but, observed, *complete, *stated, *turn)

    def frame(self) -> Form:
        return ("frame", self.atom(None), self._cases(self._after_colon(self.alternatives, ";")))

    def persists(self) -> Form:
        fluent = self.atom(None)
        return (
            "persists",
            fluent,
            self._cases(self.listed(self.alternatives, ";")) if self.found("unless") else (),
        )

    def _cases(self, cases: Form) -> Form:
        return tuple(body for bodies in cases for body in bodies)

    def _after_colon(self, part: Callable[[], Form], separator: str = ",") -> Form:
        self.skip(":")
        return self.listed(part, separator)

    def replies(self) -> Form:
        return ("replies", self.atom(None), self._cases(self._after_colon(self.reply, ";")))

    def reply(self) -> Form:
        action = self.atom(None)
        bodies = self.joined() if self.found(",") else ((),)
        unless = self.statement() if self.found("unless") else None
        return tuple((action, conditions, unless) for conditions in bodies)

    def example(self) -> Form:
        name = self.take("name")
        if self.found("from"):
            self.take("path")
        facts = self._after_colon(self.statement) if self.here == ":" else ()
        later: list[Form] = []
        while facts and self.found("then"):
            later.append(self.atom(None))
        return ("example", name, facts, tuple(later))

    def expect(self) -> Form:
        name = self.take("name")
        self.skip(":")
        conditions = single(self.alternatives())
        if self.found("gives"):
            self.listed(self.answer)
        return ("expect", name, conditions)

    def answer(self) -> Form:
        if not self.found("("):
            return self.term()
        terms = self.listed(self.term)
        self.skip(")")
        return terms

    def rule(self) -> Form:
        label, excepted = None, ()
        if self.kind == "name" and self.next in (("mark", ":"), ("name", "exception")):
            label = self.take("name")
            if self.found("exception"):
                self.skip("to")
                excepted = self.listed(lambda: self.take("name"))
            self.skip(":")
        suspends = bool(excepted) and self.found("absent")
        plans = (self.kind, self.here) == ("name", "plan") and self.next[0] == "name"
        head = self.plan() if plans else self.statement()
        bodies = self.alternatives() if self.found(":-") else ((),)
        return label, excepted, suspends, head, bodies

    def plan(self) -> Form:
        self.skip("plan")
        game = self.atom(None)
        self.skip("in")
        moves = int(self.take("number"))
        self.skip("by")
        return ("plan", game, moves, self.atom(None))

    # Conditions; each `or` gives several lists of them

    def alternatives(self) -> Form:
        return tuple(body for bodies in self.listed(self.joined, "or") for body in bodies)

    def joined(self) -> Form:
        """Return the lists of conditions joined by commas: one alternative of each, last varying first."""
        found: Form = ((),)
        for bodies in self.listed(self.choice):
            found = tuple(left + right for left in found for right in bodies)
        return found

    def choice(self) -> Form:
        """Return a condition, or several in parentheses."""
        if self.kind == "name" and self.here == "absent":
            self.skip("absent")
            return (tuple(("absent", body) for body in self.choice()),)
        # A parenthesis may also begin a side of a comparison: `(?a + 1) * 2 < ?b`.
        start, met = self.place, self.wildcards
        if self.found("("):
            try:
                bodies = self.alternatives()
                self.skip(")")
            except NotRead:
                pass
            else:
                if self.here in (",", ".", ")", ";", "or", "gives", "unless"):
                    return bodies
            self.place, self.wildcards = start, met
        return ((self.condition(),),)

    def condition(self) -> Form:
        if self.kind == "name" and self.here == "all":
            self.skip("all")
            return self.all()
        sides = self.kind != "name" or (self.next[0] == "mark" and self.next[1] in COMPARED)
        if not sides:
            start, met = self.place, self.wildcards
            try:
                statement = self.statement()
            except NotRead:
                statement = None
            if statement is not None and self.here not in (*COMPARED, *CALCULATED):
                return statement
            # The apparent statement is the call of a function.
            self.place, self.wildcards = start, met
        left = self.side()
        if self.here not in COMPARED or self.kind != "mark":
            raise NotRead(f"`{self.here}` where a comparison should stand")
        operator = self.take("mark")
        summed = self.kind == "name" and self.here in SUMMARIES and self.next[0] in ("variable", "wildcard")
        if operator == "=" and summed:
            return self.summary(left)
        right = self.side()
        if operator == "=" and self.kind == "name" and self.here in ("by", "where"):
            return self.average(left, right)
        return ("compare", operator, left, right)

    def average(self, result: Form, call: Form) -> Form:
        match call:
            case (str(rounding), str(variable), digits, more) if rounding.startswith("average_"):
                groups = self.groups()
                self.skip("where")
                return ("average", rounding, result, (variable,), groups, (digits, more), self.inner())
        raise NotRead(f"`{self.here}` after what is no average")

    def groups(self) -> tuple[Form, ...]:
        if not self.found("by"):
            return ()
        start = self.place
        groups = self.listed(self.variable)
        self.grouping |= set(range(start, self.place))
        return groups

    def summary(self, result: Form) -> Form:
        function, variables, groups = self.take("name"), self.listed(self.variable), self.groups()
        if groups:
            self.skip("where")
            return ("grouped", function, result, variables, groups, self.inner())
        if self.found("where"):
            return ("aggregate", function, result, variables, self.inner())
        self.skip("in")
        if function != "count":
            raise NotRead(f"`{function}` of a closed set")
        grouped = self.found("(")
        sets = self.listed(self.tensed, "or") if grouped else (self.tensed(),)
        if grouped:
            self.skip(")")
        return ("count", result, variables, sets, self.listed(self.term, "or") if self.found("but") else ())

    def all(self) -> Form:
        variables = self.listed(self.variable)
        self.skip("in")
        member = self.tensed()
        self.skip(":")
        return ("all", variables, member, self.inner())

    def inner(self) -> tuple[Form, ...]:
        return single(self.choice())

    def statement(self) -> Form:
        atom = self.tensed()
        action = self.atom(None) if self.found("by") else None
        if self.found("is"):
            return ("game", atom, action, self.term())
        if action is not None:
            raise NotRead(f"a statement on {atom[2]} that gives no value")
        return atom

    def tensed(self) -> Form:
        if self.kind == "name" and self.here in ("before", "after"):
            return self.atom(self.take("name"))
        return self.atom(None)

    def atom(self, tense: str | None) -> Form:
        name = self.take("name")
        return ("atom", tense, name, self.terms() if self.here == "(" and self.kind == "mark" else ())

    def terms(self) -> tuple[Form, ...]:
        self.skip("(")
        terms = self.listed(self.side)
        self.skip(")")
        return terms

    def variable(self) -> Form:
        if self.kind not in ("variable", "wildcard"):
            raise NotRead(f"`{self.here}` where a variable should stand")
        return self.term()

    def term(self) -> Form:
        kind, text = self.kind, self.here
        self.place += 1
        match kind:
            case "variable":
                return text
            case "wildcard":
                self.wildcards += 1
                return f"?_{self.wildcards}"
            case "name":
                return text
            case "quoted":
                return word(text[1:-1].replace("''", "'"))
            case "number":
                return int(text)
            case "decimal":
                return Written.of(text)
            case "date":
                return Written(since_1970(text))
        if (kind, text) == ("mark", "-"):
            if self.kind == "decimal":
                return Written.of(f"-{self.take('decimal')}")
            return -int(self.take("number"))
        raise NotRead(f"`{text}` where a term should stand")

    # Calculations

    def side(self) -> Form:
        if self.kind in ("name", "quoted") and self.next[1] != "(":
            return self.term()
        return self.expression()

    def expression(self) -> Form:
        left = self.product()
        while self.kind == "mark" and self.here in ("+", "-"):
            left = (self.take("mark"), left, self.product())
        return left

    def product(self) -> Form:
        left = self.factor()
        while self.kind in ("mark", "name") and self.here in ("*", "//", "mod"):
            left = (self.take(self.kind), left, self.factor())
        return left

    def factor(self) -> Form:
        if self.found("("):
            inside = self.expression()
            self.skip(")")
            return inside
        if self.kind == "name" and self.next == ("mark", "("):
            function = self.take("name")
            self.skip("(")
            operands = self.listed(self.side)
            self.skip(")")
            kinds((function, *operands))
            return (function, *operands)
        if self.kind in ("name", "quoted"):
            raise NotRead(f"`{self.here}` in a calculation")
        return self.term()


setattr(TokenReader, "import", TokenReader.import_)


def single(bodies: Form) -> Form:
    """Return the only list of conditions. Raise NotRead if an `or` is not permitted there."""
    if len(bodies) > 1:
        raise NotRead("`or` where it cannot stand")
    return bodies[0]


def taken_apart(label: str | None, head: Form, bodies: Form, written: Counter[str]) -> list[Form]:
    """Return a rule for each alternative.

    A variable with several occurrences in the text but only one in an alternative becomes a wildcard there.
    """
    if len(bodies) > 64:
        raise NotRead("more than 64 alternatives")
    rules = []
    for number, body in enumerate(bodies, 1):
        here = Counter(variables_of((head, body)))
        single_use = {name for name, places in here.items() if places == 1 and written[name] > 1}
        wildcards = count(1)
        own = None if label is None else f"{label}_{number}"
        conditions = tuple(left_open(condition, single_use) for condition in body)
        rules.append(("rule", own, *numbered((head, conditions), wildcards)))
    return rules


def variables_of(form: Form) -> list[str]:
    if isinstance(form, tuple):
        return [name for part in form for name in variables_of(part)]
    return [form] if is_variable(form) else []


def left_open(condition: Form, single_use: set[str]) -> Form:
    match condition:
        case ("atom", tense, name, terms):
            return (
                "atom",
                tense,
                name,
                tuple("?_" if is_variable(t) and t in single_use else t for t in terms),
            )
        case ("game", game, action, value):
            term = "?_" if is_variable(value) and value in single_use else value
            return ("game", left_open(game, single_use), action and left_open(action, single_use), term)
        case ("all" | "absent" | "aggregate", *parts, inner):
            return (condition[0], *parts, tuple(left_open(part, single_use) for part in inner))
    return condition


def numbered(form: Form, numbers: Iterator[int]) -> Form:
    """Return the form with its wildcards renumbered from the left."""
    if isinstance(form, tuple):
        return tuple(numbered(part, numbers) for part in form)
    return f"?_{next(numbers)}" if is_variable(form) and form.startswith("?_") else form


def files_of(path: Path, installed: Path) -> list[Path]:
    """Return a theory's file and its imports, each after its own imports. Raise NotRead for an error."""
    found: list[Path] = []

    def visit(file: Path) -> None:
        if file in found or file in open_:
            return
        open_.append(file)
        for clause in clauses(file.read_text(encoding="utf-8")):
            if clause[0] == "import":
                visit(_imported(clause[1], file, installed))
        found.append(file)

    open_: list[Path] = []
    visit(path)
    return found


def _imported(name: str, file: Path, installed: Path) -> Path:
    candidates = (file.parent / f"{name}.horn", file.parent / name / f"{name}.horn")

    def away(place: Path) -> int:
        """Return the number of folders between the file and a place.

        Other theories may have a part of the same name.
        """
        shared = sum(1 for folder in file.parents if place.is_relative_to(folder))
        return len(file.parts) + len(place.parts) - 2 * shared

    for place in (*candidates, *sorted(sorted(installed.rglob(f"{name}.horn")), key=away)):
        if place.is_file() and place != file:
            return place
    raise NotRead(f"no theory is called `{name}`")
