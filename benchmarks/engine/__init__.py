"""The engine and its peers, side by side: `hornbook theory bench`, or `python -m benchmarks.engine` from the checkout.

One file makes each family of workloads, one file in `peers/` runs each peer; `runner` starts every run in a
process of its own, `report` and `plots` show what came out.
"""
