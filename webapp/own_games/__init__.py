"""Your own games: stored in versions, read as games, and shared.

They are strangers’ descriptions: each is checked when it’s saved, and again whenever it’s read.
"""
