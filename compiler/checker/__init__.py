"""The checker: whether a certificate proves its rule. What a learned rule's truth rests on."""
