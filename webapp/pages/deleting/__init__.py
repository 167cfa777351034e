"""Deleting a game."""
