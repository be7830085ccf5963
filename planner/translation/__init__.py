"""Games in GDL as theories of the language, from which rules are learned and proved."""
