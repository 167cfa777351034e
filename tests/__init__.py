"""All tests, and what they need to run on a bare machine: `python3 -m tests`."""
