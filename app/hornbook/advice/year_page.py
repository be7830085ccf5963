"""Review of a year as one HTML page: plots of cash, stock and return, and each month with its advice.

The page is self-contained: style and plots are inline, and it runs no script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.advice.advice_text import amounts_text, decision_text, limit_text, reasons
from hornbook.advice.advising import Wording
from hornbook.advice.year_review import Close, Missed, Reviewed, Saved
from hornbook.kb.ast.terms import Constant
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import NO_SCRIPTS, markup
from hornbook.render.line_chart import Series, line_chart
from hornbook.theories.firm.states.simulator import Decision

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8884; }
.missed { border-left: 4px solid #b45309; padding: .2rem 1rem; margin: 1rem 0; background: #b453090f; }
.saved { border-left: 4px solid #15803d; padding: .2rem 1rem; margin: .5rem 0; background: #15803d0f; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; }
svg { width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dd { margin: 0; }
""".strip()


def year_page(name: str, reviewed: Sequence[Reviewed], advised: Sequence[Reviewed], wording: Wording) -> str:
    """Return the page of a year as recorded, compared with the year with all advice followed."""
    missed = [each for month in reviewed for each in month.missed]
    saved = sum(each.saved is not None for each in missed)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            NO_SCRIPTS,
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{markup(name)}: a year, and the advice that would have saved it</title>",
            f"<style>\n{_STYLE}\n</style></head><body>",
            f"<h1>{markup(name)}: a year, month by month</h1>",
            (
                f"<p>{counted(len(missed), 'goal was', 'goals were')} missed in"
                f" {counted(len(reviewed), 'month')}. For {saved} of them, one decision of the same"
            ),
            (
                "month reaches them by certified rules: it was carried out in the simulator, with"
                " everything else as it"
            ),
            "was, and the month closed again with what customers did ask for.</p>",
            _followed(reviewed, advised),
            *_plots(reviewed, [each.close for each in advised]),
            *(line for month in reviewed for line in _month(month, wording)),
            "</body></html>",
            "",
        ]
    )


def money(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def _followed(reviewed: Sequence[Reviewed], advised: Sequence[Reviewed]) -> str:
    was, then = reviewed[-1].close, advised[-1].close
    number = sum(len(month.missed) for month in advised)
    return (
        f"<p>With all advice followed from month to month, {counted(number, 'goal is', 'goals are')}"
        " missed, and the year ends with a profit of"
        f" {money(then.profit)} instead of {money(was.profit)}, and with {money(then.cash)} of cash"
        " instead of"
        f" {money(was.cash)}.</p>"
    )


def _plots(reviewed: Sequence[Reviewed], advised: Sequence[Close]) -> Iterator[str]:
    steps = [_name(each)[:3] for each in reviewed]
    closes = [each.close for each in reviewed]
    limits = [-each.month.begins.settings["overdraft"] for each in reviewed]
    whole = lambda cents: money(cents).partition(".")[0]  # noqa: E731 - an axis needs no cents
    yield "<h2>Cash at the close of each month</h2>"
    yield line_chart(
        "Cash", steps,
        [Series("cash", [c.cash for c in closes]), Series("overdraft limit", limits, "dashed"),
         Series("as advised", [c.cash for c in advised])], whole,
    )  # fmt: skip
    yield "<h2>Stock at the close of each month</h2>"
    products = list(reviewed[0].month.begins.products)
    yield line_chart(
        "Stock", steps, [Series(name, [c.stock.get(name) for c in closes]) for name in products], str
    )
    yield "<h2>Return: profit of the year so far, and the profit that the wanted return asks for</h2>"
    yield line_chart(
        "Return", steps,
        [Series("profit", [c.profit for c in closes]),
         Series("wanted", [c.required for c in closes], "dashed"),
         Series("as advised", [c.profit for c in advised])], whole,
    )  # fmt: skip


def _name(reviewed: Reviewed) -> str:
    return MONTHS[(reviewed.month.number - 1) % 12]


def _month(reviewed: Reviewed, wording: Wording) -> Iterator[str]:
    yield f"<h2>{_name(reviewed)}</h2>"
    decided = ", ".join(f"<code>{markup(_decision_text(d))}</code>" for d in reviewed.month.decisions)
    yield f"<p>Decided: {decided or 'nothing'}.</p>"
    yield _figures(reviewed.close)
    if not reviewed.missed:
        yield "<p>Every goal was reached.</p>"
    for missed in reviewed.missed:
        yield from _missed(missed, reviewed.close, wording)


def _decision_text(decision: Decision) -> str:
    return f"{decision[0]}({', '.join(map(str, decision[1:]))})"


def _figures(close: Close) -> str:
    unmet = ", ".join(f"{number} {markup(name)}" for name, number in close.unmet.items())
    figures = {
        "cash at the close": money(close.cash),
        "profit of the year, and wanted": f"{money(close.profit)} of {money(close.required)}",
        "asked for and not there": unmet or "nothing",
    }
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in figures.items()) + "</dl>"


def _missed(missed: Missed, close: Close, wording: Wording) -> Iterator[str]:
    goal = missed.goal
    arguments = [term.value for term in goal.arguments if isinstance(term, Constant)]
    level = wording.LEVELS[goal.predicate]
    words = wording.goal(goal.predicate, arguments)
    yield (
        f'<div class="missed"><p><strong>Missed ({markup(level)}):</strong>'
        f" <code>{markup(print_condition(goal))}</code>, {markup(words)}.</p>"
    )
    if missed.saved is None:
        yield "<p>No single decision of this month is known to reach it.</p></div>"
        return
    yield from _saved(missed.saved, close, wording)
    yield "</div>"


def _saved(saved: Saved, close: Close, wording: Wording) -> Iterator[str]:
    unit = wording.UNITS.get(saved.decision[0], "")
    open_decision = next(iter(saved.side.advice)).open_decision
    first = "".join(f"<code>{markup(_decision_text(each))}</code>, then " for each in saved.before)
    instead = (
        ""
        if saved.instead_of is None
        else f" instead of <code>{markup(_decision_text(saved.instead_of))}</code>"
    )
    yield (
        f'<div class="saved"><p><strong>Advice:</strong> {first}'
        f"<code>{markup(decision_text(open_decision))}</code> for"
        f" {markup(amounts_text(saved.amounts, unit))}. Carried out as"
        f" <code>{markup(_decision_text(saved.decision))}</code>{instead}:"
    )
    yield (
        f" cash {money(close.cash)} → {money(saved.close.cash)}, profit {money(close.profit)} →"
        f" {money(saved.close.profit)}.</p>"
    )
    yield "<details><summary>Why</summary><pre>"
    for each in saved.side.advice:
        if each.value == "GI":
            yield from (markup(line) for line in reasons(each))
    yield "</pre></details>"
    for conflict in saved.conflicts:
        yield f"<p>In conflict with <code>{markup(print_condition(conflict.other.goal))}</code>:</p><pre>"
        yield from (markup(limit_text(limit)) for limits in conflict.limits for limit in limits)
        yield "</pre>"
    yield "</div>"
