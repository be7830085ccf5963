"""A proof as a page with nested `<details>` elements, without scripts or other files.

Each step is below the first step that depends on it, and other places refer to it. Browsers flatten elements
that are nested hundreds of times, so steps nested too deeply get sections of their own. A small proof is
initially open. A large one is open near the goal.

Invariants: The same proof always gives the same text, and all content is escaped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from hornbook.kb.ast.terms import Rule
from hornbook.kb.explain.proof_outline import OutlineLine, outline
from hornbook.kb.explain.proof_steps import Step
from hornbook.kb.format.printer import print_rule
from hornbook.kb.text.escaping import NO_SCRIPTS, markup

SMALL = 12
"""The maximum number of steps of a proof that is initially open."""
NEAR = 2
"""The initially open depth of a larger proof."""
DEEPEST = 40
"""The maximum nesting of steps."""
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


def proof_fragment(steps: Sequence[Step], depth: int | None) -> Iterator[str]:
    """Yield the proof as lines of HTML that can be embedded in any page, such as a notebook."""
    yield f'<div class="hornbook-proof"><style>\n{_STYLE}</style>'
    yield from proof_tree(steps, depth)
    yield "</div>"


def proof_tree(
    steps: Sequence[Step],
    depth: int | None,
    opened: Container[int] | None = None,
    link: Callable[[Rule], str | None] = lambda _: None,
) -> Iterator[str]:
    """Yield the same lines without the style.

    Args:
        steps: The steps of the proof.
        depth: The depth of the display, or None.
        opened: The numbers of the open steps, from 1, as at the end of their element ids. With None, the size
            of the proof decides.
        link: Returns the address of the page for a rule.
    """
    yield from _PageWriter(steps, opened, link).lines(outline(steps, depth=depth, deepest=DEEPEST))


def proof_page(steps: Sequence[Step], depth: int | None) -> Iterator[str]:
    """Yield the lines of a complete document."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f"{NO_SCRIPTS}\n<title>{markup(steps[-1].says)}</title>\n</head>\n<body>"
    yield from proof_fragment(steps, depth)
    yield "</body>\n</html>"


class _PageWriter:
    """The writer of a proof's lines. It opens and closes elements for lines with nested lines."""

    def __init__(
        self, steps: Sequence[Step], opened: Container[int] | None, link: Callable[[Rule], str | None]
    ) -> None:
        self.is_small = len(steps) <= SMALL
        self.opened, self.link = opened, link
        # Two proofs on one page must not refer to each other's steps.
        digest = hashlib.sha256()
        for step in steps:
            digest.update(f"{step.says}\n{step.premises}\n".encode(errors="surrogatepass"))
        self.name = f"step-{digest.hexdigest()[:8]}"
        self.near = NEAR
        """The initially open depth. It is 0 in later sections."""

    def lines(self, lines: Iterable[OutlineLine]) -> Iterator[str]:
        to_close: list[int] = []
        end = OutlineLine(0, "remark", "")
        for line, following in pairwise(chain(lines, [end])):
            while to_close and to_close[-1] >= line.depth:
                to_close.pop()
                yield "</details>"
            if line.depth == 0 and line.kind != "goal":
                self.near = 0
            if following.depth > line.depth or line.kind == "goal":
                to_close.append(line.depth)
                yield f"<details{self.place(line)}{self.is_open(line)}>{self.opening(line)}"
            else:
                kind = ' class="given"' if line.kind == "given" else ""
                yield f"<p{kind}>{self.content(line)}</p>"
        yield from ["</details>"] * len(to_close)

    def opening(self, line: OutlineLine) -> str:
        """Return the text of a step, and a link to its rule below. A link within the summary would be pressed
        with it.
        """
        link = None if line.rule is None else self.link(line.rule)
        if line.rule is None or link is None:
            return f"<summary>{self.content(line)}</summary>"
        place = line.rule.span.place
        named = replace(line, origin=line.origin.removesuffix(f", {place}"))
        by = f'rule in <a href="{markup(link)}">{markup(place)}</a>'
        return f'<summary>{self.content(named)}</summary><p class="by">{by}</p>'

    def is_open(self, line: OutlineLine) -> str:
        if self.opened is not None:
            return ' open=""' if line.step is None or line.step + 1 in self.opened else ""
        return ' open=""' if self.is_small or (line.step is not None and line.depth < self.near) else ""

    def place(self, line: OutlineLine) -> str:
        """Return the id attribute of a step for references from other lines."""
        if line.step is None:
            return ""
        return f' id="{self.name}-{line.step + 1}"' + (' class="goal"' if line.kind == "goal" else "")

    def content(self, line: OutlineLine) -> str:
        """Return the text and the origin of a line. The rule itself is a tooltip on its name."""
        if line.kind == "remark":
            return f"<small>{markup(line.text())}</small>"
        origin = markup(line.origin)
        if line.kind == "reference":
            assert line.step is not None
            origin = f'<a href="#{self.name}-{line.step + 1}">{origin}</a>'
        elif line.mark is not None:
            origin += f" #{line.mark}"
        rule = "" if line.rule is None else f' title="{markup(print_rule(line.rule).rstrip())}"'
        return f"<code>{markup(line.says)}</code> <small{rule}>{origin}</small>{' …' if line.cut else ''}"
