"""A proof as an outline of lines, the common source of texts and pages.

A step is *open* if its premises are shown. Each open step occurs once, below the first line that depends on
it. Other places refer to it by its mark, a number such as `#1`. Steps nested too deeply are moved to a
section of their own, so the length of the outline is linear in the size of the proof. Steps beyond the
requested depth are left out, and the last line counts them. Lines are generated one by one.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterator, Sequence

from hornbook.kb.explain.proof_steps import HOLDS, ProofReason, Step, levels
from hornbook.kb.text.counts import counted
from hornbook.render.outline_page import DEEPEST, LineKind, Outline, OutlineLine

MAX_BRIEF_STEPS = 300
"""The maximum number of steps of a proof that is shown completely by default."""
MAX_BRIEF_FACTS = 40
"""The maximum number of facts of one condition in an abbreviated proof."""


def brief_depth(steps: Sequence[Step]) -> int | None:
    """Return the default depth of a display: None (unlimited) unless the proof is large."""
    if len(steps) <= MAX_BRIEF_STEPS:
        return None
    opened = Counter(level for level, step in zip(levels(steps), steps, strict=True) if step.rule is not None)
    depth, total = 1, opened[0]
    while opened[depth] and total + opened[depth] <= MAX_BRIEF_STEPS:
        total += opened[depth]
        depth += 1
    is_narrow = all(len(reason.steps) <= MAX_BRIEF_FACTS for step in steps for reason in step.reasons)
    return None if is_narrow and not opened[depth] else depth


def open_steps(steps: Sequence[Step], depth: int | None) -> list[bool]:
    """Return for each step whether its premises are shown.

    They are those of derived facts less than `depth` steps from the goal; None means all.
    """
    if depth is None:
        return [step.rule is not None for step in steps]
    return [step.rule is not None and level < depth for step, level in zip(steps, levels(steps), strict=True)]


def omission_note(steps: Sequence[Step], opened: Sequence[bool]) -> str:
    """Return a text with the number of derived facts without displayed premises, or an empty text."""
    derived = sum(step.rule is not None for step in steps)
    missing = derived - sum(opened)
    return "" if missing == 0 else f"… of {derived} derived facts, the reasons of {missing} are left out"


def displayed_premises(reason: ProofReason, *, is_whole: bool) -> tuple[tuple[int, ...], str]:
    """Return the displayed steps of a reason, and a text with the number of further facts, or an empty text.

    They are all its steps if the proof `is_whole`, and at most MAX_BRIEF_FACTS otherwise.
    """
    shown = reason.steps if is_whole else reason.steps[:MAX_BRIEF_FACTS]
    more = len(reason.steps) - len(shown) + reason.more
    return shown, f"… and {counted(more, 'fact')} more" if more else ""


def outline(steps: Sequence[Step], *, depth: int | None, deepest: int) -> Iterator[OutlineLine]:
    """Yield the lines of a proof, all of it or `depth` steps deep.

    A derived step that is nested `deepest` times gets a section of its own, so lines are hardly nested
    deeper.
    """
    return _OutlineWriter(steps, depth, deepest).lines()


def page_outline(steps: Sequence[Step], depth: int | None) -> Outline:
    """Return a proof as the outline of a page, all of it or `depth` steps deep."""
    digest = hashlib.sha256()
    for step in steps:
        digest.update(f"{step.says}\n{step.premises}\n".encode(errors="surrogatepass"))
    anchor_prefix = f"step-{digest.hexdigest()[:8]}"
    return Outline(steps[-1].says, anchor_prefix, len(steps), outline(steps, depth=depth, deepest=DEEPEST))


class _OutlineWriter:
    """The state while the lines of one outline are generated. Steps are numbered as in the proof.

    - `opened`: Whether each step is open.
    - `shared`: The steps on which several conditions of open steps depend.
    - `marks`: The mark of each step that other lines refer to.
    - `written`: The open steps that have a line.
    - `waiting`: The steps that will get a section.
    """

    def __init__(self, steps: Sequence[Step], depth: int | None, deepest: int) -> None:
        self.steps = steps
        self.is_whole = depth is None
        self.deepest = deepest
        self.opened = open_steps(steps, depth)
        uses = Counter(
            premise
            for number, step in enumerate(steps)
            if self.opened[number]
            for reason in step.reasons
            for premise in reason.steps
        )
        self.shared = {number for number, count in uses.items() if count > 1}
        self.marks: dict[int, int] = {}
        self.written: set[int] = set()
        self.waiting: deque[int] = deque([len(steps) - 1])

    def lines(self) -> Iterator[OutlineLine]:
        while self.waiting:
            yield from self.section(self.waiting.popleft())
        missing = omission_note(self.steps, self.opened)
        if missing:
            yield OutlineLine(0, "remark", missing)

    def section(self, root: int) -> Iterator[OutlineLine]:
        """Yield the lines of a step and of all steps below it, from depth 0."""
        # A stack instead of recursion. It has finished lines, and the depths and numbers of steps whose lines
        # are still to be generated.
        todo: list[OutlineLine | tuple[int, int]] = [(0, root)]
        while todo:
            item = todo.pop()
            if isinstance(item, OutlineLine):
                yield item
                continue
            depth, number = item
            if depth and self.opened[number]:
                reference = self.reference(depth, number)
                if reference is not None:
                    yield reference
                    continue
            yield self.step_line(depth, number)
            if self.opened[number]:
                self.written.add(number)
                below = [
                    each for reason in self.steps[number].reasons for each in self.below(depth + 1, reason)
                ]
                todo += reversed(below)

    def below(self, depth: int, reason: ProofReason) -> Iterator[OutlineLine | tuple[int, int]]:
        """Yield the lines, and the depths and numbers of the steps, for one condition of a step."""
        if reason.says is not None:
            yield OutlineLine(depth, "condition", reason.says, HOLDS)
            depth += 1
        numbers, more = displayed_premises(reason, is_whole=self.is_whole)
        yield from ((depth, number) for number in numbers)
        if more:
            yield OutlineLine(depth, "remark", more)
        yield from (OutlineLine(depth, "remark", ground.says, ground.origin) for ground in reason.grounds)

    def reference(self, depth: int, number: int) -> OutlineLine | None:
        """Return a reference to a step that has its place elsewhere, or None.

        A step nested too deeply gets a section.
        """
        if number in self.written:
            where = "above"
        elif number in self.marks:
            where = "below"
        elif depth >= self.deepest:
            where = "below"
            self.waiting.append(number)
        else:
            return None
        mark = self.mark(number)
        return OutlineLine(depth, "reference", self.steps[number].says, f"{where}, #{mark}", number, mark)

    def step_line(self, depth: int, number: int) -> OutlineLine:
        """Return the line of a step itself, in contrast to a reference."""
        step = self.steps[number]
        is_goal = number == len(self.steps) - 1
        is_cut = step.rule is not None and not self.opened[number]
        marked = self.opened[number] and (number in self.shared or number in self.marks)
        mark = self.mark(number) if marked else None
        kind: LineKind = "goal" if is_goal else "given" if step.rule is None else "derived"
        return OutlineLine(depth, kind, step.says, step.origin, number, mark, step.rule, is_cut)

    def mark(self, number: int) -> int:
        """Return the mark of a step, which gets the next one if it has none."""
        return self.marks.setdefault(number, len(self.marks) + 1)
