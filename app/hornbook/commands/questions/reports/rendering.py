"""Reports as Markdown or HTML, by templates of Jinja.

A template is text without access to anything but the report: it runs in a sandbox, reads no file, and can
extend or include only the templates that ship. HTML is escaped. A text in Markdown is escaped by the filter
`md`.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from hornbook.commands.questions.reports.report_content import Report
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.escaping import visible
from hornbook.terminal.failure import ArgumentError

if TYPE_CHECKING:  # slow to import
    from jinja2 import Environment, Template

ReportFormat = Literal["markdown", "html"]
EXTENSIONS: dict[ReportFormat, str] = {"markdown": "md", "html": "html"}
"""The extensions of the files of each format."""
SHIPPED = ("page.md", "page.html", "table.md", "table.html")
"""The templates that ship."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~!]|^[-+](?=\s)|(?<=^\d)[.)]|(?<=^\d\d)[.)]")


def _markdown(text: str) -> str:
    """Return a text in one line, with the marks of Markdown escaped."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(str(text).split()))


def _shown(value: Any) -> Any:
    """Return texts with control characters written out, and other values unchanged."""
    return "\n".join(map(visible, value.split("\n"))) if type(value) is str else value


def _environment(form: ReportFormat) -> Environment:
    extra_module("jinja2", "report")
    from jinja2 import DictLoader, StrictUndefined  # noqa: PLC0415 - an extra
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415 - an extra

    folder = files("hornbook.commands.questions.reports") / "templates"
    environment = ImmutableSandboxedEnvironment(
        loader=DictLoader({name: (folder / name).read_text(encoding="utf-8") for name in SHIPPED}),
        autoescape=form == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters["md"] = _markdown
    return environment


class ReportTemplate:
    """A template of one format: one that ships, or the text of another one.

    Raises:
        ArgumentError: The template has an error.
        MissingExtraError: Jinja is not installed.
    """

    def __init__(self, form: ReportFormat, name: str, own: str | None = None) -> None:
        from jinja2 import TemplateError  # noqa: PLC0415 - an extra

        environment = _environment(form)
        self._errors = TemplateError
        try:
            self._template: Template = (
                environment.get_template(f"{name}.{EXTENSIONS[form]}")
                if own is None
                else environment.from_string(own)
            )
        except TemplateError as problem:
            raise _refused(problem) from None

    def text(self, report: Report, **more: object) -> str:
        """Return the text of a report. `more` are further variables, such as `subject`."""
        try:
            return self._template.render(report=report, **more)
        except self._errors as problem:
            raise _refused(problem) from None
        except (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as problem:
            raise _refused(problem) from None


def _refused(problem: Exception) -> ArgumentError:
    line = getattr(problem, "lineno", None)
    where = "" if line is None else f" in line {line}"
    return ArgumentError(f"the template has an error{where}: {problem}", "--template")
