"""Chess by another library, problems made and judged with it."""
