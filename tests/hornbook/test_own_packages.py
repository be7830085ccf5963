"""Another package called kb, matcher, compiler or theories is named, with what to do about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hornbook
from hornbook.own_packages import NAMES, ForeignPackageError, require_own_packages

ROOT = Path(hornbook.__file__).parents[1]
PLANTED = "raise RuntimeError('the foreign package was run')\n"


def run(code: str, *arguments: str, front: Path) -> subprocess.CompletedProcess[str]:
    """Python with `front` before our packages, as PYTHONPATH or a working directory puts it."""
    # The finder of an editable install looks before any folder is searched, so it is left out.
    prepare = (
        f"import sys; sys.path[:0] = {[str(front), str(ROOT)]!r}; "
        "sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith('_editable')]; "
    )
    return subprocess.run(
        [sys.executable, "-c", prepare + code, *arguments], capture_output=True, text=True, check=False
    )


COMMAND = "from hornbook.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", ["package", "module"])
def test_a_foreign_package_in_front_is_named(name: str, shape: str, tmp_path: Path) -> None:
    foreign = tmp_path / name / "__init__.py" if shape == "package" else tmp_path / f"{name}.py"
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text(PLANTED, encoding="utf-8")
    result = run(COMMAND, "--version", front=tmp_path)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: Python finds another package called `{name}`")
    assert str(tmp_path) in result.stderr
    assert str(ROOT / name) in result.stderr
    assert "Traceback" not in result.stderr


def test_the_programming_interface_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "kb.py").write_text(PLANTED, encoding="utf-8")
    result = run("import hornbook; hornbook.load", front=tmp_path)
    assert "ForeignPackageError: Python finds another package called `kb`" in result.stderr


def test_without_a_foreign_package_nothing_is_said(tmp_path: Path) -> None:
    result = run(COMMAND, "--version", front=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_folder_of_that_name_without_code_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "facts.csv").write_text("a,b\n", encoding="utf-8")
    assert run(COMMAND, "--version", front=tmp_path).returncode == 0


def test_another_distribution_installed_over_ours_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*NAMES, "hornbook"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    record = tmp_path / "kb-2.0.dist-info" / "RECORD"
    record.parent.mkdir()
    monkeypatch.setattr("hornbook.own_packages.__file__", str(tmp_path / "hornbook" / "own_packages.py"))
    monkeypatch.setattr("hornbook.own_packages._missing_or_shadowed", lambda *_: None)

    record.write_text("kb/__init__.py,sha256=x,1\n", encoding="utf-8")
    with pytest.raises(ForeignPackageError, match=r"kb-2\.0") as problem:
        require_own_packages()
    assert "pip uninstall kb" in str(problem.value)

    record.write_text("another_top_level/__init__.py,sha256=x,1\n", encoding="utf-8")
    require_own_packages()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hornbook.own_packages.NAMES", ("a_package_that_is_nowhere",))
    with pytest.raises(ForeignPackageError, match="is missing"):
        require_own_packages()
