"""What certificates carry, found by search: what satisfies each condition, and why. Nothing that is trusted rests on it."""
