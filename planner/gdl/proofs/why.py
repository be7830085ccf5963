"""The proof of a conclusion in a state of a game, with the clause of the sheet for each step.

Relations that occur in no sheet are omitted: those that represent an `or`, and the parts of a split relation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.evaluation import Evaluation
from hornbook.planner.gdl.flattening import FlatAbsent, FlatAtom, FlatCondition, FlatEqual, FlatRule, Relation
from hornbook.planner.gdl.ground import Ground, term_of, text_of
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.gdl.plain_rules import ALTERNATIVE

SOURCES = {"true": "the state", "does": "what is done"}


@dataclass(frozen=True, slots=True)
class GdlProofStep:
    """A conclusion, the place of its clause in the sheet, and its premises.

    A premise is the number of an earlier step, or the text of a condition without a proof (such as an
    absence). The field `span` is None for a term of the state and for a move.
    """

    conclusion: Ground
    span: Span | None
    premises: tuple[int | str, ...]


Proof = tuple[GdlProofStep, ...]
"""The steps of a proof, each after its premises; the last one is the query."""


def proof_of(fact: Fact, program: CodedGame, evaluation: Evaluation, words: Sequence[str]) -> Proof:
    """Return the proof of a fact that holds.

    `words` are the words of the cells, including those of the state.
    """
    return _Prover(program, evaluation, words).proof(fact)


def lines_of(proof: Proof, place: Callable[[Span], str]) -> Iterator[str]:
    """Yield the lines of a proof. The premises of a step follow it, indented, and are shown only once."""
    marks: dict[int, int] = {}
    todo: list[tuple[int | str, int]] = [(len(proof) - 1, 0)]
    while todo:
        part, depth = todo.pop()
        indent = "  " * depth
        if isinstance(part, str):
            yield f"{indent}{part}"
            continue
        step = proof[part]
        line = f"{indent}{text_of(step.conclusion)}"
        if step.span is None:
            yield f"{line}  [{SOURCES[str(step.conclusion[0])]}]"
        elif part in marks:
            yield f"{line}  [above]" if step.premises else f"{line}  [{place(step.span)}]"
        else:
            marks[part] = depth
            yield f"{line}  [{place(step.span)}]"
            todo += [(premise, depth + 1) for premise in reversed(step.premises)]


class _Prover:
    def __init__(self, program: CodedGame, evaluation: Evaluation, words: Sequence[str]) -> None:
        self.program, self.evaluation, self.words = program, evaluation, words
        self.relations: list[Relation] = list(program.numbers)
        self.spans: dict[tuple[Relation, tuple[object, ...]], Span] = {
            (rule.head.relation, rule.head.columns): rule.rule.clause.span
            for rule in reversed(program.origins)
            if not rule.body
        }

    def proof(self, goal: Fact) -> Proof:
        steps: list[GdlProofStep] = []
        numbers: dict[Fact, int] = {}
        reasons: dict[Fact, tuple[Span | None, tuple[Fact | str, ...]]] = {}
        todo = [goal]
        while todo:
            fact = todo[-1]
            if fact in numbers:
                todo.pop()
                continue
            if fact not in reasons:
                reasons[fact] = self.reason(fact)
            span, premises = reasons[fact]
            missing = [each for each in premises if isinstance(each, Fact) and each not in numbers]
            if missing:
                todo += reversed(missing)
                continue
            todo.pop()
            numbers[fact] = len(steps)
            resting = tuple(
                dict.fromkeys(each if isinstance(each, str) else numbers[each] for each in premises)
            )
            steps.append(GdlProofStep(self.term(fact), span, resting))
        return tuple(steps)

    def reason(self, fact: Fact) -> tuple[Span | None, tuple[Fact | str, ...]]:
        derivation = self.evaluation.derivation(fact)
        name = self.relations[fact.predicate][0]
        if derivation is None:
            return self.spans.get(
                (self.relations[fact.predicate], tuple(self.words[cell] for cell in fact.cells))
            ), ()
        assert isinstance(derivation.rule, int)
        origin = self.program.origins[derivation.rule]
        binding = dict(zip(_variables(origin), derivation.binding, strict=False))
        premises: list[Fact | str] = []
        for condition, premise in zip(origin.body, derivation.premises, strict=True):
            if isinstance(condition, FlatAtom):
                assert isinstance(premise, Fact)
                premises += self.shown(name, premise)
            elif isinstance(condition, FlatAbsent):
                premises.append(self.condition_text(condition, binding))
        if (
            len(premises) == 1
            and isinstance(premises[0], Fact)
            and self.relations[premises[0].predicate][0].startswith(f"{name} ")
        ):
            return self.reason(premises[0])
        return origin.rule.clause.span, tuple(premises)

    def shown(self, name: str, premise: Fact) -> Sequence[Fact | str]:
        """Return the premise, or the premises of the `or` that it represents."""
        return self.reason(premise)[1] if is_alternative(self.relations[premise.predicate]) else [premise]

    def term(self, fact: Fact) -> Ground:
        return term_of_row(self.relations[fact.predicate], (self.words[cell] for cell in fact.cells))

    def condition_text(self, condition: FlatCondition, binding: Mapping[str, int | None]) -> str:
        """Return the text of a condition with its values."""
        values = {name: self.words[cell] for name, cell in binding.items() if cell is not None}
        return text_of_condition(condition, values)


def text_of_condition(condition: FlatCondition, values: Mapping[str, str]) -> str:
    """Return the text of a condition with its variables replaced by words.

    A variable without a word is kept.
    """

    def word(column: str | KifVariable) -> str:
        return column if isinstance(column, str) else values.get(column.name, f"?{column.name}")

    match condition:
        case FlatAtom(relation=relation, columns=columns):
            return (
                "(or …)" if is_alternative(relation) else text_of(term_of_row(relation, map(word, columns)))
            )
        case FlatEqual(left=left, right=right):
            return f"(same {word(left)} {word(right)})"
        case FlatAbsent(conditions=inside):
            if all(isinstance(each, FlatEqual) for each in inside):
                pairs = [
                    (word(each.left), word(each.right)) for each in inside if isinstance(each, FlatEqual)
                ]
                one, other = (" ".join(side) for side in zip(*pairs, strict=True))
                return f"(distinct {one} {other})" if len(pairs) == 1 else f"(distinct ({one}) ({other}))"
            parts = [text_of_condition(each, values) for each in inside]
            return f"(not {parts[0]})" if len(parts) == 1 else f"(not (and {' '.join(parts)}))"


def term_of_row(relation: Relation, row: Iterable[str]) -> Ground:
    """Return the atom of a relation and a row as the sheet writes it."""
    name, shapes = relation
    words = iter(list(row))
    terms = [term_of(shape, words) for shape in shapes]
    return (name.split(" ")[0], *terms) if terms else name.split(" ")[0]


def is_alternative(relation: Relation) -> bool:
    """Return whether a relation represents an `or`."""
    return relation[0].startswith(ALTERNATIVE)


def _variables(rule: FlatRule) -> Iterator[str]:
    """Yield the names of a rule's variables, in the order of their numbers in coding.py."""

    def columns(condition: FlatCondition) -> Iterator[str | KifVariable]:
        match condition:
            case FlatAtom(columns=found):
                yield from found
            case FlatEqual(left=left, right=right):
                yield from (left, right)
            case FlatAbsent(conditions=inside):
                for each in inside:
                    yield from columns(each)

    found = (column for condition in (rule.head, *rule.body) for column in columns(condition))
    yield from dict.fromkeys(column.name for column in found if isinstance(column, KifVariable))
