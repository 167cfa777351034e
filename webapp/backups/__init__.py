"""Backups: copies of all scores that are proved to be good, kept for a year, and can be restored.

A copy is always a SQLite file, whatever database the scores are in: it can be read without a
server, and moved to another machine.
"""
