"""Handwritten C++: semi-naive evaluation with a hash set, and a stateless prefix trie."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from benchmarks.engine.measure import Outcome, Task, UnsuitedError, why_it_ended

FLAGS = ("-O2", "-std=c++20")


def run(task: Task) -> Outcome:
    source = Path(__file__).with_name("trie.cpp" if "rules" in task.workload else "seminaive.cpp")
    program = build(source, task.build)
    arguments = [task.program] if source.stem == "trie" else [task.workload, task.program]
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UnsuitedError(why_it_ended(done))
    found = json.loads(done.stdout)
    notes = {key: found[key] for key in ("nodes", "derivations") if key in found}
    return Outcome(found["seconds"], found["result"], found.get("bytes"), _version(), notes)


def build(source: Path, folder: Path) -> Path:
    """Return the compiled program of a source file, cached by text, compiler and flags.

    Raise UnsuitedError.
    """
    if shutil.which("g++") is None:
        raise UnsuitedError("there is no g++")
    digest = sha256(f"{_version()}\0".encode() + source.read_bytes())
    name = f"{source.stem}-{digest.hexdigest()[:16]}"
    program = folder / name
    if not program.exists():
        subprocess.run(["g++", *FLAGS, "-o", program, source], check=True, capture_output=True)
    return program


def _version() -> str:
    first = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout
    return f"{first.splitlines()[0]} {' '.join(FLAGS)}"
