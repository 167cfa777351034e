"""Home, and what a phone chooses for itself."""
