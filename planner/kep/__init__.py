"""Knowledge Enabled Planning: plans tested against counter-plans, and proofs of what survives. Imports none of the others."""
