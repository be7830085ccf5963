"""New problems of Go: boards from games and variations, solved by the reader, each kept once."""
