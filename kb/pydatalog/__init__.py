"""pyDatalog: importing its programs as theories, and using it as a second engine. Imports `load` and below."""
