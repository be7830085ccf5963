"""Tests of comparisons among conditions: values that equations determine, and redundant conditions."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.generalise.equations import determined, is_settled, without_redundant
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Atom, Comparison, Constant, Term, Variable
from oracles.proofs.learned_rules import rule_of


def comparison(text: str) -> Comparison:
    (found,) = rule_of(f"p :- {text}.").body
    assert isinstance(found, Comparison)
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("?x = a", {"x": Constant("a")}),
        ("a = ?x", {"x": Constant("a")}),
        ("?x = ?y", {"x": Variable("y")}),
        ("?x = ?x", None),
        ("?x != a", None),
        ("?x = ?y + 1", None),
        ("?y + 1 = ?x", None),
        ("?x + 1 = 3", {"x": Constant(2)}),
        ("3 = ?x + 1", {"x": Constant(2)}),
        ("?x = 2 + 3", {"x": Constant(5)}),
        ("2 + 3 = ?x", {"x": Constant(5)}),
        ("?x * 2 = 6", {"x": Constant(3)}),
        ("?x * 2 = 7", None),
        ("7 - ?x * 2 = 1", {"x": Constant(3)}),
        ("?x // 2 = 3", None),
        ("min(?x, 2) = 1", None),
        ("?x + ?y = 3", None),
    ],
)
def test_an_equation_determines_a_variable(text: str, value: dict[str, Term] | None) -> None:
    assert determined(comparison(text)) == value


@pytest.mark.parametrize(
    "text", ["?x = ?x", "a = a", "a != b", "1 < 2", "1 + 1 = 2", "3 // 2 = 1", "min(1, 2) != 2", "2 * 3 >= 6"]
)
def test_what_is_true_without_more_is_settled(text: str) -> None:
    assert is_settled(comparison(text)) is True


@pytest.mark.parametrize(
    "text",
    [
        "?x = ?y", "2 < 1", "1 + 1 = 3", "?x + 1 = ?x + 1", "?x < 3", "?x + ?y > 1", "a != a", "a = b", "1 != a",
    ],
)  # fmt: skip
def test_what_says_something_or_is_false_is_not(text: str) -> None:
    assert is_settled(comparison(text)) is False


@pytest.mark.parametrize(
    "text",
    [
        "9223372036854775807 + 1 > 0", "0 < 9223372036854775807 + 1 - 1", "min(9223372036854775807 * 2, 1) = 1",
        "-9223372036854775807 - 2 < 0", "1 // 0 != 2", "(0 - 9223372036854775807 - 1) // (0 - 1) > 0",
    ],
)  # fmt: skip
def test_what_leaves_64_bits_on_the_way_is_never_true(text: str) -> None:
    assert is_settled(comparison(text)) is False


def test_a_statement_is_never_settled() -> None:
    assert is_settled(rule_of("p :- q(a).").body[0]) is False


@pytest.mark.parametrize(
    ("body", "retained"),
    [
        ("p(?x), q(?y), ?x != ?y, ?y != ?x", "p(?x), q(?y), ?x != ?y"),
        ("p(?x), q(?y), ?x < ?y, ?y > ?x", "p(?x), q(?y), ?x < ?y"),
        ("p(?x), q(?y), ?x = ?y, p(?x), ?y = ?x", "p(?x), q(?y), ?x = ?y"),
        ("p(?x), q(?y), ?x <= ?y, ?y <= ?x", "p(?x), q(?y), ?x <= ?y, ?y <= ?x"),
        ("n(?x), ?x >= 1, ?x >= 3, ?x >= 2", "n(?x), ?x >= 3"),
        ("n(?x), ?x > 1, 1 <= ?x, ?x < 9, ?x <= 9", "n(?x), ?x > 1, ?x < 9"),
        ("n(?x), ?x != 0, ?x > 0, ?x != 7, ?x <= 6", "n(?x), ?x > 0, ?x <= 6"),
        ("n(?x), ?x != 4, ?x > 0, ?x <= 6", "n(?x), ?x != 4, ?x > 0, ?x <= 6"),
        ("n(?x), n(?y), ?x + ?y > 1, ?x + ?y > 2, ?y > 1", "n(?x), n(?y), ?x + ?y > 2, ?y > 1"),
        ("n(?x), ?x = 3, ?x >= 1", "n(?x), ?x = 3, ?x >= 1"),
        ("p(?x), ?x != a, a != ?x, ?x != b, a != b, 2 > 1", "p(?x), ?x != a, ?x != b"),
        (
            "p(?x), all ?m in q(?x, ?m): ?m != ?x, all ?n in q(?x, ?n): ?n != ?x",
            "p(?x), all ?m in q(?x, ?m): ?m != ?x",
        ),
        (
            "p(?x), all ?m in q(?x, ?m): r(?m, ?k), all ?n in q(?x, ?n): r(?n, ?l)",
            "p(?x), all ?m in q(?x, ?m): r(?m, ?k)",
        ),
        (
            "p(?x), all ?m in q(?x, ?m): r(?m, ?h), all ?n in q(?x, ?n): r(?n, ?l)",
            "p(?x), all ?m in q(?x, ?m): r(?m, ?h), all ?n in q(?x, ?n): r(?n, ?l)",
        ),
        (
            "p(?x), p(?y), all ?m in q(?x, ?m): r(?m, ?x), all ?m in q(?x, ?m): r(?m, ?y)",
            "p(?x), p(?y), all ?m in q(?x, ?m): r(?m, ?x), all ?m in q(?x, ?m): r(?m, ?y)",
        ),
    ],
)
def test_what_others_say_is_reported_once(body: str, retained: str) -> None:
    rule = rule_of(f"h(?h) :- {body}.")
    assert without_redundant(rule.body, rule.head) == rule_of(f"h :- {retained}.").body


def test_what_is_left_of_bounds_says_as_much():
    """Random bounds on one number are compared for every number, before and after."""
    random = Random(0)
    for _ in range(300):
        texts = [
            f"?x {random.choice(('<', '<=', '>', '>=', '!='))} {random.randint(0, 6)}"
            if random.random() < 0.7
            else f"{random.randint(0, 6)} {random.choice(('<', '<=', '>', '>=', '!='))} ?x"
            for _ in range(random.randint(1, 4))
        ]
        before = [comparison(text) for text in texts]
        after = without_redundant(before, Atom("h", ()))
        for number in range(-1, 8):
            stored = [
                all(is_settled(apply_to_condition(c, {"x": Constant(number)})) for c in s)
                for s in (before, after)
            ]
            assert stored[0] == stored[1], (texts, number)
