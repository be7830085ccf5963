"""The prompt: what is typed becomes a request, a session carries it out, and what comes of it is text.

`request` reads lines, `session` has the knowledge base and what was done to it, `carry_out` answers requests,
`completion` says what could stand next, `prompt` and `lines` are the two ways in: a terminal, and a pipe.
"""
