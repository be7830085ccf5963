"""Costs of matching against rules, facts and depth, per changed match, in memory, and with and
without optimisations.
"""
