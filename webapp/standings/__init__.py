"""Who won how often, and how well: queries over all finished games."""
