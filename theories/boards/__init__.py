"""What games on boards have alike: marks on places, their legend, a picture's frame, and rows of a diagram."""
