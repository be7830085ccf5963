"""Learning the effects of actions with invented predicates: from examples to short rules.

An explanation of a fact after an action is shortened before it is generalised:

1. A derived fact before the action is a condition itself, if its predicate is about one state
   (`state_predicates`). Its definition is not unfolded.
2. A derived fact that the action does not change follows from a frame lemma (frame_lemmas.py).
3. A derived fact after the action becomes an invented predicate if it recurs in the explanation, if a closed
   set requires it of each member, or if its derivation is large (invented_predicates.py). All examples give
   clauses of the same predicate. A closed set becomes a condition of the rule, for any number of members.

Invariants: the checker accepted every rule and lemma. The rules are about the theory extended by the
definitions.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.operational import (
    changing_predicates,
    condition_vocabulary,
    state_predicates,
)
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.learn.effects.completion import Completion
from hornbook.compiler.learn.effects.frame_lemmas import FrameLemmas
from hornbook.compiler.learn.invented_predicates import (
    InventedPredicate,
    PredicateInvention,
    all_steps,
    recursive_predicates,
)
from hornbook.compiler.learn.learner import certify, doubtful
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.admission import (
    RuleBase,
    RuleEntry,
    admit,
    conclusion_of,
    free_label,
    with_rule,
)
from hornbook.compiler.rules.definitions import Definitions
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.repetition import Repetition, repetition
from hornbook.compiler.rules.rulebase import rename
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.verification import recertified
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    Rule,
    Statement,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class _Learned:
    """A generalised rule, the explanation that it generalises, and its provenance."""

    regressed: Regressed
    explanation: Explanation
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class EffectOutcome:
    """The result of learning from one goal.

    `refused` has the reason if it gives no rule. If a predicate is recursive, and the rule is about chains of
    one length, `flat` has the reason.
    """

    refused: str = ""
    flat: str = ""


class EffectLearner:
    """A learner of the effects of actions; each example adds to what the earlier ones gave."""

    def __init__(self, theory: Theory, base: RuleBase) -> None:
        """Continue from a rule base, whose invented predicates get further clauses."""
        self.theory = base.definitions.removed(theory)
        self._invention = PredicateInvention(
            self.theory, condition_vocabulary, names_action=True, expands_counts=False, flat=()
        )
        self.frames = FrameLemmas(self.theory, state_predicates(self.theory), base.entries)
        self._changing = changing_predicates(self.theory)
        self._learned: dict[str, _Learned] = {}
        self._labels: dict[str, str] = {}
        """The label in the rule base of each learned rule that was admitted, by its own name."""
        self._own: set[str] = set()
        """The names of the rules that the last `result` added to a rule base."""
        self._certified: dict[InventedPredicate | Rule, RuleEntry] = {}
        """The certified lemmas of invented predicates, and the certified rules."""
        self._flat: dict[str, str] = {}
        """The recursive predicates whose recursion the checker refused after an action, with the reasons."""
        self._origins = {n: entry.provenance for n, entry in base.entries.items() if entry.provenance}
        """The provenance of the lemmas that conclude goals themselves."""
        self._given = base
        self._adopt(base)

    def _adopt(self, base: RuleBase) -> None:
        """Continue with the invented predicates of a rule base."""
        for entry in base:
            condition = _lemma_condition(entry.rule)
            if condition is not None and condition.predicate in base.definitions.names:
                clauses = [c for c in base.definitions.clauses if c.head.relation == condition.predicate]
                predicate = next(p for p in base.definitions.predicates if p.name == condition.predicate)
                # The clauses of macro-operators mention no action (sequences.py).
                actions = {predicate_of(each) for each in statements(entry.rule.body[:1])}
                if any(predicate_of(each) in actions for c in clauses for each in statements(c.body)):
                    self._invention.adopt(InventedPredicate(predicate, entry.rule, tuple(clauses)))

    def learn(
        self, base: KnowledgeBase, goal: Statement, action: GroundFact, provenance: Provenance
    ) -> EffectOutcome:
        """Learn from a goal that holds after an action in a knowledge base with all derivations.

        If the checker refuses the lemma of a recursive invented predicate, the rule is about the chains of
        the example.
        """
        taken = Atom(action.relation, tuple(map(Constant, action.values)))
        explanation = cheapest_explanation(base, goal, condition_vocabulary(self.theory, goal))
        reason = doubtful(explanation, self.theory)
        if reason is not None:
            return EffectOutcome(reason)
        facts = tuple(dict.fromkeys(ground_fact(leaf) for leaf in explanation.leaves))
        provenance = replace(provenance, facts=facts)
        recursive = recursive_predicates(self.theory)
        after = [node.conclusion for node in explanation.nodes if node.rule is not None]
        chained = {each.relation for each in after if each.tense == "after" and each.relation in recursive}
        while True:
            flat = dict(self._flat)
            restore = self._invention.saved()
            refused = self._learn(base, explanation, taken, provenance)
            try:
                self._lemmas(self._given)
            except RejectedError as problem:
                restore()
                if chained <= flat.keys():
                    return EffectOutcome(f"the checker refuses it: {problem}")
                self._flat |= {name: str(problem) for name in chained - flat.keys()}
                self._invention.unfold(self._flat)
                continue
            reasons = dict.fromkeys(flat[name] for name in sorted(chained & flat.keys()))
            return EffectOutcome(refused, "; ".join(reasons))

    def _learn(
        self, base: KnowledgeBase, explanation: Explanation, taken: Atom, provenance: Provenance
    ) -> str:
        """Learn from an explanation of a goal. Return the reason if it gives no rule, or an empty text."""
        invention = self._invention
        shorter = self.frames.applied(explanation, taken, base, self._flat)
        known = {each.rule.name for each in invention.rules}
        invention.learn(shorter, taken)
        new = {each.rule.name for each in invention.rules} - known
        invention.remove_unsupported()
        for each in invention.rules:
            if each.rule.name in new:
                self._learned[each.rule.name] = _Learned(each, explanation, provenance)
                new.remove(each.rule.name)
        defined = {word.lemma.name for word in invention.words.values() if word.clauses}
        lost = invention.answering - defined
        invention.answering -= lost
        for name in invention.answering - self._origins.keys():
            self._origins[name] = provenance
        if new or lost:
            return (
                "a fact after the action, which the goal requires, gives no clause of an invented predicate"
            )
        return invention.refused

    def withdraw(self) -> None:
        """Forget the rules that were learned since the last result, because the checker rejects one."""
        waiting = self._learned.keys() - self._labels.keys()
        self._invention.rules = [each for each in self._invention.rules if each.rule.name not in waiting]
        self._learned = {name: each for name, each in self._learned.items() if name not in waiting}

    def result(self, base: RuleBase) -> tuple[RuleBase, list[tuple[RuleEntry, str]], list[Repetition]]:
        """Return a rule base with what was learned, certified, and with the definitions.

        The rules of the previous result are replaced. The second value has the new rules that a rule of the
        base subsumes, each with the name of that rule, and the third one those that repeat a rule of the
        theory. Raise RejectedError if the checker rejects a rule.
        """
        made, rules = self._lemmas(base)
        entries = {n: entry for n, entry in base.entries.items() if n not in self._own}
        subsumed, repeating = [], []
        for each in rules:
            name = each.regressed.rule.name
            is_new = name not in self._labels
            entry = made.certified(each, self._labels.get(name))
            self._labels[name] = entry.rule.name
            repeated = repetition(entry, self.theory)
            if repeated is not None and is_new:
                repeating.append(repeated)
            if repeated is None or repeated.is_admitted:
                by = made.admit(entry)
                if by is not None and is_new:
                    subsumed.append((entry, by))
        self._own = made.base.entries.keys() - entries.keys()
        return _with_later_ranks(made.base, made.theory), subsumed, repeating

    def _lemmas(self, base: RuleBase) -> tuple[Certification, list[_Learned]]:
        """Return a certification with the lemmas, and the rules to certify.

        Raise RejectedError if the checker rejects a lemma.
        """
        rules = [
            self._learned[each.rule.name] for each in self._invention.rules if each.rule.name in self._learned
        ]
        words = [word for word in self._completed() if word.clauses]
        answering = self._invention.answering
        needed = _needed(words, self._invention.adopted | answering, rules)
        words = [word for word in words if word.lemma.name in needed]
        own = {word.predicate.name for word in self._invention.words.values()}
        definitions = base.definitions.without(own).joined(
            Definitions(
                tuple(word.predicate for word in words),
                tuple(clause for word in words for clause in word.clauses),
            )
        )
        entries = {n: entry for n, entry in base.entries.items() if n not in self._own}
        shapes = {n: shape for n, shape in base.shapes.items() if n in entries}
        start = replace(base, entries=entries, shapes=shapes, definitions=definitions)
        made = Certification(self.theory, start, self._certified, self._origins)
        frames = [entry for name, entry in self.frames.entries.items() if name in needed]
        goals = {each.regressed.rule.head.relation for each in rules}
        goals |= {word.lemma.head.relation for word in words if word.lemma.name in answering}
        goals |= {entry.rule.head.relation for entry in start if not entry.rule.lemma}
        made.add_lemmas(frames, words, goals)
        return made, rules

    def _completed(self) -> list[InventedPredicate]:
        """Return the invented predicates with clauses for the cases that no example showed."""
        words = self._invention.words
        general = {
            (kind.predicate, kind.action): word
            for kind, word in words.items()
            if word.clauses
            and all(place is None for place in kind.same)
            and kind.value is None
            and kind.removed is None
        }
        vocabulary = self._invention.vocabulary
        completion = Completion(self.theory, vocabulary, self._changing, lambda *key: general.get(key))
        return [word if word.is_of_removed else completion.completed(word) for word in words.values()]


def _lemma_condition(rule: Rule) -> Atom | None:
    """Return the condition after the action of a rule with the form of an invented predicate's lemma."""
    match rule.body:
        case (Atom(), Atom() as condition):
            return condition
        case (Atom() as taken, Atom() as condition, Comparison(operator="!=") as difference) if (
            difference.left in rule.head.terms and difference.right in taken.terms
        ):
            return condition
    return None


def _needed(
    words: Sequence[InventedPredicate], adopted: Iterable[str], rules: Iterable[_Learned]
) -> set[str]:
    """Return the names of the adopted lemmas, of the rules that the proofs of learned rules use, and of all
    lemmas below them.
    """
    below = {word.lemma.name: word.used_rules for word in words}
    needed: set[str] = set()
    todo = {*adopted, *(step.rule for each in rules for step in all_steps(each.regressed.steps))}
    while todo:
        needed |= todo
        todo = {name for one in todo for name in below.get(one, ())} - needed
    return needed


class Certification:
    """The certification of learned rules: each after the lemmas on which its proof depends.

    A certificate depends on the statements of its lemmas, not on their proofs. So it stays valid if an
    invented predicate gets a further clause and its lemma a new proof.
    """

    def __init__(
        self,
        theory: Theory,
        base: RuleBase,
        certified: dict[InventedPredicate | Rule, RuleEntry],
        origins: Mapping[str, Provenance] | None = None,
    ) -> None:
        """`certified` has the entries of earlier results, and gets the new ones.

        `origins` has the provenance of lemmas, by label.
        """
        self._origins = origins or {}
        self.theory = base.definitions.extended(theory)
        self.base = base
        self._certified = certified
        self._lemmas = base.lemmas()
        self._sources = {rule.name: rule for rule in self.theory.rules}
        self._sources |= {name: lemma.rule for name, lemma in self._lemmas.items()}

    def add_lemmas(
        self, frames: Iterable[RuleEntry], words: Iterable[InventedPredicate], goals: Container[str]
    ) -> None:
        """Add frame lemmas and the lemmas of invented predicates.

        A lemma about one of the relations `goals` also answers. The other lemmas serve only in proofs. Raise
        RejectedError if the checker rejects a lemma, or if the proofs depend on each other.
        """
        for entry in frames:
            self._add(entry, goals)
        waiting = list(words)
        while waiting:
            ready = [word for word in waiting if word.used_rules <= self._sources.keys()]
            if not ready:
                name = waiting[0].predicate.name
                raise RejectedError(
                    f"the proof that `{name}` is right would need itself for the members of a set"
                )
            for word in ready:
                if word not in self._certified:
                    self._certified[word] = self._lemma(word)
                self._add(self._certified[word], goals)
            waiting = [word for word in waiting if word not in ready]

    def certified(self, learned: _Learned, label: str | None) -> RuleEntry:
        """Return the certified entry of a rule, by default under a new label."""
        rule = learned.regressed.rule
        if rule not in self._certified:
            found = certify(learned.regressed, learned.explanation, self.theory, self._lemmas, self._sources)
            label = label or free_label(f"{conclusion_of(found.rule)}_after", self.base)
            self._certified[rule] = rename(
                RuleEntry(found.rule, found.certificate, learned.provenance), label
            )
        return self._certified[rule]

    def admit(self, entry: RuleEntry) -> str | None:
        """Admit a rule unless another is as general. Return the name of that one."""
        admission = admit(self.base, entry)
        self.base = admission.base
        return admission.by

    def _add(self, entry: RuleEntry, goals: Container[str]) -> None:
        is_lemma = entry.rule.head.relation not in goals
        entry = replace(entry, rule=replace(entry.rule, lemma=is_lemma))
        assert entry.certificate is not None
        self.base = with_rule(self.base, entry, SubsumptionShape(entry.rule))
        self._lemmas[entry.rule.name] = Lemma.of(entry.rule, entry.certificate)
        self._sources[entry.rule.name] = entry.rule

    def _lemma(self, word: InventedPredicate) -> RuleEntry:
        proof, origin = word.proof(), self._origins.get(word.lemma.name)
        if proof is None:
            found = prove(word.lemma, self.theory, self._lemmas, by_induction=word.is_recursive)
            return RuleEntry(word.lemma, found, origin)
        induction = 1 if word.is_recursive else None
        certificate = certificate_of(
            word.lemma, (), self.theory, self._lemmas, cases=proof, induction=induction
        )
        verify(word.lemma, certificate, self.theory, self._lemmas)
        return RuleEntry(word.lemma, certificate, origin)


def _with_later_ranks(base: RuleBase, theory: Theory) -> RuleBase:
    """Return a base whose certificates have higher ranks than those of the lemmas on which they depend.

    The lemma of an invented predicate may get a higher rank with a further clause. The steps of the proofs
    that depend on it stay the same.
    """
    entries, lemmas = dict(base.entries), base.lemmas()
    for _ in base.entries:
        late = [
            entry
            for entry in entries.values()
            if entry.certificate is not None
            and entry.is_certified
            and any(
                name in lemmas and lemmas[name].rank >= entry.certificate.rank
                for name in entry.certificate.lemmas
            )
        ]
        if not late:
            break
        for entry in late:
            assert entry.certificate is not None
            with suppress(RejectedError):
                certificate = recertified(entry.rule, entry.certificate, theory, lemmas)
                entries[entry.rule.name] = replace(entry, certificate=certificate)
                lemmas[entry.rule.name] = Lemma.of(entry.rule, certificate)
    return replace(base, entries=entries)
