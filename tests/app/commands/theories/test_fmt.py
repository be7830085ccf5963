from __future__ import annotations

import json
import stat

import pytest

from hornbook.cli import main

UNTIDY = "theory  t.\nstatic   p( a ) .% c\n"
TIDY = "theory t.\nstatic p(a).  % c\n"


@pytest.fixture
def untidy(tmp_path):
    path = tmp_path / "t.horn"
    path.write_text(UNTIDY, encoding="utf-8")
    return path


def test_a_file_is_laid_out_in_place_and_keeps_its_permissions(untidy, capsys):
    untidy.chmod(0o640)
    assert main(["fmt", str(untidy)]) == 0
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert stat.S_IMODE(untidy.stat().st_mode) == 0o640
    assert [path.name for path in untidy.parent.iterdir()] == ["t.horn"]
    assert f"laid out {untidy}" in capsys.readouterr().err


def test_a_tidy_file_is_not_written(untidy, capsys):
    untidy.write_text(TIDY, encoding="utf-8")
    before = untidy.stat()
    assert main(["fmt", str(untidy)]) == 0
    assert untidy.stat().st_ino == before.st_ino
    assert capsys.readouterr() == ("", "")


def test_a_link_stays_a_link(untidy):
    link = untidy.with_name("link.horn")
    link.symlink_to(untidy)
    assert main(["fmt", str(link)]) == 0
    assert link.is_symlink()
    assert untidy.read_text(encoding="utf-8") == TIDY


def test_check_writes_nothing_and_fails_where_something_would_change(untidy, capsys):
    assert main(["fmt", "--check", str(untidy)]) == 1
    assert untidy.read_text(encoding="utf-8") == UNTIDY
    assert "t.horn is not in the common layout" in capsys.readouterr().err
    untidy.write_text(TIDY, encoding="utf-8")
    assert main(["fmt", "--check", str(untidy)]) == 0


def test_diff_writes_nothing_and_shows_the_change(untidy, capsys):
    assert main(["fmt", "--diff", str(untidy)]) == 0
    assert untidy.read_text(encoding="utf-8") == UNTIDY
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line[:1] in "+-"][2:] == [
        "-theory  t.",
        "-static   p( a ) .% c",
        "+theory t.",
        "+static p(a).  % c",
    ]


def test_the_diff_of_a_file_without_a_last_line_end_says_so(untidy, capsys):
    untidy.write_text("a.", encoding="utf-8")
    assert main(["fmt", "--diff", str(untidy)]) == 0
    assert "-a.\n\\ No newline at end of file\n+a.\n" in capsys.readouterr().out


def test_a_file_with_mistakes_is_left_only_and_the_others_are_laid_out(untidy, capsys):
    broken = untidy.with_name("broken.horn")
    broken.write_text("a b.\nc  .\n", encoding="utf-8")
    assert main(["fmt", str(broken), str(untidy), str(untidy.with_name("missing.horn"))]) == 1
    assert broken.read_text(encoding="utf-8") == "a b.\nc  .\n"
    assert untidy.read_text(encoding="utf-8") == TIDY
    error = capsys.readouterr().err
    assert "error[HB001]" in error
    assert f"--> {broken}:1:3" in error
    assert "error[HB005]: the file cannot be read: there is no such file" in error


def test_the_standard_input_goes_to_the_standard_output_with_its_line_ends(monkeypatch, capfdbinary):
    _pipe_in(monkeypatch, "\ufeffa .\r\nb  .\r\n".encode())
    assert main(["fmt", "-"]) == 0
    assert capfdbinary.readouterr().out == b"a.\r\nb.\r\n"


def test_bytes_that_are_no_text_are_refused_with_their_place(monkeypatch, capsys):
    _pipe_in(monkeypatch, b"a.\nb\xff.\n")
    assert main(["fmt", "-"]) == 1
    error = capsys.readouterr().err
    assert "error[HB005]: the file is not UTF-8: byte 0xFF" in error
    assert "--> <stdin>:2:2" in error


def test_json_says_of_each_file_what_happened(untidy, capsys):
    broken = untidy.with_name("broken.horn")
    broken.write_text("a b.\n", encoding="utf-8")
    assert main(["fmt", "--json", str(broken), str(untidy)]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["file"], first["changed"], first["diagnostics"][0]["code"]) == (str(broken), False, "HB001")
    assert second == {"file": str(untidy), "changed": True, "diagnostics": []}
    assert untidy.read_text(encoding="utf-8") == TIDY


def _pipe_in(monkeypatch, data):
    from io import BytesIO, TextIOWrapper

    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))


def test_a_folder_stands_for_the_theory_in_it_and_never_for_an_installed_one(untidy, capsys):
    assert main(["fmt", str(untidy.parent)]) == 0
    assert untidy.read_text(encoding="utf-8") == TIDY
    capsys.readouterr()
    family = untidy.parent / "family"
    family.mkdir()
    assert main(["fmt", "--check", str(family)]) == 1
    assert "error[HB005]" in capsys.readouterr().err
