"""Mutations of rules together with their proofs, as a forger would try them on a checker.

Fingerprints are recomputed for each mutant, so only the logic can reject it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hornbook.compiler.checker.certificate import CaseProof, Leaf, ProofStep, Split
from hornbook.compiler.generalise.regression import Regressed
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.operators import FUNCTIONS, STRENGTH, signature
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, apply_to_term, statement_at
from hornbook.kb.ast.theory import Theory
from oracles.forger.rules import Candidate, summary_at
from oracles.proofs.mutants import mutants

PLAIN = ("+", "-", "*", "//", "mod", "min", "max", "abs")
"""The operators of other theories than those that calculate with values."""
EDGES = (2**63 - 1, -(2**63), 2**63, 0)
"""Integers at and beyond the limits of 64 bits, and 0."""


class Mutator:
    """A generator of mutants of one theory's candidates.

    `others` are accepted rules that the mutated steps may apply. A candidate is a rule with its alleged
    proof.
    Each method for a kind of mutation returns a mutant, or None if the candidate has none of this kind.
    """

    def __init__(self, theory: Theory, random: Random, others: Sequence[t.Rule]) -> None:
        self.theory, self.random, self.others = theory, random, others
        self.kinds: list[tuple[str, Callable[[Candidate], Candidate | None]]] = [
            ("a small change of one condition", self._small),
            ("a condition dropped", self._dropped),
            ("a variable split, its steps doubled", self._split),
            ("a variable split, its steps doubled", self._split),
            ("two variables merged", self._merged),
            ("a constant put in", self._constant),
            ("a condition added", self._added),
            ("a condition put in another's place", self._exchanged),
            ("the action left out", self._without_action),
            ("the action put in", self._with_action),
            ("all words of time changed", self._tenses),
            ("another value", self._value),
            ("another head", self._head),
            ("a step dropped", self._step_dropped),
            ("steps in another order", self._steps_reordered),
            ("a step at another moment", self._step_moment),
            ("a step of another thing", self._step_term),
            ("a step by another rule", self._step_rule),
            ("a reply dropped", self._reply_dropped),
            ("a reply's proof exchanged", self._replies_exchanged),
            ("replies told apart by another thing", self._split_replies),
            ("a reply that is not told apart", self._unsplit_replies),
            ("another opening", self._opening),
            ("a bound moved", self._bound),
            ("a comparison dropped", self._comparison_dropped),
        ]
        if any(p.complete for p in theory.vocabulary.predicates.values()):
            self.kinds += [
                ("its absence in a condition's place", self._absent),
                ("another absence or sum", self._summed),
                ("another absence or sum", self._summed),
            ]

        if any(call.operator not in PLAIN for rule in theory.rules for call in _calls(rule.body)):
            self.kinds += [("another calculation", self._calculation)] * 2

    def mutant(self, candidate: Candidate) -> Candidate | None:
        """Return one mutant, or None if the randomly chosen kind has none."""
        kind, change = self.random.choice(self.kinds)
        found = change(candidate)
        if found is None or (found.rule, found.steps, found.replies, found.open) == (
            candidate.rule,
            candidate.steps,
            candidate.replies,
            candidate.open,
        ):
            return None
        return replace(found, kind=kind)

    # Conditions

    def _with_body(self, candidate: Candidate, body: Sequence[t.Condition]) -> Candidate:
        """Return the candidate with another body, from which repeated conditions are dropped."""
        return replace(candidate, rule=replace(candidate.rule, body=tuple(dict.fromkeys(body))))

    def _random_place(self, candidate: Candidate) -> int | None:
        """Return the place of a random condition in the body; None if there is none."""
        return self.random.randrange(len(candidate.rule.body)) if candidate.rule.body else None

    def _small(self, candidate: Candidate) -> Candidate | None:
        found = [m.proved for m in mutants(Regressed(candidate.rule, candidate.steps))]
        if not found:
            return None
        one = self.random.choice(found)
        return replace(candidate, rule=one.rule, steps=one.steps)

    def _dropped(self, candidate: Candidate) -> Candidate | None:
        place = self._random_place(candidate)
        if place is None:
            return None
        body = candidate.rule.body
        return self._with_body(candidate, (*body[:place], *body[place + 1 :]))

    def _comparison_dropped(self, candidate: Candidate) -> Candidate | None:
        found = [c for c in candidate.rule.body if isinstance(c, t.Comparison)]
        if not found:
            return None
        dropped = self.random.choice(found)
        return self._with_body(candidate, [c for c in candidate.rule.body if c != dropped])

    def _calculation(self, candidate: Candidate) -> Candidate | None:
        """Replace an operation by another one, by itself with exchanged operands, or by an operand."""
        found = list(_calls(candidate.rule.body))
        if not found:
            return None
        call = self.random.choice(found)
        declared = signature(call.operator)
        names = [*FUNCTIONS, *STRENGTH]
        like = [name for name in names if signature(name) == declared and name != call.operator]
        new: list[t.Expression] = [replace(call, operands=call.operands[::-1]), *call.operands]
        new += [replace(call, operator=self.random.choice(like))] * 3 if like else []
        other = self.random.choice(new)

        def changed(node: Any) -> Any:
            if node == call:
                return other
            return node if isinstance(node, t.Term | t.Statement) else t.rewrite(node, changed)

        return self._with_body(candidate, [changed(condition) for condition in candidate.rule.body])

    def _names(self, candidate: Candidate) -> list[str]:
        rule = candidate.rule
        return list(dict.fromkeys(v.name for c in (rule.head, *rule.body) for v in t.condition_variables(c)))

    def _split(self, candidate: Candidate) -> Candidate | None:
        """Split one variable into two: each condition has one or both, and each step exists for both."""
        names = self._names(candidate)
        if not names:
            return None
        name = self.random.choice(names)
        twin = {name: t.Variable(f"{name}_twin")}
        body: list[t.Condition] = []
        for condition in candidate.rule.body:
            other = apply_to_condition(condition, twin)
            way = self.random.choice("oobtb" if other != condition else "o")
            body += {"o": [condition], "t": [other], "b": [condition, other]}[way]
        steps: list[ProofStep] = []
        for step in candidate.steps:
            steps += [step, _substituted_step(step, twin)]
        if self.random.random() < 0.4:
            steps = list(candidate.steps)
        head = (
            apply_to_statement(candidate.rule.head, twin)
            if self.random.random() < 0.15
            else candidate.rule.head
        )
        return replace(
            candidate,
            rule=replace(candidate.rule, head=head, body=tuple(dict.fromkeys(body))),
            steps=tuple(dict.fromkeys(steps)),
        )

    def _substituted(self, candidate: Candidate, terms: dict[str, t.Term]) -> Candidate:
        """Return the candidate with terms in the place of variables, in the rule and in its proof."""
        rule = candidate.rule
        body = tuple(dict.fromkeys(apply_to_condition(c, terms) for c in rule.body))
        opening = candidate.open
        if opening is not None:
            opening = opening[0], tuple((n, apply_to_term(term, terms)) for n, term in opening[1])
        return replace(
            candidate,
            rule=replace(rule, head=apply_to_statement(rule.head, terms), body=body),
            steps=tuple(_substituted_step(s, terms) for s in candidate.steps),
            replies=tuple(_substituted_proof(p, terms) for p in candidate.replies),
            open=opening,
        )

    def _merged(self, candidate: Candidate) -> Candidate | None:
        names = self._names(candidate)
        if len(names) < 2:
            return None
        one, other = self.random.sample(names, 2)
        return self._substituted(candidate, {one: t.Variable(other)})

    def _constant(self, candidate: Candidate) -> Candidate | None:
        names = self._names(candidate)
        if not names:
            return None
        name = self.random.choice(names)
        sort = _sort_of(name, candidate.rule, self.theory)
        declared = self.theory.vocabulary.sorts.get(sort or "")
        if declared is None:
            return None
        if declared.kind == "integer":
            value: str | int = self.random.choice((*EDGES[:2], 0, 1, 2))
        else:
            value = self.random.choice(declared.constants or ("t1", "t2", "any p", "any x1"))
        return self._substituted(candidate, {name: t.Constant(value)})

    def _some_condition(self, candidate: Candidate) -> t.Condition | None:
        """Return a condition of another rule with terms of this rule."""
        names = self._names(candidate)
        rules = [r for r in (*self.theory.rules, *self.others) if r.body]
        if not rules:
            return None
        conditions = [c for c in self.random.choice(rules).body if isinstance(c, t.Atom | t.GameStatement)]
        if not conditions:
            return None
        chosen = self.random.choice(conditions)
        terms = {
            v.name: t.Variable(self.random.choice((*names, f"{v.name}_more")))
            for v in t.condition_variables(chosen)
        }
        tense = next((c.tense for c in candidate.rule.body if isinstance(c, t.Atom) and c.tense), None)
        if isinstance(chosen, t.Atom) and not self.theory.vocabulary.predicates[chosen.predicate].has_tense:
            return apply_to_condition(chosen, terms)
        return apply_to_condition(statement_at(chosen, tense, self.theory.vocabulary), terms)

    def _added(self, candidate: Candidate) -> Candidate | None:
        more = self._some_condition(candidate)
        return None if more is None else self._with_body(candidate, (*candidate.rule.body, more))

    def _exchanged(self, candidate: Candidate) -> Candidate | None:
        place, more = self._random_place(candidate), self._some_condition(candidate)
        if place is None or more is None:
            return None
        body = candidate.rule.body
        return self._with_body(candidate, (*body[:place], more, *body[place + 1 :]))

    def _absent(self, candidate: Candidate) -> Candidate | None:
        """Replace a condition by its absence, or add its absence."""
        place = self._random_place(candidate)
        if place is None or not isinstance(candidate.rule.body[place], t.Atom | t.Absent):
            return None
        body = candidate.rule.body
        first = body[: place + (self.random.random() < 0.5)]
        return self._with_body(candidate, (*first, t.Absent((body[place],)), *body[place + 1 :]))

    def _summed(self, candidate: Candidate) -> Candidate | None:
        """Change an absence or aggregate to more, fewer or other things, or repeat it."""
        body = candidate.rule.body
        able = [i for i, c in enumerate(body) if isinstance(c, t.Absent | t.Aggregate)]
        if not able:
            return None
        place = self.random.choice(able)
        condition = body[place]
        assert isinstance(condition, t.Absent | t.Aggregate)
        inner, more = list(condition.conditions), self._some_condition(candidate)
        names = sorted({v.name for v in t.condition_variables(condition)})
        match self.random.randrange(5):
            case 0 if more is not None:
                inner.append(more)
            case 1 if len(inner) > 1:
                del inner[self.random.randrange(len(inner))]
            case 2 if names:
                other = t.Variable(self.random.choice((*names, *self._names(candidate))))
                changed = apply_to_condition(condition, {self.random.choice(names): other})
                return self._with_body(candidate, (*body[:place], changed, *body[place + 1 :]))
            case 3:
                inner = [t.Absent(tuple(inner))]
            case _ if isinstance(condition, t.Aggregate):
                function = self.random.choice(("count", "sum", "min", "max"))
                condition = replace(condition, function=function)  # type: ignore[arg-type]
            case _:
                return None
        changed = replace(condition, conditions=tuple(inner))
        return self._with_body(candidate, (*body[:place], changed, *body[place + 1 :]))

    def _bound(self, candidate: Candidate) -> Candidate | None:
        found = [i for i, c in enumerate(candidate.rule.body) if isinstance(c, t.Comparison)]
        numbers = [i for i in found if isinstance(candidate.rule.body[i].right, t.Constant)]  # type: ignore[union-attr]
        if not numbers:
            return None
        place = self.random.choice(numbers)
        condition = candidate.rule.body[place]
        assert isinstance(condition, t.Comparison)
        right = condition.right
        assert isinstance(right, t.Constant)
        if not isinstance(right.value, int):
            return None
        moved = replace(
            condition, right=t.Constant(self.random.choice((right.value + 1, right.value - 1, *EDGES[:2])))
        )
        return self._with_body(
            candidate, (*candidate.rule.body[:place], moved, *candidate.rule.body[place + 1 :])
        )

    # Moments and actions

    def _is_action(self, condition: t.Condition) -> bool:
        return (
            isinstance(condition, t.Atom)
            and self.theory.vocabulary.predicates[condition.predicate].kind == "action"
        )

    def _with_tense(self, candidate: Candidate, tense: str | None, body: Sequence[t.Condition]) -> Candidate:
        """Return the candidate with another body, and all its conditions and its head at a tense."""
        vocabulary = self.theory.vocabulary
        changed = [
            statement_at(c, tense, vocabulary)  # type: ignore[arg-type]
            if isinstance(c, t.Atom | t.GameStatement)
            else summary_at(c, tense, vocabulary)  # type: ignore[arg-type]
            if isinstance(c, t.Absent | t.Aggregate)
            else c
            for c in body
        ]
        head = candidate.rule.head
        if not (head.tense == "after" and tense == "before"):
            head = statement_at(head, tense, vocabulary)  # type: ignore[arg-type]
        return replace(candidate, rule=replace(candidate.rule, head=head, body=tuple(changed)))

    def _without_action(self, candidate: Candidate) -> Candidate | None:
        if not any(map(self._is_action, candidate.rule.body)):
            return None
        return self._with_tense(candidate, None, [c for c in candidate.rule.body if not self._is_action(c)])

    def _with_action(self, candidate: Candidate) -> Candidate | None:
        head = candidate.rule.head
        if not isinstance(head, t.GameStatement) or head.by is None or head.tense is not None:
            return None
        return self._with_tense(candidate, "before", (head.by, *candidate.rule.body))

    def _tenses(self, candidate: Candidate) -> Candidate | None:
        tense = self.random.choice(("before", "after", None))
        return self._with_tense(candidate, tense, candidate.rule.body)

    # Heads

    def _value(self, candidate: Candidate) -> Candidate | None:
        head = candidate.rule.head
        if not isinstance(head, t.GameStatement):
            return None
        value = t.Constant(self.random.choice(("GI", "IG", "GG", "GP", "PI", "G", "GIII")))
        return replace(candidate, rule=replace(candidate.rule, head=replace(head, value=value)))

    def _head(self, candidate: Candidate) -> Candidate | None:
        """Change the variables of the head, or take the conclusion of an earlier step."""
        names = self._names(candidate)
        head = candidate.rule.head
        places = [i for i, term in enumerate(head.terms) if isinstance(term, t.Variable)]
        if places and self.random.random() < 0.6:
            terms = list(head.terms)
            terms[self.random.choice(places)] = t.Variable(self.random.choice(names))
            return replace(candidate, rule=replace(candidate.rule, head=head.with_terms(tuple(terms))))
        if not candidate.steps:
            return None
        step = self.random.choice(candidate.steps)
        rule = next((r for r in (*self.theory.rules, *self.others) if r.name == step.rule), None)
        if rule is None:
            return None
        concluded = apply_to_statement(rule.head, dict(step.substitution))
        if candidate.rule.head.tense is None:
            concluded = statement_at(concluded, None, self.theory.vocabulary)
        return replace(candidate, rule=replace(candidate.rule, head=concluded))

    # Steps

    def _with_steps(
        self, candidate: Candidate, change: Callable[[list[ProofStep]], list[ProofStep] | None]
    ) -> Candidate | None:
        """Return the candidate with some steps changed: those of a leaf of its replies if it has replies."""
        if candidate.replies and (not candidate.steps or self.random.random() < 0.7):
            place = self.random.randrange(len(candidate.replies))

            def into(proof: CaseProof) -> CaseProof:
                if isinstance(proof, Leaf):
                    changed = change(list(proof.steps))
                    return proof if changed is None else Leaf(tuple(changed))
                if proof.cases and self.random.random() < 0.6:
                    i = self.random.randrange(len(proof.cases))
                    term, below = proof.cases[i]
                    return replace(
                        proof, cases=(*proof.cases[:i], (term, into(below)), *proof.cases[i + 1 :])
                    )
                return replace(proof, rest=into(proof.rest))

            replies = (
                *candidate.replies[:place],
                into(candidate.replies[place]),
                *candidate.replies[place + 1 :],
            )
            return replace(candidate, replies=replies)
        changed = change(list(candidate.steps))
        return None if changed is None else replace(candidate, steps=tuple(changed))

    def _step_dropped(self, candidate: Candidate) -> Candidate | None:
        def change(steps: list[ProofStep]) -> list[ProofStep] | None:
            if steps:
                del steps[self.random.randrange(len(steps))]
            return steps

        return self._with_steps(candidate, change)

    def _steps_reordered(self, candidate: Candidate) -> Candidate | None:
        def change(steps: list[ProofStep]) -> list[ProofStep] | None:
            self.random.shuffle(steps)
            return steps

        return self._with_steps(candidate, change)

    def _changed_step(
        self, candidate: Candidate, change: Callable[[ProofStep], ProofStep | None]
    ) -> Candidate | None:
        """Return the candidate with one changed step, in the place of the original one or after it."""

        def change_one(steps: list[ProofStep]) -> list[ProofStep] | None:
            if not steps:
                return None
            place = self.random.randrange(len(steps))
            changed = change(steps[place])
            if changed is None:
                return None
            if self.random.random() < 0.5:
                return [*steps[:place], changed, *steps[place + 1 :]]
            return [*steps[: place + 1], changed, *steps[place + 1 :]]

        return self._with_steps(candidate, change_one)

    def _step_moment(self, candidate: Candidate) -> Candidate | None:
        return self._changed_step(
            candidate, lambda s: replace(s, moment=self.random.choice(("before", "after", None)))
        )

    def _step_term(self, candidate: Candidate) -> Candidate | None:
        names = self._names(candidate)

        def change(step: ProofStep) -> ProofStep | None:
            if not step.substitution or not names:
                return None
            place = self.random.randrange(len(step.substitution))
            term: t.Term = t.Variable(self.random.choice(names))
            changed = (
                *step.substitution[:place],
                (step.substitution[place][0], term),
                *step.substitution[place + 1 :],
            )
            return replace(step, substitution=changed)

        return self._changed_step(candidate, change)

    def _step_rule(self, candidate: Candidate) -> Candidate | None:
        """Replace the rule of a step by another rule or lemma with random terms."""
        names = self._names(candidate)
        rules = (*self.theory.rules, *self.others, *self.others)

        def change(step: ProofStep) -> ProofStep | None:
            if not names:
                return None
            rule = self.random.choice(rules)
            given = dict(step.substitution)
            variables = dict.fromkeys(
                v.name for c in (rule.head, *rule.body) for v in t.condition_variables(c)
            )
            terms = tuple((n, given.get(n, t.Variable(self.random.choice(names)))) for n in variables)
            return ProofStep(rule.name, self.random.choice(("before", "after", step.moment)), terms)  # type: ignore[arg-type]

        return self._changed_step(candidate, change)

    # Replies

    def _reply_dropped(self, candidate: Candidate) -> Candidate | None:
        if not candidate.replies:
            return None
        place = self.random.randrange(len(candidate.replies))
        if self.random.random() < 0.4:
            return replace(candidate, replies=(*candidate.replies[:place], *candidate.replies[place + 1 :]))
        return replace(
            candidate, replies=(*candidate.replies[:place], Leaf(()), *candidate.replies[place + 1 :])
        )

    def _replies_exchanged(self, candidate: Candidate) -> Candidate | None:
        if len(candidate.replies) < 2:
            return None
        replies = list(candidate.replies)
        self.random.shuffle(replies)
        return replace(candidate, replies=tuple(replies))

    def _changed_reply(
        self, candidate: Candidate, change: Callable[[CaseProof], CaseProof]
    ) -> Candidate | None:
        """Return the candidate with the changed proof of one reply."""
        if not candidate.replies:
            return None
        place = self.random.randrange(len(candidate.replies))
        replies = (
            *candidate.replies[:place],
            change(candidate.replies[place]),
            *candidate.replies[place + 1 :],
        )
        return replace(candidate, replies=replies)

    def _split_replies(self, candidate: Candidate) -> Candidate | None:
        names = self._names(candidate)

        def change(proof: CaseProof) -> CaseProof:
            if isinstance(proof, Split) and proof.cases and names:
                (_, below), rest = proof.cases[0], proof.cases[1:]
                return replace(proof, cases=((t.Variable(self.random.choice(names)), below), *rest))
            marked = [
                term.name
                for s in getattr(proof, "steps", ())
                for _, term in s.substitution
                if isinstance(term, t.Variable) and term.name.endswith("^")
            ]
            if isinstance(proof, Leaf) and marked and names:
                return Split(
                    self.random.choice(marked), ((t.Variable(self.random.choice(names)), proof),), proof
                )
            return proof

        return self._changed_reply(candidate, change)

    def _unsplit_replies(self, candidate: Candidate) -> Candidate | None:
        def change(proof: CaseProof) -> CaseProof:
            if not isinstance(proof, Split):
                return proof
            if proof.cases and self.random.random() < 0.5:
                return replace(proof, cases=proof.cases[1:])
            return self.random.choice((proof.rest, *(below for _, below in proof.cases)))

        return self._changed_reply(candidate, change)

    def _opening(self, candidate: Candidate) -> Candidate | None:
        names = self._names(candidate)
        if candidate.open is None:
            return None
        number, terms = candidate.open
        if not terms or self.random.random() < 0.2:
            return replace(candidate, open=(self.random.randrange(-1, len(candidate.replies) + 1), terms))
        place = self.random.randrange(len(terms))
        pool: list[t.Term] = [
            *map(t.Variable, names),
            *map(t.Constant, EDGES),
            t.Constant("t1"),
            t.Constant("nobody"),
        ]
        changed = (*terms[:place], (terms[place][0], self.random.choice(pool)), *terms[place + 1 :])
        return replace(candidate, open=(number, changed))


def _calls(nodes: Iterable[t.Node]) -> Iterator[t.Operation]:
    """Yield the operations in conditions, with those inside of others."""
    for node in nodes:
        if isinstance(node, t.Operation):
            yield node
        if not isinstance(node, t.Term | t.Statement):
            yield from _calls(t.parts(node))


def _substituted_step(step: ProofStep, terms: dict[str, t.Term]) -> ProofStep:
    return replace(step, substitution=tuple((n, apply_to_term(term, terms)) for n, term in step.substitution))


def _substituted_proof(proof: CaseProof, terms: dict[str, t.Term]) -> CaseProof:
    if isinstance(proof, Leaf):
        return Leaf(tuple(_substituted_step(s, terms) for s in proof.steps))
    cases = tuple(
        (apply_to_term(term, terms), _substituted_proof(below, terms)) for term, below in proof.cases
    )
    return replace(proof, cases=cases, rest=_substituted_proof(proof.rest, terms))


def _sort_of(name: str, rule: t.Rule, theory: Theory) -> str | None:
    """Return the sort of a variable of a rule; None if no atom contains it."""
    for condition in (rule.head, *rule.body):
        if isinstance(condition, t.Atom):
            columns = theory.vocabulary.predicates[condition.predicate].columns
            for term, column in zip(condition.terms, columns, strict=True):
                if isinstance(term, t.Variable) and term.name == name:
                    return column.name
    return None
