"""Chess by an independent library, and problems that are generated and judged with it."""
