"""Which phones wrote into a game."""
