"""The engine: coded rules and facts in, what follows and how out. Imports nothing of ours."""
