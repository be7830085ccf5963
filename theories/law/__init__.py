"""Regulations as theories: schengen.horn, residence.horn, overtime.horn, and the fictitious degree.horn.

The examples of the others are the worked examples of the authorities.
"""
