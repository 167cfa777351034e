"""What was kept on paper, or in another app: tables and files of other people, read as games."""
