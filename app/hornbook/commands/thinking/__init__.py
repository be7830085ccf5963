"""Commands that think within a budget, and gather what thinking rests on."""
