"""Words and formats that several pages share, regardless of the game."""
