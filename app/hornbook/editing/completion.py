"""Completion of a text, by the sort of the argument and the tense of the condition at the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hornbook.editing.names.occurrences import ParsedClauses, occurrences
from hornbook.editing.names.scope import FileScope
from hornbook.editing.names.sorts import sorts_in
from hornbook.editing.workspace import Workspace
from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.values import J1
from hornbook.kb.format.printer import print_word
from hornbook.kb.parse.vocabulary import declaration
from hornbook.kb.sources.locate import SUFFIX, known_theories
from hornbook.kb.text.scanner import DECLARING, KEYWORDS, READING, Token, scan
from hornbook.kb.text.unfinished import open_argument, partial_word
from hornbook.matcher.program.dataclass import dataclass

MOST_WORDS = 1_000
"""The largest number of words to offer for an open sort."""
_DECLARED_AS = (
    "counts",
    "allows",
    "operational",
    "observed",
    "complete",
    "stated",
    "demanded",
    "alternates",
    "fleeting",
    "worth",
    "says",
)
_CONCLUDED = ("derived", "meta", "game", "static", "fluent")


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate to replace the last `replaces` characters.

    `kind` is the kind of word, `what` a description, and `rank` the fit: lower is better.
    """

    word: str
    kind: str
    what: str = ""
    rank: int = 0
    replaces: int = 0


def offers(workspace: Workspace, path: Path, text: str) -> list[Offer]:
    """Return the candidates for completing the text before the cursor."""
    part = partial_word(text)
    tokens = _open_clause(text[: len(text) - len(part)])
    if tokens is None:  # within a comment
        return []
    scope = workspace.scope(path)
    found: dict[str, Offer] = {}
    for offer in _offered(workspace, path, tokens, part, scope):
        if offer.word.lower().startswith(part.lower()) and offer.word != part:
            found.setdefault(offer.word, offer)
    fitting = sorted(found.values(), key=lambda offer: (offer.rank, offer.word))
    return [Offer(o.word, o.kind, o.what, o.rank, len(part)) for o in fitting]


def _open_clause(before: str) -> list[Token] | None:
    """Return the tokens of the clause at the end of a text; None if the text ends in a comment."""
    comments: list = []  # type: ignore[type-arg]
    clauses = list(scan(before, comments))
    line = before.count("\n") + 1
    if any(comment.line == line for comment in comments):
        return None
    return clauses[-1] if clauses and clauses[-1][-1].type != "DOT" else []


def _offered(
    workspace: Workspace, path: Path, tokens: Sequence[Token], part: str, scope: FileScope
) -> Iterator[Offer]:
    first = tokens[0].type if tokens else ""
    last = tokens[-1] if tokens else None
    known = ParsedClauses(tuple(tokens), (), occurrences(tokens, (), "", read=False)) if tokens else None
    if not tokens:
        yield from _beginnings(scope)
    elif first == "IMPORT":
        yield from (Offer(name, "theory") for name in _theories(path)) if len(tokens) == 1 else ()
    elif first == "THEORY":
        yield Offer(path.stem, "theory")
    elif first == "SORT":
        yield from (Offer("int", "keyword"), Offer("word", "keyword"))
    elif first == "KIND":
        yield from _in_declaration(tokens, scope)
    elif first in ("EXAMPLE", "EXPECT") and len(tokens) == 1:
        names = (each for clauses in workspace.clauses(path) for each in clauses.names)
        yield from (Offer(each.name, "example") for each in names if each.role == "example" and each.declares)
    elif part.startswith("?"):
        yield from _variables(known, scope.sort_of(open_argument(tokens)), scope)
    elif (place := open_argument(tokens)) is not None and place[0] in scope.vocabulary.predicates:
        yield from _in_argument(place, known, scope)
    elif last is not None and last.type == "IS":
        yield from (Offer(str(value), "value", "the value of a game") for value in J1)
    elif last is not None and last.type in ("EQUAL", "COMPARE"):
        yield from _compared(tokens, known, scope)
    else:
        yield from _conditions(tokens, known, scope)


def _beginnings(scope: FileScope) -> Iterator[Offer]:
    for word, terminal in KEYWORDS.items():
        if terminal in DECLARING:
            yield Offer(f"{word} ", "keyword", rank=1)
    for predicate in scope.vocabulary.predicates.values():
        if predicate.kind in _CONCLUDED:
            yield _predicate(predicate, 0 if predicate.kind not in ("static", "fluent") else 2)


def _theories(path: Path) -> Iterator[str]:
    yield from known_theories()
    try:
        yield from (file.stem for file in path.parent.glob(f"*{SUFFIX}") if file != path)
    except OSError:
        return


def _in_declaration(tokens: Sequence[Token], scope: FileScope) -> Iterator[Offer]:
    is_open = sum((token.type == "LPAR") - (token.type == "RPAR") for token in tokens) > 0
    if is_open:
        yield from (Offer(name, "sort", sort.kind) for name, sort in scope.vocabulary.sorts.items())
    elif tokens[-1].type in ("COUNTS", "BUT"):
        yield from (_predicate(predicate, named=True) for predicate in scope.vocabulary.predicates.values())
    elif len(tokens) > 1:
        yield from (Offer(word, "keyword") for word in _DECLARED_AS)


def _in_argument(place: tuple[str, int], known: ParsedClauses | None, scope: FileScope) -> Iterator[Offer]:
    sort = scope.sort_of(place)
    yield from _variables(known, sort, scope)
    if sort is not None:
        yield from _words(sort, scope)


def _variables(known: ParsedClauses | None, sort: Sort | None, scope: FileScope) -> Iterator[Offer]:
    """Yield the variables of the clause, those of a sort first."""
    if known is None:
        return
    sorts = sorts_in(known, scope)
    for name in dict.fromkeys(each.name for each in known.names if each.role == "variable"):
        own = sorts.get(name)
        fits = sort is None or own is None or own.name == sort.name
        yield Offer(f"?{name}", "variable", "" if own is None else own.name, 0 if fits else 3)


def _words(sort: Sort, scope: FileScope) -> Iterator[Offer]:
    """Yield the words of a sort: all of a closed one, or those that occur in facts."""
    if sort.kind == "integer":
        return
    found: Iterable[str] = sort.constants if sort.kind == "enumerated" else _used(sort, scope)
    yield from (Offer(print_word(word), "constant", sort.name, 1) for word in found)


def _used(sort: Sort, scope: FileScope) -> Iterator[str]:
    found: dict[str, None] = {}
    for name, predicate in scope.vocabulary.predicates.items():
        places = [place for place, column in enumerate(predicate.columns) if column.name == sort.name]
        for fact in scope.facts(name) if places else ():
            for place in places:
                term = fact.head.terms[place] if place < len(fact.head.terms) else None
                if isinstance(term, Constant) and isinstance(term.value, str):
                    found[term.value] = None
            if len(found) >= MOST_WORDS:
                break
    yield from found


def _compared(tokens: Sequence[Token], known: ParsedClauses | None, scope: FileScope) -> Iterator[Offer]:
    """Yield candidates for the right side of a comparison."""
    sort = None
    if known is not None and len(tokens) > 1 and tokens[-2].type == "VARIABLE":
        sort = sorts_in(known, scope).get(tokens[-2].text[1:])
    yield from _variables(known, sort, scope)
    if sort is not None:
        yield from _words(sort, scope)


def _conditions(tokens: Sequence[Token], known: ParsedClauses | None, scope: FileScope) -> Iterator[Offer]:
    """Yield candidates for a condition.

    In a clause with tenses, changing predicates are offered with tense words.
    """
    last = tokens[-1].type
    predicates = scope.vocabulary.predicates.values()
    if last == "TENSE":
        yield from (_predicate(each) for each in predicates if each.has_tense)
        return
    if last == "BY":
        yield from (_predicate(each) for each in predicates if each.kind == "action")
        return
    has_tense = any(token.type == "TENSE" for token in tokens)
    for each in predicates:
        if has_tense and each.has_tense:
            for word, rank in (("before", 0), ("after", 1)):
                offer = _predicate(each, rank)
                yield Offer(f"{word} {offer.word}", offer.kind, offer.what, rank)
                yield Offer(offer.word, offer.kind, f"{offer.what}; a tense word is needed", 2)
        else:
            yield _predicate(each)
    for word, terminal in KEYWORDS.items():
        if terminal in READING:
            yield Offer(f"{word} ", "keyword", rank=3)
    yield from _variables(known, None, scope)


def _predicate(predicate: Predicate, rank: int = 0, *, named: bool = False) -> Offer:
    word = f"{predicate.name}(" if predicate.columns and not named else predicate.name
    return Offer(word, "predicate", declaration(predicate), rank)
