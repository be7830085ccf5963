"""What is measured of the theory of chess and of what is learned of it."""
