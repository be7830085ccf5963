"""Why a fact follows and why it does not, as text, pages and pictures.

Imports `lower`, `tables` and below.
"""
