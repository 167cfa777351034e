"""What is installed: the command `laydown`.

In the wheel, `webapp`, `referee`, `templates` and `static` lie in this package (`hatch_build.py`),
so that one name is taken among the packages of a machine, and not two that others may have, too.
"""
