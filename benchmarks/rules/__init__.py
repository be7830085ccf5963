"""What learning, matching and keeping rules costs."""
