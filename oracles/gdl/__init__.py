"""A second implementation of games in GDL: SWI-Prolog plays them from a translation independent of planner/."""
