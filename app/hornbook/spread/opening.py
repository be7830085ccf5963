"""Backends by name, as on the command line. The packages of a backend are imported only if it is used."""

from __future__ import annotations

import re

from hornbook.matcher.compiled.processors import processors
from hornbook.spread.places import BackendOpener


def opening(on: str | None, workers: int | None) -> BackendOpener:
    """Return a function that opens a backend.

    The names are `local`, `dask` and `ray`, or with an address `dask://HOST:PORT` and `ray://HOST:PORT`.
    Without a name, this process does the work, or `local` if `workers` is given. The default number of
    workers is the number of processors.

    Raises:
        ValueError: If the name or address is invalid, or `workers` is less than one.
        MissingExtraError: If the backend is not installed.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"the number of workers must be at least one, not {workers}")
    if on is None and workers is None:
        return _local("", 1)
    name, separator, address = (on or "local").partition("://")
    if on == "" or name not in _PLACES or bool(separator) != bool(address) or (address and name == "local"):
        raise ValueError(
            f"`{on}` is not a backend; the backends are local, dask, ray, dask://HOST:PORT and ray://HOST:PORT"
        )
    if address and not _ADDRESS.fullmatch(address):
        raise ValueError(f"`{on}` has no HOST:PORT, such as {name}://localhost:{_USUAL_PORTS[name]}")
    if address and workers is not None:
        raise ValueError(f"`{on}` has its own workers; leave out `--workers`")
    return _PLACES[name](address, workers or processors())


def _local(address: str, workers: int) -> BackendOpener:
    from hornbook.spread.processes import Here, Processes  # noqa: PLC0415 - imported on demand

    return Here if workers == 1 else lambda: Processes(workers)


def _dask(address: str, workers: int) -> BackendOpener:
    from hornbook.spread.dask_cluster import DaskCluster  # noqa: PLC0415 - the same

    return lambda: DaskCluster(address, workers)


def _ray(address: str, workers: int) -> BackendOpener:
    from hornbook.spread.ray_cluster import RayCluster  # noqa: PLC0415 - the same

    return lambda: RayCluster(address, workers)


_PLACES = {"local": _local, "dask": _dask, "ray": _ray}
_ADDRESS = re.compile(r"(?:[^\s:/\[\]]+|\[[0-9A-Fa-f:]+\]):[0-9]{1,5}")
"""A host (a name or an address, with brackets for IPv6) and a port."""
_USUAL_PORTS = {"dask": 8786, "ray": 10001}
