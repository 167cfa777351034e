"""Past games: finding them, listing them, and grouping them into evenings."""
