"""Learned rules for programs: read, matched on positions, verified, displayed and written, with their proofs.

Only certified rules are matched. A certified rule has a certificate of its current text that the checker did
not refuse. Several threads may share one set of rules; the number of engines grows to the number of
simultaneous calls.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from hornbook.api.answers import Answer
from hornbook.api.learned_rule import LearnedRule
from hornbook.api.match_states import MatchStates
from hornbook.api.position_matcher import PositionMatcher, code_matcher_of, matcher_of
from hornbook.compiler.maintain.forgotten import read_forgotten
from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.compiler.rules import rulebase, verification
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.stored_rules import PROVABLE, read_rule_base, store_rule_base
from hornbook.inputs.states import State, matching_domain
from hornbook.inputs.theories import load, proved_lemmas
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.kb.store import Store
from hornbook.kb.store.write_through import theory_of
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.spread.frames import Table, answer_table
from hornbook.spread.opening import opening

Verdict = verification.Verdict


@renamed_members
class LearnedRules:
    """The rules learned from one theory, each with its proof, in the order in which they were admitted.

    `theory` has the invented predicates of the rules.

    `learn` and `read_rules` return instances, which are immutable: further learning returns a new instance.
    `rules["name"]` is one rule. In a notebook each rule displays itself.
    """

    def __init__(
        self,
        theory: Theory | str | Path,
        base: RuleBase | None = None,
        *,
        names: Container[str] | None = None,
    ) -> None:
        """Make a collection from a rule base.

        Args:
            theory: The theory, or its name or file.
            base: The rules with their certificates; by default none.
            names: The names of the rules to match, by default all. The other rules serve only as lemmas of
              proofs.
        """
        known = theory if isinstance(theory, Theory) else load(theory)
        self.base = RuleBase(known.name) if base is None else base
        self.theory = self.base.definitions.extended(known)
        self._names = self.base.answering if names is None else names
        self._idle: dict[tuple[Limits | None, bool], list[PositionMatcher]] = {}

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[LearnedRule]:
        return map(self._shown, self.base)

    def __contains__(self, name: object) -> bool:
        return name in self.base.entries

    def __getitem__(self, name: str) -> LearnedRule:
        """Return the rule with that name. Raises KeyError if there is none."""
        return self._shown(self.base.entries[name])

    def _shown(self, entry: RuleEntry) -> LearnedRule:
        return LearnedRule(self.theory, entry)

    @property
    def certified(self) -> list[Rule]:
        """The certified rules for `KnowledgeBase.add_rules`, with their parts written out.

        If a rule then mentions invented predicates, it fits a knowledge base of the theory `self.theory`.
        """
        return [self._shown(entry).rule for entry in self._matched()]

    def _matched(self) -> list[RuleEntry]:
        return [e for e in self.base if e.is_certified and e.rule.name in self._names]

    @cached_property
    def _shared(self) -> SharedRules:
        return SharedRules(key=matching_key(self._matched(), self.theory))

    def match(
        self, position: State | str | Path | Any, *, only_rules: bool = False, limits: Limits | None = None
    ) -> list[Answer]:
        """Return all conclusions of the rules about a position, without search.

        Every game of the position is queried (in Go, one for every block), whichever player is to move. If
        the theory has no games, all conclusions are returned. Rules that are not certified are ignored.
        Several threads may call this method at once.

        Args:
            position: A text or a `Path`, read as by `read_state`, or a board object of the theory's adapter.
            only_rules: Whether the theory contributes only the definitions of the conditions, as it always
              does for games. By default, all its clauses are evaluated with the rules.
            limits: Bounds for each engine that matches.

        Returns:
            One answer for each conclusion.

        Raises:
            NoAdapterError: If the theory's adapter may not be run.
            TheoryError: If the position cannot be read.
            KnowledgeBaseError: If a limit is exceeded. Then nothing is known.
        """
        # An engine serves one call at a time. If a query fails, the engine is discarded with its state.
        idle = self._idle.setdefault((limits, only_rules), [])
        try:
            matcher = idle.pop()
        except IndexError:
            matcher = self.matcher(only_rules=only_rules, limits=limits)
        try:
            matcher.set(position)
        except BaseException:
            idle.append(matcher)
            raise
        found = matcher.answers()
        idle.append(matcher)
        return found

    @renamed_parameters
    def match_table(
        self,
        table: Table,
        *,
        backend: str | None = None,
        workers: int | None = None,
        skip_bad: bool = False,
        only_rules: bool = False,
        limits: Limits | None = None,
    ) -> Table:
        """Return a table of positions with an additional column `answers`, as `match` gives them.

        Args:
            table: A table of pandas, Polars, Arrow (any object with `__arrow_c_stream__`), Dask or Ray.
              Column `state` holds the position as the theory's adapter reads it, or facts if it has none. If
              column `game` is not NULL, only that game is queried, such as `take(c1)`.
            backend: The backend for a table in memory: `local`, `dask`, `ray`, `dask://HOST:PORT` or
              `ray://HOST:PORT`.
            workers: The number of workers. By default, without `backend`, this process does the work.
            skip_bad: Whether rows may lack answers. Then a column `error` has the reason.
            only_rules: As for `match`.
            limits: Bounds for each engine that matches.

        Returns:
            A table of the same kind and with the same rows. Tables of Dask and Ray stay lazy. An answer has
            the fields of `Answer.to_dict`, with the bindings as JSON text. Answers do not depend on the
            backend.

        Raises:
            TableError: If rows cannot be answered and `skip_bad` is false; it lists every such row.
            NoAdapterError: If the theory's adapter may not be run.
        """
        matching_domain(self.theory)  # raises before any work is shared
        opened = opening(backend, workers)
        question = MatchStates.of(self.theory, self._matched(), limits, only_rules=only_rules)
        return answer_table(table, question, opened, skip_bad=skip_bad)

    def matcher(
        self,
        *,
        only_rules: bool = False,
        limits: Limits | None = None,
        compiled: str | Path | None = None,
    ) -> PositionMatcher:
        """Return a matcher for one position after another, which can play actions and undo them.

        Args:
            only_rules: As for `match`.
            limits: Bounds for the engine.
            compiled: A folder with these rules, written by `hornbook rules compile` and built.
              The library there gives the same answers in less time. It supports no limits.

        Raises:
            NoAdapterError: If the theory's adapter may not be run.
            LibraryError: If other rules were compiled in the folder, or none were built.
            ValueError: If `limits` are given for compiled rules.
        """
        if compiled is not None:
            if limits is not None:
                raise ValueError("compiled rules have no limits: leave out `limits`, or `compiled`")
            return code_matcher_of(self.theory, self.base, self.certified, Path(compiled))
        rules, shared = (lambda: self.certified), self._shared
        return matcher_of(self.theory, self.base, rules, limits, shared, only_rules=only_rules)

    def verify(self) -> list[Verdict]:
        """Return the checker's verdict on every rule, in order of rank.

        A verdict has the fields `entry`, `follows`, and `reason` if the rule does not follow.
        """
        return list(verification.verify_all(self.base, self.theory))

    def save(self, place: str | Path | Store) -> None:
        """Write the rules as text, with their proofs in a second file, or into a store.

        Each file is replaced whole or not at all. Comments and the order of rules in an existing file are
        preserved. A store must be open for writing and contain the theory. It takes the rules in one
        transaction and retires its active rules that are not among these.

        Raises:
            OSError: If a file cannot be written.
            TheoryError: If the rules of a new file would import another theory than theirs.
            StoreError: If the store cannot take the rules.
        """
        if isinstance(place, Store):
            store_rule_base(place, self.base)
        else:
            rulebase.must_import(Path(place), self.theory)
            rulebase.write(self.base, Path(place))

    def to_text(self) -> str:
        """Return the rules in the language, as `write` would write them into a new file."""
        return rulebase.rules_text(self.base)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'rule')} learned from `{self.theory.name}`>"

    def _repr_html_(self) -> str:
        return "".join(rule._repr_html_() for rule in self)


def base_for(rules: LearnedRules, theory: Theory) -> RuleBase:
    """Return the rules, with a refusal for each that does not follow from the given theory."""
    extended = rules.base.definitions.extended(theory)
    same = rules.theory is extended or theory_digest(rules.theory) == theory_digest(extended)
    return rules.base if same else verification.with_verdicts(rules.base, extended)


def read_rules(
    place: str | Path | Store, theory: Theory | str | Path | None = None, *, verify: bool = True
) -> LearnedRules:
    """Read the rules of a file or a store, with their proofs.

    A file was written by `hornbook learn` or `LearnedRules.save`. Forgotten rules (`hornbook rules prune`)
    are not matched. In a store, only the active rules are matched. Rules that were edited or written by hand
    have no certificate and are not matched until they are verified again.

    Each proof is replayed once; the verdict is cached. Rules that do not follow from the current theory are
    not matched, and `LearnedRule.refused` has the reason.

    Args:
        place: A file of rules or a store.
        theory: The theory that the rules were learned from. It is required for a file. For a store with only
          one theory it may be omitted.
        verify: Whether to replay the proofs. Without it, all rules with a certificate of their own text are
          matched, and their conclusions are not guaranteed.

    Raises:
        TheoryError: If the file cannot be read or belongs to another theory.
        TypeError: If `place` is a file and `theory` is missing.

    >>> learn("cup").rules.save("cups.horn")
    >>> [rule.name for rule in read_rules("cups.horn", "cup")]
    ['cup_1']
    """
    if isinstance(place, Store):
        with place.snapshot():
            of = theory_of(place, theory, proved_lemmas)
            active = frozenset(rule.name for rule in place.rules(of.name, ["active"]))
            stored = read_rule_base(place, of, PROVABLE, verify=verify)
            return LearnedRules(of, stored, names=active & stored.answering)
    if theory is None:
        raise TypeError("rules from a file need the theory that they were learned from")
    known = theory if isinstance(theory, Theory) else load(theory)
    base = rulebase.read(Path(place), known, verify=verify)
    return LearnedRules(known, base, names=base.answering - read_forgotten(Path(place), base).keys())
