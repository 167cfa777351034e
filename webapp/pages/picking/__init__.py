"""Picking a game."""
