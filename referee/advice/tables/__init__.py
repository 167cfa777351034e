"""Advice for a turn at a table that belongs to everybody: the most that can be played."""

from referee.advice.tables.search import best_turn

__all__ = ["best_turn"]
