"""The games there were: found, put into lines, and gathered into evenings."""
