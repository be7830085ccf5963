"""The certificate checker, on which the soundness of learned rules depends."""
