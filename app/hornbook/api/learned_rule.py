"""One learned rule for display: its text, its origin and the proof that it follows."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter

from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.kb.format.pygments_lexer import HornLexer
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass

_STYLE = (
    "font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; background: #fafafa; color: #18181b;"
    " padding: .6em;"
)


@renamed_members
@dataclass(frozen=True, slots=True, repr=False)
class LearnedRule:
    """A rule with its proof, from `LearnedRules`. In a notebook it displays both."""

    theory: Theory
    entry: RuleEntry

    @property
    def name(self) -> str:
        return self.entry.rule.name

    @property
    def rule(self) -> Rule:
        """The rule as an object, for `KnowledgeBase.add_rules`."""
        return self.entry.proved_for(self.theory)

    @property
    def text(self) -> str:
        """The rule in the language."""
        return print_rule(self.entry.rule)

    @property
    def is_certified(self) -> bool:
        """Whether the rule has a certificate of its current text that the checker did not refuse."""
        return self.entry.is_certified

    @property
    def refusal(self) -> str:
        """The checker's reason for refusing the certificate; empty if it accepts it or was not run."""
        return self.entry.refused

    @property
    def example(self) -> str | None:
        """The name of the example or problem that the rule was learned from."""
        return None if self.entry.provenance is None else self.entry.provenance.example

    @property
    def proof(self) -> str:
        """The text of the certificate, or an empty string if there is none.

        The certificate is the derivation of the rule from the theory.
        """
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
    """Return a rule in the language as HTML with syntax colours."""
    formatter = HtmlFormatter(nowrap=True, noclasses=True)
    coloured: str = highlight(visible(print_rule(rule).rstrip("\n")), HornLexer(), formatter)
    return f'<pre style="{_STYLE}">{coloured.rstrip()}</pre>'
