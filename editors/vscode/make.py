"""Makes what is made of the extension: its grammar, from the words of the language, and the file that VS Code
installs.

    python editors/vscode/make.py [--into hornbook.vsix]

writes `syntaxes/horn.tmLanguage.json`, and with `--into` the extension as one file, which is a ZIP with a
manifest; then `code --install-extension hornbook.vsix` installs it. Nothing but Python and Hornbook is
needed.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from hornbook.kb.ast.operators import FUNCTIONS
from hornbook.kb.text.scanner import DECLARING, KEYWORDS, MARKS

FOLDER = Path(__file__).resolve().parent
GRAMMAR = FOLDER / "syntaxes" / "horn.tmLanguage.json"
FILES = (
    "package.json",
    "extension.js",
    "language-configuration.json",
    "README.md",
    "syntaxes/horn.tmLanguage.json",
)
NAME = r"[^\W\d_]\w*"
PUNCTUATION = frozenset(("LPAR", "RPAR", "COMMA", "DOT", "COLON", "SEMICOLON"))


_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![\w-])"
"""A date or a time."""
_PERCENT = r"[0-9]+(?:\.[0-9]+)?[ ]+percent(?!\w)"
_DECIMAL = r"[0-9]+\.[0-9]+(?!\w|\.[0-9])"


def grammar() -> dict[str, Any]:
    """Return the grammar by which words have colours before the server says more; it knows no clauses, only
    words and what follows.
    """
    declaring = sorted(word for word, terminal in KEYWORDS.items() if terminal in DECLARING)
    others = sorted(KEYWORDS.keys() - set(declaring))
    marks = sorted(
        (mark for mark, name in MARKS.items() if name not in PUNCTUATION), key=lambda m: (-len(m), m)
    )
    operators = "|".join("".join(f"\\{char}" for char in mark) for mark in marks)
    rows = [
        ("comment.line.percentage.horn", "%.*$"),
        ("string.quoted.single.horn", r"'(?:[^'\n]|'')*'"),
        ("string.quoted.double.horn", r'"[^"\n]*"'),
        ("variable.other.horn", rf"\?{NAME}"),
        ("variable.parameter.horn", rf"\${NAME}"),
        ("variable.language.horn", r"(?<!\w)_(?!\w)"),
        ("constant.numeric.horn", rf"(?<!\w)(?:{_DATE}|{_PERCENT}|{_DECIMAL}|[0-9]+(?!\w|\.[0-9]))"),
        ("entity.name.label.horn", rf"(?:^\s*|(?<=^lemma)\s+){NAME}(?=\s*:(?!-)|\s+exception\s+to\b)"),
        ("keyword.declaration.horn", rf"(?:^|(?<=\.))\s*(?:{'|'.join(declaring)})\b(?=\s+{NAME})"),
        ("support.function.horn", rf"(?<![\w?$'])(?:{'|'.join(sorted(FUNCTIONS))})(?=\()"),
        ("entity.name.function.horn", rf"(?<![\w?$']){NAME}(?=\()"),
        ("keyword.control.horn", rf"(?<![\w?$'])(?:{'|'.join(others)})(?!\w)(?=\s|\(|\.|$)"),
        ("constant.language.horn", r"(?<![\w?$'])[GIP]{2}(?:[GIP]{2})?(?!\w)"),
        ("keyword.operator.horn", operators),
    ]
    return {
        "name": "Horn",
        "scopeName": "source.horn",
        "fileTypes": ["horn"],
        "patterns": [{"name": name, "match": match} for name, match in rows],
    }


def grammar_text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


def manifest(package: dict[str, Any]) -> str:
    """Return the manifests of the package for VS Code."""
    identity = f'Language="en-US" Id="{package["name"]}" Version="{package["version"]}" Publisher="{package["publisher"]}"'
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity} />
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{escape(package["engines"]["vscode"])}" />
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
"""


TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json" />
  <Default Extension="js" ContentType="application/javascript" />
  <Default Extension="md" ContentType="text/markdown" />
  <Default Extension="vsixmanifest" ContentType="text/xml" />
</Types>
"""


def pack(into: Path) -> None:
    """Write the extension as one file."""
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", TYPES)
        packed.writestr("extension.vsixmanifest", manifest(package))
        for file in FILES:
            packed.writestr(f"extension/{file}", (FOLDER / file).read_bytes())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--into", type=Path, help="Write the extension to this file, too.")
    into = arguments.parse_args().into
    GRAMMAR.write_text(grammar_text(), encoding="utf-8")
    if into is not None:
        pack(into)
        print(f"wrote {into}: code --install-extension {into}")


if __name__ == "__main__":
    main()
