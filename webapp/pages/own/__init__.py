"""Games of your own."""
