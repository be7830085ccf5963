"""The command `hornbook game why`: the proof of a fact in a state of a game, or its missing conditions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from hornbook.commands.games.sheet.positions import Done, From, Played, Sheet, done_now, reached
from hornbook.commands.options import argument, flag
from hornbook.kb.ast.terms import Span
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.kif import Expression
from hornbook.planner.gdl.proofs import why_not
from hornbook.planner.gdl.proofs.why import Proof, lines_of
from hornbook.planner.gdl.proofs.why_not import ClauseAttempt
from hornbook.planner.gdl.user_input import query_of
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line
from hornbook.terminal.screen import show_report


def why(
    sheet: Sheet,
    fact_text: Annotated[
        str, argument("FACT", "A fact, such as '(goal first 100)'. For several answers, the first is proved.")
    ],
    state: From = None,
    moves: Played = None,
    done: Done = None,
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
) -> None:
    """Prove a move, a fact, the end or a goal of a game, or any other relation of its rules.

    Each line is followed by its premises and the line of the sheet. Premises of the form `(not …)` do not
    hold. If the fact does not hold, the command names the first failing condition of each clause that could
    conclude it, and the exit code is 1.
    """
    game = Game.read_kif(sheet_called(sheet))
    now = reached(game, state, moves)
    what, doing = query_of(fact_text, game), done_now(game, now, done)
    answers = game.query(now, what, doing)
    proof = game.why(now, answers[0][0], doing) if answers else None
    if proof is None:
        found = game.why_not(now, what, doing)
        if json_output:
            print_json({"holds": False, "attempts": _attempts(found)})
        else:
            reason = "" if found else ": no clause with conditions concludes it"
            if doing is None and (_named(what) == "does" or _needs_a_move(found)):
                reason = ", since no moves are made: give them with --do"
            print_line(f"{fact_text.strip()} does not hold{reason}")
            for line in why_not.lines(found, _place):
                show_report(line)
        raise ReportedError(1)
    if json_output:
        print_json(_as_json(proof))
        return
    for line in lines_of(proof, _place):
        show_report(line)


def _named(what: Expression) -> str:
    return str(getattr(getattr(what, "items", [what])[0], "name", ""))


def _needs_a_move(found: Sequence[ClauseAttempt]) -> bool:
    """Return whether some clause fails because no move is given."""
    return any(each.failing.startswith("(does ") or _needs_a_move(each.deeper) for each in found)


def _attempts(found: Sequence[ClauseAttempt]) -> list[dict[str, object]]:
    return [
        {
            "line": each.span.line,
            "values": dict(each.values),
            "met": list(each.met),
            "failing": each.failing,
            "present": [_as_json(proof) for proof in each.present],
            "deeper": _attempts(each.deeper),
            "above": each.above,
        }
        for each in found
    ]


def _place(span: Span) -> str:
    return f"{Path(span.file).name}:{span.line}"


def _as_json(proof: Proof) -> list[dict[str, object]]:
    return [
        {
            "conclusion": text_of(step.conclusion),
            "line": None if step.span is None else step.span.line,
            "steps": [premise for premise in step.premises if isinstance(premise, int)],
            "absent": [premise for premise in step.premises if isinstance(premise, str)],
        }
        for step in proof
    ]
