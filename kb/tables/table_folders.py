"""A folder of tables: each file is called as the predicate that its facts are of."""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.table_facts import TableError
from hornbook.kb.tables.tables import TABLE_SUFFIXES


def tables_of(spec: str, vocabulary: Vocabulary) -> list[str]:
    """`PREDICATE=FILE` for each table of a folder, which is said as `DIR`, or as `()=DIR` where no file has a header; anything
    else is given back as it is.

    Files that end in no table's suffix, and hidden ones, do not count. Raises TableError where there is no table, one is called
    as no predicate, or two as the same.
    """
    folder = table_folder(spec)
    if folder is None:
        return [spec]
    try:
        files = sorted(each for each in folder.iterdir() if _is_table(each))
    except OSError as problem:
        raise TableError(str(folder), f"cannot be read: {problem.strerror}") from None
    if not files:
        raise TableError(str(folder), f"there is no table in this folder; {_ENDS}")
    found: dict[str, Path] = {}
    for file in files:
        name = file.stem
        if name not in vocabulary.predicates:
            hint = did_you_mean(name, vocabulary.predicates)
            way_out = hint or "a table of a folder is called as its predicate is"
            raise TableError(str(file), f"no predicate is called `{name}`; {way_out}")
        if name in found:
            raise TableError(
                str(file), f"`{found[name].name}` has facts of `{name}` too; leave one of them in the folder"
            )
        found[name] = file
    header = "()" if spec.startswith(_NO_HEADER) else ""
    return [
        f"{name}{header if file.suffix.lower() in ('.csv', '.tsv') else ''}={file}"
        for name, file in found.items()
    ]


_NO_HEADER = "()="
_ENDS = f"a table's name ends in {', '.join(TABLE_SUFFIXES[:-1])} or {TABLE_SUFFIXES[-1]}"


def table_folder(spec: str) -> Path | None:
    """The folder that `DIR` or `()=DIR` names; None where it is something else."""
    place = spec.removeprefix(_NO_HEADER).strip()
    try:
        return Path(place) if place and Path(place).is_dir() else None
    except (OSError, ValueError):  # what no folder can be called
        return None


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in TABLE_SUFFIXES and not path.name.startswith(".") and path.is_file()
