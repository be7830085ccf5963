"""A second reader of certificates that shares no code with the checker: standard Python and the
documentation.
"""
