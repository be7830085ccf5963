"""The commands, one module each: `hornbook why-not` is the function `why_not` of `why_not.py`.

A command reads its arguments, calls other packages and prints the result. The output with `--json` is a
stable interface. A command raises exceptions, which the CLI reports.
"""
