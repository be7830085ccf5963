"""Learning from examples in several processes: the rules equal those of one process."""

from __future__ import annotations

import pytest

CASES = 60


@pytest.mark.deep
@pytest.mark.parametrize("place", ["local", "dask"])
def test_the_rules_are_those_of_one_process(folder, run, place):
    output = ["import family."]
    for number in range(CASES):
        people = ", ".join(f"parent(p{i}, p{i + 1})" for i in range(number % 5 + 2))
        output.append(f"example e{number}: {people}.\nexpect e{number}: ancestor(p0, p{number % 5 + 2}).")
    (folder / "cases.horn").write_text("\n".join(output))
    learn = ("learn", "family", "--problems", "cases.horn")
    assert run(*learn, "--into", "alone.horn")[0] == 0
    code, out, err = run(*learn, "--into", "shared.horn", "--backend", place, "--workers", "2")
    assert (code, err) == (0, "")
    assert out.startswith(f"{CASES} examples, ")
    for kind in ("horn", "proofs.jsonl"):
        assert (folder / f"shared.{kind}").read_bytes() == (folder / f"alone.{kind}").read_bytes()
    assert (folder / "alone.horn").read_text().count(":-") > 2
