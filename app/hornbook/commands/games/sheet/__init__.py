"""The commands of `hornbook game`, one module each."""
