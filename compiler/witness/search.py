"""The completion of certificates: the steps of a proof are replayed, and their witnesses are searched for.

`replay` decides whether steps prove a rule. `completed` adds the missing witnesses to a certificate.
Witnesses that are not found are left out, so that the checker rejects the certificate.

In all searches, `Found` is a witness or False. A *writer* turns the found witnesses into their stored form,
after the notes on which they depend. Each case of a proof has a copy of the context and of the writer, a
*branch*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hornbook.compiler.checker.certificate import (
    HYPOTHESIS,
    CaseProof,
    Certificate,
    Inversion,
    Leaf,
    ProofStep,
    Split,
    parts_of,
)
from hornbook.compiler.checker.checker import RejectedError, is_of_one_moment
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.checker.keys import places_of
from hornbook.compiler.checker.language import refuse_other_language
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.checker.replies import (
    ReplyAlternative,
    alternatives,
    opening_conditions,
    replies_to,
    won_after,
)
from hornbook.compiler.checker.steps import is_timeless, reason
from hornbook.compiler.witness.certificate_writer import CertificateWriter
from hornbook.compiler.witness.congruence import Place
from hornbook.compiler.witness.constraints import constraints
from hornbook.compiler.witness.context import Introduce, SearchContext
from hornbook.compiler.witness.members import MembersWitness, WitnessGoal, goal_proof, member_witnesses
from hornbook.compiler.witness.proof_state import Constraints, Found, Ref
from hornbook.compiler.witness.search_budget import MAX_SEARCH, SearchBudgetError
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, marked_rule
from hornbook.kb.ast.terms import (
    All,
    Comparison,
    CountIn,
    Rule,
    Statement,
    Tense,
    Variable,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, counts_of
from hornbook.matcher.program.dataclass import dataclass


def replay(
    rule: Rule,
    steps: Sequence[ProofStep],
    theory: Theory,
    sources: Mapping[str, Rule],
    *,
    reached: bool = False,
) -> SearchContext:
    """Replay steps and return the context; raise RejectedError if the rule does not follow.

    `sources` contains the rules that the steps apply, by name. Keys and counts are used as they hold in
    reachable states if `reached` is True, otherwise as in given states. A rule that can never apply may be
    accepted, unless it equates two constants. The checker rejects it.
    """
    try:
        context = initial_context(rule, steps, theory, sources, reached=reached)
        context.refuse_contradiction()
        for number, step in enumerate(steps, 1):
            found = try_step(step, sources[step.rule], context, one_moment=is_of_one_moment(rule))
            if found.problem:
                raise RejectedError(f"step {number}, rule `{step.rule}`: {found.problem}")
            context.refuse_contradiction()
    except RecursionError:
        raise RejectedError("its conditions are nested too deeply to be checked") from None
    if context.established(rule.head, "before") is False:
        raise RejectedError(f"no step concludes the rule's own conclusion `{print_condition(rule.head)}`")
    return context


def initial_context(
    rule: Rule,
    steps: Iterable[ProofStep],
    theory: Theory,
    sources: Mapping[str, Rule],
    mentioned: Iterable[Statement] = (),
    *,
    reached: bool,
) -> SearchContext:
    """Return a context with a rule's conditions and the stated facts that steps and statements may
    mention.
    """
    used = [sources[name] for name in dict.fromkeys(step.rule for step in steps) if name != HYPOTHESIS]
    relations = {s.relation for each in (rule, *used) for s in (each.head, *statements(each.body))}
    relations |= {s.relation for s in mentioned}
    # A theory may state the cardinality of a set that the steps mention.
    counters = {counter.name for name, counter in counts_of(theory.vocabulary).items() if name in relations}
    known = constraints(theory)
    valid = known.reached if reached else known.given
    return SearchContext.of(rule, theory, relations | counters, Constraints(valid.keys, valid.closed))


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    Attributes:
        proofs: The proofs found for the conditions, up to the first without one.
        problem: The reason why the step fails, or an empty text.
        number: The number of the conclusion among the facts of the context; None if the step fails.
        merged: The length of the log of equalities (`congruence.log`) before the conclusion was added.
    """

    proofs: tuple[Found, ...]
    problem: str = ""
    number: int | None = None
    merged: int | None = None


def try_step(
    step: ProofStep,
    source: Rule,
    context: SearchContext,
    introduce: Introduce | None = None,
    *,
    one_moment: bool,
) -> StepResult:
    """Try a step, add its conclusion to the context, and return the result.

    `source` is the rule that the step applies. `introduce` proves closed conditions for arbitrary members. If
    `one_moment` is True, only timeless rules can be applied.
    """
    if not is_timeless(source) and (one_moment or step.moment is not None):
        return StepResult((), "it speaks of moments")
    given = dict(step.substitution)
    unknown = [t for t in given.values() if isinstance(t, Variable) and t.name not in context.fixed]
    if unknown or not shared_variables(source) <= given.keys():
        return StepResult((), "the step does not say what each variable stands for")
    own = marked_rule(source, OPEN)
    substitution = {f"{name}{OPEN}": term for name, term in step.substitution}
    proofs: list[Found] = []
    context.budget.spend(1 + len(own.body))
    for place, condition in enumerate(own.body):
        instance = apply_to_condition(condition, substitution)
        try:
            found = context.proof(instance, step.moment)
            if found is False and introduce is not None and isinstance(instance, (All, CountIn)):
                found = introduce(place, instance, step.moment, context)
        except RejectedError as problem:
            return StepResult(tuple(proofs), str(problem))
        if found is False:
            return StepResult(tuple(proofs), reason(instance, step.moment))
        proofs.append(found)
        context.step_conditions.append((instance, step.moment))
    if step.rule == HYPOTHESIS and not _is_for_smaller_fact(proofs, context):
        return StepResult((), "the rule is supposed of something that was not concluded before")
    merged = len(context.congruence.log)
    head = apply_to_statement(own.head, substitution)
    return StepResult(tuple(proofs), "", context.establish(head, step.moment), merged)


def _is_for_smaller_fact(proofs: Sequence[Found], context: SearchContext) -> bool:
    """Return whether a step applies the induction hypothesis to a fact that was derived before.

    `proofs` are those of the conditions. The induction runs over the derivation of one of them.
    """
    if context.induction is None:
        return False
    found = proofs[context.induction[0]]
    return isinstance(found, Ref) and found.number in context.smaller


# Certificates


def completed(
    rule: Rule, certificate: Certificate, theory: Theory, sources: Mapping[str, Rule]
) -> tuple[Certificate, tuple[Place, ...]]:
    """Return a certificate with the witnesses found, and the timed predicates whose keys and counts it
    proves.

    Raise SearchBudgetError if the budget is exhausted.
    """
    by_replies = bool(certificate.replies or certificate.open)
    try:
        refuse_other_language(rule, theory.vocabulary)
        mentioned: list[Statement] = []
        if by_replies:
            mentioned = [s for a in alternatives(rule, replies_to(rule, theory)) for s in a.said]
        for place in certificate.inverted:
            theory.vocabulary.predicates[place[0]]  # the theory may not have an invented predicate any more
            mentioned += [
                s for each in IntegrityAssumptions(theory).concluding(place) for s in statements(each.body)
            ]
        context = initial_context(
            rule, certificate.all_steps, theory, sources, mentioned, reached=certificate.reached
        )
    except SearchBudgetError:
        raise
    except (RejectedError, RecursionError, KeyError):
        return certificate, ()
    if certificate.induction is not None:
        context.induction = certificate.induction, context.taken[certificate.induction]
        sources = {**sources, HYPOTHESIS: rule}
    proofs = (*certificate.replies, *(() if certificate.cases is None else (certificate.cases,)))
    if proofs:
        context.budget.steps = MAX_SEARCH * sum(1 for proof in proofs for _ in parts_of(proof))
    made = _Completion(rule, theory, context, sources).certificate(certificate, by_replies=by_replies)
    context.budget.spend(0)
    keys = constraints(theory).proofs(context.constraints.used, reached=made.reached)
    return replace(made, keys=keys), tuple(place for place, _ in places_of(keys))


@dataclass(frozen=True, slots=True)
class CaseEnd:
    """The goal at the end of each possible case of a rule or reply.

    `of` returns the kind of the end, and its witness or False. If `one_moment` is True, steps may mention one
    moment only.
    """

    of: Callable[[SearchContext], tuple[str, Found]]
    one_moment: bool


@dataclass(frozen=True, slots=True)
class MemberEnd:
    """The goal at the end of each case of a proof for an arbitrary member of a set."""

    member: WitnessGoal
    one_moment: bool


class _Members:
    """The proofs by universal introduction of one step, or of the end of one case.

    `given` are the proofs without witnesses, each with the index of the condition that it proves.
    """

    def __init__(
        self,
        completion: _Completion,
        given: Sequence[tuple[int, CaseProof]],
        writer: CertificateWriter,
        *,
        one_moment: bool,
    ) -> None:
        self.completion, self.given, self.writer, self.one_moment = completion, given, writer, one_moment

    def introduce(
        self, place: int, condition: All | CountIn, moment: Tense | None, context: SearchContext
    ) -> Found:
        """Return the first witness for which the given proofs can be completed; or False."""
        given = [proof for at, proof in self.given if at == place]
        for witness, members in member_witnesses(context, condition, moment) if given else ():
            if len(members) == len(given) and all(
                _has_all_ends(self._completed(member, member.any_one.context.branch(), proof))
                for member, proof in zip(members, given, strict=True)
            ):
                return MembersWitness(witness, tuple(zip(members, given, strict=True)))
        return False

    def completed(self, found: Iterable[Found]) -> tuple[tuple[int, CaseProof], ...]:
        """Return the completed proofs with the indices of their conditions.

        The notes that precede them must have been written. `found` are the proofs of all conditions.
        """
        return tuple(
            (place, self._completed(member, member.any_one.context, proof))
            for place, each in enumerate(found)
            if isinstance(each, MembersWitness)
            for member, proof in each.proofs
        )

    def _completed(self, member: WitnessGoal, context: SearchContext, proof: CaseProof) -> CaseProof:
        writer = self.writer.branch(context)
        writer.assign_numbers(member.any_one.numbers)
        return self.completion.cases(proof, context, writer, MemberEnd(member, self.one_moment))


def _has_all_ends(proof: CaseProof) -> bool:
    """Return whether the end of each case is proved."""
    return all(part.end is not None for part in parts_of(proof) if isinstance(part, Leaf))


class _Completion:
    """A certificate under construction."""

    def __init__(
        self, rule: Rule, theory: Theory, context: SearchContext, sources: Mapping[str, Rule]
    ) -> None:
        self.rule, self.theory, self.context, self.sources = rule, theory, context, sources
        self.writer = CertificateWriter(context)
        self.writer.assign_numbers(context.taken)

    def certificate(self, given: Certificate, *, by_replies: bool) -> Certificate:
        """Return the certificate with all witnesses that are found.

        `by_replies`: it has a proof for each reply.
        """
        context, writer = self.context, self.writer
        steps, is_complete = self._steps(given.steps, context, writer, one_moment=is_of_one_moment(self.rule))
        why = _safely(context.conflicting)
        if why is not False:
            return replace(given, steps=steps, end=("impossible", *writer.written(why)))
        made = replace(given, steps=steps)
        if not is_complete:
            return made
        if made.cases is not None:
            return replace(
                made,
                cases=self.cases(
                    made.cases, context, writer, CaseEnd(self._end_of_case, is_of_one_moment(self.rule))
                ),
            )
        head = False if by_replies else context.established(self.rule.head, "before")
        if head is False and not by_replies:
            return made
        why = _safely(context.contradictory)
        if why is not False:
            return replace(made, end=("impossible", *writer.written(why)))
        if by_replies:
            return self._with_replies(made)
        return replace(made, end=("known", *writer.written(head)))

    def _steps(
        self,
        steps: Sequence[ProofStep],
        context: SearchContext,
        writer: CertificateWriter,
        *,
        one_moment: bool,
    ) -> tuple[tuple[ProofStep, ...], bool]:
        """Return the steps with witnesses, and whether all are proved up to a contradiction.

        Steps after a contradiction are left out.
        """
        made: list[ProofStep] = []
        for place, step in enumerate(steps):
            if _safely(context.conflicting) is not False:
                return tuple(made), True
            source = self.sources[step.rule]
            ends = _Members(self, step.members, writer, one_moment=one_moment)
            found = _try_safely(step, source, context, ends.introduce, one_moment=one_moment)
            if found.number is None and _add_closed_consequences(context, writer):
                found = _try_safely(step, source, context, ends.introduce, one_moment=one_moment)
            notes, *proofs = writer.written(*found.proofs, until=found.merged)
            assert isinstance(notes, tuple)
            made.append(
                replace(step, proofs=tuple(proofs), notes=notes, members=ends.completed(found.proofs))
            )
            if found.number is None:
                return (*made, *steps[place + 1 :]), False
            writer.assign_numbers([found.number])
        return tuple(made), True

    # Replies

    def _with_replies(self, made: Certificate) -> Certificate:
        """Return the certificate with the witnesses of its opening and of its proof for each reply."""
        context, writer, replies = self.context, self.writer, replies_to(self.rule, self.theory)
        found: list[Found] = []
        for condition in () if made.open is None else opening_conditions(self.rule, replies, made.open):
            found.append(_safely(partial(context.proof, condition, "before")))
            if found[-1] is False:
                found.pop()
                break
        notes, *opened = writer.written(*found)
        cases = alternatives(self.rule, replies)
        proofs: list[CaseProof] = []
        for case, proof in zip(cases, made.replies, strict=False):
            branch = context.branch()
            branch.fixed |= set(case.variables)
            of_branch = writer.branch(branch)
            of_branch.assign_numbers(branch.take([case.case.action], None))
            of_branch.assign_numbers(branch.take(case.case.conditions, "before"))
            proofs.append(
                self.cases(proof, branch, of_branch, CaseEnd(partial(self._end_of_reply, case), False))
            )
        replied = (*proofs, *made.replies[len(proofs) :])
        return replace(made, opened=(tuple(opened), notes), replies=replied)

    def _end_of_reply(self, case: ReplyAlternative, branch: SearchContext) -> tuple[str, Found]:
        """Return the kind of the end of a reply and its witness: the reply is barred, or the game is won
        after it.
        """
        unless = case.case.unless
        if unless is not None and (barred := branch.established(unless, "before")) is not False:
            return "barred", barred
        for statement in won_after(self.rule):
            if (won := branch.established(statement, "after")) is not False:
                return "known", won
        return "known", False

    # Cases

    def _end_of_case(self, branch: SearchContext) -> tuple[str, Found]:
        """Return the kind of the end of a case and its witness: the rule's conclusion is known."""
        return "known", branch.established(self.rule.head, "before")

    def cases(
        self, proof: CaseProof, branch: SearchContext, writer: CertificateWriter, ends: CaseEnd | MemberEnd
    ) -> CaseProof:
        """Return a case proof with the witnesses of its steps and the ends of all cases that are found.

        `ends` has the goal at the end of a possible case. Impossible cases end with a contradiction instead.
        """
        if isinstance(proof, Split):
            steps, is_complete = self._steps(proof.steps, branch, writer, one_moment=ends.one_moment)
            if not is_complete:
                return replace(proof, steps=steps)
            proof, variable, cases = replace(proof, steps=steps), Variable(proof.variable), []
            for term, below in proof.cases:
                one = branch.branch()
                of_one = writer.branch(one)
                of_one.assign_numbers(one.take([Comparison("=", variable, term)], None))
                cases.append((term, self.cases(below, one, of_one, ends)))
            writer.assign_numbers(
                branch.take([Comparison("!=", variable, term) for term, _ in proof.cases], None)
            )
            return replace(proof, cases=tuple(cases), rest=self.cases(proof.rest, branch, writer, ends))
        why = _safely(branch.impossible)
        if why is not False:
            return Leaf((), ("impossible", *writer.written(why)))
        steps, is_complete = self._steps(proof.steps, branch, writer, one_moment=ends.one_moment)
        conflict = _safely(branch.conflicting)
        if conflict is not False:
            return Leaf(steps, ("impossible", *writer.written(conflict)))
        if isinstance(proof, Inversion):
            return (
                self._inversion(replace(proof, steps=steps), branch, writer, ends) if is_complete else proof
            )
        if not is_complete:
            return Leaf(steps)
        if isinstance(ends, MemberEnd):
            return self._end_of_member(proof, steps, branch, writer, ends)
        kind, found = ends.of(branch)
        if found is False and _add_closed_consequences(branch, writer):
            kind, found = ends.of(branch)
        if found is not False:
            return Leaf(steps, (kind, *writer.written(found)))
        return self._impossible(steps, branch, writer)

    def _end_of_member(
        self,
        leaf: Leaf,
        steps: tuple[ProofStep, ...],
        branch: SearchContext,
        writer: CertificateWriter,
        ends: MemberEnd,
    ) -> Leaf:
        """Return the end of a case for an arbitrary member: it belongs to the set and satisfies the
        condition.
        """
        members = _Members(self, leaf.members, writer, one_moment=ends.one_moment)
        found = goal_proof(branch, ends.member, members.introduce)
        if found is False and _add_closed_consequences(branch, writer):
            found = goal_proof(branch, ends.member, members.introduce)
        if found is not False:
            written = writer.written(*found.parts)
            return Leaf(steps, ("member", *written), members.completed(found.proofs))
        return self._impossible(steps, branch, writer)

    def _impossible(
        self, steps: tuple[ProofStep, ...], branch: SearchContext, writer: CertificateWriter
    ) -> Leaf:
        """Return the end of a contradictory case, if a contradiction is found."""
        why = _safely(branch.impossible)
        return Leaf(steps) if why is False else Leaf(steps, ("impossible", *writer.written(why)))

    def _inversion(
        self, proof: Inversion, branch: SearchContext, writer: CertificateWriter, ends: CaseEnd | MemberEnd
    ) -> CaseProof:
        """Return an inversion with the number of the inverted fact, and one case for each rule that concludes
        it.
        """
        known = branch.established(proof.statement, proof.moment)
        if known is False and _add_closed_consequences(branch, writer):
            known = branch.established(proof.statement, proof.moment)
        if known is False:
            return proof
        notes, number = writer.written(known)
        assert isinstance(notes, tuple)
        rules = IntegrityAssumptions(self.theory).concluding(proof.place)
        if len(rules) != len(proof.cases):
            return replace(proof, known=number, notes=notes)
        cases = []
        for rule, below in zip(rules, proof.cases, strict=True):
            one = branch.branch()
            of_one = writer.branch(one)
            of_one.assign_numbers(one.suppose(rule, proof.statement, proof.moment, known.number))
            cases.append(self.cases(below, one, of_one, ends))
        return replace(proof, known=number, notes=notes, cases=tuple(cases))


def _try_safely(
    step: ProofStep, source: Rule, context: SearchContext, introduce: Introduce | None, *, one_moment: bool
) -> StepResult:
    """Return the result of a step. An error of the search, such as an exhausted budget, is its problem."""
    try:
        return try_step(step, source, context, introduce, one_moment=one_moment)
    except (RejectedError, RecursionError, TypeError) as problem:
        return StepResult((), str(problem))


def _add_closed_consequences(context: SearchContext, writer: CertificateWriter) -> bool:
    """Write the consequences of closed conditions for known members; return whether there are any."""
    notes = list(context.close())
    for note in notes:
        writer.add(note)
    return bool(notes)


def _safely(search: Callable[[], Found]) -> Found:
    """Return the result of a search; False if its budget is exhausted, or words are compared with numbers."""
    try:
        return search()
    except (RejectedError, RecursionError, TypeError):
        return False
