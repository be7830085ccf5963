"""Problems of Abalone: push off the sixth marble. A set of them as a file, and how more are made."""
