"""Learned rules for programs: read, matched on positions, verified, shown, and written, with their proofs.

Only certified rules are asked: those that have a certificate of what they say now, which the checker did not refuse. Several threads may ask the same rules: there come to be as
many engines as there were calls at once.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from hornbook.api.answers import Answer
from hornbook.api.learned_rule import LearnedRule
from hornbook.api.match_states import MatchStates
from hornbook.api.position_matcher import PositionMatcher, code_matcher_of, matcher_of
from hornbook.compiler.match.position import Shared
from hornbook.compiler.rules import rulebase, verification
from hornbook.compiler.rules.admission import Entry, RuleBase
from hornbook.compiler.rules.stored_rules import PROVABLE, keep_rule_base, read_rule_base
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import State
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.load.loader import load
from hornbook.kb.store import Store
from hornbook.kb.store.keeping import theory_of
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.spread.frames import Table, answer_table
from hornbook.spread.opening import opening

Verdict = verification.Verdict


class LearnedRules:
    """The rules learned from one theory, each with its proof, in the order in which they were admitted.

    Made by `learn` and `read_rules`. They never change: learning more gives others. `rules["name"]` is one rule, and in a
    notebook each shows itself.
    """

    def __init__(
        self,
        theory: Theory | str | Path,
        base: RuleBase | None = None,
        *,
        asked: Container[str] | None = None,
    ) -> None:
        """`asked` names the rules that are matched, by default all; on the others proofs may rest."""
        self.theory = theory if isinstance(theory, Theory) else load(theory)
        self.base = RuleBase(self.theory.name) if base is None else base
        self._asked = self.base.entries if asked is None else asked
        self._idle: dict[Limits | None, list[PositionMatcher]] = {}
        self._shared = Shared()

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[LearnedRule]:
        return map(self._shown, self.base)

    def __contains__(self, name: object) -> bool:
        return name in self.base.entries

    def __getitem__(self, name: str) -> LearnedRule:
        """The rule of that name. Raises KeyError if there is none."""
        return self._shown(self.base.entries[name])

    def _shown(self, entry: Entry) -> LearnedRule:
        return LearnedRule(self.theory, entry)

    @property
    def certified(self) -> list[Rule]:
        """The rules with a certificate of what they say now that is not refused, for `KnowledgeBase.add_rules`."""
        return [self._shown(e).rule for e in self.base if e.is_certified and e.rule.name in self._asked]

    def match(self, position: State | str | Path | Any, *, limits: Limits | None = None) -> list[Answer]:
        """All that the rules say of a position, without search. `limits` bound each engine that matches.

        A text or a `Path` is read as by `read_state`; a board may be given as the theory's adapter makes it, too.
        Every game of the position is asked about (in Go of every block), whoever is to play. Rules that are not certified
        are left out. May be called by several threads at once. Raises NoPictureError if no domain says what is asked,
        TheoryError if the position cannot be read, KnowledgeBaseError if a limit is passed: then nothing is known.
        """
        # An engine is for one call at a time; where a call fails, it is given up with what it stood at.
        idle = self._idle.setdefault(limits, [])
        try:
            matcher = idle.pop()
        except IndexError:
            matcher = self.matcher(limits=limits)
        try:
            matcher.set(position)
        except BaseException:
            idle.append(matcher)
            raise
        found = matcher.answers()
        idle.append(matcher)
        return found

    def match_table(
        self,
        table: Table,
        *,
        on: str | None = None,
        workers: int | None = None,
        skip_bad: bool = False,
        limits: Limits | None = None,
    ) -> Table:
        """A table of positions, a row each, with a column `answers` more: those that `match` gives for each.

        `table` is one of pandas, Polars, Arrow (whatever has `__arrow_c_stream__`), Dask or Ray, and so is what is
        returned; the latter two stay lazy. Its column `state` has the position as the theory's adapter reads it; where
        a column `game` is not NULL, only that game is asked about, such as `take(c1)`. An answer has the fields of
        `Answer.as_json`, with the bindings as JSON text. `on` says where a table in memory is answered: `local`, `dask`,
        `ray`, `dask://HOST:PORT` or `ray://HOST:PORT`, by so many `workers`; in this process if neither is given. Answers do not depend on it.
        Raises TableError (a HornbookError) with every row that cannot be asked about, unless they are to be skipped:
        then a column `error` says why they have no answers. Raises NoPictureError if no domain says what is asked.
        """
        the_domain(self.theory, "what is asked about its states", NoPictureError)
        opened = opening(on, workers)
        return answer_table(
            table, MatchStates(self.theory, tuple(self.certified), limits), opened, skip_bad=skip_bad
        )

    def matcher(self, *, limits: Limits | None = None, compiled: str | Path | None = None) -> PositionMatcher:
        """The rules ready to be asked about one position after another, which may be played on and taken back.

        `compiled` is a folder in which `hornbook rules compile` wrote these rules, and where they were built: then the library
        there answers, the same in less time. It has no limits.
        Raises NoPictureError if no domain says what is asked, LibraryError (a HornbookError) if other rules were compiled
        there or none were built, ValueError if limits are given for compiled rules.
        """
        if compiled is not None:
            if limits is not None:
                raise ValueError("compiled rules have no limits: leave out `limits`, or `compiled`")
            return code_matcher_of(self.theory, self.base, self.certified, Path(compiled))
        return matcher_of(self.theory, self.base, lambda: self.certified, limits, self._shared)

    def verify(self) -> list[Verdict]:
        """The checker's verdict on every rule, in order of rank: `entry`, `follows`, and `reason` where it does not."""
        return list(verification.verify_all(self.base, self.theory))

    def write(self, place: str | Path | Store) -> None:
        """Writes the rules as text, with their proofs beside; each file is replaced whole or not at all.

        Comments and the order that people gave a file that is there stay. Raises OSError if it cannot be written,
        TheoryError if the rules of a new file would import another theory than theirs.
        A store that is open for writing, and has the theory, keeps them instead, in one transaction; its active rules
        that are not among these are retired. Raises StoreError if it cannot.
        """
        if isinstance(place, Store):
            keep_rule_base(place, self.base)
        else:
            rulebase.must_lead_to(Path(place), self.theory)
            rulebase.write(self.base, Path(place))

    def text(self) -> str:
        """The rules in the language, as `write` would write them into a new file."""
        return rulebase.rules_text(self.base)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'rule')} learned from `{self.theory.name}`>"

    def _repr_html_(self) -> str:
        return "".join(rule._repr_html_() for rule in self)


def base_for(rules: LearnedRules, theory: Theory) -> RuleBase:
    """The rules, of which those that do not follow from another theory than theirs are refused."""
    same = rules.theory is theory or theory_digest(rules.theory) == theory_digest(theory)
    return rules.base if same else verification.standing(rules.base, theory)


def read_rules(
    place: str | Path | Store, theory: Theory | str | Path | None = None, *, verify: bool = True
) -> LearnedRules:
    """The rules of a file that `hornbook learn` or `LearnedRules.write` wrote, for the theory they were learned of.

    Of a store those that are active are asked; the theory is its only one if not given.
    Rules that were edited or written by hand come without certificate, and are not asked until they are verified
    again. Each proof is replayed once, which is remembered; rules that do not follow from the theory as it is are not
    asked either, and say why (`LearnedRule.refused`). Unless it is to `verify`, all that have a certificate of their own text
    are asked, and nothing is promised of what they say. Raises TheoryError if the file cannot be read or is of another
    theory.

    >>> learn("cup").rules.write("cups.horn")
    >>> [rule.name for rule in read_rules("cups.horn", "cup")]
    ['cup_1']
    """
    if isinstance(place, Store):
        with place.snapshot():
            of = theory_of(place, theory)
            active = frozenset(rule.name for rule in place.rules(of.name, ["active"]))
            return LearnedRules(of, read_rule_base(place, of, PROVABLE, verify=verify), asked=active)
    if theory is None:
        raise TypeError("the rules of a file need the theory that they were learned of")
    known = theory if isinstance(theory, Theory) else load(theory)
    return LearnedRules(known, rulebase.read(Path(place), known, verify=verify))
