"""The lines of play in a proof: the friend's move, each reply that the proof distinguishes, and its answer.

Only the steps of a certificate that state a win are used. The proofs of lemmas are followed in their place.
The result is a game tree as players know it: a move, the possible replies, and the answers to them. The moves
of a rule are printed once; later occurrences refer to them as `[above, #1]`. The tree contains no more than
the certificate, and it checks nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from hornbook.compiler.checker.certificate import REPLY_MARK, CaseProof, Inversion, Leaf, ProofStep
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.origins import terms_in_cases
from hornbook.compiler.witness.queries import ReplyAlternative, alternatives, replies_to
from hornbook.kb.ast.substitution import apply_to_statement, apply_to_term
from hornbook.kb.ast.terms import Atom, GameStatement, Rule, Term, Variable
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.dataclass import dataclass

Binding = Mapping[str, Term]


def lines_of_play(base: RuleBase, theory: Theory, rule: str, binding: Binding) -> list[str]:
    """Return the lines of play in the proof of a learned rule under a binding of its variables.

    Each line is an action, and the lines below it are indented. Raise KeyError if there is no such rule.
    """
    plays = _Plays()
    return list(plays.lines(_ProofReader(base, theory, plays).of_rule(rule, binding)))


class _Plays:
    """The moves and their continuations, each stored once, with its index as its number."""

    def __init__(self) -> None:
        self.all: list[tuple[str, tuple[int, ...]]] = []
        self.places: dict[tuple[str, tuple[int, ...]], int] = {}

    def add(self, text: str, below: tuple[int, ...] = ()) -> int:
        play = (text, below)
        if play not in self.places:
            self.places[play] = len(self.all)
            self.all.append(play)
        return self.places[play]

    def lines(self, first: tuple[int, ...]) -> Iterator[str]:
        """Yield the lines; a rule's moves that occur again are marked and referred to."""
        comes_up = Counter(first)
        for number in range(len(self.all) - 1, -1, -1):  # a move is added after its continuations
            for inner in self.all[number][1]:
                comes_up[inner] = min(2, comes_up[inner] + comes_up[number])
        marks: dict[int, int] = {}
        todo = [(number, "") for number in reversed(first)]
        while todo:
            number, indent = todo.pop()
            text, below = self.all[number]
            if number in marks:
                yield f"{indent}{text}  [above, #{marks[number]}]"
                continue
            if below and comes_up[number] > 1 and text.endswith("]"):
                marks[number] = len(marks) + 1
            yield f"{indent}{text}" + (f" #{marks[number]}" if number in marks else "")
            todo += ((inner, f"{indent}  ") for inner in reversed(below))


@dataclass(frozen=True, slots=True)
class _ProofReader:
    """A reader of the proofs in one rule base; `read` caches the moves of each rule and binding."""

    base: RuleBase
    theory: Theory
    plays: _Plays
    read: dict[tuple[str, frozenset[tuple[str, Term]]], tuple[int, ...]] = field(default_factory=dict)

    def rule(self, name: str) -> Rule:
        entry = self.base.entries.get(name)
        if entry is not None:
            return entry.rule
        clause = next((each for each in self.base.definitions.clauses if each.name == name), None)
        return self.theory.rule(name) if clause is None else clause

    def of_rule(self, name: str, binding: Binding) -> tuple[int, ...]:
        """Return the winning action of a rule, if it names one, with the continuations in its proof."""
        key = (name, frozenset(binding.items()))
        if key not in self.read:
            rule = self.rule(name)
            assert isinstance(rule.head, GameStatement)
            below = tuple(self.below(rule, binding))
            by = rule.head.by
            moves = below if by is None else (self.plays.add(f"{_shown(by, binding)}  [{name}]", below),)
            self.read[key] = moves
        return self.read[key]

    def below(self, rule: Rule, binding: Binding) -> Iterator[int]:
        """Yield the continuations in a rule's proof: the winning rules that it uses, or the replies.

        `binding` has the variables of the rule with its parts written out.
        """
        assert isinstance(rule.head, GameStatement)
        entry = self.base.entries.get(rule.name)
        if entry is None or entry.certificate is None:
            return
        expansion = self.base.definitions.expanded(rule)
        clauses = {clause: self.rule(clause) for clause, _ in expansion.uses}
        inside = terms_in_cases(entry, expansion, clauses)
        binding = {**binding, **{name: apply_to_term(term, binding) for name, term in inside.items()}}
        if not entry.certificate.replies:
            steps = (*entry.certificate.steps, *_steps_after_parts(entry.certificate.cases))
            yield from self.of_steps(steps, binding, by_an_action=rule.head.by is None)
            return
        cases = alternatives(rule, replies_to(rule, self.theory))
        for case, proof in zip(cases, entry.certificate.replies, strict=True):
            known = self.known(case, expansion.rule)
            determined = {name: apply_to_term(term, binding) for name, term in known.items()}
            yield from self.of_reply(proof, case.case.action, {**binding, **determined})

    def known(self, case: ReplyAlternative, rule: Rule) -> dict[str, Term]:
        """Return the reply's variables that the rule's conditions determine, such as the player."""
        predicates = self.theory.vocabulary.predicates
        found: dict[str, Term] = {}
        for atom in (c for c in case.case.conditions if isinstance(c, Atom)):
            key = predicates[atom.predicate].key
            determined = [c for c in rule.body if isinstance(c, Atom) and c.predicate == atom.predicate]
            for condition in determined if key is not None else ():
                if condition.terms[:key] == atom.terms[:key]:
                    pairs = zip(atom.terms[key:], condition.terms[key:], strict=True)
                    found |= {v.name: term for v, term in pairs if isinstance(v, Variable)}
        return found

    def of_reply(self, proof: CaseProof, action: Atom, binding: Binding, other: str = "") -> Iterator[int]:
        """Yield the replies that a proof distinguishes, each with its answers."""
        if isinstance(proof, Leaf):
            answered = self.of_steps(proof.steps, binding, by_an_action=True)
            below = answered or (self.plays.add("impossible"),)
            yield self.plays.add(f"{other}{_shown(action, binding)}", below)
            return
        if isinstance(proof, Inversion):
            for case in proof.cases:
                yield from self.of_reply(case, action, binding, other)
            return
        for term, case in proof.cases:
            case_binding = {**binding, proof.variable: apply_to_term(term, binding)}
            yield from self.of_reply(case, action, case_binding)
        yield from self.of_reply(proof.rest, action, binding, "any other ")

    def of_steps(
        self, steps: tuple[ProofStep, ...], binding: Binding, *, by_an_action: bool
    ) -> tuple[int, ...]:
        """Return the continuation of the last step that states a win, by an action or against every reply."""
        for step in reversed(steps):
            head = self.rule(step.rule).head
            if not isinstance(head, GameStatement) or (head.by is not None) != by_an_action:
                continue
            if by_an_action or step.rule in self.base.entries:
                inner = {name: apply_to_term(term, binding) for name, term in self.terms(step, steps).items()}
                return self.of_rule(step.rule, inner)
        return ()

    def terms(self, step: ProofStep, steps: Sequence[ProofStep]) -> dict[str, Term]:
        """Return the terms for the variables of the rule of a step, with its parts written out.

        The other steps derive the parts before they apply the rule.
        """
        found = dict(step.substitution)
        for clause, given in reversed(self.base.definitions.expanded(self.rule(step.rule)).uses):
            for each in steps:
                known = dict(each.substitution) if each.rule == clause else {}
                pairs = {
                    v.name: known[name]
                    for name, v in given.items()
                    if isinstance(v, Variable) and name in known
                }
                if pairs and all(found.get(name, term) == term for name, term in pairs.items()):
                    found |= pairs
                    break
        return found


def _steps_after_parts(proof: CaseProof | None) -> tuple[ProofStep, ...]:
    """Return the steps of a proof that first replaces the parts of its rule by their definitions."""
    while isinstance(proof, Inversion) and len(proof.cases) == 1:
        (proof,) = proof.cases
    return proof.steps if isinstance(proof, Leaf) else ()


def _shown(action: Atom, binding: Binding) -> str:
    """Return an action as text; unbound variables of a reply have no mark."""
    instance = apply_to_statement(action, binding)
    plain = {
        t.name: Variable(t.name.removesuffix(REPLY_MARK)) for t in instance.terms if isinstance(t, Variable)
    }
    return print_condition(apply_to_statement(instance, plain))
