"""The book as files: written to be carried off, read in again, and taken over from paper."""
