"""An editor without a screen, which speaks to `hornbook theory lsp` as others do."""
