"""The calculus of certificates in a proof assistant, and the checker that is extracted from its proof."""
