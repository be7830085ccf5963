"""What reading a theory costs."""
