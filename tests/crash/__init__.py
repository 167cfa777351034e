"""What a killed server leaves behind: every score that was said to be saved, once.

`python -m tests.crash.kill 10` kills a real server ten times under eight writing phones.
"""
