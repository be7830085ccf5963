"""`hornbook rules compile`: the generated program can be built and gives the same answers as the rules."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import hornbook
from hornbook import cli
from hornbook.compiler.match.as_code import CodeMatcher
from hornbook.compiler.match.position import RuleMatcher
from hornbook.inputs.states import State
from hornbook.kb.ast.parts import part_of_fact
from hornbook.matcher.standalone.shared_library import LibraryError
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import chaining, question
from hornbook.theories.go.problems import shipped
from hornbook.theories.problems import ProblemQuery


@pytest.fixture(scope="module")
def code(taught, tmp_path_factory):
    """Compile and build rules of Go in a folder that no test changes."""
    place = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXXFLAGS", "-O0")
        arguments = [
            "compile",
            str(taught / "learned.horn"),
            "--theory",
            "go",
            "--into",
            str(place / "code"),
            "--build",
        ]
        arguments += ["--problems", str(taught / "p.jsonl")]
        assert cli.main(arguments) == 0
    return place / "code"


@pytest.fixture(scope="module")
def rules(taught):
    return hornbook.read_rules(taught / "learned.horn", "go")


def asked(number: int) -> list[ProblemQuery]:
    """Return the queries of `number` problems, spread over the file."""
    problems = DOMAIN.read_problems(shipped("train"))
    return [DOMAIN.query_of(each) for each in problems[:: len(problems) // number]]


def state(rules, asks: ProblemQuery) -> State:
    return State(rules.theory, "", asks.state, adapter)


def reported(answers):
    return [(str(each), each.conclusion.statement, dict(each.conclusion.bindings)) for each in answers]


@pytest.mark.deep
def test_compiled_rules_give_the_same_answers_in_the_same_order(rules, code):
    usual, compiled = rules.matcher(), rules.matcher(compiled=code)
    answers = []
    for asks in asked(40):
        usual.set(state(rules, asks))
        compiled.set(state(rules, asks))
        found = compiled.answers()
        assert reported(found) == reported(usual.answers())
        answers += found
    assert len(answers) > 20
    assert answers[0].conditions
    assert answers[0].proof


def test_so_they_do_from_move_to_move(rules, code):
    usual, compiled = rules.matcher(), rules.matcher(compiled=code)
    played = 0
    for asks in asked(6):
        usual.set(state(rules, asks))
        compiled.set(state(rules, asks))
        moves = [
            m
            for m in chaining.attempts(chaining.compact(asks.state), asks.game)
            if question.after(asks.state, m)
        ]
        for move in moves[:4]:
            usual.play(move)
            compiled.play(move)
            assert reported(compiled.answers()) == reported(usual.answers())
            usual.undo()
            compiled.undo()
            assert reported(compiled.answers(asks.game)) == reported(usual.answers(asks.game))
            played += 1
    assert played > 10


def test_the_example_in_c_finds_what_match_finds(rules, code, taught, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path / "example"
    library = str(code / "librules.so")
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-o", str(program), str(code / "example.c"), library]
    subprocess.run(command, check=True)
    facts = (code / "example.facts").read_text()
    done = subprocess.run([program], input=facts, capture_output=True, text=True, check=False)
    first = DOMAIN.query_of(DOMAIN.read_problems(taught / "p.jsonl")[0])
    matcher = rules.matcher()
    matcher.set(state(rules, first))
    expected = [f"{each.rule}: " for each in matcher.answers(first.game)]
    assert expected
    assert [
        line[: len(name)] for line, name in zip(done.stdout.splitlines(), expected, strict=True)
    ] == expected
    assert done.returncode == 0
    wrong = subprocess.run([program], input="no\tsuch\n", capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr) == (2, "example: no such relation: no\n")


def test_what_is_there_is_not_lost(folder, run, taught):
    place = folder / "code"
    arguments = ("compile", str(taught / "learned.horn"), "--theory", "go", "--into", "code", "--json")
    code, out, _ = run(*arguments)
    output = json.loads(out)
    assert (code, output["library"]) == (0, None)
    assert set(output["written"]) == {
        "rules.cpp",
        "hornbook_rules.h",
        "Makefile",
        "example.c",
        "example.facts",
    }
    before = (place / "rules.cpp").read_text()
    (place / "example.c").write_text("/* mine */\n")
    code, out, _ = run(*arguments)
    assert json.loads(out)["written"] == ["rules.cpp", "hornbook_rules.h"]
    assert (place / "rules.cpp").read_text() == before, "the same rules give the same program"
    assert (place / "example.c").read_text() == "/* mine */\n"
    (place / "rules.cpp").write_text("// mine\n")
    code, _, err = run(*arguments)
    assert code != 0
    assert "it was not written by `hornbook rules compile`" in err
    assert (place / "rules.cpp").read_text() == "// mine\n"


def test_without_a_compiler_it_is_reported(folder, run, taught, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    code, _, err = run(
        "rules", "compile", str(taught / "learned.horn"), "--theory", "go", "--into", "code", "--build"
    )
    assert code != 0
    assert "there is no `no-such-compiler`" in err
    assert "Traceback" not in err
    assert (folder / "code" / "rules.cpp").exists()


def test_rules_without_games_are_refused(folder, run):
    assert run("learn", "cup", "--into", "cups.horn")[0] == 0
    code, _, err = run("rules", "compile", "cups.horn", "--theory", "cup", "--into", "code")
    assert code != 0
    assert "domain.py" in err
    assert not Path("code").exists()


def test_other_rules_or_none_are_refused(rules, code, tmp_path):
    fewer = hornbook.LearnedRules(rules.theory, rules.base, names=set(list(rules.base.entries)[1:]))
    with pytest.raises(LibraryError, match="other rules"):
        fewer.matcher(compiled=code)
    with pytest.raises(LibraryError, match="there is no such file; `hornbook rules compile`"):
        rules.matcher(compiled=tmp_path)
    (tmp_path / "librules.so").write_text("no library")
    with pytest.raises(LibraryError, match="it is no library of rules"):
        rules.matcher(compiled=tmp_path)
    with pytest.raises(ValueError, match="no limits"):
        rules.matcher(compiled=code, limits=hornbook.Limits())


def test_facts_that_contradict_one_another_raise_what_they_always_raise(rules, code):
    asks = asked(1)[0]
    question_queried = DOMAIN.question(asks.state, asks.game)
    point = next(
        fact for part in question_queried.parts for fact in part.facts() if fact.relation == "colour"
    )
    other = point._replace(values=(point.values[0], "white" if point.values[1] != "white" else "black"))
    parts = [*question_queried.parts, part_of_fact(other)]
    matcher = CodeMatcher(rules.theory, DOMAIN.focus_predicate, tuple(rules.certified), code)
    usual = RuleMatcher(rules.theory, DOMAIN.focus_predicate)
    for rule in rules.certified:
        usual.add(rule)
    output = []
    for each in (usual, matcher):
        with pytest.raises(hornbook.KnowledgeBaseError) as raised:
            each.conclusions(parts, question_queried.games)
        output.append(str(raised.value))
    assert output[0] == output[1]
    found = matcher.conclusions(question_queried.parts, question_queried.games)
    assert [each.statement for each in found] == [
        each.statement for each in usual.conclusions(question_queried.parts, question_queried.games)
    ]
