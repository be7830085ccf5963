"""The prompt: it parses input into requests, executes them in a session, and prints the results.

Module `request` parses lines. Module `session` has the knowledge base and its changes. Module `carry_out`
executes requests. Module `completion` computes the possible continuations of a line. Module `prompt` reads
from a terminal, and module `lines` from a pipe.
"""
