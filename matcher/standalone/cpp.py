"""Rules as a C++ program: a function for each branch of their tries and each condition on a set.

Invariants: The text depends on the program alone, so equal programs have equal texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from importlib.resources import files as beside

from hornbook.matcher.program.coded import Apply, CodedPredicate, CodedRule, CodedTerm, Fact, PredicateId, Var
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.stratify import dependencies, strata
from hornbook.matcher.standalone.plan import (
    Every,
    IsStep,
    LetStep,
    Never,
    Number,
    PlanNode,
    ReadStep,
    SetMembers,
    Sizes,
    Step,
    TestStep,
    Total,
    Value,
    expected,
    trie,
)

VERSION = 1
"""The version of the header and of its guarantees."""
MARK = "// Written by Hornbook:"
"""The beginning of a program."""
_NESTED = 8
"""The maximal nesting depth of steps in one function."""
_SHORT = 4.0
"""The maximal expected number of rows for a read by a chain that covers only some of the known columns."""


@dataclass(frozen=True, slots=True)
class CompiledVariable:
    """A variable of an answering rule: its number, its name, and whether it contains words."""

    number: int
    name: str
    is_word: bool


@dataclass(frozen=True, slots=True)
class CompiledRelation:
    """The name of a coded predicate, and the columns that contain words."""

    name: str
    is_word: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AnsweringRule:
    """A rule whose instances are answers: its name, and its conclusion as text."""

    rule: CodedRule
    name: str
    says: str
    variables: tuple[CompiledVariable, ...]


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """The input of the compilation.

    `defining` are the rules that derive other facts; `words` have their indices as codes; `sizes` are typical
    sizes of states. `fingerprint` is the caller's identification of these rules.
    """

    predicates: tuple[CodedPredicate, ...]
    relations: tuple[CompiledRelation, ...]
    words: tuple[str, ...]
    stated: tuple[Fact, ...]
    defining: tuple[CodedRule, ...]
    answering: tuple[AnsweringRule, ...]
    sizes: Sizes
    fingerprint: str


def text_of(name: str) -> str:
    """Return the text of a file in this package."""
    return beside(__package__).joinpath(name).read_text(encoding="utf-8")


def source(program: CompiledProgram) -> str:
    """Return the C++ program as one text; it includes only `hornbook_rules.h`."""
    return _CppWriter(program).source()


class _CppWriter:
    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self.predicates = program.predicates
        self.waiting: list[tuple[Sequence[PlanNode], _Stage, frozenset[PredicateId]]] = []
        """The branches: the index of each is the number of its function."""
        self.functions: list[str] = []
        self.named: dict[str, str] = {}
        """The functions of conditions on sets, by their text."""
        self.chains: dict[PredicateId, list[tuple[int, ...]]] = {}
        self.read: set[PredicateId] = set()
        self.slots = 1

    def source(self) -> str:
        program = self.program
        steps = [line for rules, is_recursive in self._stages() for line in self._define(rules, is_recursive)]
        answer_rules = [each.rule for each in program.answering]
        answer_trie = trie(enumerate(answer_rules), self.predicates, program.sizes)
        steps.append(
            f"    {self._branch([answer_trie], _Stage(self, answer_trie, answer_rules, program.answering))}"
        )
        branches = self._write_branches()
        counted = list(self._counted())
        for number, predicate in enumerate(self.predicates):
            if predicate.key is not None:
                self.read.add(number)
            if predicate.counts is not None and predicate.key is not None:
                self.read.add(predicate.counts)
                self._chain(predicate.counts, tuple(range(predicate.key)))
        body = [
            *self._matcher(),
            *self.functions,
            *branches,
            "",
            "void solve(Matcher& m) {",
            *steps,
            *counted,
            "}",
            "",
            "}  // namespace",
            "",
        ]
        tables = self._tables()
        answering = len(program.answering)
        return "\n".join(
            [
                (
                    f"{MARK} {answering} rule{'' if answering == 1 else 's'}, "
                    "to be compiled and not to be edited."
                ),
                text_of("frame.hpp"),
                "namespace {",
                "",
                f"constexpr const char* FINGERPRINT = {_text(program.fingerprint)};",
                *tables,
                *body,
                text_of("interface.hpp"),
            ]
        )

    # The order in which predicates are finished

    def _stages(self) -> Iterator[tuple[Sequence[CodedRule], bool]]:
        """Yield groups of defining rules in the order of their dependencies, and whether each is recursive.

        Rules that are not recursive, and depend only on finished predicates, form one group.
        """
        rules = self.program.defining
        graph = dependencies(rules)
        level: dict[PredicateId, int] = {}
        stages: dict[tuple[int, int], list[CodedRule]] = {}
        for number, component in enumerate(strata(rules)):
            own = [rule for rule in rules if rule.head.predicate in component]
            below = [
                level[read] for head in component for read in graph.successors(head) if read not in component
            ]
            here = max(below, default=-1) + (1 if own else 0)
            level.update((predicate, here) for predicate in component)
            is_recursive = any(graph.has_edge(head, read) for head in component for read in component)
            if own:
                stages.setdefault((here, number if is_recursive else -1), []).extend(own)
        for (_, number), own in sorted(stages.items(), key=lambda each: each[0]):
            yield own, number >= 0

    def _define(self, rules: Sequence[CodedRule], is_recursive: bool) -> Iterator[str]:  # noqa: FBT001 - as `_stages` says
        root = trie(enumerate(rules), self.predicates, self.program.sizes)
        call = self._branch([root], _Stage(self, root, rules))
        if is_recursive:
            yield from ("    do {", "        m.is_new = false;", f"        {call}", "    } while (m.is_new);")
        else:
            yield f"    {call}"

    # Branches of tries

    def _branch(
        self, nodes: Sequence[PlanNode], stage: _Stage, established: frozenset[PredicateId] = frozenset()
    ) -> str:
        """Return the call of a function for consecutive nodes; the predicates in `established` have facts."""
        name = f"branch{len(self.waiting)}"
        self.waiting.append((nodes, stage, established))
        return f"{name}(m);"

    def _write_branches(self) -> list[str]:
        """Return the functions of all branches, with declarations before the first."""
        written = []
        for number, (nodes, stage, established) in enumerate(self.waiting):  # which grows meanwhile
            lines = [line for node in nodes for line in self._node(node, stage, established, 1)]
            written += ["", f"void branch{number}(Matcher& m) {{", *_indented(lines), "}"]
        return ["", *(f"void branch{number}(Matcher& m);" for number in range(len(self.waiting))), *written]

    def _node(
        self, node: PlanNode, stage: _Stage, established: frozenset[PredicateId], depth: int
    ) -> list[str]:
        """Return the code of a node's step, with its conclusions and children."""
        if node.step is None:
            return self._after(node, stage, established, depth)
        self.slots = max([self.slots, *(slot + 1 for slot in _slots(node.step))])
        names = _Names("m.s[{}]", None, depth)
        return self._do(node.step, names, lambda: self._after(node, stage, established, depth + 1))

    def _after(
        self, node: PlanNode, stage: _Stage, established: frozenset[PredicateId], depth: int
    ) -> list[str]:
        lines = [line for number, values in node.ends for line in stage.conclude(number, values)]
        for child in node.children.values():
            needed = stage.needed[id(child)] - established
            test = self._have_facts(needed)
            if depth > _NESTED or (len(node.children) > 1 and stage.sizes[id(child)] > _NESTED):
                inner = [self._branch([child], stage, established | needed)]
            else:
                inner = self._node(child, stage, established | needed, depth)
            lines += [f"if ({test}) {{", *_indented(inner), "}"] if test else inner
        return lines

    def _have_facts(self, needed: Iterable[PredicateId]) -> str:
        bits: dict[int, int] = {}
        for predicate in needed:
            bits[predicate // 64] = bits.get(predicate // 64, 0) | 1 << predicate % 64
        tests = [f"(m.filled[{word}] & {mask:#x}U) == {mask:#x}U" for word, mask in sorted(bits.items())]
        return " && ".join(tests)

    # Steps, in branches and in the functions of conditions

    def _do(self, step: Step, names: _Names, inner: Inner) -> list[str]:
        match step:
            case ReadStep():
                return self._read(step, names, inner)
            case TestStep():
                operator = "==" if step.operator == "=" else step.operator
                test = (
                    f"{self._expression(step.left, names)} {operator} {self._expression(step.right, names)}"
                )
                return _if(test, inner)
            case LetStep(slot, value):
                if not isinstance(value, Number | Total):
                    return [
                        "{",
                        *_indented([names.fill(slot, self._expression(value, names)), *inner()]),
                        "}",
                    ]
                found = names.fresh("value")
                lines = _if(self._call(value, names, found), lambda: [names.fill(slot, found), *inner()])
                return ["{", f"    Cell {found} = 0;", *_indented(lines), "}"]
            case IsStep(expression, value):
                assert isinstance(value, Number | Total)
                found = names.fresh("value")
                test = (
                    f"{self._call(value, names, found)} && {found} == {self._expression(expression, names)}"
                )
                return ["{", f"    Cell {found} = 0;", *_indented(_if(test, inner)), "}"]
            case Every() | Never():
                return _if(self._call(step, names), inner)

    def _read(self, read: ReadStep, names: _Names, inner: Inner) -> list[str]:
        predicate, terms = read.predicate, read.terms
        self.read.add(predicate)
        name, known = f"m.facts{predicate}", set(read.known)
        declared = self.predicates[predicate]
        unique = range(declared.arity if declared.key is None else declared.key)
        used: set[int] = set()
        row, cells = names.fresh("row"), names.fresh("cells")
        if known >= set(unique):
            used = set(unique)
            key = ", ".join(self._term(terms[column], names) for column in unique) or "0"
            opening = [
                f"const Cell {names.fresh('key')}[] = {{{key}}};",
                f"const Row {row} = {name}.find({names.last('key')});",
            ]
            loop = f"if ({row} != NONE) {{"
        elif known:
            used = set(self._chain_for(predicate, tuple(sorted(known))))
            key = ", ".join(self._term(terms[column], names) for column in sorted(used))
            chain = _chain_name(predicate, tuple(sorted(used)))
            opening = []
            first = f"m.{chain}.first({name}, {{{key}}})"
            loop = f"for (Row {row} = {first}; {row} != NONE; {row} = m.{chain}.next[{row}]) {{"
        else:
            opening = []
            loop = f"for (Row {row} = 0; {row} < {name}.size; ++{row}) {{"
        tests: list[str] = []
        fills: list[str] = []
        filled: dict[CodedTerm, int] = {}
        for column, term in enumerate(terms):
            if column in used:
                continue
            cell = f"{cells}[{column}]"
            if column in known:
                tests.append(f"{cell} == {self._term(term, names)}")
            elif term in filled:
                tests.append(f"{cell} == {cells}[{filled[term]}]")
            else:
                assert isinstance(term, Var)
                filled[term] = column
                fills.append(names.fill(term.index, cell))
        inside = [*fills, *inner()]
        if tests:
            inside = [f"if ({' && '.join(tests)}) {{", *_indented(inside), "}"]
        if tests or fills:
            inside = [f"const Cell* {cells} = {name}.at({row});", *inside]
        lines = [*opening, loop, *_indented(inside), "}"]
        return ["{", *_indented(lines), "}"] if opening else lines

    def _chain_for(self, predicate: PredicateId, known: tuple[int, ...]) -> tuple[int, ...]:
        """Return the columns of the chain for a read: an existing one, if few rows are expected in it."""
        there = self.chains.get(predicate, [])
        for columns in there:
            if set(columns) <= set(known):
                rows = expected(predicate, columns, self.predicates, self.program.sizes)
                if columns == known or rows <= _SHORT:
                    return columns
        return self._chain(predicate, known)

    def _chain(self, predicate: PredicateId, columns: tuple[int, ...]) -> tuple[int, ...]:
        there = self.chains.setdefault(predicate, [])
        if columns not in there:
            there.append(columns)
        self.read.add(predicate)
        return columns

    # Conditions on sets, each a function with the outer values as parameters

    def _call(self, condition: Every | Never | Number | Total, names: _Names, into: str | None = None) -> str:
        """Return the call of the function for a condition or value.

        The function decides the condition, or computes the value and returns whether there is one.
        """
        free = _free(condition)
        inside = _Names("local{}", {slot: f"given{n}" for n, slot in enumerate(free)}, 0)
        match condition:
            case Every():
                lines = self._every(condition, inside)
            case Never():
                lines = [*self._steps(condition.steps, inside, lambda: ["return false;"]), "return true;"]
            case Number():
                lines = self._number(condition, inside)
            case Total():
                lines = self._total(condition, inside)
        parameters = ["Matcher& m", *(f"const Cell given{n}" for n in range(len(free)))]
        parameters += [] if into is None else ["Cell& value"]
        text = "\n".join([f"({', '.join(parameters)}) {{", *_indented(lines), "}"])
        name = self.named.get(text)
        if name is None:
            name = self.named[text] = f"holds{len(self.named)}"
            self.functions.append(f"\nbool {name}{text}")
        arguments = ["m", *(names.of(slot) for slot in free), *([] if into is None else [into])]
        return f"{name}({', '.join(arguments)})"

    def _steps(self, steps: Sequence[Step], names: _Names, inner: Inner) -> list[str]:
        if not steps:
            return inner()
        return self._do(steps[0], names, lambda: self._steps(steps[1:], names, inner))

    def _count_of(self, members: SetMembers, names: _Names) -> list[str]:
        """Return lines that declare `count`, or leave the function if the count of the set is unknown."""
        self.read.update((members.count, members.member))
        key = ", ".join(self._term(term, names) for term in members.key) or "0"
        width = len(members.key)
        return [
            f"const Cell key[] = {{{key}}};",
            f"const Row counting = m.facts{members.count}.find(key);",
            "if (counting == NONE) {",
            "    return false;",
            "}",
            f"const Cell count = m.facts{members.count}.at(counting)[{width}];",
        ]

    def _each_member(self, members: SetMembers, names: _Names, inside: list[str]) -> list[str]:
        columns = self._chain(members.member, tuple(range(len(members.key))))
        key = ", ".join(self._term(term, names) for term in members.key)
        chain, facts = _chain_name(members.member, columns), f"m.facts{members.member}"
        row = names.fresh("member")
        return [
            (
                f"for (Row {row} = m.{chain}.first({facts}, {{{key}}}); {row} != NONE; "
                f"{row} = m.{chain}.next[{row}]) {{"
            ),
            f"    const Cell* of_{row} = {facts}.at({row});",
            *_indented(inside),
            "}",
        ]

    def _every(self, condition: Every, names: _Names) -> list[str]:
        # The number of members never exceeds the count, or the state is refused: one failing member decides.
        width = len(condition.members.key)
        row = names.next("member")
        fills = [names.fill(slot, f"of_{row}[{width + n}]") for n, slot in enumerate(condition.slots)]
        holds = [*self._steps(condition.steps, names, lambda: ["return true;"]), "return false;"]
        inside = [*fills, "const bool holds = [&] {", *_indented(holds), "}();"]
        inside += ["if (!holds) {", "    return false;", "}", "++found;"]
        return [
            *self._count_of(condition.members, names),
            "Cell found = 0;",
            *self._each_member(condition.members, names, inside),
            "return found == count;",
        ]

    def _number(self, condition: Number, names: _Names) -> list[str]:
        width = condition.width
        lines = ["Total total;"]
        for members in condition.sets:
            row, first = names.next("member"), len(members.key)
            cells = ", ".join(f"of_{row}[{first + n}]" for n in range(width)) or "0"
            tests = [f"of_{row}[{first}] == {self._term(term, names)}" for term in condition.excluded]
            take = f"total.take<Function::COUNT, {width}>({{{cells}}});"
            inside = ["++found;", f"if (!({' || '.join(tests)})) {{ {take} }}" if tests else take]
            lines += [
                "{",
                *_indented(self._count_of(members, names)),
                "    Cell found = 0;",
                *_indented(self._each_member(members, names, inside)),
                *_indented(_if("found != count", lambda: ["return false;"])),
                "}",
            ]
        if len(condition.sets) == 1:
            return [*lines, "value = static_cast<Cell>(total.found);", "return true;"]
        return [
            *lines,
            f"total.finish<Function::COUNT, {width}>(m.arithmetic);",
            "value = total.value;",
            "return true;",
        ]

    def _total(self, condition: Total, names: _Names) -> list[str]:
        function = f"Function::{condition.function.upper()}, {len(condition.terms)}"

        def take() -> list[str]:
            cells = ", ".join(self._term(term, names) for term in condition.terms) or "0"
            return [f"total.take<{function}>({{{cells}}});"]

        return [
            "Total total;",
            *self._steps(condition.steps, names, take),
            f"const bool is_there = total.finish<{function}>(m.arithmetic);",
            "value = total.value;",
            "return is_there;",
        ]

    # Terms

    def _term(self, term: CodedTerm, names: _Names) -> str:
        return names.of(term.index) if isinstance(term, Var) else _cell(term)

    def _expression(self, expression: Value, names: _Names) -> str:
        if isinstance(expression, Apply):
            left, right = self._expression(expression.left, names), self._expression(expression.right, names)
            if expression.operator in ("min", "max"):
                return f"std::{expression.operator}<Cell>({left}, {right})"
            if expression.operator in _BITS:
                return f"({left} {_BITS[expression.operator]} {right})"
            return f"m.arithmetic.{_OPERATIONS[expression.operator]}({left}, {right})"
        assert isinstance(expression, int | Var)
        return self._term(expression, names)

    # The frame of the functions

    def _matcher(self) -> list[str]:
        read = sorted(self.read)
        lines = ["", "struct Matcher {"]
        for number in read:
            predicate = self.predicates[number]
            unique = predicate.arity if predicate.key is None else predicate.key
            lines.append(
                f"    Facts<{predicate.arity}, {unique}> facts{number};  "
                f"// {self.program.relations[number].name}"
            )
            for columns in self.chains.get(number, []):
                listed = "".join(f", {column}" for column in columns)
                lines.append(f"    Chains<{predicate.arity}{listed}> {_chain_name(number, columns)};")
        words = len(self.predicates) // 64 + 1
        lines += [
            f"    std::uint64_t filled[{words}] = {{}};  // a bit for each relation that has facts",
            f"    Cell s[{self.slots}] = {{}};",
            "    Arithmetic arithmetic;",
            "    bool is_new = false;",
            "    bool conflicts = false;",
            "    bool is_overfull = false;",
            "    std::vector<Cell> found;  // for each answer the rule, then the values of its variables",
            "};",
        ]
        for number in read:
            predicate = self.predicates[number]
            arity, unique = predicate.arity, predicate.arity if predicate.key is None else predicate.key
            facts = f"m.facts{number}"
            lines += [
                "",
                f"bool put{number}(Matcher& m, const Cell* fact) {{",
                f"    const std::size_t place = {facts}.slot(fact);",
                f"    const Row there = {facts}.slots[place];",
                "    if (there != NONE) {",
            ]
            if unique < arity:
                lines.append(
                    f"        m.conflicts = m.conflicts || "
                    f"!std::equal(fact + {unique}, fact + {arity}, {facts}.at(there) + {unique});"
                )
            lines += [
                "        return false;",
                "    }",
                f"    {facts}.append(fact, place);",
                *(
                    f"    m.{_chain_name(number, columns)}.link({facts}, {facts}.size - 1);"
                    for columns in self.chains.get(number, [])
                ),
                f"    m.filled[{number // 64}] |= {1 << number % 64:#x}U;",
                "    return true;",
                "}",
            ]
        lines += [
            "",
            "void clear(Matcher& m) {",
            "    std::fill(std::begin(m.filled), std::end(m.filled), 0);",
        ]
        for number in read:
            lines += [
                f"    m.{_chain_name(number, columns)}.clear(m.facts{number});"
                for columns in self.chains.get(number, [])
            ]
            lines.append(f"    m.facts{number}.clear();")
            lines.append(
                f"    m.filled[{number // 64}] |= m.facts{number}.kept != 0 ? {1 << number % 64:#x}U : 0U;"
            )
        lines += ["}", "", "// Keep the current facts until they are forgotten.", "void keep(Matcher& m) {"]
        lines += [f"    m.facts{number}.kept = m.facts{number}.size;" for number in read]
        lines += ["}", "", "// Keep the current facts permanently.", "void state(Matcher& m) {"]
        lines += [
            f"    m.facts{number}.kept = m.facts{number}.stated = m.facts{number}.size;" for number in read
        ]
        lines += ["}", "", "// Also clear the kept facts.", "void forget(Matcher& m) {"]
        lines += [f"    m.facts{number}.kept = m.facts{number}.stated;" for number in read]
        lines += [
            "}",
            "",
            "void put(Matcher& m, std::int32_t relation, const Cell* fact) {",
            "    switch (relation) {",
        ]
        lines += [f"        case {number}: put{number}(m, fact); break;" for number in read]
        lines += ["        default: break;  // nothing reads it", "    }", "}"]
        return lines

    def _counted(self) -> Iterator[str]:
        """Yield code that checks that no set has more members than its count."""
        for number, predicate in enumerate(self.predicates):
            if predicate.counts is None or predicate.key is None:
                continue
            member, width = predicate.counts, predicate.key
            chain = _chain_name(member, tuple(range(width)))
            key = ", ".join(f"counted[{n}]" for n in range(width))
            yield from (
                f"    for (Row row = 0; row < m.facts{number}.size; ++row) {{",
                f"        const Cell* counted = m.facts{number}.at(row);",
                "        Cell members = 0;",
                (
                    f"        for (Row each = m.{chain}.first(m.facts{member}, {{{key}}}); each != NONE; "
                    f"each = m.{chain}.next[each]) {{"
                ),
                "            ++members;",
                "        }",
                f"        m.is_overfull = m.is_overfull || members > counted[{width}];",
                "    }",
            )

    def _tables(self) -> list[str]:
        program = self.program
        relations = [
            f"    {{{_text(each.name)}, {len(each.is_word)}, "
            f"{sum(1 << n for n, w in enumerate(each.is_word) if w)}U}},"
            for each in program.relations
        ]
        rules = [
            f"    {{{_text(each.name)}, {_text(each.says)}, {start}, {len(each.variables)}}},"
            for each, start in zip(program.answering, _starts(program.answering), strict=True)
        ]
        variables = [
            f"    {{{_text(v.name)}, {'true' if v.is_word else 'false'}}},"
            for each in program.answering
            for v in each.variables
        ]
        facts = [
            "    " + ", ".join(map(_cell, (fact.predicate, *fact.cells))) + "," for fact in program.stated
        ]
        return [
            "struct RelationTold { const char* name; std::int32_t columns; std::uint64_t is_word; };",
            (
                "struct RuleTold { const char* name; const char* says; std::int32_t first; "
                "std::int32_t variables; };"
            ),
            "struct VariableTold { const char* name; bool is_word; };",
            "// Each table ends with a dummy entry.",
            "constexpr RelationTold RELATIONS[] = {",
            *relations,
            "    {nullptr, 0, 0}};",
            "constexpr RuleTold RULES[] = {",
            *rules,
            "    {nullptr, nullptr, 0, 0}};",
            "constexpr VariableTold VARIABLES[] = {",
            *variables,
            "    {nullptr, false}};",
            "constexpr const char* WORDS[] = {",
            *(f"    {_text(word)}," for word in program.words),
            "    nullptr};",
            "// The facts of the theory, each as a relation and its cells.",
            "constexpr Cell STATED[] = {",
            *facts,
            "    -1};",
        ]


class _Stage:
    """The rules of one trie: the code for their instances, and the requirements and sizes of subtrees."""

    def __init__(
        self,
        writer: _CppWriter,
        root: PlanNode,
        rules: Sequence[CodedRule],
        answers: Sequence[AnsweringRule] | None = None,
    ) -> None:
        self._writer, self._rules, self._answers = writer, rules, answers
        self.needed: dict[int, frozenset[PredicateId]] = {}
        """For each node the predicates that all rules below it need."""
        self.sizes: dict[int, int] = {}
        nodes = [root]
        for node in nodes:
            nodes += node.children.values()
        for node in reversed(nodes):
            below = [self.needed[id(child)] for child in node.children.values()] + [frozenset()] * bool(
                node.ends
            )
            own: list[PredicateId] = []
            if isinstance(node.step, ReadStep):
                own.append(node.step.predicate)
            elif isinstance(node.step, Every):
                own.append(node.step.members.count)
            self.needed[id(node)] = reduce(frozenset.__and__, below).union(own)
            self.sizes[id(node)] = 1 + sum(self.sizes[id(child)] for child in node.children.values())

    def conclude(self, number: int, values: Mapping[int, CodedTerm]) -> list[str]:
        names, term = _Names("m.s[{}]", None, 0), self._writer._term  # noqa: SLF001 - a part of it
        if self._answers is not None:
            cells = [values[variable.number] for variable in self._answers[number].variables]
            values_text = ", ".join([str(number), *(term(cell, names) for cell in cells)])
            return [f"m.found.insert(m.found.end(), {{{values_text}}});"]
        head = self._rules[number].head
        cells = [values[each.index] if isinstance(each, Var) else each for each in head.terms]
        values_text = ", ".join(term(cell, names) for cell in cells) or "0"
        self._writer.read.add(head.predicate)
        return [
            "{",
            f"    const Cell fact[] = {{{values_text}}};",
            f"    m.is_new |= put{head.predicate}(m, fact);",
            "}",
        ]


class _Names:
    """The names of slots in a function: those that are `given` as parameters, and others."""

    def __init__(self, slot: str, given: Mapping[int, str] | None, depth: int) -> None:
        self._slot, self._given, self._depth = slot, given, depth
        self._fresh: Counter[str] = Counter()
        self._locals: dict[int, str] = {}

    def of(self, slot: int) -> str:
        if self._given is None:
            return self._slot.format(slot)
        return self._given.get(slot) or self._locals[slot]

    def fill(self, slot: int, value: str) -> str:
        if self._given is None:
            return f"{self._slot.format(slot)} = {value};"
        name = self._locals[slot] = self.fresh("local")
        return f"[[maybe_unused]] const Cell {name} = {value};"

    def fresh(self, name: str) -> str:
        self._fresh[name] += 1
        return self.last(name)

    def last(self, name: str) -> str:
        return f"{name}{self._depth}_{self._fresh[name]}"

    def next(self, name: str) -> str:
        """Return the next fresh name without reserving it."""
        return f"{name}{self._depth}_{self._fresh[name] + 1}"


Inner = Callable[[], list[str]]
_OPERATIONS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "//": "divide",
    "mod": "modulo",
    "shift_left": "shift_left",
    "shift_right": "shift_right",
}
_BITS = {"bit_and": "&", "bit_or": "|", "bit_xor": "^"}


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _if(test: str, inner: Inner) -> list[str]:
    return [f"if ({test}) {{", *_indented(inner()), "}"]


def _cell(cell: int) -> str:
    if cell == -(2**63):
        return "INT64_MIN"
    return str(cell) if abs(cell) < 2**31 else f"INT64_C({cell})"


def _text(text: str) -> str:
    """Return a string literal for any text, in ASCII."""
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in text.encode()
    )
    return f'"{escaped}"'


def _chain_name(predicate: PredicateId, columns: Sequence[int]) -> str:
    return "_".join(["chains" + str(predicate), *map(str, columns)])


def _starts(rules: Sequence[AnsweringRule]) -> Iterator[int]:
    start = 0
    for each in rules:
        yield start
        start += len(each.variables)


def _slots(part: object) -> Iterator[int]:
    """Yield the slots in a step, at any depth, including those that it fills."""
    if isinstance(part, Var):
        yield part.index
    elif isinstance(part, LetStep):
        yield part.slot
        yield from _slots(part.value)
    elif isinstance(part, Every):
        yield from _slots((part.members, part.steps))
        yield from part.slots
    elif isinstance(part, tuple):
        for each in part:
            yield from _slots(each)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _slots(getattr(part, field.name))


def _filled(part: object) -> Iterator[int]:
    """Yield the slots that steps fill, at any depth."""
    match part:
        case ReadStep():
            yield from (
                t.index for n, t in enumerate(part.terms) if n not in part.known and isinstance(t, Var)
            )
        case LetStep():
            yield part.slot
            yield from _filled(part.value)
        case IsStep():
            yield from _filled(part.value)
        case Every():
            yield from part.slots
            yield from _filled(part.steps)
        case Never() | Total():
            yield from _filled(part.steps)
        case tuple():
            for each in part:
                yield from _filled(each)


def _free(part: object) -> list[int]:
    """Return the slots that must be filled before a condition on a set, in the order of their use."""
    return [slot for slot in dict.fromkeys(_slots(part)) if slot not in set(_filled(part))]
