"""Fuzzers: random and damaged inputs, forged proofs, and killed processes, each with a limit on its run."""
