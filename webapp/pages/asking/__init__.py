"""Asking the referee: type what the table argues about, or go on to show the cards."""
