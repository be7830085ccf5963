"""Problems of Othello: win, wipe out the opponent, take a corner.

A file of problems, and the generation of more.
"""
