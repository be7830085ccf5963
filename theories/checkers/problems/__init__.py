"""Problems of checkers: win, get a king, take pieces. A set of them as a file, and the making of new ones."""
