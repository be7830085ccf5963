"""Random states of the ward, as texts in the language, each with an action."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

THEORY = Path(__file__).with_name("ward.horn")
KINDS = ("blood", "xray", "swab")
RESULTS = ("normal", "pending", "abnormal")
DRUGS = {"ibuprofen": 3, "morphine": 6, "water": 0}


def ward_states(number: int, seed: int) -> Iterator[str]:
    """Yield states with one to three patients, one to four tests of each, and two nurses."""
    random = Random(seed)
    for _ in range(number):
        yield _state(random)


def _state(random: Random) -> str:
    patients = ("ann", "bob", "cid")[: random.randint(1, 3)]
    facts = [f"relieves({drug}, {points})" for drug, points in DRUGS.items()]
    facts += [f"stock({drug}, {random.randint(0, 2)})" for drug in DRUGS]
    facts += [f"trained({nurse}, {kind})" for nurse in ("tim", "eva") for kind in random.sample(KINDS, 2)]
    tests = []
    for patient in patients:
        own = [f"{patient}_{place}" for place in range(random.choice([1, 2, 2, 3, 3, 4]))]
        tests += own
        facts += [f"tests({patient}, {len(own)})", *(f"ordered({patient}, {test})" for test in own)]
        facts += [f"pain({patient}, {random.randint(0, 9)})", f"accepts({patient}, {random.randint(2, 4)})"]
        facts.append(f"cares_for({random.choice(['tim', 'eva'])}, {patient})")
        facts += [f"tolerates({patient}, {drug})" for drug in random.sample(sorted(DRUGS), 2)]
    for test in tests:
        facts.append(f"kind({test}, {random.choice(KINDS)})")
        facts.append(f"result({test}, {random.choices(RESULTS, [7, 2, 1])[0]})")
    nurse = random.choice(["tim", "eva"])
    if random.random() < 0.5:
        facts.append(f"give({nurse}, {random.choice(patients)}, {random.choice(sorted(DRUGS))})")
    else:
        facts.append(f"repeat_test({nurse}, {random.choice(tests)})")
    return f"{'. '.join(facts)}."
