"""The named problems, a family a file."""
