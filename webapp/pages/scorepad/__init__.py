"""The scorepad: a game as it stands."""
