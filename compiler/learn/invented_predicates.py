"""Predicate invention: predicates before an action for facts after it, with clauses learned from examples.

The explanation of an action's effect depends on facts after the action: each step of a king is barred, each
way to a square is quiet. Regressed to the state before, every such condition is a list of men and squares. A
rule with all of these lists matches no other position. So a condition gets a name if it recurs in an
explanation, is required of each member of a closed set, or has a large derivation. For `quiet(?c, ?s, ?w)`
after `move(?f, ?t)`, the invented predicate is `quiet_after_move(?c, ?s, ?w, ?f, ?t)`, which is evaluated
before the move.

Each example contributes a clause by regression of its derivation of the condition. All examples contribute to
the same predicate (predicate invention by intra-construction: Muggleton and Buntine 1988). The clauses are
its definition and make no claim. A lemma states that the fact holds after the action. It is proved by case
analysis: for each clause that may have concluded the predicate, the steps of that example's proof apply.

A recursive predicate after an action gives a recursive invented predicate, for chains of any length. Its
lemma is proved by induction over the derivation of the invented fact.

Invariants: every invented predicate involves an effect of its action. Every clause of a predicate comes from
an example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    HYPOTHESIS,
    CaseProof,
    Inversion,
    Leaf,
    ProofStep,
)
from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.generalise.equations import without_redundant
from hornbook.compiler.generalise.explanation import (
    ClosedSetSupport,
    Explanation,
    ExplanationNode,
    needed_nodes,
    numbers_of,
    renumbered,
)
from hornbook.compiler.generalise.generalisation import Generalised, Generaliser, NotOperationalError
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import Regressed, normalised, regress
from hornbook.compiler.generalise.simplification import condensed, is_safe
from hornbook.compiler.generalise.steps import with_terms
from hornbook.compiler.learn.sentences import sentence_after
from hornbook.compiler.prove.winning import MAX_CONDITIONS
from hornbook.compiler.rules.admission import conclusion_of
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    condition_variables,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.matcher.program.dataclass import dataclass

MOST_CONDITIONS = 60
"""The maximum number of conditions of a clause; a longer one describes a single position."""
LARGE = 24
"""The number of nodes above which a derivation always gets a name.

A clause with several such conditions would enumerate the product of their derivations.
"""


@dataclass(frozen=True, slots=True)
class InventedPredicate:
    """An invented predicate for a fact after an action.

    It has its declaration, the lemma that the fact then holds, and its clauses, each with the steps that
    derive the fact. The steps of clauses from a rule base are not known.
    """

    predicate: Predicate
    lemma: Rule
    clauses: tuple[Rule, ...] = ()
    steps: tuple[tuple[ProofStep, ...], ...] = ()

    @property
    def is_recursive(self) -> bool:
        """Whether a clause has a condition on the predicate, so that the lemma is proved by induction."""
        return any(each.relation == self.predicate.name for c in self.clauses for each in statements(c.body))

    @property
    def used_rules(self) -> frozenset[str]:
        """The names of the rules and of the other lemmas on which the proof of the lemma depends."""
        used = {step.rule for steps in self.steps for step in all_steps(steps)}
        return frozenset(used - {self.lemma.name})

    def proof(self) -> CaseProof | None:
        """Return the proof of the lemma by case analysis over the clauses; None if steps are not known.

        A step that applies the lemma itself becomes one that applies the induction hypothesis.

        Raise RejectedError if the lemma is applied to the members of a set: the checker has no hypothesis for
        them.
        """
        if not all(self.steps):
            return None
        own = self.lemma.name
        inner = (step for steps in self.steps for step in all_steps(steps) if step not in steps)
        if any(step.rule == own for step in inner):
            raise RejectedError(
                f"the proof by induction that `{self.predicate.name}` is right would need its hypothesis"
                " for the members of a set"
            )
        condition = self.lemma.body[1]
        assert isinstance(condition, Atom)
        cases = tuple(Leaf(_in_case(self._hypotheses(steps))) for steps in self.steps)
        return Inversion(replace(condition, tense=None), "before", cases)

    def _hypotheses(self, steps: Iterable[ProofStep]) -> tuple[ProofStep, ...]:
        own = self.lemma.name
        return tuple(replace(step, rule=HYPOTHESIS) if step.rule == own else step for step in steps)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The subject of an invented predicate: a predicate, or the value of a game, after an action.

    The field `same` has, for each column, the index of an equal argument of the action, or None.
    """

    predicate: str
    action: str
    same: tuple[int | None, ...]
    value: Constant | None = None


class PredicateInvention:
    """The invented predicates from the explanations of examples for one theory.

    Args:
        theory: The theory.
        conditions: A function that marks the predicates `operational` that conditions may contain.
        names_action: Whether each clause has the action as a condition. Otherwise, facts before the action
            bind its arguments, so that the predicate is evaluated for actions that are not taken.
        expands_counts: Whether counts and absences are expanded (`Generaliser`). The predicates are then
            declared `operational`.
        equates: Whether a column of a fact is left out if it has the value of an argument of the action in
            the example.
        naming: Returns the name of the predicate for a predicate after an action, from both names.
        flat: The recursive predicates that get no invented predicates. None means all.
    """

    def __init__(
        self,
        theory: Theory,
        conditions: Callable[[Theory], Vocabulary] = operational_vocabulary,
        *,
        names_action: bool = False,
        expands_counts: bool = True,
        equates: bool = True,
        naming: Callable[[str, str], str] = "{}_after_{}".format,
        flat: Collection[str] | None = None,
    ) -> None:
        self.theory = theory
        self._flat = flat
        self._conditions = conditions
        self._names_action = names_action
        self._expands_counts = expands_counts
        self._equates = equates
        self._naming = naming
        self.refused = ""
        self.words: dict[_Kind, InventedPredicate] = {}
        self.adopted: set[str] = set()
        self.answering: set[str] = set()
        """The labels of the lemmas that conclude goals of examples themselves."""
        self.rules: list[Regressed] = []
        self._shapes: dict[str, SubsumptionShape] = {}
        self._labels: Counter[str] = Counter()
        actions = (each for each in theory.vocabulary.predicates.values() if each.kind == "action")
        unnamed = {each.name: tuple(f"y{place}" for place in range(each.arity)) for each in actions}
        self._actions = {**unnamed, **argument_names(theory)}
        self.use_theory(theory)

    def use_theory(self, theory: Theory) -> None:
        """Start a new stage with a larger theory: invented predicates become operational."""
        self.theory = theory
        self.remove_unsupported()
        self._operational = self._conditions(self.defined())
        recursive = recursive_predicates(self.defined())
        flat = recursive if self._flat is None else self._flat
        self._recursive = frozenset(_one_of_each_recursion(recursive)) - set(flat)
        self._nameable = _nameable(self.defined()) - recursive.keys() | self._recursive
        self._rules = frozenset(self.defined().rules)

    def unfold(self, flat: Collection[str]) -> None:
        """Give the recursive predicates `flat` no further clauses of invented predicates."""
        self._flat = flat
        self.use_theory(self.theory)

    def saved(self) -> Callable[[], None]:
        """Return a function that restores the present clauses and rules."""
        words, rules, answering = dict(self.words), list(self.rules), set(self.answering)
        labels, shapes = Counter(self._labels), dict(self._shapes)

        def restore() -> None:
            self.words, self.rules, self.answering = words, rules, answering
            self._labels, self._shapes = labels, shapes
            self.use_theory(self.theory)

        return restore

    def remove_unsupported(self) -> None:
        """Remove everything that depends on invented predicates without clauses."""
        lemmas = {word.lemma.name for word in self.words.values()}
        supported, size = set[str](), -1
        while size < len(supported):
            size = len(supported)
            supported |= {
                word.lemma.name
                for word in self.words.values()
                if any(lemmas & {s.rule for s in all_steps(steps)} <= supported for steps in word.steps)
            }
        removed = lemmas - supported
        for kind, word in self.words.items():
            pairs = zip(word.clauses, word.steps, strict=True)
            remaining = [
                (one, steps) for one, steps in pairs if not any(s.rule in removed for s in all_steps(steps))
            ]
            clauses, steps = tuple(one for one, _ in remaining), tuple(one for _, one in remaining)
            self.words[kind] = replace(word, clauses=clauses, steps=steps)
        self.rules = [
            each for each in self.rules if not any(s.rule in removed for s in all_steps(each.steps))
        ]

    def adopt(self, word: InventedPredicate) -> None:
        """Continue with an invented predicate of a rule base; `adopted` has the labels of these lemmas."""
        taken = word.lemma.body[0]
        assert isinstance(taken, Atom)
        value = word.lemma.head.value if isinstance(word.lemma.head, GameStatement) else None
        assert not isinstance(value, Variable)
        places = {term: place for place, term in enumerate(taken.terms)}
        columns = len(self.theory.vocabulary.predicates[predicate_of(word.lemma.head)].columns)
        same = tuple(places.get(term) for term in word.lemma.head.terms[:columns])
        kind = _Kind(predicate_of(word.lemma.head), taken.predicate, same, value)
        self.words[kind] = replace(word, steps=((),) * len(word.clauses))
        self._shapes |= {clause.name: SubsumptionShape(clause) for clause in word.clauses}
        self.adopted.add(word.lemma.name)

    # Clauses from examples

    def learn(self, explanation: Explanation, action: Atom) -> None:
        """Learn clauses from an explanation whose action is this ground action.

        Afterwards, `refused` has the reason if the goal gives no rule.
        """
        self.refused = ""
        goal = explanation.goal
        every = frozenset(range(len(goal.terms)))
        is_named = goal.tense == "after" and not self._names_action
        is_recursive = self._is_recursive(explanation.nodes[-1])
        first = self._kind(goal, action, every) if is_named or is_recursive else None
        if first is not None and first not in self.words:
            self.words[first] = self._word(first)
        if first is not None and self._names_action:
            self.answering.add(self.words[first].lemma.name)
        todo: list[tuple[int, _Kind | None]] = [(len(explanation.nodes) - 1, first)]
        seen: set[tuple[int, _Kind | None]] = set(todo)
        binding_facts = _binding(explanation, action, self.vocabulary)
        while todo:
            root, kind = todo.pop()
            cuts = self._cuts(explanation, root, action)
            for number, below in cuts.items():
                if (number, below) not in seen:
                    seen.add((number, below))
                    todo.append((number, below))
                if below not in self.words:
                    self.words[below] = self._word(below)
            cut = self._cut(explanation, root, cuts, action)
            if kind is None:
                self._add_rule(cut, action)
            else:
                self._add_clause(kind, cut, action, binding_facts)

    def _cuts(self, explanation: Explanation, root: int, action: Atom) -> dict[int, _Kind]:
        """Return the nodes below a root that get a name.

        If several nodes on a path have a reason for one, the nearest to the root is used.
        """
        nodes = explanation.nodes
        below = needed_nodes(nodes, root)
        # A fact that a frame lemma concludes is one condition already.
        times = Counter(
            name
            for n in below
            if n != root and (name := self._name(nodes[n])) is not None and nodes[n].rule in self._rules
        )
        of_members = dict(_required_of_members(nodes, below))
        found: dict[int, _Kind] = {}
        todo, seen = [root], {root}
        while todo:
            for number in numbers_of(nodes[todo.pop()].supports):
                if number in seen:
                    continue
                seen.add(number)
                name = self._name(nodes[number])
                recurs = name is not None and times[name] > 1 and nodes[number].rule in self._rules
                if name is not None and (
                    recurs
                    or self._is_recursive(nodes[number])
                    or number in of_members
                    or len(needed_nodes(nodes, number)) > LARGE
                ):
                    listed = of_members.get(number, frozenset())
                    found[number] = self._kind(nodes[number].conclusion, action, listed)
                else:
                    todo.append(number)
        return found

    def _name(self, node: ExplanationNode) -> str | None:
        """Return the predicate of a node that may get a name; None for other nodes."""
        conclusion = node.conclusion
        if not isinstance(conclusion, Atom) or conclusion.tense != "after" or node.rule is None:
            return None
        # A fact derived by the lemma of an invented predicate needs no other name.
        known = any(node.rule.name == word.lemma.name for word in self.words.values())
        return conclusion.relation if not known and conclusion.relation in self._nameable else None

    def _is_recursive(self, node: ExplanationNode) -> bool:
        """Return whether a rule of a recursive predicate concludes the fact of a node."""
        return self._name(node) in self._recursive and node.rule in self._rules

    def _kind(self, statement: Statement, action: Atom, listed: frozenset[int]) -> _Kind:
        words, sorts, name = self.vocabulary.predicates, self._operational.sorts, predicate_of(statement)
        columns, places = words[name].columns, words[action.predicate].columns
        value = statement.value if isinstance(statement, GameStatement) else None
        assert not isinstance(value, Variable)
        equates = self._equates and name not in self._recursive

        def place(number: int) -> int | None:
            if not equates or number in listed or sorts[columns[number].name].kind != "open":
                return None
            same = (i for i, term in enumerate(action.terms) if term == statement.terms[number])
            return next((i for i in same if places[i].name == columns[number].name), None)

        return _Kind(name, action.predicate, tuple(map(place, range(len(columns)))), value)

    def _cut(
        self, explanation: Explanation, root: int, cuts: Mapping[int, _Kind], action: Atom
    ) -> Explanation:
        """Return the explanation of a node after replacement of named nodes by their invented predicates."""
        nodes = explanation.nodes
        needed = needed_nodes(nodes, root, cuts)
        made: list[ExplanationNode] = [ExplanationNode(action, None, None, (), ())]
        numbers = {n: 0 for n in needed if nodes[n].conclusion == action}
        for number in sorted(needed):
            if number in numbers:
                continue
            node = nodes[number]
            if number in cuts and number != root:
                word = self.words[cuts[number]]
                condition = word.lemma.body[1]
                assert isinstance(condition, Atom)
                values = dict(
                    zip(
                        (*word.lemma.head.terms, *_arguments(word.lemma)),
                        (*node.conclusion.terms, *action.terms),
                        strict=True,
                    )
                )
                binding = tuple((v.name, c) for v, c in values.items() if isinstance(v, Variable))
                made.append(
                    ExplanationNode(
                        condition.with_terms(tuple(values[v] for v in condition.terms)), None, None, (), ()
                    )
                )
                node = ExplanationNode(node.conclusion, word.lemma, None, binding, (0, len(made) - 1))  # type: ignore[arg-type]
            else:
                node = replace(node, supports=tuple(renumbered(s, numbers) for s in node.supports))
            numbers[number] = len(made)
            made.append(node)
        return Explanation(tuple(made))

    def _add_clause(
        self, kind: _Kind, explanation: Explanation, action: Atom, binding_facts: Sequence[Atom]
    ) -> None:
        """Add a clause to an invented predicate from the explanation of its fact."""
        word = self.words[kind]
        worker = self._generaliser()
        general = tuple(Variable(f"{name}~0") for name in self._actions[kind.action])
        subject = tuple(
            Variable(f"{term.name}~0") if same is None else general[same]  # type: ignore[union-attr]
            for term, same in zip(word.lemma.head.terms, kind.same, strict=False)
        )
        goal = word.lemma.head.with_terms((*subject, *word.lemma.head.terms[len(subject) :]))
        taken = action.with_terms(general)
        _record_arguments(worker, general, action)
        try:
            uses = worker.explain(explanation, goal, {action: taken})
            _unify_preconditions(worker, general)
            worker.equate()
            conditions: list[Condition] = list(worker.resolved_conditions())
        except NotOperationalError:
            return
        if self._names_action:
            conditions.insert(0, worker.unifier.resolve(taken))
        condition = word.lemma.body[1]
        assert isinstance(condition, Atom)
        free = [term for term, same in zip(subject, kind.same, strict=True) if same is None]
        head = worker.resolved_head(Atom(condition.predicate, (*free, *general)))
        steps = worker.resolved_steps(uses)
        if not self._names_action and not _binds(conditions, head):
            named: dict[Term, Term] = dict(zip(action.terms, map(worker.unifier.walk, general), strict=True))
            for each in binding_facts:
                terms = (named.setdefault(one, Variable(f"x{len(named)}~0")) for one in each.terms)
                conditions.append(each.with_terms(tuple(terms)))
        moment: Tense | None = "before" if self._names_action else None
        body = [at_moment(c, moment, self.vocabulary) for c in conditions]
        assert isinstance(head, Atom)
        head = replace(head, tense=moment)
        plain = Rule(head, without_redundant(body, head), f"{head.relation}_{1 + len(word.clauses)}")
        if len(plain.body) > MOST_CONDITIONS or not is_safe(plain):
            return
        shorter = normalised(condensed(Regressed(plain, steps)))
        self._insert_clause(kind, shorter.rule, shorter.steps)

    def _generaliser(self) -> Generaliser:
        return Generaliser(self.vocabulary, expands_counts=self._expands_counts, regresses_sets=True)

    def _add_rule(self, explanation: Explanation, action: Atom) -> None:
        """Add the rule from the explanation of a goal, unless another one is as general."""
        last = explanation.nodes[-1]
        assert last.rule is not None
        terms = (Variable(f"{v.name}~0") if isinstance(v, Variable) else v for v in last.rule.head.terms)
        goal = last.conclusion.with_terms(tuple(terms))
        worker = self._generaliser()
        if isinstance(goal, GameStatement) and goal.by is not None:
            taken, is_condition = goal.by, False
        else:
            names = self._actions[action.predicate]
            # The head may have variables of the same names.
            taken, is_condition = action.with_terms(tuple(Variable(f"{name}~a") for name in names)), True
        _record_arguments(worker, taken.terms, action)
        try:
            uses = worker.explain(explanation, goal, {action: taken})
            _unify_preconditions(worker, taken.terms)
            worker.equate()
            conditions = worker.resolved_conditions()
            conditions = (worker.unifier.resolve(taken), *conditions) if is_condition else conditions
            steps = worker.resolved_steps(uses)
            found = Generalised(worker.resolved_head(goal), conditions, steps, timeless=False)
            learned = normalised(condensed(regress(found, self.vocabulary, "learned")))
        except NotOperationalError as problem:
            self.refused = str(problem)
            return
        shape = SubsumptionShape(learned.rule)
        if len(learned.rule.body) > MAX_CONDITIONS:
            self.refused = f"the rule would have more than {MAX_CONDITIONS} conditions"
            return
        if any(self._is_as_general(each.rule, learned.rule, shape) for each in self.rules):
            return
        stem = f"foreseen_{conclusion_of(learned.rule)}"
        self._labels[stem] += 1
        learned = replace(learned, rule=replace(learned.rule, label=f"{stem}_{self._labels[stem]}"))
        used_rules = {
            s.rule for word in self.words.values() for steps in word.steps for s in all_steps(steps)
        }
        self.rules = [
            each
            for each in self.rules
            if each.rule.name in used_rules or not self._is_subsumed(each.rule, learned.rule, shape)
        ]
        self.rules.append(learned)
        self._shapes[learned.rule.name] = SubsumptionShape(learned.rule)

    def _is_as_general(self, one: Rule, other: Rule, shape: SubsumptionShape) -> bool:
        """Return whether an existing rule or clause is at least as general as another one with this shape."""
        return self._shapes[one.name].may_subsume(shape) and subsumes(one, other)

    def _is_subsumed(self, one: Rule, other: Rule, shape: SubsumptionShape) -> bool:
        return shape.may_subsume(self._shapes[one.name]) and subsumes(other, one)

    def _insert_clause(self, kind: _Kind, clause: Rule, steps: tuple[ProofStep, ...]) -> None:
        """Add a clause to its predicate, unless another is as general; remove clauses that it subsumes."""
        word, shape = self.words[kind], SubsumptionShape(clause)
        if any(self._is_as_general(each, clause, shape) for each in word.clauses):
            return
        pairs = zip(word.clauses, word.steps, strict=True)
        remaining = [pair for pair in pairs if not self._is_subsumed(pair[0], clause, shape)]
        taken = {each.label for each, _ in remaining}
        number = next(n for n in range(1, 2 + len(remaining)) if f"{clause.head.relation}_{n}" not in taken)
        clause = replace(clause, label=f"{clause.head.relation}_{number}")
        self._shapes[clause.name] = SubsumptionShape(clause)
        remaining.append((clause, steps))
        self.words[kind] = replace(
            word, clauses=tuple(one for one, _ in remaining), steps=tuple(one for _, one in remaining)
        )

    def _word(self, kind: _Kind) -> InventedPredicate:
        """Return the invented predicate of a kind, without clauses."""
        words = self.vocabulary.predicates
        arguments = tuple(map(Variable, self._actions[kind.action]))
        taken = {variable.name for variable in arguments}
        named = []
        for number, same in enumerate(kind.same):
            plain = _LETTERS[number] if number < len(_LETTERS) else f"x{number}"
            name = plain if plain not in taken else f"{plain}2"
            named.append(Variable(name) if same is None else arguments[same])
        free = [i for i, same in enumerate(kind.same) if same is None]
        columns = (*(words[kind.predicate].columns[i] for i in free), *words[kind.action].columns)
        where = "".join(f"_{same + 1}" for same in kind.same if same is not None)
        value = "" if kind.value is None else f"_is_{str(kind.value.value).lower()}"
        plain = f"{self._naming(f'{kind.predicate}{value}', kind.action)}{where}"
        # Another kind may have the same name, if other columns equal the same arguments.
        taken_names = {word.predicate.name for word in self.words.values()} | words.keys()
        name = next(n for n in (plain, *(f"{plain}_{letter}" for letter in _LETTERS)) if n not in taken_names)
        of_action = range(1 + len(free), 1 + len(columns))
        own = [1 + free.index(i) if same is None else of_action[same] for i, same in enumerate(kind.same)]
        about = words[kind.predicate], words[kind.action]
        says = sentence_after(*about, own, of_action) if kind.value is None else None
        predicate = Predicate("derived", name, columns, operational=self._expands_counts, says=says)
        condition = Atom(name, (*(named[i] for i in free), *arguments), "before")
        head: Statement = Atom(kind.predicate, tuple(named), "after")
        if kind.value is not None:
            head = GameStatement(head, None, kind.value)  # type: ignore[arg-type]
        return InventedPredicate(
            predicate, Rule(head, (Atom(kind.action, arguments), condition), f"foreseen_{name}")
        )

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the operational vocabulary of the theory, with the invented predicates."""
        more = {word.predicate.name: word.predicate for word in self.words.values()}
        more = {name: replace(predicate, operational=True) for name, predicate in more.items()}
        return replace(self._operational, predicates={**self._operational.predicates, **more})

    # Results

    def condition_of(self, goal: Atom, action: Atom) -> Atom | None:
        """Return the fact before a ground action from which the lemma of an invented predicate concludes a
        goal after it. None is returned if the goal has no such predicate with clauses.
        """
        kind = self._kind(goal, action, frozenset(range(len(goal.terms))))
        word = self.words.get(kind)
        if word is None or not word.clauses:
            return None
        _, condition = word.lemma.body
        assert isinstance(condition, Atom)
        terms = (*word.lemma.head.terms, *_arguments(word.lemma))
        values = dict(zip(terms, (*goal.terms, *action.terms), strict=True))
        return condition.with_terms(tuple(values[term] for term in condition.terms))

    def defined(self) -> Theory:
        """Return the theory with the clauses of the invented predicates."""
        words, given = [word for word in self.words.values() if word.clauses], self.theory.vocabulary
        more = {word.predicate.name: word.predicate for word in words}
        return replace(
            self.theory,
            vocabulary=replace(given, predicates={**given.predicates, **more}),
            rules=(*self.theory.rules, *(clause for word in words for clause in word.clauses)),
        )

    def lemmas(self) -> Iterator[tuple[Rule, CaseProof]]:
        """Yield the lemma of each invented predicate with its proof by case analysis over the clauses."""
        for word in self.words.values():
            proof = word.proof()
            if word.clauses and proof is not None:
                yield word.lemma, proof


_LETTERS = "xyzuvwabcd"


def _nameable(theory: Theory) -> frozenset[str]:
    """Return the derived predicates with clauses that mention no moment."""
    words = theory.vocabulary.predicates
    return frozenset(name for name in _timeless(theory) if name in words and words[name].kind == "derived")


def _timeless(theory: Theory) -> dict[str, set[str]]:
    """Return the relations of clauses that mention no moment, each with those of its conditions."""
    found: dict[str, set[str]] = {}
    for rule in theory.rules:
        if not any(s.tense for s in (rule.head, *statements(rule.body))):
            found.setdefault(rule.head.relation, set()).update(s.relation for s in statements(rule.body))
    return found


def recursive_predicates(theory: Theory) -> dict[str, frozenset[str]]:
    """Return the predicates that clauses without a moment derive recursively, each with all on which it
    depends, in the order of the theory's clauses.
    """
    rests = _timeless(theory)
    found = {}
    for name in rests:
        below, todo = set[str](), [name]
        while todo:
            new = rests.get(todo.pop(), set()) - below
            below |= new
            todo += new
        if name in below:
            found[name] = frozenset(below)
    return found


def _one_of_each_recursion(recursive: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the first predicate of each recursion: an induction runs over a single predicate."""
    found = set[str]()
    for name, below in recursive.items():
        if not any(other in below and name in recursive[other] for other in found):
            found.add(name)
            yield name


def argument_names(theory: Theory) -> dict[str, tuple[str, ...]]:
    """Return the names of each action's arguments in the first rule that mentions it."""
    found: dict[str, tuple[str, ...]] = {}
    words = theory.vocabulary.predicates
    for rule in theory.rules:
        for condition in statements(rule.body):
            if isinstance(condition, Atom) and words[condition.predicate].kind == "action":
                names = tuple(term.name for term in condition.terms if isinstance(term, Variable))
                plain = len(set(names)) == len(condition.terms) and not any(n.startswith("_") for n in names)
                if plain:
                    found.setdefault(condition.predicate, names)
    return found


def _binding(explanation: Explanation, action: Atom, words: Vocabulary) -> tuple[Atom, ...]:
    """Return facts before the action, given or operational, that bind all arguments of the action.

    It is a single fact with all of them, if there is one, or else the first fact for each.
    """
    found: list[Atom] = []
    for node in explanation.nodes:
        fact = node.conclusion
        if not isinstance(fact, Atom) or fact.tense == "after" or fact.predicate == action.predicate:
            continue
        if node.rule is None or words.predicates[fact.predicate].operational:
            found.append(fact)
    complete = next((each for each in found if {*action.terms} <= {*each.terms}), None)
    if complete is not None:
        return (complete,)
    firsts = (next((each for each in found if one in each.terms), None) for one in action.terms)
    return tuple(dict.fromkeys(each for each in firsts if each is not None))


def _arguments(lemma: Rule) -> tuple[Term, ...]:
    taken = lemma.body[0]
    assert isinstance(taken, Atom)
    return taken.terms


def _required_of_members(
    nodes: Sequence[ExplanationNode], numbers: set[int]
) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield the nodes that closed conditions require of members, each with the columns of the member."""
    found: dict[int, frozenset[int]] = {}
    for number in numbers:
        node = nodes[number]
        for condition, support in zip(node.rule.body if node.rule else (), node.supports, strict=False):
            if not isinstance(support, ClosedSetSupport) or not isinstance(condition, All):
                continue
            listed = set(condition.variables)
            for _, inner in support.members:
                for required, one in zip(condition.conditions, inner, strict=True):
                    if isinstance(one, int) and isinstance(required, Atom):
                        places = frozenset(i for i, term in enumerate(required.terms) if term in listed)
                        found[one] = found.get(one, frozenset()) | places
    yield from found.items()


def _record_arguments(worker: Generaliser, terms: Sequence[Term], action: Atom) -> None:
    """Record the example's values of the action's arguments."""
    for term, value in zip(terms, action.terms, strict=True):
        if isinstance(term, Variable) and isinstance(value, Constant):
            worker.example[term.name] = value


def _unify_preconditions(worker: Generaliser, arguments: Sequence[Term]) -> None:
    """Unify conditions on all arguments of the action that were the same fact in the example.

    The precondition of the action is thus a single condition, however often it is used.
    """
    known: dict[tuple[object, ...], Atom] = {}
    for condition in worker.conditions:
        if isinstance(condition, Atom):
            terms = tuple(map(worker.unifier.walk, condition.terms))
            if {*map(worker.unifier.walk, arguments)} <= {*terms}:
                example_row = tuple(map(worker.example_value, condition.terms))
                one = known.setdefault((condition.predicate, condition.tense, example_row), condition)
                worker.unifier.unify_statements(one, condition)


def _binds(conditions: Sequence[Condition], head: Statement) -> bool:
    bound = {v.name for c in conditions if isinstance(c, Atom) for v in condition_variables(c)}
    return {term.name for term in head.terms if isinstance(term, Variable)} <= bound


def all_steps(steps: Iterable[ProofStep]) -> Iterator[ProofStep]:
    """Yield steps and the steps of their proofs for members."""
    for step in steps:
        yield step
        for _, proof in step.members:
            yield from all_steps(proof.steps)


def _in_case(steps: Sequence[ProofStep]) -> tuple[ProofStep, ...]:
    """Return the steps of a clause's own proof with the variables that they have in its case of an
    inversion.
    """

    def term(one: Term) -> Term:
        return Variable(f"{one.name}{CASE_MARK}1") if isinstance(one, Variable) else one

    return tuple(with_terms(step, term) for step in steps)
