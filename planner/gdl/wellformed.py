"""The validation of a sheet: all errors, as far as one run can find them, and the sheet's program.

The checks follow the specification of GDL: each name has one arity, rules are safe and stratified, and terms
are bounded. The initial state depends on no state, and the legal moves depend on no move. A sheet without
players, without legal moves, without an end or without goals is no game. Therefore `role`, `legal`,
`terminal` and `goal` are required. Without `init` or `next`, a state is empty, which is suspicious.

Source: Love, Hinrichs, Haley, Schkufza and Genesereth 2008.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, warning
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.clauses import (
    ARITIES,
    GIVEN,
    STATE_FREE,
    Distinct,
    Formula,
    GdlAtom,
    GdlClause,
    NotFormula,
    atoms_of,
    clauses_of,
    variables_of,
)
from hornbook.planner.gdl.coding import CodedGame, NotStratified, code
from hornbook.planner.gdl.flattening import Unbounded, flatten
from hornbook.planner.gdl.kif import MAX_MISTAKES, Expression, KifList, KifVariable, KifWord, read
from hornbook.planner.gdl.plain_rules import ALTERNATIVE, PlainRule, names_in, plain_rules
from hornbook.planner.gdl.roles_and_goals import forgotten_roles, goal_mistakes, role_mistakes

REQUIRED = {
    "role": ("there are no players", "name the players, as in `(role white)`"),
    "legal": (
        "there are no legal moves",
        "define the legal moves, as in `(<= (legal ?role noop) (role ?role))`",
    ),
    "terminal": ("the game never ends", "define the end, as in `(<= terminal (true (step 10)))`"),
    "goal": (
        "no state has a value",
        "define the values of states, as in `(<= (goal ?role 100) (won ?role))`",
    ),
}
"""The required relations, each with the meaning of its absence and a help text."""
EXPECTED = {
    "init": ("the first state is empty", "define the first state, as in `(init (step 1))`"),
    "next": (
        "later states are empty",
        "define the next state, as in `(<= (next (on ?x)) (does white (put ?x)))`",
    ),
}
"""The relations that nearly every game has; their absence is a warning."""


@dataclass(frozen=True, slots=True)
class ValidatedSheet:
    """A sheet after validation. `program` is None if one of the diagnostics is an error."""

    clauses: tuple[GdlClause, ...]
    program: CodedGame | None
    diagnostics: tuple[Diagnostic, ...]


def validate(text: str, file: str) -> ValidatedSheet:
    """Return the clauses, the program and the diagnostics of a sheet."""
    expressions, parenthesis_errors = read(text, file)
    clauses, clause_errors = clauses_of(expressions)
    plain = plain_rules(clauses)
    found = [*parenthesis_errors, *clause_errors, *_arity_errors(clauses), *_unsafe_variables(plain)]
    found += _premature_dependencies(clauses)
    found += [*role_mistakes(clauses), *goal_mistakes(clauses)]
    if not (parenthesis_errors or clause_errors):
        # Report a missing relation only if all clauses could be read.
        found += [
            *_missing_relations(clauses, file),
            *forgotten_roles(clauses),
            *_unsatisfiable_conditions(clauses),
            *_unused_relations(clauses),
        ]
    found = found[:MAX_MISTAKES]
    if any(diagnostic.severity == "error" for diagnostic in found):
        return ValidatedSheet(clauses, None, tuple(found))
    try:
        flat, shapes_of = flatten(plain)
        input_relations = [
            (name, shapes) for name in ("true", "does") for shapes in sorted(shapes_of.get(name, ()))
        ]
        return ValidatedSheet(clauses, code(flat, input_relations), tuple(found))
    except Unbounded as problem:
        found.append(_growing_terms(problem.rule, plain))
    except NotStratified as problem:
        found.append(_negative_cycle(problem.names, clauses))
    return ValidatedSheet(clauses, None, tuple(found))


def _terms(clause: GdlClause) -> Iterator[Expression]:
    """Yield the terms of a clause in textual order."""
    yield from clause.head.terms
    todo: list[Formula] = list(reversed(clause.body))
    while todo:
        match todo.pop():
            case GdlAtom(terms=terms):
                yield from terms
            case Distinct(left=left, right=right):
                yield left
                yield right
            case NotFormula(formula=inner):
                todo.append(inner)
            case or_formula:
                todo += reversed(or_formula.formulas)


def _arity_errors(clauses: Iterable[GdlClause]) -> Iterator[Diagnostic]:
    """Yield an error for each relation or function that occurs with several arities.

    The most frequent arity counts as the intended one. Each other arity is an error where it occurs first.
    """
    relations: dict[str, list[tuple[int, Span]]] = {}
    functions: dict[str, list[tuple[int, Span]]] = {}
    for clause in clauses:
        for atom in (clause.head, *atoms_of(clause.body)):
            relations.setdefault(atom.name, []).append((len(atom.terms), atom.span))
        todo = list(_terms(clause))
        while todo:
            term = todo.pop()
            if isinstance(term, KifList):
                functions.setdefault(_name(term), []).append((len(term.items) - 1, term.span))
                todo += term.items[1:]
    for what, uses in (("relation", relations), ("function", functions)):
        for name, places in uses.items():
            counts = Counter(number for number, _ in places)
            intended = counts.most_common(1)[0][0]
            line = next(span.line for number, span in places if number == intended)
            for number in counts.keys() - {intended}:
                span = next(span for found, span in places if found == number)
                elsewhere = counted(intended, "argument")
                message = f"the {what} `{name}` has {elsewhere} elsewhere, and {number} here"
                help_ = f"write it as in line {line}, or choose another name for it"
                yield error("HB105", message, span, help_)


def _name(term: Expression) -> str:
    """Return the word or function name with which a term begins."""
    first = term.items[0] if isinstance(term, KifList) else term
    assert isinstance(first, KifWord)
    return first.name


def _unsafe_variables(rules: Iterable[PlainRule]) -> Iterator[Diagnostic]:
    """Yield an error for each unsafe variable of a head, negation or inequality.

    A variable is unsafe if no positive condition of its rule binds it.
    """
    reported: set[tuple[int, str]] = set()
    for rule in rules:
        bound = {
            name
            for condition in rule.body
            if isinstance(condition, GdlAtom)
            for name in names_in([condition])
        }
        needed = [variable.name for term in rule.head.terms for variable in variables_of(term)]
        needed += names_in(condition for condition in rule.body if not isinstance(condition, GdlAtom))
        for name in dict.fromkeys(needed):
            if name not in bound and (id(rule.clause), name) not in reported:
                reported.add((id(rule.clause), name))
                yield _unsafe_variable_error(rule, name)


def _unsafe_variable_error(rule: PlainRule, name: str) -> Diagnostic:
    clause = rule.clause
    occurrences = (
        variable.span for term in _terms(clause) for variable in variables_of(term) if variable.name == name
    )
    span = next(occurrences, clause.span)
    if not clause.body:
        message = f"`{clause.head.name}` would hold for every `?{name}`: a fact has no variables"
        help_ = (
            f"write a rule, `(<= ({clause.head.name} …) CONDITION)`, with a condition that binds `?{name}`"
        )
        return error("HB106", message, span, help_)
    where = "an alternative of the `or`" if rule.head.name.startswith(ALTERNATIVE) else "the rule"
    message = f"no condition binds `?{name}` in {where} for `{clause.head.name}`"
    help_ = f"add a condition with `?{name}` that is neither `not` nor `distinct`, as in `(role ?{name})`"
    return error("HB106", message, span, help_)


def _premature_dependencies(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield an error for each condition that depends on a state or a move before there is one.

    The dependency may be indirect, through other relations.
    """
    dependencies: dict[str, dict[str, None]] = {}
    for clause in clauses:
        dependencies.setdefault(clause.head.name, {}).update(
            dict.fromkeys(atom.name for atom in atoms_of(clause.body))
        )
    on_state, on_moves = _dependents("true", dependencies), _dependents("does", dependencies)
    for clause in clauses:
        name = clause.head.name
        for atom in atoms_of(clause.body):
            if name in STATE_FREE and (atom.name in on_state or atom.name in on_moves):
                source = "true" if atom.name in on_state else "does"
                message = f"`{name}` is the same in every state, and {_dependency_text(atom.name, source)}"
                yield error("HB104", message, atom.span, f"define `{name}` without `{source}`")
            elif name in ("legal", "goal", "terminal") and atom.name in on_moves:
                message = f"`{name}` is evaluated before any move, and {_dependency_text(atom.name, 'does')}"
                yield error(
                    "HB104",
                    message,
                    atom.span,
                    "store the moves in the state, by `next`, and query them by `true`",
                )


def _dependents(name: str, dependencies: Mapping[str, Iterable[str]]) -> set[str]:
    """Return a relation and all relations that depend on it.

    The mapping has the relations in the bodies of each relation's clauses.
    """
    users: dict[str, list[str]] = {}
    for head, conditions in dependencies.items():
        for each in conditions:
            users.setdefault(each, []).append(head)
    found, todo = {name}, [name]
    while todo:
        new = [head for head in users.get(todo.pop(), ()) if head not in found]
        found.update(new)
        todo += new
    return found


def _dependency_text(name: str, source: str) -> str:
    return f"`{source}` occurs here" if name == source else f"`{name}` depends on `{source}`"


def _missing_relations(clauses: Sequence[GdlClause], file: str) -> Iterator[Diagnostic]:
    """Yield an error for each required relation without a clause, and a warning for each expected one."""
    span = Span(file, 1, 1, 1, 1)
    if not clauses:
        yield error(
            "HB109", "the sheet has no clause", span, "write the rules of a game, as in `(role white)`"
        )
        return
    heads = {clause.head.name for clause in clauses}
    for name, (meaning, help_) in REQUIRED.items():
        if name not in heads:
            yield error("HB109", f"the sheet does not define `{name}`: {meaning}", span, help_)
    for name, (meaning, help_) in EXPECTED.items():
        if name not in heads:
            yield warning("HB109", f"the sheet does not define `{name}`: {meaning}", span, help_)


def _unsatisfiable_conditions(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield a warning for each condition that never holds because no clause concludes it.

    A condition on a fluent or a move is looked up among the fluents that `init` and `next` conclude, or among
    the moves that `legal` concludes. Each other condition is looked up among the heads.
    """
    heads = {clause.head.name for clause in clauses}
    fluents = _possible_terms(
        clause.head.terms[0] for clause in clauses if clause.head.name in ("init", "next")
    )
    moves = _possible_terms(clause.head.terms[1] for clause in clauses if clause.head.name == "legal")
    messages = {
        "true": "no state has `{}`{}",
        "does": "`{}`{} is never legal",
        "": "no clause concludes `{}`",
    }
    reported: set[tuple[str, str, bool]] = set()
    for atom in (atom for clause in clauses for atom in atoms_of(clause.body)):
        # `what` is "true" or "does", and the term a fluent or a move; "" for any other relation.
        what, term = (atom.name, atom.terms[-1]) if atom.name in GIVEN else ("", None)
        if isinstance(term, KifVariable):
            continue
        name, is_function = atom.name if term is None else _name(term), isinstance(term, KifList)
        names = {"true": fluents, "does": moves}.get(what, {head: {False} for head in heads})
        if names is None or is_function in names.get(name, ()) or name in REQUIRED:
            continue
        if (what, name, is_function) in reported:
            continue
        reported.add((what, name, is_function))
        form = "" if name not in names else " with arguments" if is_function else " without arguments"
        help_ = "write a clause that concludes it, or delete the condition"
        if name not in names:
            help_ = did_you_mean(name, names) or help_
        message = messages[what].format(name, form)
        yield warning("HB010", f"{message}: this condition never holds", atom.span, help_)


def _possible_terms(terms: Iterable[Expression]) -> dict[str, set[bool]] | None:
    """Return the names with which some terms of heads begin, each with the kinds of its terms.

    The kinds are words (False) and functions (True). The result is None if a term is a variable, which may
    have any value.
    """
    found: dict[str, set[bool]] = {}
    for term in terms:
        if isinstance(term, KifVariable):
            return None
        found.setdefault(_name(term), set()).add(isinstance(term, KifList))
    return found


def _unused_relations(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield a warning for each relation that no condition contains and that has no meaning in GDL."""
    used = {atom.name for clause in clauses for atom in atoms_of(clause.body)} | ARITIES.keys()
    reported: set[str] = set()
    for clause in clauses:
        name = clause.head.name
        if name not in used and name not in reported:
            reported.add(name)
            yield warning(
                "HB054", f"no condition asks for `{name}`", clause.head.span, "delete its clauses, or use it"
            )


def _growing_terms(blamed: PlainRule, rules: Sequence[PlainRule]) -> Diagnostic:
    """Report a rule that puts a function around terms that depend on its own head.

    The blamed rule, at which flattening stopped, is preferred; otherwise the first such rule is reported. If
    there is none, the blamed rule is reported.
    """
    dependencies: dict[str, dict[str, None]] = {"true": {"next": None, "init": None}, "does": {"legal": None}}
    for rule in rules:
        atoms = (condition.name for condition in rule.body if isinstance(condition, GdlAtom))
        dependencies.setdefault(rule.head.name, {}).update(dict.fromkeys(atoms))

    def makes_larger_terms(rule: PlainRule) -> bool:
        return any(isinstance(term, KifList) for term in rule.head.terms) and any(
            condition.name in _dependents(rule.head.name, dependencies)
            for condition in rule.body
            if isinstance(condition, GdlAtom)
        )

    head = next(filter(makes_larger_terms, (blamed, *rules)), blamed).clause.head
    message = f"the terms of `{head.name}` grow without end, or into too many shapes"
    help_ = "count with words, by facts such as `(succ 1 2)`, instead of functions around earlier terms"
    return error("HB108", message, head.span, help_)


def _negative_cycle(names: Sequence[str], clauses: Sequence[GdlClause]) -> Diagnostic:
    """Report a cycle through negation.

    The first name depends on the absence of the next, every other one on the next, and the last on the first.
    """

    def negated_names(formulas: Iterable[Formula]) -> Iterator[str]:
        """Yield the relations inside a `not`."""
        for formula in formulas:
            if isinstance(formula, NotFormula):
                yield from (atom.name for atom in atoms_of([formula.formula]))
            elif not isinstance(formula, GdlAtom | Distinct):
                yield from negated_names(formula.formulas)

    cycle = set(names)
    clauses_of_cycle = [clause for clause in clauses if clause.head.name in cycle]
    with_negation = [clause for clause in clauses_of_cycle if cycle.intersection(negated_names(clause.body))]
    clause = (with_negation or clauses_of_cycle or list(clauses))[0]
    path = " → ".join(f"`{name}`" for name in (*names, *names[:1]))
    message = f"`{clause.head.name}` depends on its own absence: {path}"
    help_ = "split one of these rules, so that the condition in `not` is decided before its use"
    return error("HB107", message, clause.head.span, help_)
