"""The protocol of engines, and their input: coded rules and facts, and errors. Imports no other package of
the project.
"""
