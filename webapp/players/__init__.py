"""The roster: who plays, by which name and token."""
