"""House rules of a running game."""
