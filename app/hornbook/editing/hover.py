"""Hover text for a word as Markdown: its declaration, its units, and the number of its facts and rules."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.editing.names.navigation import WordAtPosition, meaning
from hornbook.editing.names.scope import FileScope
from hornbook.editing.names.sorts import sort_of_variable
from hornbook.editing.workspace import Workspace
from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, Sort
from hornbook.kb.ast.operators import FUNCTIONS
from hornbook.kb.format.printer import print_clause, print_word
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted

MOST_SHOWN = 8
"""The number of constants of a sort to list."""


def hover(workspace: Workspace, word: WordAtPosition) -> str | None:
    """Return the hover text for a word; None if there is none."""
    scope = workspace.scope(word.path)
    found = word.found
    match found.role:
        case "predicate" | "sort":
            named = scope.declaration(found)
            if found.of is not None and found.of in scope.leads:
                named = workspace.scope(scope.leads[found.of]).declaration(found)
            if isinstance(named, Predicate):
                return "\n\n".join(_of_predicate(workspace, word, named, scope))
            return None if named is None else "\n\n".join(_of_sort(named, scope))
        case "variable":
            sort = sort_of_variable(word.clauses, found.name, scope)
            return (
                None
                if sort is None
                else "\n\n".join([_code(f"?{found.name}: {sort.name}"), *_of_sort(sort, scope)])
            )
        case "constant":
            sort = scope.sort_of(found.column) or scope.vocabulary.sorts.get(found.of or "")
            if sort is None:
                return None
            return "\n\n".join([_code(f"{print_word(found.name)}: {sort.name}"), *_of_sort(sort, scope)])
        case "function":
            signature = FUNCTIONS[found.name]
            taken = ", ".join((*signature.operands, *(("…",) if signature.goes_on else ())))
            return _code(f"{found.name}({taken}): {signature.result}")
        case "theory":
            thing = meaning(workspace, word, scope)
            return None if thing is None else _of_theory(workspace.scope(thing.path), shown(thing.path))
        case _:
            return None


def _code(text: str) -> str:
    return f"```horn\n{text}\n```"


def _of_predicate(
    workspace: Workspace, word: WordAtPosition, predicate: Predicate, scope: FileScope
) -> Iterator[str]:
    yield _code(print_clause(predicate))
    next_to = _comment(workspace, word, predicate)
    if next_to:
        yield next_to
    units = {c.name for c in predicate.columns if c.name != INTEGER_SORT}
    integers = sorted(
        name for name in units if (s := scope.vocabulary.sorts.get(name)) and s.kind == "integer"
    )
    if integers:
        yield f"units: {', '.join(f'`{name}`' for name in integers)} (integers, not mixed with other units)"
    facts, rules = len(scope.facts(predicate.name)), len(scope.rules(predicate.name))
    yield f"{counted(facts, 'fact')} stated, {counted(rules, 'rule')}"


def _comment(workspace: Workspace, word: WordAtPosition, predicate: Predicate) -> str:
    """Return the comment after a declaration, on the same line."""
    path = workspace.path_of(predicate.span.file, word.path)
    parsed = workspace.parsed(path)
    if parsed is None:
        return ""
    next_to = (
        c for c in parsed.comments if c.line == predicate.span.line and c.column > predicate.span.column
    )
    return next((comment.text.lstrip("% ") for comment in next_to), "")


def _of_sort(sort: Sort, scope: FileScope) -> Iterator[str]:
    match sort.kind:
        case "enumerated":
            words = [f"`{print_word(word)}`" for word in sort.constants[:MOST_SHOWN]]
            more = len(sort.constants) - len(words)
            yield f"sort `{sort.name}`, closed: {', '.join(words)}" + (f" and {more} more" if more else "")
        case "integer":
            yield (
                "64-bit integers"
                if sort.name == INTEGER_SORT
                else f"sort `{sort.name}`: integers of this unit"
            )
        case "mixed":
            yield f"sort `{sort.name}`: words and integers"
        case _:
            yield f"sort `{sort.name}`, open: any word"
    del scope


def _of_theory(scope: FileScope, file: str) -> str:
    predicates = len(scope.vocabulary.predicates)
    files = len(scope.files)
    return f"{file}: {counted(predicates, 'predicate')}" + (
        f", {files} files with its imports" if files > 1 else ""
    )
