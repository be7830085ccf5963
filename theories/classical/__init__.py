"""Small classical theories: a family (family.horn), and cases of explanation-based learning (cup.horn,
stack.horn and suicide.horn).
"""
