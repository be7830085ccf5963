"""The option --all of `hornbook rules match`: the answers of every theory and rule base of a domain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hornbook.api.answers import Answer
from hornbook.api.learned_rules import LearnedRules
from hornbook.compiler.match.theory_conclusions import theory_conclusions
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import open_theory, with_rules
from hornbook.inputs.states import read_state
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.messages import print_json, print_line
from hornbook.terminal.screen import show_report


@dataclass(frozen=True, slots=True)
class SourceAnswers:
    """The answers of a theory's own rules, or of a rule base, about a position.

    `rules` is the file of the rule base, or None.
    """

    theory: Theory
    rules: Path | None
    answers: tuple[Answer, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the keys `theory`, `rules` (the name of the file, or None) and `answers`."""
        rules = None if self.rules is None else self.rules.name
        answers = [each.to_dict() for each in self.answers]
        return {"theory": self.theory.name, "rules": rules, "answers": answers}

    @property
    def title(self) -> str:
        source = "its own rules" if self.rules is None else f"the rules in `{self.rules.name}`"
        return f"theory `{self.theory.name}`, {source}: {counted(len(self.answers), 'answer')}"


def match_all(
    theory: str, rules: Path | None, position: Path, limits: Limits | None, *, json_output: bool
) -> bool:
    """Print the answers about a position by source, and return whether there is one.

    The sources are those of the domain of `theory`, or the theory itself if the domain names none, and the
    rules in the file `rules`.

    Raises:
        SpentError: A limit is exceeded.
    """
    found = []
    for each in _sources(theory, rules, position, limits):
        found.append(each)
        if not json_output:
            print_line(each.title)
            for answer in each.answers:
                show_report(f"  {answer}")
    if json_output:
        print_json([each.as_json() for each in found])
    return any(each.answers for each in found)


def _sources(name: str, rules: Path | None, position: Path, limits: Limits | None) -> Iterable[SourceAnswers]:
    """Yield the answers of one source after another."""
    known = open_theory(name, unchanged=True)
    if rules is not None:
        yield _of_rules(name, rules, position, limits)
    shipped = domain_argument(known, "what its games are").sources
    if not shipped:
        yield _of_theory(known, position, limits)
    for each in shipped:
        if each.rules is None:
            yield _of_theory(open_theory(str(each.theory)), position, limits)
        else:
            yield _of_rules(str(each.theory), each.rules, position, limits)


def _of_rules(theory: str, rules: Path, position: Path, limits: Limits | None) -> SourceAnswers:
    learned = with_rules(theory, rules)
    base = LearnedRules(learned.theory, learned.base, names=learned.active)
    answers = base.match(read_state(learned.theory, position), limits=limits)
    return SourceAnswers(learned.theory, rules, tuple(answers))


def _of_theory(theory: Theory, position: Path, limits: Limits | None) -> SourceAnswers:
    state = read_state(theory, position)
    queries = domain_argument(theory, "what its games are").questions(state.value, theory)
    no_rules = RuleBase(theory.name)
    conclusions = theory_conclusions(theory, queries, limits)
    return SourceAnswers(theory, None, tuple(Answer(state, no_rules, each) for each in conclusions))
