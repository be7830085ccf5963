"""Go by independent programs, and the truth of the theory's conclusions."""
