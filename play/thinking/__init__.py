"""Decisions: statistics of a game's searches, decisions within a budget by any search, and games between
searches.
"""
