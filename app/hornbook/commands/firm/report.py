"""The command `hornbook firm report`: a review of each month of a year with advice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.advice.advising import adviser_of
from hornbook.advice.year_followed import review_with_advice
from hornbook.advice.year_page import year_page
from hornbook.advice.year_review import Reviewed, review
from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening import limit_of_facts
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.writing import write_text
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report
from hornbook.theories.protocols.missing_member import implemented
from hornbook.theories.protocols.optional import RecordedYears


def report(
    theory: options.Theory,
    folder: Annotated[Path, argument("FOLDER", "Tables `01.csv`, `02.csv`, … and `journal.csv`.")],
    *,
    into: Annotated[Path, option("--into", "FILE.html", "The page to write.")],
    rules: Annotated[
        Path | None, option("--rules", "RULES.horn", "Rules of your own, instead of those that ship.")
    ] = None,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Review a year, with advice that would have helped.

    For each month, the report shows the missed goals, and advice at some moment of that month that reaches
    them. To check the advice, the command executes it in the simulator and closes the month again. The report
    is one HTML page with plots. It needs no network and runs no script.
    """
    adviser = adviser_of(theory, rules, limit_of_facts(most_facts))
    domain = domain_argument(adviser.theory, "how its years are read")
    months = list(implemented(domain, RecordedYears).read_year(folder))
    reviewed = list(review(adviser, months))
    advised = list(review_with_advice(adviser, months))
    write_text(into, year_page(folder.resolve().name, reviewed, advised, adviser.wording))
    missed = [each for month in reviewed for each in month.missed]
    reached = sum(each.saved is not None for each in missed)
    if json_output:
        print_json([_as_json(each) for each in reviewed])
    else:
        show_report(
            f"months: {len(reviewed)}, goals missed: {len(missed)}, with advice that reaches them:"
            f" {reached}; wrote {into}"
        )


def _as_json(reviewed: Reviewed) -> dict[str, object]:
    """Return a month: its results, and for each missed goal the decision that reaches it and its results."""
    return {
        "month": reviewed.month.number,
        "cash": reviewed.close.cash,
        "profit": reviewed.close.profit,
        "wanted": reviewed.close.required,
        "unmet": reviewed.close.unmet,
        "missed": [
            {
                "goal": print_condition(each.goal),
                "decision": None if each.saved is None else list(each.saved.decision),
                "instead_of": None if each.saved is None else each.saved.instead_of,
                "cash": None if each.saved is None else each.saved.close.cash,
                "profit": None if each.saved is None else each.saved.close.profit,
            }
            for each in reviewed.missed
        ],
    }
