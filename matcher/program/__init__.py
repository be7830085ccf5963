"""The input of an engine: coded rules and facts, and their errors. Imports nothing of ours."""
