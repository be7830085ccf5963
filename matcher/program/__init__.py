"""The input of an engine: coded rules and facts, and their errors. Imports no other package of the
project.
"""
