"""An editor without a screen, which speaks to `hornbook lsp` by the standard protocol."""
