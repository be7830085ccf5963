"""From files to a theory and to facts that it accepts. Imports `check` and below."""
