"""Planning domains in PDDL as theories of the language, and their problems as facts. Imports `pddl` and
`translation`.
"""
