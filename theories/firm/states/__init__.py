"""A firm at one moment as plain data, and a simulation of decisions and of the close of a month."""
