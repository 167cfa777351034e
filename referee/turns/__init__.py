"""One module for each kind of play, with its rules and how to rule on it, without any game."""
