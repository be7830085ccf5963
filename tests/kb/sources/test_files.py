from __future__ import annotations

import os
from pathlib import Path

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import decode, read_text


def refusal(function, *arguments):
    with pytest.raises(TheoryError) as caught:
        function(*arguments)
    (found,) = caught.value.diagnostics
    return found.code, found.message, (found.span.line, found.span.column)


def test_the_text_of_a_file_is_given_without_its_byte_order_mark(tmp_path):
    path = tmp_path / "t.horn"
    path.write_bytes(b"\xef\xbb\xbfa.\r\nstra\xc3\x9fe.\n")
    assert read_text(path) == "a.\r\nstraße.\n"


@pytest.mark.parametrize(
    ("data", "byte", "place"),
    [
        (b"a.\nb\xff.", "0xFF", (2, 2)),
        (b"\xef\xbb\xbfa.\nb\xff.", "0xFF", (2, 2)),
        ("straße.\nü".encode() + b"\x80", "0x80", (2, 2)),
        (b"a\xc3", "0xC3", (1, 2)),
    ],
)
def test_a_byte_that_is_no_text_is_named_with_its_place(data, byte, place):
    assert refusal(decode, data, "t.horn") == ("HB005", f"the file is not UTF-8: byte {byte}", place)


def test_utf_16_is_recognised():
    with pytest.raises(TheoryError, match="it seems to be UTF-16"):
        decode("a.".encode("utf-16"), "t.horn")


def test_a_store_in_the_place_of_a_text_is_recognised():
    with pytest.raises(TheoryError, match="a store is given in the place of THEORY"):
        decode(b"SQLite format 3\0\x10\x00", "rules.horn")


def test_what_cannot_be_read_says_why(tmp_path):
    assert refusal(read_text, tmp_path / "none.horn")[:2] == (
        "HB005",
        "the file cannot be read: there is no such file",
    )
    assert refusal(read_text, tmp_path)[:2] == ("HB005", "the file cannot be read: it is a folder")
    assert refusal(read_text, Path("a\0b"))[0] == "HB005"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_forbidden_file_says_so(tmp_path):
    path = tmp_path / "t.horn"
    path.write_text("a.", encoding="utf-8")
    path.chmod(0)
    assert refusal(read_text, path)[:2] == ("HB005", "the file cannot be read: permission denied")


def test_the_size_of_a_file_is_bounded_even_where_it_has_no_end(monkeypatch):
    monkeypatch.setattr("hornbook.kb.sources.files.MAX_TEXT", 1000)
    assert refusal(read_text, Path("/dev/zero"))[:2] == ("HB004", "the file has more than 1,000 bytes")


def test_the_message_names_the_file_as_it_was_called(tmp_path):
    with pytest.raises(TheoryError, match="--> theory of go:1:1"):
        read_text(tmp_path / "none.horn", "theory of go")
