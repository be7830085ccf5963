"""Commands, pages, endpoints and editor requests that run code of a theory, as `trust.md` lists them.

Each row of the tables is one way to use Hornbook on a folder whose modules record that they were run. A new
command, page, endpoint or request needs a row.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import sys
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from lsprotocol import types as lsp
from pygls.protocol import default_converter
from starlette.testclient import TestClient

from hornbook import cli, command_list
from hornbook.editing.answers import answer_about_names, answer_about_text
from hornbook.editing.documents import keep_documents
from hornbook.editing.examples import offer_lenses
from hornbook.editing.server import HornServer
from hornbook.web.explore.app import _PAGES, application
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.service import worker
from hornbook.web.service.description import OPERATIONS
from hornbook.web.service.messages import SessionFacts, Setup, WorkRequest
from oracles.editing.editor import Editor

TRUST = Path(__file__).parents[3] / "docs" / "explanation" / "trust.md"
NOTE = """
import os as _os
with open(_os.environ["NOTED"], "a") as _file:
    _file.write(_os.path.basename(__file__) + "\\n")
"""
EXITING = """
import functools as _functools, os as _os, sys as _sys
def _noting(name, function):
    @_functools.wraps(function)
    def run(*given, **named):
        with open("called", "a") as file:
            file.write(name + "\\n")
        if _os.environ.get("EXITS") == name:
            _sys.exit(0)
        return function(*given, **named)
    return run
for _name, _value in [*globals().items()]:
    if _name[0] != "_" and getattr(_value, "__module__", "") == __name__:
        if isinstance(_value, type):
            for _inner, _function in [*vars(_value).items()]:
                if type(_function) is type(_noting) and _inner[0] != "_":
                    setattr(_value, _inner, _noting(_value.__name__ + "." + _inner, _function))
        elif type(_value) is type(_noting):
            globals()[_name] = _noting(_name, _value)
"""
STATE = "black ..b/.wb/..."
NEVER: frozenset[str] = frozenset()
ADAPTER = frozenset(("adapter.py",))
BOTH = frozenset(("adapter.py", "domain.py"))
"""The adapter and the domain, because the domain of this theory imports the adapter."""
GAME = BOTH | {"_native.py"}

COMMANDS = [
    ("problems demo", "", None, NEVER),
    ("new", "", "new other", NEVER),
    ("theory template", "", "theory template trap out.txt", ADAPTER),
    ("check", "", "check trap", NEVER),
    ("fmt", "", "fmt --check trap/trap.horn", NEVER),
    ("test", "an example names a state", "test trap", ADAPTER),
    ("theory regress", "", "theory regress trap empty --by move --into out.horn", NEVER),
    ("theory graph", "", "theory graph trap", NEVER),
    ("query", "", "query trap 'foe(?a, ?b)' --add facts.horn --facts to_move=to_move.csv", NEVER),
    ("query", "", "query trap 'foe(?a, ?b)' --rules rules.horn", NEVER),
    ("query", "", "query rules.sqlite 'foe(?a, ?b)'", NEVER),
    ("query", "`--state`", "query trap 'to_move(?a)' --state trap/start.txt", ADAPTER),
    ("query", "`--states`", "query trap 'to_move(?a)' --states states.csv --into answers.csv", ADAPTER),
    ("theory report", "", "theory report trap 'foe(?a, ?b)' --into out", NEVER),
    (
        "theory report",
        "`--state`",
        "theory report trap 'to_move(?a)' --into out --state trap/start.txt",
        ADAPTER,
    ),
    ("theory run", "", "theory run trap --into out", NEVER),
    ("theory run", "`--state`", "theory run trap --into out --state trap/start.txt", ADAPTER),
    ("why", "", "why trap 'foe(white, black)'", NEVER),
    ("why", "`--state`", "why trap 'to_move(black)' --state trap/start.txt", ADAPTER),
    ("why-not", "", "why-not trap 'foe(white, white)'", NEVER),
    ("why-not", "`--state`", "why-not trap 'to_move(white)' --state trap/start.txt", ADAPTER),
    ("what-if", "", "what-if trap 'move(a1, a2)'", NEVER),
    ("what-if", "", "what-if trap 'after to_move(white)' --add facts.horn", NEVER),
    ("what-if", "", "what-if trap 'move(a1, a2): after to_move(?a)'", NEVER),
    ("what-if", "`--state`", "what-if trap 'after to_move(white)' --state trap/start.txt", ADAPTER),
    ("repl", "", "repl trap < questions.txt", NEVER),
    ("repl", "`--state`, `:load` of a state", "repl trap --state trap/start.txt < questions.txt", ADAPTER),
    ("repl", "`--state`, `:load` of a state", "repl trap < loading.txt", ADAPTER),
    ("theory lsp", "", None, NEVER),
    ("explore", "`--state`", None, BOTH),
    ("serve", "", None, NEVER),
    ("learn", "an example names a state", "learn trap --into new.horn", ADAPTER),
    ("rules learn-plans", "", "rules learn-plans trap --problems trap/problems.jsonl --into new.horn", BOTH),
    ("rules invent", "an example names a state", "rules invent trap --into new.horn", ADAPTER),
    (
        "rules invent",
        "`--problems`",
        "rules invent trap --problems trap/problems.jsonl --into new.horn",
        BOTH,
    ),
    ("rules relearn", "an example names a state", "rules relearn trap --into rules.horn", BOTH),
    ("learn", "`--problems`", "learn trap --problems trap/problems.jsonl --into new.horn", BOTH),
    ("rules explain", "", "rules explain rules.horn win_by_move_is_gi_1 --theory trap", NEVER),
    (
        "rules explain",
        "`--svg`",
        "rules explain rules.horn win_by_move_is_gi_1 --theory trap --svg out.svg",
        BOTH,
    ),
    ("firm advise", "", "firm advise trap --state trap/start.txt", ADAPTER),
    ("firm report", "", "firm report trap year --into out.html", ADAPTER),
    ("rules match", "", "rules match trap trap/start.txt --rules rules.horn", BOTH),
    ("rules match", "", "rules match trap --states states.csv --rules rules.horn --into answers.csv", BOTH),
    ("problems solve", "", "problems solve trap --rules rules.horn --problems trap/problems.jsonl", BOTH),
    ("rules prove", "all rules have proofs", "rules prove rules.horn --theory trap", NEVER),
    ("rules prove", "a rule has no proof", "rules prove bare.horn --theory trap", BOTH),
    ("rules verify", "", "rules verify rules.horn --theory trap", NEVER),
    ("rules trust", "", "rules trust trap", NEVER),
    ("rules trust", "", "rules trust trap --prove", NEVER),
    ("rules trust", "", "rules trust trap --rules rules.horn", NEVER),
    ("rules compile", "", "rules compile rules.horn --theory trap --into compiled", BOTH),
    ("store new", "", "store new new.sqlite trap", NEVER),
    ("store add", "", "store add rules.sqlite --facts to_move=to_move.csv", NEVER),
    ("store add", "`--state`", "store add rules.sqlite --state trap/start.txt", ADAPTER),
    ("store retract", "", "store retract rules.sqlite facts.horn", NEVER),
    ("store check", "", "store check rules.sqlite", NEVER),
    ("store show", "", "store show rules.sqlite", NEVER),
    ("store export", "", "store export rules.sqlite out.txt", NEVER),
    ("store import", "", "store import new.sqlite exported.txt", NEVER),
    ("store import", "", "store import rules.sqlite rules.horn", NEVER),
    ("rules prune", "", "rules prune rules.sqlite", NEVER),
    ("rules restore", "", "rules restore rules.sqlite", NEVER),
    ("problems audit", "", "problems audit trap", BOTH),
    ("problems audit", "", "problems audit trap --rules rules.horn", BOTH),
    ("problems generate", "", "problems generate trap -n 1 --into out.jsonl", BOTH),
    ("problems grade", "", "problems grade trap/problems.jsonl answers.jsonl --theory trap", BOTH),
    ("theory bench", "", None, NEVER),
    ("theory network", "", "theory network rules.horn --theory trap", NEVER),
    (
        "theory network",
        "`--state`",
        "theory network rules.horn --theory trap --state trap/start.txt",
        ADAPTER,
    ),
    (
        "theory profile",
        "`--state`",
        "theory profile rules.horn --theory trap --state trap/start.txt",
        ADAPTER,
    ),
    (
        "theory profile",
        "`--problems`",
        "theory profile rules.horn --theory trap --problems trap/problems.jsonl",
        BOTH,
    ),
    ("game check", "", None, NEVER),
    ("game play", "", None, NEVER),
    ("game query", "", None, NEVER),
    ("game why", "", None, NEVER),
    ("game strategy", "", None, NEVER),
    ("game plan", "", None, NEVER),
    ("game verify", "", None, NEVER),
    ("game serve", "", None, NEVER),
    ("game manage", "", None, NEVER),
    ("play", "", "play trap", GAME),
    ("search gtp", "", "search gtp trap", GAME),
    ("search uci", "", None, NEVER),
    ("search tournament", "", "search tournament deepening deepening --game trap --into out.jsonl", GAME),
    ("search plan", "", "search plan trap trap/start.txt", BOTH),
    ("search verify", "", "search verify trap proof.json", BOTH),
    ("search best-move", "", "search best-move trap --position trap/start.txt --nodes 10", GAME),
    ("search statistics", "", "search statistics trap --positions 100 --into out.json", GAME),
    ("search learn-allocation", "", "search learn-allocation trap --into out.json", GAME),
    ("search play-allocation", "", "search play-allocation trap policy.json", GAME),
    ("search table-allocation", "", "search table-allocation trap", GAME),
    ("game import", "", None, NEVER),
    ("theory import-pydatalog", "", None, NEVER),
]
"""Every command: its name, the case, its arguments, and the files of the theory's folder that it runs.

The arguments are None if a command takes no theory, or has its own table below (`theory lsp`, `explore`,
`serve`).
"""
PAGES = [
    ("theory", "", "", NEVER),
    ("theory", "", "?graph=1&whole=1", NEVER),
    ("predicate", "", "?name=pawn", NEVER),
    ("source", "", "", NEVER),
    ("ask", "", "?query=foe(%3Fa,%3Fb)", NEVER),
    ("ask", "a state", "?query=to_move(%3Fa)&state=STATE", ADAPTER),
    ("ask", "a state", "?query=to_move(%3Fa)&example=begun", ADAPTER),
    ("state", "", "", BOTH),
    ("rules", "", "", NEVER),
    ("rule", "", "?name=win_by_move_is_gi_1", BOTH),
    ("play", "", "", GAME),
    ("strategy", "", "?state=STATE", BOTH),
    ("timings", "a state, or an example names one", "", ADAPTER),
    ("timings", "a state, or an example names one", "?state=STATE", ADAPTER),
]
"""Every page of `explore`: its name, the case, its query string, and the files that it runs."""
SITUATION = {"add": "to_move(white)."}
ENDPOINTS = [
    *(
        (f"{session}/{kind}", case, kind, {**queried, **given}, runs)
        for session in ("", "/sessions/{session}")
        for kind, queried in (
            ("query", {"query": "foe(?a, ?b)"}),
            ("why", {"fact": "foe(white, black)"}),
            ("why-not", {"fact": "foe(white, white)"}),
        )
        for case, given, runs in (("", SITUATION, NEVER), ("`state`", {"state": STATE}, ADAPTER))
    ),
    *(
        (f"{session}/query-states", case, "query-states", {"query": "foe(?a, ?b)", "states": [given]}, runs)
        for session in ("", "/sessions/{session}")
        for case, given, runs in (("", SITUATION, NEVER), ("`state`", {"state": STATE}, ADAPTER))
    ),
    ("/match", "", "match", {"state": STATE}, BOTH),
    ("/match-states", "", "match-states", {"states": [STATE]}, BOTH),
    ("/advise", "", "advise", {"state": STATE}, ADAPTER),
    ("/facts", "", None, {}, NEVER),
    ("/sessions", "", "begin", SITUATION, NEVER),
    ("/sessions", "`state`", "begin", {"state": STATE}, ADAPTER),
    ("/sessions/{session}", "", None, {}, NEVER),
    ("/sessions/{session}/facts", "", "change", SITUATION, NEVER),
    ("/reload", "", None, {}, NEVER),
    ("/theory", "", None, {}, NEVER),
    ("/healthz", "", None, {}, NEVER),
    ("/readyz", "", None, {}, NEVER),
    ("/metrics", "", None, {}, NEVER),
]
"""Every address of `serve`: the case, the kind of work, the request, and the files that it runs.

The kind is None if the worker processes are not involved. Opening the theory has its own test.
"""
EDITING = [
    ("hornbook.run", "the example names a state", ADAPTER),
    ("hornbook.learn", "the example names a state", ADAPTER),
]
"""The commands of the language server. No other request runs anything."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Create a theory with an adapter, a domain, other modules, learned rules and a store.

    Each module records that it runs.
    """
    place = tmp_path_factory.mktemp("made")
    with (
        contextlib.chdir(place),
        contextlib.redirect_stdout(io.StringIO()) as message,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("NOTED", str(place / "noted"))
        assert cli.main(["new", "trap", "--game"]) == 0
        theory = place / "trap" / "trap.horn"
        theory.write_text(
            theory.read_text() + 'example begun from "start.txt".\nexpect begun: to_move(black).\n'
        )
        for name in ("__init__", "_native", "conftest", "sitecustomize", "test_trap", "trap", "wording"):
            (place / "trap" / f"{name}.py").write_text("")
        for module in (place / "trap").glob("*.py"):
            module.write_text(module.read_text() + NOTE)
        for name, text in {
            "trap/start.txt": STATE,
            "facts.horn": "inner(white, a1).",
            "to_move.csv": "side\nblack\n",
            "states.csv": f"state\n{STATE}\n",
            "questions.txt": "foe(?a, ?b)\nwhat if move(a1, a2)\n",
            "proof.json": '{"strategy": 1, "theory": "trap", "player": "black", "says": "wins", "nodes": 1}\n'
            '{"node": 0, "state": "black ...", "rank": 0, "rule": "x"}\n',
            "loading.txt": ":load trap/start.txt\n",
        }.items():
            (place / name).write_text(text)
        learning = ["learn", "trap", "--problems", "trap/problems.jsonl", "--into", "rules.horn"]
        assert cli.main(learning) == 0
        shutil.copy("rules.horn", "bare.horn")
        assert cli.main(["store", "new", "rules.sqlite", "trap"]) == 0
        assert cli.main(["store", "import", "rules.sqlite", "rules.horn"]) == 0
        assert cli.main(["store", "export", "rules.sqlite", "exported.txt"]) == 0
        message.seek(0)
        message.truncate()
        assert (
            cli.main(
                ["problems", "solve", "trap", "--rules", "rules.horn", "--problems", "trap/problems.jsonl"]
            )
            == 0
        )
        (place / "answers.jsonl").write_text(message.getvalue())
    return place


@pytest.fixture
def place(made, tmp_path, monkeypatch):
    """Copy the theory to the working folder, and forget all its imported modules."""
    copy = tmp_path / "copy"
    shutil.copytree(made, copy, ignore=shutil.ignore_patterns("__pycache__", "noted"))
    monkeypatch.chdir(copy)
    monkeypatch.setenv("NOTED", str(copy / "noted"))
    for name, module in [*sys.modules.items()]:
        if str(made) in str(getattr(module, "__file__", "")):  # a store names the first folder
            monkeypatch.delitem(sys.modules, name)
    return copy


def noted(place):
    """Return the modules of the theory's folder that were run."""
    file = place / "noted"
    return frozenset(file.read_text().split()) if file.exists() else NEVER


def identified(rows):
    return [f"{each[0]} {each[1]}".strip() + f" {number}" for number, each in enumerate(rows)]


QUERIED = [each for each in COMMANDS if each[2] is not None]


@pytest.mark.parametrize(("name", "case", "arguments", "runs"), QUERIED, ids=identified(QUERIED))
def test_commands_run_what_the_table_says(place, capsys, monkeypatch, name, case, arguments, runs):
    arguments, _, given = arguments.partition(" < ")
    monkeypatch.setattr(sys, "stdin", io.StringIO((place / given).read_text() if given else ""))
    code = cli.main(shlex.split(arguments))
    assert noted(place) == runs
    message = capsys.readouterr()
    assert code in (0, 1) or runs, message.err
    assert code != 70, message.err


@pytest.mark.parametrize(("name", "case", "arguments", "runs"), QUERIED, ids=identified(QUERIED))
def test_no_command_runs_anything_without_adapters(place, capsys, monkeypatch, name, case, arguments, runs):
    arguments, _, given = arguments.partition(" < ")
    monkeypatch.setattr(sys, "stdin", io.StringIO((place / given).read_text() if given else ""))
    monkeypatch.setenv("HORNBOOK_NO_ADAPTERS", "1")
    code = cli.main(shlex.split(arguments))
    assert noted(place) == NEVER
    assert code != 70, capsys.readouterr().err


RUNNING = [
    *(each for each in QUERIED if each[3]),
    (
        "problems solve",
        "`--workers`",
        "problems solve trap --rules rules.horn --problems trap/problems.jsonl --workers 2",
        BOTH,
    ),
    ("problems audit", "`--workers`", "problems audit trap --rules rules.horn --workers 2", BOTH),
    (
        "rules match",
        "`--workers`",
        "rules match trap --states states.csv --rules rules.horn --into answers.csv --workers 2",
        BOTH,
    ),
]


@pytest.fixture
def exiting(place, monkeypatch):
    """Call a function once for each function of the adapter and the domain that it uses.

    The used function exits the process.
    """
    for name in ("adapter", "domain"):
        module = place / "trap" / f"{name}.py"
        module.write_text(module.read_text() + EXITING)
    here = {*place.iterdir()}

    def each(run):
        run()
        file = place / "called"
        for function in {*file.read_text().split()} if file.exists() else ():
            for written in {*place.iterdir()} - here:
                shutil.rmtree(written) if written.is_dir() else written.unlink()
            monkeypatch.setenv("EXITS", function)
            yield function, run()

    return each


@pytest.mark.deep_cases("problems audit", "rules match `--workers`")
@pytest.mark.parametrize(("name", "case", "arguments", "runs"), RUNNING, ids=identified(RUNNING))
def test_a_function_that_exits_is_an_error_of_the_command(
    exiting, place, capsys, monkeypatch, name, case, arguments, runs
):
    arguments, _, given = arguments.partition(" < ")

    def run():
        monkeypatch.setattr(sys, "stdin", io.StringIO((place / given).read_text() if given else ""))
        return cli.main(shlex.split(arguments)), capsys.readouterr().err

    for function, (code, message) in exiting(run):
        assert code == 1, (function, message)
        assert "Traceback" not in message
        assert "internal error" not in message


@pytest.mark.deep_cases("timings a state")
@pytest.mark.parametrize(("name", "case", "queried", "runs"), PAGES, ids=identified(PAGES))
def test_a_function_that_exits_is_an_error_of_a_page(exiting, name, case, queried, runs):
    def run():
        client = TestClient(application(ExploredTheory("trap", Path("rules.horn"))))
        return client.get(f"/{name}{queried.replace('STATE', quote(STATE))}")

    for function, reply in exiting(run):
        assert reply.status_code in (200, 422), function
        assert "end" in reply.text


@pytest.mark.parametrize(("path", "case", "kind", "queried", "runs"), ENDPOINTS, ids=identified(ENDPOINTS))
def test_a_function_that_exits_is_an_error_of_an_endpoint(exiting, path, case, kind, queried, runs):
    reader = worker.QueryWorker(Setup("trap", Path("rules.horn")), None)
    session = SessionFacts("name", 0) if path.startswith("/sessions") else None
    if kind is not None:
        for function, done in exiting(
            lambda: reader.answer(WorkRequest(kind, msgspec.json.encode(queried), session))
        ):
            assert done.status == 422, function
            assert b'"adapter"' in done.body


@pytest.mark.parametrize(("name", "case", "queried", "runs"), PAGES, ids=identified(PAGES))
def test_pages_run_what_the_table_says(place, name, case, queried, runs):
    client = TestClient(application(ExploredTheory("trap", Path("rules.horn"))))
    assert noted(place) == NEVER
    assert client.get("/").status_code == 200
    assert noted(place) == NEVER
    reply = client.get(f"/{name}{queried.replace('STATE', quote(STATE))}")
    assert reply.status_code in (200, 422)
    assert noted(place) == runs


def test_explore_reads_the_state_of_the_command_line(place):
    ExploredTheory("trap", None, [Path("trap/start.txt")])
    assert noted(place) == BOTH


@pytest.mark.parametrize(("path", "case", "kind", "queried", "runs"), ENDPOINTS, ids=identified(ENDPOINTS))
def test_endpoints_run_what_the_table_says(place, path, case, kind, queried, runs):
    reader = worker.QueryWorker(Setup("trap", Path("rules.horn")), None)
    assert noted(place) == NEVER
    if kind is None:
        return
    existing = SessionFacts("name", 0) if path.startswith("/sessions") else None
    done = reader.answer(WorkRequest(kind, msgspec.json.encode(queried), existing))
    assert done.status in (200, 404) or path == "/advise", done
    assert noted(place) == runs


def test_a_store_that_is_opened_for_changes_runs_nothing(place):
    keeper = worker.StoreWriter(Setup("rules.sqlite"))
    assert keeper.answer(WorkRequest("change", b'{"facts": {"to_move": [["black"]]}}')).status == 200
    keeper.close()
    assert noted(place) == NEVER


def server():
    made = HornServer()
    for each in (keep_documents, answer_about_names, answer_about_text, offer_lenses):
        each(made)
    return made


@pytest.mark.deep
@pytest.mark.parametrize(("command", "case", "runs"), EDITING)
def test_only_commands_of_the_language_server_run_something(place, command, case, runs):
    features, converter = server().protocol.fm.features, default_converter()
    here = {"line": 5, "character": 8}
    editor = Editor(place / "trap", environment={**os.environ, "NOTED": str(place / "noted")})
    try:
        uri = editor.open(place / "trap" / "trap.horn")
        queried = {
            "textDocument": {"uri": uri},
            "position": here,
            "range": {"start": here, "end": here},
            "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
            "options": {"tabSize": 2, "insertSpaces": True},
            "newName": "other",
            "query": "pawn",
        }

        async def ask(name, params):
            await editor.client.protocol.send_request_async(name, params)

        for name in features:
            if lsp.METHOD_TO_TYPES[name][1] is not None:
                params = converter.structure(queried, lsp.METHOD_TO_TYPES[name][2])
                editor.run(ask(name, params))
        assert noted(place) == NEVER
        editor.run(ask("workspace/executeCommand", lsp.ExecuteCommandParams(command, [uri, "begun"])))
        assert noted(place) == runs
    finally:
        editor.end()


@pytest.mark.deep
@pytest.mark.parametrize("command", [each[0] for each in EDITING])
@pytest.mark.parametrize("function", ["read", "facts"])
def test_a_function_that_exits_is_an_error_of_a_lens(place, command, function):
    module = place / "trap" / "adapter.py"
    module.write_text(module.read_text() + EXITING)
    environment = {**os.environ, "NOTED": str(place / "noted"), "EXITS": function}
    editor = Editor(place / "trap", environment=environment)
    try:
        uri = editor.open(place / "trap" / "trap.horn")

        async def ask(name, params):
            return await editor.client.protocol.send_request_async(name, params)

        queried = lsp.ExecuteCommandParams(command, [uri, "begun"])
        assert editor.run(ask("workspace/executeCommand", queried)) is None
        # The server still answers.
        found = editor.run(ask("workspace/symbol", lsp.WorkspaceSymbolParams("pawn")))
        assert found
    finally:
        editor.end()


# The tables are complete, and `trust.md` has them


def test_every_command_has_a_row():
    assert {each[0] for each in COMMANDS} == command_list.COMMANDS.keys()
    bare = {each[0] for each in COMMANDS if each[2] is None}
    loading = {name for name in bare if command_list.COMMANDS[name].loads_theory}
    assert loading == {"theory lsp", "explore", "serve", "search uci"}


def test_every_page_has_a_row():
    assert {each[0] for each in PAGES} == set(_PAGES)


def test_every_endpoint_has_a_row():
    assert {each[0] for each in ENDPOINTS} == {each.path for each in OPERATIONS}


def test_every_command_of_the_language_server_has_a_row():
    assert {each[0] for each in EDITING} == set(server().protocol.fm.commands)


def test_trust_lists_what_runs_code():
    rows = [
        *((f"`{name}`", case, runs) for name, case, _, runs in COMMANDS),
        *((f"`explore`, page `/{name}`", case, runs) for name, case, _, runs in PAGES),
        *((f"`serve`, `{path}`", case, runs) for path, case, _, _, runs in ENDPOINTS),
        *((f"`theory lsp`, `{name}`", case, runs) for name, case, runs in EDITING),
    ]
    expected = {f"| {what} | {case or 'always'} | {_files(runs)} |" for what, case, runs in rows if runs}
    _, _, section = TRUST.read_text(encoding="utf-8").partition("### What runs an adapter")
    found = {line for line in section.splitlines() if line.startswith("| `")}
    assert found == expected


def _files(runs):
    names = sorted(runs, key=lambda name: (name.startswith("_"), name))
    return ", ".join(f"`{name}`" if name != "_native.py" else "`_native`" for name in names)
