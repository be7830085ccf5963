"""The lines of play that a proof holds: the friend's move, each reply that the proof tells apart, and its answer.

Of all the steps of a certificate only those are read that say that a game is won; proofs that it rests on are read on
in their place. So a proof becomes the tree that players know: what is played, what may come, and what is
played then. It says no more than the certificate does, and it checks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.admission import RuleBase
from compiler.certificate import REPLY_MARK, Leaf, ReplyProof, Step
from compiler.replies import Alternative, alternatives, replies_to
from kb.printer import print_condition
from kb.substitution import apply_to_statement, apply_to_term
from kb.terms import Atom, GameStatement, Rule, Term, Variable
from kb.theory import Theory

Binding = Mapping[str, Term]


def lines_of_play(base: RuleBase, theory: Theory, rule: str, binding: Binding) -> list[str]:
    """What the proof of a learned rule plays where the rule's variables stand for these things: a line an action,
    those below it further in. Raises KeyError where there is no such rule.
    """
    return list(_Reading(base, theory).of_rule(rule, binding, ""))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads the proofs of one rule base."""

    base: RuleBase
    theory: Theory

    def rule(self, name: str) -> Rule:
        entry = self.base.entries.get(name)
        return self.theory.rule(name) if entry is None else entry.rule

    def of_rule(self, name: str, binding: Binding, indent: str) -> Iterator[str]:
        """The action by which a rule wins, if it names one, and what its proof rests on or replies to."""
        rule = self.rule(name)
        assert isinstance(rule.head, GameStatement)
        if rule.head.by is not None:
            yield f"{indent}{_shown(rule.head.by, binding)}  [{name}]"
            indent += "  "
        entry = self.base.entries.get(name)
        if entry is None or entry.certificate is None:
            return
        if not entry.certificate.replies:
            yield from self.of_steps(
                entry.certificate.steps, binding, indent, by_an_action=rule.head.by is None
            )
            return
        cases = alternatives(rule, replies_to(rule, self.theory))
        for case, proof in zip(cases, entry.certificate.replies, strict=True):
            told = {name: apply_to_term(term, binding) for name, term in self.known(case, rule).items()}
            yield from self.of_reply(proof, case.case.action, {**binding, **told}, indent)

    def known(self, case: Alternative, rule: Rule) -> dict[str, Term]:
        """The reply's variables that the rule's conditions determine, such as who plays."""
        predicates = self.theory.vocabulary.predicates
        found: dict[str, Term] = {}
        for said in (c for c in case.case.conditions if isinstance(c, Atom)):
            key = predicates[said.predicate].key
            determined = [c for c in rule.body if isinstance(c, Atom) and c.predicate == said.predicate]
            for condition in determined if key is not None else ():
                if condition.terms[:key] == said.terms[:key]:
                    pairs = zip(said.terms[key:], condition.terms[key:], strict=True)
                    found |= {v.name: term for v, term in pairs if isinstance(v, Variable)}
        return found

    def of_reply(
        self, proof: ReplyProof, action: Atom, binding: Binding, indent: str, other: str = ""
    ) -> Iterator[str]:
        """The replies that a proof tells apart, each with what answers it."""
        if isinstance(proof, Leaf):
            yield f"{indent}{other}{_shown(action, binding)}"
            answered = list(self.of_steps(proof.steps, binding, indent + "  ", by_an_action=True))
            yield from answered or [f"{indent}  impossible"]
            return
        for term, below in proof.cases:
            told = {**binding, proof.variable: apply_to_term(term, binding)}
            yield from self.of_reply(below, action, told, indent)
        yield from self.of_reply(proof.rest, action, binding, indent, "any other ")

    def of_steps(
        self, steps: tuple[Step, ...], binding: Binding, indent: str, *, by_an_action: bool
    ) -> Iterator[str]:
        """What the last step rests on that says that the game is won: by an action, or whatever is replied."""
        for step in reversed(steps):
            head = self.rule(step.rule).head
            if not isinstance(head, GameStatement) or (head.by is not None) != by_an_action:
                continue
            if by_an_action or step.rule in self.base.entries:
                inner = {name: apply_to_term(term, binding) for name, term in step.substitution}
                yield from self.of_rule(step.rule, inner, indent)
                return


def _shown(action: Atom, binding: Binding) -> str:
    """An action; a variable of a reply that may be anything is shown without its mark."""
    said = apply_to_statement(action, binding)
    plain = {t.name: Variable(t.name.removesuffix(REPLY_MARK)) for t in said.terms if isinstance(t, Variable)}
    return print_condition(apply_to_statement(said, plain))
