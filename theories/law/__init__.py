"""Published regulations as theories: schengen.horn, residence.horn and overtime.horn.

Their examples are the worked examples of the authorities.
"""
