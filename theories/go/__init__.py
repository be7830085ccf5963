"""Go: boards, their diagrams and SGF files, and the facts of a position."""
