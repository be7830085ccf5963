# The interface of the compiled reader of states (kb/parse/reading/bindings.cpp), for the type checker.
from collections.abc import Sequence
from typing import final

__version__: str

# A relation: its name, the kinds of its columns (`w` for words, `i` for integers, `m` for both), whether
# `before` may precede it, and whether it is an action.
@final
class FactReader:
    def __init__(self, relations: Sequence[tuple[str, str, bool, bool]], reserved: Sequence[str]) -> None: ...
    # For each relation the column of texts and the columns of cells, as 64-bit integers; the distinct values
    # to which the cells of words and mixed columns refer; and the texts that are not understood.
    def read(self, texts: tuple[object, ...]) -> tuple[list[list[bytes]], list[str | int], bytes]: ...
