"""Games that ship, by their theory, by plain play and by the native step, held against each other."""
