"""Changes of a knowledge base: those that it refuses, those of its store, and those by an action.

Imports `kb/base/knowledge_base.py` only for the states after actions.
"""
