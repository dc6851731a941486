"""The report of one run: its front, what to take of it, its course, and its solutions."""
