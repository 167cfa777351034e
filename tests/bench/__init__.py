"""How long things take, each held against something else in the same run."""
