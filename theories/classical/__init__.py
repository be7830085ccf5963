"""Small classical theories: family.horn, date_intervals.horn, time_intervals.horn, and for explanation-based
learning cup.horn, stack.horn, suicide.horn and repair.horn.
"""
