"""Theories as games for machines: programs like those of GDL. Imports `gdl`, `grounding` and `machines`."""
