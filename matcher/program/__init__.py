"""What an engine is given: coded rules and facts, and what is wrong with them. Imports nothing of ours."""
