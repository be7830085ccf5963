"""An editor without a screen, which speaks to `hornbook theory lsp` by the standard protocol."""
