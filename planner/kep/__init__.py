"""Knowledge Enabled Planning: plans tested against counter-plans, and proofs of the plans that survive.

Imports none of the sibling packages.
"""
