"""Pawn endings: king and pawn against king, by distances (lone_pawn.horn) and by files and ranks
(lone_king.horn with holding.horn, escorted.horn), and endings with more men (endings.horn).
"""
