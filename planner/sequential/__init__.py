"""Sequential planning: the best plan of a game for one role, with proofs of its quality. Imports `gdl`,
`machines` and `strategies`.
"""
