"""The pages: each folder has the routes, the view, the commands and the form of one page.

Its templates are in the folder of the same name in `templates/`.
"""
