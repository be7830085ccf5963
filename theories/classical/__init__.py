"""Small classical theories: family.horn, and for explanation-based learning cup.horn,
stack.horn, suicide.horn.
"""
