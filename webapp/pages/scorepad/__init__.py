"""The scorepad: the page of a game, with its scores round by round."""
