"""A proof as a page on which it is opened step by step: nested `<details>`, without a script or another file.

Each step stands under the first that rests on it, and elsewhere is referred to. Steps that lie too deep for browsers, which
flatten what is nested hundreds of times, stand in sections of their own below. A small proof is open, of a large one only
what is near to the goal. The same proof always gives the same text, and everything shown is escaped.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from kb.printer import print_condition, print_rule
from kb.terms import Statement

if TYPE_CHECKING:
    from kb.proof import Proof, Reason, Step

SMALL = 12
"""A proof of so few steps is shown open."""
NEAR = 2
"""Of a larger one, what is less deep than this."""
DEEPEST = 40
"""So many steps are nested at most."""
_STYLE = """\
.hornbook-proof { font: 14px/1.6 system-ui, sans-serif; color: #18181b; }
.hornbook-proof details, .hornbook-proof p { margin: 0 0 0 1.2em; }
.hornbook-proof > details { margin-left: 0; }
.hornbook-proof summary { cursor: pointer; }
.hornbook-proof code { font-family: ui-monospace, Menlo, Consolas, monospace; background: #f4f4f5; color: #18181b;
  padding: 0 .3em; border-radius: 3px; }
.hornbook-proof .given > code { background: #e0f2fe; }
.hornbook-proof .goal > summary > code { background: #dcfce7; }
.hornbook-proof small { color: #52525b; }
.hornbook-proof :target > summary { outline: 2px solid #a16207; }
"""


def proof_fragment(proof: Proof) -> str:
    """The proof as a piece of HTML that can stand in any page, a notebook's among them."""
    return "\n".join(
        [f'<div class="hornbook-proof"><style>\n{_STYLE}</style>', *_Writing(proof).lines(), "</div>", ""]
    )


def proof_page(proof: Proof) -> str:
    """The proof as a document of its own."""
    title = escape(print_condition(proof.goal))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
        f"{proof_fragment(proof)}</body>\n</html>\n"
    )


class _Writing:
    """Writes a proof's steps; `written` are those that have their place, `waiting` those that get a section."""

    def __init__(self, proof: Proof) -> None:
        self.steps = proof.steps
        self.is_small = len(self.steps) <= SMALL
        # Two proofs on one page do not refer to each other's steps.
        self.mark = hashlib.sha256(proof.text().encode()).hexdigest()[:8]
        last = len(self.steps) - 1
        self.written = {last}
        self.waiting = deque([last])
        self.near = NEAR
        """Steps less deep than this are open; in later sections none is."""

    def lines(self) -> Iterator[str]:
        while self.waiting:
            yield from self.step(self.waiting.popleft(), 0)
            self.near = 0

    def step(self, number: int, depth: int) -> Iterator[str]:
        """A derived step with what it rests on."""
        step = self.steps[number]
        assert step.rule is not None or number == len(self.steps) - 1
        kind = ' class="goal"' if number == len(self.steps) - 1 else ""
        is_open = ' open=""' if self.is_small or depth < self.near else ""
        yield f'<details id="{self.name(number)}"{kind}{is_open}><summary>{_said(step)}</summary>'
        for reason in step.reasons:
            yield from self.reason(reason, depth + 1)
        yield "</details>"

    def reason(self, reason: Reason, depth: int) -> Iterator[str]:
        if isinstance(reason.condition, Statement):
            for number in reason.steps:
                yield from self.below(number, depth)
        elif not reason.steps:
            yield f"<p>{_code(print_condition(reason.condition))} <small>holds</small></p>"
        else:
            summary = f"{_code(print_condition(reason.condition))} <small>holds</small>"
            is_open = ' open=""' if self.is_small else ""
            yield f"<details{is_open}><summary>{summary}</summary>"
            for number in reason.steps:
                yield from self.below(number, depth + 1)
            yield "</details>"

    def below(self, number: int, depth: int) -> Iterator[str]:
        """A step under one that rests on it: in full, or as a reference to where it stands."""
        step = self.steps[number]
        if step.rule is None:
            yield f'<p class="given">{_said(step)}</p>'
        elif number in self.written or depth >= DEEPEST:
            word = "above" if number in self.written and number not in self.waiting else "below"
            if number not in self.written:
                self.written.add(number)
                self.waiting.append(number)
            fact = _code(print_condition(step.conclusion))
            yield f'<p>{fact} <small><a href="#{self.name(number)}">shown {word}</a></small></p>'
        else:
            self.written.add(number)
            yield from self.step(number, depth)

    def name(self, number: int) -> str:
        return f"step-{self.mark}-{number + 1}"


def _said(step: Step) -> str:
    """A fact and where it comes from; the rule itself shows where one points at its name."""
    rule = "" if step.rule is None else f' title="{escape(print_rule(step.rule).rstrip())}"'
    return f"{_code(print_condition(step.conclusion))} <small{rule}>{escape(step.origin)}</small>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
