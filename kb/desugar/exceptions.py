"""Exceptions: the core rules of rules that overrule other rules.

`reduced exception to ordinary: rate(?p, 5) :- child(?p).` overrules the rule `ordinary` wherever it applies.
The *subject* of a conclusion consists of the columns before the arrow of its predicate, or of all columns.
For a subject, the rule `ordinary` concludes nothing if its exception `reduced` applies. The expansion:

    derived reduced_applies(person).
    reduced:         rate(?p, 5) :- child(?p).
    reduced_applies: reduced_applies(?p) :- child(?p).
    ordinary:        rate(?p, 20) :- person(?p), absent reduced_applies(?p).

An exception can have exceptions. It applies if its conditions hold and none of its own exceptions applies, or
if an exception to it concludes something, since this conclusion also replaces that of the first rule. This is
the meaning of nested defaults (Merigoux, Chataing and Protzenko 2021), with one addition: a head with
`absent` only suspends a rule and concludes nothing, as a defeater does (Nute 1994). If an exception is
suspended, the rule that it would overrule applies again.

Two exceptions that apply to one subject with different values give two facts for one key. Every engine
reports this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hornbook.kb.ast.declarations import Clause, ExceptedLabel, ExceptionRule, Predicate, Says
from hornbook.kb.ast.terms import (
    Absent,
    Atom,
    Condition,
    Rule,
    Variable,
    predicate_of,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.desugar.alternatives import with_numbered_wildcards
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.stratify import strong_components

CONCLUDED_KINDS = ("static", "fluent", "derived", "meta")
"""The kinds of predicates whose rules can have exceptions."""


@dataclass(frozen=True, slots=True)
class ExpandedFiles:
    """The clauses of each file without exceptions, and the mistakes about exceptions in the last file.

    An exception with a mistake is left out.
    """

    clauses: tuple[tuple[Clause, ...], ...]
    problems: tuple[Diagnostic, ...]


def without_exceptions(files: Sequence[Sequence[Clause]], words: Vocabulary) -> ExpandedFiles:
    """Return the clauses of a file and its imports, with the core rules of their exceptions.

    The last file is the importing one. `words` is the vocabulary of all files.
    """
    written = [clause for file in files for clause in file if isinstance(clause, ExceptionRule)]
    if not written:
        return ExpandedFiles(tuple(map(tuple, files)), ())
    theory = _Exceptions([clause for file in files for clause in file], words)
    clauses = tuple(tuple(core for clause in file for core in theory.core(clause)) for file in files)
    return ExpandedFiles(clauses, tuple(problem for clause in files[-1] for problem in theory.found(clause)))


def applies(label: str) -> str:
    """Return the name of the predicate that holds for the subjects to which an exception applies."""
    return f"{label}_applies"


def written_label(rule: Rule) -> str | None:
    """Return the label in the text of a core rule. The rules of a rule with `or` have numbers after it."""
    if rule.label is None or not rule.alternative:
        return rule.label
    return rule.label.removesuffix(f"_{rule.alternative}")


def rules_in_text(rules: Sequence[Rule], words: Vocabulary) -> Iterator[tuple[int, Rule]]:
    """Yield the core rules of a theory that stand for a rule of its text, each with its index.

    A rule that states where an exception applies stands for the exception if this only suspends others.
    Otherwise the rule with the conclusion of the exception does.
    """
    labels = {written_label(rule) for rule in rules}
    for index, rule in enumerate(rules):
        predicate = words.predicates.get(predicate_of(rule.head))
        label = None if predicate is None else predicate.exception
        if label is None:
            yield index, rule
        elif label not in labels and written_label(rule) == applies(label):
            number = f"_{rule.alternative}" if rule.alternative else ""
            yield index, replace(rule, label=f"{label}{number}")


def stated_elsewhere(label: str, rule: Rule) -> Diagnostic:
    """Return HB078 for a fact or rule that states where an exception applies."""
    message = f"only the exception `{label}` states where it applies"
    help_ = f"write the conditions into `{label}`, or a second exception to the same rule"
    return error("HB078", message, rule.span, help_)


class _Exceptions:
    """The exceptions of a theory without mistakes, by the label of the rule that they overrule."""

    def __init__(self, clauses: Sequence[Clause], words: Vocabulary) -> None:
        self.words = words
        self.rules: dict[str, Rule] = {}
        """The first core rule of each label."""
        for clause in clauses:
            if isinstance(clause, Rule) and (label := written_label(clause)) is not None:
                self.rules.setdefault(label, clause)
            elif isinstance(clause, ExceptionRule):
                self.rules.setdefault(clause.label, clause.rules[0])
        written = [clause for clause in clauses if isinstance(clause, ExceptionRule)]
        self.named = {each.label: each for each in reversed(written)}
        above: dict[str, set[str]] = {label: set() for label in self.rules}
        for each in written:
            above[each.label] |= {excepted.name for excepted in each.excepted if excepted.name in above}
        self.circles = {label: circle for circle in strong_components(above) for label in circle}
        """The labels that are exceptions to each other, by each of them."""
        self.applying = {
            applies(label): label for label in self.named if applies(label) not in words.predicates
        }
        """The label of each exception, by the name of the predicate that holds where it applies."""
        self.problems: dict[int, tuple[Diagnostic, ...]] = {}
        self.to: dict[str, list[ExceptionRule]] = {}
        for each in written:
            found = tuple(self._problems(each))
            if found:
                self.problems[id(each)] = found
            elif self._fits(each):
                for excepted in each.excepted:
                    self.to.setdefault(excepted.name, []).append(each)

    # Mistakes

    def found(self, clause: Clause) -> Iterator[Diagnostic]:
        """Yield the mistakes in an exception, or in a fact or rule that states where one applies."""
        yield from self.problems.get(id(clause), ())
        if not isinstance(clause, Rule) or clause.lemma:
            return
        label = self.applying.get(predicate_of(clause.head))
        # A fact of a derived predicate is another mistake.
        if label is not None and not (clause.is_fact and not self._is_unchanging(self.named[label])):
            yield stated_elsewhere(label, clause)

    def _fits(self, clause: ExceptionRule) -> bool:
        """Return whether the head of an exception fits a declaration. Otherwise its core rules have a
        mistake.
        """
        head = clause.rules[0].head
        predicate = self.words.predicates.get(head.predicate) if isinstance(head, Atom) else None
        return predicate is not None and len(predicate.columns) == len(head.terms)

    def _is_unchanging(self, clause: ExceptionRule) -> bool:
        predicate = self.words.predicates.get(predicate_of(clause.rules[0].head))
        return predicate is not None and predicate.kind == "static"

    def _problems(self, clause: ExceptionRule) -> Iterator[Diagnostic]:
        """Yield HB078."""
        head = clause.rules[0].head
        predicate = self.words.predicates.get(head.predicate) if isinstance(head, Atom) else None
        if not isinstance(head, Atom) or (predicate and predicate.kind not in CONCLUDED_KINDS):
            message = "an exception concludes a static, fluent or derived predicate"
            yield error("HB078", message, head.span, "state the value of a game by its own rules")
            return
        if predicate is None or not self._fits(clause):
            return
        if head.tense == "after":
            message = "a rule about the moment after an action has no exceptions"
            help_ = (
                "conclude a derived predicate before the action with exceptions, and let this rule read it"
            )
            yield error("HB078", message, head.span, help_)
            return
        if (taken := self.words.predicates.get(applies(clause.label))) is not None:
            message = f"the exception `{clause.label}` needs the name `{taken.name}`, which is declared"
            yield error("HB078", message, clause.span, f"give one of them another name; see {taken.span}")
        if clause.suspends:
            yield from _suspension_problems(head, predicate)
        for excepted in clause.excepted:
            yield from self._excepted_problems(clause, excepted, head, predicate)

    def _excepted_problems(
        self, clause: ExceptionRule, excepted: ExceptedLabel, head: Atom, predicate: Predicate
    ) -> Iterator[Diagnostic]:
        rule = self.rules.get(excepted.name)
        if rule is None:
            message = f"no rule has the label `{excepted.name}`"
            help_ = did_you_mean(excepted.name, self.rules) or "write the label of a rule before its colon"
            fixes = spelling_fixes(excepted.span, excepted.name, self.rules)
            yield error("HB078", message, excepted.span, help_, fixes)
            return
        if self.circles[clause.label] == self.circles[excepted.name]:
            both = f"`{clause.label}` and `{excepted.name}` are exceptions to each other"
            message = "a rule is an exception to itself" if clause.label == excepted.name else both
            help_ = "leave out one of the two, so that one rule is the last to be overruled"
            yield error("HB078", message, excepted.span, help_)
            return
        if not isinstance(rule.head, Atom) or rule.head.predicate != head.predicate:
            message = (
                f"`{excepted.name}` concludes `{rule.head.relation}`, but this exception `{head.predicate}`"
            )
            help_ = "an exception concludes the predicate of the rule that it overrules"
            yield error("HB078", message, excepted.span, help_)
        elif rule.head.tense != head.tense:
            message = f"`{excepted.name}` does not conclude `{head.predicate}` at the same moment"
            yield error("HB078", message, excepted.span, "use the same tense word in both heads")
        elif rule.lemma:
            message = f"`{excepted.name}` is a lemma, and lemmas have no exceptions"
            yield error("HB078", message, excepted.span, "name a rule of the theory")
        elif predicate.key is None and not clause.suspends and not self._suspends(excepted.name):
            message = f"this exception concludes the same as `{excepted.name}`, so it changes nothing"
            help_ = (
                f"write `absent {head.predicate}(…)` in its head if `{excepted.name}` does not apply, or "
                f"declare `{head.predicate}` with `->` before the columns of its value"
            )
            yield error("HB078", message, excepted.span, help_)

    def _suspends(self, label: str) -> bool:
        named = self.named.get(label)
        return named is not None and named.suspends

    # Core rules

    def core(self, clause: Clause) -> Iterator[Clause]:
        """Yield the core clauses of a clause."""
        match clause:
            case Rule():
                label = written_label(clause)
                yield clause if label not in self.to else self._overruled(clause, label)
            case ExceptionRule():
                if id(clause) not in self.problems:
                    yield from self._core(clause)
            case _:
                yield clause

    def _overruled(self, rule: Rule, label: str) -> Rule:
        """Return a rule with the condition that no exception to it applies."""
        tests = tuple(Absent((self._applies(each, rule),), rule.head.span) for each in self.to.get(label, ()))
        return replace(rule, body=(*rule.body, *tests))

    def _core(self, clause: ExceptionRule) -> Iterator[Clause]:
        if not self._fits(clause):
            yield from clause.rules
            return
        head = clause.rules[0].head
        assert isinstance(head, Atom)
        predicate = self.words.predicates[head.predicate]
        columns = predicate.columns[: _subject_width(predicate)]
        unchanging = self._is_unchanging(clause)
        yield Predicate(
            "static" if unchanging else "derived",
            applies(clause.label),
            columns,
            complete=unchanging,
            stated=unchanging,
            says=Says(_sentence(clause.label, len(columns))),
            span=clause.span,
            exception=clause.label,
        )
        for rule in clause.rules:
            overruled = self._overruled(rule, clause.label)
            if not clause.suspends:
                yield overruled
            yield self._applies_if(clause, overruled.body, rule)
        for concluding in {each.label: each for each in self._concluding(clause.label)}.values():
            # An exception that concludes something also replaces the conclusion of the rule above.
            rule = concluding.rules[0]
            variables = tuple(Variable(f"subject_{place}") for place in range(1, len(columns) + 1))
            subject = Atom(applies(clause.label), variables, rule.head.tense, clause.span)
            below = Atom(applies(concluding.label), variables, rule.head.tense, concluding.span)
            label = f"{applies(clause.label)}_by_{concluding.label}"
            yield Rule(subject, (below,), label, clause.span)

    def _concluding(self, label: str) -> Iterator[ExceptionRule]:
        """Yield the nearest exceptions below a rule that conclude something."""
        found: set[int] = set()
        waiting = self.to.get(label, [])[::-1]
        while waiting:
            each = waiting.pop()
            if id(each) in found:
                continue
            found.add(id(each))
            if each.suspends:
                waiting += self.to.get(each.label, [])[::-1]
            else:
                yield each

    def _applies_if(self, clause: ExceptionRule, body: Sequence[Condition], rule: Rule) -> Rule:
        number = f"_{rule.alternative}" if rule.alternative else ""
        label = f"{applies(clause.label)}{number}"
        made = replace(rule, head=self._applies(clause, rule), body=tuple(body), label=label)
        return with_numbered_wildcards(made)

    def _applies(self, clause: ExceptionRule, rule: Rule) -> Atom:
        """Return the statement that an exception applies to the subject of a rule."""
        head = rule.head
        assert isinstance(head, Atom)
        width = _subject_width(self.words.predicates[head.predicate])
        return Atom(applies(clause.label), head.arguments[:width], head.tense, head.span)


def _subject_width(predicate: Predicate) -> int:
    return len(predicate.columns) if predicate.key is None else predicate.key


def _sentence(label: str, width: int) -> str:
    subject = ", ".join(f"?{place}" for place in range(1, width + 1))
    return f"the exception {label} applies" + (f" to {subject}" if subject else "")


def _suspension_problems(head: Atom, predicate: Predicate) -> Iterator[Diagnostic]:
    """Yield HB078 for a head with `absent` that states a value."""
    for term in head.arguments[_subject_width(predicate) :]:
        if not (isinstance(term, Variable) and term.is_wildcard):
            message = "an exception with `absent` suspends a rule for every value"
            yield error("HB078", message, term.span, "write `_` after the columns of the subject")


__all__ = [
    "ExpandedFiles",
    "applies",
    "rules_in_text",
    "stated_elsewhere",
    "without_exceptions",
    "written_label",
]
