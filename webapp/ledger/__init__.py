"""The ledger: the one way a game is written. Its door is `ledger.py`."""
