"""One learned rule as people look at it: its text, what it was learned from, and the proof that it follows."""

from __future__ import annotations

from dataclasses import dataclass

from pygments import highlight
from pygments.formatters import HtmlFormatter

from hornbook.compiler.rules.admission import Entry
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.kb.format.pygments_lexer import HornLexer
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.lines import lines_of

_STYLE = "font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; background: #fafafa; color: #18181b; padding: .6em;"


@dataclass(frozen=True, slots=True, repr=False)
class LearnedRule:
    """A rule with its proof, from `LearnedRules`; a notebook shows both."""

    theory: Theory
    entry: Entry

    @property
    def name(self) -> str:
        return self.entry.rule.name

    @property
    def rule(self) -> Rule:
        """The rule itself, for `KnowledgeBase.add_rules`."""
        return self.entry.proved_for(self.theory)

    @property
    def text(self) -> str:
        """The rule in the language."""
        return print_rule(self.entry.rule)

    @property
    def is_certified(self) -> bool:
        """Whether there is a certificate of what the rule says now, and the checker did not refuse it."""
        return self.entry.is_certified

    @property
    def refused(self) -> str:
        """Why the checker does not accept the rule's certificate; empty where it does, or was not asked."""
        return self.entry.refused

    @property
    def example(self) -> str | None:
        """The example or lesson that it was learned from."""
        return None if self.entry.provenance is None else self.entry.provenance.example

    @property
    def proof(self) -> str:
        """The certificate: the steps by which the rule follows from the theory; empty where there is none."""
        return "" if self.entry.certificate is None else certificate_text(self.entry.certificate)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<learned rule {visible(self.name)} of `{self.theory.name}`>"

    def _repr_html_(self) -> str:
        origin = "" if self.example is None else f"<p><small>learned from {markup(self.example)}</small></p>"
        first, *steps = lines_of(self.proof) or ["no certificate: to be verified"]
        return (
            f"{rule_html(self.rule)}{origin}<details><summary><small>{markup(first)}</small></summary>"
            f"<pre>{markup(chr(10).join(steps))}</pre></details>"
        )


def rule_html(rule: Rule) -> str:
    """A rule in the language, its words in colours."""
    formatter = HtmlFormatter(nowrap=True, noclasses=True)
    coloured: str = highlight(visible(print_rule(rule).rstrip("\n")), HornLexer(), formatter)
    return f'<pre style="{_STYLE}">{coloured.rstrip()}</pre>'
