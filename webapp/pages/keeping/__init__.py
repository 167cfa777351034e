"""Keeping the book: backups and files."""
