"""A small theory and a file that imports it, as input for the editor."""

from __future__ import annotations

WORDS = """\
% What is there.
theory words.

sort point.
sort colour = black | white.
sort cents = int.

static near(point, point).  % side by side
static price(point -> cents) says "?1 costs ?2".
fluent stone(point, colour).
action put(colour, point).
derived good(point).

near(a1, b1).
near(b1, c1).

side_by_side:
  good(?p) :- near(?p, ?q), stone(?q, black).

example corner: stone(b1, black).
expect corner: good(a1).
expect corner: good(c1).
"""
USES = """\
import words.
derived best(point).
% 🙂 stands beside
it_is_good:
  best(?p) :- good(?p), stone(?p, ?c), near(?p, '🙂'), price(?p, ?n), ?n > 3, ?c = white.
"""
