"""Examples on the pages about serving a theory: each answer shown on a page equals the service's answer."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.web.tokens import read_tokens
from oracles.pages.markdown_blocks import run_page

DOCS = Path(__file__).parents[4] / "docs"
PAGES = {"how-to/serve.md": 6, "tutorial/from-tables-to-a-service.md": 3}
"""The number of answers on each page."""
HERE = "localhost:8000"


def answered(client, words):
    """Return the answer to a call of curl."""
    (place,) = (word for word in words if word.startswith(HERE))
    reported = [words[n + 1] for n, word in enumerate(words) if word == "-H"]
    body = [words[n + 1] for n, word in enumerate(words) if word == "-d"]
    headers = dict(line.split(": ", 1) for line in reported)
    path = place.removeprefix(HERE)
    method = "POST" if body or "POST" in words else "GET"
    return client.request(method, path, content=(body or [None])[0], headers=headers).json()


@pytest.mark.deep
@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="the pages' commands are of a POSIX shell")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_the_service_answers(name, served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    queried, answer, answers = None, None, 0

    def follow(block):
        nonlocal queried, answer, answers
        if block.language == "sh":
            for command in re.sub(r"\\\n", " ", block.text).splitlines():
                token = (
                    Path("tokens").read_text(encoding="utf-8").split()[1] if Path("tokens").exists() else ""
                )
                words = shlex.split(command.replace("$TOKEN", token))
                match words:
                    case ["hornbook", "serve", target, *given]:
                        output = dict(pairwise(given))
                        queried = served(
                            target,
                            keeps="--write" in given,
                            tokens=read_tokens(Path("tokens")) if "--tokens" in output else None,
                            tables=[output["--facts"]] if "--facts" in output else (),
                            rules=Path(output["--rules"]) if "--rules" in output else None,
                        )
                    case ["hornbook", "explore", *_] | ["pip", *_]:
                        pass
                    case ["hornbook", *given]:
                        assert main(given) == 0
                    case ["curl", *given]:
                        answer = answered(queried.client, given)
                    case _:
                        subprocess.run(command, shell=True, check=True)
        elif block.language == "json" and "event" not in json.loads(block.text):
            assert answer == json.loads(block.text)
            answers += 1

    run_page(DOCS / name, follow)
    assert answers == PAGES[name]
