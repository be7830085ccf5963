"""A firm at one moment as plain data, and what becomes of it by decisions and by the close of a month."""
