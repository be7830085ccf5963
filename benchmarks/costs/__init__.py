"""Costs of matching: by rules, facts and depth, per changed match, in memory, and without optimisations."""
