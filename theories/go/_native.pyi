# The interface of the compiled module for facts as columns (native/fact_columns_python.hpp), for types.
# The rest of the module is used as `hornbook.play.native` describes it.
from collections.abc import Sequence
from typing import final

@final
class FactBoard:
    def __init__(self, rows: int, columns: int, colours: tuple[str, ...], ko: int, banned: int) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def has_ko(self) -> bool: ...
    @property
    def ko(self) -> tuple[int, int]: ...
    @property
    def colours(self) -> list[int]: ...

def read_boards(texts: list[str]) -> list[FactBoard | None]: ...
def fact_columns(
    boards: Sequence[FactBoard],
    places: Sequence[int],
    defenders: Sequence[int],
    points: Sequence[int],
    names: Sequence[int],
    words: Sequence[int],
    with_ko: bool,
) -> tuple[dict[str, list[bytes]], dict[str, list[bytes]], list[bytes]]: ...
