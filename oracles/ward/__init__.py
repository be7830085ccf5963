"""A ward of a hospital as a theory written by a user, and random states of it, for tests of coverage."""
