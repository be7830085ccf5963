"""Evaluation on demand by magic sets: an engine that derives only the facts that rules or queries need.

Imports `compiled`.
"""
