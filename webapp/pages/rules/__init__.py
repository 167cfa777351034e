"""The rules of a game as a leaflet, and the search in it."""
