"""Cup, a classical case of explanation-based learning: what makes a thing a cup (cup.horn)."""
