"""The referee’s desk: plays, and what the referee says of them."""
