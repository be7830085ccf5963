"""Dataclasses whose methods are generated when they are first used.

`dataclass` of the standard library compiles six methods for each class at its definition. This was half of
the time of a short command, which creates no objects of most of its classes. Here a class with slots gets
the same methods, but each is compiled when it is first looked up. The generated `__init__` sets the slots
directly, which is faster than `object.__setattr__`. Classes without slots, and classes that extend another
dataclass, are left to the standard library.

Type checkers see the decorator of the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - it is exported
else:

    def dataclass(kind: type | None = None, /, **options: bool) -> Any:
        """Return a class as a dataclass, or the decorator that does so: see `dataclasses.dataclass`."""
        if kind is None:
            return lambda decorated: dataclass(decorated, **options)
        if (
            not options.get("slots")
            or not options.keys() <= {"frozen", "slots", "eq", "repr"}
            or any(hasattr(base, "__dataclass_fields__") for base in kind.__mro__[1:])
        ):
            return dataclasses.dataclass(kind, **options)
        frozen, has_repr = options.get("frozen", False), options.get("repr", True)
        return _with_late_methods(kind, frozen=frozen, eq=options.get("eq", True), has_repr=has_repr)


_MADE = type("_Made", (), {"__repr__": lambda _: "<factory>"})()
"""The default of an argument whose value a factory makes, shown as by the standard library."""


class _LateMethod:
    """A method that is generated and put in its class when it is first looked up."""

    __slots__ = ("kind", "make", "name")

    def __init__(self, kind: type, name: str, make: Callable[[type], Any]) -> None:
        self.kind, self.name, self.make = kind, name, make

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = self.make(self.kind)
        method.__qualname__ = f"{self.kind.__qualname__}.{self.name}"
        setattr(self.kind, self.name, method)
        return method.__get__(instance, owner)


def _with_late_methods(decorated: type, *, frozen: bool, eq: bool, has_repr: bool) -> Any:
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(decorated)
    stated = kind.__dataclass_params__
    stated.init, stated.repr, stated.eq, stated.frozen = True, has_repr, eq, frozen
    own = decorated.__dict__
    late = {"__init__": _init}
    if has_repr:
        late["__repr__"] = _repr
    if eq:
        late["__eq__"] = _eq
    if frozen:
        late |= {"__getstate__": _state, "__setstate__": _set_state}
        kind.__setattr__, kind.__delattr__ = _refuse_setting, _refuse_deletion
    for name, make in late.items():
        if name not in own:
            setattr(kind, name, _LateMethod(kind, name, make))
    if eq and own.get("__hash__") is None:
        kind.__hash__ = _LateMethod(kind, "__hash__", _hash) if frozen else None
    return kind


def _refuse_setting(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(kind: Any) -> Any:
    names = [field.name for field in dataclasses.fields(kind)]
    return _compiled("__getstate__", "self", [f"  return [{', '.join(f'self.{n}' for n in names)}]"], {})


def _set_state(kind: Any) -> Any:
    names = [field.name for field in dataclasses.fields(kind)]
    words = {f"_set_{name}": getattr(kind, name).__set__ for name in names}
    lines = [f"  [{', '.join(names)}] = state", *(f"  _set_{name}(self, {name})" for name in names)]
    return _compiled("__setstate__", "self, state", lines, words)


def _init(kind: Any) -> Any:
    """Return the `__init__` of a class, with its signature."""
    words: dict[str, Any] = {}
    positional: list[str] = []
    keyword: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(kind):
        name = field.name
        words[f"_set_{name}"] = getattr(kind, name).__set__
        has_factory = field.default_factory is not dataclasses.MISSING
        default = field.default
        if has_factory:
            words[f"_make_{name}"] = field.default_factory
            default = words["_made"] = _MADE
        value = f"_make_{name}() if {name} is _made else {name}" if has_factory else name
        if field.init:
            words[f"_default_{name}"] = default
            given = name if default is dataclasses.MISSING else f"{name}=_default_{name}"
            (keyword if field.kw_only else positional).append(given)
        elif has_factory:
            value = f"_make_{name}()"
        elif default is not dataclasses.MISSING:
            words[f"_default_{name}"] = default
            value = f"_default_{name}"
        else:
            continue
        lines.append(f"  _set_{name}(self, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("  self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *keyword] if keyword else [])])
    made = _compiled("__init__", parameters, lines or ["  pass"], words)
    annotations = {field.name: field.type for field in dataclasses.fields(kind) if field.init}
    made.__annotations__ = {**annotations, "return": None}
    return made


def _eq(kind: Any) -> Any:
    names = [field.name for field in dataclasses.fields(kind) if field.compare]
    if len(names) == 1:
        equal = f"self.{names[0]} == other.{names[0]}"
    else:
        equal = f"{_row('self', names)} == {_row('other', names)}"
    lines = ["  if other.__class__ is self.__class__:", f"    return {equal}", "  return NotImplemented"]
    return _compiled("__eq__", "self, other", lines, {})


def _hash(kind: Any) -> Any:
    hashed = (
        field.name
        for field in dataclasses.fields(kind)
        if (field.compare if field.hash is None else field.hash)
    )
    return _compiled("__hash__", "self", [f"  return hash({_row('self', hashed)})"], {})


def _repr(kind: Any) -> Any:
    names = [field.name for field in dataclasses.fields(kind) if field.repr]

    def shown(self: object) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({', '.join(values)})"

    shown.__name__ = "__repr__"
    return shown


def _row(of: str, names: Iterator[str] | list[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


def _compiled(name: str, parameters: str, lines: list[str], words: dict[str, Any]) -> Any:
    exec("\n".join((f"def {name}({parameters}):", *lines)), words)  # noqa: S102 - as the standard library does
    return words[name]
