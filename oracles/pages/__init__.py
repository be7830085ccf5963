"""The examples that stand in documents, as programs."""
