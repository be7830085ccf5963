"""Compilation of Coq sources, a cache of compiled objects, and the record of a run that checked proofs."""
