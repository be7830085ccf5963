"""What tests of commands share: a folder to work in, and a way to run a command and read what it printed."""

from __future__ import annotations

import pytest

from hornbook import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Runs a command, and gives its exit code and what it printed on both streams."""

    def ran(*arguments):
        capsys.readouterr()
        return cli.main(arguments), *capsys.readouterr()

    return ran
