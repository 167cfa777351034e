"""The rulebook as a form: a game's sentences, changed one by one, and what each change needs."""
