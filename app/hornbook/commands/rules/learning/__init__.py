"""Where lessons of `hornbook learn` come from, other than from lines that are given."""
