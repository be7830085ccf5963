"""Certificates: the proof of a learned rule, as data.

A certificate is a list of steps, each a rule of the theory (or a lemma of smaller rank) under a substitution
over the learned rule's own variables, in an order in which each rests only on the rule's conditions and on
earlier steps. A rule that says that a game is won although the opponent plays first has a proof for each of
his replies besides (`ReplyProof`). It names every rule, lemma and declaration that it used with a fingerprint, so that a change of
theory shows which certificates are to be checked again. What makes a certificate good is the checker's to
say (compiler/checker/checker.py); nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from hornbook.compiler.checker.form import (
    digest,
    digest_of_text,
    form_of_condition,
    form_of_predicate,
    form_of_replies,
    form_of_sort,
    form_of_term,
    text_of,
    text_of_rule,
)
from hornbook.compiler.checker.json_values import (
    field_of,
    integer_from_json,
    list_from_json,
    moment_from_json,
    object_from_json,
    several_from_json,
    text_from_json,
    truth_from_json,
)
from hornbook.compiler.checker.promises import CHECKER, promises
from hornbook.kb.ast.declarations import Predicate, Replies
from hornbook.kb.ast.notation import print_term
from hornbook.kb.ast.terms import (
    Atom,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary

FORMAT = 3
"""The version of the written form. Those of earlier ones are read, and prove nothing until they are proved again: the first
had no replies, and the fingerprints of the first two were of printed text.
"""
MAX_STEPS = 100_000
MAX_SPLITS = 40
"""How often the replies may be told apart inside each other."""
REPLY_MARK = "^"
"""What the names of the variables of a reply end with: no variable of a rule is called so."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `moment` is that at which a timeless rule is read (None: it says its own)."""

    rule: str
    moment: Tense | None
    substitution: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """What proves that the game is won after a reply, or that nobody can play it.

    The steps speak of the learned rule's variables, and of those of the alternative that the reply is of, each
    with REPLY_MARK after its name.
    """

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Replies told apart by what a variable of their alternative is: each of some terms of the rule, or `rest`.

    `variable` is its name with REPLY_MARK.
    """

    variable: str
    cases: tuple[tuple[Term, ReplyProof], ...]
    rest: ReplyProof


ReplyProof = Leaf | Split

Opening = tuple[int, tuple[tuple[str, Term], ...]]
"""The number of an alternative (from 0), and what its variables, by name, are in a reply that can be played."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a learned rule follows from its theory.

    `rank` is greater than that of every lemma used. `fingerprints` maps `rule NAME`, `lemma NAME`,
    `declaration NAME` and `replies GAME`, the theory's static facts, what it promises of all that is spoken of, and the
    checker, to what they were when the certificate was made; `of` is the learned rule's own. `replies` has a proof for each alternative of the game's replies, in order,
    and `open` a reply that the opponent can play; both are empty where the proof is one for all that may happen.
    `reached` says that the proof holds of every state to which actions lead from a given one, and not only of given ones.
    """

    rank: int
    of: str
    steps: tuple[Step, ...]
    fingerprints: tuple[tuple[str, str], ...]
    replies: tuple[ReplyProof, ...] = ()
    open: Opening | None = None
    reached: bool = False
    format: int = FORMAT

    @property
    def is_current(self) -> bool:
        """Whether it is of the form that is written now, and not of an earlier one."""
        return self.format == FORMAT

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps for all that may happen, then those of each reply."""
        return (*self.steps, *(step for proof in self.replies for step in steps_of(proof)))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The names of the learned rules that the proof rests on."""
        prefix = "lemma "
        return tuple(name.removeprefix(prefix) for name, _ in self.fingerprints if name.startswith(prefix))

    def __str__(self) -> str:
        """The steps in order, each with the moment at which a timeless rule is read."""
        count = len(self.all_steps)
        head = f"certificate {self.of}: {count} step{'s' if count != 1 else ''}, rank {self.rank}"
        lines = [head, *_shown_steps(self.steps, "  ")]
        for number, proof in enumerate(self.replies):
            can_be_played = self.open is not None and self.open[0] == number
            lines.append(f"  reply {number + 1}" + (", which can be played" if can_be_played else ""))
            lines += _shown_proof(proof, "    ")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        written: dict[str, Any] = {
            "format": self.format,
            "rank": self.rank,
            "of": self.of,
            "steps": _steps_as_json(self.steps),
            "fingerprints": dict(self.fingerprints),
        }
        if self.replies:
            written["replies"] = [_proof_as_json(proof) for proof in self.replies]
        if self.open is not None:
            number, terms = self.open
            written["open"] = [number, {name: form_of_term(term) for name, term in terms}]
        if self.reached:
            written["reached"] = True
        return written

    @staticmethod
    def from_json(data: object) -> Certificate:
        """Raises ValueError, with what is wrong and where, if the data is not of this form."""
        try:
            return _certificate(data)
        except ValueError as problem:
            raise ValueError(f"not a certificate: {problem}") from None


def terms_of(certificate: Certificate) -> Iterator[Term]:
    """The terms that a certificate's steps, cases and opening name."""
    for step in certificate.all_steps:
        yield from (term for _, term in step.substitution)
    yield from (term for _, term in (certificate.open or (0, ()))[1])
    todo = list(certificate.replies)
    while todo:
        proof = todo.pop()
        if isinstance(proof, Split):
            yield from (term for term, _ in proof.cases)
            todo += [*(below for _, below in proof.cases), proof.rest]


def steps_of(proof: ReplyProof) -> Iterator[Step]:
    """The steps of a proof about replies, in order."""
    if isinstance(proof, Leaf):
        yield from proof.steps
        return
    for _, below in proof.cases:
        yield from steps_of(below)
    yield from steps_of(proof.rest)


def _shown_steps(steps: Iterable[Step], indent: str) -> list[str]:
    return [f"{indent}{s.rule}" + (f" ({s.moment})" if s.moment else "") for s in steps]


def _shown_proof(proof: ReplyProof, indent: str) -> Iterator[str]:
    if isinstance(proof, Leaf):
        yield from _shown_steps(proof.steps, indent) or [f"{indent}impossible"]
        return
    for term, below in proof.cases:
        yield f"{indent}?{proof.variable} = {print_term(term)}"
        yield from _shown_proof(below, f"{indent}  ")
    yield f"{indent}any other ?{proof.variable}"
    yield from _shown_proof(proof.rest, f"{indent}  ")


def _steps_as_json(steps: Iterable[Step]) -> list[Any]:
    return [[s.rule, s.moment, {name: form_of_term(term) for name, term in s.substitution}] for s in steps]


def _proof_as_json(proof: ReplyProof) -> Any:
    """A leaf is the list of its steps."""
    if isinstance(proof, Leaf):
        return _steps_as_json(proof.steps)
    cases = [[form_of_term(term), _proof_as_json(below)] for term, below in proof.cases]
    return {"split": proof.variable, "cases": cases, "rest": _proof_as_json(proof.rest)}


def _certificate(data: object) -> Certificate:
    of = "a certificate"
    form = field_of(data, "format", of, integer_from_json)
    if not 1 <= form <= FORMAT:
        raise ValueError(f"its format is {form}, and this Hornbook reads 1 to {FORMAT}")
    rank = field_of(data, "rank", of, integer_from_json)
    if rank < 1:
        raise ValueError(f"its rank is {rank}, and the lowest is 1")
    written = object_from_json(data)
    read = Certificate(
        rank,
        field_of(data, "of", of, text_from_json),
        field_of(data, "steps", of, _steps),
        field_of(data, "fingerprints", of, _prints),
        field_of(data, "replies", of, _replies) if "replies" in written else (),
        field_of(data, "open", of, _opening) if "open" in written else None,
        field_of(data, "reached", of, truth_from_json) if "reached" in written else False,
        form,
    )
    if len(read.all_steps) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return read


def _prints(data: object) -> tuple[tuple[str, str], ...]:
    return tuple((text_from_json(n), text_from_json(value)) for n, value in object_from_json(data).items())


def _replies(data: object) -> tuple[ReplyProof, ...]:
    return tuple(_proof(proof, 0) for proof in list_from_json(data))


def _proof(data: object, depth: int) -> ReplyProof:
    if isinstance(data, list):
        return Leaf(_steps(data))
    if depth >= MAX_SPLITS:
        raise ValueError(f"it tells replies apart more than {MAX_SPLITS} times in a row")
    of = "the proof of a reply"
    cases = field_of(data, "cases", of, list_from_json)
    return Split(
        field_of(data, "split", of, text_from_json),
        tuple(
            (term_from_json(term), _proof(below, depth + 1))
            for term, below in (several_from_json(case, "a case", "a term", "a proof") for case in cases)
        ),
        field_of(data, "rest", of, lambda rest: _proof(rest, depth + 1)),
    )


def _opening(data: object) -> Opening:
    number, terms = several_from_json(data, "it", "a number", "what stands for its variables")
    return integer_from_json(number), _substitution(terms)


def _steps(data: object) -> tuple[Step, ...]:
    written = list_from_json(data)
    if len(written) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return tuple(map(_step, written, count(1)))


def _step(data: object, number: int) -> Step:
    try:
        rule, moment, terms = several_from_json(data, "it", "a rule", "a moment", "a substitution")
        return Step(text_from_json(rule), moment_from_json(moment), _substitution(terms))
    except ValueError as problem:
        raise ValueError(f"step {number}: {problem}") from None


def _substitution(data: object) -> tuple[tuple[str, Term], ...]:
    return tuple((text_from_json(n), term_from_json(t)) for n, t in object_from_json(data).items())


def term_from_json(value: object) -> Term:
    """The inverse of `form_of_term`. Raises ValueError."""
    if isinstance(value, str):
        text = text_from_json(value)
        return Variable(text[1:]) if text.startswith("?") else Constant(text.removeprefix("'"))
    return Constant(integer_from_json(value))


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
    if isinstance(statement, GameStatement):
        return [atom.predicate for atom in (statement.game, statement.by) if atom is not None]
    return [statement.predicate]


def fingerprint_of_facts(theory: Theory) -> str:
    """Changes with the facts that a theory states of what never changes."""
    predicates = theory.vocabulary.predicates
    fixed = (s for s in theory.facts if isinstance(s, Atom) and not predicates[s.predicate].has_tense)
    return digest(sorted((form_of_condition(fact) for fact in fixed), key=text_of))


def fingerprint_of_promises(theory: Theory, predicates: Iterable[Predicate]) -> str:
    """Changes with what a theory says of these predicates in rules that a proof need not name."""
    return digest(promises(theory, predicates))


def fingerprint_of_checker() -> str:
    """Changes with what the checker accepts."""
    return CHECKER


def fingerprints(
    theory: Theory,
    rules: Iterable[Rule],
    lemmas: Iterable[Rule],
    declarations: Iterable[Predicate],
    replies: Replies | None = None,
) -> tuple[tuple[str, str], ...]:
    """The fingerprints of all that a certificate names, sorted by name."""
    declarations = tuple(declarations)
    found = {
        "checker version": fingerprint_of_checker(),
        "facts static": fingerprint_of_facts(theory),
        "theory promises": fingerprint_of_promises(theory, declarations),
    }
    found |= {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in rules}
    found |= {f"lemma {rule.name}": fingerprint_of_rule(rule) for rule in lemmas}
    found |= {f"declaration {p.name}": fingerprint_of_declaration(p, theory.vocabulary) for p in declarations}
    if replies is not None:
        found[f"replies {replies.game.predicate}"] = fingerprint_of_replies(replies)
    return tuple(sorted(found.items()))
