"""Second-player wins: rules from the answers in one position that a game is won although the opponent plays
first.

The explanations of all replies are generalised under one substitution. The game's own arguments are the same
in each. Members of a closed set that were equal in the position stay equal. The rule's conditions are the
union of the facts on which the explanations depend. Conditions on a reply (that it is playable and differs
from others) occur in the proof only. If the replies were enumerated, the rule lists them and states their
number. Numbers that distinguish replies remain constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import CaseProof, Leaf, ProofStep, Split
from hornbook.compiler.generalise.equations import without_redundant
from hornbook.compiler.generalise.generalisation import Generaliser, NotOperationalError, RuleApplication
from hornbook.compiler.generalise.regression import VariableNames, wildcards_for
from hornbook.compiler.generalise.steps import with_terms
from hornbook.compiler.prove.opponent import Answer, AnsweredAlternative, AnsweredReply, ReplyCases
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.theory import Vocabulary
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SecondPlayerWin:
    """A rule that concludes `GAME is IG`, with the proof of each alternative of the replies.

    Attributes:
        open: The number of an alternative that the opponent can play, with a binding of its variables.
        steps: The proof that it can be played.
    """

    rule: t.Rule
    replies: tuple[CaseProof, ...]
    open: tuple[int, tuple[tuple[str, t.Term], ...]]
    steps: tuple[ProofStep, ...] = ()


@dataclass(frozen=True, slots=True)
class _Leaf:
    """The rule applications that answer a reply, and the terms for the alternative's variables."""

    uses: tuple[RuleApplication, ...]
    terms: Mapping[str, t.Term]


@dataclass(frozen=True, slots=True)
class _Opening:
    """A playable alternative, by its number, with its terms and the rule applications that prove it."""

    case: int
    terms: tuple[tuple[str, t.Term], ...]
    uses: tuple[RuleApplication, ...] = ()


@dataclass(frozen=True, slots=True)
class _Split:
    variable: str
    sort: str | None
    cases: tuple[tuple[t.Constant, _Tree], ...]
    rest: _Tree


_Tree = _Leaf | _Split


def second_player_win(
    alternatives: Sequence[AnsweredAlternative],
    replies: Replies,
    game: t.Atom,
    vocabulary: Vocabulary,
    things: frozenset[t.Constant],
    label: str,
) -> SecondPlayerWin:
    """Return the rule that the answers prove; each of `things` becomes one variable of it.

    Raise NotOperationalError if the answers prove no rule.
    """
    joint = _Joint(alternatives, replies, game, vocabulary, things)
    trees = [joint.tree(case, a.answer) for case, a in zip(replies.cases, alternatives, strict=True)]
    opening = joint.opening()
    joint.equate()
    rule = joint.rule(label)
    rule_variables = frozenset(v.name for c in (rule.head, *rule.body) for v in t.condition_variables(c))
    names = VariableNames(wildcards_for(rule))
    plain = names.rule(rule)
    proofs = tuple(joint.proof(tree, names, rule_variables) for tree in trees)
    terms = tuple((name, names.of_term(joint.worker.unifier.walk(term))) for name, term in opening.terms)
    steps = tuple(with_terms(s, names.of_term) for s in joint.worker.resolved_steps(opening.uses))
    return SecondPlayerWin(plain, proofs, (opening.case, terms), steps)


class _Joint:
    """All explanations of one position under one substitution."""

    def __init__(
        self,
        alternatives: Sequence[AnsweredAlternative],
        replies: Replies,
        game: t.Atom,
        vocabulary: Vocabulary,
        things: frozenset[t.Constant],
    ) -> None:
        self.alternatives, self.replies, self.vocabulary = alternatives, replies, vocabulary
        eigenvariables = frozenset(c for a in alternatives for c in _anyone(a.answer))
        self.worker = Generaliser(
            vocabulary, eigenvariables=eigenvariables, things=things, expands_counts=True
        )
        self.arguments: dict[str, t.Term] = {}
        for declared, value in zip(replies.game.terms, game.terms, strict=True):
            assert isinstance(declared, t.Variable)
            assert isinstance(value, t.Constant)
            self.arguments[declared.name] = self._fresh(declared.name, value)
        self.game = game.with_terms(tuple(self.arguments.values()))
        self.distinguished: dict[tuple[t.Constant, str | None], t.Term] = {}
        """The term of each value of a sort that distinguishes replies."""

    def _fresh(self, name: str, value: t.Constant) -> t.Variable:
        self.worker.fresh += 1
        variable = t.Variable(f"{name}~{self.worker.fresh}")
        self.worker.example[variable.name] = value
        return variable

    # The proofs of the replies

    def tree(self, case: ReplyCase, answer: Answer) -> _Tree:
        """Return the answer with the rules that give it, under the joint substitution."""
        if isinstance(answer, AnsweredReply):
            return self._leaf(case, answer)
        cases = tuple((value, self.tree(case, below)) for value, below in answer.cases)
        rest = self.tree(case, answer.rest)
        if answer.closed:
            assert isinstance(rest, _Leaf)
            rest = replace(rest, uses=(*rest.uses, *self._closed(case, answer, rest.terms)))
        return _Split(answer.variable, self._sort_in(case, answer.variable), cases, rest)

    def _closed(
        self, case: ReplyCase, choice: ReplyCases, own: Mapping[str, t.Term]
    ) -> Iterator[RuleApplication]:
        """Yield the rule applications that prove that the cases of a choice are all the members of closed
        sets.

        The terms in `own` are those of the reply that is none of the cases.
        """
        for closed in choice.closed:
            member = apply_to_statement(case.conditions[closed.condition], {**self.arguments, **own})  # type: ignore[type-var]
            assert isinstance(member, t.Atom)
            key, size = member.terms[:-1], closed.count.goal.terms[-1]
            count = t.Atom(closed.counter, (*key, size), None)
            yield from self.worker.explain(closed.count, self._before(count))
            sort = self._sort_in(case, choice.variable)
            for value, explanation in closed.members:
                term = self.distinguished.setdefault((value, sort), self._fresh(choice.variable, value))
                yield from self.worker.explain(explanation, self._before(member.with_terms((*key, term))))
            terms = [self.distinguished[value, sort] for value, _ in closed.members]
            self.worker.conditions += [
                t.Comparison("!=", a, b)
                for i, b in enumerate(terms)
                for a in terms[:i]
                if not (isinstance(a, t.Constant) and isinstance(b, t.Constant))
            ]

    def _own(self, case: ReplyCase, answer: AnsweredReply) -> dict[str, t.Term]:
        """Return the terms for the alternative's variables in an answer."""
        own: dict[str, t.Term] = {}
        for name, value in answer.values.items():
            if name not in answer.anyone and isinstance(value.value, int):
                own[name] = value
                continue
            variable = t.Variable(f"{name}^") if name in answer.anyone else self._fresh(name, value)
            self.worker.example[variable.name] = value
            own[name] = variable
        for name, value in answer.values.items():
            if name in answer.chosen:
                self._record_distinguished(value, self._sort_in(case, name), own[name])
        return own

    def _sort_in(self, case: ReplyCase, name: str) -> str | None:
        """Return the sort of a variable of an alternative."""
        return self.worker.sort_of(t.Variable(name), (case.action, *case.conditions))

    def _shown(
        self, case: ReplyCase, answer: AnsweredReply, own: Mapping[str, t.Term]
    ) -> Iterator[RuleApplication]:
        """Yield the rule applications that prove conditions of the alternative, independently of
        eigenvariables.
        """
        for place, explanation in answer.shown:
            condition = case.conditions[place]
            assert isinstance(condition, t.Statement)
            goal = self._before(apply_to_statement(condition, {**self.arguments, **own}))
            yield from self.worker.explain(explanation, goal)

    def _leaf(self, case: ReplyCase, answer: AnsweredReply) -> _Leaf:
        own = self._own(case, answer)
        for condition in case.conditions:
            if not (answer.chosen | answer.anyone) & {v.name for v in t.condition_variables(condition)}:
                general = apply_to_condition(condition, {**self.arguments, **own})
                self.worker.conditions.append(at_moment(general, "before", self.vocabulary))
        if answer.explanation is None:
            return _Leaf(tuple(self._shown(case, answer, own)), own)
        ground = {**self._example_arguments(), **answer.values}
        terms = {**self.arguments, **own}
        distinguished = answer.chosen | answer.anyone
        assumed = {
            self._before(apply_to_statement(s, ground)): self._before(apply_to_statement(s, terms))
            for s in (case.action, *case.conditions)
            if isinstance(s, t.Statement)
            and (s is case.action or distinguished & {v.name for v in t.condition_variables(s)})
        }
        if answer.wins:
            goal: t.Statement = t.GameStatement(replace(self.game, tense="after"), None, t.WON)
        else:
            assert case.unless is not None
            goal = self._before(apply_to_statement(case.unless, terms))
        return _Leaf(self.worker.explain(answer.explanation, goal, assumed), own)

    def _record_distinguished(self, value: t.Constant, sort: str | None, term: t.Term) -> None:
        """Record a term that distinguishes replies; each value of a sort has one term."""
        self.worker.unifier.unify(self.distinguished.setdefault((value, sort), term), term)

    def _example_arguments(self) -> dict[str, t.Term]:
        return {
            name: self.worker.example[term.name]
            for name, term in self.arguments.items()
            if isinstance(term, t.Variable)
        }

    def _before(self, statement: t.Statement) -> t.Statement:
        return statement_at(statement, "before", self.vocabulary)

    def opening(self) -> _Opening:
        """Return an alternative that the conditions prove playable.

        Its requirements become conditions of the rule.
        """
        for number, (case, alternative) in enumerate(zip(self.replies.cases, self.alternatives, strict=True)):
            answer = alternative.answer
            if case.unless is None and isinstance(answer, AnsweredReply) and not answer.anyone:
                terms = {name: self._fresh(name, value) for name, value in answer.values.items()}
                for condition in case.conditions:
                    general = apply_to_condition(condition, {**self.arguments, **terms})
                    self.worker.conditions.append(at_moment(general, "before", self.vocabulary))
                return _Opening(number, tuple(terms.items()))
        for number, (case, alternative) in enumerate(zip(self.replies.cases, self.alternatives, strict=True)):
            one = next((a for a in _each(alternative.answer) if a.wins and not a.anyone), None)
            if case.unless is None and one is not None:
                own = self._own(case, one)
                return _Opening(number, tuple(own.items()), tuple(self._shown(case, one, own)))
        raise NotOperationalError(
            "nothing shows that the opponent has a reply: he may be stalemated; a case of `replies` without"
            " `unless` shows one if its conditions hold"
        )

    # One substitution

    def equate(self) -> None:
        """Unify the terms that must be equal.

        These are members of one closed set that were equal in the example, values of the same key, and terms
        that distinguish replies.
        """
        worker, unifier = self.worker, self.worker.unifier
        for condition in worker.conditions:
            if isinstance(condition, t.Comparison):
                sides = [
                    unifier.walk(s) for s in (condition.left, condition.right) if isinstance(s, t.Variable)
                ]
                if any(isinstance(side, t.Variable) and side.name.endswith("^") for side in sides):
                    for side in sides:
                        if isinstance(side, t.Variable) and not side.name.endswith("^"):
                            sort = worker.sort_of(side, worker.conditions)
                            self._record_distinguished(worker.example[side.name], sort, side)
        worker.equate()

    # The result

    def rule(self, label: str) -> t.Rule:
        body = []
        for condition in self.worker.resolved_conditions():
            if any(v.name.endswith("^") for v in t.condition_variables(condition)):
                if not (isinstance(condition, t.Comparison) and condition.operator == "!="):
                    raise NotOperationalError("the proof depends on a property of a reply that is not stated")
                continue
            body.append(at_moment(condition, None, self.vocabulary))
        head = t.GameStatement(
            self.game.with_terms(self.worker.resolved_head(self.game).terms), None, t.SECOND_PLAYER_WIN
        )
        return t.Rule(head, tuple(in_order(without_redundant(body, head))), label)

    def proof(self, tree: _Tree, names: VariableNames, rule_variables: frozenset[str]) -> CaseProof:
        """Return the proof of an alternative in the names of the rule.

        `rule_variables` contains the rule's variables.
        """
        if isinstance(tree, _Split):
            cases = tuple(
                (
                    names.of_term(self.worker.unifier.walk(self.distinguished[value, tree.sort])),
                    self.proof(below, names, rule_variables),
                )
                for value, below in tree.cases
            )
            return Split(f"{tree.variable}^", cases, self.proof(tree.rest, names, rule_variables))
        walked = {name: self.worker.unifier.walk(term) for name, term in tree.terms.items()}
        own = {
            one.name: f"{n}^"
            for n, one in walked.items()
            if isinstance(one, t.Variable) and one.name not in rule_variables
        }

        def named(term: t.Term) -> t.Term:
            if isinstance(term, t.Variable) and term.name in own:
                return t.Variable(own[term.name])
            return names.of_term(term)

        steps = self.worker.resolved_steps(tree.uses)
        return Leaf(tuple(with_terms(s, named) for s in steps))


def _each(answer: Answer) -> Iterator[AnsweredReply]:
    if isinstance(answer, AnsweredReply):
        yield answer
        return
    for _, below in answer.cases:
        yield from _each(below)
    yield from _each(answer.rest)


def _anyone(answer: Answer) -> Iterator[t.Constant]:
    for answered in _each(answer):
        yield from (answered.values[name] for name in answered.anyone)
