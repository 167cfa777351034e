"""Who sits at the table: joining, leaving, whose phone this is."""
