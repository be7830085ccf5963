"""Second opinions

simulators, judges, and generators of programs and states, for tests and benchmarks; never installed.
"""
