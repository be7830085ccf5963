"""The examples in documents, as programs."""
