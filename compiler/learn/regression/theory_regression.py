"""Regression of a theory: predicates before an action for facts after it, from the rules of the theory alone.

For `mated(?c)` after `move(?f, ?t)`, the regressed predicate `mated_in_1(?f1, ?t1, ?c)` is evaluated before
the move. Its clauses are those of `mated` with every condition moved to its moment. A condition after the
action is regressed in turn, and a condition before it is unchanged. This is regression (Waldinger 1977) of
the whole theory at once, so no derivation is missing for lack of an example. Predicates regressed again have
two actions, `mated_in_2(?f1, ?t1, ?f2, ?t2, ?c)`, and so on. The predicates of one action share a suffix,
here `in`; those of another action need another suffix, or the names would clash.

Each predicate has a lemma that the regressed fact comes true. It is proved by case analysis: for each clause
of the regressed predicate, the original clause concludes the fact after the action. Predicates with one
clause that describe only the action's effect are unfolded; otherwise they would be evaluated for everything
that may have changed.

Invariants: each clause is made from one clause of the theory and uses only predicates regressed before it.
Left out are clauses with a closed set that actions change, or with an absence; recursive predicates; and
lemmas.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import networkx as nx

from hornbook.compiler.learn.invented_predicates import argument_names
from hornbook.compiler.learn.regression.definitions import with_definitions
from hornbook.kb.ast.declarations import Predicate, SortName
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Rule,
    Term,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.matcher.program.dataclass import dataclass

HEAD = (
    "% What words say of the state that actions lead to, said before them: written by `hornbook"
    " theory regress`. The\n"
    "% lemmas, proved by `hornbook rules prove`, say that what is foretold comes true.\n"
)
_LETTERS = "xyzuvwabcd"


@dataclass(frozen=True, slots=True)
class RegressedPredicate:
    """A regressed predicate for facts after an action: its declaration, its clauses and its lemma.

    A predicate for the objects of a sort, or for the arguments of the action, has no lemma.
    """

    predicate: Predicate
    clauses: tuple[Rule, ...]
    lemma: Rule | None


def regressed_name(name: str, times: int = 1, suffix: str = "in") -> str:
    """Return the name of a predicate that is regressed `times` more times.

    >>> foretold_name("mated"), foretold_name("mated_in_1", 2), foretold_name("mated_in_1", suffix="then")
    ('mated_in_1', 'mated_in_3', 'mated_in_1_then_1')
    """
    plain, number = _numbered(name, suffix)
    return f"{plain}_{suffix}_{number + times}" if number + times else name


def _numbered(name: str, suffix: str) -> tuple[str, int]:
    """Return a name without its number of regressions, and that number."""
    plain, _, number = name.rpartition(f"_{suffix}_")
    return (plain, int(number)) if plain and number.isdecimal() else (name, 0)


def regress_theory(
    theory: Theory, names: Sequence[str], action: str, suffix: str = "in"
) -> tuple[RegressedPredicate, ...]:
    """Return the regressed predicates for some predicates after an action, and for everything on which these
    depend.

    Each comes after those on which it depends. Predicates that the theory already has are left out. A
    predicate without a clause that can be regressed is left out too. The predicates and the action belong to
    the theory.
    """
    if action not in argument_names(theory):
        return ()
    return tuple(_TheoryRegression(theory, action, suffix).words(names))


def regress_theory_repeatedly(
    theory: Theory, names: Sequence[str], action: str, times: int, suffix: str = "in"
) -> tuple[RegressedPredicate, ...]:
    """Return the regressed predicates after one to `times` such actions.

    `mated` two actions ahead is `mated_in_2`.
    """
    found: list[RegressedPredicate] = []
    for ahead in range(times):
        words = regress_theory(
            theory, [regressed_name(name, ahead, suffix) for name in names], action, suffix
        )
        found += words
        theory = _extended(theory, words)
    return tuple(found)


def theory_text(given: Theory, words: Sequence[RegressedPredicate], name: str) -> str:
    """Return the text of the theory `name`, which imports the given one and adds regressed predicates and
    lemmas.
    """
    clauses: list[Predicate | Rule] = [
        *(word.predicate for word in words),
        *(clause for word in words for clause in word.clauses),
        *(word.lemma for word in words if word.lemma is not None),
    ]
    head = f"{HEAD}theory {name}.\n\nimport {given.name}.\n\n"
    return format_text(head + "\n".join(map(print_clause, clauses)) + "\n")


def _extended(theory: Theory, words: Sequence[RegressedPredicate]) -> Theory:
    """Return the theory with regressed predicates and their clauses, without the lemmas."""
    given = theory.vocabulary
    more = {word.predicate.name: word.predicate for word in words}
    return replace(
        theory,
        vocabulary=replace(given, predicates={**given.predicates, **more}),
        rules=(*theory.rules, *(clause for word in words for clause in word.clauses)),
    )


class _TheoryRegression:
    """The regression of a theory through one action."""

    def __init__(self, theory: Theory, action: str, suffix: str) -> None:
        self.predicates, self.action, self.suffix = theory.vocabulary.predicates, action, suffix
        self.names = argument_names(theory)[action]
        self.arguments = tuple(Variable(f"{name}1") for name in self.names)
        self._argument_names = {variable.name for variable in self.arguments}
        self.rules = _rules_of(theory)
        self.changing = changing_predicates(theory)
        self.taken = next(self._taken(), None)
        self.sorts: dict[str, RegressedPredicate] = {}
        """The predicates for the objects of sorts that clauses use, by sort."""
        self.objects: RegressedPredicate | None = None
        """The predicate for the arguments of the action, if clauses use it."""

    def _name(self, name: str) -> str:
        return regressed_name(name, suffix=self.suffix)

    def _taken(self) -> Iterator[Atom]:
        """Yield conclusions from the action that contain all of its arguments."""
        for name, rules in self.rules.items():
            if self.predicates[name].kind != "derived":
                continue
            for rule in rules:
                action_conditions = [
                    c for c in rule.body if isinstance(c, Atom) and c.predicate == self.action
                ]
                bound = {
                    v
                    for c in rule.body
                    if isinstance(c, Atom) and c not in action_conditions
                    for v in condition_variables(c)
                }
                if action_conditions and set(action_conditions[0].terms) <= bound:
                    yield Atom(
                        name, tuple(Variable(f"_taken{n}") for n in range(len(rule.head.terms))), "after"
                    )

    def words(self, names: Sequence[str]) -> Iterator[RegressedPredicate]:
        clauses: dict[str, list[Rule]] = {}
        rests: dict[str, list[set[str]]] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in clauses or self._name(name) in self.predicates:
                continue
            made = list(self._clauses(name))
            clauses[name], rests[name] = [c for c, _ in made], [needs for _, needs in made]
            todo += {each for _, needs in made for each in needs}
        usable = _usable_clauses(
            rests, {name for name in self.changing if self._name(name) in self.predicates}
        )
        order = nx.DiGraph(
            (need, name) for name, ways in usable.items() for needs in ways.values() for need in needs
        )
        order.add_nodes_from(usable)
        needed = set().union(*({name, *nx.ancestors(order, name)} for name in names if name in usable))
        if needed:
            yield from (word for word in self.sorts.values() if word.clauses)
            if self.objects is not None:
                yield self.objects
        inside_sets = {
            each.predicate
            for name, ways in usable.items()
            for n in ways
            for condition in clauses[name][n].body
            if isinstance(condition, All)
            for each in statements(condition.conditions)
            if isinstance(each, Atom)
        }
        definitions: dict[str, Rule] = {}
        empty: set[str] = set()
        for name in nx.lexicographical_topological_sort(order):
            if name in usable and name in needed:
                unfolded = (
                    with_definitions(clauses[name][n], definitions, self._argument_names)
                    for n in usable[name]
                )
                ways = [
                    clause
                    for clause in unfolded
                    if clause is not None and empty.isdisjoint(s.relation for s in statements(clause.body))
                ]
                word = self._name(name)
                if not ways:
                    empty.add(word)
                elif (
                    name not in names
                    and word not in inside_sets
                    and self._is_of_the_change(name)
                    and _is_plain(ways)
                ):
                    definitions[word] = ways[0]
                else:
                    yield self._word(name, ways)

    def _is_of_the_change(self, name: str) -> bool:
        """Return whether a derived predicate only describes the effects of an action."""
        ways = self.rules.get(name, ())
        return self.predicates[name].kind == "derived" and all(rule.head.tense == "after" for rule in ways)

    def _clauses(self, name: str) -> Iterator[tuple[Rule, set[str]]]:
        """Yield the regressed clauses of a predicate, each with the predicates that have to be regressed for
        it.
        """
        for number, given in enumerate(self.rules.get(name, ()), 1):
            rule = rename_rule(given, self._later)
            is_change = rule.head.tense == "after"
            if self.predicates[name].kind == "fluent" and not is_change:
                continue
            body: list[Condition] = list(rule.body)
            taken = [c for c in body if isinstance(c, Atom) and self.predicates[c.predicate].kind == "action"]
            if any(c.predicate != self.action for c in taken) or len(taken) > 1:
                continue
            if taken:
                body.remove(taken[0])
                terms = {
                    old.name: new
                    for old, new in zip(taken[0].terms, self.arguments, strict=True)
                    if isinstance(old, Variable)
                }
                if len(terms) < len(self.arguments):
                    continue
                rule = replace(rule, head=apply_to_condition(rule.head, terms))
                body = [apply_to_condition(c, terms) for c in body]
            if not all(map(self._can_be_read, body)):
                continue
            needs: set[str] = set()
            regressed = [self._regressed_condition(c, needs, is_change=is_change) for c in body]
            bound = {v for c in regressed if isinstance(c, Atom) for v in condition_variables(c)}
            if not set(self.arguments) <= bound:
                more = (
                    self._objects(bound)
                    if self.taken is None
                    else self._regressed_condition(self.taken, needs, is_change=is_change)
                )
                if more is None:
                    continue
                regressed.append(more)
            head = self._regressed_condition(replace(rule.head, tense="after"), set(), is_change=True)  # type: ignore[arg-type]
            assert isinstance(head, Atom)
            label = self._name(given.label) if given.label else f"{head.predicate}_{number}"
            yield Rule(head, tuple(regressed), label), needs

    def _objects(self, bound: Collection[Variable]) -> Atom | None:
        """Return one condition that all arguments of the action are objects of their sorts.

        A search for a proof joins these conditions, and there are fewer ways to join one than several. Return
        None if an unbound argument is a number, or if no fact contains objects of its sort.
        """
        sorts = self.predicates[self.action].columns
        found = {
            variable: sort
            for variable, sort in zip(self.arguments, sorts, strict=True)
            if sort.name in self.sorts or self._find_things(sort)
        }
        if not {*self.arguments} <= {*bound, *found}:
            return None
        body = tuple(Atom(self.sorts[sort.name].predicate.name, (term,)) for term, sort in found.items())
        if len(body) == 1:
            return body[0]
        name = f"objects_of_{self.action}"
        head = Atom(name, tuple(found))
        predicate = Predicate("derived", name, tuple(found.values()), demanded=True)
        if name in self.predicates:
            return head if self.predicates[name].columns == predicate.columns else None
        if self.objects is None:
            self.objects = RegressedPredicate(predicate, (Rule(head, body, f"{name}_are_known"),), None)
        return head

    def _find_things(self, sort: SortName) -> bool:
        """Define the predicate for the objects of a sort: those in static facts, or else those in fluents."""
        name, head = f"known_{sort.name}", Variable("x")
        if name in self.predicates:
            self.sorts[sort.name] = RegressedPredicate(self.predicates[name], (), None)
            return True
        for kind in ("static", "fluent"):
            clauses = tuple(
                Rule(
                    Atom(name, (head,)),
                    (
                        Atom(
                            each.name,
                            tuple(head if n == at else Variable(f"_{n}") for n in range(len(each.columns))),
                        ),
                    ),
                    f"{each.name}_{at + 1}_is_known",
                )
                for each in self.predicates.values()
                if each.kind == kind
                for at, column in enumerate(each.columns)
                if column.name == sort.name
            )
            if clauses and sort.name != "int":
                self.sorts[sort.name] = RegressedPredicate(
                    Predicate("derived", name, (sort,), demanded=True), clauses, None
                )
                return True
        return False

    def _can_be_read(self, condition: Condition) -> bool:
        match condition:
            case Atom() | Comparison():
                return True
            case All():
                static = condition.member.predicate not in self.changing
                return static and all(map(self._can_be_read, condition.conditions))
        return False

    def _regressed_condition(self, condition: Condition, needs: set[str], *, is_change: bool) -> Condition:
        """Return a condition of a clause in its form before the action.

        Add the predicate to regress to `needs`.
        """
        if isinstance(condition, All):
            inside = tuple(
                self._regressed_condition(c, needs, is_change=is_change) for c in condition.conditions
            )
            return All(condition.variables, replace(condition.member, tense=None), inside)
        if not isinstance(condition, Atom):
            return condition
        name = condition.predicate
        if name not in self.changing or (is_change and condition.tense != "after"):
            return replace(condition, tense=None)
        needs.add(name)
        return Atom(self._name(name), (*self.arguments, *condition.terms))

    def _later(self, name: str) -> str:
        """Return the regressed name of a variable; the number in an action argument is increased."""
        plain = name.rstrip("0123456789")
        number = name[len(plain) :]
        return f"{plain}{int(number) + 1}" if number and plain in self.names else name

    def _word(self, name: str, clauses: Sequence[Rule]) -> RegressedPredicate:
        given, columns = self.predicates[name], self.predicates[self.action].columns
        word = self._name(name)
        predicate = Predicate("derived", word, (*columns, *given.columns), demanded=True)
        action_sorts = [each.name for each in columns] * _numbered(name, self.suffix)[1]
        before = len(action_sorts)
        if [each.name for each in given.columns[:before]] != action_sorts:
            before = 0  # a predicate of the theory whose own name has this suffix
        terms: list[Term] = [
            Variable(f"{self.names[place % len(columns)]}{2 + place // len(columns)}")
            for place in range(before)
        ]
        plain = len(given.columns) - before
        terms += (Variable(_LETTERS[n] if n < len(_LETTERS) else f"x{n}") for n in range(plain))
        head = Atom(name, tuple(terms), "after")
        condition = Atom(word, (*self.arguments, *terms), "before")
        lemma = Rule(head, (Atom(self.action, self.arguments), condition), f"{word}_comes_true", lemma=True)
        return RegressedPredicate(predicate, tuple(clauses), lemma)


def _is_plain(clauses: Sequence[Rule]) -> bool:
    """Return whether there is exactly one clause, without universally quantified conditions."""
    return len(clauses) == 1 and not any(isinstance(each, All) for each in clauses[0].body)


def changing_predicates(theory: Theory) -> set[str]:
    """Return the predicates whose facts actions may change."""
    found = {name for name, each in theory.vocabulary.predicates.items() if each.kind == "fluent"}
    rules, size = _rules_of(theory), -1
    while size < len(found):
        size = len(found)
        found |= {
            name
            for name, ways in rules.items()
            if any(
                rule.head.tense or any(s.tense or s.relation in found for s in statements(rule.body))
                for rule in ways
            )
        }
    return found


def _rules_of(theory: Theory) -> dict[str, list[Rule]]:
    """Return the clauses and effects that conclude facts, by predicate."""
    found: dict[str, list[Rule]] = {}
    for rule in theory.rules:
        if isinstance(rule.head, Atom) and rule.head.tense != "before" and not rule.lemma:
            found.setdefault(rule.head.predicate, []).append(rule)
    return found


def _usable_clauses(
    rests: Mapping[str, Sequence[set[str]]], available: Collection[str]
) -> dict[str, dict[int, set[str]]]:
    """Return the usable clauses, by number: their predicates have clauses, and none is recursive."""
    graph = nx.DiGraph((name, need) for name, ways in rests.items() for needs in ways for need in needs)
    recursive = {
        name
        for part in nx.strongly_connected_components(graph)
        for name in part
        if len(part) > 1 or graph.has_edge(name, name)
    }
    usable = {n: dict(enumerate(ways)) for n, ways in rests.items() if n not in recursive}
    size = -1
    while size != sum(map(len, usable.values())):
        size = sum(map(len, usable.values()))
        known = {name for name, ways in usable.items() if ways} | set(available)
        usable = {
            name: {n: needs for n, needs in ways.items() if needs <= known}
            for name, ways in usable.items()
            if ways
        }
    return {name: ways for name, ways in usable.items() if ways}
