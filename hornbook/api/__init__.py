"""What `import hornbook` gives."""
