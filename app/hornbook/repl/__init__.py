"""The prompt: it parses input into requests, executes them in a session, and prints the results.

`request` parses lines, `session` has the knowledge base and its changes, and `carry_out` executes requests.
`completion` computes the possible continuations of a line. `prompt` reads from a terminal, and `lines` from a
pipe.
"""
