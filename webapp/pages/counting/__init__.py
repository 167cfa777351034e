"""The count: the hands of a round, as they are written down."""
