"""Play: searches of games that bring a native step, whichever games these are."""
