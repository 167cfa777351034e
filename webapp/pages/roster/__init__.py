"""The roster’s pages."""
