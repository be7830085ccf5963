"""Benchmarks and studies of Hornbook, and their results (`results/`)."""
