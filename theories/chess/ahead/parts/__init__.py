"""What holds after moves, foretold, and what a side can reply: the words on which the theories of the folder above stand."""
