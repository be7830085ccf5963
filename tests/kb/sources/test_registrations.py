"""Tests of entry points: they are those of `importlib.metadata`, in its order."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import MetadataPathFinder, entry_points

import pytest

from hornbook.kb.sources import registrations as subject
from hornbook.kb.sources.registrations import registrations

GROUPS = sorted(entry_points().groups)


def known(group: str) -> list[tuple[str, str]]:
    MetadataPathFinder().invalidate_caches()
    return [(entry.name, entry.module) for entry in entry_points(group=group)]


@pytest.mark.parametrize("group", [*GROUPS, "hornbook.theories", "no.such.group"])
def test_the_installed_ones_are_found(group):
    assert list(registrations(group)) == known(group)


def install(folder, name, text):
    info = folder / name
    info.mkdir(parents=True)
    distribution, _, version = name.removesuffix(".dist-info").removesuffix(".egg-info").partition("-")
    (info / "METADATA").write_text(f"Name: {distribution}\nVersion: {version}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(text, encoding="utf-8")


TEXT = """\
[console_scripts]
gas = gas.cli:main

[gas.theories]
# a comment
water = house_theories.pipes
gas=house.gas [extra]
air = house.air:value
"""


def test_a_file_is_read_as_the_library_reads_it(tmp_path, monkeypatch):
    install(tmp_path, "house-1.0.dist-info", TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = list(registrations("gas.theories"))
    assert found == known("gas.theories")
    assert found == [("water", "house_theories.pipes"), ("gas", "house.gas"), ("air", "house.air")]


def test_the_first_distribution_of_a_name_counts(tmp_path, monkeypatch):
    install(tmp_path / "second", "the_house-1.0.dist-info", TEXT)
    install(tmp_path / "first", "The.House-2.0.egg-info", "[gas.theories]\nwater = other\n")
    monkeypatch.syspath_prepend(str(tmp_path / "second"))
    monkeypatch.syspath_prepend(str(tmp_path / "first"))
    assert list(registrations("gas.theories")) == known("gas.theories") == [("water", "other")]


def test_an_archive_is_left_to_the_library(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "house.zip", "w") as archive:
        archive.writestr("house-1.0.dist-info/METADATA", "Name: house\nVersion: 1.0\n")
        archive.writestr("house-1.0.dist-info/entry_points.txt", TEXT)
    monkeypatch.syspath_prepend(str(tmp_path / "house.zip"))
    assert not subject._is_plain()
    assert list(registrations("gas.theories")) == known("gas.theories") != []


def test_another_finder_of_distributions_is_asked(tmp_path, monkeypatch):
    class Finder:
        def find_spec(self, *_):
            return None

        def find_distributions(self, *_):
            return []

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert not subject._is_plain()
    assert list(registrations("hornbook.theories")) == known("hornbook.theories")


def test_folders_that_cannot_be_read_are_left_out(tmp_path, monkeypatch):
    (tmp_path / "house-1.0.dist-info").mkdir()
    (tmp_path / "other-1.0.dist-info").write_text("a file", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "nowhere"))
    assert list(registrations("gas.theories")) == []
