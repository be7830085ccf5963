"""The checker's own test that a rule is well-formed in its theory's language, before any proof is checked.

It rejects rules that a proof could misinterpret. These have names that no source text can contain, predicates
with the wrong columns, missing moments, sets that are not closed, or variables that are unbound or have two
sorts. These are the minimal requirements for the soundness of the checker's inferences. The package kb/check
tests more and reports it better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hornbook.compiler.checker.context import RejectedError, is_of_numbers
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.operators import Kind, signature
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Rule,
    Statement,
    Term,
    Variable,
    condition_constants,
    condition_variables,
    expression_variables,
    leaves_by_kind,
    outer_variables,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import Vocabulary, counts_of
from hornbook.kb.text.counts import counted
from hornbook.kb.text.literals.functions import digits_operands, is_number_of_digits
from hornbook.kb.text.literals.values import WrittenInteger

_VARIABLE = re.compile(r"[^\W\d_]\w*|_\d*")


def refuse_other_language(rule: Rule, words: Vocabulary) -> None:
    """Raise RejectedError if no source text in the theory's language could express the rule."""
    try:
        _refuse_unwritable((rule.head, *rule.body))
        for statement in (rule.head, *statements(rule.body)):
            _refuse_undeclared(statement, words)
        for condition in rule.body:
            _refuse_unprovable(condition, words)
        _refuse_missing_moments(rule, words)
        _BodyScope(words, frozenset(), {}).read(rule.body, rule.head)
    except _OtherLanguageError as problem:
        raise RejectedError(f"it is not a rule of the theory's language: {problem}") from None


def sorts_of(rule: Rule, words: Vocabulary) -> dict[str, str]:
    """Return the sort of each shared variable in a rule's conditions, if columns and comparisons determine
    it.
    """
    scope = _BodyScope(words, frozenset(), {})
    scope.read(rule.body, rule.head)
    return scope.sorts


class _OtherLanguageError(Exception):
    """A violation of the language by a rule."""


def refuse_value(constant: Constant) -> None:
    """Raise RejectedError for a constant outside the language: no object has it, but a comparison would
    assume one.
    """
    if type(constant.value) not in (str, int) and not isinstance(constant.value, WrittenInteger):
        raise RejectedError(f"`{constant.value}` is neither a word nor an integer")
    if isinstance(constant.value, int) and not MIN_INTEGER <= constant.value <= MAX_INTEGER:
        raise RejectedError(f"the number {constant.value} does not fit into 64 bits")


def _refuse_unwritable(conditions: Sequence[Condition]) -> None:
    variables = [v for condition in conditions for v in condition_variables(condition)]
    for variable in variables:
        if not _VARIABLE.fullmatch(variable.name):
            odd = re.search(r"\W", variable.name)
            where = "begins" if odd is None else "ends" if odd.end() == len(variable.name) else "goes on"
            mark = variable.name[:1] if odd is None else odd[0]
            raise _OtherLanguageError(
                f"`?{variable.name}` has a name that {where} with `{mark}`, as no variable of a text has"
            )
    wildcards = Counter(v.name for v in variables if v.is_wildcard)
    if any(count > 1 for count in wildcards.values()):
        raise _OtherLanguageError("a wildcard occurs in two places")
    for constant in (c for condition in conditions for c in condition_constants(condition)):
        refuse_value(constant)


def _refuse_unprovable(condition: Condition, words: Vocabulary) -> None:
    """Raise _OtherLanguageError if a condition, or one nested in it, depends on facts that may be true but
    unknown.
    """
    if isinstance(condition, PlanStatement):
        raise _OtherLanguageError(f"`{print_condition(condition)}` is a plan, which cannot be a condition")
    if isinstance(condition, All):
        for inner in condition.conditions:
            _refuse_unprovable(inner, words)
    elif isinstance(condition, (Absent, Aggregate)):
        for statement in _summarised(condition):
            if not isinstance(statement, Atom) or words.predicates[statement.predicate].kind == "action":
                raise _OtherLanguageError(
                    f"`{print_condition(condition)}` has no place in a learned rule: of"
                    f" `{predicate_of(statement)}` more may be true"
                )
            if statement.tense == "after":
                raise _OtherLanguageError(
                    f"`{print_condition(condition)}` is about what holds after an action, of which more may"
                    " be true"
                )


def _summarised(condition: Condition) -> Iterator[Statement]:
    """Yield the statements in an absence or aggregate.

    Raise _OtherLanguageError if it contains a closed set.
    """
    match condition:
        case Absent() | Aggregate():
            for inner in condition.conditions:
                yield from _summarised(inner)
        case Atom() | GameStatement() | PlanStatement():
            yield condition
        case All() | CountIn():
            raise _OtherLanguageError(f"`{print_condition(condition)}` occurs in an absence or an aggregate")


# Statements


def _refuse_undeclared(statement: Statement, words: Vocabulary) -> None:
    """Raise _OtherLanguageError if a statement's predicates are not declared as used."""
    atoms = (statement,) if isinstance(statement, Atom) else _parts(statement)
    for atom in atoms:
        declared = words.predicates.get(atom.predicate)
        if declared is None:
            raise _OtherLanguageError(f"unknown predicate `{atom.predicate}`")
        if declared.arity != len(atom.arguments):
            expected = counted(declared.arity, "argument")
            raise _OtherLanguageError(f"`{atom.predicate}` takes {expected}, not {len(atom.arguments)}")
        if declared.kind == "meta":
            raise _OtherLanguageError(f"the meta predicate `{atom.predicate}` may rest on an absence")
        if atom.tense is not None and not declared.has_tense:
            raise _OtherLanguageError(f"`{atom.predicate}` does not change, and has a tense word")
    named = words.predicates[atoms[0].predicate]
    if isinstance(statement, PlanStatement):
        moves, tenses = statement.moves, (statement.game.tense, statement.by.tense)
        if type(moves) is not int or not 1 <= moves <= MAX_INTEGER or tenses != (None, None):
            raise _OtherLanguageError(f"`{print_condition(statement)}` is not a plan in a number of moves")
        if named.kind != "game" or words.predicates[statement.by.predicate].kind != "action":
            raise _OtherLanguageError(f"`{print_condition(statement)}` is not a plan of a game by an action")
        return
    if isinstance(statement, GameStatement):
        by = statement.by
        if named.kind != "game" or (by is not None and words.predicates[by.predicate].kind != "action"):
            raise _OtherLanguageError(f"`{print_condition(statement)}` is not a statement about a game")
    elif named.kind == "game":
        raise _OtherLanguageError(f"`{named.name}` is a game, and says nothing without its value")


def _parts(statement: GameStatement | PlanStatement) -> tuple[Atom, ...]:
    return (statement.game,) if statement.by is None else (statement.game, statement.by)


def _refuse_missing_moments(rule: Rule, words: Vocabulary) -> None:
    """Raise _OtherLanguageError if a condition has no moment, or an earlier fact is concluded from a later
    one.
    """
    head, body = rule.head, tuple(statements(rule.body))
    concluded = words.predicates[predicate_of(head)]
    if concluded.kind == "action":
        raise _OtherLanguageError(f"`{concluded.name}` is an action: no rule can conclude that it is taken")
    if concluded.kind == "static":
        changing = [s for s in body if words.predicates[predicate_of(s)].kind != "static"]
        if changing:
            raise _OtherLanguageError(
                f"`{concluded.name}` is static, and cannot rest on `{predicate_of(changing[0])}`"
            )
        return
    tensed = [head, *(s for s in body if words.predicates[predicate_of(s)].has_tense)]
    if all(statement.tense is None for statement in tensed):
        actions = [predicate_of(s) for s in body if words.predicates[predicate_of(s)].kind == "action"]
        if actions:
            raise _OtherLanguageError(
                f"the rule has no tense word, so it cannot mention the action `{actions[0]}`"
            )
        return
    for statement in tensed:
        if statement.tense is None:
            raise _OtherLanguageError(
                f"`{predicate_of(statement)}` needs a tense word, since the rule has one elsewhere"
            )
    if isinstance(head, Atom) and head.tense != "after" and any(s.tense == "after" for s in body):
        raise _OtherLanguageError(
            f"the rule concludes `{print_condition(head)}` from what holds after the action"
        )


# Variables


class _BodyScope:
    """The scope of one body: the conditions of a rule or of a closed condition.

    `bound` contains the variables bound in enclosing scopes, and `sorts` their sorts.
    """

    def __init__(self, words: Vocabulary, bound: frozenset[str], sorts: dict[str, str]) -> None:
        self.words, self.bound, self.sorts = words, set(bound), dict(sorts)
        self.counters = counts_of(words)

    def read(self, conditions: Sequence[Condition], head: Statement | None = None) -> None:
        comparisons = [c for c in conditions if isinstance(c, Comparison)]
        closed = [c for c in conditions if isinstance(c, (All, CountIn))]
        for condition in conditions:
            if isinstance(condition, (Atom, GameStatement)):
                self._columns(condition)
                self.bound |= {v.name for v in condition_variables(condition)}
        visible = self.bound | {v.name for v in outer_variables(conditions)}
        for condition in closed:
            self._closed(condition, visible)
        if head is not None:
            self._columns(head)
        self._compare(comparisons)
        summaries = [c for c in conditions if isinstance(c, (Absent, Aggregate))]
        for summary in summaries:
            self._listed(summary, visible)
        self._bind(
            comparisons, [c for c in (*closed, *summaries) if isinstance(c, (CountIn, Aggregate))], visible
        )
        self._need(outer_variables((*comparisons, *closed, *summaries)), "a comparison or closed set")
        if head is not None:
            self._need(condition_variables(head), "the conclusion")
        for condition in closed:
            if isinstance(condition, All):
                own = {v.name for v in condition.variables}
                inside = _BodyScope(self.words, frozenset(self.bound | own), self.sorts)
                inside._columns(condition.member)
                inside.read(condition.conditions)
        for summary in summaries:
            inside = _BodyScope(self.words, frozenset(self.bound), self.sorts)
            inside.read(summary.conditions)
            if isinstance(summary, Aggregate):
                inside._need(summary.variables, "an aggregate")
                if summary.function != "count":
                    inside._integers(summary.variables[0])

    def _listed(self, condition: Absent | Aggregate, visible: set[str]) -> None:
        """Raise _OtherLanguageError if an aggregate does not range over variables of its own."""
        if isinstance(condition, Absent):
            return
        listed = condition.variables
        wrong = len(set(listed)) != len(listed) or any(v.is_wildcard or v.name in visible for v in listed)
        if wrong or (condition.function != "count" and len(listed) != 1):
            shown = print_condition(condition)
            raise _OtherLanguageError(f"the variables that `{shown}` lists are not its own")
        self._integers(condition.result)

    # Closed sets

    def _closed(self, condition: All | CountIn, visible: set[str]) -> None:
        """Raise _OtherLanguageError if a condition does not range over closed sets with variables of its
        own.
        """
        shown = f"`{print_condition(condition)}`"
        listed = condition.variables
        if len(set(listed)) != len(listed) or any(v.is_wildcard or v.name in visible for v in listed):
            raise _OtherLanguageError(f"the variables that {shown} lists are not its own")
        for member in (condition.member,) if isinstance(condition, All) else condition.sets:
            counter = self.counters.get(member.predicate)
            if counter is None or not self._counts(counter, member):
                raise _OtherLanguageError(f"`{member.predicate}` is not a closed set")
            if member.terms[counter.arity - 1 :] != listed:
                raise _OtherLanguageError(f"{shown} does not list the members of `{member.predicate}`")
            self._columns(member, without={v.name for v in listed})
        if isinstance(condition, CountIn):
            if condition.excluded and len(listed) > 1:
                raise _OtherLanguageError(f"{shown} leaves out members of more than one column")
            self._integers(condition.result)
            sort = self.words.predicates[condition.sets[0].predicate].columns[-1].name
            for term in condition.excluded:
                self._note(term, sort)

    def _counts(self, counter: Predicate, member: Atom) -> bool:
        """Return whether a predicate has the columns, key and tense of a counter for a set."""
        counted = self.words.predicates[member.predicate]
        return counter.key == counter.arity - 1 < counted.arity and counter.has_tense == counted.has_tense

    # Bindings

    def _bind(
        self, comparisons: Iterable[Comparison], counts: Iterable[CountIn | Aggregate], visible: set[str]
    ) -> None:
        """Add the variables bound by equations, counts and aggregates."""
        equations = [
            (one.name, {v.name for v in expression_variables(other)})
            for c in comparisons
            if c.operator == "="
            for one, other in ((c.left, c.right), (c.right, c.left))
            if isinstance(one, Variable) and not one.is_wildcard
        ]
        for count in counts:
            result = count.result
            if isinstance(result, Variable) and not result.is_wildcard:
                others = [v.name for v in outer_variables((count,))]
                others.remove(result.name)
                if isinstance(count, Aggregate):
                    others += [v.name for c in count.conditions for v in condition_variables(c)]
                equations.append((result.name, visible.intersection(others)))
        grown = True
        while grown:
            new = {name for name, needs in equations if needs <= self.bound} - self.bound
            self.bound |= new
            grown = bool(new)

    def _need(self, variables: Iterable[Variable], where: str) -> None:
        for variable in variables:
            if variable.name not in self.bound:
                raise _OtherLanguageError(
                    f"`{print_term(variable)}` in {where} is bound by no positive condition"
                )

    # Sorts

    def _columns(self, statement: Statement, without: Iterable[str] = ()) -> None:
        """Record the sorts that the columns of a statement determine for its terms."""
        for atom in (statement,) if isinstance(statement, Atom) else _parts(statement):
            columns = self.words.predicates[atom.predicate].columns
            for term, column in zip(atom.arguments, columns, strict=True):
                if not (isinstance(term, Variable) and term.name in without):
                    self._note(term, column.name)
        if isinstance(statement, GameStatement):
            self._note(statement.value, VALUE_SORT)

    def _note(self, term: Term, sort: str) -> None:
        if isinstance(term, Constant):
            if not self._takes(sort, term):
                raise _OtherLanguageError(f"`{term.value}` is no `{sort}`")
            return
        known = self.sorts.setdefault(term.name, sort)
        if known == sort:
            return
        if not (self._is_integer(known) and self._is_integer(sort) and INTEGER_SORT in (known, sort)):
            raise _OtherLanguageError(f"`{print_term(term)}` is a `{known}` and a `{sort}`")
        self.sorts[term.name] = sort if known == INTEGER_SORT else known

    def _takes(self, sort: str, constant: Constant) -> bool:
        declared = self.words.sorts[sort]
        if declared.kind == "enumerated":
            return constant.value in declared.constants
        if declared.kind == "mixed":
            return True
        return isinstance(constant.value, int) == (declared.kind == "integer")

    def _is_integer(self, sort: str) -> bool:
        return self.words.sorts[sort].kind == "integer"

    def _compare(self, comparisons: Sequence[Comparison]) -> None:
        """Raise _OtherLanguageError if words are ordered or used in arithmetic, or terms of two sorts are
        compared.
        """
        alike: list[tuple[Term, Term]] = []
        for comparison in comparisons:
            left, right = comparison.left, comparison.right
            if is_of_numbers(comparison):
                self._integers(left)
                self._integers(right)
            elif isinstance(left, Term) and isinstance(right, Term):
                alike += [(left, right), (right, left)]
        # One pass for each comparison propagates sorts along every chain of comparisons.
        for _ in range(len(alike) // 2):
            for one, other in alike:
                self._alike(one, other)
        for comparison in comparisons:
            if _reads_words(comparison):
                kind: Kind = "integer" if is_of_numbers(comparison) else "word"
                self._of_kind(comparison.left, kind)
                self._of_kind(comparison.right, kind)

    def _alike(self, one: Term, other: Term) -> None:
        """Record that a term has the sort of another one, if that is known."""
        if isinstance(other, Constant):
            sort = INTEGER_SORT if isinstance(other.value, int) else None
            if isinstance(one, Constant) and isinstance(one.value, int) != (sort is not None):
                raise _OtherLanguageError("a word and an integer are compared")
        else:
            sort = self.sorts.get(other.name)
        if sort is None or isinstance(one, Constant):
            if sort is not None and isinstance(one, Constant) and not self._takes(sort, one):
                raise _OtherLanguageError(f"`{one.value}` is no `{sort}`")
            return
        known = self.sorts.setdefault(one.name, sort)
        if isinstance(other, Constant) and self._takes(known, other):
            return
        if known != sort and not (self._is_integer(known) and self._is_integer(sort)):
            raise _OtherLanguageError(f"`{print_term(one)}`, a `{known}`, is compared with a `{sort}`")

    def _integers(self, expression: Expression) -> None:
        self._of_kind(expression, "integer")

    def _of_kind(self, expression: Expression, kind: Kind) -> None:
        """Raise _OtherLanguageError if an expression, or an operand in it, is a word instead of an integer or
        the other way around. Record the sort of integers.
        """
        if isinstance(expression, Operation):
            declared = signature(expression.operator)
            kinds = declared.taken(len(expression.operands))
            if declared.result != kind or len(kinds) != len(expression.operands):
                raise _OtherLanguageError(f"`{expression.operator}` gives no {kind}, and is used as one")
            for operand, taken in zip(expression.operands, kinds, strict=True):
                self._of_kind(operand, taken)
            for place in digits_operands(expression.operator):
                digits = expression.operands[place]
                if not (isinstance(digits, Constant) and is_number_of_digits(digits.value)):
                    raise _OtherLanguageError(f"`{expression.operator}` has a number of digits that is none")
        elif isinstance(expression, Constant):
            if isinstance(expression.value, int) != (kind == "integer"):
                use = "a word, and calculated with" if kind == "integer" else "an integer, and used as a word"
                raise _OtherLanguageError(f"`{expression.value}` is {use}")
        elif kind == "integer":
            if not self._is_integer(self.sorts.setdefault(expression.name, INTEGER_SORT)):
                raise _OtherLanguageError(
                    f"`{print_term(expression)}` is a `{self.sorts[expression.name]}`, and calculated with"
                )
        elif (sort := self.sorts.get(expression.name)) and self.words.sorts[sort].kind in (
            "integer",
            "mixed",
        ):
            raise _OtherLanguageError(f"`{print_term(expression)}` is a `{sort}`, and used as a word")


def _reads_words(comparison: Comparison) -> bool:
    """Return whether a function of words occurs in a comparison."""
    sides = (comparison.left, comparison.right)
    return any(
        isinstance(side, Operation)
        and (signature(side.operator).result == "word" or any(k == "word" for _, k in leaves_by_kind(side)))
        for side in sides
    )
