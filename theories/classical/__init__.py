"""Classical cases of explanation-based learning: a cup (cup.horn), what may stand on what (stack.horn), a story (suicide.horn)."""
