"""How the app is reached: its names, its addresses, and proxies in front of it."""
