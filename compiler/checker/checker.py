"""The certificate checker: does a learned rule follow from its theory?

Every step of a certificate must be an instance of a rule, and the step's witnesses must prove the conditions
of that instance (the inferences are in compiler/checker/proofs.py). The conclusion of the learned rule must
be concluded by a step, or be proved reply by reply (compiler/checker/replies.py). A lemma has a smaller rank
than every rule that depends on it, so proofs are not circular. A certificate must name everything on which it
depends, and all of it must be unchanged.

This file and its dependencies (replies, steps, theory_index, keys, proofs, context, linear) contain no
search, trust no statement of the learner, share no code with it and use no engine. The checker accepts a
certificate or reports the point of failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from hornbook.compiler.checker.cases import CaseChecker, Induction
from hornbook.compiler.checker.certificate import (
    HYPOTHESIS,
    Certificate,
    Leaf,
    fingerprint_of_checker,
    fingerprint_of_dependencies,
    fingerprint_of_rule,
    fingerprint_of_turns,
    relied_on,
    steps_of,
    terms_of,
    within,
)
from hornbook.compiler.checker.context import ProofContext, RejectedError
from hornbook.compiler.checker.dependencies import (
    IntegrityAssumptions,
    depends_on_action,
    reason_for_uncertainty,
    summarised,
)
from hornbook.compiler.checker.keys import places_of, proved_keys
from hornbook.compiler.checker.language import refuse_other_language, refuse_value
from hornbook.compiler.checker.plans import as_applied, as_value, refuse_other_plans, supposed_by
from hornbook.compiler.checker.proofs import contradicts
from hornbook.compiler.checker.replies import alternatives, check_replies, replies_to
from hornbook.compiler.checker.steps import AppliedRule, is_timeless
from hornbook.compiler.checker.theory_index import theory_index
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.terms import (
    Atom,
    Condition,
    GameStatement,
    PlanStatement,
    Rule,
    Variable,
    shared_variables,
)
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.text.counts import counted

__all__ = [
    "Lemma",
    "RejectedError",
    "as_applied",
    "as_value",
    "depends_on_absence",
    "is_of_one_moment",
    "unchanged",
    "verify",
]


@dataclass(frozen=True, slots=True)
class Lemma:
    """A certified learned rule as a lemma for later proofs.

    Attributes:
        rank: The rank of its certificate.
        reached: True if it holds in every reachable state.
        alone: The relations for which its proof assumes that only the theory's rules conclude them.
    """

    rule: Rule
    rank: int
    reached: bool = False
    alone: frozenset[str] = frozenset()

    @staticmethod
    def of(rule: Rule, certificate: Certificate) -> Lemma:
        return Lemma(rule, certificate.rank, certificate.reached, certificate.alone)


def verify(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma] | None = None
) -> None:
    """Replay a certificate. Return normally if the rule follows from the theory; otherwise raise
    RejectedError.

    The lemmas must have been verified before, in order of rank.
    """
    lemmas = lemmas or {}
    _refuse_earlier_form(certificate)
    if certificate.of != fingerprint_of_rule(rule):
        raise RejectedError("the rule was edited since it was certified")
    try:
        refuse_other_language(rule, theory.vocabulary)
        for term in terms_of(certificate):
            if not isinstance(term, Variable):
                refuse_value(term)
        sources = unchanged(rule, certificate, theory, lemmas)
        usable = proved_keys(
            theory, certificate.keys, reached=certificate.reached, supposed=supposed_by(rule, theory)
        )
        _replay(as_value(rule), certificate, usable, sources)
    except RecursionError:
        raise RejectedError("its conditions are nested too deeply to be checked") from None


def unchanged(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]
) -> dict[str, AppliedRule]:
    """Return the rules and lemmas that a certificate's steps apply, by name, if all named clauses are
    unchanged.

    Raise RejectedError if something has changed or is not named. The proof itself is not checked.
    """
    _refuse_earlier_form(certificate)
    _check_fingerprints(certificate, theory, lemmas)
    sources = _sources(certificate, theory, lemmas)
    used_lemmas = {
        name: lemmas[name].rule for name in sources if f"rule {name}" not in dict(certificate.fingerprints)
    }
    refuse_other_plans(rule, certificate, theory, used_lemmas)
    named = {name for name, _ in certificate.fingerprints}
    replies = replies_to(rule, theory) if certificate.replies or certificate.open else None
    if replies is not None and f"replies {replies.game.predicate}" not in named:
        raise RejectedError("the certificate does not name the theory's replies, on which it rests")
    inverted = certificate.inverted
    if inverted and isinstance(rule.head, PlanStatement):
        raise RejectedError("the assumptions of a plan are not only conclusions of rules")
    concluding = [each for place in inverted for each in IntegrityAssumptions(theory).concluding(place)]
    applied = [rule, *(source.rule for source in sources.values()), *concluding]
    for predicate in relied_on(applied, theory.vocabulary, replies):
        if f"declaration {predicate.name}" not in named:
            raise RejectedError(
                f"the certificate does not name the declaration `{predicate.name}`, on which it rests"
            )
    _check_dependencies(certificate, theory)
    return sources


def _replay(
    rule: Rule, certificate: Certificate, usable: IntegrityAssumptions, sources: Mapping[str, AppliedRule]
) -> None:
    """Raise RejectedError if the facts known after the steps do not prove the rule."""
    theory = usable.theory
    by_replies = bool(certificate.replies or certificate.open)
    for statement in summarised(rule.body):
        why = reason_for_uncertainty(statement, theory)
        if why is not None:
            raise RejectedError(f"the rule rests on what there is of `{print_condition(statement)}`: {why}")
    if certificate.reached and depends_on_absence(rule, theory.vocabulary):
        raise RejectedError(
            "absences are known in given states only, and the proof covers all reachable states"
        )
    if by_replies:
        inside = (step for proof in within(certificate.steps) for step in steps_of(proof))
        if any(step.moment == "after" for step in (*certificate.steps, *inside)):
            raise RejectedError("facts after a reply are proved for that reply only")
        reply_statements = [s for a in alternatives(rule, replies_to(rule, theory)) for s in a.said]
        _refuse_other_worlds(reply_statements, theory, "a reply that is only thought of")
    if (
        isinstance(rule.head, GameStatement)
        and is_timeless(rule)
        and (rule.head.by is not None or by_replies)
    ):
        _refuse_other_worlds(rule.body, theory, "an action that is only named")
    context = context_of(rule, usable)
    _refuse_contradiction(context)
    own = shared_variables(rule)
    walk = CaseChecker(own, sources, _induction(rule, certificate), one_moment=is_of_one_moment(rule))
    for number, step in enumerate(certificate.steps, 1):
        walk.step(number, step, context)
        _refuse_contradiction(context)
    if certificate.end is None and by_replies and certificate.cases is None:
        check_replies(context, rule, certificate, sources)
        return
    if certificate.end is None and certificate.cases is not None and not by_replies:
        walk.prove(certificate.cases, context, partial(_end_of_case, rule), "by cases", own)
        return
    match certificate.end:
        case ("known", notes, conclusion) if not by_replies:
            context.note(notes)
            _refuse_contradiction(context)
            if context.is_known(rule.head, "before", conclusion):
                return
        case ("impossible", notes, contradiction):
            context.note(notes)
            why = contradicts(context, contradiction)
            if why is not None:
                raise RejectedError(f"the conditions can never hold together: {why}")
    raise RejectedError(f"no step concludes the rule's own conclusion `{print_condition(rule.head)}`")


def _induction(rule: Rule, certificate: Certificate) -> Induction | None:
    """Return the induction of a proof by cases, or None.

    Raise RejectedError if its condition does not exist.
    """
    if certificate.induction is None:
        return None
    place = certificate.induction
    if not (isinstance(rule.head, Atom) and certificate.cases is not None and not certificate.replies):
        raise RejectedError("only a fact is proved by induction, case by case")
    if not (0 <= place < len(rule.body) and isinstance(rule.body[place], Atom)):
        raise RejectedError(f"the rule has no fact {place} over which there could be an induction")
    return Induction(AppliedRule.of(rule), place)


def _end_of_case(rule: Rule, leaf: Leaf, branch: ProofContext) -> None:
    """Raise RejectedError if a case neither proves the rule's conclusion nor is contradictory."""
    match None if leaf.members else leaf.end:
        case ("known", notes, number):
            branch.note(notes)
            if branch.is_known(rule.head, "before", number):
                return
        case ("impossible", notes, contradiction):
            branch.note(notes)
            if contradicts(branch, contradiction) is not None:
                return
    raise RejectedError(f"no step concludes the rule's own conclusion `{print_condition(rule.head)}`")


def context_of(rule: Rule, usable: IntegrityAssumptions) -> ProofContext:
    """Return a context with the conditions of a learned rule.

    Conditions without a moment hold before its action.
    """
    context = ProofContext(usable, shared_variables(rule))
    if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
        context.take([rule.head.by], None)
    context.take(rule.body, "before")
    return context


def _refuse_contradiction(context: ProofContext) -> None:
    """Raise RejectedError if the known facts equate two different constants: such a rule is vacuous."""
    why = contradicts(context, None)
    if why is not None:
        raise RejectedError(f"the conditions can never hold together: {why}")


def _refuse_other_worlds(conditions: Iterable[Condition], theory: Theory, subject: str) -> None:
    """Raise RejectedError if a condition may depend on the action taken, in a rule about another action.

    The rule is evaluated when no action, or another one, is taken. A condition that depends on the action
    taken need not hold when the rule's own action is taken.
    """
    for condition in conditions:
        if depends_on_action(condition, theory):
            raise RejectedError(
                f"`{print_condition(condition)}` may rest on the action that is taken, and the rule speaks"
                f" of {subject}"
            )


def depends_on_absence(rule: Rule, words: Vocabulary) -> bool:
    """Return whether a rule tests or aggregates the absence of facts that change.

    Their absence is known only in given states.
    """
    return any(
        not isinstance(s, Atom) or words.predicates[s.predicate].has_tense for s in summarised(rule.body)
    )


def is_of_one_moment(rule: Rule) -> bool:
    """Return whether a rule is read at any one moment, so that its proof must not mention two moments."""
    return is_timeless(rule) and not (isinstance(rule.head, GameStatement) and rule.head.by)


def _refuse_earlier_form(certificate: Certificate) -> None:
    """Raise RejectedError if a certificate has an earlier form, whose fingerprints are not comparable."""
    if not certificate.is_current:
        raise RejectedError(
            f"the certificate has the earlier form {certificate.format}: `hornbook rules verify"
            " --upgrade` proves"
            " the rule again"
        )


def _check_fingerprints(certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]) -> None:
    fingerprints = theory_index(theory).fingerprints
    for name, recorded in certificate.fingerprints:
        kind, _, subject = name.partition(" ")
        current: str | None = None
        if kind == "lemma" and subject in lemmas:
            current = fingerprint_of_rule(lemmas[subject].rule)
        elif kind in ("rule", "declaration", "replies"):
            current = fingerprints.get(f"{kind} {subject}")
        elif kind == "facts":
            current = fingerprints["facts static"]
        elif name == "theory turns":
            current = fingerprint_of_turns(theory)
        elif name in ("theory promises", "checker version"):
            # These fingerprints are compared last because the named clauses give more precise error messages.
            continue
        if current is None:
            raise RejectedError(f"the {kind} `{subject}` that the certificate rests on is no longer there")
        if current != recorded:
            raise RejectedError(f"the {kind} `{subject}` was changed since the rule was certified")
    if "facts static" not in {name for name, _ in certificate.fingerprints}:
        raise RejectedError("the certificate does not name the theory's static facts, on which it rests")


def _check_dependencies(certificate: Certificate, theory: Theory) -> None:
    """Raise RejectedError if the dependencies of the named declarations, or the checker, have changed."""
    recorded = dict(certificate.fingerprints)
    words = theory.vocabulary.predicates
    declared = [words[name.partition(" ")[2]] for name in recorded if name.startswith("declaration ")]
    proved = [*(place for place, _ in places_of(certificate.keys)), *certificate.inverted]
    if recorded.get("theory promises") != fingerprint_of_dependencies(theory, declared, proved):
        raise RejectedError(
            "rules that conclude what the certificate speaks of were changed since the rule was certified"
        )
    if recorded.get("checker version") != fingerprint_of_checker():
        raise RejectedError("the checker was changed since the rule was certified")


def _refuse_as_lemma(rule: Rule, certificate: Certificate) -> None:
    """Raise RejectedError if a step applies a theory lemma in worlds for which the lemma is not proved.

    Lemmas proved for given states do not apply to reachable ones. No theory lemma applies to the assumptions
    of a plan.
    """
    of_plan = any(name == "theory turns" for name, _ in certificate.fingerprints)
    of_reached = certificate.reached or _is_read_after(rule.name, certificate)
    if rule.lemma and (of_plan or (rule.of_given and of_reached)):
        raise RejectedError(
            f"the lemma `{rule.name}` of the theory is not proved of the states that the step is about"
        )


def _is_read_after(name: str, certificate: Certificate) -> bool:
    return any(step.rule == name and step.moment == "after" for step in certificate.all_steps)


def _sources(certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]) -> dict[str, AppliedRule]:
    """Return the rules and lemmas that the steps apply, by name."""
    named = {name for name, _ in certificate.fingerprints}
    rules = theory_index(theory).sources
    found: dict[str, AppliedRule] = {}
    for name in dict.fromkeys(step.rule for step in certificate.all_steps if step.rule != HYPOTHESIS):
        if f"rule {name}" in named:
            candidates = rules.get(name, ())
            if len(candidates) != 1:
                raise RejectedError(
                    f"{counted(len(candidates), 'rule of the theory is', 'rules of the theory are')} called"
                    f" `{name}`: give each a label"
                )
            _refuse_as_lemma(candidates[0].rule, certificate)
            found[name] = candidates[0]
        elif f"lemma {name}" in named:
            lemma = lemmas[name]
            is_plan = isinstance(lemma.rule.head, PlanStatement)
            if not lemma.reached and (is_plan or certificate.reached or _is_read_after(name, certificate)):
                raise RejectedError(
                    f"the lemma `{name}` is proved of given states only, and the step is about one that is"
                    " reached"
                )
            if not lemma.rank < certificate.rank:
                raise RejectedError(
                    f"the lemma `{name}` has rank {lemma.rank}, not below {certificate.rank}: lemmas must not"
                    " depend on each other"
                )
            if not lemma.alone <= certificate.alone:
                raise RejectedError(
                    f"the certificate does not name `{min(lemma.alone - certificate.alone)}`, which by the"
                    " proof of the"
                    f" lemma `{name}` only the theory's rules conclude"
                )
            found[name] = AppliedRule.of(as_applied(lemma.rule, theory.vocabulary))
        else:
            raise RejectedError(f"the certificate uses `{name}` without its fingerprint")
    return found
