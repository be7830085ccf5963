"""Problems of Othello: win, leave the opponent no disc, take a corner. A set of them as a file, and the making of new ones."""
