"""Independent implementations to compare with: simulators, judges, and generators of programs and states.

They serve tests and benchmarks, and are never installed.
"""
