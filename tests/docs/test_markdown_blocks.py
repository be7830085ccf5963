"""Tests of the runner of the documentation's examples: it detects every kind of wrong page."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.pages.markdown_blocks import PageError, alike, blocks, run_page

THEORY = "theory small.\nsort person.\nstatic parent(person, person).\nparent(ann, bob).\n"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    folder = tmp_path / "session"
    folder.mkdir()
    monkeypatch.chdir(folder)


def page(tmp_path: Path, *written: tuple[str, str]) -> Path:
    """Write a page of blocks, each with its first line and its text, and return the path."""
    path = tmp_path / "page.md"
    path.write_text(
        "# Page\n\n" + "\n".join(f"```{info}\n{text}```\n" for info, text in written), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    "block",
    [
        ("horn", THEORY),
        ("horn fails HB010", THEORY + "parnt(ann, bob).\n"),
        ("horn part", "a(?x) :- b(?x).\n"),
        ("python", "assert 1 + 1 == 2\n"),
        ("pycon", ">>> 1 + 1\n2\n"),
        ("console", "$ hornbook --version\n...\n"),
        ("console exit 2", "$ hornbook nonsense\n...\n"),
    ],
)
def test_what_is_right_passes(block, tmp_path):
    assert run_page(page(tmp_path, block)) == 1


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (("horn", THEORY + "parnt(ann, bob).\n"), "found ['HB010']"),
        (("horn fails HB011", THEORY + "parnt(ann, bob).\n"), "expected ['HB011']"),
        (("horn fails HB010", THEORY), "found none"),
        (("horn part", "a(?x :- b(?x).\n"), "HB001"),
        (("pycon", ">>> 1 + 1\n3\n"), "Expected"),
        (("console", "$ hornbook --version\nhornbook 99\n"), "the command printed"),
        (("console", "$ hornbook nonsense\n...\n"), "exit code 2"),
        (("console exit 1", "$ hornbook --version\n...\n"), "exit code 0"),
        (("console", "$ rm -r .\n"), "only `hornbook` and `cat`"),
        (("console", "hornbook --version\n"), "begins with `$ command`"),
        (("hron", THEORY), "a block of `hron`"),
        (('text title="../escape.txt"', "x\n"), "no file of the page's folder"),
    ],
)
def test_what_is_wrong_fails_with_page_and_line(block, message, tmp_path):
    wrong = page(tmp_path, ("text", "first\n"), block)
    with pytest.raises(PageError) as problem:
        run_page(wrong)
    assert message in str(problem.value)
    assert str(problem.value).startswith(f"{wrong}:8: ")


def test_python_that_raises_fails_on_the_line_of_the_page(tmp_path):
    wrong = page(tmp_path, ("python", "x = 1\nassert x == 2\n"))
    with pytest.raises(AssertionError) as problem:
        run_page(wrong)
    assert problem.traceback[-1].lineno == 4  # counted from 0


def test_blocks_share_files_and_names(tmp_path):
    session = page(
        tmp_path,
        ('csv title="data/parents.csv"', "ann,bob\n"),
        ("python", "from pathlib import Path\nrow = Path('data/parents.csv').read_text()\n"),
        ("pycon", ">>> row\n'ann,bob\\n'\n"),
        ("console", "$ cat data/parents.csv\nann,bob\n"),
    )
    assert run_page(session) == 3


def test_a_result_goes_into_a_file(tmp_path):
    session = page(
        tmp_path,
        ("console", "$ hornbook --version > version.txt\n$ cat version.txt\nhornbook 0.1.0\n"),
        ("console exit 1", "$ hornbook check none.horn > out.txt\n...\n"),
    )
    assert run_page(session) == 2


def test_a_file_grows_and_is_repaired(tmp_path):
    session = page(
        tmp_path,
        ('horn title="small.horn"', THEORY),
        ('horn append="small.horn" fails HB010', "parnt(ann, cleo).\n"),
        ('horn mend="small.horn"', "parent(ann, cleo).\n"),
        ('horn append="small.horn"', "parent(ann, dan).\n"),
        ("console", f"$ cat small.horn\n{THEORY}\nparent(ann, cleo).\n\nparent(ann, dan).\n"),
    )
    assert run_page(session) == 5


def test_a_block_without_an_end_is_an_error(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("text\n\n```horn\ntheory a.\n", encoding="utf-8")
    with pytest.raises(PageError, match=r"page\.md:3: the block has no end"):
        list(blocks(path))


def test_a_block_in_a_list_loses_its_indent(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("1. First:\n\n   ```text\n   a\n     b\n   ```\n", encoding="utf-8")
    assert [block.text for block in blocks(path)] == ["a\n  b\n"]


@pytest.mark.parametrize(
    ("expected", "output", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a  \nb", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("...\n", "", True),
        ("", "", True),
        ("", "a\n", False),
        ("a\n", "", False),
        ("a\n", "a\nb\n", False),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_dots_state_for_any_lines_and_nothing_else_does(expected, output, same):
    assert alike(expected, output) is same
