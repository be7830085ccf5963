"""Random and damaged texts, stores and tables, and programs for pyDatalog."""
