"""The command `hornbook rules explain`: the origin and the proof of a learned rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

from hornbook.api.learned_rules import LearnedRules
from hornbook.api.rule_example import example_of
from hornbook.api.rule_picture import rule_picture
from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.commands.questions.why import DepthOption, FullOption, ProofFormat, lines
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_text
from hornbook.compiler.rules.origins import Origin, origins
from hornbook.compiler.rules.provenance import Provenance
from hornbook.inputs.domains import NoPictureError
from hornbook.inputs.opening import limit_of_facts
from hornbook.inputs.opening_store import rules_of
from hornbook.kb.ast.terms import PlanStatement, Rule
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.explain.proof import Proof
from hornbook.kb.explain.rule_in_words import RuleInWords, rule_in_words
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.text.writing import write_text
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line


def explain(
    rules: options.RulesOrStore,
    name: Annotated[str, argument("NAME", "The name of the rule.")],
    theory: options.TheoryOfRules = None,
    shape: Annotated[ProofFormat, flag("--format", "The format of the example's proof.")] = ProofFormat.TEXT,
    depth: DepthOption = None,
    full: FullOption = False,
    picture: Annotated[
        Path | None,
        option(
            "--svg",
            "FILE",
            "Draw the position that the rule was learned from, and mark the places that the rule mentions.",
        ),
    ] = None,
    state: Annotated[
        Path | None, option("--state", "FILE", "With --svg: draw this position instead.")
    ] = None,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Show a learned rule with its example before and after the action, its proof and its certificate.

    The clauses of its invented predicates follow, and the rule in words, by the sentences that the theory
    declares. Then all conditions are listed, each with the rules of the theory that require it.

    `--format svg`, `dot` or `mermaid` prints only the proof of the example, as a picture. --svg draws the
    rule on a board if the theory's domain supports it.
    """
    if state is not None and picture is None:
        raise ArgumentError("it is used only for drawing, so it needs --svg", "--state")
    learned = rules_of(rules, theory)
    known, base = learned.theory, learned.base
    entry = base.entries.get(name)
    if entry is None:
        raise ArgumentError(f"there is no rule `{name}` in {rules}", "NAME")
    if picture is not None:
        if isinstance(entry.rule.head, PlanStatement):
            way_out = "`hornbook search plan … --svg` draws positions in which plans are carried out"
            raise ArgumentError(f"`{name}` is a plan, and plans are not drawn; {way_out}", "--svg")
        try:
            write_text(picture, rule_picture(LearnedRules(known, base), name, state))
        except NoPictureError as problem:
            raise ArgumentError(str(problem), "--svg") from None
    found = origins(entry, known, base.lemmas())
    clauses = base.definitions.clauses_for(entry.rule)
    words = rule_in_words(entry.rule, Words(known.vocabulary.predicates))
    if entry.provenance is None or not entry.provenance.facts:
        # A rule from a problem was proved for a position in the search; its own proof justifies it.
        as_json = _as_json(entry, clauses, found, words, None, ())
        print_line(json.dumps(as_json) if json_output else _rule_text(entry, clauses, found, words))
        return
    proof, after = example_of(entry.provenance, known, limit_of_facts(most_facts))
    if json_output:
        print_json(_as_json(entry, clauses, found, words, proof, after))
    else:
        if shape is ProofFormat.TEXT:
            rule = _rule_text(entry, clauses, found, words)
            print_line(f"{_text(rule, entry.provenance, proof, after)}\n")
        sys.stdout.writelines(f"{line}\n" for line in lines(proof, shape, depth, full=full))


def _rule_text(
    entry: RuleEntry, clauses: tuple[Rule, ...], found: tuple[Origin, ...], words: RuleInWords | None
) -> str:
    lines = [print_rule(entry.rule).rstrip("\n"), ""]
    if clauses:
        lines += ["its invented predicates", *(print_rule(clause).rstrip("\n") for clause in clauses), ""]
    if words is not None:
        lines += ["in words", *(f"  {line}" for line in words.lines()), ""]
    lines += ["conditions and the rules that ask for them"]
    lines += [
        f"  {print_condition(o.condition)}  [{', '.join(o.rules) or 'needed by the others'}]" for o in found
    ]
    if entry.certificate is None:
        lines += [
            "",
            (
                "no certificate: the rule was written by hand, or lost its proof;"
                " `hornbook rules prove` looks for one"
            ),
        ]
    elif entry.is_edited:
        lines += ["", "the rule was edited since it was certified: run `hornbook rules verify --renew`"]
    elif entry.refused:
        lines += [
            "",
            f"the rule does not follow from the theory: {entry.refused}",
            "",
            certificate_text(entry.certificate),
        ]
    else:
        lines += ["", certificate_text(entry.certificate)]
    return "\n".join(lines)


def _text(rule: str, provenance: Provenance, proof: Proof, after: tuple[str, ...]) -> str:
    before = [print_condition(s) for s in proof.given_facts]
    parts = [
        rule,
        f"learned from {provenance.example} ({provenance.file})",
        "its state: " + ", ".join(before),
    ]
    if after:
        parts.append("what the action changes: " + ", ".join(after))
    return "\n\n".join(parts)


def _as_json(
    entry: RuleEntry,
    clauses: tuple[Rule, ...],
    found: tuple[Origin, ...],
    words: RuleInWords | None,
    proof: Proof | None,
    after: tuple[str, ...],
) -> dict[str, Any]:
    return {
        "rule": print_rule(entry.rule),
        "invented": [print_rule(clause) for clause in clauses],
        "words": None if words is None else words.as_json(),
        "conditions": [{"condition": print_condition(o.condition), "rules": list(o.rules)} for o in found],
        "certificate": None if entry.certificate is None else certificate_as_json(entry.certificate),
        "edited": entry.is_edited,
        "refused": entry.refused,
        "example": None if entry.provenance is None else entry.provenance.example,
        "file": None if entry.provenance is None else entry.provenance.file,
        "before": [] if proof is None else [print_condition(s) for s in proof.given_facts],
        "after": list(after),
        "proof": None if proof is None else proof.to_dict(),
    }
