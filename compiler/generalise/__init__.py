"""The construction of a rule and its certificate from an explanation.

Imports the certificate's form and the checker.
"""
