"""Certificates: proofs of learned rules, as data.

A certificate is a list of steps. Each step applies a rule of the theory, or a lemma of smaller rank, under a
substitution over the variables of the learned rule. A step depends only on the rule's conditions and on
earlier steps. Each step names a witness for each of its conditions, so the checker searches for nothing. If a
rule says that a game is won although the opponent plays first, its certificate also has one proof for each
reply (`CaseProof`).

A certificate names every rule, lemma and declaration that it uses, each with a fingerprint. After a change of
the theory, the fingerprints show which certificates must be checked again. This module checks nothing: the
validity of a certificate is defined in compiler/checker/checker.py. Certificates are read and written in
compiler/rules/certificates.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hornbook.compiler.checker.dependencies import CHECKER, TimedPredicate, dependency_form, turn_dependent
from hornbook.compiler.checker.form import (
    digest,
    digest_of_text,
    form_of_condition,
    form_of_predicate,
    form_of_replies,
    form_of_sort,
    text_of,
    text_of_rule,
)
from hornbook.kb.ast.declarations import Predicate, Replies
from hornbook.kb.ast.terms import (
    Atom,
    Rule,
    Statement,
    Tense,
    Term,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary

FORMAT = 4
"""The version of the stored form. Certificates of earlier versions can be read, but prove nothing until
proved again.

Version 1 had no replies. Versions 1 and 2 had fingerprints of printed text. Versions 1 to 3 named rules only.
"""
MAX_NUMBER = 2**512
"""The largest number allowed in a witness."""
MAX_SPLITS = 80
"""The maximum nesting depth of case distinctions."""
REPLY_MARK = "^"
"""The suffix of the variables of a reply. No variable of a rule has it."""
CASE_MARK = "~"
"""The separator between a variable of a concluding rule and the nesting depth of its inversion, from 1:
`?x~1`.
"""
HYPOTHESIS = "~"
"""The rule name in a step that applies the induction hypothesis. No rule has this name."""


Witness = int | str | None | tuple["Witness", ...]
"""A witness in its stored form: numbers, strings, null, and lists of these."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One application of a rule.

    `moment` is the moment at which a timeless rule is applied; None if the rule names its own moments.
    `proofs` has a witness for each condition of the rule. `notes` lists inferences from known facts that are
    made first. A step without proofs only names the rule. A later stage completes it; it proves nothing.
    `members` has proofs by universal introduction, each with the index of the condition that it proves.
    """

    rule: str
    moment: Tense | None
    substitution: tuple[tuple[str, Term], ...]
    proofs: tuple[Witness, ...] = ()
    notes: tuple[Witness, ...] = ()
    members: tuple[tuple[int, CaseProof], ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """The proof of one case of a case analysis.

    For a reply, it proves that the game is won afterwards, or that the reply is impossible. For a universal
    introduction, it proves that an arbitrary member belongs to the set and has the required properties. The
    steps may use the variables of the learned rule, of the reply's alternative (with the suffix REPLY_MARK)
    and of the enclosing inversions. The field `end` states the result, and `members` has proofs for
    conditions on members, as in a step.
    """

    steps: tuple[ProofStep, ...]
    end: Witness = None
    members: tuple[tuple[int, CaseProof], ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A case analysis on the value of a variable.

    Attributes:
        variable: The name of the variable with its mark, for example a variable of a reply.
        cases: One case for each of some terms.
        rest: The case for all other values.
        steps: The steps before the case analysis.
    """

    variable: str
    cases: tuple[tuple[Term, CaseProof], ...]
    rest: CaseProof
    steps: tuple[ProofStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Inversion:
    """A case analysis on the rule that concluded a known fact.

    There is one case for each rule of the theory that concludes the fact's timed predicate, in the order of
    the theory. The field `known` is the number of the fact after the steps and then the notes have been
    applied.
    """

    statement: Atom
    moment: Tense | None
    cases: tuple[CaseProof, ...]
    steps: tuple[ProofStep, ...] = ()
    notes: tuple[Witness, ...] = ()
    known: Witness = None

    @property
    def place(self) -> TimedPredicate:
        return self.statement.predicate, self.moment


CaseProof = Leaf | Split | Inversion

Opening = tuple[int, tuple[tuple[str, Term], ...]]
"""The number of an alternative (from 0) and a binding for each of its variables, in a reply that can be
played.
"""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof that a learned rule follows from its theory.

    Attributes:
        rank: A number greater than the rank of every lemma used.
        of: The fingerprint of the learned rule.
        fingerprints: The fingerprints at the time of certification. Their keys are `rule NAME`, `lemma NAME`,
            `declaration NAME`, `replies GAME`, and keys for the static facts, the dependencies and the
            checker. Plans also have `theory turns`, for the relations that change with the turn.
        replies: A proof for each alternative of the game's replies, in order.
        open: A reply that the opponent can play. Both this and `replies` are empty if one proof covers all
            cases.
        opened: The witnesses for the conditions of that reply, and the notes that precede them.
        end: The result of the steps, in a proof without replies and cases.
        cases: A proof by case analysis, in place of `end`.
        keys: Proofs of the keys and counts of concluded relations on which the proof depends.
        reached: True if the proof holds in every reachable state, and not only in given states.
        inverted_by_lemmas: The relations that the proofs of the lemmas invert, directly or through other
            lemmas.
        induction: The index of the condition over whose derivation `cases` is a proof by induction.
    """

    rank: int
    of: str
    steps: tuple[ProofStep, ...]
    fingerprints: tuple[tuple[str, str], ...]
    replies: tuple[CaseProof, ...] = ()
    open: Opening | None = None
    reached: bool = False
    end: Witness = None
    opened: tuple[Witness, ...] = ((), ())
    keys: tuple[Witness, ...] = ()
    format: int = FORMAT
    cases: CaseProof | None = None
    inverted_by_lemmas: tuple[str, ...] = ()
    induction: int | None = None

    @property
    def is_current(self) -> bool:
        """Return whether the certificate has the current form."""
        return self.format == FORMAT

    @property
    def proofs(self) -> tuple[CaseProof, ...]:
        """Return all case proofs: those for members in the steps, those for replies, and the proof by
        cases.
        """
        cases = () if self.cases is None else (self.cases,)
        return (*within(self.steps), *self.replies, *cases)

    @property
    def all_steps(self) -> tuple[ProofStep, ...]:
        """Return the steps outside case proofs, then the steps of each case proof."""
        return (*self.steps, *(step for proof in self.proofs for step in steps_of(proof)))

    @property
    def inverted(self) -> tuple[TimedPredicate, ...]:
        """Return the timed predicates that the proof inverts.

        In a reachable state, a fact before an action may be a fact after the previous one. The relation after
        the action is included then.
        """
        found = [
            part.place for proof in self.proofs for part in parts_of(proof) if isinstance(part, Inversion)
        ]
        left = ((name, "after") for name, moment in found if self.reached and moment == "before")
        return tuple(dict.fromkeys((*found, *left)))  # type: ignore[arg-type]

    @property
    def alone(self) -> frozenset[str]:
        """Return the relations inverted in this proof or in a proof on which it depends."""
        return frozenset((*self.inverted_by_lemmas, *(name for name, _ in self.inverted)))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """Return the names of the learned rules on which the proof depends."""
        prefix = "lemma "
        return tuple(name.removeprefix(prefix) for name, _ in self.fingerprints if name.startswith(prefix))


def terms_of(certificate: Certificate) -> Iterator[Term]:
    """Yield the terms in a certificate's steps, cases and opening."""
    for step in certificate.all_steps:
        yield from (term for _, term in step.substitution)
    yield from (term for _, term in (certificate.open or (0, ()))[1])
    for proof in certificate.proofs:
        for part in parts_of(proof):
            if isinstance(part, Split):
                yield from (term for term, _ in part.cases)
            elif isinstance(part, Inversion):
                yield from part.statement.terms


def within(steps: Iterable[ProofStep]) -> tuple[CaseProof, ...]:
    """Return the proofs for members in steps."""
    return tuple(proof for step in steps for _, proof in step.members)


def parts_of(proof: CaseProof) -> Iterator[CaseProof]:
    """Yield a case proof and all proofs nested in it, in preorder."""
    todo = [proof]
    while todo:
        part = todo.pop()
        yield part
        if isinstance(part, Leaf):
            todo += (proof for _, proof in reversed(part.members))
        todo += reversed(within(part.steps))
        if isinstance(part, Split):
            todo += [part.rest, *(below for _, below in reversed(part.cases))]
        elif isinstance(part, Inversion):
            todo += reversed(part.cases)


def steps_of(proof: CaseProof) -> Iterator[ProofStep]:
    """Yield the steps of a case proof, in order."""
    for part in parts_of(proof):
        yield from part.steps


def fingerprint_of_rule(rule: Rule) -> str:
    """Return a fingerprint that depends on the meaning of a rule, but not on its position or layout."""
    return digest_of_text(text_of_rule(rule))


def fingerprint_of_declaration(predicate: Predicate, vocabulary: Vocabulary) -> str:
    """Return a fingerprint of a predicate's declaration and of the sorts of its columns."""
    sorts = (vocabulary.sorts[column.name] for column in predicate.columns)
    return digest([form_of_predicate(predicate), *map(form_of_sort, sorts)])


def fingerprint_of_replies(replies: Replies) -> str:
    """Return a fingerprint of the theory's declaration of an opponent's replies in a game."""
    return digest(form_of_replies(replies))


def relied_on(
    rules: Iterable[Rule], vocabulary: Vocabulary, replies: Replies | None = None
) -> tuple[Predicate, ...]:
    """Return the predicates whose declarations matter to a proof by these rules and for these replies.

    These are all predicates mentioned, and the predicates that count them.
    """
    mentioned = [s for rule in rules for s in (rule.head, *statements(rule.body))]
    for case in () if replies is None else replies.cases:
        mentioned += [
            case.action,
            *statements(case.conditions),
            *(() if case.unless is None else (case.unless,)),
        ]
    names = {name for statement in mentioned for name in _predicates(statement)}
    names |= {p.name for p in vocabulary.predicates.values() if p.closes in names}
    return tuple(vocabulary.predicates[name] for name in sorted(names) if name in vocabulary.predicates)


def _predicates(statement: Statement) -> list[str]:
    if isinstance(statement, Atom):
        return [statement.predicate]
    return [atom.predicate for atom in (statement.game, statement.by) if atom is not None]


def fingerprint_of_facts(theory: Theory) -> str:
    """Return a fingerprint of the static facts that a theory states."""
    predicates = theory.vocabulary.predicates
    fixed = (s for s in theory.facts if isinstance(s, Atom) and not predicates[s.predicate].has_tense)
    return digest(sorted((form_of_condition(fact) for fact in fixed), key=text_of))


def fingerprint_of_dependencies(
    theory: Theory, predicates: Iterable[Predicate], proved: Iterable[TimedPredicate] = ()
) -> str:
    """Return a fingerprint of the dependencies of these predicates.

    It also covers the rules that conclude timed predicates with proved keys or counts. A proof need not name
    these rules.
    """
    return digest(dependency_form(theory, predicates, proved))


def fingerprint_of_turns(theory: Theory) -> str:
    """Return a fingerprint of the relations that a pass may change according to declarations and rules."""
    return digest(sorted(turn_dependent(theory)))


def fingerprint_of_checker() -> str:
    """Return the version of the checker. It changes when the checker accepts other certificates."""
    return CHECKER
