"""University like that of LUBM: one `run` command against many `query` commands.

LUBM is the Lehigh University Benchmark (Guo, Pan and Heflin 2005). The data is generated: one university of
15 to 25 departments, with people, courses, papers and groups in the published proportions, some 100,000 facts
in 26 relations, as a folder of `.facts` files. The theory derives 16 relations in place of the benchmark's
ontology: kinds of people and organisations, sub-properties, an inverse, a transitive part. The queries have
the shapes of the benchmark's 14. Seconds are processor time; each command is a separate process. The answers
are compared with those of SQLite, where each relation is a view.

Usage:

    python -m benchmarks.language.university --output benchmarks/results/university.txt
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.study import Study, options, timed
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.tables.table_folders import tables_of
from hornbook.kb.tables.tables import load_table

GIVEN = {
    "full_professor": ("person",),
    "associate_professor": ("person",),
    "assistant_professor": ("person",),
    "lecturer": ("person",),
    "undergraduate": ("person",),
    "graduate": ("person",),
    "university": ("unit",),
    "department": ("unit",),
    "research_group": ("unit",),
    "course": ("course",),
    "graduate_course": ("course",),
    "author": ("paper", "person"),
    "teacher_of": ("person", "course"),
    "takes_course": ("person", "course"),
    "assists_in": ("person", "course"),
    "advisor": ("person", "person"),
    "works_for": ("person", "unit"),
    "head_of": ("person", "unit"),
    "member_of": ("person", "unit"),
    "sub_unit": ("unit", "unit"),
    "first_degree": ("person", "unit"),
    "second_degree": ("person", "unit"),
    "doctorate": ("person", "unit"),
    "called": ("person", "text"),
    "address": ("person", "text"),
    "telephone": ("person", "text"),
}
"""Given relations, and the sorts of their columns."""
DERIVED: Mapping[str, tuple[tuple[str, ...], Sequence[str], str]] = {
    "professor": (
        ("person",),
        ("full_professor(?1)", "associate_professor(?1)", "assistant_professor(?1)"),
        (
            "select c1 from full_professor union select c1 from associate_professor union select c1 from "
            "assistant_professor"
        ),
    ),
    "faculty": (
        ("person",),
        ("professor(?1)", "lecturer(?1)"),
        "select c1 from professor union select c1 from lecturer",
    ),
    "employee": (
        ("person",),
        ("faculty(?1)", "works(?1, _)"),
        "select c1 from faculty union select c1 from works",
    ),
    "student": (
        ("person",),
        ("undergraduate(?1)", "graduate(?1)", "takes_course(?1, _)"),
        "select c1 from undergraduate union select c1 from graduate union select c1 from takes_course",
    ),
    "somebody": (
        ("person",),
        ("student(?1)", "employee(?1)"),
        "select c1 from student union select c1 from employee",
    ),
    "chair": (
        ("person",),
        ("head_of(?1, ?d), department(?d)",),
        "select h.c1 from head_of h join department d on h.c2 = d.c1",
    ),
    "assistant": (("person",), ("assists_in(?1, _)",), "select distinct c1 from assists_in"),
    "organisation": (
        ("unit",),
        ("university(?1)", "department(?1)", "research_group(?1)"),
        "select c1 from university union select c1 from department union select c1 from research_group",
    ),
    "any_course": (
        ("course",),
        ("course(?1)", "graduate_course(?1)"),
        "select c1 from course union select c1 from graduate_course",
    ),
    "works": (
        ("person", "unit"),
        ("works_for(?1, ?2)", "head_of(?1, ?2)"),
        "select c1, c2 from works_for union select c1, c2 from head_of",
    ),
    "member": (
        ("person", "unit"),
        ("member_of(?1, ?2)", "works(?1, ?2)"),
        "select c1, c2 from member_of union select c1, c2 from works",
    ),
    "part_of": (
        ("unit", "unit"),
        ("sub_unit(?1, ?2)", "sub_unit(?1, ?m), part_of(?m, ?2)"),
        (
            "with recursive p(c1, c2) as (select c1, c2 from sub_unit union"
            " select s.c1, p.c2 from sub_unit s join p on s.c2 = p.c1) select c1, c2 from p"
        ),
    ),
    "degree_from": (
        ("person", "unit"),
        ("first_degree(?1, ?2)", "second_degree(?1, ?2)", "doctorate(?1, ?2)"),
        (
            "select c1, c2 from first_degree union select c1, c2 from second_degree union select c1, c2 from "
            "doctorate"
        ),
    ),
    "alumnus": (("unit", "person"), ("degree_from(?2, ?1)",), "select c2 as c1, c1 as c2 from degree_from"),
    "taught_by": (
        ("person", "person"),
        ("takes_course(?1, ?c), teacher_of(?2, ?c)",),
        "select distinct a.c1 as c1, b.c1 as c2 from takes_course a join teacher_of b on a.c2 = b.c2",
    ),
    "close_student": (
        ("person", "person"),
        ("advisor(?1, ?2), taught_by(?1, ?2)",),
        "select c1, c2 from advisor intersect select c1, c2 from taught_by",
    ),
}
"""Derived relations: the sorts of their columns, the bodies of their rules (`?1` is the first column), and an
equivalent SQL query.
"""
QUESTIONS: Sequence[tuple[str, str]] = (
    (
        "graduate(?x), takes_course(?x, graduate_course0_0)",
        "select g.c1 from graduate g join takes_course t on g.c1 = t.c1 where t.c2 = 'graduate_course0_0'",
    ),
    (
        "graduate(?x), university(?y), department(?z), member(?x, ?z), part_of(?z, ?y), first_degree(?x, ?y)",
        (
            "select g.c1, y.c1, z.c1 from graduate g, university y, department z, member m, part_of p, "
            "first_degree f"
            " where m.c1 = g.c1 and m.c2 = z.c1 and p.c1 = z.c1 and p.c2 = y.c1 and f.c1 = g.c1 and f.c2 = "
            "y.c1"
        ),
    ),
    ("author(?x, assistant_professor0_0)", "select c1 from author where c2 = 'assistant_professor0_0'"),
    (
        "professor(?x), works(?x, department0), called(?x, ?n), address(?x, ?a), telephone(?x, ?t)",
        (
            "select p.c1, n.c2, a.c2, t.c2 from professor p join works w on p.c1 = w.c1 join called n on "
            "n.c1 = p.c1"
            " join address a on a.c1 = p.c1 join telephone t on t.c1 = p.c1 where w.c2 = 'department0'"
        ),
    ),
    (
        "somebody(?x), member(?x, department0)",
        "select s.c1 from somebody s join member m on s.c1 = m.c1 where m.c2 = 'department0'",
    ),
    ("student(?x)", "select c1 from student"),
    (
        "student(?x), any_course(?y), teacher_of(associate_professor0_0, ?y), takes_course(?x, ?y)",
        (
            "select s.c1, c.c1 from teacher_of h join any_course c on h.c2 = c.c1 join takes_course t on "
            "t.c2 = c.c1"
            " join student s on s.c1 = t.c1 where h.c1 = 'associate_professor0_0'"
        ),
    ),
    (
        "student(?x), department(?y), member(?x, ?y), part_of(?y, university0), address(?x, ?a)",
        (
            "select s.c1, d.c1, a.c2 from student s join member m on m.c1 = s.c1 join department d on d.c1 "
            "= m.c2"
            " join part_of p on p.c1 = d.c1 join address a on a.c1 = s.c1 where p.c2 = 'university0'"
        ),
    ),
    (
        "student(?x), faculty(?y), any_course(?z), advisor(?x, ?y), teacher_of(?y, ?z), takes_course(?x, ?z)",
        (
            "select a.c1, a.c2, h.c2 from advisor a join teacher_of h on h.c1 = a.c2"
            " join takes_course t on t.c1 = a.c1 and t.c2 = h.c2 join student s on s.c1 = a.c1"
            " join faculty f on f.c1 = a.c2 join any_course c on c.c1 = h.c2"
        ),
    ),
    (
        "student(?x), takes_course(?x, graduate_course0_0)",
        "select s.c1 from student s join takes_course t on s.c1 = t.c1 where t.c2 = 'graduate_course0_0'",
    ),
    (
        "research_group(?x), part_of(?x, university0)",
        "select r.c1 from research_group r join part_of p on p.c1 = r.c1 where p.c2 = 'university0'",
    ),
    (
        "chair(?x), department(?y), works(?x, ?y), part_of(?y, university0)",
        (
            "select k.c1, d.c1 from chair k join works w on w.c1 = k.c1 join department d on d.c1 = w.c2"
            " join part_of p on p.c1 = d.c1 where p.c2 = 'university0'"
        ),
    ),
    (
        "somebody(?x), alumnus(university0, ?x)",
        "select s.c1 from somebody s join alumnus a on a.c2 = s.c1 where a.c1 = 'university0'",
    ),
    ("undergraduate(?x)", "select c1 from undergraduate"),
)
"""Queries of the shapes of the benchmark's 14, each with its SQL equivalent."""


def theory() -> str:
    lines = ["theory campus.", *(f"sort {each}." for each in ("person", "unit", "course", "paper", "text"))]
    lines += [f"static {name}({', '.join(sorts)})." for name, sorts in GIVEN.items()]
    lines += [f"derived {name}({', '.join(sorts)})." for name, (sorts, _, _) in DERIVED.items()]
    for name, (sorts, bodies, _) in DERIVED.items():
        columns = ", ".join(f"?c{place}" for place in range(1, len(sorts) + 1))
        for number, body in enumerate(bodies, 1):
            clause = body.replace("?1", "?c1").replace("?2", "?c2")
            lines.append(f"{name}_{number}: {name}({columns}) :- {clause}.")
    return "\n".join(lines) + "\n"


def facts(random: Random, departments: int | None = None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the facts of one university; degrees are from any of a thousand universities."""
    here = "university0"
    yield from (("university", (f"university{number}",)) for number in range(1000))
    for number in range(random.randint(15, 25) if departments is None else departments):
        yield from _department(random, here, number)


def _department(random: Random, university: str, number: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the facts of a department with its groups, and of all people who work and study there."""
    department = f"department{number}"
    yield "department", (department,)
    yield "sub_unit", (department, university)
    for group in range(random.randint(10, 20)):
        yield "research_group", (f"group{number}_{group}",)
        yield "sub_unit", (f"group{number}_{group}", department)
    ranks = {
        "full_professor": (random.randint(7, 10), (15, 20)),
        "associate_professor": (random.randint(10, 14), (10, 18)),
        "assistant_professor": (random.randint(8, 11), (5, 10)),
        "lecturer": (random.randint(5, 7), (0, 5)),
    }
    staff = [(f"{rank}{number}_{each}", rank) for rank, (most, _) in ranks.items() for each in range(most)]
    taught: dict[str, list[str]] = {"course": [], "graduate_course": []}
    for person, rank in staff:
        yield rank, (person,)
        yield "works_for", (person, department)
        yield from _about(random, person, department, ("first_degree", "second_degree", "doctorate"))
        for paper in range(random.randint(*ranks[rank][1])):
            yield "author", (f"paper_{person}_{paper}", person)
        for kind, courses in taught.items():
            for _ in range(random.randint(1, 2)):
                courses.append(f"{kind}{number}_{len(courses)}")
                yield kind, (courses[-1],)
                yield "teacher_of", (person, courses[-1])
    yield "head_of", (f"full_professor{number}_0", department)
    professors = [person for person, rank in staff if rank != "lecturer"]
    for each in range(len(staff) * random.randint(8, 14)):
        person = f"undergraduate{number}_{each}"
        yield "undergraduate", (person,)
        yield "member_of", (person, department)
        yield from _about(random, person, department, ())
        for course in random.sample(taught["course"], random.randint(2, 4)):
            yield "takes_course", (person, course)
        if random.random() < 0.2:
            yield "advisor", (person, random.choice(professors))
    for each in range(len(staff) * random.randint(3, 4)):
        person = f"graduate{number}_{each}"
        yield "graduate", (person,)
        yield "member_of", (person, department)
        yield from _about(random, person, department, ("first_degree",))
        yield "advisor", (person, random.choice(professors))
        for course in random.sample(taught["graduate_course"], random.randint(1, 3)):
            yield "takes_course", (person, course)
        for paper in range(random.randint(0, 5)):
            yield "author", (f"paper_{person}_{paper}", person)
        if random.random() < 0.2:
            yield "assists_in", (person, random.choice(taught["course"]))


def _about(
    random: Random, person: str, department: str, degrees: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "called", (person, f"{person} of the {department}")
    yield "address", (person, f"{person}@{department}.example.org")
    yield "telephone", (person, f"{random.randrange(10**9):09}")
    for degree in degrees:
        yield degree, (person, f"university{random.randrange(1000)}")


def write(folder: Path, seed: int, departments: int | None = None) -> int:
    """Write the theory and the folder of its facts, and return the number of facts."""
    (folder / "campus.horn").write_text(theory(), encoding="utf-8")
    (folder / "given").mkdir()
    lines: dict[str, list[str]] = {name: [] for name in GIVEN}
    for name, values in facts(Random(seed), departments):
        lines[name].append("\t".join(values) + "\n")
    for name, rows in lines.items():
        (folder / "given" / f"{name}.facts").write_text("".join(rows), encoding="utf-8")
    return sum(map(len, lines.values()))


def in_sqlite(folder: Path) -> sqlite3.Connection:
    """Return a SQLite database of the same facts, with a view for each derived relation."""
    connection = sqlite3.connect(":memory:")
    for name, sorts in GIVEN.items():
        columns = [f"c{place}" for place in range(1, len(sorts) + 1)]
        connection.execute(f"create table {name} ({', '.join(columns)})")
        text = (folder / "given" / f"{name}.facts").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in text.splitlines()]
        connection.executemany(f"insert into {name} values ({', '.join('?' * len(sorts))})", rows)
        for column in columns:
            connection.execute(f"create index {name}_{column} on {name} ({column})")
    for name, (_, _, query) in DERIVED.items():
        # A view may use relations that are defined later.
        connection.execute(f"create view {name} as {query}")
    return connection


def command(*arguments: str) -> tuple[float, str]:
    """Return the processor seconds of a command, and its output."""
    before = os.times()
    process = subprocess.run(
        [sys.executable, "-m", "hornbook", *arguments], capture_output=True, text=True, check=True
    )
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, process.stdout


def rows_in(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n") - 1


def main() -> int:
    given = options(__doc__, seed=1).parse_args()
    study = Study(__file__, given)
    wrong: list[str] = []
    with TemporaryDirectory() as place:
        folder = Path(place)
        size = write(folder, given.seed)
        campus, tables = str(folder / "campus.horn"), ("--facts", str(folder / "given"))
        with closing(in_sqlite(folder)) as connection:

            def answers_in_process(query: str) -> set[tuple[str, ...]]:
                return set(connection.execute(query))

            into = folder / "concluded"
            run, _ = command("run", campus, *tables, "--into", str(into))
            concluded = {name: rows_in(into / f"{name}.csv") for name in DERIVED}
            wrong += [
                name
                for name, number in concluded.items()
                if number != len(answers_in_process(f"select * from {name}"))
            ]
            each = Counter[str]()
            for name, (sorts, _, _) in DERIVED.items():
                columns = ", ".join(f"?c{place}" for place in range(len(sorts)))
                each[name], _ = command(
                    "query", campus, f"{name}({columns})", *tables, "--most", "1000000", "--csv"
                )
            query_costs: list[tuple[float, int]] = []
            for question, query in QUESTIONS:
                seconds, output = command("query", campus, question, *tables, "--most", "1000000", "--json")
                answers = {tuple(row.values()) for row in json.loads(output)}
                query_costs.append((seconds, len(answers)))
                if answers != answers_in_process(query):
                    wrong.append(question)
        load_seconds, base = timed(loaded, folder, "demand")
        inside = [timed(base.query, question)[0] for question, _ in QUESTIONS]
        whole, base = timed(loaded, folder, "compiled")
        after = [timed(base.query, question)[0] for question, _ in QUESTIONS]
    body = [
        f"{size:,} facts given, {sum(concluded.values()):,} concluded in {len(DERIVED)} relations",
        "",
        f"{'one run, which writes all relations':<50}{run:>8.2f} s",
        f"{f'{len(DERIVED)} queries, one for each relation':<50}{sum(each.values()):>8.2f} s",
        f"{f'{len(QUESTIONS)} queries, one for each question':<50}{sum(s for s, _ in query_costs):>8.2f} s",
        f"{'one process: facts read, then the questions':<50}{load_seconds + sum(inside):>8.2f} s",
        f"{'  of this the questions':<50}{sum(inside):>8.2f} s",
        f"{'one process: all concluded, then the questions':<50}{whole + sum(after):>8.2f} s",
        f"{'  of this the questions':<50}{sum(after):>8.2f} s",
        "",
        f"{'question':<10}{'answers':>10}{'command':>12}{'on demand':>12}{'concluded':>12}",
    ]
    body += [
        f"{number:<10}{answers:>10,}{seconds:>10.2f} s{demand:>10.3f} s{concluding:>10.3f} s"
        for number, ((seconds, answers), demand, concluding) in enumerate(
            zip(query_costs, inside, after, strict=True), 1
        )
    ]
    body += ["", "the answers are those of SQLite" if not wrong else "NOT EQUAL", ""]
    return study.finish("\n".join(body), wrong)


def loaded(folder: Path, engine: EngineName) -> KnowledgeBase:
    """Return a knowledge base with the facts; the compiled engine derives everything at once."""
    base = KnowledgeBase(folder / "campus.horn", engine=engine)
    vocabulary = base.theory.vocabulary
    for spec in tables_of(str(folder / "given"), vocabulary):
        base.add(load_table(spec, vocabulary).facts)
    return base


if __name__ == "__main__":
    sys.exit(main())
