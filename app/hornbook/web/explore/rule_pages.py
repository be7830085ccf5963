"""Pages of learned rules: the list, and one rule with its example, its proof and the verdict on it."""

from __future__ import annotations

from contextlib import suppress

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from hornbook.api.learned_rules import LearnedRules
from hornbook.api.rule_example import example_of
from hornbook.api.rule_picture import rule_picture
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.origins import origins
from hornbook.inputs.domains import NoDomainError
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.explain.proof_outline import page_outline
from hornbook.kb.explain.rule_in_words import rule_in_words
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.render.outline_page import outline_tree
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.explore.refusals import Message, messages
from hornbook.web.explore.rendering import drawn_markup, explored_of, link_from, opened_steps, page, scene_of
from hornbook.web.explore.theory_pages import code, to_rule


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A learned rule in the list."""

    name: str
    concludes: str
    example: str
    status: str


def certificate_status(entry: RuleEntry) -> str:
    """Return the verdict on a rule's proof."""
    if entry.certificate is None:
        return "no certificate: written by hand, or its proof is lost"
    if entry.is_edited:
        return "edited since it was certified"
    if entry.refused:
        return f"refused by the checker: {entry.refused}"
    return "certified: the checker accepts its proof from this theory"


def rules_page(request: Request) -> Response:
    """Return the page with all learned rules."""
    explored = explored_of(request)
    rules = explored.rules
    found = [] if rules is None else [_listed(entry) for entry in rules.base]
    return page(request, "rules.html", found=found, has_rules=rules is not None)


def _listed(entry: RuleEntry) -> ListedRule:
    example = "" if entry.provenance is None else entry.provenance.example
    return ListedRule(
        entry.rule.name,
        print_condition(entry.rule.head),
        example,
        certificate_status(entry).partition(":")[0],
    )


def rule_page(request: Request) -> Response:
    """Return the page of one learned rule."""
    explored, scene = explored_of(request), scene_of(request)
    link = link_from(scene)
    name = request.query_params.get("name", "")
    rules = explored.rules
    entry = None if rules is None else rules.base.entries.get(name)
    if rules is None or entry is None:
        hint = did_you_mean(name, () if rules is None else rules.base.entries)
        return page(
            request,
            "problem.html",
            status=404,
            title="No such rule",
            problems=[f"No learned rule is called `{name}`. {hint}"],
        )
    own = {rule.name: rule for rule in explored.theory.rules}
    to = to_rule(explored, link)
    named = {one: link("rule", name=one) for one in rules.base.entries}
    named |= {one: place for one, rule in own.items() if (place := to(rule)) is not None}
    tree, after, wrong = _example(explored, entry, request)
    proof = rules[name].proof
    first, *steps = lines_of(proof) or [""]
    return page(
        request,
        "rule.html",
        name=name,
        entry=entry,
        text=code(print_rule(entry.rule), explored, link),
        certificate_status=certificate_status(entry),
        words=rule_in_words(entry.rule, Words(rules.theory.vocabulary.predicates)),
        origins=[
            (print_condition(each.condition), [(rule, named.get(rule)) for rule in each.rules])
            for each in origins(entry, explored.theory, rules.base.lemmas())
        ],
        picture=_picture(explored, rules, name),
        tree=tree,
        after=after,
        wrong=wrong,
        certificate=first,
        steps=steps,
    )


def _example(
    explored: ExploredTheory, entry: RuleEntry, request: Request
) -> tuple[Markup | None, tuple[str, ...], tuple[Message, ...]]:
    """Return the proof of the example, the effects of its action, and error messages.

    All are empty for a rule learned from a problem, since its own proof explains it.
    """
    if entry.provenance is None or not entry.provenance.facts:
        return None, (), ()
    try:
        proof, after = example_of(entry.provenance, explored.theory, explored.limits)
    except HornbookError as problem:
        return None, (), messages(problem)
    link = to_rule(explored, link_from(scene_of(request)))
    lines = outline_tree(page_outline(proof.steps, proof.display_depth), opened_steps(request), link)
    return drawn_markup("\n".join(lines)), after, ()


def _picture(explored: ExploredTheory, rules: LearnedRules, name: str) -> Markup | None:
    """Return the rule on the board that it was learned from; None if it is missing or no domain draws it."""
    if explored.domain is None:
        return None
    with suppress(NoDomainError):
        return drawn_markup(rule_picture(rules, name))
    return None
