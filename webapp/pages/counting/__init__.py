"""The count page: the hands of one round, as people type them."""
