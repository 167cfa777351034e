"""One game, without database or pages: what was entered, and what follows from it."""
