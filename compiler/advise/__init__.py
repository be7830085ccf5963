"""Advice: the amounts that reach a goal, and the goals that no common amount reaches. Imports the language
alone.
"""
