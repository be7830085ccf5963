"""The engine: from coded rules and facts to their consequences with derivations. Imports no other package of
the project.
"""
