"""A proof as a page with nested `<details>` elements, without scripts or other files.

Each step is below the first step that depends on it, and other places refer to it. Browsers flatten elements
that are nested hundreds of times, so steps nested too deeply get sections of their own. A small proof is
initially open. A large one is open near the goal.

Invariants: The same proof always gives the same text, and all content is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Literal

from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_rule
from hornbook.kb.text.escaping import NO_SCRIPTS, markup
from hornbook.matcher.program.dataclass import dataclass

LineKind = Literal["goal", "derived", "given", "condition", "reference", "remark"]
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


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One line of an outline, with its origin.

    - `step`: The number of the step that the line shows or refers to.
    - `mark`: The number of the step in references from other lines.
    - `rule`: The rule that derived the step.
    - `cut`: Whether the premises of the step are left out.
    """

    depth: int
    kind: LineKind
    says: str
    origin: str = ""
    step: int | None = None
    mark: int | None = None
    rule: Rule | None = None
    cut: bool = False

    def text(self) -> str:
        """Return the line as plain text, without its indent."""
        origin = f"  [{self.origin}]" if self.origin else ""
        mark = f" #{self.mark}" if self.mark is not None and self.kind != "reference" else ""
        return f"{self.says}{origin}{mark}{' …' if self.cut else ''}"


@dataclass(frozen=True, slots=True)
class Outline:
    """A proof as the lines of a page, nested about DEEPEST times at most.

    - `title`: The title of the page.
    - `name`: The prefix of element ids. Two proofs on one page must not refer to each other's steps.
    - `size`: The number of steps of the proof.
    """

    title: str
    name: str
    size: int
    lines: Iterable[OutlineLine]


def outline_page(outline: Outline) -> Iterator[str]:
    """Yield the lines of a complete document."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f"{NO_SCRIPTS}\n<title>{markup(outline.title)}</title>\n</head>\n<body>"
    yield from outline_fragment(outline)
    yield "</body>\n</html>"


def outline_fragment(outline: Outline) -> Iterator[str]:
    """Yield the outline as lines of HTML that can be embedded in any page, such as a notebook."""
    yield f'<div class="hornbook-proof"><style>\n{_STYLE}</style>'
    yield from outline_tree(outline)
    yield "</div>"


def outline_tree(
    outline: Outline,
    opened: Container[int] | None = None,
    link: Callable[[Rule], str | None] = lambda _: None,
) -> Iterator[str]:
    """Yield the same lines without the style.

    Args:
        outline: The proof.
        opened: The numbers of the open steps, from 1, as at the end of their element ids. With None, the size
            of the proof decides.
        link: Returns the address of the page for a rule.
    """
    yield from _PageWriter(outline, opened, link).lines(outline.lines)


class _PageWriter:
    """The writer of a proof's lines. It opens and closes elements for lines with nested lines."""

    def __init__(
        self, outline: Outline, opened: Container[int] | None, link: Callable[[Rule], str | None]
    ) -> None:
        self.name, self.opened, self.link = outline.name, opened, link
        self.is_small = outline.size <= SMALL
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
