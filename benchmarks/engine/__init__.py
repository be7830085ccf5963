"""Comparison of the engine and its peers: `hornbook theory bench`, or `python -m benchmarks.engine` in the
checkout.

One module generates each family of workloads, and one in `peers/` runs each peer. The `runner` starts every
run in its own process; `report` and `plots` show the results.
"""
