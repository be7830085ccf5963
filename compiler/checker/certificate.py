"""Certificates: the proof of a learned rule, as data.

A certificate is a list of steps, each a rule of the theory (or a lemma of smaller rank) under a substitution
over the learned rule's own variables, in an order in which each rests only on the rule's conditions and on
earlier steps. Each step names what proves its conditions, so that nothing has to be searched for. A rule that says that
a game is won although the opponent plays first has a proof for each of his replies besides (`ReplyProof`). A certificate
names every rule, lemma and declaration that it used with a fingerprint, so that a change of
theory shows which certificates are to be checked again. What makes a certificate good is the checker's to
say (compiler/checker/checker.py); nothing is checked here. docs/reference/certificates.md describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
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
from hornbook.compiler.checker.promises import CHECKER, Place, promises
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

FORMAT = 4
"""The version of the written form. Those of earlier ones are read, and prove nothing until they are proved again: the first
had no replies, the fingerprints of the first two were of printed text, and the first three named rules only.
"""
MAX_STEPS = 100_000
MAX_DEPTH = 60
"""How deep the parts of a witness stand inside each other."""
MAX_NUMBER = 2**512
"""How large a number of a witness may be."""
MAX_SPLITS = 40
"""How often the replies may be told apart inside each other."""
REPLY_MARK = "^"
"""What the names of the variables of a reply end with: no variable of a rule is called so."""


Witness = int | str | None | tuple["Witness", ...]
"""What proves something, as it is written: numbers, texts, null, and lists of these."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `moment` is that at which a timeless rule is read (None: it says its own).

    `proofs` has a witness for each condition of the rule, and `notes` what is concluded first from what is known. A step
    without them says only which rule is applied; it is for who completes it, and proves nothing.
    """

    rule: str
    moment: Tense | None
    substitution: tuple[tuple[str, Term], ...]
    proofs: tuple[Witness, ...] = ()
    notes: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """What proves that the game is won after a reply, or that nobody can play it.

    The steps speak of the learned rule's variables, and of those of the alternative that the reply is of, each
    with REPLY_MARK after its name. `end` says what they come to.
    """

    steps: tuple[Step, ...]
    end: Witness = None


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
    `opened` has the proofs of that reply's conditions, and the notes that come before. `end` says what the steps come to where there are no replies, and `keys` proves
    the keys and counts of what rules conclude that the proof rests on.
    `reached` says that the proof holds of every state to which actions lead from a given one, and not only of given ones.
    """

    rank: int
    of: str
    steps: tuple[Step, ...]
    fingerprints: tuple[tuple[str, str], ...]
    replies: tuple[ReplyProof, ...] = ()
    open: Opening | None = None
    reached: bool = False
    end: Witness = None
    opened: tuple[Witness, ...] = ((), ())
    keys: tuple[Witness, ...] = ()
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
            named = {name: form_of_term(term) for name, term in terms}
            written["open"] = [number, named, *map(_plain, self.opened)]
        if self.end is not None:
            written["end"] = _plain(self.end)
        if self.reached:
            written["reached"] = True
        if self.keys:
            written["keys"] = _plain(self.keys)
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
    return [
        [
            s.rule,
            s.moment,
            {name: form_of_term(term) for name, term in s.substitution},
            _plain(s.proofs),
            _plain(s.notes),
        ]
        for s in steps
    ]


def _plain(witness: Witness) -> Any:
    """A witness with lists for tuples."""
    return [_plain(part) for part in witness] if isinstance(witness, tuple) else witness


def _proof_as_json(proof: ReplyProof) -> Any:
    """A leaf is a list of its steps and its end."""
    if isinstance(proof, Leaf):
        return [_steps_as_json(proof.steps), _plain(proof.end)]
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
    written, old = object_from_json(data), form < FORMAT
    opening, opened = (
        field_of(data, "open", of, partial(_opening, old=old)) if "open" in written else (None, ((), ()))
    )
    read = Certificate(
        rank,
        field_of(data, "of", of, text_from_json),
        field_of(data, "steps", of, partial(_steps, old=old)),
        field_of(data, "fingerprints", of, _prints),
        field_of(data, "replies", of, partial(_replies, old=old)) if "replies" in written else (),
        opening,
        field_of(data, "reached", of, truth_from_json) if "reached" in written else False,
        field_of(data, "end", of, witness_from_json) if not old and "end" in written else None,
        opened,
        field_of(data, "keys", of, _witnesses) if not old and "keys" in written else (),
        form,
    )
    if len(read.all_steps) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return read


def _prints(data: object) -> tuple[tuple[str, str], ...]:
    return tuple((text_from_json(n), text_from_json(value)) for n, value in object_from_json(data).items())


def _replies(data: object, *, old: bool) -> tuple[ReplyProof, ...]:
    return tuple(_proof(proof, 0, old=old) for proof in list_from_json(data))


def _proof(data: object, depth: int, *, old: bool) -> ReplyProof:
    if isinstance(data, list):
        if old:
            return Leaf(_steps(data, old=old))
        steps, end = several_from_json(data, "it", "steps", "an end")
        return Leaf(_steps(steps, old=old), witness_from_json(end))
    if depth >= MAX_SPLITS:
        raise ValueError(f"it tells replies apart more than {MAX_SPLITS} times in a row")
    of = "the proof of a reply"
    cases = field_of(data, "cases", of, list_from_json)
    return Split(
        field_of(data, "split", of, text_from_json),
        tuple(
            (term_from_json(term), _proof(below, depth + 1, old=old))
            for term, below in (several_from_json(case, "a case", "a term", "a proof") for case in cases)
        ),
        field_of(data, "rest", of, lambda rest: _proof(rest, depth + 1, old=old)),
    )


def _opening(data: object, *, old: bool) -> tuple[Opening, tuple[Witness, ...]]:
    parts = ["a number", "what stands for its variables", *([] if old else ["proofs", "notes"])]
    number, terms, *witnesses = several_from_json(data, "it", *parts)
    opening = integer_from_json(number), _substitution(terms)
    return opening, tuple(map(_witnesses, witnesses)) if witnesses else ((), ())


def _steps(data: object, *, old: bool) -> tuple[Step, ...]:
    written = list_from_json(data)
    if len(written) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return tuple(_step(step, number, old=old) for number, step in enumerate(written, 1))


def _step(data: object, number: int, *, old: bool) -> Step:
    try:
        parts = ["a rule", "a moment", "a substitution", *([] if old else ["proofs", "notes"])]
        rule, moment, terms, *witnesses = several_from_json(data, "it", *parts)
        proofs, notes = map(_witnesses, witnesses) if witnesses else ((), ())
        return Step(text_from_json(rule), moment_from_json(moment), _substitution(terms), proofs, notes)
    except ValueError as problem:
        raise ValueError(f"step {number}: {problem}") from None


def _witnesses(data: object) -> tuple[Witness, ...]:
    return tuple(map(witness_from_json, list_from_json(data)))


def witness_from_json(data: object, depth: int = 0) -> Witness:
    """Raises ValueError where it is none."""
    if isinstance(data, list):
        if depth >= MAX_DEPTH:
            raise ValueError(f"a proof has more than {MAX_DEPTH} parts inside each other")
        return tuple(witness_from_json(part, depth + 1) for part in data)
    if data is None:
        return None
    if isinstance(data, int) and not isinstance(data, bool):
        if abs(data) > MAX_NUMBER:
            raise ValueError("a number of a proof is too large")
        return data
    return text_from_json(data)


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


def fingerprint_of_promises(
    theory: Theory, predicates: Iterable[Predicate], proved: Iterable[Place] = ()
) -> str:
    """Changes with what a theory says of these predicates, and of what is concluded where keys and counts are proved, in
    rules that a proof need not name.
    """
    return digest(promises(theory, predicates, proved))


def fingerprint_of_checker() -> str:
    """Changes with what the checker accepts."""
    return CHECKER


def fingerprints(
    theory: Theory,
    rules: Iterable[Rule],
    lemmas: Iterable[Rule],
    declarations: Iterable[Predicate],
    replies: Replies | None = None,
    proved: Iterable[Place] = (),
) -> tuple[tuple[str, str], ...]:
    """The fingerprints of all that a certificate names, sorted by name."""
    declarations = tuple(declarations)
    found = {
        "checker version": fingerprint_of_checker(),
        "facts static": fingerprint_of_facts(theory),
        "theory promises": fingerprint_of_promises(theory, declarations, proved),
    }
    found |= {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in rules}
    found |= {f"lemma {rule.name}": fingerprint_of_rule(rule) for rule in lemmas}
    found |= {f"declaration {p.name}": fingerprint_of_declaration(p, theory.vocabulary) for p in declarations}
    if replies is not None:
        found[f"replies {replies.game.predicate}"] = fingerprint_of_replies(replies)
    return tuple(sorted(found.items()))
