"""Knowledge Enabled Planning: plans tested against counter-plans, and proofs of the survivors."""
