"""Houses: many groups on one server, each a folder with scores, backups and a door of its own.

One app serves them all. What belongs to one group hangs on its `House`, which a request gets by its
path: nothing in an address or a form can name another house, because its database isn’t in reach.
People read *table* on the pages. A Laydown that serves one group only is “at home”: it has no house
and no door, and anybody who can reach it can play.
"""
