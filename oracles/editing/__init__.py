"""An editor without a screen, which speaks to `hornbook lsp` as others do."""
