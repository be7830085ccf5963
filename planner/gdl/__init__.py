"""Games in GDL: from the text of a sheet (a game description) to the legal moves and conclusions of each
state.
"""
