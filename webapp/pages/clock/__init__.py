"""The clock of a turn."""
