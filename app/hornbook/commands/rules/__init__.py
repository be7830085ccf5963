"""Commands that learn rules and maintain them."""
