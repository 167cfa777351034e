"""Sharing a game with other phones."""
