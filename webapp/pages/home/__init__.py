"""The home page, and the settings of a phone."""
