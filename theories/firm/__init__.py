"""The firm: one firm over months on four levels, physical, valued, monetary and financial."""
