"""The commands, one module each: `hornbook why-not` is the function `why_not` of `why_not.py`.

A command reads its arguments, calls the packages below and prints; what it prints with `--json` is a
contract. It raises for what goes wrong and leaves the telling to the front door.
"""
