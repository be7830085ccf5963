"""The commands of `hornbook allocate`."""
