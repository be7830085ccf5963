# What the compiled core (matcher/core) offers to Python, for the type checker.
from typing import Any

__version__: str

def __getattr__(name: str) -> Any: ...
