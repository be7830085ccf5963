"""A second reader of certificates, which shares no code with the checker: standard Python and the documentation."""
