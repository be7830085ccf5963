"""Games in GDL: from the text of a sheet to what may be done, and what follows, in each state."""
