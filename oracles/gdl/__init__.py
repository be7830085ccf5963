"""A second opinion about games in GDL: SWI-Prolog plays them, from a translation that shares nothing with planner/."""
