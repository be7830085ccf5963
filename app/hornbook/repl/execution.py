"""Execution of requests at the prompt: the reply to a line as text, with warnings.

If a request raises, the session is unchanged. Messages refer to positions in the typed line.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hornbook.kb.ast.declarations import VALUE_SORT, Clause
from hornbook.kb.ast.terms import answered_variables
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse_queries
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, render
from hornbook.kb.sources.files import shown
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.kb.text.scanner import scan
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import KeyConflictError
from hornbook.repl import files, learning
from hornbook.repl.hypotheses import what_if
from hornbook.repl.request import COMMANDS, Request
from hornbook.repl.session import NO_THEORY, TYPED, Session, SessionError, all_counted

MAX_FACTS = 40
"""The maximum number of facts to list if no predicate was named."""


@dataclass(frozen=True, slots=True)
class RequestReply:
    """The reply to a request: its text, its warnings as text, and whether the session ends."""

    text: str
    warnings: str = ""
    ends: bool = False


def execute(session: Session, request: Request) -> RequestReply:
    """Execute a request and return its reply.

    Raises TheoryError, SessionError and the exceptions of the knowledge base. The session is then unchanged.
    """
    command = COMMANDS.get(request.name)
    if (
        command is not None
        and command.takes == "statement"
        and not request.argument
        and request.name != "learn"
    ):
        raise SessionError(f"`{request.name}` needs more: {command.shown}")
    try:
        return _HANDLERS[request.name](session, request)
    except TheoryError as problem:
        raise _located_in_line(problem, request, session) from None
    except KnowledgeBaseError as problem:
        if isinstance(problem.__cause__, KeyConflictError) and request.name in ("add", "load"):
            raise SessionError(f"{problem}; `retract` the one that does not hold any more") from None
        raise


def _located_in_line(problem: TheoryError, request: Request, session: Session) -> TheoryError:
    """Return an error with the typed line as its source and with hints for the prompt."""
    # Each part of a command is parsed alone, in its own columns.
    typed = dict.fromkeys(("<query>", TYPED), request.typed)
    sources = {file: typed.get(file, text) for file, text in problem.sources.items()}
    located = TheoryError(problem.diagnostics, sources)
    hints = []
    if not session.has_theory and any(d.code == "HB010" for d in problem.diagnostics):
        hints.append(NO_THEORY)
    elif request.name == "add" and any(d.code == "HB042" for d in problem.diagnostics):
        hints.append("predicates are declared in a theory file, which `:theory FILE` opens")
    elif request.name == "add" and _is_query(request.text):
        hints.append("for a query, leave out the period")
    if hints:
        located.args = ("\n".join([str(located), *(f"  = help: {hint}" for hint in hints)]),)
    return located


def _is_query(text: str) -> bool:
    """Return whether a text without its period would be a query and is not a fact."""
    try:
        query, *others = parse_queries(text)
    except TheoryError:
        return False
    return len(list(scan(text, []))) == 1 and (
        bool(others) or len(query.conditions) > 1 or any(answered_variables(query.conditions))
    )


def _rendered(warnings: tuple[Diagnostic, ...], sources: dict[str, str]) -> str:
    """Return warnings as text that quotes the sources, given by their file names."""
    return "\n".join(render(warning, sources) for warning in warnings)


def _ask(session: Session, request: Request) -> RequestReply:
    answers = session.base.query(request.text)
    warnings = session.base.warnings(request.text)
    return RequestReply(str(answers), _rendered(tuple(warnings), {"<query>": request.text}))


def _add(session: Session, request: Request) -> RequestReply:
    summary, warnings = session.add(request.text)
    return RequestReply(
        summary, _rendered(warnings, {warning.span.file: request.text for warning in warnings})
    )


def _why(session: Session, request: Request) -> RequestReply:
    proof = session.base.why(request.text).with_sources(session.sources)
    hint = (
        ""
        if proof.display_depth is None
        else "\n`why` of a fact that ends in … goes on from there; `hornbook why --full` shows all"
    )
    return RequestReply(f"{proof}{hint}")


def _what_if(session: Session, request: Request) -> RequestReply:
    found = what_if(session, request.text)
    return RequestReply(str(found) if isinstance(found, Answers) else found.text())


def _learn(session: Session, request: Request) -> RequestReply:
    return RequestReply("\n".join(learning.lines(learning.learn(session, request.text), session)))


def _load(session: Session, request: Request) -> RequestReply:
    summary, warnings = files.load(session, _file(request))
    return RequestReply(summary, "\n".join(f"{w.span}: warning[{w.code}]: {w.message}" for w in warnings))


def _file(request: Request) -> str:
    """Return the file name in a request. A final period belongs to it, quotes around it do not."""
    name = request.text.strip()
    if not name:
        raise SessionError(f"name a file: {COMMANDS[request.name].shown}")
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"" else name


def _path(request: Request) -> Path:
    return Path(_file(request)).expanduser()


def _state(session: Session, request: Request) -> RequestReply:
    predicate = request.argument
    facts = session.facts()
    counts = Counter(fact.relation for fact in facts)
    if predicate:
        if predicate not in session.base.theory.vocabulary.predicates:
            hint = did_you_mean(predicate, session.base.theory.vocabulary.predicates)
            raise SessionError(f"there is no predicate `{predicate}`" + (f"; {hint}" if hint else ""))
        return RequestReply(
            _listed(session, [fact for fact in session.base.given() if fact.relation == predicate])
        )
    if len(facts) <= MAX_FACTS:
        return RequestReply(_listed(session, facts))
    rows = [f"{count:6} {relation}" for relation, count in sorted(counts.items())]
    return RequestReply(
        "\n".join([f"{counted(len(facts), 'fact')}; `:state PREDICATE` shows those of one", *rows])
    )


def _listed(session: Session, facts: list[GroundFact]) -> str:
    return "\n".join(f"{session.shown(fact)}." for fact in facts) or "no facts"


def _theory(session: Session, request: Request) -> RequestReply:
    if request.argument:
        session.begin(session.open_base(request.text.strip()))
        return RequestReply(opened(session))
    theory = session.base.theory
    if not session.has_theory:
        return RequestReply(NO_THEORY)
    built_in = {VALUE_SORT, "int"}
    sorts = [sort for name, sort in theory.vocabulary.sorts.items() if name not in built_in]
    declared: list[Clause] = [*sorts, *theory.vocabulary.predicates.values()]
    return RequestReply("\n".join([opened(session), *(print_clause(clause).rstrip() for clause in declared)]))


def opened(session: Session) -> str:
    """Return one line about the open theory."""
    theory = session.base.theory
    if not session.has_theory:
        return NO_THEORY
    counts = all_counted(predicate=len(theory.vocabulary.predicates), rule=len(theory.rules))
    place = "" if theory.path is None else f" ({shown(theory.path)})"
    return f"{theory.name}{place}: {counts}"


def _rules(session: Session, request: Request) -> RequestReply:
    pattern = request.argument
    rules = session.rules
    if pattern:
        rules = [r for r in session.base.rules if pattern in (r.name, r.head.relation.partition(" ")[0])]
        if not rules:
            names = [n for r in session.base.rules for n in (r.name, r.head.relation.partition(" ")[0])]
            hint = did_you_mean(pattern, names)
            raise SessionError(
                f"no rule is called `{pattern}` or concludes it" + (f"; {hint}" if hint else "")
            )
    texts = [print_rule(rule).rstrip() for rule in rules]
    return RequestReply(
        "\n".join(texts)
        or f"no rules were added; the theory has {session.own_rules},"
        " `:rules PREDICATE` shows those that conclude it"
    )


def _help(session: Session, request: Request) -> RequestReply:
    width = max(len(command.shown) for command in COMMANDS.values())
    indent = " " * (width + 2)
    rows = [
        textwrap.fill(
            f"{c.shown:{width}}  {c.summary}", 100, subsequent_indent=indent, break_on_hyphens=False
        )
        for c in COMMANDS.values()
    ]
    return RequestReply("\n".join([*_FORMS, "", *rows, "", *_KEYS]))


_FORMS = (
    "without a period, a query:  parent(ada, ?who), absent parent(?who, _)",
    "with a period, a fact:      parent(ada, eve).",
    "or a rule:                  name: old(?x) :- age(?x, ?n), ?n > 90.",
)
_KEYS = (
    "A query ends with its line, a rule with its period; an empty line, or a command with its colon, ends",
    "whatever was begun.",
    "Tab completes, Ctrl-C leaves a line or stops an answer, Ctrl-D ends.",
)


def _nothing(session: Session, request: Request) -> RequestReply:
    return RequestReply("")


_HANDLERS: dict[str, Callable[[Session, Request], RequestReply]] = {
    "nothing": _nothing,
    "ask": _ask,
    "add": _add,
    "why": _why,
    "why not": lambda session, request: RequestReply(
        session.base.why_not(request.text).with_sources(session.sources).to_text()
    ),
    "what if": _what_if,
    "retract": lambda session, request: RequestReply(session.retract(request.text)),
    "learn": _learn,
    "keep": lambda session, _: RequestReply(session.keep()),
    "save": lambda session, request: RequestReply(
        files.save(session, _path(request) if request.argument else None)
    ),
    "write": lambda session, request: RequestReply(files.write(session, _path(request))),
    "load": _load,
    "state": _state,
    "theory": _theory,
    "rules": _rules,
    "undo": lambda session, _: RequestReply(session.undo()),
    "help": _help,
    "quit": lambda _, __: RequestReply("", ends=True),
}
"""The function for each request by its name."""
