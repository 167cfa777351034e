"""The players at the table: joining, leaving, and whose phone this is."""
