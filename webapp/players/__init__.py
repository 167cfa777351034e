"""The roster: the people who play, with their names and tokens."""
