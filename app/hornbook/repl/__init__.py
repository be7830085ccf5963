"""The prompt: it parses what is typed into requests, carries them out in a session, and prints the results.

`request` reads lines, `session` has the knowledge base and what was done to it, `carry_out` answers requests,
`completion` says what could stand next, `prompt` and `lines` are the two ways in: a terminal, and a pipe.
"""
