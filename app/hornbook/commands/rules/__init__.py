"""Commands that learn and maintain rules."""
