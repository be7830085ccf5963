"""Problems of checkers: win, get a king, take pieces. A file of problems, and the generation of more."""
