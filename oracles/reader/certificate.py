"""Test whether a certificate proves its rule from a theory, as the reference defines under *Certificates*.

This reader shares no code with the checker, and was written from the documentation alone. It accepts, refuses
with a reason, or reports that it does not decide. It never accepts a certificate that it does not cover.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, Literal

from oracles.reader.context import (
    Place,
    ReaderContext,
    check_witness,
    is_statement,
    listed,
    substitution,
    term,
    three,
    two,
)
from oracles.reader.forms import put
from oracles.reader.language import Form, fingerprint, is_variable
from oracles.reader.linear import MOST, RefusedError
from oracles.reader.theory import (
    Moment,
    ReaderTheory,
    free,
    is_tensed,
    mentioned,
    outside,
    own,
    summed_up,
    variables,
)
from oracles.reader.wording import check

FORMAT = 4
VERSION = "8"
WON = ("GI", "G", "GG", "GP")
MOST_SPLITS, MOST_LEAVES = 80, 10_000
ITSELF = "~"
"""The name in a step that applies the proved rule itself, by induction."""


@dataclass(frozen=True, slots=True)
class ReaderLemma:
    """A learned rule that is already proved."""

    rule: Form
    rank: int
    reached: bool
    inverted: frozenset[str] = frozenset()
    """The relations that its proof, or the proof of a lemma that it uses, inverts."""


@dataclass(frozen=True, slots=True)
class ReaderVerdict:
    kind: Literal["accepted", "refused", "not decided"]
    why: str = ""


def decide(
    rule: Form, certificate: Any, theory: ReaderTheory, lemmas: Mapping[str, ReaderLemma]
) -> ReaderVerdict:
    """Return this reader's verdict on a rule and its certificate, which is given as JSON is read."""
    if rule[2][0] == "plan":
        return ReaderVerdict(
            "not decided", "plans, which are not proved against replies, are beyond this reader"
        )
    try:
        ReaderProof(rule, certificate, theory, lemmas).check()
    except RefusedError as problem:
        return ReaderVerdict("refused", str(problem))
    except RecursionError:
        return ReaderVerdict("refused", "nested too deep")
    except NotDecided as problem:
        return ReaderVerdict("not decided", str(problem))
    return ReaderVerdict("accepted")


@dataclass(frozen=True, slots=True)
class ReaderMember:
    """An arbitrary member of a known set, as new variables, with the required condition of the goal's set at
    a moment.
    """

    one: tuple[str, ...]
    goal: Form
    of: Form
    moment: Moment
    new: Form | None = None
    """The member that the set has gained, from which the arbitrary member must differ."""


@dataclass(frozen=True, slots=True)
class ReaderTask:
    """The subject and the place of steps or of a proof by cases."""

    supposed: bool = True
    """Whether the known conditions may be contradictory: in a case, in a reply, or for an arbitrary member.
    """
    reply: Any = None
    """The present alternative of the replies, if any."""
    member: ReaderMember | None = None
    apart: frozenset[str] | None = frozenset()
    """The variables that a case distinction may use besides those of inversions; None allows all."""
    depth: int = 0
    """The number of enclosing splits, inversions and universal introductions."""


class NotDecided(Exception):
    """The certificate has a part that this reader does not cover; the message names it."""


class ReaderProof:
    def __init__(
        self, rule: Form, data: Any, theory: ReaderTheory, lemmas: Mapping[str, ReaderLemma]
    ) -> None:
        self.rule, self.theory, self.lemmas = rule, theory, lemmas
        self.data = data if isinstance(data, dict) else {}
        self.head, self.body = rule[2], rule[3]
        self.reached = self.data.get("reached", False)
        self.by_replies = bool(listed(self.data.get("replies", [])))
        self.proved: set[tuple[str, Place]] = set()
        self.applied: set[str] = set()
        self.leaves = 0
        self.over: int | None = None
        """The place of the condition over which the proof goes by induction."""

    def named(self) -> list[tuple[str, Moment, str, list[Any]]]:
        """Return the keys and counts that the certificate proves.

        Raise Refused if the rule is not in the language, the certificate is malformed, or it does not name
        the present versions of the things that it uses.
        """
        check(self.rule, self.theory)
        if self.data.get("format") != FORMAT or type(self.data["format"]) is not int:
            raise RefusedError("of another format")
        rank = self.data.get("rank")
        if type(rank) is not int or not 1 <= rank <= MOST:
            raise RefusedError("the rank is no integer of 64 bits of at least 1")
        if not isinstance(self.reached, bool):
            raise RefusedError("`reached` is neither true nor false")
        entries = [self.key_entry(entry) for entry in listed(self.data.get("keys", []))]
        self.proved = {(kind, (name, moment)) for name, moment, kind, _ in entries}
        self.over = self.induction()
        self.names()
        return entries

    def check(self) -> None:
        entries = self.named()
        for name, moment, kind, proofs in entries:
            (self.key if kind == "key" else self.count)(name, moment, proofs)
        self.summed()
        context = self.start()
        if self.by_replies:
            if self.data.get("end") is not None or "cases" in self.data:
                raise RefusedError("what is proved reply by reply has an end besides")
            self.replies(context)
        elif "open" in self.data:
            raise RefusedError("a reply is open where none is asked for")
        else:
            if any("~" in v for c in (self.head, *self.body) for v in variables(c)):
                raise RefusedError("a variable is called as one of a case")
            self.steps(context, self.data.get("steps"), ReaderTask(supposed=False))
            if "cases" in self.data:
                if self.data.get("end") is not None:
                    raise RefusedError("what is proved case by case has an end besides")
                self.case(context, self.data["cases"], ReaderTask(apart=free(self.rule)))
                return
            self.end(context, self.data.get("end"), self.head, None)

    def induction(self) -> int | None:
        if "induction" not in self.data:
            return None
        place = self.data["induction"]
        if type(place) is not int or not 0 <= place < len(self.body):
            raise RefusedError("an induction is over no condition of the rule")
        if "cases" not in self.data:
            raise RefusedError("an induction goes case by case")
        if self.head[0] != "atom" or self.body[place][0] != "atom":
            raise RefusedError("an induction is of a fact, and over one")
        return place

    def summed(self) -> None:
        """Check that predicates in the rule's absences and aggregates are complete in each world of a given
        state.
        """
        atoms_read = list(summed_up(self.body))
        for atom in atoms_read:
            if self.theory.summed.get((atom[2], self.theory.at(atom, "before"))) != ():
                raise RefusedError(
                    f"the rule rests on what there is of `{atom[2]}`, of which there may be more"
                )
        if self.reached and any(self.theory.has_tense(atom[2]) for atom in atoms_read):
            raise RefusedError(
                "what is absent is known of given states, and the proof is of all that are reached"
            )

    # The names in the certificate

    def names(self) -> None:
        if self.data.get("of") != fingerprint(self.rule):
            raise RefusedError("the certificate is of another rule")
        named = self.data.get("fingerprints")
        if not isinstance(named, dict):
            raise RefusedError("nothing is named")
        for name, stated in named.items():
            if stated != self.is_now(name, named):
                raise RefusedError(f"the {name} was changed")
        needed = {"facts static", "theory promises", "checker version"}
        relevant_rules = {self.rule}
        for name in self.rules_applied():
            one = f"lemma {name}" if f"lemma {name}" in named else f"rule {name}"
            needed.add(one)
            relevant_rules.add(self.applied_rule(name))
        inverted = {name for name, _ in self.inverted()}
        for written in listed(self.data.get("inverted_by_lemmas", [])):
            if not isinstance(written, str):
                raise RefusedError("what lemmas invert is no list of names")
            inverted.add(written)
        for one in needed:
            if one.startswith("lemma ") and not self.lemmas[one[6:]].inverted <= inverted:
                raise RefusedError(f"what the proof of the {one} inverts is not named")
        for name, moment in self.inverted():
            relevant_rules |= set(self.theory.conclude(name, moment))
        game = self.head[1][2] if self.head[0] == "game" else ""
        predicates = {a[2] for rule in relevant_rules for c in (rule[2], *rule[3]) for a in mentioned(c)}
        if self.by_replies:
            needed.add(f"replies {game}")
            predicates |= self.in_replies(game)
        predicates |= {c for s, c in self.theory.counter.items() if s in predicates}
        needed |= {f"declaration {name}" for name in predicates}
        if not needed <= named.keys():
            raise RefusedError(f"{min(needed - named.keys())} is not named")
        for name in named:
            if name.startswith("lemma "):
                lemma = self.lemmas[name[6:]]
                if lemma.rank >= self.data["rank"]:
                    raise RefusedError(f"{name} has no smaller rank")
                if self.reached and not lemma.reached:
                    raise RefusedError(f"{name} is not right of reached states")

    def in_replies(self, game: str) -> set[str]:
        if game not in self.theory.replies:
            raise RefusedError("the theory does not say which replies there are")
        _, atom, cases = self.theory.replies[game]
        found = {atom[2]}
        for action, conditions, unless in cases:
            found |= {
                a[2] for each in (action, *conditions, *([unless] if unless else [])) for a in mentioned(each)
            }
        return found

    def is_now(self, name: str, named: Mapping[str, Any]) -> str | None:
        kind, _, what = name.partition(" ")
        match kind:
            case "rule" if what in self.theory.rules:
                return fingerprint(self.theory.rules[what])
            case "lemma" if what in self.lemmas:
                return fingerprint(self.lemmas[what].rule)
            case "declaration" if what in self.theory.predicates:
                return fingerprint(self.theory.declaration(what))
            case "replies" if what in self.theory.replies:
                return fingerprint(self.theory.replies[what])
            case "facts" if what == "static":
                return fingerprint(self.theory.statics)
            case "theory" if what == "promises":
                declared = [n[12:] for n in named if n.startswith("declaration ")]
                return fingerprint(
                    self.theory.promises(declared, [*(place for _, place in self.proved), *self.inverted()])
                )
            case "checker" if what == "version":
                return VERSION
        return None

    def rules_applied(self) -> set[str]:
        return {
            part[0]
            for part in self.parts()
            if isinstance(part, list) and isinstance(part[0], str) and part[0] != ITSELF
        }

    def inverted(self) -> list[Place]:
        """Return the places with inversions.

        For these the proof states which rules conclude there, and for reached states the facts after the
        previous action.
        """
        found: list[Place] = [self.inversion_of(part)[:2] for part in self.parts() if isinstance(part, dict)]
        left = [(name, "after") for name, moment in found if self.reached and moment == "before"]
        return [*found, *left]

    def made_anew(self, name: str) -> bool:
        """Return whether all rules for a derived predicate concern one arbitrary moment, and no action."""
        rules = [rule for moment in ("before", "after") for rule in self.theory.conclude(name, moment)]
        mentioned_names = {a[2] for rule in rules for condition in rule[3] for a in mentioned(condition)}
        return (
            self.theory.kind(name) == "derived"
            and not any(map(is_tensed, rules))
            and not any(self.theory.kind(each) == "action" for each in mentioned_names)
        )

    def parts(self) -> Iterator[Any]:
        proofs = [*listed(self.data.get("replies", [])), self.data.get("cases")]
        return parts_of(self.data.get("steps"), proofs)

    def inversion_of(self, part: Any) -> tuple[str, Moment, tuple[Form, ...]]:
        """Return the subject of an inversion: a relation that only the theory's rules conclude, the moment,
        and the terms.
        """
        inverted = listed(part["invert"])
        if (
            len(inverted) != 3
            or not isinstance(inverted[0], str)
            or inverted[0] not in self.theory.predicates
        ):
            raise RefusedError("what is told apart by rules is in no known form")
        name, moment, terms = inverted
        if moment not in ("before", "after") or not self.theory.has_tense(name):
            raise RefusedError("what is told apart by rules is at no moment of its own")
        if self.theory.kind(name) not in ("derived", "fluent") or self.given(name, moment):
            raise RefusedError(f"`{name}` may be given")
        if self.reached and moment == "before" and not self.made_anew(name):
            raise RefusedError(f"`{name}` may come from what was after the action before")
        return name, moment, tuple(term(each) for each in listed(terms))

    def check_lemma(self, name: str, *, of_reached: bool) -> None:
        """Check a lemma that a step applies, for reached or for given states."""
        if "theory turns" in self.data["fingerprints"]:
            raise RefusedError(f"`{name}`: no step of a plan applies a lemma of the theory")
        if of_reached and self.theory.of_given is None:
            raise NotDecided(f"`{name}`: of which states a lemma of the theory is proved is not kept here")
        if of_reached and name in (self.theory.of_given or ()):
            raise RefusedError(f"`{name}` is not right of reached states")

    def applied_rule(self, name: str, moment: str | None = None) -> Form:
        if name == ITSELF:
            if self.over is None:
                raise RefusedError("the rule itself is applied, and the proof goes by no induction")
            return self.rule
        named = self.data["fingerprints"]
        if f"lemma {name}" in named and name in self.lemmas:
            if self.lemmas[name].rule[2][0] == "plan":
                raise RefusedError(f"`{name}` is a plan, and only plans rest on plans")
            return self.lemmas[name].rule
        if f"rule {name}" in named and name in self.theory.rules:
            rule = self.theory.rules[name]
            if name in self.theory.lemmas:
                self.check_lemma(name, of_reached=self.reached or (moment == "after" and not is_tensed(rule)))
            return rule
        if "@" in name:
            raise NotDecided(f"`{name}`: where a rule without a label stands in its file is not kept here")
        raise RefusedError(f"`{name}` is no rule that the certificate names")

    # Conditions for the use of keys and counts

    def may_use(self, kind: str, place: Place) -> bool:
        name, moment = place
        if not self.reached or moment is None:
            return self.usable(kind, name, moment)
        return self.usable(kind, name, "before") and self.usable(kind, name, "after")

    def usable(self, kind: str, name: str, moment: Moment) -> bool:
        if (kind, (name, moment)) in self.proved:
            return True
        both = [name] if kind == "key" else [name, self.theory.counter.get(name, "")]
        if not all(n in self.theory.predicates for n in both):
            return False
        if kind == "key" and self.theory.predicates[name][4] is None:
            return False
        if len({self.theory.has_tense(n) for n in both}) > 1:
            return False
        if moment == "after":
            observed = all(self.theory.predicates[n][7] for n in both)
            return observed and self.usable(kind, name, "before")
        return not any(self.theory.conclude(n, moment) for n in both)

    def key_entry(self, entry: Any) -> tuple[str, Moment, str, list[Any]]:
        if not isinstance(entry, list) or len(entry) != 4:
            raise RefusedError("a key is proved in no known form")
        check_witness(entry)
        name, moment, kind, proofs = entry
        if not isinstance(name, str) or name not in self.theory.predicates or kind not in ("key", "count"):
            raise RefusedError("a key of nothing is proved")
        if moment not in (("before", "after") if self.theory.has_tense(name) else (None,)):
            raise RefusedError("a key is proved of no moment")
        return name, moment, kind, listed(proofs)

    def given(self, name: str, moment: Moment) -> bool:
        """Return whether facts of a place may be given."""
        if moment == "after" or self.theory.kind(name) not in ("static", "fluent", "derived"):
            return False
        if self.theory.kind(name) in ("static", "fluent"):
            return True
        return self.reached and self.may_be_left(name) and not self.so_next(name)

    def may_be_left(self, name: str) -> bool:
        return any(self.says_after(rule) for rule in self.theory.concluding[name])

    def so_next(self, name: str) -> bool:
        """Return whether the extension of an observed predicate before the next action is that of the given
        state.
        """
        theory = self.theory
        return bool(theory.predicates[name][7]) and all(
            theory.kind(each) == "static"
            or theory.predicates[each][7]
            or (theory.kind(each) == "derived" and not self.may_be_left(each))
            for each, _ in theory.below((name, "before"))
        )

    @staticmethod
    def says_after(rule: Form) -> bool:
        return bool((rule[2] if rule[2][0] == "atom" else rule[2][1])[1] == "after")

    def key(self, name: str, moment: Moment, proofs: list[Any]) -> None:
        key = self.theory.predicates[name][4]
        if key is None:
            raise RefusedError(f"`{name}` has no key")
        rules = self.theory.conclude(name, moment)
        pairs = list(combinations_with_replacement(rules, 2))
        if self.given(name, moment):
            width = len(self.theory.predicates[name][3])
            atom = ("atom", moment, name, tuple(f"?given{i}" for i in range(width)))
            pairs += [(("rule", None, atom, (atom,)), rule) for rule in rules]
        if len(pairs) != len(proofs):
            raise RefusedError(f"{len(pairs)} pairs of rules conclude `{name}`")
        for (first, second), proof in zip(pairs, proofs, strict=True):
            one, other = marked(first, "'"), marked(second, '"')
            context = ReaderContext(self.theory, self.may_use, free(one) | free(other))
            self.assume(context, one, other, moment)
            self.equal(context, one[2][3][:key], other[2][3][:key])
            match proof:
                case None:
                    self.two_actions(one, other)
                case ["known", notes, list(ways)] if len(ways) == len(one[2][3]) - key:
                    context.notes(notes)
                    for a, b, way in zip(one[2][3][key:], other[2][3][key:], ways, strict=True):
                        context.compared(("compare", "=", a, b), way)
                case ["impossible", notes, how]:
                    context.notes(notes)
                    context.impossible(how)
                case _:
                    raise RefusedError("a key is proved in no known form")

    @staticmethod
    def assume(context: ReaderContext, one: Form, other: Form, moment: Moment) -> None:
        for condition in (*one[3], *other[3]):
            context.learn(condition, moment)

    @staticmethod
    def equal(context: ReaderContext, some: tuple[Form, ...], others: tuple[Form, ...]) -> None:
        for a, b in zip(some, others, strict=True):
            context.learn(("compare", "=", a, b), None)

    def two_actions(self, one: Form, other: Form) -> None:
        acts = [
            {c[2] for c in rule[3] if c[0] == "atom" and self.theory.kind(c[2]) == "action"}
            for rule in (one, other)
        ]
        if not any(a != b for a in acts[0] for b in acts[1]):
            raise RefusedError("the two rules do not speak of two actions")

    def count(self, name: str, moment: Moment, proofs: list[Any]) -> None:
        counter = self.theory.counter.get(name)
        if counter is None or self.theory.has_tense(name) != self.theory.has_tense(counter):
            raise RefusedError(f"nothing counts `{name}`")
        if self.given(name, moment) or self.given(counter, moment):
            raise RefusedError("facts of the set may be given")
        counting = self.theory.conclude(counter, moment)
        if len(counting) != len(proofs):
            raise RefusedError(f"{len(counting)} rules conclude `{counter}`")
        for rule, proof in zip(counting, proofs, strict=True):
            one = marked(rule, "'")
            context = ReaderContext(self.theory, self.may_use, free(one))
            for condition in one[3]:
                context.learn(condition, moment)
            match proof:
                case None:
                    raise RefusedError("one rule speaks of no two actions")
                case ["impossible", notes, how]:
                    context.notes(notes)
                    context.impossible(how)
                case ["within", notes, union, bound, each]:
                    context.notes(notes)
                    known = len(context.known)
                    size = self.union(context, union)[3]
                    premises, cases = two(bound)
                    context.linear(("compare", "<=", size, one[2][3][-1]), premises, cases)
                    self.within(name, moment, one, context, known, union, listed(each))
                case _:
                    raise RefusedError("a count is proved in no known form")

    def union(
        self, context: ReaderContext, union: Any
    ) -> tuple[Any, tuple[Form, ...], tuple[Form, ...], Form]:
        """Return the sets of a union with the moment of each, the exclusions, the additions, and the total
        number.
        """
        found: Any
        match union:
            case ["count", k]:
                known, then = context.get(k, "count")
                found = [(m, known[2], then) for m in known[3]], known[4], (), known[1]
            case ["set", k]:
                found = [self.counted(context, k)], (), (), context.get(k)[0][3][-1]
            case ["less", k, m]:
                set_, names, then = self.counted(context, k)
                row = context.row_of_member(set_, names, then, *context.get(m, "atom"))
                if len(row) != 1:
                    raise RefusedError("what is left out has several columns")
                found = [(set_, names, then)], row, (), ("-", context.get(k)[0][3][-1], 1)
            case ["more", k, a, column]:
                action, _ = context.get(a, "atom")
                if self.theory.kind(action[2]) != "action" or type(column) is not int:
                    raise RefusedError("what is added is of no action")
                if not 0 <= column < len(action[3]):
                    raise RefusedError("what is added is of no column")
                found = (
                    [self.counted(context, k)],
                    (),
                    (action[3][column],),
                    ("+", context.get(k)[0][3][-1], 1),
                )
            case _:
                raise RefusedError("a union of no known form")
        for set_, _, then in found[0]:
            context.use("count", context.place(set_, then))
        return found  # type: ignore[no-any-return]

    def counted(self, context: ReaderContext, k: Any) -> tuple[Form, tuple[str, ...], Moment]:
        """Return the set whose count a known statement is."""
        count, then = context.get(k, "atom")
        name = next((n for n, c in self.theory.counter.items() if c == count[2]), None)
        if name is None:
            raise RefusedError("that is no count of a set")
        width = len(self.theory.predicates[name][3]) - len(count[3]) + 1
        names = tuple(f"?#{i}" for i in range(width))
        return ("atom", count[1], name, (*count[3][:-1], *names)), names, then

    def within(
        self,
        name: str,
        moment: Moment,
        one: Form,
        counting: ReaderContext,
        known: int,
        union: Any,
        each: list[Any],
    ) -> None:
        rules = self.theory.conclude(name, moment)
        if len(rules) != len(each):
            raise RefusedError(f"{len(rules)} rules conclude `{name}`")
        width = len(one[2][3]) - 1
        for rule, proof in zip(rules, each, strict=True):
            other = marked(rule, '"')
            context = counting.within(free(other))
            for condition in other[3]:
                context.learn(condition, moment)
            self.equal(context, one[2][3][:width], other[2][3][:width])
            row = other[2][3][width:]
            match proof:
                case None:
                    self.two_actions(one, other)
                case ["impossible", notes, how]:
                    context.notes(notes)
                    context.impossible(how)
                case ["in", notes, k, ways]:
                    context.notes(notes)
                    sets, out, _, _ = self.union(context, union)
                    member, then = context.get(k, "atom")
                    if not any(self.is_member(context, set_, member, then, row) for set_ in sets):
                        raise RefusedError("the member is in none of the sets")
                    if len(listed(ways)) != len(out) or (out and len(row) != 1):
                        raise RefusedError("what is left out is to be told apart")
                    for left, way in zip(out, ways, strict=True):
                        context.apart(row[0], left, way)
                case ["with", notes]:
                    context.notes(notes)
                    added = self.union(context, union)[2]
                    if len(row) != 1 or not added or not context.same(row[0], added[0]):
                        raise RefusedError("the member is not what is added")
                case _:
                    raise RefusedError("that a member is within the union is shown in no known form")

    @staticmethod
    def is_member(
        context: ReaderContext, set_: Any, member: Form, then: Moment, row: tuple[Form, ...]
    ) -> bool:
        try:
            found = context.row_of_member(set_[0], set_[1], set_[2], member, then)
        except RefusedError:
            return False
        return context.all_same(found, row)

    # The proof itself

    def of_one_moment(self) -> bool:
        return not is_tensed(self.rule) and not (self.head[0] == "game" and self.head[2] is not None)

    def start(self) -> ReaderContext:
        context = ReaderContext(self.theory, self.may_use, free(self.rule))
        if self.head[0] == "game" and self.head[2] is not None and self.head[1][1] is None:
            self.rest_on_no_action(self.body)
            context.learn(self.head[2], None)
        for condition in self.body:
            context.learn(condition, "before")
        self.stays_possible(context)
        return context

    def rest_on_no_action(self, conditions: tuple[Form, ...]) -> None:
        for condition in conditions:
            if self.theory.rests_on_an_action(condition):
                raise RefusedError(f"a condition rests on the action that is taken: {condition}")

    @staticmethod
    def stays_possible(context: ReaderContext) -> None:
        if context.contradictory:
            raise RefusedError("the conditions can never hold together")

    def steps(self, context: ReaderContext, data: Any, task: ReaderTask) -> None:
        of_one_moment = task.reply is None and self.of_one_moment()
        for step in listed(data):
            if not isinstance(step, list) or len(step) not in (5, 6):
                raise RefusedError("a step is of no known form")
            name, moment, chosen, proofs, notes = step[:5]
            check_witness([proofs, notes], -1)
            if not isinstance(name, str) or moment not in ("before", "after", None):
                raise RefusedError("a step is of no known form")
            rule = self.applied_rule(name, moment)
            if is_tensed(rule) and (moment is not None or of_one_moment):
                raise RefusedError(f"`{name}` says its moments itself")
            lemma = self.lemmas.get(name)
            if lemma is not None and rule is lemma.rule and moment == "after" and not lemma.reached:
                raise RefusedError(f"`{name}` is not right of reached states")
            terms = substitution(chosen)
            if not free(rule) <= terms.keys():
                raise RefusedError(f"{min(free(rule) - terms.keys())} stands for nothing")
            context.check_own(terms.values())
            if name == ITSELF:
                self.applies_itself(context, moment, proofs)
            context.notes(notes)
            unshared = {v for c in (rule[2], *rule[3]) for v in variables(c)} - free(rule)
            apart = {v: f"{v}@" for v in unshared}
            instance = put(rule, terms | apart)
            self.all_proved(context, instance[3], moment, proofs, step[5:], task)
            context.learn(instance[2], moment)
            if not task.supposed:
                self.stays_possible(context)

    def applies_itself(self, context: ReaderContext, moment: Moment, proofs: Any) -> None:
        if moment != (None if is_tensed(self.rule) else "before"):
            raise RefusedError("the rule itself is applied at another moment")
        if self.over is None or len(listed(proofs)) != len(self.body):
            raise RefusedError("the rule itself is applied to other conditions")
        smaller = proofs[self.over]
        if type(smaller) is not int or smaller not in context.smaller:
            raise RefusedError("the rule itself is applied to what is not shown to be smaller")

    # Universal introductions

    def all_proved(
        self,
        context: ReaderContext,
        conditions: Sequence[Form],
        moment: Moment,
        proofs: Any,
        part: list[Any],
        task: ReaderTask,
    ) -> None:
        """Check conditions in the context, also by universal introductions from the given part of a step or
        leaf.
        """
        if len(listed(proofs)) != len(conditions):
            raise RefusedError(f"{len(conditions)} conditions are to be proved")
        below = by_place(part)
        for place, (condition, proof) in enumerate(zip(conditions, proofs, strict=True)):
            if isinstance(proof, list) and proof[:1] == ["members"]:
                self.members(context, condition, moment, proof, below.pop(place, []), task)
            else:
                context.proved(condition, moment, proof)
        if below:
            raise RefusedError("there are proofs of any one member for a condition that rests on none")

    def members(
        self,
        context: ReaderContext,
        condition: Form,
        moment: Moment,
        proof: list[Any],
        below: list[Any],
        task: ReaderTask,
    ) -> None:
        if task.depth >= MOST_SPLITS:
            raise RefusedError("proofs of any one member stand too deep inside each other")
        gone = new = None
        match condition[0], proof:
            case "all", ["members", k, [i, j], [gone, new, how]]:
                known, then = context.get(k, "all")
                gone, new = self.changed(context, condition, moment, known, then, (i, j), gone, new, how)
                conditions = [(known[2], condition[2])]
            case "all", ["members", k, how]:
                known, then = context.get(k, "all")
                self.as_wide(known, condition)
                context.as_many(known[2], then, condition[2], moment, len(condition[1]), how)
                conditions = [(known[2], condition[2])]
            case "count", ["members", k, hows, way]:
                known, then = context.get(k, "count")
                self.as_wide(known, condition)
                context.one_excluded(known, condition)
                if not len(known[3]) == len(condition[3]) == len(listed(hows)):
                    raise RefusedError("the known `count` is of more or fewer sets")
                conditions = [
                    (first, second)
                    for first, second, how in zip(known[3], condition[3], hows, strict=True)
                    if not context.as_many(first, then, second, moment, len(condition[2]), how)
                ]
                context.compared(("compare", "=", condition[1], known[1]), way)
            case _:
                raise RefusedError("a condition is shown of any one member in no known form")
        if len(below) != len(conditions):
            raise RefusedError(f"{len(conditions)} proofs of any one member are asked for")
        for (first, second), each in zip(conditions, below, strict=True):
            one, inner = context.any_member(first, own(known), then)
            if condition[0] == "all":
                inner.suppose(known, then, one)
            if gone is not None:
                inner.learn(("compare", "!=", one[0], gone), None)
            member_goal = ReaderMember(one, condition, second, moment, new)
            below_it = replace(task, supposed=True, member=member_goal, apart=None, depth=task.depth + 1)
            self.case(inner, each, below_it)

    @staticmethod
    def changed(
        context: ReaderContext,
        condition: Form,
        moment: Moment,
        known: Form,
        then: Moment,
        counts: tuple[Any, Any],
        gone: Any,
        new: Any,
        how: Any,
    ) -> tuple[Form | None, Form | None]:
        """Return the member that a set lost and the one that it gained, after the check of both and of its
        size.
        """
        if len(own(known)) != 1 or len(own(condition)) != 1:
            raise RefusedError("sets that change have one column besides the key")
        if gone is None and new is None:
            raise RefusedError("a set that changes loses or gains a member")
        sum_ = context.only_size(known[2], 1, then, counts[0])
        lost = gained = None
        if gone is not None:
            (lost,) = context.row_of_member(known[2], own(known), then, *context.get(gone, "atom"))
            context.use("count", context.place(known[2], then))
            sum_ = ("-", sum_, 1)
        if new is not None:
            m, terms, proofs = three(new)
            (gained,) = context.row_of_member(condition[2], own(condition), moment, *context.get(m, "atom"))
            context.all_proved(context.conditions_on(condition, (gained,), terms), moment, proofs)
            sum_ = ("+", sum_, 1)
        premises, cases = two(how)
        size = context.size(condition[2], 1, moment, counts[1])
        context.linear(("compare", "=", size, sum_), premises, cases)
        return lost, gained

    @staticmethod
    def as_wide(known: Form, condition: Form) -> None:
        if len(own(known)) != len(own(condition)):
            raise RefusedError("what is known lists more or fewer variables")

    def end_of_member(
        self, context: ReaderContext, end: Any, part: list[Any], task: ReaderTask, member: ReaderMember
    ) -> None:
        check_witness(end)
        match end:
            case ["member", notes, m, terms, proofs, *apart] if len(apart) == (member.new is not None):
                context.notes(notes)
                names = own(member.goal)
                row = context.row_of_member(member.of, names, member.moment, *context.get(m, "atom"))
                if not context.all_same(row, member.one):
                    raise RefusedError("another member is shown to be in the set")
                if member.goal[0] == "all":
                    conditions = context.conditions_on(member.goal, member.one, terms)
                    self.all_proved(context, conditions, member.moment, proofs, part, task)
                elif part:
                    raise RefusedError("nothing is asked of the members of what is counted")
                for each in apart:
                    context.apart(member.one[0], member.new, each)
            case ["impossible", notes, how] if not part:
                context.notes(notes)
                context.impossible(how)
            case _:
                raise RefusedError("a proof of any one member comes to no known end")

    def end(self, context: ReaderContext, end: Any, goal: Form, alternative: Any) -> None:
        check_witness(end)
        match end:
            case ["known", notes, k]:
                context.notes(notes)
                if alternative is None:
                    self.stays_possible(context)
                    context.stated(goal, None, k)
                else:
                    known, then = context.get(k, "game")
                    place = (goal[1][2], None), "after"
                    won = context.one(known[3]) in WON
                    if context.place(known, then) != place or not won:
                        raise RefusedError("the game is not shown to be won after the reply")
                    if not context.all_same(known[1][3], goal[1][3]):
                        raise RefusedError("another game is won after the reply")
            case ["impossible", notes, how] if alternative is not None:
                context.notes(notes)
                context.impossible(how)
            case ["barred", notes, k] if alternative is not None and alternative[2] is not None:
                context.notes(notes)
                context.stated(alternative[2], "before", k)
            case _:
                raise RefusedError("the proof comes to no known end")

    # Replies

    def replies(self, context: ReaderContext) -> None:
        game = self.head[1][2] if self.head[0] == "game" else ""
        if (
            game not in self.theory.replies
            or self.head[2] is not None
            or self.head[3] != "IG"
            or is_tensed(self.rule)
        ):
            raise RefusedError("what is proved reply by reply is that a game is IG")
        for condition in (self.head, *self.body):
            if any(v.endswith("^") for v in variables(condition)):
                raise RefusedError("a variable is called as one of a reply")
        self.rest_on_no_action(self.body)
        for part in parts_of(self.data.get("steps"), []):
            if isinstance(part, list) and part[1] == "after":
                raise RefusedError("a step before any reply is read after it")
        self.steps(context, self.data.get("steps"), ReaderTask(supposed=False))
        _, atom, cases = self.theory.replies[game]
        arguments = dict(zip(atom[3], self.head[1][3], strict=True))
        self.opening(context, cases, arguments)
        proofs = listed(self.data["replies"])
        if len(proofs) != len(cases):
            raise RefusedError(f"there are {len(cases)} alternatives")
        for case, proof in zip(cases, proofs, strict=True):
            self.rest_on_no_action(case[1])
            if case[2] is not None:
                self.rest_on_no_action((case[2],))
            others = {v: f"{v}^" for v in variables(case) if v not in arguments}
            instance = put(case, arguments | others)
            inner = context.within(others[v] for v in self.shared(case) if v in others)
            inner.learn(instance[0], None)
            for condition in instance[1]:
                inner.learn(condition, "before")
            mine = frozenset(v for v in inner.own if v.endswith("^"))
            self.case(inner, proof, ReaderTask(reply=instance, apart=mine))

    @staticmethod
    def shared(case: Any) -> set[str]:
        """Return the variables of an alternative that are not local to one of its conditions."""
        action, conditions, unless = case
        return {v for c in (action, *conditions, *([unless] if unless else [])) for v in outside(c)}

    def case(self, context: ReaderContext, proof: Any, task: ReaderTask) -> None:
        """Check a proof by cases: a leaf, a split or an inversion."""
        if not isinstance(proof, dict):
            self.leaf(context, proof, task)
            return
        keys = (
            {"split", "cases", "rest"} if "split" in proof else {"invert", "steps", "notes", "known", "cases"}
        )
        if task.depth >= MOST_SPLITS or proof.keys() - {"steps"} != keys - {"steps"}:
            raise RefusedError("cases are told apart in no known form")
        self.steps(context, proof.get("steps", []), task)
        below = replace(task, depth=task.depth + 1)
        (self.split if "split" in proof else self.inversion)(context, proof, below)

    def leaf(self, context: ReaderContext, proof: Any, task: ReaderTask) -> None:
        if not isinstance(proof, list) or len(proof) not in ((2, 3) if task.member else (2,)):
            raise RefusedError("a leaf is of no known form")
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise RefusedError("too many leaves")
        steps, end, *part = proof
        self.steps(context, steps, task)
        if task.member is not None:
            self.end_of_member(context, end, part, task, task.member)
        elif task.reply is not None:
            self.end(context, end, self.head, task.reply)
        else:
            self.end_of_case(context, end)

    def end_of_case(self, context: ReaderContext, end: Any) -> None:
        check_witness(end)
        match end:
            case ["known", notes, k]:
                context.notes(notes)
                context.stated(self.head, None, k)
            case ["impossible", notes, how]:
                context.notes(notes)
                context.impossible(how)
            case _:
                raise RefusedError("a case comes to no known end")

    def split(self, context: ReaderContext, proof: Any, below: ReaderTask) -> None:
        if not isinstance(proof["split"], str):
            raise RefusedError("what is told apart is no variable")
        name = f"?{proof['split']}"
        allowed = below.apart is None or name in below.apart or "~" in name
        if name not in context.own or not allowed:
            raise RefusedError("what is told apart is no variable of the case")
        rest = context.within()
        for entry in listed(proof["cases"]):
            written, case = two(entry)
            other = term(written)
            of_case = "~" in str(other) and other in context.own
            if is_variable(other) and other not in free(self.rule) and not of_case:
                raise RefusedError("a case is of no variable of the rule")
            if context.is_number(other) != context.is_number(name):
                raise RefusedError("a word stands for a number")
            inner = context.within()
            inner.learn(("compare", "=", name, other), None)
            self.case(inner, case, below)
            rest.learn(("compare", "!=", name, other), None)
        self.case(rest, proof["rest"], below)

    def inversion(self, context: ReaderContext, proof: Any, below: ReaderTask) -> None:
        check_witness([proof["known"], proof["notes"]], -1)
        context.notes(proof["notes"])
        name, moment, terms = self.inversion_of(proof)
        context.check_own(terms)
        context.stated(("atom", None, name, terms), moment, proof["known"])
        # A fact left by the previous action coexists with its premises.
        at_once = self.reached and moment == "before"
        smaller = self.over is not None and not at_once and proof["known"] in {self.over, *context.smaller}
        rules, cases = self.theory.conclude(name, moment), listed(proof["cases"])
        if len(rules) != len(cases):
            raise RefusedError(f"{len(rules)} rules conclude `{name}`")
        for rule, case in zip(rules, cases, strict=True):
            instance = marked(rule, f"~{context.inversions + 1}")
            inner = context.within(free(instance))
            inner.inversions += 1
            self.equal(inner, instance[2][3], terms)
            known = len(inner.known)
            for condition in instance[3]:
                inner.learn(condition, moment)
            if smaller:
                inner.smaller |= frozenset(range(known, len(inner.known)))
            self.counts(inner, instance[3], moment)
            self.case(inner, case, below)

    def counts(self, context: ReaderContext, conditions: tuple[Form, ...], moment: Moment) -> None:
        """Add the fact that each set in the conditions of an inverted rule has a count."""
        for place, condition in enumerate(conditions):
            if condition[0] not in ("all", "count"):
                continue
            sets = condition[2:3] if condition[0] == "all" else condition[3]
            for number, set_ in enumerate(sets):
                counter = self.theory.counter.get(set_[2])
                if counter is not None:
                    value = f"?#{place}.{number}~{context.inversions}"
                    context.own.add(value)
                    row = (*context.key_of(set_, len(own(condition))), value)
                    context.learn(("atom", set_[1], counter, row), moment)

    def opening(self, context: ReaderContext, cases: Any, arguments: dict[str, Form]) -> None:
        opening = listed(self.data.get("open"))
        if len(opening) != 4:
            raise RefusedError("no reply is shown to be open")
        number, chosen, proofs, notes = opening
        check_witness([proofs, notes], -1)
        if type(number) is not int or not 0 <= number < len(cases) or cases[number][2] is not None:
            raise RefusedError("there is no alternative that is open without more")
        action, conditions, _ = cases[number]
        terms = substitution(chosen)
        names = {v for v in self.shared((action, conditions, None)) if v not in arguments}
        if terms.keys() != names:
            raise RefusedError("the open reply's variables are others")
        context.check_own(terms.values())
        instance = put(conditions, arguments | terms)
        context.notes(notes)
        context.all_proved(instance, "before", proofs)
        self.stays_possible(context)
        bound = {v for c in conditions if is_statement(c) for v in outside(c)}
        for each, sort in zip(action[3], self.theory.predicates[action[2]][3], strict=True):
            if is_variable(each) and each in terms and each not in bound:
                self.is_of(terms[each], sort)

    def is_of(self, one: Form, sort: str) -> None:
        """Check that a term is of a sort in every state that satisfies the rule's conditions."""
        _, _, kind, words = self.theory.sorts[sort][:4]
        if (kind == "integer" and isinstance(one, int)) or one in words:
            return
        context = ReaderContext(self.theory, self.may_use, ())
        for condition in self.body:
            if is_statement(condition):
                for each, column in zip(context.row(condition), context.sorts(condition), strict=True):
                    if column == sort and each == one and isinstance(each, int) == isinstance(one, int):
                        return
        raise RefusedError(f"{one} is no thing of the sort {sort} that is certainly there")


def marked(rule: Form, mark: str) -> Form:
    return put(rule, {v: f"{v}{mark}" for c in (rule[2], *rule[3]) for v in variables(c)})


def by_place(part: list[Any]) -> dict[int, list[Any]]:
    """Return the universal introductions of a step or a leaf for each place, if it has any."""
    found: dict[int, list[Any]] = defaultdict(list)
    for entries in part:
        if not listed(entries):
            raise RefusedError("there are no proofs of any one member where some should stand")
        for entry in entries:
            place, proof = two(entry)
            if type(place) is not int:
                raise RefusedError("a proof of any one member is for no place")
            found[place].append(proof)
    return found


def parts_of(steps: Any, proofs: Sequence[Any]) -> Iterator[Any]:
    """Yield the steps, which are lists, and the inversions, which are objects, at every depth of steps and
    proofs by cases.

    Parts of unknown form are skipped; they are refused when they are read.
    """
    todo = [("steps", steps), *(("proof", proof) for proof in proofs)]
    while todo:
        kind, data = todo.pop()
        if kind == "steps":
            for step in _list(data):
                if isinstance(step, list) and len(step) in (5, 6):
                    yield step
                    todo += [("proof", proof) for proof in _seconds(step[5:])]
        elif isinstance(data, dict):
            todo.append(("steps", data.get("steps")))
            if "split" in data:
                todo += [("proof", proof) for proof in (*_seconds([data.get("cases")]), data.get("rest"))]
            elif "invert" in data:
                yield data
                todo += [("proof", proof) for proof in _list(data.get("cases"))]
        elif isinstance(data, list) and len(data) in (2, 3):
            todo.append(("steps", data[0]))
            todo += [("proof", proof) for proof in _seconds(data[2:])]


def _list(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []


def _seconds(lists: list[Any]) -> list[Any]:
    return [
        entry[1] for data in lists for entry in _list(data) if isinstance(entry, list) and len(entry) == 2
    ]
