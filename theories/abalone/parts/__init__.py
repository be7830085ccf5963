"""The theory of Abalone, a file for each of its parts, from what lies where to what is played for."""
