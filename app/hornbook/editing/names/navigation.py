"""Navigation: the meaning of the word at a position, its declaration, its references, and renaming."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp

from hornbook.editing.names.occurrences import Occurrence, ParsedClauses, Role
from hornbook.editing.names.scope import FileScope
from hornbook.editing.texts import TextLines
from hornbook.editing.workspace import Workspace
from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.terms import NOWHERE
from hornbook.kb.text.scanner import RESERVED
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

_NAME = re.compile(r"[^\W\d_]\w*")
RENAMED: tuple[Role, ...] = ("predicate", "sort", "variable", "label", "example")
"""The roles that can be renamed, since all their references are known."""


class RenameError(HornbookError):
    """A name cannot be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Thing:
    """The meaning of a word: its role, its name in the declaration, and a unique location."""

    role: Role
    name: str
    path: Path
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class WordAtPosition:
    """A word of a file, with the clause around it."""

    path: Path
    clauses: ParsedClauses
    found: Occurrence


def word_at(workspace: Workspace, path: Path, line: int, column: int) -> WordAtPosition | None:
    """Return the name at a position, or ending there."""
    best = None
    for clauses in workspace.clauses(path):
        if clauses.first_line <= line <= clauses.last_line:
            for each in clauses.names:
                span = each.span
                if span.line == line and span.column <= column <= span.end_column:
                    # If two words touch, the one that starts here is chosen.
                    best = WordAtPosition(path, clauses, each)
    return best


def meaning(workspace: Workspace, word: WordAtPosition, scope: FileScope) -> Thing | None:
    """Return the meaning of a word in its file; None if it is unknown."""
    found, path = word.found, word.path
    match found.role:
        case "variable":
            first = word.clauses.tokens[0]
            return Thing("variable", found.name, path, first.line, first.column)
        case "label" | "example":
            return Thing(found.role, found.name, path)
        case "theory":
            place = path if found.declares else scope.leads.get(found.name)
            return None if place is None else Thing("theory", found.name, place)
        case "predicate" | "sort" | "constant":
            if found.of is not None and found.role != "constant":
                place = scope.leads.get(found.of)
                if place is None:
                    return None
                scope, found = workspace.scope(place), replace(found, of=None)
            declared = scope.declaration(found)
            if declared is None or declared.span == NOWHERE:
                return None
            place, span = workspace.path_of(declared.span.file, path), declared.span
            if found.role == "constant":
                return Thing("constant", found.name, place, span.line, span.column)
            name, role = _written(workspace, place, span.line, span.column), _role(declared)
            return Thing(role, name, place, span.line, span.column)
        case _:
            return None


def _role(declared: Predicate | Sort) -> Role:
    return "sort" if isinstance(declared, Sort) else "predicate"


def _written(workspace: Workspace, path: Path, line: int, column: int) -> str:
    """Return the name of a declaration in its own file."""
    word = word_at(workspace, path, line, column)
    return "" if word is None else word.found.name


def declaration(
    workspace: Workspace, word: WordAtPosition, thing: Thing
) -> tuple[Path, Occurrence | None] | None:
    """Return the file and the word that declare something.

    For a variable this is its first occurrence, for a theory the whole file.
    """
    if thing.role == "theory":
        return thing.path, None
    if thing.role == "variable":
        same = (each for each in word.clauses.names if each.role == "variable" and each.name == thing.name)
        return word.path, next(same)
    for clauses in workspace.clauses(thing.path):
        for each in clauses.names:
            if each.declares and each.name == thing.name:
                if thing.role in ("label", "example") and each.role == thing.role:
                    return thing.path, each
                if thing.role == "constant" and each.role == "constant" and _is_at(clauses, thing):
                    return thing.path, each
                if (each.span.line, each.span.column) == (thing.line, thing.column):
                    return thing.path, each
    if thing.role == "constant":  # for a constant of an open sort, the sort is the best description
        word_there = word_at(workspace, thing.path, thing.line, thing.column)
        return None if word_there is None else (thing.path, word_there.found)
    return None


def _is_at(clauses: ParsedClauses, thing: Thing) -> bool:
    return any((each.span.line, each.span.column) == (thing.line, thing.column) for each in clauses.names)


def references(
    workspace: Workspace, word: WordAtPosition, thing: Thing, only: Path | None = None
) -> Iterator[WordAtPosition]:
    """Yield every word with the same meaning, in all known files or in `only`."""
    if thing.role == "variable":
        for each in word.clauses.names:
            if each.role == "variable" and each.name == thing.name:
                yield WordAtPosition(word.path, word.clauses, each)
        return
    paths = (
        [thing.path]
        if thing.role in ("label", "example")
        else workspace.project()
        if only is None
        else [only]
    )
    for path in paths:
        scope: FileScope | None = None
        for clauses in workspace.clauses(path):
            for each in clauses.names:
                if each.name != thing.name and not each.name.endswith(f"_{thing.name}"):
                    continue
                scope = workspace.scope(path) if scope is None else scope
                there = WordAtPosition(path, clauses, each)
                if meaning(workspace, there, scope) == thing:
                    yield there


# Renaming


def name_range(word: WordAtPosition, lines: TextLines) -> lsp.Range:
    """Return the range of a word's name, without the `?` of a variable.

    Raises RenameError if it cannot be renamed.
    """
    if word.found.role not in RENAMED:
        raise RenameError("a predicate, a sort, a variable, a label or an example can be renamed here")
    span = word.found.span
    start = span.column + (word.found.role == "variable")
    return lines.range(span._replace(column=start))


def renamed(workspace: Workspace, word: WordAtPosition, name: str) -> list[tuple[WordAtPosition, str]]:
    """Return every word with the same meaning and its new name, without the `?` of a variable.

    Raises RenameError.
    """
    thing = meaning(workspace, word, workspace.scope(word.path))
    name = name.removeprefix("?") if word.found.role == "variable" else name
    if thing is None or word.found.role not in RENAMED:
        raise RenameError("the meaning of this word is unknown here, or built in")
    if word.found.name != thing.name:
        message = (
            f"`{word.found.name}` got its name from an import: rename `{thing.name}`, or change the import"
        )
        raise RenameError(message)
    if not _NAME.fullmatch(name):
        raise RenameError(f"`{name}` is not a name: use letters, digits and `_`, with a letter first")
    if name in RESERVED and thing.role != "variable":
        raise RenameError(f"`{name}` is a word of the language")
    found: list[tuple[WordAtPosition, str]] = []
    for there in references(workspace, word, thing):
        prefix = there.found.name.removesuffix(thing.name)
        if not there.found.name.endswith(thing.name) or (prefix and not prefix.endswith("_")):
            continue  # an import gives it another name
        _require_new(workspace, there, thing, prefix + name)
        found.append((there, prefix + name))
    return found


def _require_new(workspace: Workspace, there: WordAtPosition, thing: Thing, name: str) -> None:
    """Raise RenameError if something else has the name already."""
    if thing.name == name:
        return
    match thing.role:
        case "variable":
            taken = any(each.role == "variable" and each.name == name for each in there.clauses.names)
        case "label" | "example":
            names = (each for clauses in workspace.clauses(there.path) for each in clauses.names)
            taken = any(each.role == thing.role and each.declares and each.name == name for each in names)
        case "sort":
            taken = name in workspace.scope(there.path).vocabulary.sorts
        case _:
            taken = name in workspace.scope(there.path).vocabulary.predicates
    if taken:
        raise RenameError(f"{there.path.name} has something called `{name}` already")
