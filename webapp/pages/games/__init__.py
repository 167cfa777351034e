"""The new game page: the game, the players, and the rules."""
