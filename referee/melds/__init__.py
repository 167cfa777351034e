"""Sets, runs and flushes: how to read cards as melds, contracts, bonuses and deadwood."""
