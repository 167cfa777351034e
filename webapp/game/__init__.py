"""One game, without database and pages: what was entered, and what follows from it."""
