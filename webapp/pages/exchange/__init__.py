"""A book of games as a file: exported and imported."""
