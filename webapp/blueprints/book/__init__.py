"""The book: games that were played, and how they are kept."""
