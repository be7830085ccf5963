"""Fuzzers: inputs at random and damaged, forged proofs, killed processes; each runs as long as it is given."""
