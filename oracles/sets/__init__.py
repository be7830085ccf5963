"""Random theories whose actions change closed sets, and what is learned from their examples."""
