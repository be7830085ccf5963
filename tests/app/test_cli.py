"""The command line: its list of commands, its exit codes, and its error messages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hornbook
from hornbook import cli, command_list
from hornbook.kb.ast.terms import Span
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.matcher.program.errors import FactLimitError
from hornbook.old_spellings import OLD_COMMANDS

ROOT = Path(hornbook.__file__).parents[2]


def python_m_hornbook(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hornbook", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def failing(monkeypatch):
    """Return a function that runs a command that raises an exception, and returns the exit code."""

    def run(problem: BaseException) -> int:
        def check() -> None:
            raise problem

        monkeypatch.setattr(command_list, "load", lambda _: check)
        return cli.main(["check"])

    return run


def test_python_m_hornbook_shows_the_version():
    result = python_m_hornbook("--version")
    assert (result.returncode, result.stdout) == (0, f"hornbook {hornbook.__version__}\n")


def test_the_version_is_that_of_the_change_log():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {hornbook.__version__} " in changes
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"] == [
        "version"
    ]


def test_help_lists_every_command(capsys):
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out
    only = {name: command.summary for name, command in command_list.COMMANDS.items() if " " not in name}
    for name, summary in {**only, **command_list.GROUPS}.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", printed, re.MULTILINE)


def test_help_fits_one_screen(capsys):
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len([name for name in command_list.COMMANDS if " " not in name]) + len(command_list.GROUPS) <= 20
    assert len(printed) <= 32


@pytest.mark.parametrize("group", command_list.GROUPS)
def test_help_of_a_group_lists_its_commands(group, capsys):
    assert cli.main([group, "--help"]) == 0
    printed = capsys.readouterr().out
    for name, command in command_list.COMMANDS.items():
        if name.startswith(f"{group} "):
            assert re.search(rf"^  {name.split()[1]} +{re.escape(command.summary)}$", printed, re.MULTILINE)


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_a_command_describes_itself_as_the_list_does(name, capsys):
    described = command_list.load(name).__doc__
    assert described is not None
    assert described.startswith(command_list.COMMANDS[name].summary.rstrip("."))
    assert cli.main([*name.split(), "--help"]) == 0
    assert f"Usage: hornbook {name} " in capsys.readouterr().out


def test_each_old_spelling_is_a_command_now():
    for names in OLD_COMMANDS.values():
        assert " ".join(names) in {*command_list.COMMANDS, *command_list.GROUPS}
    assert not {old for (old, *rest) in OLD_COMMANDS if not rest} & command_list.COMMANDS.keys()


def test_no_arguments_is_a_usage_error_that_shows_the_help(capsys):
    assert cli.main([]) == 2
    assert "why-not" in "".join(capsys.readouterr())


def test_an_unknown_command_is_a_usage_error_with_a_suggestion(capsys):
    assert cli.main(["chekc"]) == 2
    assert "Did you mean 'check'?" in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys):
    assert cli.main(["check", "--jsno"]) == 2
    assert "--json" in capsys.readouterr().err


def test_only_the_module_of_the_command_is_imported():
    code = (
        "import sys; from hornbook.cli import main; main(['--help']); "
        "print(sorted(m for m in sys.modules if m.count('.') > 2 and m.startswith(('hornbook.kb.', 'hornbook.matcher.')) or m.startswith(('rich', 'networkx', 'lark'))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    # Output is always escaped. Each command starts without the texts of streams.
    assert (
        result.stdout.splitlines()[-1]
        == "['hornbook.kb.text.escaping', 'hornbook.kb.text.streams', 'hornbook.matcher.program.hornbook_error']"
    )


@pytest.mark.parametrize(
    "command", [["query", "family", "ancestor(ada, ?x)"], ["why", "family", "parent(ada, ben)"]]
)
def test_a_question_without_learned_rules_and_tables_of_states_imports_nothing_for_them(command):
    heavy = ("hornbook.compiler.", "hornbook.spread.", "pyarrow", "pandas", "duckdb", "multiprocessing")
    code = f"import sys; from hornbook.cli import main; main({command}); "
    code += f"print([m for m in sys.modules if m.startswith({heavy})])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


def test_the_mistakes_of_a_theory_are_shown_with_their_lines(failing, capsys):
    problem = error(
        "HB010", "unknown predicate `clour`", Span("go.horn", 1, 1, 1, 6), "did you mean `colour`?"
    )
    assert failing(TheoryError([problem], {"go.horn": "clour(a1)."})) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "error[HB010]: unknown predicate `clour`",
        " --> go.horn:1:1",
        "  |",
        "1 | clour(a1).",
        "  | ^^^^^",
        "  = help: did you mean `colour`?",
    ]


@pytest.mark.parametrize(
    ("problem", "code", "printed"),
    [
        (KnowledgeBaseError("two values for one key"), 1, "error: two values for one key\n"),
        (FactLimitError(10), 1, "error: more than 10 facts\n"),
        (
            FileNotFoundError(2, "No such file or directory", "a.csv"),
            1,
            "error: a.csv: No such file or directory\n",
        ),
        (FileExistsError("a is there already"), 1, "error: a is there already\n"),
        (MemoryError(), 1, "error: out of memory\n"),
        (OSError(28, "No space left on device"), 1, "error: No space left on device\n"),
    ],
)
def test_what_goes_wrong_is_reported_in_one_line(problem, code, printed, failing, capsys):
    assert failing(problem) == code
    assert capsys.readouterr() == ("", printed)


def test_a_mistake_of_ours_is_called_one(failing, capsys):
    assert failing(KeyError("colour")) == 70
    printed = capsys.readouterr().err
    assert printed.startswith("internal error: KeyError: 'colour'\n")
    assert "Traceback" not in printed


def test_an_interruption_ends_quietly(failing, capsys):
    assert failing(KeyboardInterrupt()) == 130
    assert "Traceback" not in "".join(capsys.readouterr())


def test_developers_can_ask_for_the_traceback(failing, monkeypatch):
    monkeypatch.setenv("HORNBOOK_TRACEBACK", "1")
    with pytest.raises(KeyError):
        failing(KeyError("colour"))


def test_a_reader_that_stops_reading_is_no_traceback():
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        result = subprocess.run(
            [sys.executable, "-m", "hornbook", "--help"],
            stdout=write_end,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    finally:
        os.close(write_end)
    assert result.returncode == 1
    assert result.stderr == ""


def test_the_programming_interface_has_what_it_names():
    assert set(hornbook.__all__) <= set(dir(hornbook))
    for name in hornbook.__all__:
        assert getattr(hornbook, name) is not None
    with pytest.raises(AttributeError, match="no attribute `nothing`"):
        hornbook.nothing  # noqa: B018 - the access is the test


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["repl", "family"], 0, ""),
        (["fmt", "-"], 1, "the file cannot be read: the standard input is closed"),
        (["query", "family", "parent(ada, ben)"], 0, ""),
    ],
)
def test_a_closed_standard_input_has_nothing_in_it(arguments, code, message, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)  # as Python sets it when the input is closed
    assert cli.main(arguments) == code
    assert message in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="a folder that one is in cannot be taken away elsewhere")
def test_a_working_directory_that_is_removed_is_reported(tmp_path):
    (tmp_path / "gone").mkdir()
    script = (
        "import os, sys; os.rmdir(os.getcwd()); from hornbook.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script, "check", str(ROOT / "theories" / "classical" / "family.horn")],
        cwd=tmp_path / "gone",
        env={**os.environ, "PYTHONPATH": str(ROOT.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (
        1,
        "error: the folder that you are in is not there any more; go to one that is\n",
    )


def offered(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the completions that bash gets for a line whose last word is incomplete."""
    monkeypatch.setenv("_HORNBOOK_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    monkeypatch.setattr(sys, "argv", ["hornbook"])
    assert cli.main() == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hornbook wh", ["why", "why-not", "what-if"]),
        ("hornbook check --exp", ["--expand"]),
        ("hornbook check che", ["checkers", "chess"]),
        ("hornbook rules verify rules.horn --theory fam", ["family"]),
        ("hornbook store im", ["import"]),
        ("hornbook check ./my_own", []),
    ],
)
def test_commands_options_and_theories_are_offered(line, words, monkeypatch, capsys):
    assert sorted(offered(line, monkeypatch, capsys)) == sorted(words)


def test_all_commands_are_offered_and_none_is_loaded_for_it(monkeypatch, capsys):
    before = set(sys.modules)
    assert offered("hornbook ", monkeypatch, capsys) == [
        *(name for name in command_list.COMMANDS if " " not in name),
        *command_list.GROUPS,
    ]
    assert offered("hornbook store ", monkeypatch, capsys) == [
        name.removeprefix("store ") for name in command_list.COMMANDS if name.startswith("store ")
    ]
    assert not {name for name in set(sys.modules) - before if name.startswith("hornbook.commands.")}
