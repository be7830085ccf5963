"""Tests of an installation from source without a C++20 compiler: the message names the packages to install."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import cmake
import ninja
import pytest

ROOT = Path(__file__).parents[2]
CMAKE = Path(cmake.CMAKE_BIN_DIR) / "cmake"
NINJA = Path(ninja.BIN_DIR) / "ninja"


def configure(build: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run CMake on the project in an environment with only `PATH` and the given variables."""
    return subprocess.run(
        [CMAKE, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={NINJA}", "-S", ROOT, "-B", build, *arguments],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def assert_way_out(result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode != 0
    for word in ("C++20", "apt install g++", "xcode-select --install", "Visual Studio Build Tools"):
        assert word in result.stderr
    assert "A wheel needs no compiler." in result.stderr
    # CMake's own message for the same problem is not shown.
    assert "CMAKE_CXX_COMPILER" not in result.stderr
    assert result.stderr.count("CMake Error") == 1


def test_a_compiler_that_is_not_there(tmp_path):
    result = configure(tmp_path, CXX="/nonexistent")
    assert_way_out(result)
    assert "CXX names `/nonexistent`, and that is no working C++ compiler." in result.stderr


def test_a_compiler_that_cmake_was_reported_of_and_is_not_there(tmp_path):
    result = configure(tmp_path, "-DCMAKE_CXX_COMPILER=/nonexistent")
    assert_way_out(result)
    assert "There is no C++ compiler `/nonexistent`." in result.stderr


def test_no_compiler_at_all(tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    result = configure(tmp_path / "build", PATH=str(empty))
    assert_way_out(result)
    assert "There is no working C++ compiler here." in result.stderr


def refusing(standard: str, place: Path) -> Path:
    """Write a compiler that rejects the flags for this standard, and return its path."""
    place.write_text(
        f'#!/bin/sh\ncase "$*" in *{shlex.quote(standard)}*) echo unknown standard >&2; exit 1;; esac\n'
        'exec c++ "$@"\n',
        encoding="utf-8",
    )
    place.chmod(0o755)
    return place


def test_a_compiler_too_old(tmp_path):
    result = configure(tmp_path / "build", CXX=str(refusing("++20", tmp_path / "old")))
    assert_way_out(result)
    assert "does not compile C++20 with 128-bit integers." in result.stderr


@pytest.mark.deep
@pytest.mark.parametrize("queried", ["CXX", "-DCMAKE_CXX_COMPILER"])
def test_what_was_missing_is_found_once_it_is_there(queried, tmp_path):
    """In a reused build folder, CMake remembers a found compiler.

    It does not remember that a compiler was missing.
    """
    later = tmp_path / "later"
    if queried == "CXX":
        assert_way_out(configure(tmp_path / "build", CXX=str(later)))
    else:
        assert_way_out(configure(tmp_path / "build", f"{queried}={later}"))
    refusing("no standard", later)
    result = configure(tmp_path / "build", CXX=str(later))
    assert "C++ compiler `" not in result.stderr
    assert "HORNBOOK_COMPILES_CXX20 - Success" in result.stdout
