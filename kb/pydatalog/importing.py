"""The import of a pyDatalog program as the text of a theory with declarations.

pyDatalog has no declarations, so sorts are inferred from the values in columns. Its relations never change,
so every predicate is `static`. The theory passes the checker and has the same answers as the program. Other
programs are refused.
"""

from __future__ import annotations

import io
import re
import textwrap
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, Sort, SortName, TheoryName
from hornbook.kb.check.theory_checks import check
from hornbook.kb.format.line_breaks import WIDTH
from hornbook.kb.format.printer import print_clause, print_rule, print_word
from hornbook.kb.parse.syntax import parse
from hornbook.kb.pydatalog.omissions import affected_statements, without
from hornbook.kb.pydatalog.program_reader import PyDatalogProgram, read_program
from hornbook.kb.pydatalog.rewriting import rewritten
from hornbook.kb.pydatalog.sorts import Column, SortInference, unused
from hornbook.kb.pydatalog.syntax import PredicateSignature, variables_of
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.scanner import RESERVED

_word = lru_cache(100_000)(print_word)
LEFT_OUT = "% Left out: "
"""The beginning of the comment that replaces a statement that cannot be imported."""


def import_pydatalog(text: str, name: str, file: str | None = None, *, partial: bool = False) -> str:
    """Return the text of a theory with the meaning of a pyDatalog program.

    Args:
        text: The argument of `pyDatalog.load`, or a Python file that uses pyDatalog.
        name: The name of the theory.
        file: The name of the file in messages.
        partial: Whether to replace statements that cannot be imported by comments with the reason. This
            includes statements whose answers would change without them (absence, functions).

    Raises:
        TheoryError: Without `partial`, some statements cannot be imported. Or the text is not Python.
    """
    with collector_paused():
        return _imported(text, name, f"{name}.py" if file is None else file, partial=partial)


def _imported(text: str, name: str, file: str, *, partial: bool) -> str:
    program = read_program(text, file)
    while True:
        evaluable, complete = rewritten(program)
        sorts = SortInference(evaluable, every=partial)
        wrong = [*sorts.mixed, *(affected_statements(program) if partial else ())]
        if not wrong:
            names = _predicate_names(evaluable)
            declared = _declarations(evaluable, sorts.names(), names, complete)
            clauses = [(print_rule(_renamed(rule, names)), rule.span) for rule in sorts.rules]
            wrong = _mistakes(declared, clauses, t.Span(file, 1, 1, 1, 2))
        if not partial and (program.refused or wrong):
            raise TheoryError([*(refused.diagnostic for refused in program.refused), *wrong], {file: text})
        if not wrong:
            comment = f"% Imported from {file}, a program for pyDatalog."
            head = [comment, print_clause(TheoryName(name)), *(["", *declared] if declared else [])]
            return "\n".join((*head, *_laid_out(evaluable, clauses, names, text), ""))
        fewer = without(program, wrong)
        if len(fewer.refused) == len(program.refused):
            raise TheoryError(wrong, {file: text})
        program = fewer


def _mistakes(declared: list[str], clauses: list[tuple[str, t.Span]], nowhere: t.Span) -> list[Diagnostic]:
    """Return the errors of the checker for declarations and rules, located in the program. Facts are correct
    by construction.
    """
    lines = [nowhere] * len(declared)
    for clause, span in clauses:
        lines += [span] * (clause.count("\n") + 1)
    theory = parse(
        "".join(f"{line}\n" for line in [*declared, *(clause for clause, _ in clauses)]), "<imported>"
    )
    return [replace(d, span=lines[d.span.line - 1]) for d in check([theory]) if d.severity == "error"]


# Declarations


def _declarations(
    program: PyDatalogProgram, sorts: Mapping[Column, str], names: Mapping[str, str], complete: set[str]
) -> list[str]:
    """Return the lines that declare sorts and predicates."""
    words = [
        print_clause(Sort(sort, "open")) for sort in dict.fromkeys(sorts.values()) if sort != INTEGER_SORT
    ]
    lines = [*words, ""] if words else []
    for key, signature in program.signatures.items():
        columns = tuple(SortName(sorts[key, i]) for i in range(signature.arity))
        note = "" if names[key] == signature.name else f"  % {key} in pyDatalog"
        declared = Predicate("static", names[key], columns, signature.keys, complete=key in complete)
        lines += (print_clause(declared) + note).split("\n")
    return lines


def _predicate_names(program: PyDatalogProgram) -> dict[str, str]:
    """Return a name for each signature: that of pyDatalog if the language allows it."""
    taken = set(RESERVED)
    return {key: unused(_candidates(signature), taken) for key, signature in program.signatures.items()}


def _candidates(signature: PredicateSignature) -> list[str]:
    name = re.sub(r"\W", "_", signature.name).lstrip("_")
    name = name if re.match(r"[^\W\d_]", name) else f"p_{name}"
    return [name, f"{name}_", f"{name}_{signature.arity}"]


# Translation


def _laid_out(
    program: PyDatalogProgram, clauses: Iterable[tuple[str, t.Span]], names: Mapping[str, str], text: str
) -> Iterator[str]:
    """Yield the clauses, the comments and the omitted statements in the order of the text, with
    empty lines.
    """
    lines = lines_of(text)
    refused = {refused.span: refused.diagnostic.message for refused in program.refused}
    inside = {line for span in refused for line in range(span.line, span.end_line + 1)}
    # The sort key, first line and last line of each part. A comment on the line of a clause is placed above
    # it.
    parts: list[tuple[float, int, int, str]] = [
        (line, line, line, f"%{comment}") for line, comment in _comments(text) if line not in inside
    ]
    for span, message in refused.items():
        source = "".join(f"\n%   {line}".rstrip() for line in lines[span.line - 1 : span.end_line])
        parts.append((span.line, span.line, span.end_line, f"{LEFT_OUT}{message}{source}"))
    for key, facts in program.facts.items():
        name = names[key]
        for fact in facts:
            first, last = fact.lines
            parts.append((last + 0.5, first, last, _fact(name, fact.values)))
    parts += [(span.end_line + 0.5, span.line, span.end_line, clause) for clause, span in clauses]
    parts.sort(key=itemgetter(0))
    end = -1  # there is an empty line after the declarations too
    for _, first, last, part in parts:
        if first > end + 1:
            yield ""
        yield part
        end = max(end, last)


def _fact(name: str, values: tuple[str | int, ...]) -> str:
    words = [str(value) if isinstance(value, int) else _word(value) for value in values]
    text = f"{name}({', '.join(words)})." if words else f"{name}."
    return text if len(text) <= WIDTH else print_rule(t.Rule(t.Atom(name, tuple(map(t.Constant, values)))))


def _comments(text: str) -> list[tuple[int, str]]:
    """Return the comments of a program with their lines, without their marks."""
    if "#" not in text:
        return []
    lines = lines_of(textwrap.dedent(text))
    found: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            if token.type == tokenize.COMMENT:
                found.append((token.start[0], token.string.removeprefix("#").rstrip()))
    except (tokenize.TokenError, SyntaxError):
        pass  # the program could be parsed, so only comments are lost
    return found


def _renamed(rule: t.Rule, names: Mapping[str, str]) -> t.Rule:
    """Return the rule with the names of the theory for its predicates and variables."""
    ours = partial(_renamed_part, names, _variables(rule))
    return replace(rule, head=ours(rule.head), body=tuple(map(ours, rule.body)))


def _renamed_part(names: Mapping[str, str], variables: Mapping[str, t.Variable], part: Any) -> Any:
    if isinstance(part, t.Variable):
        return variables[part.name]
    changed = t.rewrite(part, partial(_renamed_part, names, variables))
    return replace(changed, predicate=names[changed.predicate]) if isinstance(changed, t.Atom) else changed


def _variables(rule: t.Rule) -> dict[str, t.Variable]:
    """Return the new variables of a rule: `X` becomes `?x`, and a single occurrence in a condition becomes
    `_`.

    A `_` of pyDatalog is an ordinary variable: two of them in a clause are the same.
    """
    in_head = {term.name for term in rule.head.terms if isinstance(term, t.Variable)}
    in_atoms = {v.name for a in t.statements(rule.body) for v in a.terms if isinstance(v, t.Variable)}
    counts = Counter(variables_of(rule))
    taken: set[str] = set()
    found: dict[str, t.Variable] = {}
    for name, count in counts.items():
        if count == 1 and name in in_atoms - in_head:
            found[name] = t.Variable(f"_{len(found) + 1}")
            continue
        plain = name.lstrip("_").lower() or "any"
        found[name] = t.Variable(unused([plain if plain[0].isalpha() else f"v{plain}"], taken))
    return found
