"""One kind of play each, its rule beside its ruling. Nothing here knows a whole game."""
