"""The examples of `docs/how-to/serve.md`: each answer that the page shows is the one that the service gives."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.web.tokens import read_tokens
from oracles.pages.markdown_blocks import blocks

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "serve.md"
HERE = "localhost:8000"


def said(client, words):
    """What a call of curl is answered."""
    (place,) = (word for word in words if word.startswith(HERE))
    told = [words[n + 1] for n, word in enumerate(words) if word == "-H"]
    body = [words[n + 1] for n, word in enumerate(words) if word == "-d"]
    headers = dict(line.split(": ", 1) for line in told)
    path = place.removeprefix(HERE)
    reply = client.post(path, content=body[0], headers=headers) if body else client.get(path, headers=headers)
    return reply.json()


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="the page's commands are of a POSIX shell")
def test_the_page_shows_what_the_service_answers(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked, answer, answers = None, None, 0
    for block in blocks(PAGE):
        if block.language == "sh":
            for command in re.sub(r"\\\n", " ", block.text).splitlines():
                token = (
                    Path("tokens").read_text(encoding="utf-8").split()[1] if Path("tokens").exists() else ""
                )
                words = shlex.split(command.replace("$TOKEN", token))
                match words:
                    case ["hornbook", "serve", target, *given]:
                        tokens = read_tokens(Path("tokens")) if "--tokens" in given else None
                        tables = given[given.index("--facts") + 1 :][:1] if "--facts" in given else ()
                        asked = served(target, keeps="--write" in given, tokens=tokens, tables=tables)
                    case ["hornbook", *given]:
                        assert main(given) == 0
                    case ["curl", *given]:
                        answer = said(asked.client, given)
                    case _:
                        subprocess.run(command, shell=True, check=True)
        elif block.language == "json" and "event" not in json.loads(block.text):
            assert answer == json.loads(block.text)
            answers += 1
    assert answer["theory"] == "firm"
    assert answers == 5
