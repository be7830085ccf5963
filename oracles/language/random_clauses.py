"""Random texts in the language: some are valid, most have errors, nearly all can be parsed.

They are generated from a `random.Random`. Names, sorts and widths are mostly right, so errors occur next to
correct clauses and next to each other.
"""

from __future__ import annotations

from random import Random

from hornbook.kb.ast.operators import FUNCTIONS

DECLARATIONS = """\
sort point.
sort colour = black | white | empty.
sort cents = int.
static neighbour(point, point).
static opponent(colour, colour).
static weight(point -> cents).
static weights(point -> int) counts neighbour.
fluent colour(point -> colour).
fluent liberty(point, point).
fluent liberties(point -> int) counts liberty.
action move(colour, point).
derived legal(colour, point).
derived near(point, point).
derived steps(point, int).
meta best(point).
meta total(int).
game take(point).
"""
COLUMNS = {
    "neighbour": "pp", "opponent": "cc", "weight": "pn", "weights": "pn", "colour": "pc", "liberty": "pp",
    "liberties": "pn",
    "move": "cp", "legal": "cp", "near": "pp", "steps": "pn", "best": "p", "total": "n",
}  # fmt: skip
CHANGING = {"colour", "liberty", "liberties", "legal", "near", "steps", "best", "total"}
HEADS = ("legal", "near", "steps", "best", "total", "colour", "liberties", "neighbour", "weight", "take")
VARIABLES = {"p": ("?p", "?q", "?r"), "c": ("?c", "?d"), "n": ("?n", "?m", "?k")}
CONSTANTS = {"p": ("a1", "b1"), "c": ("black", "white", "empty"), "n": ("0", "1", "2", "-3")}


class ClauseWriter:
    """A generator of clauses; `care` is the probability, from 0 to 1, of a sensible choice."""

    def __init__(self, random: Random, care: float) -> None:
        self.random = random
        self.care = care
        self.tensed = False

    def careful(self) -> bool:
        return self.random.random() < self.care

    def term(self, sort: str) -> str:
        if not self.careful():
            sort = self.random.choice("pcn")
        roll = self.random.random()
        if roll < 0.65:
            return self.random.choice(VARIABLES[sort])
        if roll < 0.75:
            return "_"
        return self.random.choice(CONSTANTS[sort])

    def atom(self, name: str | None = None) -> str:
        name = name or self.random.choice(list(COLUMNS))
        columns = COLUMNS[name]
        if not self.careful():
            columns = columns[1:] if self.random.random() < 0.5 else columns + "p"
        tense = ""
        changes = name in CHANGING if self.careful() else self.random.random() < 0.5
        if self.tensed and changes:
            tense = "before " if self.random.random() < 0.7 else "after "
        terms = ", ".join(
            self.expression() if column == "n" and self.random.random() < 0.1 else self.term(column)
            for column in columns
        )
        return f"{tense}{name}({terms})" if terms else f"{tense}{name}"

    def statement(self, value: str | None = None) -> str:
        tense = self.random.choice(("before ", "after ")) if self.tensed else ""
        by = f" by move({self.term('c')}, {self.term('p')})" if self.random.random() < 0.5 else ""
        target = self.term("p")
        value = value or self.random.choice(("GI", "GP", "?v", "P", "GX"))
        return f"{tense}take({target}){by} is {value}"

    def expression(self, depth: int = 0) -> str:
        roll = self.random.random()
        if depth > 2 or roll < 0.6:
            return self.term("n").replace("_", "1")
        if roll < 0.9:
            operator = self.random.choice(("+", "-", "*", "//", "mod"))
            return f"({self.expression(depth + 1)} {operator} {self.expression(depth + 1)})"
        function, signature = self.random.choice(list(FUNCTIONS.items()))
        operands = ", ".join(
            self.expression(depth + 1) if kind == "integer" else self.random.choice(("'a b'", "?w", "abc"))
            for kind in signature.operands
        )
        return f"{function}({operands})"

    def comparison(self) -> str:
        if self.random.random() < 0.4:
            sort = self.random.choice("pc")
            return f"{self.term(sort)} {self.random.choice(('=', '!='))} {self.term(sort)}".replace("_", "?p")
        operator = self.random.choice(("=", "=", "!=", "<", "<=", ">", ">="))
        return f"{self.random.choice(VARIABLES['n'])} {operator} {self.expression()}"

    def set(self) -> str:
        name = self.random.choice(("liberty", "neighbour")) if self.careful() else "near"
        tense = self.random.choice(("before ", "after ")) if self.tensed and name == "liberty" else ""
        return f"{tense}{name}({self.random.choice(VARIABLES['p'])}, ?l)"

    def condition(self, depth: int = 0, *, meta: bool = False) -> str:
        roll = self.random.random()
        if depth > 1 or roll < 0.6:
            return self.atom()
        if roll < 0.65:
            return self.statement()
        if roll < 0.8:
            return self.comparison()
        if roll < 0.86:
            inner = self.conditions(2, depth + 1).replace("?r", "?l")
            return f"all ?l in {self.set()}: ({inner})"
        if roll < 0.91:
            union = f"({self.set()} or {self.set()})" if self.random.random() < 0.5 else self.set()
            excluded = f" but {self.term('p')}" if self.random.random() < 0.3 else ""
            return f"{self.random.choice(VARIABLES['n'])} = count ?l in {union}{excluded}"
        if not meta and self.careful():
            return self.atom()
        if roll < 0.96:
            return f"absent ({self.conditions(2, depth + 1)})"
        function = self.random.choice(("count", "sum", "min", "max"))
        inner = self.conditions(2, depth + 1)
        return f"{self.random.choice(VARIABLES['n'])} = {function} ?w where (weight(?z, ?w), {inner})"

    def conditions(self, most: int, depth: int = 0, *, meta: bool = False) -> str:
        written = [self.condition(depth, meta=meta) for _ in range(self.random.randint(1, most))]
        if len(written) > 1 and self.random.random() < 0.1:
            written[-2:] = [f"({written[-2]} or {written[-1]})"]
        return ", ".join(written)

    def rule(self) -> str:
        self.tensed = self.random.random() < 0.3
        name = self.random.choice(HEADS)
        if name in ("neighbour", "weight"):
            self.tensed = False
        head = self.statement("GI") if name == "take" else self.atom(name)
        body = self.conditions(4, meta=name in ("best", "total"))
        if self.careful():
            head = head.replace("_", "a1")
            body = ", ".join([body, *self.binders(f"{head}, {body}", head)])
        mark = f"lemma it{self.random.randrange(10**6)}: " if self.random.random() < 0.04 else ""
        return f"{mark}{head} :- {body}."

    def binders(self, text: str, head: str) -> list[str]:
        """Return conditions that bind the variables of a text, but only the number variables of the head."""
        binders = {"p": "neighbour({}, _)", "c": "opponent({}, _)", "n": "weight(_, {})"}
        return [
            binders[sort].format(variable)
            for sort, variables in VARIABLES.items()
            for variable in variables
            if variable in (head if sort == "n" and self.random.random() < 0.7 else text)
        ]

    def clause(self) -> str:
        roll = self.random.random()
        if roll < 0.85:
            return self.rule()
        self.tensed = False
        if roll < 0.92:
            ground = {"p": "a1", "c": "black", "n": "3"}
            name = self.random.choice(("neighbour", "colour", "liberty", "liberties"))
            return f"{name}({', '.join(ground[column] for column in COLUMNS[name])})."
        if roll < 0.96:
            says = self.random.choice(("frame colour(?p, _):", "persists colour(?p, _) unless"))
            return f"{says} {self.atom('move')}; {self.conditions(2)}."
        return (
            f"expect one: {self.conditions(3, meta=True)}{' gives a1' if self.random.random() < 0.3 else ''}."
        )


def random_theory(random: Random, *, care: float, clauses: int = 8) -> str:
    """Return a text of declarations, an example and random clauses."""
    writer = ClauseWriter(random, care)
    written = [writer.clause() for _ in range(clauses)]
    return DECLARATIONS + "example one: colour(a1, black), move(black, b1).\n" + "\n".join(written) + "\n"
