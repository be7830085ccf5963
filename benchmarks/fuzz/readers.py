"""Mutated input for readers of files, parser and checker, which may only raise HornbookError.

Theories are slices of the shipped ones, with the declarations that they need, and with mutations of tokens
and clauses. States, problems, tables, rules, proofs and stores are the inputs of the tests, with mutations of
characters, numbers, lines and bytes. Some inputs that pass the checker are also formatted and loaded into a
knowledge base. Each input has a limit of processor time, since readers must not hang. Inputs come in parts;
with `--work` finished parts are stored, and the next run continues after them.

The exit code is 1 if a reader failed or hung; the inputs are then in the folder of `--keep`.

Usage:

    nice -n 15 python benchmarks/fuzz/readers.py [--inputs 1000000] [--seed 1] [--of READERS]
        [--work FILE] [--output FILE] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from oracles.language.fuzzed_readers import MOST_SECONDS, FuzzedReader, checker, files, input_of, texts, tried

PART = 10_000
"""Number of inputs of one part."""
SLOW = {"parquet": 1 / 20, "store as text": 1 / 40, "rules": 1 / 4, "proofs": 1 / 4}
"""Readers with a smaller share, since they open a database or replay proofs."""


def shares(readers: list[FuzzedReader], inputs: int) -> dict[str, int]:
    """Return the number of inputs for each reader."""
    weights = {reader.name: SLOW.get(reader.name, 1.0) for reader in readers}
    found = {name: round(inputs * weight / sum(weights.values())) for name, weight in weights.items()}
    found[readers[0].name] += inputs - sum(found.values())
    return found


def part(
    readers: list[FuzzedReader], inputs: int, seed: int, number: int, keep: Path | None
) -> dict[str, dict[str, Any]]:
    """Return the outcomes of the inputs of one part, by reader."""
    result: dict[str, dict[str, Any]] = {}
    for reader in readers:
        share = shares(readers, inputs)[reader.name]
        outcomes, slowest, faults = Counter[str](), 0.0, []
        for place in range(number * share, (number + 1) * share):
            data = input_of(reader, seed, place)
            found = tried(reader, data)
            outcomes[found.outcome] += 1
            slowest = max(slowest, found.seconds)
            if found.outcome == "fault":
                faults.append([place, found.fault])
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{reader.name.replace(' ', '-')}-{place}").write_bytes(data)
        result[reader.name] = {"outcomes": outcomes, "slowest": slowest, "faults": faults}
    return result


def text(parts: list[dict[str, Any]], inputs: int, seed: int, of: str | None = None) -> str:
    """Return the report of all parts."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("sgfmill", "duckdb"))
    rows = [
        (
            f"command: python benchmarks/fuzz/readers.py --inputs {inputs} --seed "
            f"{seed}{f' --of {of}' if of else ''}"
        ),
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}, {packages}",
        f"in parts of {PART:,}; at most {MOST_SECONDS:g} s of the processor for an input",
        "",
        f"{'reader':<20}{'inputs':>11}{'read':>11}{'refused':>11}{'failed':>9}{'slowest':>11}",
    ]
    for group in ("readers", "checker"):
        total = Counter[str]()
        names = dict.fromkeys(name for each in parts for name in each.get(group, ()))
        for name in names:
            of_reader = [each[group][name] for each in parts if group in each]
            outcomes = sum((Counter(each["outcomes"]) for each in of_reader), Counter[str]())
            slowest = max(each["slowest"] for each in of_reader)
            total += outcomes
            rows.append(_row(name, outcomes, f"{slowest:.2f} s"))
        if len(names) > 1:
            rows += [_row("all readers", total, ""), ""]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def _row(name: str, outcomes: Counter[str], slowest: str) -> str:
    numbers = (outcomes.total(), outcomes["read"], outcomes["refused"])
    return (
        f"{name:<20}" + "".join(f"{each:>11,}" for each in numbers) + f"{outcomes['fault']:>9,}{slowest:>11}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Give mutated input to every reader, parser and checker.")
    parser.add_argument(
        "--inputs", type=int, default=1_000_000, help="of the checker, and of all readers together"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", choices=("checker", "readers"), help="only the one of the two")
    parser.add_argument("--work", type=Path, help="where finished parts are kept")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--keep", type=Path, help="where inputs are put that show a fault")
    given = parser.parse_args()
    done = []
    if given.work is not None and given.work.exists():
        done = [json.loads(line) for line in given.work.read_text(encoding="utf-8").split("\n") if line]
    with tempfile.TemporaryDirectory() as folder:
        groups = {"readers": [*texts(), *files(Path(folder))], "checker": [checker()]}
        groups = {name: group for name, group in groups.items() if given.of in (None, name)}
        for number in range(len(done), -(-given.inputs // PART)):
            inputs = min(PART, given.inputs - number * PART)
            found = {
                name: part(group, inputs, given.seed, number, given.keep) for name, group in groups.items()
            }
            # In the format of the file, which a later run reads.
            done.append(json.loads(json.dumps(found)))
            if given.work is not None:
                with given.work.open("a", encoding="utf-8") as work:
                    work.write(json.dumps(found) + "\n")
    report = text(done, given.inputs, given.seed, given.of)
    sys.stdout.write(report)
    if given.output is not None:
        given.output.write_text(report, encoding="utf-8")
    faults = [
        f"{name} {place}: {message}"
        for each in done
        for group in each.values()
        for name, found in group.items()
        for place, message in found["faults"]
    ]
    sys.stdout.writelines(f"{each}\n" for each in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
