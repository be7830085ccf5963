"""Errors in the parts of a sheet about its roles: the players, their moves, and their goals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, warning
from hornbook.planner.gdl.clauses import GdlAtom, GdlClause, atoms_of
from hornbook.planner.gdl.ground import Ground, ground_of, text_of, worth_of
from hornbook.planner.gdl.kif import Expression, KifList, KifVariable, KifWord

ABOUT_A_ROLE = frozenset(("legal", "does", "goal", "input"))
"""The relations of GDL whose first argument is a role."""
_EVERYBODY_NEEDS = {
    "legal": (
        "no clause defines the moves of `{}`: the game cannot go on",
        "write `(<= (legal {} MOVE) CONDITION …)`",
    ),
    "goal": (
        "no clause defines the goal of `{}`",
        "write `(<= (goal {} VALUE) CONDITION …)`",
    ),
}


def role_mistakes(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield the mistakes in the clauses of `role`, and in arguments that name a role."""
    for clause in clauses:
        if clause.head.name == "role":
            yield from _role_clause(clause)
    for atom in _about_a_role(clauses):
        role = atom.terms[0]
        if isinstance(role, KifList):
            help_ = "write the name of a role, or a variable"
            yield error(
                "HB104",
                f"the first argument of `{atom.name}` is a role, and a role is a word",
                role.span,
                help_,
            )


def goal_mistakes(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield the mistakes in the clauses of `goal`.

    These are values that are not integers from 0 to 100, and clauses that give a role two goals at once.
    """
    for clause in clauses:
        if clause.head.name != "goal":
            continue
        worth = clause.head.terms[1]
        if isinstance(worth, KifVariable):
            values = _values(worth, clause, clauses)
            if values is not None and all(worth_of(term) is None for term in values):
                message = (
                    f"no value of `?{worth.name}` is an integer from 0 to 100, as the value of a goal is"
                )
                help_ = "write a condition that gives it such integers"
                yield error("HB104", message, worth.span, help_)
            continue
        term = ground_of(worth)
        if term is None or worth_of(term) is None:
            written = "a list" if term is None else f"`{text_of(term)}`"
            message = f"the value of a goal is an integer from 0 to 100, not {written}"
            yield error("HB104", message, worth.span, "write such an integer")
    yield from _two_at_once([clause for clause in clauses if clause.head.name == "goal"])


def _two_at_once(goals: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield each clause that gives a role another goal together with an earlier clause.

    The conditions of one of the two clauses imply those of the other.
    """
    known: dict[Expression, list[tuple[KifWord, GdlClause]]] = {}
    for clause in goals:
        role, worth = clause.head.terms
        if not isinstance(worth, KifWord) or worth_of(worth.name) is None:
            continue
        earlier = known.setdefault(role, [])
        rivals = [
            (value, other) for value, other in earlier if value != worth and _one_implies(clause, other)
        ]
        earlier.append((worth, clause))
        if rivals:
            value, other = min(rivals, key=lambda rival: len(rival[1].body))
            always = not clause.body and not other.body
            where = "in every state" if always else "where its conditions hold"
            message = (
                f"there are two goals {where}: {worth.name} here, and {value.name} in line {other.span.line}"
            )
            help_ = "delete one of them, or write conditions that exclude each other"
            yield (error if always else warning)("HB104", message, clause.head.span, help_)


def _one_implies(one: GdlClause, other: GdlClause) -> bool:
    """Return whether the conditions of one clause contain those of the other."""
    conditions, others = set(one.body), set(other.body)
    return conditions <= others or others <= conditions


def forgotten_roles(clauses: Sequence[GdlClause]) -> Iterator[Diagnostic]:
    """Yield warnings about names that are no role, and about roles without a legal move or without a goal."""
    roles = {
        clause.head.terms[0].name: clause.head.terms[0].span
        for clause in reversed(clauses)
        if clause.head.name == "role" and isinstance(clause.head.terms[0], KifWord)
    }
    if not roles:
        return
    reported: set[str] = set()
    for atom in _about_a_role(clauses):
        role = atom.terms[0]
        if isinstance(role, KifWord) and role.name not in roles and role.name not in reported:
            reported.add(role.name)
            help_ = did_you_mean(role.name, roles) or f"the roles are {', '.join(sorted(roles))}"
            yield warning("HB010", f"no role is called `{role.name}`", role.span, help_)
    for name, (message, help_) in _EVERYBODY_NEEDS.items():
        heads = [clause.head.terms[0] for clause in clauses if clause.head.name == name]
        if not heads or any(isinstance(role, KifVariable) for role in heads):
            continue
        named = {role.name for role in heads if isinstance(role, KifWord)}
        for player, span in roles.items():
            if player not in named:
                yield warning("HB109", message.format(player), span, help_.format(player))


def _values(variable: KifVariable, clause: GdlClause, clauses: Sequence[GdlClause]) -> set[Ground] | None:
    """Return the values that a condition of a clause gives to a variable.

    The result is None if no relation with facts alone does.
    """
    for atom in clause.body:
        if isinstance(atom, GdlAtom) and variable in atom.terms:
            place = atom.terms.index(variable)
            about = [other for other in clauses if other.head.name == atom.name]
            found = {ground_of(other.head.terms[place]) for other in about if len(other.head.terms) > place}
            values = {term for term in found if term is not None}
            if about and not any(other.body for other in about) and len(values) == len(found):
                return values
    return None


def _about_a_role(clauses: Iterable[GdlClause]) -> Iterator[GdlAtom]:
    for clause in clauses:
        for atom in (clause.head, *atoms_of(clause.body)):
            if atom.name in ABOUT_A_ROLE:
                yield atom


def _role_clause(clause: GdlClause) -> Iterator[Diagnostic]:
    if clause.body:
        help_ = "write a fact for each player, as in `(role white)`"
        yield error("HB104", "roles are facts: no rule concludes them", clause.head.span, help_)
    elif isinstance(clause.head.terms[0], KifList):
        help_ = "write a name without parentheses"
        yield error("HB104", "a role is a word", clause.head.terms[0].span, help_)
