"""Completion: the possible continuations of a line (commands, predicates, arguments, variables, files).

Nothing here depends on a terminal. The line is only scanned, since an incomplete line cannot be parsed. For
an argument, all words of its sort in the knowledge base are offered, whether or not the result would hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate
from hornbook.kb.ast.values import J1
from hornbook.kb.format.printer import print_word
from hornbook.kb.sources.locate import known_theories
from hornbook.kb.text.scanner import KEYWORDS, READING, scan
from hornbook.kb.text.unfinished import open_argument, partial_word
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.request import COMMANDS
from hornbook.repl.session import Session

MAX_WORDS = 1_000
"""The maximum number of words offered for one sort."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that can replace the last `replaces` characters, with a description."""

    word: str
    replaces: int
    what: str = ""


def completions(text: str, session: Session) -> list[Completion]:
    """Return the continuations of the text before the cursor, sorted."""
    command = re.match(r"\s*:\s*(?P<name>\w*)\Z", text)
    if command is not None:
        named = ((f":{name}", each.summary) for name, each in COMMANDS.items())
        return _starting(f":{command['name']}", named, len(text.lstrip()))
    command_line = re.match(r"\s*+:?(?P<name>\w++) ++(?P<rest>.*+)\Z", text)
    if (
        command_line is not None
        and command_line["name"] in COMMANDS
        and (COMMANDS[command_line["name"]].bare or text.lstrip().startswith(":"))
    ):
        takes, rest = COMMANDS[command_line["name"]].takes, command_line["rest"]
        if takes == "file":
            return _files(rest)
        if takes == "word":
            words = _words(command_line["name"], session)
            return _starting(rest, ((word, "") for word in words), len(rest))
    return _in_a_statement(text, session)


def _words(command: str, session: Session) -> Iterable[str]:
    """Return the words that may follow a command."""
    vocabulary = session.base.theory.vocabulary
    if command == "theory":
        return known_theories()
    if command == "rules":
        return {
            name for rule in session.base.rules for name in (rule.name, rule.head.relation.partition(" ")[0])
        }
    return vocabulary.predicates


def _files(prefix: str) -> list[Completion]:
    folder, _, name = prefix.rpartition("/")
    place = Path(f"{folder}/" if prefix.startswith("/") and not folder else folder or ".").expanduser()
    try:
        found = sorted(place.iterdir())
    except OSError:
        return []
    shown = (f"{path.name}/" if path.is_dir() else path.name for path in found)
    return [
        Completion(word, len(name))
        for word in shown
        if word.startswith(name) and (name.startswith(".") or not word.startswith("."))
    ]


def _in_a_statement(text: str, session: Session) -> list[Completion]:
    part = partial_word(text)
    before = text[: len(text) - len(part)]
    clauses = list(scan(before, []))
    tokens = clauses[-1] if clauses and clauses[-1][-1].type != "DOT" else []
    if part.startswith("?"):
        variables = {token.text for token in tokens if token.type == "VARIABLE"}
        return _starting(part, ((name, "") for name in variables), len(part))
    place = open_argument(tokens)
    if place is not None:
        return _of_an_argument(*place, part, session)
    if tokens and tokens[-1].text == "is":
        return _starting(part, ((str(value), "value") for value in J1), len(part))
    predicates = session.base.theory.vocabulary.predicates
    offered = [(f"{name}(" if p.columns else name, _signature(p)) for name, p in predicates.items()]
    if tokens and tokens[-1].text == "by":
        return _starting(part, (each for each in offered if each[1].startswith("action ")), len(part))
    words = [word for word, terminal in KEYWORDS.items() if terminal in READING]
    offered += [(f"{word} ", "") for word in words if part]
    if re.match(r"\s*:?learn +\Z", before):
        offered += [(example.name, "example") for example in session.base.theory.examples]
    if not tokens and not text.lstrip().startswith(":"):
        bare = (name for name, command in COMMANDS.items() if command.bare and command.takes != "nothing")
        offered += [(f"{name} ", COMMANDS[name].summary) for name in bare if part or not before.strip()]
    return _starting(part, offered, len(part))


def _of_an_argument(predicate: str, number: int, prefix: str, session: Session) -> list[Completion]:
    declared = session.base.theory.vocabulary.predicates.get(predicate)
    if declared is None or number >= declared.arity:
        return []
    sort = declared.columns[number].name
    if sort == VALUE_SORT:
        words: Iterable[str] = map(str, J1)
    elif sort == INTEGER_SORT or session.base.theory.vocabulary.sorts[sort].kind == "integer":
        return []
    else:
        words = map(print_word, words_of(sort, session))
    return _starting(prefix, ((word, sort) for word in words), len(prefix))


def words_of(sort: str, session: Session) -> list[str]:
    """Return the words of a sort: all constants of a closed sort, or the words in the facts."""
    declared = session.base.theory.vocabulary.sorts[sort]
    if declared.kind == "enumerated":
        return sorted(declared.constants)
    return session.base.engine.words(sort, MAX_WORDS)


def _signature(predicate: Predicate) -> str:
    return f"{predicate.kind} ({', '.join(column.name for column in predicate.columns)})"


def _starting(prefix: str, words: Iterable[tuple[str, str]], replaces: int) -> list[Completion]:
    return [Completion(word, replaces, what) for word, what in sorted(set(words)) if word.startswith(prefix)]
