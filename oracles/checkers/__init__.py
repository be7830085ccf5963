"""The theory, the plain play and the native step of checkers, held against each other and against captures by the book."""
