"""Games that a table has made its own: kept in versions, read as games, shared.

They are strangers’ descriptions: each is checked when it is saved, and again whenever it is read.
"""
