"""The phones that entered something in a game."""
