"""`hornbook serve` under load, and killed."""
