"""Terms, atoms, conditions and rules: the meaning of the text of a theory before coding.

Invariants:

- Every object is frozen, so a rule can be shared, hashed and compared.
- Every object has a span, from the parser to the last error message. Comparison ignores the span.
- A wildcard `_` is a variable whose name is `_` followed by its number in the clause, so no two wildcards are
  equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, TypeVar, cast

from hornbook.kb.ast.operators import Kind, signature
from hornbook.kb.text.spans import NOWHERE as NOWHERE  # noqa: PLC0414 - it is exported
from hornbook.kb.text.spans import Span as Span  # noqa: PLC0414 - the same
from hornbook.matcher.program.dataclass import dataclass

Tense = Literal["before", "after"]
ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]
AggregateFunction = Literal["count", "min", "max", "sum"]

MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Variable:
    """`?name` in the text (the name without its mark), or a wildcard `_` (the name is `_1`, `_2`, …).

    If the parser introduced the variable for a calculation, `calculation` is the source text of it
    (kb/desugar/calculations.py, kb/desugar/groups.py).
    """

    name: str
    span: Span = _span()
    calculation: str | None = field(default=None, compare=False, repr=False)

    @property
    def written(self) -> str:
        """The source text."""
        return self.calculation or f"?{self.name}"

    @property
    def is_wildcard(self) -> bool:
        return self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class Constant:
    """A word (`black`, `a1`, `'New York'`) or a 64-bit integer."""

    value: str | int
    span: Span = _span()


Term = Variable | Constant

WON = Constant("GI")
"""The value of a game that is won for the friend if he plays first (kb/ast/values.py has all values)."""
SECOND_PLAYER_WIN = Constant("IG")
"""The value of a game that is won for the friend although the opponent plays first."""
WON_TO_PLAY = (WON, Constant("G"), Constant("GG"), Constant("GP"))
"""Every value of a game that is won for the friend if he plays first."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or a function (kb/ast/operators.py) applied to its operands; integers have 64 bits."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span = _span()

    @property
    def left(self) -> Expression:
        """The first of two operands."""
        left, _ = self.operands
        return left

    @property
    def right(self) -> Expression:
        """The second of two operands."""
        _, right = self.operands
        return right


Expression = Term | Operation


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate applied to terms, at a moment if a tense word precedes it."""

    predicate: str
    arguments: tuple[Term, ...]
    tense: Tense | None = None
    span: Span = _span()

    @property
    def relation(self) -> str:
        """The name of the relation whose tuples `terms` are."""
        return self.predicate

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.arguments

    def with_terms(self, terms: tuple[Term, ...]) -> Atom:
        return Atom(self.predicate, terms, self.tense, self.span)


@dataclass(frozen=True, slots=True)
class GameStatement:
    """`take(?b) by move(?c, ?p) is GI` (the value of one action) or `take(?b) is GP` (the value of the game).

    As a relation it is flat: the arguments of the game, those of the action, then the value (Cazenave 1996,
    section 2).
    """

    game: Atom
    by: Atom | None
    value: Term
    span: Span = _span()

    @property
    def tense(self) -> Tense | None:
        return self.game.tense

    @property
    def relation(self) -> str:
        return game_relation(self.game.predicate, None if self.by is None else self.by.predicate)

    @property
    def terms(self) -> tuple[Term, ...]:
        by = () if self.by is None else self.by.arguments
        return (*self.game.arguments, *by, self.value)

    def with_terms(self, terms: tuple[Term, ...]) -> GameStatement:
        first = len(self.game.arguments)
        by = None if self.by is None else self.by.with_terms(terms[first:-1])
        return GameStatement(self.game.with_terms(terms[:first]), by, terms[-1], self.span)


def game_relation(game: str, action: str | None) -> str:
    """Return the name of the relation of statements on a game, with or without an action."""
    return f"{game} is" if action is None else f"{game} by {action} is"


@dataclass(frozen=True, slots=True)
class PlanStatement:
    """`plan crown(?c, ?x) in 3 by move(?x, ?t)`: an o-plan (Tadepalli 1989, section 2).

    If the opponent passes each time, the friend wins the game within `moves` moves, and the first move is the
    action. Only learned rules conclude such a statement, and they do so for any one moment. No condition may
    contain one. As a relation it is flat: the arguments of the game, then those of the action.
    """

    game: Atom
    moves: int
    by: Atom
    span: Span = _span()

    @property
    def tense(self) -> None:
        """None: a plan holds for any one moment."""
        return None

    @property
    def relation(self) -> str:
        return f"plan {self.game.predicate} in {self.moves} by {self.by.predicate}"

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*self.game.arguments, *self.by.arguments)

    def with_terms(self, terms: tuple[Term, ...]) -> PlanStatement:
        first = len(self.game.arguments)
        return PlanStatement(
            self.game.with_terms(terms[:first]), self.moves, self.by.with_terms(terms[first:]), self.span
        )


Statement = Atom | GameStatement | PlanStatement
"""A possible conclusion of a rule. A plan is not a condition."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`. `=` binds a variable that nothing else binds."""

    operator: ComparisonOperator
    left: Expression
    right: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class All:
    """`all ?x in R(k, ?x): C`: the count of the closed set is known, and it equals the number of members that
    satisfy C.
    """

    variables: tuple[Variable, ...]
    member: Atom
    conditions: tuple[Condition, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CountIn:
    """`?n = count ?x in (R(a, ?x) or S(b, ?x)) but ?p or ?q`: the size of a union of closed sets without some
    members.
    """

    result: Expression
    variables: tuple[Variable, ...]
    sets: tuple[Atom, ...]
    excluded: tuple[Term, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`?n = sum ?x where (C)`: an aggregate over the answers known now.

    `count` counts distinct tuples of `variables`. `min`, `max` and `sum` take one variable and range over the
    distinct bindings of all variables local to the conditions.
    """

    result: Expression
    function: AggregateFunction
    variables: tuple[Variable, ...]
    conditions: tuple[Condition, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Absent:
    """`absent C`: no answer to C is derived. Variables that occur only inside are local."""

    conditions: tuple[Condition, ...]
    span: Span = _span()


Condition = Statement | Comparison | All | CountIn | Aggregate | Absent


class _CachedHash:
    """A slot for the cached hash of an object. Copies do not take it along, because hashes of words differ by
    process.
    """

    __slots__ = ("_hash",)
    _hash: int


@dataclass(frozen=True, slots=True)
class Rule(_CachedHash):
    """`label: head :- body.` Without conditions and variables, the rule is a fact.

    `lemma` marks a clause that is used only if it is proved from the other clauses of its theory
    (`judge` in kb/load/loader.py).

    The following fields do not take part in comparison:

    - `learned`: Whether the rule was learned and is not part of the theory.
    - `of_given`: Whether the rule is correct only for given states, and not for the moment after an action.
    - `alone`: The relations for which the proof assumes that only rules of the theory conclude them.
    - `alternative`: The number of this rule among the rules that a rule with `or` abbreviates, from 1.
    - `proved_of`: The digest of the theory for which the rule is proved, if the rule was read with that
      theory.
    """

    ALSO_CANONICAL: ClassVar = ("name",)  # the name of an unlabelled rule is its line

    head: Statement
    body: tuple[Condition, ...] = ()
    label: str | None = None
    span: Span = _span()
    lemma: bool = False
    learned: bool = field(default=False, compare=False, repr=False)
    proved_of: str | None = field(default=None, compare=False, repr=False)
    of_given: bool = field(default=False, compare=False, repr=False)
    alone: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    alternative: int = field(default=0, compare=False, repr=False)

    def __hash__(self) -> int:
        # Rules are frequent dictionary keys and can have hundreds of terms, so the hash is cached.
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.head, self.body, self.label)))
            return self._hash

    @property
    def name(self) -> str:
        """The label, or else the relation of the head and the line, with the number of the alternative."""
        number = f"_{self.alternative}" if self.alternative else ""
        return self.label or f"{self.head.relation}@{self.span.line}{number}"

    @property
    def is_fact(self) -> bool:
        return not self.body and self.label is None


def predicate_of(statement: Statement) -> str:
    """Return the predicate of a statement: its own, or that of the game."""
    return statement.predicate if isinstance(statement, Atom) else statement.game.predicate


# Parts of terms, expressions and conditions: the only functions that enumerate every kind of node

Node = Expression | Condition
N = TypeVar("N", bound=Node)


def parts(node: Node) -> tuple[Node, ...]:
    """Return the direct parts of a node, in the order of the text. A term has no parts."""
    match node:
        case Variable() | Constant():
            return ()
        case Operation():
            return node.operands
        case Comparison():
            return (node.left, node.right)
        case Atom() | GameStatement() | PlanStatement():
            return node.terms
        case All():
            return (*node.variables, node.member, *node.conditions)
        case CountIn():
            return (node.result, *node.variables, *node.sets, *node.excluded)
        case Aggregate():
            return (node.result, *node.variables, *node.conditions)
        case Absent():
            return node.conditions


def rewrite(node: N, change: Callable[[Any], Any], inside: Callable[[Any], Any] | None = None) -> N:
    """Return the node with each part changed into another of the same kind, in the order of the text.

    `inside`, if given, changes the parts in the scope of the variables that a nested condition lists: these
    variables, its closed sets and its conditions.
    """
    inside = inside or change
    changed: Node
    match node:
        case Atom() | GameStatement() | PlanStatement():
            changed = node.with_terms(tuple([change(term) for term in node.terms]))
        case Operation():
            changed = Operation(node.operator, tuple([change(each) for each in node.operands]), node.span)
        case Comparison():
            changed = Comparison(node.operator, change(node.left), change(node.right), node.span)
        case All():
            changed = All(
                tuple(map(inside, node.variables)),
                inside(node.member),
                tuple(map(inside, node.conditions)),
                node.span,
            )
        case CountIn():
            changed = CountIn(
                change(node.result),
                tuple(map(inside, node.variables)),
                tuple(map(inside, node.sets)),
                tuple(map(change, node.excluded)),
                node.span,
            )
        case Aggregate():
            changed = Aggregate(
                change(node.result),
                node.function,
                tuple(map(inside, node.variables)),
                tuple(map(inside, node.conditions)),
                node.span,
            )
        case Absent():
            changed = Absent(tuple(map(inside, node.conditions)), node.span)
        case Variable() | Constant():
            changed = node
    return cast("N", changed)


def listed_variables(node: Node) -> tuple[Variable, ...]:
    """Return the local variables that a nested condition lists between its keyword and `in` or `where`."""
    return node.variables if isinstance(node, All | CountIn | Aggregate) else ()


def member_atoms(node: Node) -> tuple[Atom, ...]:
    """Return the atoms whose closed sets a condition reads."""
    match node:
        case All():
            return (node.member,)
        case CountIn():
            return node.sets
        case _:
            return ()


def statements(conditions: Iterable[Node], *, nested: bool = True) -> Iterator[Statement]:
    """Yield every atom and game statement among the conditions, including those inside `all`, `count` and
    `absent`.
    """
    for condition in conditions:
        if isinstance(condition, (Atom, GameStatement, PlanStatement)):
            yield condition
        elif nested and not isinstance(condition, (Comparison, Variable, Constant, Operation)):
            yield from statements(parts(condition))


def leaves(node: Node) -> Sequence[Term]:
    """Return the terms of a condition or an expression, in order, with repetition, including listed
    variables.
    """
    if isinstance(node, (Atom, GameStatement, PlanStatement)):
        return node.terms
    if isinstance(node, (Variable, Constant)):
        return (node,)
    if isinstance(node, Comparison):
        return (*leaves(node.left), *leaves(node.right))
    return [term for part in parts(node) for term in leaves(part)]


def condition_variables(condition: Node) -> list[Variable]:
    """Return the variables of a condition, in order, with repetition, including local ones."""
    terms = condition.arguments if isinstance(condition, Atom) else leaves(condition)
    return [term for term in terms if isinstance(term, Variable)]


def expression_variables(expression: Expression) -> list[Variable]:
    """Return the variables of an expression, in order, with repetition."""
    return condition_variables(expression)


def leaves_by_kind(expression: Expression, kind: Kind | None = None) -> Iterator[tuple[Term, Kind | None]]:
    """Yield the terms of an expression, in order, each with its kind or None.

    The kind of an operand is determined by its operator. The kind of the whole expression is `kind`.
    """
    if not isinstance(expression, Operation):
        yield expression, kind
        return
    kinds = signature(expression.operator).taken(len(expression.operands))
    for operand, taken in zip(expression.operands, kinds, strict=True):
        yield from leaves_by_kind(operand, taken)


def numbers_in(expression: Expression) -> Iterator[Variable]:
    """Yield the numeric variables of a numeric expression."""
    for term, kind in leaves_by_kind(expression, "integer"):
        if kind == "integer" and isinstance(term, Variable):
            yield term


def is_numeric(expression: Expression, is_number: Callable[[Term], bool]) -> bool:
    """Return whether an expression is an integer if it has a value, given the terms that are integers.

    Words may be anything: a call of a function of words has a value only if they are words.
    """
    if not isinstance(expression, Operation):
        return is_number(expression)
    declared = signature(expression.operator)
    kinds = declared.taken(len(expression.operands))
    return declared.result == "integer" and all(
        kind == "word" or is_numeric(operand, is_number)
        for operand, kind in zip(expression.operands, kinds, strict=True)
    )


def condition_constants(condition: Condition) -> list[Constant]:
    """Return the constants of a condition, in order, with repetition."""
    return [term for term in leaves(condition) if isinstance(term, Constant)]


def outer_variables(
    conditions: Iterable[Condition], variables: Callable[[Node], Iterable[Variable]] = condition_variables
) -> Iterator[Variable]:
    """Yield the variables that conditions share, without the local variables of nested conditions.

    `variables` returns those of a part.
    """
    for condition in conditions:
        match condition:
            case Atom() | GameStatement() | PlanStatement() | Comparison():
                yield from variables(condition)
                continue
            case All():
                outer: Iterable[Node] = _keys(condition)
            case CountIn():
                outer = (condition.result, *_keys(condition), *condition.excluded)
            case Aggregate():
                outer = (condition.result,)
            case Absent():
                outer = ()
        for node in outer:
            yield from variables(node)


def answered_variables(conditions: Iterable[Condition]) -> Iterator[Variable]:
    """Return the variables that have values in an answer to the conditions, with repetition."""
    return (v for v in outer_variables(conditions) if not v.is_wildcard and v.calculation is None)


def _keys(condition: All | CountIn) -> Iterator[Term]:
    """Return the terms of closed sets before the columns of the members."""
    width = len(condition.variables)
    return (term for member in member_atoms(condition) for term in member.terms[: len(member.terms) - width])


@lru_cache(maxsize=4096)
def shared_variables(rule: Rule) -> frozenset[str]:
    """Return the variables of a rule that are not local to nested conditions."""
    heads = (term for term in rule.head.terms if isinstance(term, Variable))
    return frozenset(variable.name for variable in (*heads, *outer_variables(rule.body)))
