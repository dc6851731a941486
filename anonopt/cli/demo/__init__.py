"""``anonopt demo``: the search that the library is about, and the tour of the course."""
