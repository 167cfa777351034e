"""What can be done with Laydown, in the words of the table.

Every function takes a Session first and never sees a request. A question answers with a frozen
read-model, a deed with what the page needs next; both raise exceptions whose docstring is the
sentence that the person at the table reads.
"""
