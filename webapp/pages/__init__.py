"""The rooms: what people see. Each has the routes, the view, the commands and the form of one page.

Its templates are in `templates/`, in the folder of the same name.
"""
