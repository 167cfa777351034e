"""The page *Backups*."""
