"""Tests of writing files: a file is written whole or not at all, and only regular files are ever replaced."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.kb.text.writing import (
    WritingError,
    append_text,
    new_folder,
    require_writable,
    write_text,
    write_texts,
)
from hornbook.theories.go.problems.files import read_problems, shipped, write_problems

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")


@contextmanager
def little_room(size: int) -> Iterator[None]:
    """Limit the size of every file to this number of bytes inside the block, as if the disk were full."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_link_stays_one_and_the_file_that_it_leads_to_is_written(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere" / "file.txt", tmp_path / "link.txt"
    file.write_text("old")
    link.symlink_to(file)
    write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert [each.name for each in file.parent.iterdir()] == ["file.txt"]


def test_a_link_that_leads_to_nothing_yet_is_written_through(tmp_path):
    (tmp_path / "link.txt").symlink_to("later.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "later.txt").read_text() == "new"


def test_links_in_a_circle_are_refused(tmp_path):
    link = tmp_path / "link.txt"
    link.symlink_to(link)
    with pytest.raises(WritingError):
        require_writable(link)
    with pytest.raises(WritingError):
        write_text(link, "new")
    assert link.is_symlink()


@posix
def test_a_pipe_takes_the_text_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    require_writable(pipe)
    writer = threading.Thread(target=write_text, args=(pipe, ["one", " and two"]), daemon=True)
    writer.start()
    writer.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    reader.join(10)
    assert read == ["one and two"]


@posix
def test_a_device_is_never_replaced(tmp_path):
    """The test uses a link.

    A failing test with write permission for the folder of devices would remove a device.
    """
    link = tmp_path / "nowhere.txt"
    link.symlink_to(os.devnull)
    write_text(link, "lost")
    assert link.is_symlink()
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_name_as_long_as_names_may_be_is_written(tmp_path):
    path = tmp_path / ("n" * 251 + ".txt")
    write_text(path, "all")
    assert path.read_text() == "all"


def test_where_one_of_several_cannot_be_written_none_is(tmp_path):
    (tmp_path / "one").write_text("old")
    with pytest.raises(WritingError):
        write_texts([(tmp_path / "one", "new"), (tmp_path / "none" / "two", "new")])
    assert (tmp_path / "one").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["one"]


@posix
@pytest.mark.parametrize("name", ["problems.jsonl", "problems.sgf"])
def test_problems_for_which_there_is_no_room_leave_those_that_are_there(tmp_path, name):
    problems = read_problems(shipped("train"))
    write_problems(problems[:1], tmp_path / name)
    with little_room(5000), pytest.raises(WritingError):
        write_problems(problems, tmp_path / name)
    assert read_problems(tmp_path / name) == problems[:1]
    assert [each.name for each in tmp_path.iterdir()] == [name]


@posix
def test_a_template_for_which_there_is_no_room_is_not_half_there(tmp_path, capsys):
    with little_room(100):
        assert main(["theory", "template", "firm", str(tmp_path / "month.csv")]) == 1
    assert capsys.readouterr().err == f"error: {tmp_path / 'month.csv'}: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_a_new_folder_is_removed_if_the_writing_fails(tmp_path):
    folder = tmp_path / "a" / "b"
    with pytest.raises(WritingError), new_folder(folder), little_room(0):
        write_text(folder / "file.txt", "text")
    assert list(tmp_path.iterdir()) == []
    with new_folder(folder):
        write_text(folder / "file.txt", "text")
    with pytest.raises(WritingError), new_folder(folder), little_room(0):
        write_text(folder / "other.txt", "text")
    assert [each.name for each in folder.iterdir()] == ["file.txt"]


def test_a_folder_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(WritingError), new_folder(folder):
            pass
    assert (tmp_path / "file").read_text() == "kept"


def test_a_text_that_does_not_fit_is_not_appended(tmp_path):
    file = tmp_path / "file.txt"
    file.write_text("12345")
    with pytest.raises(WritingError, match=r"file\.txt") as refused, little_room(8):
        append_text(file, "67890")
    assert refused.value.filename == str(file)
    assert file.read_text() == "12345"
    append_text(file, "67890")
    assert file.read_text() == "1234567890"
