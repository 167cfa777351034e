"""Advice: what to do with a hand."""
