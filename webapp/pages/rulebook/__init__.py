"""The rules of a game as a form: each sentence can be changed."""
