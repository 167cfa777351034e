"""Notes on a round, and cards taken out of turn."""
