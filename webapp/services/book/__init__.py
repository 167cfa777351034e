"""The book: games as lines of a list, and finding those that are sought."""
