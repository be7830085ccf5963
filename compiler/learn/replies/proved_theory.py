"""A theory that grows by definitions and proved lemmas.

Invariants: every lemma of the theory has a certificate that the checker accepted. The parser gets the
same rules from its text. The theory given first is a part of every later one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError
from hornbook.compiler.generalise.regression import wildcards_for
from hornbook.compiler.learn.regression.theory_regression import RegressedPredicate, regress_theory
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import parse


class ProvedTheory:
    """A theory with more and more definitions and lemmas.

    Attributes:
        defined: The theory with the definitions, without the lemmas added here.
        lemmas: The lemmas added here, by name, for later proofs.
        conditions: The predicates that a learned rule may contain although they are not operational.
    """

    def __init__(self, theory: Theory) -> None:
        self.given = theory
        self.defined = theory
        self.lemmas: dict[str, Lemma] = {}
        self.conditions: set[str] = set()
        self._certificates: dict[str, Certificate] = {}

    @property
    def theory(self) -> Theory:
        """Return the theory with the definitions and the lemmas."""
        inverted = frozenset(name for each in self._certificates.values() for name in each.alone)
        rules = (
            replace(lemma.rule, lemma=True, of_given=not lemma.reached, alone=inverted)
            for lemma in self.lemmas.values()
        )
        return replace(self.defined, rules=(*self.defined.rules, *rules))

    @property
    def symbolic(self) -> Theory:
        """Return the theory with `conditions` marked operational, for explanations."""
        theory = self.theory
        predicates = theory.vocabulary.predicates
        marked = {name: replace(predicates[name], operational=True) for name in self.conditions}
        return replace(theory, vocabulary=replace(theory.vocabulary, predicates={**predicates, **marked}))

    @property
    def base(self) -> RuleBase:
        """Return the lemmas with their certificates."""
        entries = (
            RuleEntry(lemma.rule, self._certificates[name], None) for name, lemma in self.lemmas.items()
        )
        return rule_base(self.given.name, entries)

    def define(self, predicates: Iterable[Predicate], clauses: Iterable[Rule]) -> None:
        """Add predicates with their clauses, whose wildcards get the names that the parser gives them."""
        words = self.defined.vocabulary
        more = {each.name: each for each in predicates}
        self.defined = replace(
            self.defined,
            vocabulary=replace(words, predicates={**words.predicates, **more}),
            rules=(*self.defined.rules, *map(_as_read, clauses)),
        )

    def prove(self, rules: Iterable[Rule]) -> list[Rule]:
        """Prove rules as lemmas, each possibly from others. Return those without a proof."""
        waiting, is_stable = [*map(_as_read, rules)], False
        while not is_stable:
            is_stable = True
            for rule in list(waiting):
                try:
                    certificate = prove(rule, self.defined, self.lemmas)
                except RejectedError:
                    continue
                self.lemmas[rule.name] = Lemma.of(rule, certificate)
                self._certificates[rule.name] = certificate
                waiting.remove(rule)
                is_stable = False
        return waiting

    def is_regressed(self, name: str, action: str) -> bool:
        """Return whether each clause of a predicate can be regressed through an action."""
        words = regress_theory(self.defined, [name], action, f"after_{action}")
        given = [rule for rule in self.defined.rules if rule.head.relation == name]
        return bool(words) and len(words[-1].clauses) == len(given)

    def regress(self, names: Collection[str], action: str) -> None:
        """Regress predicates, and all on which they depend, through an action.

        The regressed predicates may be conditions of learned rules. One whose lemma has no proof is left
        without it.
        """
        found = regress_theory(self.defined, sorted(names), action, f"after_{action}")
        self.define((each.predicate for each in found), [clause for each in found for clause in each.clauses])
        lemmas = {each.lemma.name: each for each in found if each.lemma is not None}
        open_lemmas = {rule.name for rule in self.prove(each.lemma for each in lemmas.values() if each.lemma)}
        self.conditions |= _names(each for name, each in lemmas.items() if name not in open_lemmas)


def _as_read(rule: Rule) -> Rule:
    """Return a rule with wildcards for variables that occur once, as the parser names them.

    The parser gets the same rule from its text, so certificates fit written files.
    """
    wildcards = wildcards_for(rule)
    plain = rename_rule(rule, lambda name: wildcards.get(name, name))
    (read,) = parse(print_clause(plain)).clauses
    assert isinstance(read, Rule)
    return replace(rule, head=read.head, body=read.body)


def _names(words: Iterable[RegressedPredicate]) -> set[str]:
    return {each.predicate.name for each in words}
