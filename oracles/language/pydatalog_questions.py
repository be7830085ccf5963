"""Random theories and queries that the checker accepts and that pyDatalog can answer in most cases."""

from __future__ import annotations

import json
import random
import sys

from hornbook.kb.ast.theory import Theory
from hornbook.kb.check.queries import check_query
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.kb.pydatalog import engine as pydatalog_engine
from hornbook.kb.pydatalog.engine import UnsupportedError, answer
from hornbook.kb.pydatalog.process import run_here
from hornbook.kb.sources.diagnostics import TheoryError

QUERIES = 10
"""Number of queries for each theory."""
WORDS = ["a", "'New York'", "'X'", "'it''s'", "ünï", "'5'", "'p(X)'"]
DECLARATIONS = """
sort node.
static edge(node, node).
static mark(node).
static size(node, int).
static flag.
fluent at(node, node).
derived d0(node).
derived d1(node, node).
derived d2(node, int).
derived d3(node, node).
"""
COLUMNS = {
    "edge": "nn", "mark": "n", "size": "ni", "flag": "", "at": "nn", "d0": "n", "d1": "nn", "d2": "ni",
    "d3": "nn",
}  # fmt: skip
GIVEN, DERIVED = ("edge", "mark", "size", "flag", "at"), ("d0", "d1", "d2", "d3")


class PydatalogWriter:
    """A generator of random theories and queries that the checker accepts and pyDatalog can answer."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = self.random.sample(WORDS, 4)

    def constant(self, sort: str) -> str:
        return self.random.choice(self.words) if sort == "n" else str(self.random.choice([-3, 0, 5, 5, 7]))

    def term(self, sort: str, wildcards: bool = True) -> str:
        draw = self.random.random()
        if draw < 0.12:
            return self.constant(sort)
        if draw < 0.2 and wildcards:
            return "_"
        return f"?{sort}{self.random.randrange(4)}"

    def atom(self, predicate: str) -> str:
        terms = ", ".join(self.term(sort) for sort in COLUMNS[predicate])
        return f"{predicate}({terms})" if terms else predicate

    def body(self, predicates: list[str]) -> tuple[list[str], set[str]]:
        """Return atoms, and comparisons of their variables."""
        conditions = [self.atom(p) for p in predicates]
        bound = {word.strip("(),") for c in conditions for word in c.split() for word in word.split("(")}
        bound = {name for name in bound if name.startswith("?")}
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            if not bound:
                break
            left = self.random.choice(sorted(bound))
            sort = left[1]
            operators = ["=", "!=", "!="] if sort == "n" else ["=", "!=", "<", "<=", ">", ">="]
            others = [name for name in sorted(bound) if name[1] == sort] + [self.constant(sort)]
            operator, right = self.random.choice(operators), self.random.choice(others)
            if operator == "=" and self.random.random() < 0.5:
                right = f"?{sort}9"
                bound.add(right)
            sides = [left, right]
            self.random.shuffle(sides)
            conditions.insert(self.random.randrange(len(conditions) + 1), f"{sides[0]} {operator} {sides[1]}")
        return conditions, bound

    def rule(self, head: str) -> str:
        below = [*GIVEN, *DERIVED[: DERIVED.index(head)]]
        predicates = self.random.choices(below, k=self.random.choice([1, 1, 2, 3]))
        if self.random.random() < 0.4:  # linear recursion, anywhere in the body
            predicates.insert(self.random.randrange(len(predicates) + 1), head)
        conditions, bound = self.body(predicates)
        terms = []
        for sort in COLUMNS[head]:
            fitting = [name for name in sorted(bound) if name[1] == sort]
            constant = not fitting or self.random.random() < 0.1
            terms.append(self.constant(sort) if constant else self.random.choice(fitting))
        return f"{head}({', '.join(terms)}) :- {', '.join(conditions)}."

    def facts(self) -> str:
        lines = set()
        for predicate in GIVEN:
            for _ in range(self.random.choice([0, 2, 5])):
                terms = ", ".join(self.constant(sort) for sort in COLUMNS[predicate])
                lines.add(f"{predicate}({terms})." if terms else f"{predicate}.")
        return "\n".join(sorted(lines))

    def theory(self) -> str:
        rules = [self.rule(head) for head in DERIVED for _ in range(self.random.choice([1, 2, 2, 3]))]
        self.random.shuffle(rules)
        return "\n".join([DECLARATIONS, *rules, self.facts()])

    def query(self, depth: int = 2) -> str:
        conditions, _ = self.body(self.random.choices(list(COLUMNS), k=self.random.choice([1, 1, 2])))
        if depth and self.random.random() < 0.5:
            conditions.append(f"absent ({self.query(depth - 1)})")
        return ", ".join(conditions)


def questions(seed: int) -> tuple[Theory, list[Query]]:
    """Return a theory and queries.

    Queries that the checker refuses (with unsatisfiable conditions, for example) are left out.
    """
    writer = PydatalogWriter(seed)
    lines = writer.theory().splitlines()
    while True:
        try:
            theory = load_text("\n".join(lines))
            break
        except TheoryError as problem:
            wrong = {diagnostic.span.line for diagnostic in problem.diagnostics}
            lines = ["" if number in wrong else line for number, line in enumerate(lines, start=1)]
    queries: list[Query] = []
    while len(queries) < QUERIES:
        query = parse_query(writer.query())
        if not any(d.severity == "error" for d in check_query(query, theory.vocabulary)):
            queries.append(query)
    return theory, queries


def serve() -> None:
    """Answer with pyDatalog the queries of the theories named on standard input, except for the first few.

    Each answer is a line, since pyDatalog may not terminate and kill the process.
    """
    seeds, done = json.load(sys.stdin)
    # This is already a separate process.
    pydatalog_engine.run = lambda program, _: run_here(program)
    for number, seed in enumerate(seeds):
        theory, queries = questions(seed)
        for query in queries[max(0, done - number * QUERIES) :]:
            try:
                outcome = ["answers", answer(theory, (), query)]
            except UnsupportedError as problem:
                outcome = ["refused", str(problem)]
            print(json.dumps(outcome), flush=True)
