"""`theory report`: answers as pages or a table, from templates that read nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hornbook.commands.questions.reports.rendering import ReportTemplate
from hornbook.commands.questions.reports.report_content import Report, ReportAnswer, ReportSubject

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/how-to/reports.md").read_text(encoding="utf-8")
QUERY = "owes(?reader, ?title, ?sum)"
HOSTILE = "<script>alert(1)</script> *a* | [b](c)"


def block(title: str) -> str:
    """Return a block of the how-to page."""
    found = re.search(rf'```\w+ title="{re.escape(title)}"\n(.*?)```', PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(autouse=True)
def files(folder):
    for name in ("library.horn", "lent.csv", "letter.j2"):
        Path(name).write_text(block(name))


def reported(run, *arguments: str, query: str = QUERY) -> str:
    code, out, err = run("theory", "report", "library.horn", query, "--facts", "lent=lent.csv", *arguments)
    assert code == 0, err
    return out


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_each_subject_has_a_page_with_its_own_rows(run, form):
    found = json.loads(reported(run, "--into", "letters", "--format", form, "--json"))
    assert found["subjects"] == ["ann", "bob"]
    for file, own, other in zip(
        found["files"], ("lent.csv:2", "lent.csv:3"), ("lent.csv:3", "lent.csv:2"), strict=True
    ):
        text = Path(file).read_text()
        assert own in text
        assert other not in text


@pytest.mark.parametrize(
    ("locale", "texts"),
    [
        ("de", ("2,50 euros", "29. Februar 2024")),
        ("en_GB", ("2.50 euros", "29 February 2024")),
        ("fr-CH", ("29 février 2024",)),
        (None, ("2.50 euros", "2024-02-29")),
    ],
)
def test_dates_and_decimal_numbers_have_the_form_of_the_locale(run, locale, texts):
    reported(run, "--into", "letters", *(() if locale is None else ("--locale", locale)))
    text = Path("letters/ann.md").read_text()
    assert all(each in text for each in texts)


@pytest.mark.parametrize(
    ("locale", "texts"),
    [
        ("de", ("5,5 % and 19 %", "1.234,5 %")),
        ("en", ("5.5% and 19%", "1,234.5%")),
        (None, ("5.5 percent and 19 percent", "1234.5 percent")),
    ],
)
def test_percentages_have_the_form_of_the_locale(run, locale, texts):
    Path("library.horn").write_text(
        "theory rates. sort item. sort rate = percent(1). sort whole = percent.\n"
        'static rates(item, rate, whole) says "?1 has ?2 and ?3".\n'
        "rates(book, 5.5 percent, 19 percent). rates(lamp, 1234.5 percent, 0 percent)."
    )
    arguments = () if locale is None else ("--locale", locale)
    code, _, err = run("theory", "report", "library.horn", "rates(?i, _, _)", "--into", "rates", *arguments)
    assert code == 0, err
    text = "".join(path.read_text() for path in sorted(Path("rates").iterdir()))
    assert all(each in text.replace("\\", "") for each in texts)


def test_the_table_has_a_row_for_each_answer(run):
    reported(run, "--into", "late.html", "--layout", "table", "--format", "html", "--title", "A & B")
    text = Path("late.html").read_text()
    assert text.count("<tr>") == 3
    assert "<h1>A &amp; B</h1>" in text


FEES = """theory fees. sort person. sort day = date. sort euro = decimal(2).
static member(person) complete says "?1 is a member".
static unpaid(person, day) complete says "?1 did not pay on ?2".
static blocked(person) complete.
derived fee(person -> euro) says "?1 pays ?2 euros".
ordinary: fee(?p, 20.00) :- member(?p), absent (unpaid(?p, ?d), ?d > 2024-01-01), absent unpaid(?p, 2023-01-01).
hard_case exception to ordinary: fee(?p, 0.00) :- member(?p), unpaid(?p, _).
strict exception to hard_case: absent fee(?p, _) :- unpaid(?p, _), blocked(?p).
member(ann). member(bob). unpaid(bob, 2022-01-01).
"""


@pytest.mark.parametrize(
    ("form", "layout", "texts"),
    [
        (
            "markdown",
            "pages",
            ("\n- ann did not pay on ?d and ?d > 2024-01-01\n", "\n- Hard case (fees.horn:7)\n"),
        ),
        ("html", "pages", ("<li>ann did not pay on 1 Jan", "<li>Hard case <small>fees.horn:7</small></li>")),
        (
            "markdown",
            "table",
            ("; not: ann did not pay on ?d and", "; exception that does not apply: Hard case ("),
        ),
        (
            "html",
            "table",
            ("not: ann did not pay on ?d and", "exception that does not apply: Hard case <small>"),
        ),
    ],
)
def test_what_is_absent_and_the_exceptions_that_do_not_apply_are_named(run, form, layout, texts):
    Path("fees.horn").write_text(FEES)
    into = "fees" if layout == "pages" else "fees.txt"
    code, _, err = run(
        *("theory", "report", "fees.horn", "fee(?person, ?sum)", "--into", into),
        *("--format", form, "--layout", layout, "--locale", "en"),
    )
    assert code == 0, err
    found = Path(into) if layout == "table" else next(Path(into).glob("ann.*"))
    text = found.read_text().replace("\\>", ">")
    assert all(each.replace("1 Jan", "January 1, 2023") in text for each in texts), text
    bob = text if layout == "table" else next(Path(into).glob("bob.*")).read_text()
    assert "Strict" in bob
    assert "Strict" not in text or layout == "table"


def test_a_folder_may_be_named_as_a_layout_or_the_title(run):
    reported(run, "--into", "pages")
    reported(run, "--into", "letters", "--title", "letters")
    assert Path("pages/ann.md").exists()
    assert Path("letters/ann.md").exists()


def test_the_proof_is_added_on_request(run):
    for arguments, has_proof in (((), False), (("--proof",), True)):
        reported(run, "--into", "letters", *arguments)
        assert ("[a_fine_for_each_day, library.horn:17]" in Path("letters/ann.md").read_text()) == has_proof


def test_values_have_no_meaning_in_html_and_markdown(run):
    Path("lent.csv").write_text(f'reader,title,day\nann,"{HOSTILE}",2024-02-29\n')

    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.found.append(tag)

    for layout, path in (("pages", "letters"), ("table", "table.html")):
        reported(run, "--into", path, "--format", "html", "--layout", layout)
        tags = Tags()
        tags.feed(Path("letters/ann.html" if layout == "pages" else path).read_text())
        assert "script" not in tags.found
    reported(run, "--into", "table.md", "--layout", "table")
    row = Path("table.md").read_text().splitlines()[4]
    assert "<script" not in row.replace("\\<", "")
    assert len(re.findall(r"(?<!\\)\|", row)) == 5
    assert "\\*a\\*" in row
    assert "\\[b\\](c)" in row


def test_a_template_of_ones_own_is_used(run):
    reported(run, "--into", "letters", "--template", "letter.j2")
    assert Path("letters/bob.md").read_text().split("\n\n") == [
        "Dear bob,",
        "bob owes 2.00 euros for Emma.\n",
    ]


@pytest.mark.parametrize(
    "template",
    [
        '{% include "letter.j2" %}',
        '{% include "/etc/passwd" %}',
        '{% import "../secret" as x %}',
        "{{ ''.__class__.__mro__ }}",
        "{{ report.subjects.append(1) }}",
        "{{ report.__init__.__globals__ }}",
        "{{ report.nothing }}",
        "{{ subject.name + 1 }}",
        "{{ 1 // 0 }}",
        "{% for x in %}",
    ],
)
def test_a_template_reads_and_changes_nothing_else(run, template):
    Path("own.j2").write_text(template)
    code, out, err = run(
        "theory",
        "report",
        "library.horn",
        QUERY,
        "--facts",
        "lent=lent.csv",
        "--into",
        "letters",
        "--template",
        "own.j2",
    )
    assert (code, out) == (2, "")
    assert "the template has an error" in err
    assert not Path("letters").exists()


def test_a_template_may_extend_one_that_ships(run):
    Path("own.j2").write_text('{% include "page.md" %}the library\n')
    reported(run, "--into", "letters", "--template", "own.j2")
    assert Path("letters/ann.md").read_text().startswith("# ann\n")
    assert Path("letters/ann.md").read_text().endswith("the library\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--into", "all.html"], "must be a folder"),
        (["--locale", "xx_YY"], "no locale"),
        (["--max-answers", "1"], "more than 1"),
    ],
)
def test_what_cannot_be_done_is_refused(run, arguments, message):
    code, _, err = run(
        "theory", "report", "library.horn", QUERY, "--facts", "lent=lent.csv", "--into", "letters", *arguments
    )
    assert (code, message in err) == (2, True)


def test_a_query_without_variables_has_no_subject(run):
    code, _, err = run("theory", "report", "library.horn", "today(2024-03-05)", "--into", "letters")
    assert (code, "no subject" in err) == (2, True)


def test_subjects_with_similar_names_have_files_of_their_own(run):
    Path("lent.csv").write_text(
        "reader,title,day\na/b,Dune,2024-02-29\na.b,Dune,2024-02-29\nA-B,Dune,2024-02-29\n..,Emma,2024-02-29\n"
    )
    files = json.loads(reported(run, "--into", "letters", "--json"))["files"]
    assert len({each.lower() for each in files}) == 4
    assert sorted(path.name for path in Path("letters").iterdir()) == sorted(
        Path(each).name for each in files
    )


def test_the_statements_of_one_alternative_are_shown(run):
    query = "late(?reader, Dune, ?n) or late(?reader, Emma, ?n)"
    reported(run, "--into", "letters", query=query)
    assert Path("letters/bob.md").read_text().count("**") == 2


def test_a_template_of_a_report_without_subjects():
    report = Report("t", "library", "q", ["x"], [ReportSubject("a", [ReportAnswer(["1"], [])])])
    assert "| 1 |" in ReportTemplate("markdown", "table").text(report, language="en")
