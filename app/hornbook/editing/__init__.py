"""The language server: theories in an editor, by the Language Server Protocol."""
