"""Members of domains, by purpose: states, games, problems, pictures, whole games, plans and others."""
