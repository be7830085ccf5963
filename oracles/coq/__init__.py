"""Compilation of Coq sources, with a cache of compiled objects, and the record of a run that checked proofs."""
