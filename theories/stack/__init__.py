"""Stack, a classical case of explanation-based learning: what may safely stand on what (stack.horn)."""
