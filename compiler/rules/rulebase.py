"""Rule bases as files: learned rules as text that people read, compare and edit, with their proofs in a
sidecar file.

`RULES.horn` contains the rules in the language. The comment above each rule names its example, proof and
certificate. The sidecar `RULES.proofs.jsonl` has one line for each certified rule: the certificate, and the
facts of the example that explain it. A rule whose text was edited has no valid certificate until it is
verified again. A *misfit* is a rule that is no longer in the language of an edited theory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.checker.checker import depends_on_absence
from hornbook.compiler.rules.admission import Proof, RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.certificates import certificate_as_json, read_proof
from hornbook.compiler.rules.definitions import Definitions, definitions_in
from hornbook.compiler.rules.parse_cache import other_theory_file, read_again, rules_as_json, text_of_proofs
from hornbook.compiler.rules.verdict_cache import file_key
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.kb.ast.declarations import Clause, Import, Predicate
from hornbook.kb.ast.terms import Rule, Span, predicate_of, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.check.program.existing_rules import ExistingRules
from hornbook.kb.check.program.operational import sentence_errors
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.format.line_ends import must_be_writable
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.parse.syntax import ParsedFile, parse
from hornbook.kb.sources.cache import recall, remember
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of, with_plain_ends
from hornbook.kb.text.scanner import scan
from hornbook.kb.text.writing import require_writable, write_texts


def read(path: Path, theory: Theory, *, verify: bool = True) -> RuleBase:
    """Return the rule base of a file, learned for a theory.

    Rules written or edited by hand have no certificate. Rules that do not follow from the present theory are
    marked as refused, unless `verify` is False because the caller needs no verification or does it. Raise
    TheoryError if the file cannot be read, belongs to another theory, or has proofs that this program did not
    write.
    """
    with collector_paused():
        again = read_again(path, theory) if verify else None
        if again is not None:
            return again
        text, proofs = read_text(path), text_of_proofs(path)
        key = file_key(text, proofs, theory)
        parsed = parse(text, str(path))
        definitions = definitions_in(parsed.clauses)
        wrong: list[Diagnostic] = []
        if recall(key) is None:
            wrong = check_definitions(definitions, theory)
            wrong = wrong or check_learned(_learned(parsed, definitions), definitions.extended(theory))
        base = _rule_base_of(path, parsed, proofs, theory, wrong)
        if verify:
            base = with_verdicts(base, definitions.extended(theory))
            if not any(entry.refused for entry in base):
                remember({key: rules_as_json(parsed.clauses, base, _lines_of_proofs(proofs))})
        return base


def read_older(path: Path, theory: Theory) -> tuple[RuleBase, dict[str, str]]:
    """Return the rule base of a file that was learned before its theory was edited, and its misfits.

    Misfits are the rules that are no longer in the theory's language; the result maps their names to
    messages. Raise TheoryError like `read` for problems that the edit did not cause.
    """
    parsed = parse(read_text(path), str(path))
    given, definitions = theory, definitions_in(parsed.clauses)
    wrong = check_definitions(definitions, given)
    if wrong:
        raise TheoryError(wrong, {str(path): parsed.text})
    theory = definitions.extended(given)
    rules = _learned(parsed, definitions)
    found = check_learned(rules, theory)
    misfits = misfits_among(rules, theory) if any(d.severity == "error" for d in found) else {}
    if misfits:
        fitting = [rule for rule in rules if rule.name not in misfits]
        found = check_learned(fitting, theory)
    base = _rule_base_of(path, parsed, text_of_proofs(path), given, found)
    return base, misfit_messages(misfits, base, {str(path): parsed.text})


def check_learned(
    rules: Sequence[Rule], theory: Theory, existing: ExistingRules | None = None
) -> list[Diagnostic]:
    """Return the diagnostics of rules in a rule base.

    Rules that test an absence are checked for given states only. `existing` are the rules of the theory, if
    the caller has prepared them.
    """
    vocabulary = theory.vocabulary
    rules = [replace(rule, lemma=False) if rule.lemma else rule for rule in rules]
    applied = [
        replace(rule, of_given=True)
        if _is_declared(rule, vocabulary) and depends_on_absence(rule, vocabulary)
        else rule
        for rule in rules
    ]
    return check_rules(applied, vocabulary, theory.rules if existing is None else existing)


def _is_declared(rule: Rule, vocabulary: Vocabulary) -> bool:
    """Return whether a theory declares all predicates of a rule's conditions.

    Otherwise it is another theory's rule.
    """
    return all(predicate_of(statement) in vocabulary.predicates for statement in statements(rule.body))


def misfits_among(rules: Sequence[Rule], theory: Theory) -> dict[str, Diagnostic]:
    """Return the first error of each rule that is not in a theory's language, by the name of the rule."""
    existing = ExistingRules(theory.vocabulary, theory.rules)
    found = {rule.name: check_learned([rule], theory, existing) for rule in rules}
    wrong = {name: [d for d in diagnostics if d.severity == "error"] for name, diagnostics in found.items()}
    return {name: diagnostics[0] for name, diagnostics in wrong.items() if diagnostics}


def misfit_messages(
    misfits: Mapping[str, Diagnostic], base: RuleBase, sources: Mapping[str, str]
) -> dict[str, str]:
    """Return the messages about misfits, by the names of their rules.

    Raise TheoryError if a misfit has no valid certificate: such a draft never fitted, so no edit of the
    theory is the cause. `sources` maps the files of the rules to their texts.
    """
    drafts = [d for name, d in misfits.items() if not base.entries[name].is_certified]
    if drafts:
        raise TheoryError(drafts, sources)
    return {name: d.message for name, d in misfits.items()}


def _rule_base_of(
    path: Path, parsed: ParsedFile, proofs: str, theory: Theory, rule_diagnostics: Iterable[Diagnostic]
) -> RuleBase:
    """Return the rule base of a parsed file and the text of its proofs.

    Raise TheoryError for the errors in `rule_diagnostics` and in the file.
    """
    definitions = definitions_in(parsed.clauses)
    rules = _rules_of(path, parsed, definitions, theory, rule_diagnostics)
    proved = read_proofs(proofs_path(path), proofs)
    return rule_base(theory.name, (_entry(rule, proved.get(rule.name)) for rule in rules), definitions)


def _learned(parsed: ParsedFile, definitions: Definitions) -> list[Rule]:
    """Return the learned rules of a file: all rules that define no invented predicate."""
    rules = (clause for clause in parsed.clauses if isinstance(clause, Rule))
    return [rule for rule in rules if not definitions.is_clause(rule)]


def _rules_of(
    path: Path,
    parsed: ParsedFile,
    definitions: Definitions,
    theory: Theory,
    rule_diagnostics: Iterable[Diagnostic],
) -> list[Rule]:
    """Return the learned rules of a parsed file.

    Raise TheoryError if it has errors or belongs to another theory.
    """
    found = [*parsed.diagnostics, *rule_diagnostics]
    for clause in parsed.clauses:
        if isinstance(clause, Rule) and clause.label is None:
            found.append(
                error("HB042", "a learned rule needs a label", clause.span, "write `name:` before it")
            )
        elif isinstance(clause, Import):
            if clause.name != theory.name:
                message = f"these rules are for the theory `{clause.name}`, not `{theory.name}`"
                # Only this error is reported, because other errors in the words of another theory would be
                # misleading.
                way_out = f"name `{clause.name}` as the theory"
                raise TheoryError([error("HB016", message, clause.span, way_out)], {str(path): parsed.text})
            if not clause.as_it_is:
                message = "learned rules are in the words of their theory, and this import changes them"
                found.append(error("HB016", message, clause.span, f"write `import {clause.name}.`"))
            if (other := other_theory_file(path, theory)) is not None:
                message = f"this import leads to `{shown(other)}`, and the theory given is another"
                found.append(
                    error("HB016", message, clause.span, f"give `--theory {shown(other)}`; {_RENAME_HELP}")
                )
        elif not isinstance(clause, (Rule, Predicate)):
            message = "a rule base holds rules and the predicates that they define"
            found.append(error("HB042", message, clause.span, "move it to the theory"))
    wrong = [d for d in found if d.severity == "error"]
    if wrong:
        raise TheoryError(wrong, {str(path): parsed.text})
    return _learned(parsed, definitions)


def check_definitions(definitions: Definitions, theory: Theory) -> list[Diagnostic]:
    """Return the errors in the definitions of a rule base for a theory."""
    words = theory.vocabulary
    found: list[Diagnostic] = []
    known: set[str] = set()
    for each in definitions.predicates:
        if each.kind != "derived":
            found.append(
                _error(each, "a rule base declares derived predicates only", "move it to the theory")
            )
        if each != Predicate(
            each.kind, each.name, each.columns, operational=each.operational, says=each.says
        ):
            # A key or a count is checked in each state, and `observed` is assumed: all would claim something.
            message = f"`{each.name}` is an invented predicate, and its declaration promises something"
            found.append(
                _error(each, message, "of what follows the columns, keep only `operational` and `says`")
            )
        if each.name in words.predicates or each.name in known:
            message = f"`{each.name}` is a predicate already"
            found.append(_error(each, message, "give the invented predicate another name"))
        for sort in each.columns:
            if sort.name not in words.sorts:
                found.append(_error(each, f"there is no sort `{sort.name}`", "use a sort of the theory"))
        found += sentence_errors(each)
        known.add(each.name)
        if not any(rule.head.relation == each.name for rule in definitions.clauses):
            message = f"`{each.name}` has no clause, so it never holds"
            found.append(_error(each, message, "take its declaration away, or write a clause"))
    if not found and definitions:
        vocabulary = definitions.extended(theory).vocabulary
        found += [
            d for d in check_rules(definitions.clauses, vocabulary, theory.rules) if d.severity == "error"
        ]
    return found


def _error(predicate: Predicate, message: str, remedy: str) -> Diagnostic:
    return error("HB042", message, predicate.span, remedy)


def entries_of(path: Path) -> list[RuleEntry]:
    """Return the entries of a file's rules with their proofs, whether or not they fit a theory.

    Raise TheoryError if the file cannot be read.
    """
    proofs = proofs_of(path)
    clauses = parse(read_text(path), str(path)).clauses
    return [_entry(clause, proofs.get(clause.name)) for clause in clauses if isinstance(clause, Rule)]


def _entry(rule: Rule, proof: Proof | None) -> RuleEntry:
    return RuleEntry(rule, None, None) if proof is None else RuleEntry(rule, *proof)


def must_import(path: Path, theory: Theory) -> None:
    """Raise TheoryError if a file of rules would shadow a theory file, or would import another theory.

    An existing file is checked by its reader, and an impossible path by the writer.
    """
    must_not_shadow(path, theory.sources)
    with suppress(OSError):
        if path.exists():
            return
    if (other := other_theory_file(path, theory)) is not None:
        message = f"rules in this file would import `{shown(other)}`, and the theory given is another"
        span = Span(str(path), 1, 1, 1, 1)
        raise TheoryError(
            [error("HB016", message, span, f"give `{shown(other)}` as the theory; {_RENAME_HELP}")], {}
        )


_RENAME_HELP = "if it holds learned rules, call it otherwise, or keep these in another folder"


def proofs_of(rules: Path) -> dict[str, Proof]:
    """Return the proofs in a file's sidecar, by the names of their rules.

    Raise TheoryError if a line is malformed.
    """
    return read_proofs(proofs_path(rules), text_of_proofs(rules))


def read_proofs(path: Path, text: str) -> dict[str, Proof]:
    """Return the proofs in a sidecar with this text, by the names of their rules.

    Raise TheoryError if a line is malformed.
    """
    proofs: dict[str, Proof] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            name, proof = read_proof(line)
            if name in proofs:
                raise ValueError(f"there is another one of `{name}` above")
            proofs[name] = proof
        except (ValueError, RecursionError) as problem:
            span = Span(str(path), number, 1, number, 2)
            message = f"this is not the proof of a rule: {problem}"
            raise TheoryError(
                [
                    error(
                        "HB005",
                        message,
                        span,
                        "take its line away; that rule is to be learned again, and the others keep their"
                        " proofs",
                    )
                ],
                {str(path): text},
            ) from None
    return proofs


def _lines_of_proofs(text: str) -> dict[str, int]:
    """Return the line (from 0) of each proof in a sidecar with this text, by the name of its rule."""
    lines = ((number, line) for number, line in enumerate(lines_of(text)) if line.strip())
    return {json.loads(line)["rule"]: number for number, line in lines}


def write(base: RuleBase, path: Path) -> None:
    """Write a rule base and its proofs, each file atomically, the proofs first.

    Comments, blank lines and the order of rules in an existing file are preserved.
    """
    require_writable(path)
    write_texts(written(base, path))


def written(base: RuleBase, path: Path) -> list[tuple[Path, str]]:
    """Return the files of a rule base and their contents, in the order of writing.

    Raise WritingError for a rule that no text can contain.
    """
    must_be_writable((), (entry.rule for entry in base), path)
    proofs = "".join(
        json.dumps(proof_as_json(entry), ensure_ascii=False) + "\n"
        for entry in base
        if entry.certificate is not None
    )
    existing = read_text(path) if path.exists() else None
    text = rules_text(base) if existing is None else _updated_text(with_plain_ends(existing), base)
    if existing is not None and "\r\n" in existing:
        text = text.replace("\n", "\r\n")
    return [(proofs_path(path), proofs), (path, text)]


def rules_text(base: RuleBase) -> str:
    """Return the rule base as text in the language."""
    head = (
        f"% Rules learned from the theory `{base.theory}`; edit them freely, then run"
        " `hornbook rules verify`.\n"
    )
    blocks = [head + print_clause(Import(base.theory)), *definition_blocks(base.definitions)]
    blocks += [f"{comment(entry)}{print_rule(entry.rule)}" for entry in base]
    return "\n\n".join(block.rstrip("\n") for block in blocks) + "\n"


def _is_generated_comment(line: str) -> bool:
    """Return whether a line is one of the comments that `comment` writes."""
    is_provenance = line.startswith("% From ") and ": " in line
    return line.endswith(".\n") and (is_provenance or _PROVED_COMMENT.match(line) is not None)


_PROVED_COMMENT = re.compile(r"% Proved in \d+ steps?, rank \d+, certificate [0-9a-f]+\.\n")


def definition_blocks(definitions: Definitions) -> Iterator[str]:
    """Yield the text of each invented predicate with its clauses."""
    for predicate in definitions.predicates:
        clauses = [each for each in definitions.clauses if each.head.relation == predicate.name]
        text = [print_clause(predicate), *map(print_clause, clauses)]
        yield "\n".join(each.rstrip("\n") for each in text)


def _updated_text(text: str, base: RuleBase) -> str:
    """Return the text of a rule base without removed clauses, with changed ones updated and new ones at the
    end.
    """
    places = _clauses_with_lines(text)
    if any(last > start for (_, _, last), (_, start, _) in pairwise(places)):
        # Clauses on the same line cannot be removed one by one.
        return rules_text(base)
    current: dict[tuple[type[Clause], str], RuleEntry | Rule | Predicate] = {
        **{(Predicate, each.name): each for each in base.definitions.predicates},
        **{(Rule, each.name): each for each in base.definitions.clauses},
        **{(Rule, each.rule.name): each for each in base},
    }
    lines = [line + "\n" for line in lines_of(text)]
    for clause, first, last in reversed(places):
        start = first
        while start > 0 and _is_generated_comment(lines[start - 1]):
            start -= 1
        new = current.pop((type(clause), clause.name), None)
        new_lines = [] if new is None else _lines_of(new, clause, lines[first:last])
        # The blank line after a removed clause is removed too.
        blank = new is None and last < len(lines) and not lines[last].strip()
        while new is None and last == len(lines) and start > 0 and not lines[start - 1].strip():
            # After the last clause there is no blank line, so the one before it is removed.
            start -= 1
        lines[start : last + blank] = new_lines
    added = ("".join(_lines_of(each, None, [])) for each in current.values())
    return "\n".join(("".join(lines), *added))


def _lines_of(
    new: RuleEntry | Rule | Predicate, existing: Rule | Predicate | None, lines: list[str]
) -> list[str]:
    """Return the lines of a clause: the existing ones if it is unchanged, otherwise new ones."""
    if isinstance(new, Predicate):
        return lines if new == existing else [f"{print_clause(new).rstrip()}\n"]
    rule = new.rule if isinstance(new, RuleEntry) else new
    above = [comment(new)] if isinstance(new, RuleEntry) else []
    if isinstance(existing, Rule) and fingerprint_of_rule(rule) == fingerprint_of_rule(existing):
        return [*above, *lines]
    return [*above, f"{print_rule(rule).rstrip()}\n"]


def _clauses_with_lines(text: str) -> list[tuple[Rule | Predicate, int, int]]:
    """Return each rule and predicate of a text with its lines: the first (from 0) and the one after the
    last.
    """
    clauses = [clause for clause in parse(text).clauses if isinstance(clause, (Rule, Predicate))]
    ends = [tokens[-1].line for tokens in scan(text, [])]
    return [
        (each, each.span.line - 1, next(end for end in ends if end >= each.span.line)) for each in clauses
    ]


def comment(entry: RuleEntry) -> str:
    """Return the comment above a certified rule: its provenance, if any, and its certificate."""
    if entry.certificate is None or entry.is_edited:
        return ""
    steps = len(entry.certificate.all_steps)
    learned = ""
    if entry.provenance is not None:
        # The name of a file or problem may contain any line separator.
        source = f"{entry.provenance.example} ({entry.provenance.file}): {entry.provenance.goal}"
        learned = f"% From {' '.join(lines_of(source))}.\n"
    return (
        f"{learned}% Proved in {counted(steps, 'step')}, rank {entry.certificate.rank},"
        f" certificate {entry.certificate.of}.\n"
    )


def proof_as_json(entry: RuleEntry) -> dict[str, Any]:
    """Return the JSON of a certified rule's proof, which is one line of the sidecar."""
    assert entry.certificate is not None
    origin = {} if entry.provenance is None else entry.provenance.as_json()
    return {
        "rule": entry.rule.name,
        **origin,
        "certificate": certificate_as_json(entry.certificate),
    }


def rename(entry: RuleEntry, label: str) -> RuleEntry:
    """Return the entry under another label, with a proof of the same rule."""
    rule = replace(entry.rule, label=label)
    certificate = entry.certificate
    if certificate is not None:
        certificate = replace(certificate, of=fingerprint_of_rule(rule))
    return replace(entry, rule=rule, certificate=certificate)
