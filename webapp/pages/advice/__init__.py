"""Advice: the best play for a hand."""
