"""Two files beside each other: what was lost, and what can still be found out."""
