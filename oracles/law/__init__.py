"""Seeded records of students for the degree regulations, and these regulations without dates."""
