"""Parallel work on tables of states, in this process, in several processes, or with Dask or Ray."""
