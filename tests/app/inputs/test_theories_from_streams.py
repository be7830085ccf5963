"""Theories from the standard input or a pipe, in every command that takes a theory."""

from __future__ import annotations

import io
import os
import sys
import threading

import pytest

from hornbook import cli
from hornbook.command_list import GROUPS

THEORY = "theory piped.\nsort thing.\nstatic p(thing).\nderived q(thing).\nrule: q(?x) :- p(?x).\np(a).\n"
EXAMPLES = THEORY + "example one: p(b).\nexpect one: q(b).\n"
COMMANDS = [
    ["check"],
    ["query", "q(?x)"],
    ["why", "q(a)"],
    ["why-not", "q(b)"],
    ["test"],
    ["theory", "graph"],
    ["rules", "trust"],
    ["theory", "run", "--into", "out"],
    ["what-if", "p(b)"],
]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def arguments(command: list[str], theory: str) -> list[str]:
    names = 2 if command[0] in GROUPS else 1
    return [*command[:names], theory, *command[names:]]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_theory_comes_from_the_standard_input(command, name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLES.encode())))
    assert cli.main(arguments(command, name)) == 0, capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_theory_comes_from_a_pipe(command, capsys):
    reading, writing = os.pipe()
    os.write(writing, EXAMPLES.encode())
    os.close(writing)
    try:
        assert cli.main(arguments(command, f"/dev/fd/{reading}")) == 0, capsys.readouterr().err
    finally:
        os.close(reading)


def test_a_theory_comes_from_a_named_pipe(tmp_path, capsys):
    place = tmp_path / "pipe"
    os.mkfifo(place)
    writer = threading.Thread(target=place.write_text, args=[EXAMPLES])
    writer.start()
    assert cli.main(["query", str(place), "q(?x)"]) == 0
    writer.join()
    assert capsys.readouterr().out == "?x\na\n"


def test_each_command_reads_its_own_standard_input(monkeypatch, capsys):
    for word in ("a", "b"):
        text = THEORY.replace("p(a)", f"p({word})")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert cli.main(["query", "-", "q(?x)"]) == 0
        assert capsys.readouterr().out == f"?x\n{word}\n"


def test_a_mistake_in_piped_text_names_the_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"sort thing.\nstatic p(thingg).\n")))
    assert cli.main(["query", "-", "p(?x)"]) == 1
    assert "<stdin>:2:10" in capsys.readouterr().err


def test_a_store_takes_a_theory_from_the_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(THEORY.encode())))
    assert cli.main(["store", "new", "a.sqlite", "-"]) == 0
    assert cli.main(["query", "a.sqlite", "q(?x)"]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.endswith("?x\na\n")


def test_text_from_a_pipe_is_laid_out_on_the_standard_output(monkeypatch, capfd):
    reading, writing = os.pipe()
    os.write(writing, b"p( a ).\n")
    os.close(writing)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"p( a ).\n")))
    try:
        for name in ("/dev/stdin", f"/dev/fd/{reading}"):
            assert cli.main(["fmt", name]) == 0
            assert capfd.readouterr().out == "p(a).\n"
    finally:
        os.close(reading)
