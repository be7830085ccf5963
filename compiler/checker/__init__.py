"""The checker: whether a certificate proves its rule. The truth of learned rules rests on it."""
