"""Notes on the replies of a theory that leave facts unchanged: whether each is a pass, and why not."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.compiler.prove.passes import likely_passes, no_pass_because
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import Diagnostic, note

CODE = "HB075"


def pass_notes(theory: Theory) -> list[Diagnostic]:
    """Return a note (HB075) for each reply that preserves facts, in the order of the clauses."""
    return [each for replies in theory.replies for each in _notes(theory, replies)]


def _notes(theory: Theory, replies: Replies) -> Iterator[Diagnostic]:
    likely = {id(each.case): each for each in likely_passes(theory, replies)}
    for case in replies.cases:
        subject = f"the reply `{print_condition(case.action)}` to `{replies.game.predicate}`"
        found, reason = likely.get(id(case)), no_pass_because(theory, case)
        if found is not None and found.changing:
            names = ", ".join(f"`{name}`" for name in sorted(found.changing))
            yield note(
                CODE,
                f"{subject} is a pass in positions where it changes nothing of {names}",
                case.action.span,
            )
        elif found is not None:
            yield note(CODE, f"{subject} is a pass: all that holds after it held before", case.action.span)
        elif reason is not None:
            yield note(
                CODE, f"{subject} is no pass, although facts stay as they are: {reason}", case.action.span
            )
