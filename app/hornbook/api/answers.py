"""The answers of learned rules about a position: each with its move, its reasons, its lines of play, and a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.prove.lines_of_play import lines_of_play
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import State
from hornbook.kb.ast.substitution import apply_to_condition, statement_at
from hornbook.kb.ast.terms import Condition
from hornbook.kb.explain.words import Words
from hornbook.kb.format.printer import print_condition, print_term
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.lines import lines_of
from hornbook.theories.not_said import NotSaidError


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """The answer of one rule about a position. Made by `LearnedRules.match`; a notebook shows its picture."""

    state: State
    base: RuleBase
    said: Conclusion

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.said.rule

    @property
    def statement(self) -> str:
        """What it concludes, in the language: `take(c1) by move(black, d1) is GI`."""
        return print_condition(statement_at(self.said.statement, None, self.state.theory.vocabulary))

    @property
    def game(self) -> str:
        """The game that the conclusion is about: `take(c1)`."""
        return print_condition(self.said.statement.game).removeprefix("before ")

    @property
    def value(self) -> str:
        """The game's value: `GI` is won by the move, `IG` is won although the opponent plays first."""
        return print_term(self.said.statement.value)

    @property
    def move(self) -> str | None:
        """The move that wins, where one is named: `move(black, d1)`."""
        by = self.said.statement.by
        return None if by is None else print_condition(by)

    @property
    def bindings(self) -> Mapping[str, str | int]:
        """The values of the rule's variables here, by name without the mark."""
        return {name: c.value for name, c in sorted(self.said.bindings.items()) if name.isidentifier()}

    @property
    def conditions(self) -> tuple[str, ...]:
        """The rule's conditions with their values here."""
        return tuple(dict.fromkeys(map(print_condition, self._met())))

    @property
    def lines_of_play(self) -> tuple[str, ...]:
        """What the rule's proof plays here: each reply that it distinguishes, and the answer, indented by depth."""
        return tuple(lines_of_play(self.base, self.state.theory, self.rule, self.said.bindings))

    @property
    def proof(self) -> str:
        """The rule's certificate: the steps by which it follows from the theory, on every board; empty if it has none."""
        certificate = self.base.entries[self.rule].certificate
        return "" if certificate is None else certificate_text(certificate)

    def _met(self) -> list[Condition]:
        return [apply_to_condition(c, self.said.bindings) for c in self.base.entries[self.rule].rule.body]

    def __str__(self) -> str:
        bindings = ", ".join(f"?{name} = {value}" for name, value in self.bindings.items())
        return f"{self.statement}  [{self.rule}: {bindings}]"

    def __repr__(self) -> str:
        return visible(f"<answer {self.statement}, by {self.rule}>")

    def why(self) -> str:
        """The conditions with their values, what the proof plays here, and its steps."""
        played = [f"    {line}" for line in self.lines_of_play]
        steps = [f"  {line}" for line in lines_of(self.proof)]
        return "\n".join([*(f"  {c}" for c in self.conditions), "  lines of play:", *played, *steps])

    def svg(self) -> str:
        """The state with what the rule speaks of marked, by what it asks of it. Raises NoPictureError as a state does."""
        domain = the_domain(self.state.theory, "how its states are drawn", NoPictureError)
        title = f"{self.statement}  [{self.rule}]"
        words = Words(self.state.theory.vocabulary.predicates)
        try:
            return domain.marked_picture(self.state.value, self.said.statement, self._met(), title, words)
        except NotSaidError as problem:
            raise NoPictureError(str(problem)) from None

    def as_json(self) -> dict[str, Any]:
        """`{rule, game, value, move, bindings}`."""
        return {
            "rule": self.rule,
            "game": self.game,
            "value": self.value,
            "move": self.move,
            "bindings": dict(self.bindings),
        }

    def _repr_html_(self) -> str:
        """The picture, and below it, to be opened, what the rule asks, what its proof plays, and its steps."""
        why = f"<details><summary><small>why</small></summary><pre>{markup(self.why())}</pre></details>"
        return f"{self.svg()}{why}"

    def _repr_svg_(self) -> str:
        return self.svg()


_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')


def one_below_the_other(pictures: Iterable[str]) -> str:
    """Pictures of boards as one SVG document."""
    placed, width, height = [], 0, 0
    for picture in pictures:
        size = _SIZE.match(picture)
        assert size is not None
        placed.append(picture.replace("<svg ", f'<svg y="{height}" ', 1).rstrip("\n"))
        width, height = max(width, int(size[1])), height + int(size[2])
    size_of_all = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size_of_all}>', *placed, "</svg>", ""])
