"""The engine: from coded rules and facts to what follows and why. Imports nothing of ours."""
