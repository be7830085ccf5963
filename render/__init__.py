"""Drawings from data: graphs, charts and outlines as SVG, HTML, Mermaid and DOT.

The room only imports the text, syntax and printer of the language. The methods of proofs call it, so that a
notebook can show a proof.
"""
