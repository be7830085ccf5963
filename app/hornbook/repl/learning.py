"""Learning at the prompt: from the current facts, from typed facts, or from an example of the theory.

A learned rule must follow from the theory alone, so rules typed in the session are not used. An admitted rule
can then be verified wherever the theory is available.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.compiler.learn.learning import Example, ExampleProgress, example_of, learn_all
from hornbook.compiler.learn.shortening.shortening import continued
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Statement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.repl.request import halves
from hornbook.repl.session import TYPED, Session, SessionError

MAX_NAMES = 5
"""The maximum number of examples named in the message that there is nothing to learn from."""


def learn(session: Session, text: str) -> ExampleProgress:
    """Learn from one example, and store the resulting rules as pending in the session.

    Raises TheoryError, SessionError, KnowledgeBaseError and NotDerivedError.
    """
    example, theory = _example(session, text)
    (progress,) = learn_all([example], theory, session.learned)
    base = continued(progress.base, theory)
    admitted = tuple(base.entries[entry.rule.name] for entry in progress.admitted)
    progress = replace(progress, base=base, admitted=admitted)
    session.pending = progress if progress.admitted else None
    return progress


def lines(progress: ExampleProgress, session: Session) -> Iterator[str]:
    """Yield the rules with their proofs, and the reasons why there are no others."""
    outcome = progress.outcome
    if outcome.fault:
        raise SessionError(outcome.fault)
    for entry in progress.admitted:
        yield print_rule(entry.rule).rstrip()
        assert entry.certificate is not None
        yield certificate_text(entry.certificate)
    for entry, by in progress.subsumed:
        assert entry.provenance is not None
        yield f"`{entry.provenance.goal}` gives a rule that says no more than {by}, which is here already"
    yield from map(str, progress.repeating)
    for refused in outcome.refused:
        yield str(refused)
    for gap in outcome.gaps:
        yield f"gap: {gap}"
    if outcome.gaps and any(session.base.holds(gap.goal) for gap in outcome.gaps):
        yield "the proof uses added rules; write them into the theory to learn from it"
    if progress.dropped:
        yield f"more general than {', '.join(progress.dropped)}, which it replaces"
    if progress.admitted:
        yield "`:keep` admits it" if len(progress.admitted) == 1 else "`:keep` admits them"
    elif not (progress.subsumed or progress.repeating or outcome.refused or outcome.gaps):
        yield (
            "nothing to learn: name a goal as in `learn FACT`,"
            " or add an action that achieves something in a game"
        )
        names = [f"`learn {example.name}`" for example in session.base.theory.examples[:MAX_NAMES]]
        if names:
            yield f"the theory's examples can be learned from too: {', '.join(names)}"


def _example(session: Session, text: str) -> tuple[Example, Theory]:
    """Return the example to learn from, and the theory that proves it."""
    theory = session.base.theory
    named = {example.name: example for example in theory.examples}.get(text.strip(" \n."))
    if named is not None:
        expected = [
            e.conditions[0] for e in theory.expects if e.example == named.name and len(e.conditions) == 1
        ]
        goals = [c for c in expected if isinstance(c, Atom | GameStatement)]
        ground = tuple(goal for goal in goals if all(isinstance(term, Constant) for term in goal.terms))
        return replace(example_of(theory, named), goals=ground), theory
    goal_text, facts_text = halves(text, "FROM")
    if facts_text is None:
        theory, facts = _as_it_is_here(session), session.facts()
    else:
        facts = session.facts_in(facts_text)
    facts += session.menu(facts)
    goals_found = () if not goal_text.strip(" \n.") else (_goal(session, goal_text, theory, facts),)
    return Example("a session", TYPED, tuple(facts), goals_found), theory


def _as_it_is_here(session: Session) -> Theory:
    """Return the theory without its retracted facts. Raises SessionError if one of them is static."""
    theory = session.base.theory
    retracted = session.retracted()
    for fact in retracted:
        if not theory.vocabulary.predicates[fact.relation].has_tense:
            problem = (
                f"`{session.shown(fact)}` was retracted, and proofs may depend on it: the theory states it"
            )
            raise SessionError(f"{problem}; `:undo`, or take it out of the theory")
    return replace(
        theory, facts=tuple(f for f in theory.facts if session.as_coded(ground_fact(f)) not in retracted)
    )


def _goal(session: Session, text: str, theory: Theory, facts: list[GroundFact]) -> Statement:
    """Return the goal in a text. For a pattern it is the first answer in the state of these facts."""
    query = session.base.engine.parse_query(text)
    condition = query.conditions[0]
    if len(query.conditions) > 1 or not isinstance(condition, Atom | GameStatement):
        problem = error("HB001", "a rule is learned from one goal", query.span, "name one, as in `cup(obj1)`")
        raise TheoryError([problem], {"<query>": text})
    if all(isinstance(term, Constant) for term in condition.terms):
        return condition
    base = KnowledgeBase(theory)
    base.add(facts)
    answers = base.engine.query(Query((condition,), condition.span))
    if not answers or any(getattr(term, "is_wildcard", False) for term in condition.terms):
        shown = print_condition(condition)
        raise NotDerivedError(
            f"`{shown}` is not derived from the theory; `why-not` shows what is missing"
            if not answers
            else f"`{shown}` has a wildcard; give it a name, as in `?x`"
        )
    found = dict(zip(answers.variables, map(Constant, answers.rows[0]), strict=True))
    return apply_to_statement(condition, found)
