"""From examples to rules that are proved. Imports `prove` and below."""
