"""Mutation testing: one small change at a time, and whether the tests of the file fail.

A mutant is a file of the project with one changed comparison, connective, number, word, argument or
statement. It replaces the file in its own process, where the narrow tests of the file, collected once, run
until the first failure. Surviving mutants are listed. Equivalent mutants are in `equivalent_mutants.toml`
next to this file, with the reason.

Usage:

    python benchmarks/fuzz/mutation.py [--files kb/ast/terms.py …] [--sample 300] [--seed 1]
        [--output benchmarks/results/mutation.txt]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import platform
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from types import CodeType, FunctionType, ModuleType

import pytest

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")

TESTS: dict[str, tuple[str, ...]] = {
    "compiler/checker/checker.py": (
        "tests/compiler/checker/test_checker.py",
        "tests/compiler/checker/test_replies.py",
        "tests/compiler/test_attacks.py",
    ),
    "compiler/checker/certificate.py": (
        "tests/compiler/checker/test_form.py",
        "tests/compiler/checker/test_checker.py",
        "tests/compiler/checker/test_replies.py",
    ),
    "compiler/checker/cases.py": (
        "tests/compiler/witness/test_by_cases.py",
        "tests/compiler/checker/test_replies.py",
        "tests/compiler/test_attacks.py",
    ),
    "compiler/checker/plans.py": ("tests/compiler/test_attacks.py", "tests/compiler/checker/test_checker.py"),
    "kb/ast/terms.py": (
        "tests/kb/ast",
        "tests/kb/check",
        "tests/kb/format",
        "tests/compiler/checker/test_language.py",
    ),
    "kb/ast/substitution.py": ("tests/kb/ast", "tests/compiler/generalise"),
    "compiler/generalise/unify.py": ("tests/compiler/generalise",),
    "compiler/generalise/equations.py": ("tests/compiler/generalise",),
    "compiler/generalise/regression.py": ("tests/compiler/generalise",),
    "compiler/rules/admission.py": ("tests/compiler/rules", "tests/compiler/maintain"),
}
"""Narrow tests of a file. For the checker's files, the default is the test file of the same name."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}


Path_ = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a file: its line, function and description, the path in the syntax tree,
    and the replacement.
    """

    file: str
    line: int
    function: str
    change: str
    path: Path_
    replacement: ast.AST | None

    @property
    def code(self) -> CodeType:
        tree = ast.parse((ROOT / self.file).read_text(encoding="utf-8"))
        _put(tree, self.path, self.replacement)
        return compile(ast.fix_missing_locations(tree), str(ROOT / self.file), "exec")

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} in {self.function}: {self.change}"


def mutants(file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file, in the order of its text."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for path, node, function in _nodes(tree, (), "the module"):
        for change, replacement in _changes(node):
            if replacement is not None and ast.dump(replacement) == ast.dump(node):
                continue
            before = ast.unparse(node).splitlines()[0]
            after = ast.unparse(replacement).splitlines()[0] if replacement else "pass"
            line = getattr(node, "lineno", 0)
            yield Mutant(file, line, function, f"{change}: `{before}` is `{after}`", path, replacement)


def _nodes(node: ast.AST, path: Path_, function: str) -> Iterator[tuple[Path_, ast.AST, str]]:
    """Yield the nodes below a node that can be changed.

    Annotations, docstrings, messages of errors, assertions (including `strict`) and `__slots__` are left out.
    """
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = node.name if function == "the module" else f"{function}.{node.name}"
    if path:
        yield path, node, function
    skipped = {"annotation", "returns", "decorator_list", "type_params", "bases", "keywords"}
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AnnAssign | ast.arg):
        skipped = set()
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr | ast.If) and (
        not isinstance(node, ast.If) or ast.unparse(node.test) == "TYPE_CHECKING"
    ):
        return
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return
    for name, value in ast.iter_fields(node):
        if name in skipped:
            continue
        if isinstance(value, ast.AST):
            yield from _nodes(value, (*path, (name, None)), function)
        elif isinstance(value, list):
            for place, each in enumerate(value):
                if isinstance(each, ast.AST):
                    yield from _nodes(each, (*path, (name, place)), function)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield the possible replacements of a node; None means deletion."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]):
            new.ops = [COMPARED[type(operator)]()]
            yield "another comparison", new
        case ast.BoolOp():
            new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
            yield "another connective", new
            for place in range(len(new.values)):
                left = copy.deepcopy(node)
                assert isinstance(left, ast.BoolOp)
                del left.values[place]
                yield "an operand dropped", left.values[0] if len(left.values) == 1 else left
        case ast.UnaryOp(op=ast.Not()):
            yield "`not` dropped", new.operand
        case ast.BinOp() if type(new.op) in CALCULATED:
            new.op = CALCULATED[type(new.op)]()
            yield "another operation", new
        case ast.Constant(value=bool(value)):
            yield "another truth value", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "another number", ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            new.func = ast.Name(CALLED[name], ast.Load())
            yield "another function", new
        case ast.Call(args=[_, _, *_]) if not any(isinstance(a, ast.Starred) for a in new.args[:2]):
            new.args[:2] = new.args[1::-1]
            yield "arguments exchanged", new
        case ast.If() | ast.While() | ast.IfExp():
            new.test = ast.UnaryOp(ast.Not(), new.test)
            yield "a condition turned round", new
        case ast.comprehension(ifs=[_, *_]):
            for place in range(len(new.ifs)):
                left_out = copy.deepcopy(node)
                assert isinstance(left_out, ast.comprehension)
                del left_out.ifs[place]
                yield "a filter dropped", left_out
        case ast.match_case(guard=ast.expr()):
            new.guard = None
            yield "a guard dropped", new
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            new.value = ast.Constant(None)
            yield "nothing returned", new
        case (
            ast.Expr(value=ast.Call())
            | ast.Raise()
            | ast.Continue()
            | ast.Break()
            | ast.AugAssign()
            | ast.Delete()
        ):
            yield "a statement dropped", None


def _put(tree: ast.AST, path: Path_, replacement: ast.AST | None) -> None:
    for name, place in path[:-1]:
        child = getattr(tree, name)
        tree = child if place is None else child[place]
    name, place = path[-1]
    new = ast.Pass() if replacement is None else replacement
    if place is None:
        setattr(tree, name, new)
    else:
        getattr(tree, name)[place] = new


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import hook that replaces the code of a module."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        self.module, self.path, self.code = module, path, code

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.module:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def changed(file: str, code: CodeType) -> list[tuple[FunctionType, CodeType]]:
    """Return the functions of a module whose code differs in the mutant, each with the mutant's code."""
    name = module_of(file)
    functions = dict(_functions(vars(importlib.import_module(name)), name))
    pairs = [(functions[c.co_qualname], c) for c in _codes(code) if c.co_qualname in functions]
    return [(function, new) for function, new in pairs if function.__code__ != new]


def module_of(file: str) -> str:
    return "hornbook." + file.removesuffix(".py").removeprefix("app/hornbook/").replace("/", ".")


def _functions(names: Mapping[str, object], module: str) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions and methods of a module, by their qualified names."""
    for value in list(names.values()):
        if isinstance(value, type) and value.__module__ == module:
            yield from _functions(vars(value), module)
        plain = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        function: object = inspect.unwrap(plain) if callable(plain) else plain
        if isinstance(function, FunctionType) and function.__module__ == module:
            yield function.__qualname__, function


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of functions and methods, without nested functions."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            if not each.co_flags & inspect.CO_OPTIMIZED:  # a class
                yield from _codes(each)


def tests_of(file: str) -> tuple[str, ...]:
    """Return the narrow tests of a file."""
    return TESTS.get(file, (f"tests/compiler/checker/test_{Path(file).stem}.py",))


OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no"]


class MutantRunner:
    """Runner of mutants of functions on the tests of a file, which are collected once.

    Each mutant has its own process.
    """

    def __init__(self, file: str, chosen: Iterable[Mutant], tell: Callable[[Mutant, str], None]) -> None:
        self.file, self.chosen, self.tell = file, chosen, tell
        self.all_pass = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        started = time.monotonic()
        if session.testsfailed or not session.items:
            return True
        self.all_pass = attempt(lambda: self._first_failure(session, None), 900) == "survived"
        if not self.all_pass:
            return True
        limit = int(3 * (time.monotonic() - started)) + 20
        for mutant in self.chosen:
            self.tell(mutant, attempt(partial(self._first_failure, session, mutant), limit))
        return True

    def _first_failure(self, session: pytest.Session, mutant: Mutant | None) -> bool:
        for function, code in () if mutant is None else changed(self.file, mutant.code):
            function.__code__ = code
        for item in session.items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if session.testsfailed:
                return True
        return False


def attempt(fails: Callable[[], bool], seconds: int) -> str:
    """Return `survived`, `killed` or `too slow`, by the result in a separate process."""
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.signal(signal.SIGALRM, lambda _signal, _frame: os._exit(3))
        signal.alarm(seconds)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        code = 1
        with contextlib.suppress(BaseException):
            code = int(fails())
        os._exit(code)
    return {0: "survived", 3: "too slow"}.get(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "killed")


def loaded_anew(mutant: Mutant) -> bool:
    """Return whether the tests fail when a whole module is replaced."""
    for each in [each for each in sys.modules if each.partition(".")[0] in ("hornbook", "oracles")]:
        del sys.modules[each]
    sys.meta_path.insert(0, Instead(module_of(mutant.file), ROOT / mutant.file, mutant.code))
    return pytest.main(["-x", *OPTIONS, *tests_of(mutant.file)]) != 0


def equivalent() -> dict[str, str]:
    """Return the reasons why mutants are equivalent, by file, function and change."""
    if not EQUIVALENT.exists():
        return {}
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {f"{e['file']} in {e['function']}: {e['change']}": e["why"] for e in entries}


def without_line(mutant: Mutant) -> str:
    return f"{mutant.file} in {mutant.function}: {mutant.change}"


def sampled(files: Iterable[str], sample: int, seed: int) -> list[Mutant]:
    found = [m for file in files for m in mutants(file)]
    if sample and len(found) > sample:
        chosen = set(Random(seed).sample(range(len(found)), sample))
        found = [m for place, m in enumerate(found) if place in chosen]
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    trusted = [f"compiler/checker/{path.name}" for path in (ROOT / "compiler/checker").glob("[a-z]*.py")]
    parser.add_argument("--files", nargs="+", default=sorted({*TESTS, *trusted}))
    parser.add_argument(
        "--sample", type=int, default=300, help="so many mutants of all files together; 0: all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        print("mutants are run in forked processes, which this system does not have")
        return 2
    os.chdir(ROOT)
    same = equivalent()
    chosen = sampled(given.files, given.sample, given.seed)
    counts: dict[str, Counter[str]] = {m.file: Counter() for m in chosen}
    listed: list[str] = []

    def tell(mutant: Mutant, what: str) -> None:
        counts[mutant.file][what] += 1
        if what in ("survived", "equivalent"):
            why = f"\n    {same[without_line(mutant)]}" if what == "equivalent" else ""
            listed.append(f"{what}: {mutant.name}{why}")
            print(listed[-1], file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        os.environ["HORNBOOK_CACHE"] = folder
        for file in counts:
            try_all(file, [m for m in chosen if m.file == file], same, tell)
    text = report(given, counts, listed)
    print(text, end="")
    if given.output is not None:
        given.output.write_text(text, encoding="utf-8")
    return 0


def try_all(
    file: str, chosen: Iterable[Mutant], same: Container[str], tell: Callable[[Mutant, str], None]
) -> None:
    inside: list[Mutant] = []
    for mutant in chosen:
        if without_line(mutant) in same:
            tell(mutant, "equivalent")
        elif changed(file, mutant.code):
            inside.append(mutant)
        else:
            tell(mutant, attempt(partial(loaded_anew, mutant), 900))
    attempts = MutantRunner(file, inside, tell)
    attempt_all = [*OPTIONS, "-W", "ignore::pytest.PytestAssertRewriteWarning", *tests_of(file)]
    pytest.main(attempt_all, plugins=[attempts])
    if not attempts.all_pass:
        sys.exit(f"the tests of {file} fail without any mutant")


def report(given: argparse.Namespace, counts: dict[str, Counter[str]], listed: list[str]) -> str:
    files = " ".join(given.files)
    lines = [
        (
            f"command: python benchmarks/fuzz/mutation.py --files {files} --sample {given.sample} --seed "
            f"{given.seed}"
        ),
        f"Python {platform.python_version()}",
        "",
        (
            f"{'file':40}{'mutants':>9}{'killed':>9}{'too slow':>9}{'the same':>9}{'survived':>9}"
            f"{'killed of those that differ':>29}"
        ),
    ]
    whole: Counter[str] = Counter()
    for file, count in (*counts.items(), ("all", whole)):
        noticed, differ = count["killed"] + count["too slow"], count.total() - count["equivalent"]
        share = f"{100 * noticed / differ:.1f} %" if differ else "-"
        lines.append(
            f"{file:40}{count.total():>9}{count['killed']:>9}{count['too slow']:>9}{count['equivalent']:>9}"
            f"{count['survived']:>9}{share:>29}"
        )
        whole.update(count if file != "all" else {})
    return "\n".join([*lines, "", *listed]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
