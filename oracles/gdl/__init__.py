"""A second implementation of GDL: SWI-Prolog plays games from a translation independent of planner/."""
