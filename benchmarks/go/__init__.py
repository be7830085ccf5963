"""What is measured of the theory of Go and of what is learned of it."""
