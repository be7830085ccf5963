"""Games in GDL as theories of the language, for learning and proving rules."""
