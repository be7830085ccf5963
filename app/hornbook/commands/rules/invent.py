"""The command `hornbook rules invent`: rules with invented predicates (predicate invention)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import LearningLimitOptions
from hornbook.commands.options import flag, option
from hornbook.commands.rules.learning.options import LearningFileOptions
from hornbook.commands.rules.learning.part_names import name_parts_of_rules
from hornbook.games.predicate_invention import invent_predicates_from_files
from hornbook.terminal.failure import ArgumentError

LongRules = Annotated[
    Path | None,
    option("--rules", "RULES.horn", "Learn nothing: name the parts of the rules in this file."),
]

AgainstReplies = Annotated[
    bool,
    flag(
        "--against-replies",
        "Learn from problems of one and two moves that a game is won after every reply of the opponent.",
    ),
]


def invent(
    theory: options.Theory,
    *,
    learning: LearningFileOptions,
    bounds: LearningLimitOptions,
    rules: LongRules = None,
    against_replies: AgainstReplies = False,
    json_output: options.Json = False,
) -> None:
    """Learn rules with invented predicates.

    A condition that recurs in explanations, holds for each member of a closed set, or depends on many
    facts becomes a predicate that is read before the action. RULES_words.horn has these predicates, their
    clauses, and lemmas with their proofs; the rules belong to that theory.

    With --against-replies, the predicates on which a win in one move depends are regressed through the moves,
    and a predicate states that the game is won after every reply. The theory must list the replies.

    With --rules, long rules of a file get short forms instead. Conditions that a fact of the rule's proof
    needs become one condition, on a predicate that is called after this fact. The rules conclude the same,
    and are proved again. They replace those in the file, unless --into names a new file.
    """
    if rules is not None:
        if learning.problems or learning.more:
            raise ArgumentError("a file of rules is given, so nothing is learned", argument="--problems")
        if against_replies:
            raise ArgumentError(
                "a file of rules is given, so nothing is learned", argument="--against-replies"
            )
        name_parts_of_rules(theory, rules, learning.into, json_output=json_output)
        return
    files = learning.files(theory)
    limits = bounds.budget().limits
    invent_predicates_from_files(
        theory, files, learning.into, limits, against_replies=against_replies, json_output=json_output
    )
