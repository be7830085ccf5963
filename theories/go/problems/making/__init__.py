"""Generation of Go problems: boards from games and variations, solved by the reader, without duplicates."""
