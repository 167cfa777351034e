"""All games as files: exporting them, importing them, and importing games from paper."""
