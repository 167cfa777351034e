"""Standings: all players, one, and two against each other."""
