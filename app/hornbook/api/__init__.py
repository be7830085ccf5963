"""The Python API: what `import hornbook` provides."""
