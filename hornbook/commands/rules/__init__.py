"""Commands that learn rules and look after them."""
