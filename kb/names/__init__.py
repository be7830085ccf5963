"""What the words of a file name, and where that is declared. Imports `load` and below."""
