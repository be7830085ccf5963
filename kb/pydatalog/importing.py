"""The import of a program for pyDatalog: its text as a theory of our own, with declarations.

pyDatalog declares nothing, so sorts are inferred from what stands in which column. Nothing ever changes in
pyDatalog, so every predicate is a `static`. The theory passes the checker, and gives the answers that pyDatalog
gives; a program for which that cannot be is refused.
"""

from __future__ import annotations

import io
import re
import textwrap
import tokenize
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter

from hornbook.kb.ast.declarations import Predicate, Sort, SortName, TheoryName
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.terms import Absent, Aggregate, Atom, Condition, Rule, Span, Term, Variable, statements
from hornbook.kb.check import check
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.parse.syntax import parse
from hornbook.kb.pydatalog.leaving_out import without, without_the_refused
from hornbook.kb.pydatalog.reading import PyDatalogProgram, read_program
from hornbook.kb.pydatalog.rewriting import rewritten
from hornbook.kb.pydatalog.sorts import Column, Sorts, unused
from hornbook.kb.pydatalog.syntax import Signature, variables_of
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.scanner import RESERVED

LEFT_OUT = "% Left out: "
"""How the comment begins that stands for a statement that cannot be imported."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Some lines of the theory, and where they come from in the program."""

    text: str
    span: Span | None = None
    is_fact: bool = False


def import_pydatalog(text: str, name: str, file: str | None = None, *, partial: bool = False) -> str:
    """The theory called `name` that says what a program for pyDatalog says, as text.

    `text` is what is given to `pyDatalog.load`, or a file of Python that uses pyDatalog; `file` stands for it in messages. With `partial`, statements that
    cannot be imported become comments with the reason, and so do those whose answers would be others without them
    (absence, functions); without it, they raise TheoryError, each with its place in the text and what to write
    instead. Raises TheoryError for a text that is no Python, too.
    """
    with collector_paused():
        return _imported(text, name, f"{name}.py" if file is None else file, partial=partial)


def _imported(text: str, name: str, file: str, *, partial: bool) -> str:
    program = read_program(text, file)
    nowhere = Span(file, 1, 1, 1, 2)
    while True:
        rules, signatures, complete = rewritten(program.rules, program.signatures)
        evaluable = replace(program, rules=tuple(rules), signatures=signatures)
        sorts = Sorts(evaluable, every=partial)
        wrong = [*sorts.mixed]
        if partial:
            wrong += without_the_refused(program)
        blocks: list[_Block] = []
        if not wrong:
            if sorts.certain:
                rules = [
                    replace(rule, body=tuple(c for c in rule.body if (number, c) not in sorts.certain))
                    for number, rule in enumerate(rules)
                ]
                evaluable = replace(evaluable, rules=tuple(rules))
            blocks = [*_declarations(evaluable, sorts.names(), complete, name, file)]
            blocks += _clauses(evaluable, text)
            wrong = _mistakes(blocks, nowhere)
        if not partial and (program.refused or wrong):
            raise TheoryError([*(refused.diagnostic for refused in program.refused), *wrong], {file: text})
        if not wrong:
            return _text(blocks)
        fewer = without(program, wrong)
        if len(fewer.rules) == len(program.rules):
            raise TheoryError(wrong, {file: text})
        program = fewer


def _text(blocks: Iterable[_Block]) -> str:
    """The lines, with one empty line where there are any."""
    lines = [block.text for block in blocks]
    kept = (line for line, before in zip(lines, ["", *lines], strict=False) if line or before)
    return "".join(f"{line}\n" for line in kept)


def _mistakes(blocks: Iterable[_Block], nowhere: Span) -> list[Diagnostic]:
    """What the checker says of the declarations and rules, placed in the program; the facts are right as they are made."""
    blocks = [block for block in blocks if not block.is_fact]
    starts: list[int] = []
    line = 1
    for block in blocks:
        starts.append(line)
        line += block.text.count("\n") + 1
    found = []
    for diagnostic in check([parse("".join(f"{block.text}\n" for block in blocks), "<imported>")]):
        if diagnostic.severity == "error":
            block = blocks[bisect_right(starts, diagnostic.span.line) - 1]
            found.append(replace(diagnostic, span=block.span or nowhere))
    return found


# Declarations


def _declarations(
    program: PyDatalogProgram, sorts: Mapping[Column, str], complete: set[str], name: str, file: str
) -> Iterator[_Block]:
    yield _Block(f"% Imported from {file}, a program for pyDatalog.")
    yield _Block(print_clause(TheoryName(name)))
    yield _Block("")
    for sort in dict.fromkeys(sorts.values()):
        if sort != "int":
            yield _Block(print_clause(Sort(sort, "open")))
    yield _Block("")
    names = _predicate_names(program)
    for key, signature in program.signatures.items():
        columns = tuple(SortName(sorts[key, i]) for i in range(signature.arity))
        note = "" if names[key] == signature.name else f"  % {key} in pyDatalog"
        declared = Predicate("static", names[key], columns, signature.keys, complete=key in complete)
        yield _Block(print_clause(declared) + note)


def _predicate_names(program: PyDatalogProgram) -> dict[str, str]:
    """A name for each signature: pyDatalog's own where the language has room for it."""
    taken = set(RESERVED)
    return {key: unused(_candidates(signature), taken) for key, signature in program.signatures.items()}


def _candidates(signature: Signature) -> list[str]:
    name = re.sub(r"\W", "_", signature.name).lstrip("_")
    name = name if re.match(r"[^\W\d_]", name) else f"p_{name}"
    return [name, f"{name}_", f"{name}_{signature.arity}"]


# Clauses


def _clauses(program: PyDatalogProgram, text: str) -> Iterator[_Block]:
    """The clauses, the comments and what is left out, in the order of the text, with the empty lines between them."""
    names = _predicate_names(program)
    lines = lines_of(text)
    refused = {refused.span: refused.diagnostic.message for refused in program.refused}
    inside = {line for span in refused for line in range(span.line, span.end_line + 1)}
    parts: list[tuple[float, int, _Block]] = [
        (line, line, _Block(f"%{comment}")) for line, comment in _comments(text) if line not in inside
    ]
    for span, message in refused.items():
        source = "".join(f"\n%   {line}".rstrip() for line in lines[span.line - 1 : span.end_line])
        parts.append((span.line, span.end_line, _Block(f"{LEFT_OUT}{message}{source}")))
    for rule in program.rules:
        block = _Block(print_rule(_renamed(rule, names)), rule.span, rule.is_fact)
        # A comment beside a clause stands above it.
        parts.append((rule.span.end_line + 0.5, rule.span.end_line, block))
    end = 0
    yield _Block("")
    for start, last, block in sorted(parts, key=itemgetter(0)):
        if (start if block.span is None else block.span.line) > end + 1:
            yield _Block("")
        yield block
        end = max(end, last)


def _comments(text: str) -> list[tuple[int, str]]:
    """The comments of a program with their lines, without their mark."""
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


def _renamed(rule: Rule, names: Mapping[str, str]) -> Rule:
    """The rule with our names for its predicates and variables."""
    head = rule.head
    assert isinstance(head, Atom)
    if rule.is_fact:
        return Rule(Atom(names[head.predicate], head.arguments, None, head.span), (), None, rule.span)
    variables = _variables(rule)
    head = replace(apply_to_statement(head, variables), predicate=names[head.predicate])
    body = (_with_names(apply_to_condition(condition, variables), names) for condition in rule.body)
    return replace(rule, head=head, body=tuple(body))


def _with_names(condition: Condition, names: Mapping[str, str]) -> Condition:
    match condition:
        case Atom():
            return replace(condition, predicate=names[condition.predicate])
        case Absent() | Aggregate():
            return replace(condition, conditions=tuple(_with_names(c, names) for c in condition.conditions))
    return condition


def _variables(rule: Rule) -> dict[str, Term]:
    """`X` becomes `?x`; one that stands once, in a condition, becomes `_`.

    A `_` of pyDatalog is a variable like any other: two of them in a clause are the same.
    """
    in_head = {term.name for term in rule.head.terms if isinstance(term, Variable)}
    in_atoms = {t.name for a in statements(rule.body) for t in a.terms if isinstance(t, Variable)}
    counts = Counter(variables_of(rule))
    taken: set[str] = set()
    found: dict[str, Term] = {}
    for name, count in counts.items():
        if count == 1 and name in in_atoms - in_head:
            found[name] = Variable(f"_{len(found) + 1}")
            continue
        plain = name.lstrip("_").lower() or "any"
        found[name] = Variable(unused([plain if plain[0].isalpha() else f"v{plain}"], taken))
    return found
