"""Keeping the book safe: copies that are proved, kept for a year, and put back.

A copy is always a SQLite file, whatever the book itself is in: it needs no server to be looked at,
and carries over to another machine.
"""
