"""Play: generic searches of games that provide a native step."""
