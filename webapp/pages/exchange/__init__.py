"""Exporting games to a file, and importing them."""
