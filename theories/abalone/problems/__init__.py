"""Problems of Abalone: push off the sixth marble. A file of problems, and the generation of more."""
