"""Dataclasses with late methods behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar

import pytest

from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A class with every kind of field, for pickling."""

    KIND: ClassVar = "place"

    column: int
    row: tuple[int, ...] = ()
    names: list[str] = field(default_factory=list, compare=False)
    note: str | None = field(default=None, compare=False, repr=False)
    extent: int = field(default=1, kw_only=True)
    area: int = field(default=0, init=False)


def _of(decorate: Callable[..., Any]) -> Any:
    @decorate(frozen=True, slots=True)
    class Square:
        """The same fields by either decorator."""

        column: int
        row: tuple[int, ...] = ()
        names: list[str] = field(default_factory=list, compare=False)
        note: str | None = field(default=None, compare=False, repr=False)
        extent: int = field(default=1, kw_only=True)
        area: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "area", self.column * self.extent)

    return Square


LATE, USUAL = _of(dataclass), _of(dataclasses.dataclass)
GIVEN: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((1,), {}),
    ((1, (2, 3)), {"extent": 4}),
    ((2, (2, 3)), {"note": "n", "names": ["a"]}),
    ((), {"column": 5}),
)


def test_the_methods_are_generated_when_they_are_first_looked_up() -> None:
    made = _of(dataclass)
    before = type(vars(made)["__init__"])
    made(1)
    assert inspect.isfunction(vars(made)["__init__"])
    assert before is not type(vars(made)["__init__"])
    assert not any(inspect.isfunction(vars(made)[name]) for name in ("__eq__", "__hash__", "__repr__"))
    assert made(1) == made(1)
    assert inspect.isfunction(vars(made)["__eq__"])


def test_objects_are_the_same_as_those_of_the_standard_library() -> None:
    for words, named in GIVEN:
        late, usual = LATE(*words, **named), USUAL(*words, **named)
        assert dataclasses.asdict(late) == dataclasses.asdict(usual)
        assert repr(late) == repr(usual)
        assert hash(late) == hash(usual)
        assert dataclasses.asdict(dataclasses.replace(late, column=9)) == dataclasses.asdict(
            dataclasses.replace(usual, column=9)
        )
    objects = [(LATE(*words, **named), USUAL(*words, **named)) for words, named in GIVEN]
    for one, one_usual in objects:
        for other, other_usual in objects:
            assert (one == other) == (one_usual == other_usual)
        assert one != one_usual
    assert LATE(1).names is not LATE(1).names


def test_classes_are_the_same_as_those_of_the_standard_library() -> None:
    assert LATE.__match_args__ == USUAL.__match_args__
    assert LATE.__slots__ == USUAL.__slots__
    assert [f.name for f in dataclasses.fields(LATE)] == [f.name for f in dataclasses.fields(USUAL)]
    assert str(inspect.signature(_of(dataclass))) == str(inspect.signature(USUAL))
    assert LATE.__init__.__qualname__ == USUAL.__init__.__qualname__
    assert str(LATE.__dataclass_params__) == str(USUAL.__dataclass_params__)


def test_wrong_arguments_are_refused() -> None:
    for words, named in (((), {}), ((1, 2, 3, 4, 5), {}), ((1,), {"area": 2}), ((1,), {"other": 2})):
        with pytest.raises(TypeError):
            LATE(*words, **named)


def test_fields_cannot_be_changed() -> None:
    place = Place(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'column'"):
        place.column = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'column'"):
        del place.column  # type: ignore[misc]
    assert place.column == 1


def test_objects_are_copied_and_pickled() -> None:
    place = Place(1, (2,), ["a"], "n", extent=3)
    for other in (copy.copy(place), copy.deepcopy(place), pickle.loads(pickle.dumps(place))):
        assert dataclasses.asdict(other) == dataclasses.asdict(place)
        assert other == place


def test_written_methods_and_options_are_respected() -> None:
    @dataclass(frozen=True, slots=True)
    class Word:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word) and self.text.lower() == other.text.lower()

        def __hash__(self) -> int:
            return hash(self.text.lower())

        def __repr__(self) -> str:
            return f"<{self.text}>"

    @dataclass(frozen=True, slots=True, eq=False, repr=False)
    class Mark:
        text: str

    assert (Word("A"), repr(Word("a"))) == (Word("a"), "<a>")
    assert hash(Word("A")) == hash(Word("a"))
    assert Mark("a") != Mark("a")
    assert repr(Mark("a")).startswith("<")
    assert len({Mark("a"), Mark("a")}) == 2


def test_classes_that_are_not_frozen_can_be_changed() -> None:
    @dataclass(slots=True)
    class Count:
        of: int
        seen: list[int] = field(default_factory=list)

    before = type(vars(Count)["__init__"])
    count = Count(1)
    count.of = 2
    count.seen.append(3)
    assert count == Count(2, [3])
    assert (Count.__hash__, Count(2).seen) == (None, [])
    assert before is not type(vars(Count)["__init__"])
    assert copy.deepcopy(count) == count


def test_other_dataclasses_are_those_of_the_standard_library() -> None:
    @dataclass
    class Count:
        of: int

    assert inspect.isfunction(vars(Count)["__init__"])

    @dataclass(frozen=True, slots=True)
    class Base:
        one: int

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        other: int = 2

    count = Count(1)
    count.of = 2
    assert count == Count(2)
    assert (Derived(1).one, Derived(1).other, Derived(1)) == (1, 2, Derived(1, 2))
    assert Derived(1) != Base(1)
