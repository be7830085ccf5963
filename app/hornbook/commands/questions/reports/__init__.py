"""Reports of answers from templates, for the people concerned."""
