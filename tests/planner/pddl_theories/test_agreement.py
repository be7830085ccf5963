"""Tests that the theory of a domain says what an independent interpreter of PDDL says, on random walks."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.load.verdict import verdict
from hornbook.planner.pddl_theories.folder import domain_folder
from hornbook.planner.translation.folder import write_files
from oracles.pddl.agreement import difference
from oracles.pddl.domains_of_tests import DOMAINS
from oracles.pddl.random_problems import random_domain, random_problem


def written(texts: tuple[str, str], where):
    """Return the paths of the files of a domain and a problem."""
    where.mkdir()
    paths = where / "domain.pddl", where / "problem.pddl"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("seed", range(6))
def test_random_problems_of_the_domains(name, seed, tmp_path):
    random = Random(f"{name} {seed}")
    domain, problem = random_problem(name, random)
    folder = domain_folder(*written((domain, problem), tmp_path / "given"), None, "made")
    assert difference(folder, domain, problem, tmp_path / "made", random) == ""


@pytest.mark.parametrize("name", DOMAINS)
def test_a_theory_of_a_domain_has_no_mistakes(name, tmp_path):
    folder = domain_folder(*written(random_problem(name, Random(1)), tmp_path / "given"), None, "made")
    write_files(folder.files, tmp_path / "made")
    for file in ("made.horn", folder.problem):
        assert verdict(tmp_path / "made" / file, cached=False).diagnostics == ()


@pytest.mark.parametrize("seed", range(60))
def test_random_domains(seed, tmp_path):
    random = Random(seed)
    domain, problem = random_domain(random)
    folder = domain_folder(*written((domain, problem), tmp_path / "given"), None, "made")
    assert difference(folder, domain, problem, tmp_path / "made", random) == ""
