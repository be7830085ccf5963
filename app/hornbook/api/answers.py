"""Answers of learned rules about a state: each has a conclusion, reasons, and in games lines of play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.prove.lines_of_play import lines_of_play
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.compiler.rules.definitions import written_out
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import State
from hornbook.kb.ast.substitution import apply_to_condition, statement_at
from hornbook.kb.ast.terms import Condition, GameStatement
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.format.printer import print_condition, print_term
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.missing_member import MissingMemberError


@renamed_members
@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """The answer of one rule about a state: the value of a game, or a fact.

    `LearnedRules.match` returns answers. In a notebook an answer displays its picture.
    """

    state: State
    base: RuleBase
    conclusion: Conclusion
    """The conclusion of the rule about the state."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.conclusion.rule

    @property
    def statement(self) -> str:
        """The conclusion in the language: `take(c1) by move(black, d1) is GI`, or `after ready(m1)`."""
        concluded = self.conclusion.statement
        if concluded.tense == "after":
            return print_condition(concluded)
        return print_condition(statement_at(concluded, None, self.state.theory.vocabulary))

    @property
    def _about_game(self) -> GameStatement | None:
        concluded = self.conclusion.statement
        return concluded if isinstance(concluded, GameStatement) else None

    @property
    def game(self) -> str | None:
        """The game of the conclusion, such as `take(c1)`; None if the rule concludes a fact."""
        of_game = self._about_game
        return None if of_game is None else print_condition(of_game.game).removeprefix("before ")

    @property
    def value(self) -> str | None:
        """The value of the game; None if the rule concludes a fact.

        With `GI` the move wins. With `IG` the game is won even if the opponent moves first.
        """
        of_game = self._about_game
        return None if of_game is None else print_term(of_game.value)

    @property
    def move(self) -> str | None:
        """The winning move, such as `move(black, d1)`; None if the conclusion names no move."""
        of_game = self._about_game
        return None if of_game is None or of_game.by is None else print_condition(of_game.by)

    @property
    def bindings(self) -> Mapping[str, str | int]:
        """The values bound to the rule's variables, by variable name without the `?`."""
        return {name: c.value for name, c in sorted(self.conclusion.bindings.items()) if name.isidentifier()}

    @property
    def conditions(self) -> tuple[str, ...]:
        """The body literals of the rule, with the bindings of this answer applied."""
        return tuple(dict.fromkeys(map(print_condition, self._met())))

    @property
    def lines_of_play(self) -> tuple[str, ...]:
        """The lines that the rule's proof plays in this position.

        There is one line for each reply that the proof distinguishes and for each answer to it, indented by
        depth. A rule that concludes a fact has none.
        """
        if self._about_game is None:
            return ()
        return tuple(lines_of_play(self.base, self.state.theory, self.rule, self.conclusion.bindings))

    @property
    def proof(self) -> str:
        """The text of the rule's certificate, or an empty string if the rule has none.

        The certificate is the derivation of the rule from the theory. It is valid on every board.
        """
        certificate = self.base.entries[self.rule].certificate
        return "" if certificate is None else certificate_text(certificate)

    def _met(self) -> list[Condition]:
        rule = written_out(self.base.entries[self.rule].rule, self.state.theory)
        return [apply_to_condition(c, self.conclusion.bindings) for c in rule.body]

    def __str__(self) -> str:
        bindings = ", ".join(f"?{name} = {value}" for name, value in self.bindings.items())
        return f"{self.statement}  [{self.rule}: {bindings}]"

    def __repr__(self) -> str:
        return visible(f"<answer {self.statement}, by {self.rule}>")

    def why(self) -> str:
        """Return the conditions with their values, the lines of play, and the proof steps, as text."""
        played = [f"    {line}" for line in self.lines_of_play]
        played = played if self._about_game is None else ["  lines of play:", *played]
        steps = [f"  {line}" for line in lines_of(self.proof)]
        return "\n".join([*(f"  {c}" for c in self.conditions), *played, *steps])

    def to_svg(self) -> str:
        """Return the state as SVG, with the parts marked that the rule's literals refer to.

        Raises:
            NoPictureError: If no domain draws states of this theory.
        """
        domain = the_domain(self.state.theory, "how its states are drawn", NoPictureError)
        title = f"{self.statement}  [{self.rule}]"
        words = Words(self.state.theory.vocabulary.predicates)
        of_game = self._about_game
        try:
            if of_game is None:
                return domain.picture(self.state.value, title)
            return domain.marked_picture(self.state.value, of_game, self._met(), title, words)
        except MissingMemberError as problem:
            raise NoPictureError(str(problem)) from None

    def to_dict(self) -> dict[str, Any]:
        """Return a dict with the keys `rule`, `game`, `value`, `move` and `bindings`.

        If the rule concludes a fact, the keys are `rule`, `conclusion` and `bindings`.
        """
        if self._about_game is None:
            return {"rule": self.rule, "conclusion": self.statement, "bindings": dict(self.bindings)}
        return {
            "rule": self.rule,
            "game": self.game,
            "value": self.value,
            "move": self.move,
            "bindings": dict(self.bindings),
        }

    def _repr_html_(self) -> str:
        """Return the picture and a collapsed section with conditions, lines of play and proof steps.

        Without a domain that draws the state, the text of the answer takes the place of the picture.
        """
        why = f"<details><summary><small>why</small></summary><pre>{markup(self.why())}</pre></details>"
        try:
            return f"{self.to_svg()}{why}"
        except NoPictureError:
            return f"<p><code>{markup(str(self))}</code></p>{why}"

    def _repr_svg_(self) -> str | None:
        try:
            return self.to_svg()
        except NoPictureError:
            return None


_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')


def one_below_the_other(pictures: Iterable[str]) -> str:
    """Return pictures of boards as one SVG document, each below the one before."""
    placed, width, height = [], 0, 0
    for picture in pictures:
        size = _SIZE.match(picture)
        assert size is not None
        placed.append(picture.replace("<svg ", f'<svg y="{height}" ', 1).rstrip("\n"))
        width, height = max(width, int(size[1])), height + int(size[2])
    size_of_all = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size_of_all}>', *placed, "</svg>", ""])
