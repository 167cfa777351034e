"""Words that several pages share, of no game in particular."""
