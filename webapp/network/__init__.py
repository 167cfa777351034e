"""How the app is reached: by which names, at which addresses, and through which proxies."""
