"""Items of a paper, what runs measured for them, and the verdicts."""
