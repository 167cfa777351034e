"""History: all games, and the sheet of each."""
