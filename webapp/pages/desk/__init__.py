"""The referee’s desk: questions about plays, and the referee’s answers."""
