"""Certificates: the proof of a learned rule, as data.

A certificate is a list of steps, each a rule of the theory (or a lemma of smaller rank) under a substitution
over the learned rule's own variables, in an order in which each rests only on the rule's conditions and on
earlier steps. Each step names what proves its conditions, so that nothing has to be searched for. A rule that says that
a game is won although the opponent plays first has a proof for each of his replies besides (`CaseProof`). A certificate
names every rule, lemma and declaration that it used with a fingerprint, so that a change of
theory shows which certificates are to be checked again. What makes a certificate good is the checker's to
say (compiler/checker/checker.py); nothing is checked here. compiler/rules/certificates.py reads and writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
from hornbook.compiler.checker.promises import CHECKER, Place, promises, unsteady
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
"""The version of the written form. Those of earlier ones are read, and prove nothing until they are proved again: the first
had no replies, the fingerprints of the first two were of printed text, and the first three named rules only.
"""
MAX_NUMBER = 2**512
"""How large a number of a witness may be."""
MAX_SPLITS = 80
"""How often cases may be told apart inside each other."""
REPLY_MARK = "^"
"""What the names of the variables of a reply end with: no variable of a rule is called so."""
CASE_MARK = "~"
"""What stands between the name of a variable of a rule that concluded something, in a case, and the number of that case's
inversion, from 1, among those that it is within: `?x~1`.
"""
HYPOTHESIS = "~"
"""What a step is said to apply that applies the learned rule itself, where it is supposed by induction: no rule is called so."""


Witness = int | str | None | tuple["Witness", ...]
"""What proves something, as it is written: numbers, texts, null, and lists of these."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `moment` is that at which a timeless rule is read (None: it says its own).

    `proofs` has a witness for each condition of the rule, and `notes` what is concluded first from what is known. A step
    without them says only which rule is applied; it is for who completes it, and proves nothing. `members` has proofs of what is so of
    any one member of a set, each with the place, among the conditions, of that which it is for.
    """

    rule: str
    moment: Tense | None
    substitution: tuple[tuple[str, Term], ...]
    proofs: tuple[Witness, ...] = ()
    notes: tuple[Witness, ...] = ()
    members: tuple[tuple[int, CaseProof], ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """What proves the conclusion in one case: of a reply, that the game is won after it, or that nobody can play it; of any one
    member, that it is one of the set and that what is asked of it is so.

    The steps speak of the learned rule's variables, of those of the alternative that the reply is of, each with REPLY_MARK
    after its name, and of those of the rules of the inversions above. `end` says what they come to, and `members` has proofs
    for the conditions on a member, as in a step.
    """

    steps: tuple[Step, ...]
    end: Witness = None
    members: tuple[tuple[int, CaseProof], ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """Cases told apart by what a variable is, as one of the alternative of a reply: each of some terms, or `rest`.

    `variable` is its name, with its mark; the steps come first.
    """

    variable: str
    cases: tuple[tuple[Term, CaseProof], ...]
    rest: CaseProof
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Inversion:
    """Cases told apart by which rule concluded what is known: one for each of the theory's rules that conclude at its place, in
    their order.

    `known` is its number once the steps are made, and the notes after them.
    """

    statement: Atom
    moment: Tense | None
    cases: tuple[CaseProof, ...]
    steps: tuple[Step, ...] = ()
    notes: tuple[Witness, ...] = ()
    known: Witness = None

    @property
    def place(self) -> Place:
        return self.statement.predicate, self.moment


CaseProof = Leaf | Split | Inversion

Opening = tuple[int, tuple[tuple[str, Term], ...]]
"""The number of an alternative (from 0), and what its variables, by name, are in a reply that can be played."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a learned rule follows from its theory.

    `rank` is greater than that of every lemma used. `fingerprints` maps `rule NAME`, `lemma NAME`,
    `declaration NAME` and `replies GAME`, the theory's static facts, what it promises of all that is spoken of, what changes with the turn (`theory turns`, where it is of a plan) and the
    checker, to what they were when the certificate was made; `of` is the learned rule's own. `replies` has a proof for each alternative of the game's replies, in order,
    and `open` a reply that the opponent can play; both are empty where the proof is one for all that may happen.
    `opened` has the proofs of that reply's conditions, and the notes that come before. `end` says what the steps come to where there are no replies, or `cases`, case by
    case; `keys` proves the keys and counts of what rules conclude that the proof rests on.
    `reached` says that the proof holds of every state to which actions lead from a given one, and not only of given ones.
    `inverted_by_lemmas` are the relations that the proofs of its lemmas invert, and of theirs.
    `induction` is the place of the condition of the rule over whose derivation `cases` is a proof by induction.
    """

    rank: int
    of: str
    steps: tuple[Step, ...]
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
        """Whether it is of the form that is written now, and not of an earlier one."""
        return self.format == FORMAT

    @property
    def proofs(self) -> tuple[CaseProof, ...]:
        """Those of members in the steps, those for each reply, or that by cases."""
        cases = () if self.cases is None else (self.cases,)
        return (*within(self.steps), *self.replies, *cases)

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps for all that may happen, then those of each case."""
        return (*self.steps, *(step for proof in self.proofs for step in steps_of(proof)))

    @property
    def inverted(self) -> tuple[Place, ...]:
        """The places of which it is said which rules conclude there. What is before an action in a reached state is what was after
        another.
        """
        found = [
            part.place for proof in self.proofs for part in parts_of(proof) if isinstance(part, Inversion)
        ]
        left = ((name, "after") for name, moment in found if self.reached and moment == "before")
        return tuple(dict.fromkeys((*found, *left)))  # type: ignore[arg-type]

    @property
    def alone(self) -> frozenset[str]:
        """The relations of which it is said so, here or in a proof that this one rests on."""
        return frozenset((*self.inverted_by_lemmas, *(name for name, _ in self.inverted)))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The names of the learned rules that the proof rests on."""
        prefix = "lemma "
        return tuple(name.removeprefix(prefix) for name, _ in self.fingerprints if name.startswith(prefix))


def terms_of(certificate: Certificate) -> Iterator[Term]:
    """The terms that a certificate's steps, cases and opening name."""
    for step in certificate.all_steps:
        yield from (term for _, term in step.substitution)
    yield from (term for _, term in (certificate.open or (0, ()))[1])
    for proof in certificate.proofs:
        for part in parts_of(proof):
            if isinstance(part, Split):
                yield from (term for term, _ in part.cases)
            elif isinstance(part, Inversion):
                yield from part.statement.terms


def within(steps: Iterable[Step]) -> tuple[CaseProof, ...]:
    """The proofs of members in steps."""
    return tuple(proof for step in steps for _, proof in step.members)


def parts_of(proof: CaseProof) -> Iterator[CaseProof]:
    """A proof by cases and all proofs in it, those of members too, each before its own cases, in order."""
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


def steps_of(proof: CaseProof) -> Iterator[Step]:
    """The steps of a proof by cases, in order."""
    for part in parts_of(proof):
        yield from part.steps


def fingerprint_of_rule(rule: Rule) -> str:
    """Changes with whatever the rule says, and not with where or how it is written."""
    return digest_of_text(text_of_rule(rule))


def fingerprint_of_declaration(predicate: Predicate, vocabulary: Vocabulary) -> str:
    """Changes with what a predicate's declaration says, and with the sorts of its columns."""
    sorts = (vocabulary.sorts[column.name] for column in predicate.columns)
    return digest([form_of_predicate(predicate), *map(form_of_sort, sorts)])


def fingerprint_of_replies(replies: Replies) -> str:
    """Changes with what a theory says of an opponent's replies in a game."""
    return digest(form_of_replies(replies))


def relied_on(
    rules: Iterable[Rule], vocabulary: Vocabulary, replies: Replies | None = None
) -> tuple[Predicate, ...]:
    """The predicates whose declarations a proof by these rules, and for these replies, rests on: all that they
    mention, and those that count them.
    """
    said = [s for rule in rules for s in (rule.head, *statements(rule.body))]
    for case in () if replies is None else replies.cases:
        said += [case.action, *statements(case.conditions), *(() if case.unless is None else (case.unless,))]
    names = {name for statement in said for name in _predicates(statement)}
    names |= {p.name for p in vocabulary.predicates.values() if p.closes in names}
    return tuple(vocabulary.predicates[name] for name in sorted(names) if name in vocabulary.predicates)


def _predicates(statement: Statement) -> list[str]:
    if isinstance(statement, Atom):
        return [statement.predicate]
    return [atom.predicate for atom in (statement.game, statement.by) if atom is not None]


def fingerprint_of_facts(theory: Theory) -> str:
    """Changes with the facts that a theory states of what never changes."""
    predicates = theory.vocabulary.predicates
    fixed = (s for s in theory.facts if isinstance(s, Atom) and not predicates[s.predicate].has_tense)
    return digest(sorted((form_of_condition(fact) for fact in fixed), key=text_of))


def fingerprint_of_promises(
    theory: Theory, predicates: Iterable[Predicate], proved: Iterable[Place] = ()
) -> str:
    """Changes with what a theory says of these predicates, and of what is concluded where keys and counts are proved, in
    rules that a proof need not name.
    """
    return digest(promises(theory, predicates, proved))


def fingerprint_of_turns(theory: Theory) -> str:
    """Changes with which relations a pass may change, by what the theory declares and concludes."""
    return digest(sorted(unsteady(theory)))


def fingerprint_of_checker() -> str:
    """Changes with what the checker accepts."""
    return CHECKER
