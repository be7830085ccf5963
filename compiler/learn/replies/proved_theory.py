"""A theory that grows by definitions and proved lemmas.

Invariants: every lemma of the theory has a certificate that the checker accepted. The parser gets the
same rules from its text. The theory given first is a part of every later one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError
from hornbook.compiler.generalise.regression import wildcards_for
from hornbook.compiler.learn.invented_predicates import argument_names
from hornbook.compiler.learn.regression.theory_regression import (
    RegressedPredicate,
    changing_predicates,
    regress_theory,
)
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import Atom, Rule, Variable, statements
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

    def add(self, lemma: Rule, certificate: Certificate) -> None:
        """Add a lemma with a certificate that the checker accepted."""
        self.lemmas[lemma.name] = Lemma.of(lemma, certificate)
        self._certificates[lemma.name] = certificate

    def prove(self, rules: Iterable[Rule], given: Iterable[str] = ()) -> list[Rule]:
        """Prove rules as lemmas, each possibly from others. Return those without a proof.

        The proofs apply the lemmas, the effects of actions, the clauses of the rule's conclusion, and all
        clauses on which the predicates `given` depend. They invert conditions of the rule only.
        """
        waiting, is_stable = [*map(_as_read, rules)], False
        needed = self._depending(given)
        while not is_stable:
            is_stable = True
            for rule in list(waiting):
                using = {
                    each.name
                    for each in self.defined.rules
                    if each.head.tense == "after" or each.head.relation in (rule.head.relation, *needed)
                }
                try:
                    certificate = prove(rule, self.defined, self.lemmas, using=using)
                except RejectedError:
                    continue
                self.add(rule, certificate)
                waiting.remove(rule)
                is_stable = False
        return waiting

    def _depending(self, names: Iterable[str]) -> set[str]:
        """Return predicates and those on which their clauses depend."""
        found, todo = set(names), list(names)
        while todo:
            name = todo.pop()
            for rule in self.defined.rules:
                if rule.head.relation == name and rule.head.tense is None:
                    more = {s.relation for s in statements(rule.body)} - found
                    found |= more
                    todo += more
        return found

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
        unchanged = list(self._unchanged(found, action))
        waiting = [*unchanged[::-1], *(each.lemma for each in lemmas.values() if each.lemma)]
        open_lemmas = {rule.name for rule in self.prove(waiting)}
        self.conditions |= _names(each for name, each in lemmas.items() if name not in open_lemmas)

    def _unchanged(self, found: Iterable[RegressedPredicate], action: str) -> Iterator[Rule]:
        """Yield lemmas that the facts of derived predicates stay, for predicates that no action changes.

        They are the predicates on which the regressed clauses depend. Each comes before those on which it
        depends.
        """
        predicates = self.defined.vocabulary.predicates
        changing = changing_predicates(self.defined)
        arguments = tuple(map(Variable, argument_names(self.defined)[action]))
        todo = [clause for each in found for clause in each.clauses]
        seen: set[str] = set()
        while todo:
            for name in sorted({s.relation for s in statements(todo.pop().body)} - changing - seen):
                seen.add(name)
                label = f"{name}_stays_after_{action}"
                if name in predicates and predicates[name].kind == "derived":
                    todo += (rule for rule in self.defined.rules if rule.head.relation == name)
                    if label not in self.lemmas:
                        terms = tuple(Variable(f"x{place}") for place in range(predicates[name].arity))
                        before = (Atom(action, arguments), Atom(name, terms, "before"))
                        yield Rule(Atom(name, terms, "after"), before, label, lemma=True)


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
