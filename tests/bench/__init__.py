"""How long pages take, against a bare Flask route."""
