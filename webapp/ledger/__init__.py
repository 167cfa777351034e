"""The ledger: the only code that writes a game. Start reading at `ledger.py`."""
