"""An evening: the games of one sitting, and who owes whom."""
