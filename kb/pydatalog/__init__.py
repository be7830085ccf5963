"""pyDatalog: its programs read as theories, and itself as a second engine. Imports `load` and below."""
