"""Theories as games for machines: their rules as programs like those of GDL. Imports `machines` and above."""
