"""What `anonopt compare-files` makes of files that are compared by counts."""
