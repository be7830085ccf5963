"""Suicide, a classical case of explanation-based learning, from the understanding of stories (suicide.horn)."""
